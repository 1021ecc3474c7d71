package process_test

import (
	"context"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/process"
)

// TestThoseWhoLeaveTheGroupAreEnded: each script starts a process that is in another
// session, and writes its id.
func TestThoseWhoLeaveTheGroupAreEnded(t *testing.T) {
	const wait = untilReady
	leave := setsid(t)
	for name, text := range map[string]string{
		"another session":                             leave + ` /bin/sh -c 'echo $$ >pids; sleep 304' &`,
		"and its parent is gone":                      `(` + leave + ` /bin/sh -c 'echo $$ >pids; trap "" TERM HUP; while :; do sleep 0.01; done' &);`,
		"and it has another name":                     `(` + leave + ` /bin/sh -c 'echo $$ >pids; exec sleep 305' &);`,
		"and without the environment":                 `env -i ` + leave + ` /bin/sh -c 'echo $$ >pids; trap "" TERM; while :; do sleep 0.01; done' &`,
		"and its parent is gone, and the environment": `(` + leave + ` /usr/bin/env -i /bin/sh -c 'echo $$ >pids; trap "" TERM; while :; do sleep 0.01; done' &);`,
		"and its output, too":                         `(` + leave + ` /usr/bin/env -i /bin/sh -c 'echo $$ >pids; exec sleep 311' >/dev/null 2>&1 </dev/null &);`,
		"and forked once more":                        `(` + leave + ` /usr/bin/env -i /bin/sh -c '(sleep 311 & echo $! >new; mv new pids)' >/dev/null 2>&1 </dev/null &);`,
		"and it has children":                         `(` + leave + ` /bin/sh -c 'sleep 306 & echo $$ $! >new; mv new pids; wait' &);`,
		"and it makes more and more":                  `(` + leave + ` /bin/sh -c 'echo $$ >pids; while :; do (sleep 307 &); sleep 0.05; done' &);`,
	} {
		t.Run(name, func(t *testing.T) {
			s := script(t, text+wait)
			_, pids := interrupted(t, s)
			dead(t, append(pids, inFolder(t, s.Dir)...)...)
		})
	}
}

// inFolder lists the processes that run in a folder.
func inFolder(t *testing.T, dir string) (pids []int) {
	t.Helper()
	entries, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if cwd, err := os.Readlink("/proc/" + e.Name() + "/cwd"); err == nil && cwd == dir && runs(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// TestOthersAreLeftAlone: processes of another run live on.
func TestOthersAreLeftAlone(t *testing.T) {
	other := script(t, "while ! [ -e end ]; do sleep 0.01; done; exit 4")
	done := make(chan process.Outcome, 1)
	go func() {
		o, _ := process.Run(context.Background(), other)
		done <- o
	}()
	_, pids := interrupted(t, script(t, "sleep 308 & echo $! >new; mv new ready; wait"))
	dead(t, pids...)
	file(t, other.Dir, "end", "", 0o644)
	if o := <-done; o.ExitCode != 4 {
		t.Errorf("the other run ended with %d %s, want 4", o.ExitCode, o.Signal)
	}
}

// TestMarksOfNestedRuns: a program that a hook starts may run hooks itself, whose processes belong to both.
func TestMarksOfNestedRuns(t *testing.T) {
	t.Setenv("LUAHOOK_RUN", "outer")
	s := script(t, "echo $LUAHOOK_RUN")
	s.Env = append(s.Env, "LUAHOOK_RUN=forged")
	outer, own, _ := strings.Cut(strings.TrimSpace(string(run(t, s).Stdout)), ":")
	if outer != "outer" || len(own) < 20 {
		t.Errorf("the mark is %q:%q, want the outer one and its own", outer, own)
	}
	if again := string(run(t, s).Stdout); strings.Contains(again, own) {
		t.Errorf("the mark %q is used twice", own)
	}
}

func TestNothingIsLeftBehind(t *testing.T) {
	files := func() int {
		entries, err := os.ReadDir("/proc/self/fd")
		if err != nil {
			t.Fatal(err)
		}
		return len(entries)
	}
	run(t, script(t, ":"))
	before := files()
	for range 20 {
		run(t, script(t, "echo hi"))
		s := script(t, ":")
		s.Path = "no-such-program"
		if _, err := process.Run(context.Background(), s); err == nil {
			t.Fatal("no error")
		}
		s.Path, s.Args = "/bin/sh", []string{"\x00"}
		if _, err := process.Run(context.Background(), s); err == nil {
			t.Fatal("no error")
		}
	}
	if after := files(); after > before { // what a test before has left to the collector may be closed meanwhile
		t.Errorf("%d files are open, want at most %d", after, before)
	}
	children, err := os.ReadFile("/proc/self/task/" + strconv.Itoa(os.Getpid()) + "/children")
	if err != nil {
		t.Skip("this kernel doesn't list children")
	}
	if len(children) > 0 {
		t.Errorf("children are left: %s", children)
	}
}
