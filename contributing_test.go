package luahook_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestAddingAnEvent follows CONTRIBUTING to the letter in a copy of the sources: a
// constant and a row in hooks/event.go, a file in testdata/events/, then go test -update.
// The event has a required field of its own, as any event may.
func TestAddingAnEvent(t *testing.T) {
	if os.Getenv("LUAHOOK_NIGHTLY") == "" {
		t.Skip("builds everything anew, for half a minute; set LUAHOOK_NIGHTLY=1")
	}
	root := t.TempDir()
	copySources(t, root)
	insert(t, filepath.Join(root, "hooks", "event.go"),
		"\tGatewayStop       Event = \"gateway_stop\"\n", "\tPreDeploy         Event = \"pre_deploy\"\n",
		"{Name: GatewayStop,", `{Name: PreDeploy, Aliases: []string{"BeforeDeploy"}, Help: "a release is about to be rolled out",
		Blocking: BlockAction, OnFailure: Block, MatchOn: "target", Fields: []Field{required("target", String, "where to", `+"`\"production\"`"+`), title}, Modify: []string{"title"}},
	{Name: GatewayStop,`)
	write(t, filepath.Join(root, "testdata", "events", "pre_deploy.json"), `{
  "event": "pre_deploy",
  "target": "production",
  "title": "v2.1"
}
`)
	home := t.TempDir()
	run := func(wantCode int, stdin string, args ...string) string {
		t.Helper()
		c := exec.Command(args[0], args[1:]...)
		c.Dir, c.Stdin = root, strings.NewReader(stdin)
		c.Env = append(os.Environ(), "LUAHOOK_NIGHTLY=")
		if args[0] != "go" { // whose tests of the cookbook need a home that isn't temporary
			c.Env = append(c.Env, "HOME="+home)
		}
		out, err := c.CombinedOutput()
		if c.ProcessState == nil || c.ProcessState.ExitCode() != wantCode {
			t.Fatalf("%v: %v\n%s", args, err, out)
		}
		return string(out)
	}
	run(0, "", "go", "test", ".", "./engine/config", "-update")
	run(0, "", "go", "test", ".", "./hooks", "./engine/config")
	run(0, "", "go", "build", "-o", "luahook", "./cmd/luahook")
	if out := run(0, "", "./luahook", "events", "BeforeDeploy"); !strings.Contains(out, "pre_deploy") || !strings.Contains(out, "target") {
		t.Errorf("luahook events: %s", out)
	}
	write(t, filepath.Join(root, ".hooks", "freeze.lua"), `on("pre_deploy", {match="production"}, function(ev) return deny("no " .. ev.title .. " on " .. ev.target) end)`)
	run(0, "", "./luahook", "trust", "--yes")
	if out := run(2, `{"target":"production","title":"v2.1"}`, "./luahook", "eval", "pre_deploy"); !strings.Contains(out, "no v2.1 on production") {
		t.Errorf("luahook eval: %s", out)
	}
	if out := run(2, `{"title":"v2.1"}`, "./luahook", "eval", "pre_deploy"); !strings.Contains(out, "event: target: missing; pre_deploy needs it") {
		t.Errorf("luahook eval without the field: %s", out)
	}
}

// copySources copies the module into a folder.
func copySources(t *testing.T, to string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "bench"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		case !d.Type().IsRegular():
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, info.Mode())
	})
	if err != nil {
		t.Fatal(err)
	}
}

// insert puts text before pieces of a file, which has each once. pairs are a piece and what
// takes its place, or stands behind it where it is a whole line.
func insert(t *testing.T, file string, pairs ...string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s := string(text)
	for i := 0; i < len(pairs); i += 2 {
		piece, with := pairs[i], pairs[i+1]
		if strings.Count(s, piece) != 1 {
			t.Fatalf("%s has %d times, not once: %s", file, strings.Count(s, piece), piece)
		}
		if strings.HasSuffix(piece, "\n") {
			with = piece + with
		}
		s = strings.Replace(s, piece, with, 1)
	}
	write(t, file, s)
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
