package engine

import (
	"testing"
	"time"

	"github.com/luahook/luahook/luabind"
)

// A busy machine must not make the guard block everything; what somebody says counts
// for it as for every script.
func TestBuiltinsHaveMoreTime(t *testing.T) {
	for _, test := range []struct {
		options []Option
		in      scriptSpec
		want    time.Duration
	}{
		{nil, scriptSpec{}, luabind.DefaultLimits.Timeout},
		{nil, scriptSpec{builtin: true}, builtinTimeout},
		{nil, scriptSpec{builtin: true, untrusted: "nobody has said so"}, builtinTimeout},
		{nil, scriptSpec{untrusted: "nobody has said so"}, luabind.DefaultLimits.Timeout},
		{[]Option{WithLimits(Limits{Timeout: 200 * time.Millisecond})}, scriptSpec{builtin: true}, 200 * time.Millisecond},
	} {
		e, err := New(append(test.options, WithoutBuiltins())...)
		if err != nil {
			t.Fatal(err)
		}
		defer e.Close(t.Context())
		r := &loader{engine: e}
		if got := r.bounds(test.in).run.Timeout; got != test.want {
			t.Errorf("%+v: %s, want %s", test.in, got, test.want)
		}
	}
}
