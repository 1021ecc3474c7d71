package lib

import (
	"slices"
	"testing"
)

// TestTypesSayWhatScriptsGet holds the documented types against what the modules make.
func TestTypesSayWhatScriptsGet(t *testing.T) {
	parts := map[string]part{
		"ShellLine": linePart, "ShellWord": wordPart, "ShellAssignment": assignmentPart, "ShellRedirect": redirectPart, "ShellInput": inputPart,
		"ShellFile": filePart, "ShellMethod": methodPart, "ShellEarlier": earlierPart, "GitCommand": gitPart, "GitRefspec": refspecPart, "GitPush": pushPart, "GitSetting": settingPart, "Statement": statementPart,
	}
	names := map[string][]string{"Snippets": nil}
	for name, p := range parts {
		names[name] = append(slices.Clone(p.fields), p.optional...)
	}
	for _, f := range commandFields {
		names["ShellCommand"] = append(names["ShellCommand"], f.name)
	}
	for _, m := range commandMethodList {
		names["ShellCommand"] = append(names["ShellCommand"], m.name)
	}
	for _, o := range operations {
		names["Pattern"] = append(names["Pattern"], o.name)
	}
	documented := map[string]bool{}
	for _, ty := range Types() {
		documented[ty.Name] = true
		var got []string
		for _, f := range ty.Fields {
			if f.Help == "" || f.Type == "" {
				t.Errorf("%s.%s has no help or no type", ty.Name, f.Name)
			}
			p, isPart := parts[ty.Name]
			if optional := f.Type[len(f.Type)-1] == '?'; isPart && optional != slices.Contains(p.optional, f.Name) {
				t.Errorf("%s.%s: its type is %s, and a script may find nil there: %t", ty.Name, f.Name, f.Type, !optional)
			}
			got = append(got, f.Name)
		}
		want := slices.Compact(slices.Sorted(slices.Values(names[ty.Name])))
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s is documented with %q, scripts find %q", ty.Name, got, want)
		}
	}
	for name := range names {
		if !documented[name] {
			t.Errorf("%s isn't documented", name)
		}
	}
}
