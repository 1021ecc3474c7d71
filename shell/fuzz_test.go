package shell

import (
	"slices"
	"testing"
)

func FuzzParse(f *testing.F) {
	for _, c := range parseCases {
		f.Add(c.text)
	}
	for _, c := range wrapperCases {
		f.Add(c.text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, c := range Parse(text, Options{}).Commands {
			c.Flag("-f", "--force", "-delete")
			if c.NameDynamic && c.Name != "" {
				t.Errorf("dynamic %q", c.Name)
			}
			c.Subcommand()
		}
		words, err := Split(text)
		if err != nil {
			words = []string{text}
		}
		if back, err := Split(Quote(words...)); err != nil || !slices.Equal(back, words) {
			t.Errorf("Split(Quote(%q)) = %q, %v", words, back, err)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for name, text := range map[string]string{
		"plain":   "git status --short",
		"typical": `cd /work && go test ./... 2>&1 | tee "$LOG" | tail -n 20`,
		"nested":  `sudo bash -c 'find /tmp -name "*.o" -exec rm -f {} \;'`,
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(text, Options{})
			}
		})
	}
}
