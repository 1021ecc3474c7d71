package builtins_test

import "testing"

// If the user keeps luahook's configuration and state elsewhere, they are guarded there, and so are the folders
// that contain them.
func TestGuardsOwnFolders(t *testing.T) {
	t.Setenv("HOME", "/home/kim")
	t.Setenv("XDG_CONFIG_HOME", "/home/kim/conf")
	t.Setenv("XDG_STATE_HOME", "/home/kim/kept")
	e := guardWith(t, map[string]any{"level": "audit"}) // which spares class self alone
	for command, want := range map[string]string{
		"echo x > ~/conf/luahook/hooks.yaml":     "self.hooks",
		"rm ~/kept/luahook/trust.json":           "self.hooks",
		"cp a.lua /home/kim/conf/luahook/":       "self.hooks",
		"rm -rf ~/conf":                          "self.hooks",
		"mv /home/kim/kept /tmp/kept":            "self.hooks",
		"rm -rf /home/kim":                       "self.hooks",
		"cat ~/conf/luahook/hooks.yaml":          "",
		"echo x > ~/conf/other/settings.txt":     "",
		"rm -rf ~/other":                         "",
		"echo x > ~/conf/luahooks/settings.yaml": "",
	} {
		if got, r := verdictOf(t, e, command); got != want {
			t.Errorf("%s: stopped by %q, want %q: %s", command, got, want, r.Reason)
		}
	}
}

// What touches the guard itself is found behind what is denied already, and where the user allows the program:
// nothing lifts it.
func TestGuardsItselfWhateverElseIsFound(t *testing.T) {
	for _, c := range []struct {
		with          map[string]any
		command, want string
	}{
		{nil, "git reset --hard; luahook trust", "self.admin"},
		{nil, "mkfs.ext4 /dev/sda && pkill luahook", "self.stop"},
		{nil, "rm -rf /usr .hooks", "deletion.system"},
		{map[string]any{"level": "audit"}, "rm -rf /usr", ""}, // which spares class self alone
		{map[string]any{"level": "audit"}, "rm -rf /usr .hooks", "self.hooks"},
		{map[string]any{"level": "audit"}, "rm -rf /usr; rm -rf .hooks", "self.hooks"},
		{map[string]any{"allow": []any{"rm *"}}, "rm -rf /usr", ""},
		{map[string]any{"allow": []any{"rm *"}}, "rm -rf .hooks", "self.hooks"},
	} {
		// A guard of its own, which has read no rules so far.
		if got, r := verdictOf(t, guardWith(t, c.with), c.command); got != c.want {
			t.Errorf("%s with %v: stopped by %q, want %q: %s", c.command, c.with, got, c.want, r.Reason)
		}
	}
}
