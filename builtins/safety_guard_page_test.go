package builtins_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/internal/prose"
)

var update = flag.Bool("update", false, "write docs/safety-guard-rules.md anew")

// TestPage compares docs/safety-guard-rules.md with the rules; `go test ./builtins -update` writes it.
func TestPage(t *testing.T) {
	const file = "../docs/safety-guard-rules.md"
	want := rulesPage(readRules(t))
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got, err := os.ReadFile(file); err != nil || string(got) != want {
		t.Errorf("%s is not what the rules say; run `go test ./builtins -update` (%v)", file, err)
	}
}

// The hooks.yaml that the page shows works unchanged.
func TestPageShowsWhatWorks(t *testing.T) {
	page, err := os.ReadFile("../docs/safety-guard.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(page), "```yaml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !ok || !closed {
		t.Fatal("the page shows no hooks.yaml")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "hooks.yaml"), []byte(example), 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(engine.WithUserDir(dir))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	if problems := e.LoadErrors(); len(problems) > 0 {
		t.Fatal(problems)
	}
	for command, want := range map[string]string{
		"git push --force origin feature/total": "",
		"git push --force origin main":          "git.push-force",
		"git branch -D topic":                   "",
		"rm -rf /srv/scratch/x":                 "",
		"rm web/yarn.lock":                      "files.protected",
		"kubectl delete namespace shop":         "kubernetes.delete-broad",
	} {
		if id, r := verdictOf(t, e, command); id != want {
			t.Errorf("%s: stopped by %q, want %q: %s", command, id, want, r.Reason)
		}
	}
}

func rulesPage(rules []rule) string {
	var b strings.Builder
	b.WriteString("# The rules of safety-guard\n\n" + prose.Wrap("`go test ./builtins -update` makes this page from the rules; [safety-guard.md](safety-guard.md) says how they work together. For each rule it says whether the rule denies or asks, what it looks at and why, with an example that it stops and a similar one that it leaves alone.", "") + "\n")
	var classes []string
	for _, r := range rules {
		if !slices.Contains(classes, r.Class) {
			classes = append(classes, r.Class)
		}
	}
	for _, class := range classes {
		first := rules[slices.IndexFunc(rules, func(r rule) bool { return r.Class == class })]
		fmt.Fprintf(&b, "\n## %s\n", first.Title)
		if first.Pack != "" {
			fmt.Fprintf(&b, "\nThe pack `%s`: off until `packs` names it, except for what is said to be asked about without it.\n", first.Pack)
		}
		for _, r := range rules {
			if r.Class == class {
				describe(&b, r)
			}
		}
	}
	return b.String()
}

func describe(b *strings.Builder, r rule) {
	verb := "denied"
	if r.Severity == "medium" {
		verb = "asked"
	}
	if len(r.Always) > 0 {
		verb += "; without the pack asked about, in part"
	}
	if r.Level == "strict" {
		verb += ", in strict only"
	}
	reason := strings.ReplaceAll(r.Reason, "{detail}", "...")
	fmt.Fprintf(b, "\n### %s\n\n%s\n\n", r.ID, prose.Wrap(fmt.Sprintf("%s (%s). Looks at %s. %s %s", verb, r.Severity, r.LooksAt, reason, r.Advice), ""))
	for _, item := range []string{"- stopped: " + code(r.Blocked[0]), "- left alone: " + code(r.Passes[0]), "- instead: " + code(r.Suggestion)} {
		b.WriteString(prose.Wrap(item, "  ") + "\n")
	}
}

// code returns a command as in the page: on one line.
func code(command string) string {
	command = strings.ReplaceAll(command, "\n", `\n`)
	if strings.Contains(command, "`") {
		return "`` " + command + " ``"
	}
	return "`" + command + "`"
}
