package compile_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/luabind/compile"
)

func TestSyntaxOfOtherLanguagesHasAHint(t *testing.T) {
	for _, tt := range []struct{ source, want string }{
		{"if a && b then end", "; && is and"},
		{"if a || b then end", "; || is or"},
		{"if !a then end", "; unequal is ~=, and not is not"},
		{"if a = b then end", "; equal is =="},
		{"if a === b then end", "; equal is =="},
		{"n += 1", "n = n + 1"},
		{"n -= 1", "n = n + 1"},
		{"n++", "n = n + 1"},
		{"// text", "; a comment begins with --"},
		{"f() // text", "; a comment begins with --"},
		{"local x = 1 // text", "; a comment begins with --"},
		{"function f() {\n  return 1\n}", "; a function has no { }"},
		{"on('stop', function(ev) {\n  return 1\n})", "; a function has no { }"},
		{"if (a) {\n  return 1\n}", "; it is if ... then ... end"},
		{"if (a) { return 1 }", "; it is if ... then ... end"},
		{"while (a) {\n  return 1\n}", "; a loop is while ... do"},
		{"for i = 1, 2 do\n  if i then continue end\nend", "; there is no continue"},
		{"for i = 1, 2 do\n  continue\nend", "; there is no continue"},
		{"const x = 1", "; a variable is declared with local"},
		{"let x = 1", "; a variable is declared with local"},
		{"var x = 1", "; a variable is declared with local"},
		{"if a then f()\nelif b then g() end", "; elif is elseif"},
		{"if a then f()\nelif (b) then g() end", "; elif is elseif"},
		{"f({ match: 'bash' })", "; a key is written { key = value }"},
		{"f({ a = 1, match: 12 })", "; a key is written { key = value }"},
		{"f({ match: x })", "; a key is written { key = value }"},
		{"if a then\n  f()\nelse if b then\n  g()\nend", "(else if begins another; elseif doesn't)"},
	} {
		if _, err := compile.Script("a.lua", tt.source); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q gives %v, want %q", tt.source, err, tt.want)
		}
	}
	for _, source := range []string{"local x = = 1", "x = 1 + + 2", "f({ a = })", "x = 'a && b' )", "x = 'let ' )", "a + 1", "if a then x = = 1 end", "x = 1 )  -- a // b"} {
		if _, err := compile.Script("a.lua", source); err == nil || strings.Contains(err.Error(), ";") {
			t.Errorf("%q gives %v, want an error without a hint", source, err)
		}
	}
}
