package lib_test

import (
	"slices"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/lib"
)

// TestNeeds: every function of the modules that reach outside needs a grant, and no other does.
func TestNeeds(t *testing.T) {
	outside := []string{"fs", "env", "git", "exec", "http", "tasks"}
	all := hooks.Grants{FSRead: true, FSWrite: true, Git: true, Tasks: true, Env: []string{"CI", "GITHUB_*"}, Exec: []string{"make"}, HTTP: []string{"*.example.com", "localhost:80"}}
	for _, m := range lib.Modules() {
		for _, f := range m.Functions {
			name := m.Name + "." + f.Name
			if need := lib.Needs(hooks.Grants{}, name, ""); (need != "") != slices.Contains(outside, m.Name) {
				t.Errorf("%s needs %q", name, need)
			}
			if need := lib.Needs(all, name, ""); need != "" {
				t.Errorf("%s needs %q beside all", name, need)
			}
		}
	}
	for _, c := range []struct{ function, argument, want string }{
		{"env.get", "CI", ""}, {"env.get", "GITHUB_REF", ""}, {"env.get", "GITHUB_TOKEN", "env: [GITHUB_TOKEN]"}, {"env.get", "HOME", "env: [HOME]"},
		{"exec.run", "make", ""}, {"exec.run", "git", "exec: [git]"},
		{"http.get", "https://a.example.com/x", ""}, {"http.get", "https://example.com", "http: [example.com]"}, {"http.get", "https://a.example.com:8443", "http: [a.example.com:8443]"}, {"http.get", "no url", ""},
		{"fs.write", "a", ""}, {"spill", "a", ""}, {"json.encode", "a", ""},
	} {
		if need := lib.Needs(all, c.function, c.argument); need != c.want {
			t.Errorf("%s(%q) needs %q, want %q", c.function, c.argument, need, c.want)
		}
	}
}
