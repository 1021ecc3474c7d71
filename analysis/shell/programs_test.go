package shell

import (
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// programNames returns the names of the programs of which options are known.
func programNames(t *testing.T) []string {
	t.Helper()
	var names []string
	for _, name := range programs.Names() {
		if grammarOf(name) != nil {
			names = append(names, name)
		}
	}
	if len(names) < 400 {
		t.Fatalf("options of %d programs are known", len(names))
	}
	slices.Sort(names)
	return names
}

// TestFunctionsOfStanzas checks that the functions which stanzas name exist.
func TestFunctionsOfStanzas(t *testing.T) {
	for _, name := range programs.Names() {
		p := programs.Of(name)
		if p.Paths != nil && p.Paths.By != "" && pathFunction(p.Paths.By) == nil {
			t.Errorf("%s: pathFunction has no %s", name, p.Paths.By)
		}
		if p.Runs != nil && p.Runs.By != "" && runFunction(p.Runs.By) == nil {
			t.Errorf("%s: runFunction has no %s", name, p.Runs.By)
		}
		if !wordlist.Has("postgres mysql sqlite sqlcmd sqlplus sql mongo script lines shell verbs", p.Client) && p.Client != "" {
			t.Errorf("%s: no client is called %s", name, p.Client)
		}
		if i := p.Interprets; i != nil && i.Verbs == "" && !i.Tool && !wordlist.Has("applescript awk javascript lua perl php python ruby", i.Language) {
			t.Errorf("%s: no language is called %s", name, i.Language)
		}
	}
}

// TestOptionsOfStanzas checks that the options of which a stanza says something
// are among those that it lists, where it lists all.
func TestOptionsOfStanzas(t *testing.T) {
	for _, name := range programs.Names() {
		p := programs.Of(name)
		check := func(options *programs.Options, lists ...string) {
			if g := (*grammar)(options); g != nil && g.Closed && !g.Whole {
				for option := range strings.FieldsSeq(strings.Join(lists, " ")) {
					kind := g.letter(option[len(option)-1])
					if long, ok := strings.CutPrefix(option, "--"); ok && long != "" {
						kind, _ = g.word(long)
					}
					if kind == unknown && option != "*" && option != "-" && option != "--" {
						t.Errorf("%s has no option %s", name, option)
					}
				}
			}
		}
		if u := p.Paths; u != nil {
			check(p.Options, u.Unless, u.Into, u.Reads, u.Writes, u.With, u.Dry, u.Tree, u.Exact, u.Unpacks)
		}
		if p.Options != nil {
			check(p.Options, p.Starts, p.Output, p.OutputFolder)
		}
		if c := p.Calls; c != nil && p.Options != nil && c.Short+c.Long == "" {
			check(p.Options, c.Text, c.Program)
		}
		if r := p.Runs; r != nil {
			check(&r.Options, r.Stops, r.Text, r.Direct, r.Split, r.Program, r.Piped, r.Sets, r.Unsets, r.Clears, r.Chdir, r.Shell, r.RemoteBy)
		}
	}
}
