package script

import "testing"

// fuzz checks that read never panics and stays within bounds.
func fuzz(f *testing.F, read func(string) Program, cases []programCase) {
	for _, c := range cases {
		f.Add(c.source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		p := read(source)
		if len(p.Calls) > maxCalls {
			t.Errorf("%d calls", len(p.Calls))
		}
		size := 0
		for _, call := range p.Calls {
			if call.Func == "" || call.Kind == "" || len(call.Args) == 0 || call.Line < 1 {
				t.Errorf("call %+v", call)
			}
			for _, arg := range call.Args {
				size += len(arg.Text)
			}
		}
		if size > 100*maxSource {
			t.Errorf("%d bytes of arguments", size)
		}
	})
}

func FuzzPython(f *testing.F) { fuzz(f, Python, pythonCases) }
func FuzzAwk(f *testing.F)    { fuzz(f, Awk, awkCases) }
