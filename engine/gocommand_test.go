package engine_test

import (
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

func TestWithCommand(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("FROM_OUTSIDE", "yes")
	e := newEngine(t, engine.WithoutBuiltins(),
		engine.WithCommand("PreToolUse", hooks.Options{Match: hooks.MustMatch("bash"), Name: "gate"}, engine.Command{
			Command: `pwd; echo "$POLICY/$FROM_OUTSIDE/$LUAHOOK_EVENT/$LUAHOOK_TOOL_COMMAND"`, InjectOutput: true, Dir: dir,
			Env: []string{"POLICY=strict", "PATH=/usr/bin:/bin"},
		}),
		engine.WithCommand(hooks.PreToolCall, hooks.Options{}, engine.Command{Command: "sh", Args: []string{"-c", `test -n "$FROM_OUTSIDE" && echo no way >&2 && exit 2`}}),
	)
	r := fire(t, e, bash("ls"))
	where, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	equal(t, "context", r.NewContext, where+"\nstrict//PreToolUse/ls")
	equal(t, "the reason of a deny", r.Reason, "no way")
	run := r.Summary().Runs[0]
	if run.Hook != "gate" || run.Scope != hooks.ScopeEmbedder || run.Handler != hooks.HandlerCommand || !strings.HasPrefix(run.Source, "gocommand_test.go:") {
		t.Errorf("the run: %+v", run)
	}
	equal(t, "the name of the other", r.Summary().Runs[1].Hook, "sh")
	if err := e.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	equal(t, "after a reload", fire(t, e, bash("ls")).Reason, "no way")
}

func TestWithCommandRefusesWhatMakesNoSense(t *testing.T) {
	for name, c := range map[string]struct {
		event   hooks.Event
		options hooks.Options
		command engine.Command
		want    string
	}{
		"no command":      {hooks.Stop, hooks.Options{}, engine.Command{}, "the command is empty"},
		"no event":        {"stopp", hooks.Options{}, engine.Command{Command: "true"}, `did you mean "stop"?`},
		"a relative path": {hooks.Stop, hooks.Options{}, engine.Command{Command: "true", Dir: "here"}, "relative path"},
		"no environment":  {hooks.Stop, hooks.Options{}, engine.Command{Command: "true", Env: []string{"PATH"}}, "want NAME=value"},
		"a matcher":       {hooks.Stop, hooks.Options{Match: hooks.MustMatch("x")}, engine.Command{Command: "true"}, "nothing that a name could match"},
		"a mode":          {hooks.Stop, hooks.Options{Mode: "later"}, engine.Command{Command: "true"}, "want sync, parallel or async"},
		"a policy":        {hooks.Stop, hooks.Options{OnFailure: "maybe"}, engine.Command{Command: "true"}, "maybe"},
		"async and block": {hooks.Stop, hooks.Options{Mode: hooks.ModeAsync, OnFailure: hooks.Block}, engine.Command{Command: "true"}, "can neither block"},
		"a timeout":       {hooks.Stop, hooks.Options{Timeout: -time.Second}, engine.Command{Command: "true"}, "negative"},
		"shell text":      {hooks.Stop, hooks.Options{}, engine.Command{Command: "if"}, "WithCommand"},
	} {
		_, err := engine.New(engine.WithCommand(c.event, c.options, c.command))
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q in it", name, err, c.want)
		}
	}
}
