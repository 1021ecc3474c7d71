package shell

import (
	"reflect"
	"strings"
	"testing"

	"mvdan.cc/sh/v3/syntax"
	"pgregory.net/rapid"
)

// TestPlainCommand asks for what the parser makes of commands that it isn't asked about.
func TestPlainCommand(t *testing.T) {
	for _, text := range []string{
		"ls", "ls -la", " ls  -la ", "git log --oneline -5", "go test ./...", "make CFLAGS=-O2 all", "echo if then done", "a+b", "2to3 x",
		"echo time", "env A=b c", "time-machine", "@test x", "kubectl get pods -l app=web,tier=a", "true", "test 1 = 2", "%1", "10 20",
		strings.Repeat("a ", 50_000), strings.Repeat("word", 20_000),
	} {
		if plainCommand(text) == nil {
			t.Errorf("%q: not read, but it's plain", text)
		}
		checkPlain(t, text)
	}
	for _, text := range []string{
		"", "  ", "A=b", "A=b ls", "A+=b", "time ls", "if", "for x in a", "done", "elif x", "declare a=b", "export A=b", "let a=b", "typeset -i x", "coproc ls",
		"ls;", "ls &", "a|b", "ls *", "echo $x", "echo 'a'", `a\b`, "# a", "a\nb", "a\tb", "a\r", "ä", "~/x", "{a,b}", "f()", "a>b", "[ a ]", "! a", "?", "`a`", "a\x00",
	} {
		if plainCommand(text) != nil {
			t.Errorf("%q: read as a plain command", text)
		}
	}
}

func FuzzPlainCommand(f *testing.F) {
	for seed := range 50 {
		f.Add(rapid.Custom(generateLine).Example(seed))
	}
	f.Add("declare -x A=b")
	f.Fuzz(checkPlain)
}

// checkPlain checks that a text which isn't given to the parser is read as the parser reads it.
func checkPlain(t *testing.T, text string) {
	t.Helper()
	got := plainCommand(text)
	if got == nil {
		return
	}
	want, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(text), "")
	if err != nil {
		t.Fatalf("%q: read as a plain command, but the parser says: %v", text, err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%q: %s, but the parser makes of it %s", text, shown(got), shown(want))
	}
}

// shown is a syntax tree as text.
func shown(file *syntax.File) string {
	var b strings.Builder
	_ = syntax.DebugPrint(&b, file) // a strings.Builder doesn't fail
	return b.String()
}
