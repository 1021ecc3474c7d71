package lib

import (
	"context"
	"crypto/x509"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// files writes files below a folder, by their paths with slashes.
func files(t testing.TB, dir string, texts map[string]string) {
	t.Helper()
	for name, text := range texts {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// folder is a new folder, without links in its path.
func folder(t testing.TB) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func read(t testing.TB, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// link makes a symbolic link, where the system lets us.
func link(t testing.TB, target, file string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, file); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("no links: ", err)
		}
		t.Fatal(err)
	}
}

// runIn loads a script that checks itself, with these grants in that project.
func runIn(t testing.TB, root string, grants hooks.Grants, lua string) error {
	t.Helper()
	return runWith(t, luabind.Environment{Modules: Modules(), Grants: grants, Root: root, Limits: wide}, lua)
}

func runWith(t testing.TB, env luabind.Environment, lua string) error {
	t.Helper()
	_, err := load(t, env, strings.ReplaceAll(prelude, "\n", " ")+lua)
	return err
}

// checkIn is runIn for scripts that must not fail, or fail with an error that contains
// want.
func checkIn(t *testing.T, root string, grants hooks.Grants, scripts []script) {
	t.Helper()
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			t.Helper()
			wantError(t, runIn(t, root, grants, s.lua), s.want)
		})
	}
}

// wantError wants no error where want is empty.
func wantError(t testing.TB, err error, want string) {
	t.Helper()
	switch {
	case err == nil && want != "":
		t.Errorf("no error, want %q", want)
	case err != nil && want == "":
		t.Error(err)
	case err != nil && !strings.Contains(err.Error(), want):
		t.Errorf("got error  %v\nwant error %s", err, want)
	}
}

// git runs git for a test, with a configuration of its own.
func git(t testing.TB, dir string, args ...string) string {
	t.Helper()
	program, err := exec.LookPath("git")
	if err != nil {
		t.Skip("there is no git here")
	}
	command := exec.Command(program, append([]string{"-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgSign=false", "-c", "protocol.file.allow=always"}, args...)...)
	command.Dir = dir
	command.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
	out, err := command.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// commitAll makes a repository of a folder, with one commit.
func commitAll(t testing.TB, dir string) {
	t.Helper()
	git(t, dir, "init", "--quiet", "-b", "main")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "--quiet", "-m", "first")
}

// exampleEnvironment is where the examples of a module run: a project, with all
// granted that they use.
func exampleEnvironment(t *testing.T, module string) luabind.Environment {
	t.Helper()
	root := folder(t)
	env := luabind.Environment{Modules: Modules(), Root: root, Limits: luabind.Limits{Timeout: time.Minute}, Services: &Services{Stores: newShelves()}, Grants: hooks.Grants{
		FSRead: true, FSWrite: true, Git: true, Env: []string{"CI_*"}, Exec: []string{"greet"}, HTTP: []string{"*.example.com"}, Tasks: true,
	}}
	files(t, root, map[string]string{"go.mod": "module example\n", "src/main.go": "package main\n", "src/lib/a.go": "package lib\n"})
	switch module {
	case "env":
		t.Setenv("CI_BRANCH", "main")
	case "git":
		commitAll(t, root)
		git(t, root, "remote", "add", "origin", "https://ada:secret@github.com/example/project.git")
		files(t, root, map[string]string{"notes.txt": "later\n"})
	case "exec":
		programs(t, map[string]string{"greet": `echo "$@"`})
	case "http":
		env.Modules = modules(exampleServer(t))
	case "tasks":
		env.Services = &Services{Tasks: &memoryTasks{}}
	}
	return env
}

// programs puts shell scripts into a folder that is all of PATH beside the system's.
func programs(t *testing.T, texts map[string]string) (dir string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the programs of this test are shell scripts")
	}
	dir = folder(t)
	for name, text := range texts {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return dir
}

// exampleServer is what the examples of http reach.
func exampleServer(t *testing.T) *sender {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch r.Method + " " + r.URL.Path {
		case "GET /freeze":
			w.Header().Set("Content-Type", "application/json")
			_, _ = fmt.Fprint(w, `{"freeze": false}`)
		case "POST /log":
			if string(body) == `{"tool":"bash"}` && r.Header.Get("Content-Type") == "application/json" {
				w.WriteHeader(http.StatusCreated)
			}
		case "DELETE /lock":
			w.WriteHeader(http.StatusNoContent)
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	t.Cleanup(server.Close)
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	return &sender{roots: roots, dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, server.Listener.Addr().String())
	}}
}

// TestNothingIsGranted calls each function without a grant, and with all others: it
// says what is missing, whatever the arguments.
func TestNothingIsGranted(t *testing.T) {
	all := func() hooks.Grants {
		return hooks.Grants{FSRead: true, FSWrite: true, Git: true, Env: []string{"*"}, Exec: []string{"a"}, HTTP: []string{"a"}, Tasks: true}
	}
	for _, m := range Modules() {
		without, key := all(), m.Name
		switch m.Name {
		case "git":
			without.Git = false
		case "env":
			without.Env = nil
		case "exec":
			without.Exec = nil
		case "http":
			without.HTTP = nil
		case "tasks":
			without.Tasks = false
		case "fs":
		default:
			continue
		}
		for _, f := range m.Functions {
			if m.Name == "fs" {
				without, key = all(), "fs.read"
				if without.FSRead = false; strings.Contains("write append mkdir remove", f.Name) {
					without, key = all(), "fs.write"
					without.FSWrite = false
				}
			}
			for name, grants := range map[string]hooks.Grants{"nothing": {}, "all others": without} {
				err := runIn(t, t.TempDir(), grants, m.Name+"."+f.Name+`("x", "y")`)
				want := m.Name + "." + f.Name + `: not granted; give this script "grant: {` + key + ": "
				if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), `in hooks.yaml (a project's grants count once it is trusted)`) {
					t.Errorf("%s.%s with %s granted: got %v, want %s", m.Name, f.Name, name, err, want)
				}
			}
		}
	}
}

// TestGrantsAreOfTheState runs the same modules in two states, of which one is granted
// something.
func TestGrantsAreOfTheState(t *testing.T) {
	root := folder(t)
	files(t, root, map[string]string{"a.txt": "a"})
	modules := Modules()
	const source = `local function try() local ok, e = pcall(fs.read, "a.txt") return tostring(ok) .. " " .. tostring(e) end
assert(#try() > 0)
on("notification", function() return message(try()) end)`
	var got []string
	for range 2 {
		for _, read := range []bool{true, false} {
			s, err := load(t, luabind.Environment{Modules: modules, Root: root, Grants: hooks.Grants{FSRead: read}}, source)
			if err != nil {
				t.Fatal(err)
			}
			c, err := (&hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": "x"}}).Complete()
			if err != nil {
				t.Fatal(err)
			}
			out := s.Call(context.Background(), 0, c, wide)
			if out.Err != nil {
				t.Fatal(out.Err)
			}
			got = append(got, cut(out.Result.SystemMessage, 12))
		}
	}
	if want := "true a|false fs.rea|true a|false fs.rea"; strings.Join(got, "|") != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// TestWithoutProject has no root.
func TestWithoutProject(t *testing.T) {
	grants := hooks.Grants{FSRead: true, FSWrite: true, Git: true, Exec: []string{"a"}}
	for _, call := range []string{`fs.read("a")`, `fs.list()`, `fs.glob("*")`, `fs.write("a", "")`, `git.branch()`, `git.status()`, `exec.run("a")`} {
		wantError(t, runIn(t, "", grants, call), "there is no project here")
	}
}
