package process_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/luahook/luahook/internal/process"
)

// help is what the test's program does where it is started as something else:
//
//	forget PROGRAM ARGS...: the program in a session of its own, without environment and files
//	comet FILE: a process that has another number each moment, and writes a byte for each; for 10 s
//	adopt SCRIPT...: runs scripts together, as a process that adopts orphans, until "ready"
//	is there; says of each whether all was ended
//	adopt-in-turn SCRIPT SCRIPT: the first to its end, then the second
//	run SCRIPT: runs a script to its end, and waits to be killed
func help() {
	if len(os.Args) < 3 {
		return
	}
	switch args := os.Args[2:]; os.Args[1] {
	case "forget":
		_, err := syscall.Setsid()
		null, opened := syscall.Open("/dev/null", syscall.O_RDWR, 0)
		if err = errors.Join(err, opened); err != nil {
			panic(err)
		}
		for fd := range 1024 {
			if fd < 3 {
				err = errors.Join(err, syscall.Dup2(null, fd))
			} else {
				syscall.CloseOnExec(fd)
			}
		}
		panic(errors.Join(err, syscall.Exec(args[0], args, nil)))
	case "comet":
		beat, err := os.OpenFile(args[0], os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err != nil {
			panic(err)
		}
		_, _ = beat.Write([]byte("x"))
		until := time.Now().Add(10 * time.Second).UnixMilli()
		if len(args) > 1 {
			until, _ = strconv.ParseInt(args[1], 10, 64)
		}
		if time.Now().UnixMilli() < until {
			next := &exec.Cmd{Path: "/proc/self/exe", Args: []string{"x", "comet", args[0], strconv.FormatInt(until, 10)}, Env: []string{}, SysProcAttr: &syscall.SysProcAttr{Setsid: true}}
			if err := next.Start(); err != nil {
				panic(err)
			}
		}
		os.Exit(0)
	case "adopt", "adopt-in-turn":
		if err := process.AdoptOrphans(); err != nil {
			panic(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		go func() {
			for {
				if _, err := os.Stat("ready"); err == nil {
					cancel()
					return
				}
				time.Sleep(time.Millisecond)
			}
		}()
		all := make([]bool, len(args))
		var runs sync.WaitGroup
		for i, text := range args {
			here, err := os.Getwd()
			if err != nil {
				panic(err)
			}
			runs.Go(func() {
				o, _ := process.Run(ctx, process.Spec{Path: "/bin/sh", Args: []string{"-c", text}, Dir: here, Env: os.Environ(), MaxStdout: 100, MaxStderr: 100})
				all[i] = o.All
			})
			if os.Args[1] == "adopt-in-turn" {
				runs.Wait()
			}
		}
		runs.Wait()
		fmt.Print(all)
		os.Exit(0)
	case "run":
		here, err := os.Getwd()
		if err != nil {
			panic(err)
		}
		_, _ = process.Run(context.Background(), process.Spec{Path: "/bin/sh", Args: []string{"-c", args[0]}, Dir: here, Env: os.Environ()})
		if err := os.WriteFile("ended", nil, 0o600); err != nil {
			panic(err)
		}
		select {}
	}
}

// helper runs the test's program as another one, in a folder of its own.
func helper(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	t.Cleanup(cancel)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(ctx, self, args...)
	cmd.Dir, cmd.Stderr = t.TempDir(), os.Stderr
	return cmd
}

// forget is a shell word that runs what follows it with nothing of the tree's.
func forget(t *testing.T) string { return strings.Replace(setsid(t), "leave-session", "forget", 1) }

// forgetful is a script that leaves a process which has nothing of the tree's.
func forgetful(t *testing.T) string {
	return `(` + forget(t) + ` /bin/sh -c 'echo $$ >pids; trap "" TERM HUP; while :; do sleep 0.01; done' &);` + untilReady
}

const untilReady = ` while ! [ -s pids ]; do sleep 0.01; done; mv pids ready; while :; do sleep 0.01; done`

// written waits for a file and gives the numbers in it.
func written(t *testing.T, dir, name string) (pids []int) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err == nil {
			for _, word := range strings.Fields(string(text)) {
				pid, err := strconv.Atoi(word)
				if err != nil {
					t.Fatal(err)
				}
				pids = append(pids, pid)
			}
			return pids
		}
		if time.Now().After(deadline) {
			t.Fatalf("there is no %s", name)
		}
	}
}

func output(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return string(bytes.TrimSpace(out))
}

// TestOrphansAreAdopted: nothing can hide from a process that adopts orphans, and it reports that all is ended
// only if that is so.
func TestOrphansAreAdopted(t *testing.T) {
	t.Run("without environment and files", func(t *testing.T) {
		cmd := helper(t, "adopt", forgetful(t))
		if got := output(t, cmd); got != "[true]" {
			t.Errorf("all was ended: %s", got)
		}
		dead(t, written(t, cmd.Dir, "ready")...)
	})
	t.Run("with another number each moment", func(t *testing.T) {
		self, err := os.Executable()
		if err != nil {
			t.Fatal(err)
		}
		cmd := helper(t, "adopt", forget(t)+" '"+self+"' comet $PWD/pids & while ! [ -s pids ]; do sleep 0.01; done; echo >ready; while :; do sleep 0.01; done")
		if got := output(t, cmd); got != "[true]" {
			t.Skipf("it wasn't caught, which was said: %s", got)
		}
		size := func() int64 {
			info, err := os.Stat(filepath.Join(cmd.Dir, "pids"))
			if err != nil {
				t.Fatal(err)
			}
			return info.Size()
		}
		before := size()
		for range 200 { // it would have gone on
			run(t, script(t, ":"))
		}
		if after := size(); after != before {
			t.Errorf("it goes on: %d, %d", before, after)
		}
	})
	t.Run("beside another run", func(t *testing.T) {
		cmd := helper(t, "adopt", forgetful(t), "while :; do sleep 0.01; done")
		got := output(t, cmd)
		pids := written(t, cmd.Dir, "ready")
		if runs(pids[0]) && strings.HasPrefix(got, "[true") {
			t.Errorf("all was ended: %s, and a process still runs", got)
		}
		_ = syscall.Kill(pids[0], syscall.SIGKILL)
	})
	t.Run("what another run has left", func(t *testing.T) {
		left := `(` + forget(t) + ` /bin/sh -c 'echo $$ >left; exec sleep 312' &); while ! [ -s left ]; do sleep 0.01; done`
		cmd := helper(t, "adopt-in-turn", left, "echo >pids;"+untilReady)
		if got := output(t, cmd); got != "[false false]" {
			t.Errorf("all was ended: %s", got)
		}
		pids := written(t, cmd.Dir, "left")
		if !runs(pids[0]) {
			t.Error("what a run had left in the background was ended by the end of another one")
		}
		_ = syscall.Kill(pids[0], syscall.SIGKILL)
	})
	t.Run("what was there before", func(t *testing.T) {
		cmd := helper(t, "adopt", "echo >pids;"+untilReady)
		self := cmd.Path
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `sleep 313 >/dev/null 2>&1 & echo $! >before; exec "$@"`, "sh", self}, cmd.Args[1:]...)
		output(t, cmd)
		pids := written(t, cmd.Dir, "before")
		if !runs(pids[0]) {
			t.Error("a child from before was ended")
		}
		_ = syscall.Kill(pids[0], syscall.SIGKILL)
	})
}

// TestProgramsEndWithTheirCaller: if the caller is killed, the whole group ends, and processes that an earlier
// run has left live on.
func TestProgramsEndWithTheirCaller(t *testing.T) {
	cmd := helper(t, "run", "trap '' TERM HUP INT; sleep 309 & echo $$ $! >new; mv new pids; wait")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	pids := written(t, cmd.Dir, "pids")
	waitForLifeline(t, pids[0])
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	dead(t, pids...)

	cmd = helper(t, "run", `sh -c 'trap "echo >alive" USR1; echo $$ >new; mv new pids; while :; do sleep 0.01; done' >/dev/null 2>&1 </dev/null &
		while ! [ -s pids ]; do sleep 0.01; done`)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	written(t, cmd.Dir, "ended")
	pids = written(t, cmd.Dir, "pids")
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait()
	defer func() { _ = syscall.Kill(pids[0], syscall.SIGKILL) }()
	if err := syscall.Kill(pids[0], syscall.SIGUSR1); err != nil {
		t.Fatalf("what was left in the background was ended: %v", err)
	}
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) { // it answers, unless a signal before ends it
		if _, err := os.Stat(filepath.Join(cmd.Dir, "alive")); err == nil {
			return
		}
		if !runs(pids[0]) || time.Now().After(deadline) {
			t.Fatal("what was left in the background was ended")
		}
	}
}

// waitForLifeline waits until the system has been told to end the program with its caller. On a busy machine a
// program may have come far before its caller gets to that.
func waitForLifeline(t *testing.T, pid int) {
	t.Helper()
	file := fmt.Sprintf("/proc/%d/fdinfo/97", pid)
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var position, flags int64
		if _, err := fmt.Sscanf(string(text), "pos: %d\nflags: %o", &position, &flags); err != nil {
			t.Fatalf("%s: %v in %q", file, err, text)
		}
		if flags&syscall.O_ASYNC != 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s has no O_ASYNC: %q", file, text)
		}
	}
}
