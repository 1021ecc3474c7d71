package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/luahook/luahook/internal/userhome"
)

var update = flag.Bool("update", false, "rewrite what the scripts compare with")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"luahook": func() {
			userhome.Account = func() string { return os.Getenv("ACCOUNT_HOME") } // not that of whoever runs the tests
			status := execute(os.Args[1:])
			emptyTerminal()
			os.Exit(status)
		},
		"shop-server": shopServer,
	})
}

func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("ACCOUNT_HOME", filepath.Join(env.WorkDir, "home"))
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, "config"))
			return os.MkdirAll(filepath.Join(env.WorkDir, "home"), 0o700)
		},
		Cmds: scriptCommands,
	})
}

// scriptCommands are what scripts have beside the usual commands.
var scriptCommands = map[string]func(ts *testscript.TestScript, neg bool, args []string){
	"status":       status,
	"result":       result,
	"repeat":       repeat,
	"trim-newline": trimNewline,
	"env-file":     envFile,
}

// status N COMMAND ARG... runs a command, which has to exit with that status.
func status(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command [args...]")
	}
	got := 0
	err := ts.Exec(args[1], args[2:]...)
	var exited *exec.ExitError
	if errors.As(err, &exited) {
		got = exited.ExitCode()
	} else {
		ts.Check(err)
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("exit status %d, want %s", got, want)
	}
}

// result [N] [PATH=VALUE...] checks that standard output is one result in JSON, or that
// line N of it is one, with these values; VALUE is compared with the text of a string and
// the JSON of everything else, and a missing key is "".
func result(ts *testscript.TestScript, neg bool, args []string) {
	lines := strings.SplitAfter(ts.ReadFile("stdout"), "\n")
	if last := len(lines) - 1; lines[last] != "" {
		ts.Fatalf("the last line has no end: %q", lines[last])
	} else {
		lines = lines[:last]
	}
	line := 1
	if len(args) > 0 && !strings.Contains(args[0], "=") {
		var err error
		line, err = strconv.Atoi(args[0])
		ts.Check(err)
		args = args[1:]
	} else if len(lines) != 1 {
		ts.Fatalf("%d lines on stdout, want one", len(lines))
	}
	if neg || line < 1 || line > len(lines) {
		ts.Fatalf("usage: result [N] [PATH=VALUE...], N from 1 to %d", len(lines))
	}
	var object map[string]any
	ts.Check(json.Unmarshal([]byte(lines[line-1]), &object))
	for _, key := range []string{"decision", "block"} {
		if _, ok := object[key]; !ok {
			ts.Fatalf("the result has no %s", key)
		}
	}
	if object["summary"] == nil && object["error"] == nil {
		ts.Fatalf("the result has neither summary nor error")
	}
	ts.Check(fitsSchema([]byte(lines[line-1])))
	for _, arg := range args {
		path, want, _ := strings.Cut(arg, "=")
		if got := at(object, path); got != want {
			ts.Fatalf("%s is %q, want %q", path, got, want)
		}
	}
}

// at follows a path such as summary.runs.0.error.kind; "len" is the length of a list.
func at(v any, path string) string {
	for key := range strings.SplitSeq(path, ".") {
		switch c := v.(type) {
		case map[string]any:
			v = c[key]
		case []any:
			i, err := strconv.Atoi(key)
			switch {
			case key == "len":
				v = len(c)
			case err != nil || i >= len(c):
				return ""
			default:
				v = c[i]
			}
		default:
			return ""
		}
	}
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return v
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// envFile NAME FILE sets a variable to the text of a file.
func envFile(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: env-file name file")
	}
	ts.Setenv(args[0], strings.TrimSpace(ts.ReadFile(args[1])))
}

// repeat FILE TEXT N writes a file of N times TEXT, for what is too large for a script.
func repeat(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: repeat file text n")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[1], n)), 0o666))
}

// trimNewline FILE takes away the newline that every file of a txtar archive ends with.
func trimNewline(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: trim-newline file")
	}
	text, ok := strings.CutSuffix(ts.ReadFile(args[0]), "\n")
	if !ok {
		ts.Fatalf("%s does not end with a newline", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(text), 0o666))
}
