package builtins_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestIndex compares safety-guard's index.lua and index_more.lua with its rules; `go test ./builtins -update` writes them.
// A rule that isn't in them would never be applied.
func TestIndex(t *testing.T) {
	rules := readRules(t)
	for _, r := range rules {
		for _, tag := range r.Tags {
			if need, ok := strings.CutPrefix(tag, "needs:"); ok && !slices.Contains(needs, need) {
				t.Errorf("%s needs %q, which judge.lua doesn't look for", r.ID, need)
			}
			if _, condition, ok := strings.Cut(tag, "/"); ok && !slices.Contains(conditions, condition) {
				t.Errorf("%s asks for %q, which the index doesn't look for", r.ID, condition)
			}
			if kind, ok := strings.CutPrefix(tag, "on:"); ok && !slices.Contains(kinds, kind) {
				t.Errorf("%s is on %q, which judge.lua doesn't look for", r.ID, kind)
			}
		}
	}
	first, more := index(rules)
	for file, want := range map[string]string{"safety-guard/index.lua": first, "safety-guard/index_more.lua": more} {
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%s is not what the rules say; run `go test ./builtins -update`", file)
		}
	}
}

// TestEverydayCommandsLoadNoPack: a new process would pay for each file of rules that is loaded for nothing.
func TestEverydayCommandsLoadNoPack(t *testing.T) {
	everyday := []string{"git", "npm", "npx", "node", "python", "python3", "go", "make", "ls", "cat", "head", "tail", "grep", "rg", "find", "sed", "echo", "cd", "mkdir", "rm", "cp", "mv"}
	for _, r := range readRules(t) {
		for _, tag := range r.Always {
			if slices.Contains(everyday, tag) || strings.HasPrefix(tag, "on:") {
				t.Errorf("%s has every %q load %s though its pack is off", r.ID, tag, r.File)
			}
		}
	}
}

// needs are the tags other than names by which judge.lua finds rules.
var needs = []string{"multiplies", "decoded", "remote", "blank", "tool", "luahook", "endless", "committed", "hands_on", "stores"}

// conditions are what the programs of rules must have besides their names.
var conditions = []string{"told", "fed", "script", "sends", "module", "links", "address", "share", "run", "pushed", "loses", "unhooked"}

// kinds are what rules are on, other than commands of some name.
var kinds = []string{"file", "reading", "device", "redirected", "written", "tool", "statement", "line", "call", "command"}

// index returns what index.lua has to be, and index_more.lua.
func index(rules []rule) (first, more string) {
	var files []string
	tags := map[string][3][]string{} // by file: of rules in each level, of those in strict alone, of those that are always on
	ids := map[string][]string{}
	for _, r := range rules {
		if !slices.Contains(files, r.File) {
			files = append(files, r.File)
		}
		of, level := tags[r.File], 0
		if r.Level == "strict" {
			level = 1
		}
		for _, tag := range r.Tags {
			if !slices.Contains(of[level], tag) {
				of[level] = append(of[level], tag)
			}
		}
		for _, tag := range r.Always {
			if !slices.Contains(of[2], tag) {
				of[2] = append(of[2], tag)
			}
		}
		tags[r.File] = of
		ids[r.File] = append(ids[r.File], r.ID)
	}
	for _, of := range tags {
		slices.Sort(of[0])
		slices.Sort(of[1])
		slices.Sort(of[2])
	}
	core, packs := files, []string(nil)
	if i := slices.IndexFunc(files, func(file string) bool { return !strings.HasPrefix(file, "rules.") }); i >= 0 {
		core, packs = files[:i], files[i:]
	}
	standard := func(file string) string { return " " + strings.Join(tags[file][0], " ") + " " }
	strict := func(file string) string { return " " + strings.Join(tags[file][1], " ") + " " }
	var b strings.Builder
	entries := func(name string, files []string, value func(file string) string) {
		fmt.Fprintf(&b, "  %s = {\n", name)
		for _, file := range files {
			if words := value(file); words != "" {
				fmt.Fprintf(&b, "    [%q] = %q,\n", file, words)
			}
		}
		b.WriteString("  },\n")
	}
	b.WriteString("-- Made from the rules by `go test ./builtins -update`: which files have rules for what (see rulebook.tags), so that\n" +
		"-- only those are loaded that a call needs; always has what is on in packs that are off.\n\nreturn {\n")
	entries("core", core, standard)
	entries("always", packs, func(file string) string {
		if len(tags[file][2]) == 0 {
			return ""
		}
		return " " + strings.Join(tags[file][2], " ") + " "
	})
	first = b.String() + "}\n"
	b.Reset()
	b.WriteString("-- Made from the rules by `go test ./builtins -update`: the part of index.lua that few sessions need. strict has what the\n" +
		"-- level adds, ids the rules of each file.\n\nreturn {\n")
	entries("packs", packs, standard)
	entries("strict", files, strict)
	entries("ids", files, func(file string) string { return strings.Join(ids[file], " ") })
	return first, b.String() + "}\n"
}
