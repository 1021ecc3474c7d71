//go:build linux

package agents

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"

	"github.com/luahook/luahook/bench/agents/fakemodel"
)

// sessionTime is how long a session may take. The slowest agent takes some ten seconds.
const sessionTime = 2 * time.Minute

// session is one run of an agent with a home of its own.
type session struct {
	agent   *agent
	cache   string // holds the installed packages
	luahook string // the program

	home    string
	project string // below home; the agent stands there
	model   *fakemodel.Server
}

// newSession makes an empty home and project below dir, and starts the model, which the caller closes.
func newSession(a *agent, cache, luahook, dir string, turns []fakemodel.Turn) (*session, error) {
	s := &session{agent: a, cache: cache, luahook: luahook, home: dir, project: filepath.Join(dir, "project")}
	for _, d := range []string{s.project, s.temp()} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	var err error
	s.model, err = fakemodel.Start(a.tool, turns...)
	return s, err
}

func (s *session) temp() string { return filepath.Join(s.home, "tmp") }

// environment is what the agent and the programs beside it see. Nothing personal of whoever runs this is in it.
func (s *session) environment() []string {
	env := []string{
		"HOME=" + s.home, "TMPDIR=" + s.temp(), "SHELL=/bin/sh", "LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "CI=1",
		"PATH=" + filepath.Dir(s.luahook) + ":" + os.Getenv("PATH"),
	}
	if s.agent.env != nil {
		env = append(env, s.agent.env(s)...)
	}
	return env
}

// run runs the agent with a prompt to its end and returns what it has printed, for messages. An agent's exit status
// says nothing, so that an error means that it couldn't be started, or didn't end in time.
//
// It runs in a process namespace of its own. When it ends, so does all that it has left behind.
func (s *session) run() ([]byte, error) {
	command, err := s.agent.command(s)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), sessionTime)
	defer cancel()
	// The shell stays, as the namespace's first process, so that the agent isn't it and gets signals as usual.
	cmd := exec.CommandContext(ctx, "/bin/sh", append([]string{"-c", `mount -t proc proc /proc && "$@"; exit $?`, "sh"}, command...)...)
	cmd.Dir, cmd.Env = s.project, s.environment()
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Setpgid: true, Cloneflags: syscall.CLONE_NEWPID, Unshareflags: syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL,
	}
	cmd.WaitDelay = 5 * time.Second
	out := &lastBytes{}
	cmd.Stdout, cmd.Stderr = out, out
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && ctx.Err() == nil {
		err = nil
	}
	return out.kept, errors.Join(err, ctx.Err())
}

// own runs the program luahook in the project as the user, and returns what it has printed.
func (s *session) own(args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), sessionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.luahook, args...)
	cmd.Dir, cmd.Env = s.project, s.environment()
	out, err := cmd.CombinedOutput()
	if err != nil {
		return out, fmt.Errorf("luahook %q: %w: %s", args, errors.Join(err, ctx.Err()), tail(out))
	}
	return out, nil
}

// installHooks lets the agent call luahook.
func installHooks(s *session) error {
	_, err := s.own("install", s.agent.name, "--user")
	return err
}

// exists reports whether the project has a file.
func (s *session) exists(name string) (bool, error) {
	_, err := os.Stat(filepath.Join(s.project, name))
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// write writes a file below the home.
func (s *session) write(name, text string) error {
	file := filepath.Join(s.home, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o644)
}

type object = map[string]any

// writeJSON writes a settings file below the home.
func (s *session) writeJSON(name string, v any) error {
	text, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return s.write(name, string(text)+"\n")
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct{ kept []byte }

func (l *lastBytes) Write(p []byte) (int, error) {
	const most = 64 << 10
	l.kept = append(l.kept, p...)
	if len(l.kept) > 2*most {
		l.kept = bytes.Clone(l.kept[len(l.kept)-most:])
	}
	return len(p), nil
}
