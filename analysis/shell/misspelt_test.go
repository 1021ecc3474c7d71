package shell

import (
	"slices"
	"testing"
)

func TestMisspelt(t *testing.T) {
	for text, want := range map[string][]string{
		"parallel bash -c 'zap -f' ::: a":    {"parallel", "bash", "zap", "bash", "zap"},
		"ls | parallel bash -c 'zap -f {}'":  {"ls", "parallel", "bash", "", "zap", "bash", "zap"},
		"parallel -q bash -c 'zap -f' ::: a": {"parallel", "bash", "zap"},
		"parallel bash -c zap ::: a":         {"parallel", "bash", "zap"},
		"1A=2 zap -f":                        {"1A=2", "zap"},
		"A.b=2 zap":                          {"A.b=2", "zap"},
		"1A=2 B=3 zap":                       {"1A=2", "B=3", "zap"},
		"1A=2":                               {"1A=2"},
		"./a=b zap":                          {"a=b"},
		"command -pv zap -f":                 {"command", "zap"},
		"command -px zap -f":                 {"command", "zap"},
		"command -V -- zap -f":               {"command", "zap"},
		"command -p zap -f":                  {"command", "zap"},
		"command -v zap":                     {"command"},
		"command -v zap rip":                 {"command"},
		"command -v -- zap":                  {"command"},
	} {
		var got []string
		for _, c := range Parse(text, Options{}).Commands {
			got = append(got, c.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}
