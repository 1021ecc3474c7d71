package engine

import (
	"testing"
	"time"

	"github.com/luahook/luahook/luabind"
)

// A busy machine or a long command must not make the guard block everything; what somebody says counts
// for it as for every script.
func TestBuiltinsHaveMore(t *testing.T) {
	for _, test := range []struct {
		options      []Option
		in           scriptSpec
		time         time.Duration
		instructions int64
	}{
		{nil, scriptSpec{}, luabind.DefaultLimits.Timeout, luabind.DefaultLimits.Instructions},
		{nil, scriptSpec{builtin: true}, builtinTimeout, builtinInstructions},
		{nil, scriptSpec{builtin: true, untrusted: "nobody has said so"}, builtinTimeout, builtinInstructions},
		{nil, scriptSpec{untrusted: "nobody has said so"}, luabind.DefaultLimits.Timeout, luabind.DefaultLimits.Instructions},
		{[]Option{WithLimits(Limits{Timeout: 200 * time.Millisecond})}, scriptSpec{builtin: true}, 200 * time.Millisecond, builtinInstructions},
		{[]Option{WithLimits(Limits{Instructions: 7})}, scriptSpec{builtin: true}, builtinTimeout, 7},
	} {
		e, err := New(append(test.options, WithoutBuiltins())...)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close(t.Context())
		r := &loader{engine: e}
		if got := r.bounds(test.in).run; got.Timeout != test.time || got.Instructions != test.instructions {
			t.Errorf("%+v: %+v, want %s and %d", test.in, got, test.time, test.instructions)
		}
	}
}
