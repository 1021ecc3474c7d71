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
		in      instance
		want    time.Duration
	}{
		{nil, instance{}, luabind.DefaultLimits.Timeout},
		{nil, instance{builtin: true}, builtinTimeout},
		{nil, instance{builtin: true, untrusted: "nobody has said so"}, builtinTimeout},
		{nil, instance{untrusted: "nobody has said so"}, luabind.DefaultLimits.Timeout},
		{[]Option{WithLimits(Limits{Timeout: 200 * time.Millisecond})}, instance{builtin: true}, 200 * time.Millisecond},
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
