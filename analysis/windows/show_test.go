package windows

import (
	"fmt"
	"os"
	"testing"
)

func TestShow(t *testing.T) {
	text := os.Getenv("PS")
	if text == "" {
		t.Skip()
	}
	p := PowerShell(text, Options{})
	if os.Getenv("CMD") != "" {
		p = Batch(text, Options{})
	}
	fmt.Println("err:", p.Err, p.TooComplex)
	for _, c := range p.Calls {
		fmt.Printf("%s %q via=%q ctx=%s params=%v dirs=%v\n", c.Name, words(c.Words), c.Via, c.Context, c.Parameters, c.Dirs)
		for _, a := range c.Acts {
			fmt.Printf("   act %q file=%v add=%v text=%v code=%v via=%s\n", words(a.Words), a.File, a.Add, a.Text, a.Code, a.Via)
		}
	}
}

func words(list []Word) (texts []string) {
	for _, w := range list {
		s := w.Text
		if w.Dynamic {
			s += "|dyn"
		}
		texts = append(texts, s)
	}
	return texts
}
