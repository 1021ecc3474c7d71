package lib

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/internal/process"
	"github.com/luahook/luahook/luabind"
)

// Bounds of exec.
const (
	maxOutput     = 8 << 20 // bytes, of stdout and stderr each
	defaultOutput = 1 << 20
	maxArguments  = 1 << 20 // bytes, of all together
)

func execModule() luabind.Module {
	return module("exec", "programs that are granted, without a shell",
		function{
			"run", "(program: string, args?: string[], options?: {stdin: string, cwd: string, env: table, max: integer, timeout: string}): {stdout: string, stderr: string, code: integer, signal: string?, cut: boolean}|nil, string?",
			"runs a program to its end, or to that of the run, which ends the program with all that it has started, as far as that is found. " +
				"Write program as it is granted: a name is looked up in PATH, but not inside the project, and an absolute path is that file. " +
				"cwd is a folder of the project, by default its root. env adds variables, but none that make programs load others. " +
				"stdout and stderr keep max bytes each (1 MiB by default, at most 8 MiB), and cut reports whether there was more. " +
				"An exit status is no failure; code is -1 if a signal ended the program. " +
				"It gives nil and a message if the program could not be started, or had not ended after timeout (default: that of the run), which ends it in the same way",
			`local answer, problem = exec.run("greet", { "hello", "world" })
assert(answer and answer.code == 0, problem or "")
assert(answer.stdout == "hello world\n" and not answer.cut)`,
			runProgram,
		})
}

func runProgram(c call) int {
	granted := luabind.GrantsOf(c.LState).Exec
	c.need(len(granted) > 0, "exec: [PROGRAM]")
	program := c.text(1)
	if !slices.Contains(granted, program) {
		c.refuseProgram(granted, cut(program, 200))
	}
	var args []string
	if c.Get(2) != lua.LNil {
		args = c.textList(2)
	}
	size := 0
	for _, a := range args {
		if size += len(a) + 16; size > maxArguments { // before it is looked at
			c.bad(2, fmt.Sprintf("arguments of more than %d bytes", maxArguments))
		}
		if strings.ContainsRune(a, 0) {
			c.bad(2, "an argument with a NUL byte")
		}
	}
	o := c.options(3, "stdin", "cwd", "env", "max", "timeout")
	within, _ := o.duration("timeout")
	most, env := o.whole("max", defaultOutput, maxOutput), c.childVariables(o)
	stdin, _ := o.text("stdin")
	at := rootPlace
	if cwd, given := o.text("cwd"); given {
		var err error
		if at, err = placeOf(c.root(), cwd); err != nil {
			c.bad(3, "cwd: "+err.Error())
		}
	}
	c.charge(size + len(stdin))
	c.allocate(len(stdin)) // the program's copy
	spec := process.Spec{Args: args, Env: env, Stdin: []byte(stdin), MaxStdout: most, MaxStderr: most}
	given := slices.Concat([]string{program, stdin, at.said, strconv.Itoa(most), within.String(), strings.Join(env, "\x00")}, args)
	out := doOnce(c, given, ran.size, func() (r ran, dropped bool) { return r, !c.usesResult() }, func() ran {
		added := o.texts("env")
		if out, ok := c.runStandIn(Program{Name: program, Args: args, Stdin: stdin, Dir: at.name, Env: added}, most); ok {
			return out
		}
		return c.runIn(at, program, spec, within)
	})
	if out.err != nil {
		return c.failed(out.err)
	}
	// What a program writes is not known before; until here it has taken 2*max at most.
	c.charge(len(out.Stdout) + len(out.Stderr))
	c.allocate(len(out.Stdout))
	c.allocate(len(out.Stderr))
	t := c.object(5)
	t.RawSetString("stdout", lua.LString(out.Stdout))
	t.RawSetString("stderr", lua.LString(out.Stderr))
	t.RawSetString("code", lua.LNumber(out.ExitCode))
	t.RawSetString("cut", lua.LBool(out.StdoutCut || out.StderrCut))
	if out.Signal != "" {
		t.RawSetString("signal", lua.LString(out.Signal))
	}
	return c.give(t)
}

// ran is what became of a program.
type ran struct {
	process.Outcome
	err error // it was not started, or its folder can't be used
}

func (r ran) size() int { return len(r.Stdout) + len(r.Stderr) }

// runIn runs a program in a folder of the project, where within is more than 0 no longer
// than that.
func (c call) runIn(at place, program string, spec process.Spec, within time.Duration) ran {
	root := c.root()
	out, err := inProject(c, at, func(ctx context.Context, inside *os.Root, name string) (out ran, err error) {
		if spec.Dir, err = folderOf(inside, root, name); err != nil {
			return out, err
		}
		spec.Path = program
		if !filepath.IsAbs(program) {
			if spec.Path, out.err = findProgram(root, program); out.err != nil {
				return out, nil
			}
		}
		if within > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeoutCause(ctx, within, fmt.Errorf("%s had not ended after its timeout of %s", program, within))
			defer cancel()
		}
		out.Outcome, out.err = process.Run(ctx, spec)
		return out, nil
	})
	if err != nil {
		out.err = err
	}
	return out
}

func (c call) refuseProgram(granted []string, program string) {
	for _, g := range granted {
		if filepath.Base(g) == filepath.Base(program) && program != "" {
			c.fail(fmt.Sprintf("%s is not granted, %s is: write the program as it is granted", program, g))
		}
	}
	c.need(false, "exec: ["+program+"]")
}

// childVariables is the whole environment of a program: that of this process, what the
// script adds, and how deep it is in hooks.
func (c call) childVariables(o options) []string {
	env := os.Environ()
	added, size := o.texts("env"), 0
	for name, value := range added {
		if size += len(name) + len(value); size > maxArguments { // before it is looked at
			c.bad(o.n, fmt.Sprintf("env: variables of more than %d bytes", maxArguments))
		}
		c.charge(len(value))
		c.allocate(len(name) + len(value) + 1)
		if err := checkVariable(name, value); err != nil {
			c.bad(o.n, fmt.Sprintf("env.%s: %s", cut(name, 100), err))
		}
		env = append(env, name+"="+value)
	}
	return append(env, "LUAHOOK_DEPTH="+strconv.Itoa(luabind.DepthOf(c.LState)))
}

// folderOf is the absolute path of a folder below the root, without links.
func folderOf(inside *os.Root, root, name string) (string, error) {
	info, err := inside.Stat(name)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", errors.New("it is no folder")
	}
	project, err := inside.Stat(".")
	if err != nil {
		return "", err
	}
	dir, err := filepath.EvalSymlinks(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		return "", err
	}
	if !isBelow(project, dir) {
		return "", notCovered("cwd leads out of the project")
	}
	return dir, nil
}

// findProgram looks a name up in PATH. Only absolute entries count, and none that lies
// inside the project, nor a file that a link leads to there: a project must not
// bring its own make.
func findProgram(root, name string) (string, error) {
	var project os.FileInfo
	if root != "" {
		info, err := os.Stat(root)
		if err != nil {
			return "", fmt.Errorf("the project's root can't be looked at: %w", err)
		}
		project = info
	}
	passed := ""
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		file, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil {
			continue
		}
		real, err := filepath.EvalSymlinks(file)
		if err != nil {
			continue
		}
		realDir, err := filepath.EvalSymlinks(dir)
		if err != nil {
			continue
		}
		if project != nil && (isBelow(project, real) || isBelow(project, realDir)) {
			passed = file
			continue
		}
		return file, nil
	}
	if passed != "" {
		return "", fmt.Errorf("%s is found in the project only (%s), where no program is taken from PATH", name, passed)
	}
	return "", fmt.Errorf("%s is in no folder of PATH", name)
}

// isBelow reports whether a real path is the folder or anything below it.
func isBelow(folder os.FileInfo, real string) bool {
	for at := real; ; at = filepath.Dir(at) {
		if info, err := os.Stat(at); err == nil && os.SameFile(info, folder) {
			return true
		}
		if at == filepath.Dir(at) {
			return false
		}
	}
}

// checkVariable refuses environment variables by which a program could be made to load
// or run something else, and those that are luahook's.
func checkVariable(name, value string) error {
	if name == "" || len(name) > 1000 || strings.ContainsAny(name, "=\x00") {
		return errors.New("no name of a variable")
	}
	if strings.ContainsRune(value, 0) {
		return errors.New("a value with a NUL byte")
	}
	upper := name
	if runtime.GOOS == "windows" {
		upper = strings.ToUpper(name)
	}
	for _, prefix := range []string{"LD_", "DYLD_", "_RLD", "LUAHOOK_", "GIT_", "PYTHON", "PERL5", "RUBY", "NODE_", "BASH_FUNC_", "LIBPATH", "SHLIB_PATH"} {
		if strings.HasPrefix(upper, prefix) {
			return errRefusedVariable
		}
	}
	switch upper {
	case "PATH", "PATHEXT", "COMSPEC", "SYSTEMROOT", "HOME", "USERPROFILE", "SHELL", "ENV", "BASH_ENV", "SHELLOPTS", "BASHOPTS", "PS4", "PROMPT_COMMAND", "IFS", "CDPATH", "ZDOTDIR",
		"XDG_CONFIG_HOME", "GCONV_PATH", "GLIBC_TUNABLES", "LOCPATH", "NLSPATH", "HOSTALIASES", "RES_OPTIONS", "TERMINFO",
		"JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH", "PERLLIB", "PERLIO_DEBUG", "LUA_INIT", "LUA_PATH", "LUA_CPATH", "MAKEFLAGS", "GNUMAKEFLAGS", "MAKEFILES",
		"GOFLAGS", "GOROOT", "CC", "CXX", "RUSTC", "RUSTC_WRAPPER", "RUSTFLAGS", "EDITOR", "VISUAL", "PAGER", "MANPAGER", "LESSOPEN", "LESSCLOSE", "BROWSER", "SSH_ASKPASS",
		"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "SSL_CERT_FILE", "SSL_CERT_DIR":
		return errRefusedVariable
	}
	return nil
}

var errRefusedVariable = errors.New("it could make the program load or run something else")
