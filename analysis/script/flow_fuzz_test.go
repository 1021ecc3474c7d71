package script

import (
	"strings"
	"testing"
)

func FuzzJavaScript(f *testing.F) { fuzzCalls(f, JavaScript, javaScriptTests) }
func FuzzPerl(f *testing.F)       { fuzzCalls(f, Perl, perlTests) }
func FuzzRuby(f *testing.F)       { fuzzCalls(f, Ruby, rubyTests) }
func FuzzPHP(f *testing.F)        { fuzzCalls(f, PHP, phpTests) }

// fuzzCalls checks that no program makes read panic, and that what it finds
// is well formed and bounded.
func fuzzCalls(f *testing.F, read func(string) Program, seeds []callTest) {
	for _, seed := range seeds {
		f.Add(seed.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		program := read(text)
		if len(program.Calls) > maxCalls {
			t.Errorf("%d calls", len(program.Calls))
		}
		lines := strings.Count(text, "\n") + 1
		for _, call := range program.Calls {
			if len(call.Args) == 0 || call.Func == "" || call.Kind == "" {
				t.Errorf("a call without a name or arguments: %+v", call)
			}
			if call.Line < 1 || call.Line > lines {
				t.Errorf("line %d of %d", call.Line, lines)
			}
			for _, arg := range call.Args {
				if strings.Contains(arg.Text, homeMark) || arg.Rest && !arg.Dynamic {
					t.Errorf("%+v", arg)
				}
			}
		}
	})
}
