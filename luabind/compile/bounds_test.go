package compile_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

// series joins what f gives for the numbers below n.
func series(n int, f func(i int) string) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(f(i))
	}
	return b.String()
}

func TestSourcesThatTakeLongAreRefused(t *testing.T) {
	repeat := strings.Repeat
	deep, complex, words := "nested deeper than 500 levels", "too complex to be compiled", "more than 100,000 words and signs"
	tests := []struct{ name, source, want string }{
		{"parentheses", "x = " + repeat("(", 90_000), "a.lua:1: brackets and blocks are nested deeper than 250 levels"},
		{"braces", "\nx = " + repeat("{", 300) + repeat("}", 300), "a.lua:2: brackets and blocks are nested deeper than 250 levels"},
		{"blocks", repeat("do ", 90_000), "nested deeper than 250"},
		{"functions in functions", repeat("return function() ", 300) + repeat("end ", 300), "nested deeper than 250"},
		{"not", "\n\nx = " + repeat("not ", 90_000) + "a", "a.lua:3: expressions and blocks are " + deep},
		{"minus", "x = " + repeat("- ", 90_000) + "a", deep},
		{"length", "x = " + repeat("#", 90_000) + "a", deep},
		{"a sum", "x = a" + repeat("+a", 40_000), deep},
		{"a power", "x = a" + repeat("^a", 40_000), deep},
		{"or", "x = a" + repeat(" or a", 40_000), deep},
		{"elseif", "if a then " + repeat("elseif a then ", 20_000) + "end", deep},
		{"calls of calls", "f" + repeat("()", 40_000), deep},
		{"fields of fields", "x = a" + repeat(".a", 40_000), deep},
		{"joined values", "x = a" + repeat("..a", 160), "more than 150 values are joined by ..; use table.concat"},
		{"words", repeat("a=a ", 40_000), words},
		{"functions", repeat("f(function()end)", 2001), "more than 2,000 functions"},
		{"labels", series(501, func(i int) string { return fmt.Sprintf("::a%d::", i) }), "more than 1,000 goto and labels"},
		{"goto", repeat("goto a ", 1001) + "::a::", "more than 1,000 goto and labels"},
		{"constants", series(20_000, func(i int) string { return fmt.Sprintf("x = %d\n", i) }), complex},
		{"names", series(20_000, func(i int) string { return fmt.Sprintf("x%d()\n", i) }), complex},
		{"constants that folding makes", repeat("x = 0/0 ", 15_000), complex},
		{"sums", repeat("x = a"+repeat("+a", 450)+" ", 90), complex},
		{"locals in sight", repeat("f(function() local "+repeat("a,", 190)+"a ", 120) + repeat("x()", 12_000) + repeat("end) ", 120), complex},
		{"locals of outer functions", "local " + series(150, func(i int) string { return fmt.Sprintf("a%d,", i) }) + "z\nfunction f() return " + series(150, func(i int) string { return fmt.Sprintf("a%d,", i) }) + "z end", "a.lua:2: a function uses more than 100 locals of the functions around it"},
		{"targets", repeat("a,", 60) + "a = f()", "an assignment has more than 60 targets"},
		{"items", "x = {" + repeat("1,", 25_001) + "}", "a table has more than 25,000 items"},
		{"instructions", "local f\n" + repeat("f''", 49_000), "a function is too long: it has more than 100,000 instructions"},
		{"a number", "\nx = 1" + repeat("0", 400), "a.lua:2: malformed or too large number near \"1000"},
		{"half a number", "x = 1e ", "malformed or too large number near \"1e \""},
		{"a large token", "x = = '" + repeat("y", 1000) + "'", "syntax error near \"=\""},
		{"a large broken token", "x = [[" + repeat("y", 1000), "the file ends too early"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, err := compile.Script("a.lua", tt.source)
			if err == nil {
				t.Fatalf("%v compiles", p)
			}
			wantError(t, hooks.AsError(err, ""), hooks.KindLoad, tt.want)
			if len(err.Error()) > 600 {
				t.Errorf("the error has %d bytes", len(err.Error()))
			}
		})
	}
}

func TestSourcesAsPeopleWriteThemCompile(t *testing.T) {
	repeat := strings.Repeat
	for name, source := range map[string]string{
		"150 alternatives":       "x = a == 0" + series(149, func(i int) string { return fmt.Sprintf(" or a == %d", i) }),
		"400 alternatives":       "x = a" + repeat(" or a", 399),
		"150 cases":              "if a == 0 then b() " + series(149, func(i int) string { return fmt.Sprintf("elseif a == %d then b() ", i) }) + "else c() end",
		"a text of 150 lines":    "x = 'a\\n'" + repeat("..\n'a\\n'", 149),
		"a list of 5,000 words":  "x = {" + series(5000, func(i int) string { return fmt.Sprintf("'word%d',\n", i) }) + "}",
		"a set of 5,000 words":   "x = {" + series(5000, func(i int) string { return fmt.Sprintf("['word %d'] = true,\n", i) }) + "}",
		"a matrix":               "x = {" + repeat("{"+repeat("1,", 20)+"},\n", 1000) + "}",
		"blocks in blocks":       repeat("if a then ", 100) + "b()" + repeat(" end", 100),
		"functions in functions": repeat("f(function() ", 100) + "b()" + repeat(" end)", 100),
		"brackets in brackets":   "x = " + repeat("(", 200) + "1" + repeat(")", 200),
		"60 locals from outside": "local " + series(60, func(i int) string { return fmt.Sprintf("a%d,", i) }) + "z\nfunction f() return " + series(60, func(i int) string { return fmt.Sprintf("a%d,", i) }) + "z end",
		"locals of other blocks": series(150, func(i int) string { return fmt.Sprintf("do local a%d end ", i) }) + "function f() return " + series(150, func(i int) string { return fmt.Sprintf("a%d,", i) }) + "1 end",
		"locals of functions":    series(150, func(i int) string { return fmt.Sprintf("f(function() local a%d end) ", i) }) + "function f() return " + series(150, func(i int) string { return fmt.Sprintf("a%d,", i) }) + "1 end",
		"a policy":               policy(5000),
	} {
		p, err := compile.Script("a.lua", source)
		if err != nil || p.Name() != "a.lua" {
			t.Errorf("%s (%d bytes): %v", name, len(source), err)
		}
	}
	if n := len(policy(5000)); n < 200_000 {
		t.Errorf("the policy has %d bytes only", n)
	}
}

// policy is a script of about so many lines.
func policy(lines int) string {
	const rule = `local denied_%[1]d = { "rm -rf /srv/%[1]d", "mkfs /dev/sd%[1]d", "git push origin main:%[1]d" }
local seen_%[1]d = {}
-- Rule %[1]d keeps the agent away from what it has no business with.
on("pre_tool_call", { match = "bash", name = "rule-%[1]d", priority = %[1]d, timeout = "200ms" }, function(ev)
  for i, cmd in ipairs(shell.parse(ev.tool_call.command).commands) do
    seen_%[1]d[cmd.name] = (seen_%[1]d[cmd.name] or 0) + i
    if cmd.name == "kubectl" and cmd:flag("--context") == "prod-%[1]d" then
      return deny("rule %[1]d: no kubectl against " .. cmd:flag("--context") .. ", call " .. i)
    elseif cmd.name == "git" and (cmd.args[1] == "push" or cmd.args[1] == "reset") then
      return ask("rule " .. %[1]d .. ": " .. cmd.name .. " " .. table.concat(cmd.args, " "))
    end
    for _, text in ipairs(denied_%[1]d) do
      if ev.tool_call.command:find(text, 1, true) and not ev.tool_call.command:match("^%%s*echo%%s") then
        return deny(("rule %[1]d: %%s is denied"):format(text))
      end
    end
  end
end)

`
	var b strings.Builder
	for i := 0; strings.Count(b.String(), "\n") < lines; i++ {
		b.WriteString("do\n")
		fmt.Fprintf(&b, rule, i)
		b.WriteString("end\n")
	}
	return b.String()
}

func BenchmarkCompilePolicy(b *testing.B) {
	source := policy(5000)
	b.SetBytes(int64(len(source)))
	for b.Loop() {
		if _, err := compile.Script("a.lua", source); err != nil {
			b.Fatal(err)
		}
	}
}
