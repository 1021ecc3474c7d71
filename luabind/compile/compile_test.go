package compile_test

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

func TestCompileErrorsSayWhere(t *testing.T) {
	early := "syntax error: the file ends too early; an end, a ) or a } is missing"
	tests := []struct{ name, source, want string }{
		{"token", "local x = = 1", "a.lua:1:11: syntax error near \"=\"\n  local x = = 1"},
		{"later line", "local a\n\n\n  x = )", "a.lua:4:7: syntax error near \")\"\n  x = )"},
		{"Windows lines", "local a=1\r\nlocal c = = 1\r\n", "a.lua:2:11: syntax error near \"=\"\n  local c = = 1"},
		{"no end", "if x then\n  y()\n\n", "a.lua:2: syntax error: the file ends too early; the if of line 1 has no end\n  y()"},
		{"no end within", "on('stop', function(ev)\n  if ev then\n    return 1\nend)\n", "a.lua:4:4: syntax error near \")\"; the if of line 2 has no end\n  end)"},
		{"no end of a loop", "local function f()\n\tfor i = 1, 2 do\n\t\tg()\nend\n\nlocal function h()\nend\n", "a.lua:7: syntax error: the file ends too early; the for of line 2 has no end\n  end"},
		{"no end at the end", "on('stop', function()\n  f()\n)\n", "a.lua:3:1: syntax error near \")\"; the function of line 1 has no end\n  )"},
		{"no bracket", "return deny({ a = 1\nend\n", "a.lua:2:1: syntax error near \"end\"; the { of line 1 has no }\n  end"},
		{"no until", "repeat\n  x()\nend", "a.lua:3:1: syntax error near \"end\"; the repeat of line 1 has no until\n  end"},
		{"no missing end", "on('stop', function()\n  local x y\nend)", "a.lua:3:1: syntax error: want a call or an assignment near \"end\"\n  end)"},
		{"an end too much", "if x then y() end\nend", "a.lua:2:1: syntax error near \"end\"\n  end"},
		{"all in one line", "if x then y(", "a.lua:1: syntax error: the file ends too early; the ( of line 1 has no )\n  if x then y("},
		{"string without end", "x = 'abc", "a.lua:1: " + early + "\n  x = 'abc"},
		{"comment without end", "x=1\n--[[ abc", "a.lua:2: " + early + "\n  --[[ abc"},
		{"after a shebang", "#!/usr/bin/env lua\nx = = 1", "a.lua:2:5: syntax error near \"=\"\n  x = = 1"},
		{"after a byte order mark", "\ufeffx=1\nx = = 1", "a.lua:2:5: syntax error near \"=\"\n  x = = 1"},
		{"expression", "a + 1", "a.lua:1:3: syntax error: want a call or an assignment near \"+\"\n  a + 1"},
		{"another language's unequal", "if a != b then end", "a.lua:1:6: Invalid token near \"!\"; unequal is ~=, and not is not\n  if a != b then end"},
		{"goto", "do\n  goto nowhere\nend\n", "a.lua:2: no visible label 'nowhere' for <goto> at line 2\n  goto nowhere"},
		{"goto in a function", "local function f()\n  goto out\n  f()\nend", "a.lua:2: no visible label 'out' for <goto> at line 2\n  goto out"},
		{"label twice", "::a:: ::a::", "label 'a' already defined on line 1"},
		{"break", "break", "a.lua:1: no loop to break\n  break"},
		{"long line", "x = = '" + strings.Repeat("y", 500) + "'", "a.lua:1:5: syntax error near \"=\"\n  x = = '" + strings.Repeat("y", 153) + "…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := compile.Script("a.lua", tt.source)
			var e *hooks.Error
			if !errors.As(err, &e) || p != nil {
				t.Fatalf("Compile gives %v, %v", p, err)
			}
			brief, text, _ := strings.Cut(tt.want, "\n  ")
			wantError(t, e, hooks.KindLoad, brief)
			line, mark, _ := strings.Cut(e.Snippet, "\n")
			if !strings.Contains(line, text) {
				t.Errorf("the line is %q, want %q", line, text)
			}
			if at := strings.Split(e.Source, ":"); len(at) == 3 && strconv.Itoa(len(mark)-len("    | ")) != at[2] {
				t.Errorf("the mark of %s stands elsewhere:\n%s", e.Source, e.Snippet)
			}
		})
	}
}

func TestCompileTakes(t *testing.T) {
	for name, source := range map[string]string{
		"nothing": "", "a shebang alone": "#!/usr/bin/lua", "a shebang": "#!/usr/bin/lua\nreturn 1",
		"a byte order mark": "\ufeffreturn 1", "both": "\ufeff#!/usr/bin/lua\nreturn 1", "goto": "goto x ::x::", "a comment": "-- hi",
		"as much as it may": strings.Repeat(" ", compile.MaxSourceBytes),
	} {
		p, err := compile.Script("a.lua", source)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if p.Name() != "a.lua" {
			t.Errorf("%s: the name is %q", name, p.Name())
		}
	}
}

func TestCompileRefusesWhatIsTooLarge(t *testing.T) {
	_, err := compile.Script("a.lua", strings.Repeat(" ", compile.MaxSourceBytes+1))
	wantError(t, hooks.AsError(err, ""), hooks.KindLoad, "a.lua: the script is larger than 512 KiB")
}

func TestCompileNeverPanics(t *testing.T) {
	var many strings.Builder
	for range 300 {
		many.WriteString("local a\n")
	}
	for name, source := range map[string]string{
		"too many locals":   many.String(),
		"too many upvalues": "local function f() " + strings.Repeat("local x; ", 250) + "end",
		"NUL":               "\x00",
		"no UTF-8":          "x = \xff\xfe",
	} {
		if _, err := compile.Script("a.lua", source); err == nil {
			t.Errorf("%s: compiles", name)
		}
	}
}

func wantError(t testing.TB, e *hooks.Error, kind hooks.ErrorKind, want string) {
	t.Helper()
	if e == nil || e.Kind != kind || !strings.Contains(e.Error(), want) {
		t.Errorf("the error is %v, want one of kind %q with %q", e, kind, want)
	}
}
