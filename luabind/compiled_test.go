package luabind_test

import (
	"errors"
	"flag"
	"os"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

func encoded(t *testing.T, p *compile.Program) string {
	t.Helper()
	code, err := p.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return string(code)
}

// What is decoded under another name says that name in its messages, and the line.
func TestDecodedProgramsSayWhereTheyFail(t *testing.T) {
	const source = "local t = {}\n\nlocal function f(value)\n  return (value.x).y\nend\nf(t)\n"
	decoded, err := compile.Decode("other.lua", encoded(t, compiled(t, "a.lua", source)))
	if err != nil {
		t.Fatal(err)
	}
	_, got := luabind.NewState(t.Context(), decoded, luabind.Environment{})
	_, want := luabind.NewState(t.Context(), compiled(t, "other.lua", source), luabind.Environment{})
	var there, here *hooks.Error // the line itself isn't in what was compiled
	if !errors.As(got, &there) || !errors.As(want, &here) || there.Brief() != here.Brief() {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

var update = flag.Bool("update", false, "write yield.bin anew")

// The compiled form of yield is that of its source; -update writes it.
func TestYieldIsCompiled(t *testing.T) {
	const file = "yield.bin"
	want := encoded(t, compiled(t, "[yield]", luabind.YieldSource))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want != luabind.YieldCode() {
		t.Errorf("%s is not what the compiler makes of %q; run `go test ./luabind -run TestYieldIsCompiled -update`", file, luabind.YieldSource)
	}
}
