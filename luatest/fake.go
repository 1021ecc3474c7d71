package luatest

import (
	"context"
	"fmt"
	"path"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
)

// fakes are what a test has stand in for the world. They belong to the goroutine of the test.
type fakes struct {
	programs []fakeProgram
	requests []fakeRequest
	git      *lua.LTable // by function; nil: there is none
	noGit    bool        // there is no repository
}

type fakeProgram struct {
	name   string
	answer lua.LValue // a table or a function
}

type fakeRequest struct {
	method  string // "": any
	address string // with * for anything
	answer  lua.LValue
}

// maxCalls bounds what is kept of calls.
const maxCalls = 10_000

// note keeps what was called.
func (s *session) note(what string, call map[string]any) {
	if len(s.calls[what]) < maxCalls {
		s.calls[what] = append(s.calls[what], call)
	}
}

// answerOf is what a fake gives: itself, or what it returns. refused is the message of one that
// returns nil and a message. What is wrong with it is raised in the test.
func answerOf(L *lua.LState, fake lua.LValue, args ...any) (answer lua.LValue, refused string) {
	f, ok := fake.(*lua.LFunction)
	if !ok {
		return fake, ""
	}
	L.Push(f)
	for _, arg := range args {
		v, err := luabind.ToLua(L, arg)
		raise(L, err)
		L.Push(v)
	}
	L.Call(len(args), 2)
	answer, problem := L.Get(-2), L.Get(-1)
	L.Pop(2)
	if answer == lua.LNil && problem != lua.LNil {
		refused = luabind.RawText(problem)
	}
	return answer, refused
}

func raise(L *lua.LState, err error) {
	if err != nil {
		L.RaiseError("%s", err)
	}
}

// program stands in for exec.run.
func (s *session) program(ctx context.Context, p lib.Program) (result lib.ProgramResult, err error) {
	refused := ""
	problem := s.ask(ctx, func(L *lua.LState) error {
		args := []any{}
		for _, a := range p.Args {
			args = append(args, a)
		}
		env := map[string]any{}
		for name, value := range p.Env {
			env[name] = value
		}
		s.note("exec", map[string]any{"program": p.Name, "args": args, "stdin": p.Stdin, "cwd": p.Dir, "env": env})
		for i := len(s.fakes.programs) - 1; i >= 0; i-- {
			fake := s.fakes.programs[i]
			if fake.name != p.Name {
				continue
			}
			options := map[string]any{"stdin": p.Stdin, "cwd": p.Dir, "env": env}
			var answer lua.LValue
			if answer, refused = answerOf(L, fake.answer, args, options); refused == "" {
				result, err = programResult(L, answer)
				raise(L, err)
			}
			return nil
		}
		if s.worker.Programs {
			return lib.ErrReal
		}
		return lib.NoStandIn(s.lack("%s isn't run in a test: add fake.exec(%q, { stdout = \"...\" }), or let programs run with --run-programs", p.Name, p.Name))
	})
	if refused != "" {
		return result, fmt.Errorf("%s", refused)
	}
	return result, problem
}

func programResult(L *lua.LState, v lua.LValue) (r lib.ProgramResult, err error) {
	answer, err := fields(L, v, "the answer of fake.exec", "stdout", "stderr", "code", "signal")
	if err != nil {
		return r, err
	}
	r.Stdout, r.Stderr, r.Signal = answer.text("stdout"), answer.text("stderr"), answer.text("signal")
	r.Code = int(answer.number("code", 0))
	return r, answer.err
}

// request stands in for the http module.
func (s *session) request(ctx context.Context, r lib.Request) (result lib.Response, err error) {
	refused := ""
	problem := s.ask(ctx, func(L *lua.LState) error {
		headers := map[string]any{}
		for name, value := range r.Headers {
			headers[strings.ToLower(name)] = value
		}
		request := map[string]any{"method": r.Method, "url": r.URL, "body": r.Body, "headers": headers}
		s.note("http", request)
		for i := len(s.fakes.requests) - 1; i >= 0; i-- {
			fake := s.fakes.requests[i]
			if fake.method != "" && fake.method != r.Method || !fits(fake.address, r.URL) {
				continue
			}
			var answer lua.LValue
			if answer, refused = answerOf(L, fake.answer, request); refused == "" {
				result, err = response(L, answer)
				raise(L, err)
			}
			return nil
		}
		return lib.NoStandIn(s.lack("%s %s isn't sent in a test: add fake.http(%q, { status = 200, body = \"...\" })", r.Method, r.URL, r.URL))
	})
	if refused != "" {
		return result, fmt.Errorf("%s", refused)
	}
	return result, problem
}

func response(L *lua.LState, v lua.LValue) (r lib.Response, err error) {
	answer, err := fields(L, v, "the answer of fake.http", "status", "body", "headers")
	if err != nil {
		return r, err
	}
	r.Status, r.Body, r.Headers = int(answer.number("status", 200)), answer.text("body"), map[string]string{}
	if t, ok := answer.get("headers").(*lua.LTable); ok {
		t.ForEach(func(k, v lua.LValue) { r.Headers[strings.ToLower(luabind.RawText(k))] = luabind.RawText(v) })
	}
	return r, answer.err
}

// fits reports whether a text is a pattern, in which * stands for anything.
func fits(pattern, text string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == text
	}
	rest, ok := strings.CutPrefix(text, parts[0])
	last := parts[len(parts)-1]
	if !ok || len(rest) < len(last) {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return strings.HasSuffix(rest, last)
}

// gitFunctions are those that fake.git can stand in for.
var gitFunctions = sync.OnceValue(func() (names []string) {
	for _, m := range lib.Modules() {
		if m.Name == "git" {
			for _, f := range m.Functions {
				names = append(names, f.Name)
			}
		}
	}
	return names
})

// git stands in for a function of the git module.
func (s *session) git(ctx context.Context, c lib.GitCall) (result any, err error) {
	refused := ""
	problem := s.ask(ctx, func(L *lua.LState) error {
		s.note("git", map[string]any{"name": c.Function, "args": append([]any{}, c.Args...)})
		fake := lua.LValue(lua.LNil)
		if s.fakes.git != nil {
			fake = s.fakes.git.RawGetString(c.Function)
		}
		switch {
		case s.fakes.noGit:
			refused = s.worker.root() + " is in no git repository"
			return nil
		case fake == lua.LNil && (s.worker.Programs || c.Builtin && s.fakes.git == nil):
			return lib.ErrReal // a built-in learns that there is no repository
		case fake == lua.LNil:
			return lib.NoStandIn(s.lack("git.%s isn't asked in a test: add fake.git{ %s = ... }, or fake.git(false) for no repository", c.Function, c.Function))
		}
		var answer lua.LValue
		if answer, refused = answerOf(L, fake, c.Args...); refused != "" {
			return nil
		}
		if list, ok := answer.(*lua.LTable); ok && c.Function == "tracked" { // names of files
			answer = lua.LBool(len(c.Args) > 0 && tracks(list, fmt.Sprint(c.Args[0])))
		}
		if answer == lua.LFalse && c.Function != "tracked" {
			refused = "git knows of no " + c.Function
			return nil
		}
		if answer != lua.LNil {
			result, err = luabind.FromLua(L, answer)
			raise(L, err)
		}
		return nil
	})
	if refused != "" {
		return nil, fmt.Errorf("%s", refused)
	}
	return result, problem
}

// tracks reports whether a list of files has one of that name, or any below it.
func tracks(list *lua.LTable, name string) (found bool) {
	name = path.Clean(name)
	list.ForEach(func(_, v lua.LValue) {
		file := path.Clean(luabind.RawText(v))
		found = found || file == name || name == "." || strings.HasPrefix(file, name+"/")
	})
	return found
}
