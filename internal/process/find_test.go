//go:build unix

package process_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/process"
)

func TestStartErrors(t *testing.T) {
	dir := t.TempDir()
	file(t, dir, "plain", "echo hi\n", 0o644)
	file(t, dir, "lost", "#!/no/such/interpreter -x\n", 0o755)
	file(t, dir, "windows", "#!/bin/sh\r\necho hi\r\n", 0o755)
	file(t, dir, "binary", "\x01\x02\x00\x03", 0o755)
	if err := os.MkdirAll(filepath.Join(dir, "folder"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		spec   process.Spec
		reason process.Reason
		parts  []string
	}{
		{"no name", process.Spec{}, process.NotFound, []string{"no name"}},
		{"unknown name", process.Spec{Path: "no-such-program"}, process.NotFound, []string{"no-such-program was not started", "PATH"}},
		{"unknown path", process.Spec{Path: "./nothing"}, process.NotFound, []string{filepath.Join(dir, "nothing")}},
		{"not executable", process.Spec{Path: "./plain"}, process.NotExecutable, []string{"chmod +x"}},
		{"not executable in PATH", process.Spec{Path: "plain", Env: []string{"PATH=" + dir}}, process.NotExecutable, []string{filepath.Join(dir, "plain"), "chmod +x"}},
		{"folder", process.Spec{Path: "./folder"}, process.NotExecutable, []string{"is a folder"}},
		{"no interpreter", process.Spec{Path: "./lost"}, process.NotFound, []string{"/no/such/interpreter", filepath.Join(dir, "lost")}},
		{"carriage return", process.Spec{Path: "./windows"}, process.NotFound, []string{"carriage return"}},
		{"no program", process.Spec{Path: "./binary"}, process.NotExecutable, []string{"is not a program"}},
		{"no folder", process.Spec{Path: "/bin/sh", Dir: filepath.Join(dir, "gone")}, process.NoDir, []string{filepath.Join(dir, "gone")}},
		{"file as folder", process.Spec{Path: "/bin/sh", Dir: filepath.Join(dir, "plain")}, process.NoDir, []string{"not a folder"}},
		{"relative folder", process.Spec{Path: "/bin/sh", Dir: "."}, process.NoDir, []string{"absolute"}},
		{"NUL in an argument", process.Spec{Path: "/bin/sh", Args: []string{"a\x00b"}}, process.Refused, nil},
		{"NUL in the name", process.Spec{Path: "a\x00b"}, process.NotFound, []string{"NUL"}},
		{"too long", process.Spec{Path: "/bin/sh", Args: []string{strings.Repeat("a", 16<<20)}}, process.Refused, []string{"longer"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := c.spec
			if s.Dir == "" {
				s.Dir = dir
			}
			_, err := process.Run(context.Background(), s)
			var start *process.StartError
			if !errors.As(err, &start) {
				t.Fatalf("got %v, want a StartError", err)
			}
			if start.Reason != c.reason || start.Program != s.Path {
				t.Errorf("got %q of %q, want %q: %v", start.Reason, start.Program, c.reason, err)
			}
			for _, part := range c.parts {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%q doesn't contain %q", err, part)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("%q has more than one line", err)
			}
		})
	}
	if _, err := process.Run(context.Background(), process.Spec{Path: "/bin/sh", Dir: filepath.Join(dir, "gone")}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v doesn't unwrap to the cause", err)
	}
}

// TestPathOfTheProgram: names are looked for in the program's own PATH, never in the
// current folder.
func TestPathOfTheProgram(t *testing.T) {
	here, there := t.TempDir(), t.TempDir()
	file(t, here, "tool", "#!/bin/sh\necho here\n", 0o755)
	t.Chdir(here)
	s := process.Spec{Path: "tool", Dir: here, MaxStdout: 100, MaxStderr: 100}
	for _, path := range []string{"", ".", ":", "." + string(filepath.ListSeparator) + there, "bin"} {
		s.Env = []string{"PATH=" + path}
		var start *process.StartError
		if _, err := process.Run(context.Background(), s); !errors.As(err, &start) || start.Reason != process.NotFound {
			t.Errorf("with PATH=%q: %v, want not found", path, err)
		}
	}
	file(t, there, "tool", "#!/bin/sh\necho there\n", 0o755)
	t.Setenv("PATH", here)
	s.Env = []string{"PATH=" + here, "PATH=" + there}
	if o := run(t, s); string(o.Stdout) != "there\n" {
		t.Errorf("got %q, want that of the last PATH", o.Stdout)
	}
	s.Env = nil
	s.Path = "sh"
	s.Args = []string{"-c", "echo default"}
	if o := run(t, s); string(o.Stdout) != "default\n" {
		t.Errorf("without a PATH: got %q", o.Stdout)
	}
}

func TestScriptWithoutInterpreterLine(t *testing.T) {
	dir := t.TempDir()
	file(t, dir, "hook", "echo \"$1 of $#\"\n", 0o755)
	o := run(t, process.Spec{Path: "./hook", Args: []string{"a b", "c"}, Dir: dir, MaxStdout: 100})
	if string(o.Stdout) != "a b of 2\n" {
		t.Errorf("got %q", o.Stdout)
	}
}
