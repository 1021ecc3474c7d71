package luabind_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

func FuzzCompile(f *testing.F) {
	for _, s := range []string{
		"", "x = 1", `on("stop", function(ev) return deny("x") end)`, "goto a ::a::", "::a:: ::a::", "break", "x = [[", "#!", "\ufeff", "for i=1,2 do end",
		"local t = {1, a=2, [3]=4}", "return ...", "f'x'{}()", "x = 0x", "x = 1e", "a.b:c()", "repeat until x", "if a then elseif b then else end",
	} {
		f.Add(s)
	}
	for _, body := range ordinary {
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p, err := compile.Script("a.lua", source)
		if (p == nil) == (err == nil) {
			t.Fatalf("Compile gives %v, %v", p, err)
		}
		var e *hooks.Error
		if err != nil && (!errors.As(err, &e) || e.Kind != hooks.KindLoad || !strings.HasPrefix(e.Source, "a.lua") || e.Message == "") {
			t.Fatalf("the error is %#v", err)
		}
		if err != nil {
			return
		}
		_, err = luabind.NewState(context.Background(), p, luabind.Environment{Limits: luabind.Limits{Instructions: 20_000, Memory: 4 << 20}})
		if err != nil && (!errors.As(err, &e) || strings.Contains(e.Message, "panicked")) {
			t.Fatalf("running it gives %v", err)
		}
	})
}
