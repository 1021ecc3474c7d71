package luapattern_test

import (
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/pm"

	"github.com/luahook/luahook/luabind/luapattern"
)

func BenchmarkFind(b *testing.B) {
	const command = "git push --force origin main && rm -rf build"
	for _, c := range []struct{ name, pattern, subject string }{
		{"literal", "%-%-force", command},
		{"anchored", "^git%s+push", command},
		{"none", "sudo%s", command},
		{"captures", "(%w+)%s+(%w+)$", command},
		{"trim", "^%s*(.-)%s*$", command},
		{"set", "[;&|]", command},
		{"lazy", "push.-(main)", command},
		{"long", "[^%s%w]", strings.Repeat("word ", 2000)},
		{"balanced", "%b()", command + "(a(b)c)"},
	} {
		b.Run(c.name, func(b *testing.B) {
			meter := &steps{}
			p, err := luapattern.Compile(c.pattern, true, meter)
			if err != nil {
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				var m luapattern.Match
				p.Find(&m, c.subject, 0, meter)
			}
		})
		b.Run(c.name+"/compile", func(b *testing.B) {
			meter := &steps{}
			b.ReportAllocs()
			for b.Loop() {
				if _, err := luapattern.Compile(c.pattern, true, meter); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(c.name+"/gopher-lua", func(b *testing.B) {
			subject := []byte(c.subject)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := pm.Find(c.pattern, subject, 0, 1); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
