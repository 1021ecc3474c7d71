package builtins_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestIndex compares safety-guard's index.lua with its rules; `go test ./builtins -update` writes it. A rule
// that isn't in it would never be applied.
func TestIndex(t *testing.T) {
	const file = "safety-guard/index.lua"
	rules := readRules(t)
	for _, r := range rules {
		for _, tag := range r.Tags {
			if need, ok := strings.CutPrefix(tag, "needs:"); ok && !slices.Contains(needs, need) {
				t.Errorf("%s needs %q, which judge.lua doesn't look for", r.ID, need)
			}
		}
	}
	want := index(rules)
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the rules say; run `go test ./builtins -update`", file)
	}
}

// needs are the tags other than names by which judge.lua finds rules.
var needs = []string{"multiplies", "decoded", "remote", "blank", "tool", "hands_on", "stores"}

func index(rules []rule) string {
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
	b.WriteString("-- Made from the rules by `go test ./builtins -update`: which files have rules for what (see\n" +
		"-- rulebook.tags), so that only those are loaded that a call needs; strict has what the level\n" +
		"-- adds, always what is on in packs that are off, ids the rules of each file. What few sessions need is behind functions.\n\nreturn {\n  core = {\n")
	entries := func(indent string, files []string, value func(file string) string) {
		for _, file := range files {
			fmt.Fprintf(&b, "%s[%q] = %q,\n", indent, file, value(file))
		}
	}
	entries("    ", core, standard)
	b.WriteString("  },\n")
	b.WriteString("  always = {\n")
	for _, file := range packs {
		if len(tags[file][2]) > 0 {
			fmt.Fprintf(&b, "    [%q] = %q,\n", file, " "+strings.Join(tags[file][2], " ")+" ")
		}
	}
	b.WriteString("  },\n")
	behind := func(name string, files []string, value func(file string) string) {
		fmt.Fprintf(&b, "  %s = function()\n    return {\n", name)
		entries("      ", files, value)
		b.WriteString("    }\n  end,\n")
	}
	behind("packs", packs, standard)
	behind("strict", files, strict)
	behind("ids", files, func(file string) string { return strings.Join(ids[file], " ") })
	return b.String() + "}\n"
}
