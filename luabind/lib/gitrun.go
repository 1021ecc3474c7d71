package lib

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/luahook/luahook/internal/process"
	"github.com/luahook/luahook/luabind"
)

// harmless are the settings under which git always runs. A repository may be a
// stranger's, and its configuration can name programs for nearly everything; these, the
// environment (see gitEnvironment) and the options of each command leave none that is
// run. Those of filters are switched off by name.
var harmless = []string{
	"core.fsmonitor=false", "core.hooksPath=/dev/null", "safe.bareRepository=explicit", "protocol.allow=never",
	"core.pager=cat", "core.sshCommand=false", "core.gitProxy=", "core.askPass=", "credential.helper=", "core.editor=true", "core.alternateRefsCommand=true",
	"log.showSignature=false", "gpg.program=false", "core.untrackedCache=false", "submodule.recurse=false", "status.submoduleSummary=false", "core.quotePath=false",
}

// errNo is git's way to say that there is no such thing: status 1 and no message.
var errNo = errors.New("git says no")

// repository is where the project's root is in its repository.
type repository struct {
	dir    string // where .git is, without links
	root   string // the project's root, without links
	prefix string // from dir to root, with slashes and one at the end; "" where they are the same
}

// findRepository looks for .git from the root upwards. git would follow core.worktree to
// files anywhere, so it is told where the files are.
func findRepository(root string) (repository, error) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil {
		return repository{}, fmt.Errorf("the project's root can't be looked at: %w", cause(err))
	}
	for at := real; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			rel, err := filepath.Rel(at, real)
			if err != nil {
				return repository{}, err
			}
			r := repository{dir: at, root: real}
			if rel != "." {
				r.prefix = filepath.ToSlash(rel) + "/"
			}
			return r, nil
		}
		if at == filepath.Dir(at) {
			return repository{}, fmt.Errorf("%s is in no git repository", root)
		}
	}
}

func (c call) repository() (repository, error) {
	type result struct {
		r   repository
		err error
	}
	root := c.root()
	found := luabind.Wait(c.LState, "git."+c.name, func(context.Context) result {
		r, err := findRepository(root)
		return result{r, err}
	})
	return found.r, found.err
}

// git runs a command of git in the project's root and returns what it prints, which is
// an error where it is more than so many bytes.
func (c call) git(most int, args ...string) (string, error) {
	out, isCut, err := c.gitCut(most, args...)
	if err == nil && isCut {
		return "", fmt.Errorf("git %s prints more than %d bytes", args[0], most)
	}
	return out, err
}

// gitCut is git, with no more than so many bytes.
func (c call) gitCut(most int, args ...string) (out string, isCut bool, err error) {
	type result struct {
		process.Outcome
		err error
	}
	root := c.root()
	r := luabind.Wait(c.LState, "git."+c.name, func(ctx context.Context) (r result) {
		if c.within == 0 {
			r.Outcome, r.err = runGit(ctx, root, most, args)
			return r
		}
		own, cancel := context.WithTimeout(ctx, c.within)
		defer cancel()
		r.Outcome, r.err = runGit(own, root, most, args)
		if r.err != nil && own.Err() != nil && ctx.Err() == nil {
			r.err = fmt.Errorf("git took longer than %s", c.within)
		}
		return r
	})
	if r.err != nil {
		return "", false, r.err
	}
	c.charge(len(r.Stdout))
	c.allocate(len(r.Stdout))
	return string(r.Stdout), r.StdoutCut, nil
}

func runGit(ctx context.Context, root string, most int, args []string) (process.Outcome, error) {
	r, err := findRepository(root)
	if err != nil {
		return process.Outcome{}, err
	}
	program, err := findProgram(r.dir, "git")
	if err != nil {
		return process.Outcome{}, err
	}
	run := func(settings []string, most int, args []string) (process.Outcome, error) {
		command := []string{"--no-pager"}
		for _, s := range settings {
			command = append(command, "-c", s)
		}
		out, err := process.Run(ctx, process.Spec{
			Path: program, Args: append(command, args...), Dir: r.root, Env: gitEnvironment(r), MaxStdout: most, MaxStderr: 4 << 10,
		})
		switch {
		case err != nil:
			return out, err
		case out.ExitCode == 1 && len(out.Stderr) == 0:
			return out, errNo
		case out.ExitCode != 0:
			return out, fmt.Errorf("git %s: %s", args[0], complaint(string(out.Stderr), out.ExitCode))
		}
		return out, nil
	}
	settings := harmless
	if args[0] == "status" || args[0] == "diff" { // they read files through filters
		out, err := run(settings, maxListBytes, []string{"config", "--null", "--name-only", "--get-regexp", `^filter\.`})
		if err != nil && !errors.Is(err, errNo) {
			return process.Outcome{}, err
		}
		off, err := filtersOff(string(out.Stdout), out.StdoutCut)
		if err != nil {
			return process.Outcome{}, err
		}
		settings = slices.Concat(harmless, off)
	}
	return run(settings, most, args)
}

// maxFilters bounds how many filters a repository may have.
const maxFilters = 200

// filtersOff are the settings that switch off the filters of which these are keys,
// each with a NUL byte at its end.
func filtersOff(keys string, isCut bool) ([]string, error) {
	if isCut {
		return nil, errors.New("the repository configures too many filters")
	}
	var names []string
	for key := range strings.SplitSeq(keys, "\x00") {
		name, is := strings.CutPrefix(key, "filter.")
		end := strings.LastIndexByte(name, '.')
		if !is || end < 0 {
			continue
		}
		if name = name[:end]; !slices.Contains(names, name) {
			names = append(names, name)
		}
		if len(names) > maxFilters {
			return nil, errors.New("the repository configures too many filters")
		}
	}
	var off []string
	for _, name := range names {
		if strings.ContainsAny(name, "=\n") { // which -c can't say
			return nil, fmt.Errorf("the repository configures the filter %q, which can't be switched off", cut(name, 100))
		}
		off = append(off, "filter."+name+".clean=", "filter."+name+".smudge=", "filter."+name+".process=", "filter."+name+".required=false")
	}
	return off, nil
}

// gitEnvironment is all that git gets to see: nothing by which it could be pointed
// elsewhere.
func gitEnvironment(r repository) []string {
	env := []string{
		"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_PAGER=cat", "GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
		"GIT_LITERAL_PATHSPECS=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_ATTR_NOSYSTEM=1",
		"GIT_WORK_TREE=" + r.dir, "GIT_CEILING_DIRECTORIES=" + filepath.Dir(r.dir),
	}
	for _, name := range []string{"HOME", "USERPROFILE", "XDG_CONFIG_HOME", "APPDATA", "PROGRAMDATA", "SYSTEMROOT", "TMPDIR", "TMP", "TEMP", "DEVELOPER_DIR"} {
		if v := os.Getenv(name); filepath.IsAbs(v) {
			env = append(env, name+"="+v)
		}
	}
	var folders []string
	if project, err := os.Stat(r.dir); err == nil {
		for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
			if real, err := filepath.EvalSymlinks(dir); err == nil && filepath.IsAbs(dir) && !isBelow(project, real) {
				folders = append(folders, dir)
			}
		}
	}
	return append(env, "PATH="+strings.Join(folders, string(filepath.ListSeparator)))
}

// complaint is why git failed, without its own word for how bad that is.
func complaint(stderr string, code int) string {
	line := ""
	for l := range strings.Lines(stderr) {
		if strings.HasPrefix(l, "fatal: ") || line == "" { // warnings may come before it
			line = strings.TrimPrefix(strings.TrimPrefix(strings.TrimSpace(l), "fatal: "), "error: ")
		}
	}
	line = strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(line, "?"))
	if line == "" {
		return fmt.Sprintf("exit status %d", code)
	}
	return cut(line, 500)
}
