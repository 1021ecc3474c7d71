//go:build unix

package lib

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// TestFilesThatBlock meets a FIFO and a socket: nothing waits for who is at the other
// end.
func TestFilesThatBlock(t *testing.T) {
	root := folder(t)
	if err := syscall.Mkfifo(filepath.Join(root, "fifo"), 0o644); err != nil {
		t.Skip("no FIFOs: ", err)
	}
	scripts := []script{
		{"read", `local text, problem = fs.read("fifo") same(text, nil) same(problem, "fifo: it is not a regular file")`, ""},
		{"stat", `same(fs.stat("fifo").type, "other")`, ""},
		{"list", `local list, problem = fs.list("fifo") same(list, nil) same(problem, "fifo: it is no folder")`, ""},
		{"write", `local ok, problem = fs.write("fifo", "x") same(ok, nil) same(problem, "fifo: it is not a regular file")`, ""},
		{"append", `local ok, problem = fs.append("fifo", "x") same(ok, nil) same(problem, "fifo: it is not a regular file")`, ""},
		{"remove", `local ok, problem = fs.remove("fifo") same(ok, nil) same(problem, "fifo: it is no file, link or folder")`, ""},
	}
	if l, err := net.Listen("unix", filepath.Join(root, "s")); err == nil { // its path may be too long
		defer func() { _ = l.Close() }()
		scripts = append(scripts, script{"socket", `same(fs.read("s"), nil) same(fs.stat("s").type, "other")`, ""})
	}
	checkIn(t, root, hooks.Grants{FSRead: true, FSWrite: true}, scripts)
}

// TestModes looks at the modes of files that scripts make.
func TestModes(t *testing.T) {
	root := folder(t)
	old := syscall.Umask(0o027)
	defer syscall.Umask(old)
	files(t, root, map[string]string{"private": "", "wide": ""})
	for name, mode := range map[string]os.FileMode{"private": 0o600, "wide": 0o666 | os.ModeSetuid} {
		if err := os.Chmod(filepath.Join(root, name), mode); err != nil {
			t.Fatal(err)
		}
	}
	checkIn(t, root, mayWrite, []script{
		{"write", `assert(fs.write("new", "") and fs.write("private", "x") and fs.write("wide", "x") and fs.append("log", "") and fs.mkdir("sub"))`, ""},
	})
	for name, want := range map[string]os.FileMode{"new": 0o640, "private": 0o600, "wide": 0o666, "log": 0o640, "sub": 0o750 | os.ModeDir} {
		info, err := os.Stat(filepath.Join(root, name))
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v, want %v", name, info.Mode(), err, want)
		}
	}
}

// TestRaces exchanges a folder for a link that leads out, or to .hooks, again and
// again, while scripts read and write there.
func TestRaces(t *testing.T) {
	outside := folder(t)
	files(t, outside, map[string]string{"x": "secret"})
	root := folder(t)
	files(t, root, map[string]string{"dir/x": "fine", ".hooks/x": "hook"})
	link(t, outside, filepath.Join(root, "evil"))
	link(t, ".hooks", filepath.Join(root, "sly"))
	ctx, cancel := context.WithCancel(context.Background())
	var group sync.WaitGroup
	group.Go(func() {
		at := func(name string) string { return filepath.Join(root, name) }
		for i := 0; ctx.Err() == nil; i++ {
			bad := at([]string{"evil", "sly"}[i%2])
			_ = os.Rename(at("dir"), at("kept"))
			_ = os.Rename(bad, at("dir"))
			_ = os.Rename(at("dir"), bad)
			_ = os.Rename(at("kept"), at("dir"))
		}
	})
	err := runWith(t, luabind.Environment{Modules: Modules(), Root: root, Grants: hooks.Grants{FSRead: true, FSWrite: true}, Limits: luabind.Limits{Instructions: 1 << 50, Memory: 1 << 30, Timeout: time.Minute}}, `
		for i = 1, 1000 do
			local ok, got = pcall(fs.read, "dir/x")
			assert(not ok or got == nil or got == "fine" or got == "hook" or got == "written", got)
			pcall(fs.write, "dir/x", "written")
			pcall(fs.append, "dir/y", "written")
			pcall(fs.remove, "dir/y")
		end`)
	cancel()
	group.Wait()
	if err != nil {
		t.Error(err)
	}
	for file, want := range map[string]string{filepath.Join(outside, "x"): "secret", filepath.Join(root, ".hooks/x"): "hook"} {
		if got := read(t, file); got != want {
			t.Errorf("%s holds %q", file, got)
		}
	}
	for _, dir := range []string{outside, filepath.Join(root, ".hooks")} {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 {
			t.Errorf("%s holds %v %v", dir, entries, err)
		}
	}
}

// TestSlowFileSystem blocks a call in the file system: the run ends at its time.
func TestSlowFileSystem(t *testing.T) {
	root := folder(t)
	stragglers := luabind.NewStragglers(4)
	release := make(chan struct{})
	slow := module("slow", "", function{"down", "()", "", "", func(c call) int {
		_, _ = inProject(c, rootPlace, func(context.Context, *os.Root, string) (int, error) {
			<-release
			return 0, nil
		})
		return 0
	}})
	err := runWith(t, luabind.Environment{Modules: append(Modules(), slow), Root: root, Stragglers: stragglers, Limits: luabind.Limits{Timeout: 100 * time.Millisecond}}, `pcall(slow.down)`)
	if err == nil || !strings.Contains(err.Error(), "slow.down had not come back") {
		t.Errorf("got %v", err)
	}
	close(release)
	if err := stragglers.Drain(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestExchangedMeanwhile gives the functions that do the work another file than the
// one that was looked at before.
func TestExchangedMeanwhile(t *testing.T) {
	dir := folder(t)
	files(t, dir, map[string]string{"a": "aaaa", "b": "bbbb", "sub/x": ""})
	if err := syscall.Mkfifo(filepath.Join(dir, "fifo"), 0o644); err != nil {
		t.Skip("no FIFOs: ", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = root.Close() }()
	_, err = readBelow(t.Context(), root, "fifo", 10, 10)
	wantError(t, err, "not a regular file")
	_, err = readBelow(t.Context(), root, "a", 3, 10)
	wantError(t, err, "it grew while it was read")
	_, err = readBelow(t.Context(), root, "a", 3, 3)
	wantError(t, err, "it has 4 bytes")
	if text, err := readBelow(t.Context(), root, "a", 8, 10); err != nil || text != "aaaa" {
		t.Errorf("a shorter one: %q %v", text, err)
	}
	before, err := root.Stat("a")
	if err != nil {
		t.Fatal(err)
	}
	f, err := root.OpenFile("b", os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	wantError(t, appendTo(f, before, "x"), "it was exchanged meanwhile")
	if got := read(t, filepath.Join(dir, "b")); got != "bbbb" {
		t.Errorf("b holds %q", got)
	}
}
