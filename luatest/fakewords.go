package luatest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// fakeModule is what tests have the world replaced with.
func (f *testFile) fakeModule() luabind.Module {
	return luabind.Module{
		Name: "fake", Help: "stands in for what hooks reach outside of their sandbox, for one test. What a hook isn't granted it doesn't get from a fake either",
		Functions: []luabind.Function{
			{Name: "exec", Signature: "fake.exec(program: string, answer: table|function)", Help: "stands in for a program of exec.run, named as it is granted. answer is {stdout, stderr, code, signal}, each of which may be left out, or a function of the arguments and the options (stdin, cwd, env) that returns that, or nil and a message", Example: `fake.exec("npm", { stdout = "ok\n", code = 0 })`, Go: f.fakeExec},
			{Name: "http", Signature: "fake.http(address: string, answer: table|function)", Help: "stands in for a host. address is a URL with * for anything, a method may stand before it; answer is {status, body, headers}, each of which may be left out, or a function of the request (method, url, body, headers) that returns that, or nil and a message", Example: `fake.http("POST https://example.com/*", { status = 201 })`, Go: f.fakeHTTP},
			{Name: "git", Signature: "fake.git(answers: table|false)", Help: "stands in for functions of the git module, by their names: what the function returns, or a function of its arguments that returns that; false: git knows of none. tracked is a list of files. Several calls add up; fake.git(false): there is no repository", Example: `fake.git{ branch = "main", changed = { "a.go" } }`, Go: f.fakeGit},
			{Name: "time", Signature: "fake.time(time: string|number)", Help: "stops the clock at a time, RFC 3339 or seconds since 1970", Example: `fake.time("2026-01-02T03:04:05Z")`, Go: f.fakeTime},
			{Name: "time_passes", Signature: "fake.time_passes(seconds: number)", Help: "puts the clock ahead; what the store keeps for a time ends by it, too", Example: `fake.time_passes(90)`, Go: f.fakeTimePasses},
			{Name: "calls", Signature: "fake.calls(what: string): table[]", Help: "the calls of exec (program, args, stdin, cwd, env), http (method, url, body, headers) or git (name, args) in this test, in order", Example: `expect(#fake.calls("exec")):is(0)`, Go: f.fakeCalls},
		},
		Modules: []luabind.Module{
			{
				Name: "fake.store", Help: "what hooks keep",
				Functions: []luabind.Function{
					{Name: "set", Signature: "fake.store.set(key: string, value: any, options?: {scope: string, name: string})", Help: "puts a value into the stores of all hooks; scope is project (the default), session, user, or shared with its name. nil takes it away", Example: `fake.store.set("count", 49, { scope = "session" })`, Go: f.storeSet},
					{Name: "get", Signature: "fake.store.get(key: string, options?: {scope: string, name: string}): any", Help: "what a hook keeps under a key; nil where none does", Example: `expect(fake.store.get("count")):is(nil)`, Go: f.storeGet},
					{Name: "fails", Signature: "fake.store.fails(message: string)", Help: "makes the store one that can't be reached", Example: `fake.store.fails("the disk is full")`, Go: f.storeFails},
				},
			},
			{
				Name: "fake.tasks", Help: "the task tracker",
				Functions: []luabind.Function{
					{Name: "fails", Signature: "fake.tasks.fails(message: string)", Help: "makes the tracker fail", Example: `fake.tasks.fails("the tracker is down")`, Go: f.tasksFail},
				},
			},
		},
	}
}

// answer is an argument that is what a fake gives.
func answer(L *lua.LState, n int, check func(lua.LValue) error) lua.LValue {
	v := L.Get(n)
	switch v.(type) {
	case *lua.LFunction:
	case *lua.LTable:
		if err := check(v); err != nil {
			L.ArgError(n, err.Error())
		}
	default:
		L.ArgError(n, "table or function expected, got "+v.Type().String())
	}
	return v
}

func (f *testFile) fakeExec(L *lua.LState) int {
	name := L.CheckString(1)
	v := answer(L, 2, func(v lua.LValue) error { _, err := programResult(L, v); return err })
	f.session.fakes.programs = append(f.session.fakes.programs, fakeProgram{name, v})
	return 0
}

func (f *testFile) fakeHTTP(L *lua.LState) int {
	address := L.CheckString(1)
	method, rest, two := strings.Cut(address, " ")
	if two {
		address = strings.TrimSpace(rest)
	} else {
		method = ""
	}
	if address != "*" && !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") && !strings.HasPrefix(address, "*") {
		L.ArgError(1, `an address that begins with https:// or http:// expected, where * may stand for anything`)
	}
	v := answer(L, 2, func(v lua.LValue) error { _, err := response(L, v); return err })
	f.session.fakes.requests = append(f.session.fakes.requests, fakeRequest{strings.ToUpper(method), address, v})
	return 0
}

func (f *testFile) fakeGit(L *lua.LState) int {
	fakes := &f.session.fakes
	if L.Get(1) == lua.LFalse {
		fakes.noGit = true
		return 0
	}
	given := L.CheckTable(1)
	if _, err := fields(L, given, "git", gitFunctions()...); err != nil {
		L.ArgError(1, err.Error())
	}
	if fakes.git == nil {
		fakes.git = L.NewTable()
	}
	fakes.noGit = false
	given.ForEach(fakes.git.RawSet)
	return 0
}

func (f *testFile) fakeTime(L *lua.LState) int {
	switch v := L.Get(1).(type) {
	case lua.LString:
		t, err := time.Parse(time.RFC3339, string(v))
		if err != nil {
			L.ArgError(1, fmt.Sprintf("a time like 2006-01-02T15:04:05Z expected, got %q", string(v)))
		}
		f.session.clock.set(t)
	case lua.LNumber:
		if !(v >= 0 && v <= maxSeconds) {
			L.ArgError(1, "seconds since 1970 expected, up to 9,000,000,000")
		}
		f.session.clock.set(time.Unix(0, 0).Add(seconds(float64(v))))
	default:
		L.ArgError(1, "string or number expected, got "+v.Type().String())
	}
	return 0
}

// maxSeconds is what a [time.Duration] can hold, about.
const maxSeconds = 9e9

func seconds(n float64) time.Duration { return time.Duration(n * float64(time.Second)) }

func (f *testFile) fakeTimePasses(L *lua.LState) int {
	n := float64(L.CheckNumber(1))
	if !(n >= 0 && n <= maxSeconds) {
		L.ArgError(1, "seconds of 0 or more expected")
	}
	f.session.clock.pass(seconds(n))
	return 0
}

func (f *testFile) fakeCalls(L *lua.LState) int {
	what := L.CheckString(1)
	kinds := []string{"exec", "http", "git"}
	if !slices.Contains(kinds, what) {
		L.ArgError(1, fmt.Sprintf("exec, http or git expected, got %q%s", what, spelling.DidYouMean(what, kinds)))
	}
	v, err := luabind.ToLua(L, append([]any{}, f.session.calls[what]...))
	if err != nil {
		L.RaiseError("fake.calls: %s", err)
	}
	L.Push(v)
	return 1
}

// scopeAt reads the options of a function of fake.store.
func scopeAt(L *lua.LState, n int) (scope, name string) {
	scope = "project"
	if v := L.Get(n); v != lua.LNil {
		options, err := fields(L, v, "the options of the store", "scope", "name")
		if err == nil {
			if given := options.text("scope"); given != "" {
				scope = given
			}
			name, err = options.text("name"), options.err
		}
		if err != nil {
			L.ArgError(n, err.Error())
		}
	}
	scopes := []string{"project", "session", "user", "shared"}
	switch {
	case !slices.Contains(scopes, scope):
		L.ArgError(n, fmt.Sprintf("scope: one of %s expected, got %q%s", strings.Join(scopes, ", "), scope, spelling.DidYouMean(scope, scopes)))
	case (scope == "shared") != (name != ""):
		L.ArgError(n, "a shared store has a name, and no other has one")
	}
	return scope, name
}

func (f *testFile) storeSet(L *lua.LState) int {
	scope, name := scopeAt(L, 3)
	one := seed{scope: scope, name: name, key: L.CheckString(1)}
	if v := L.Get(2); v != lua.LNil {
		value, err := luabind.FromLua(L, v)
		if err == nil {
			one.value, err = hooks.EncodeJSON(value)
		}
		if err != nil {
			L.ArgError(2, err.Error())
		}
	}
	if err := f.session.stored.plant(context.Background(), one); err != nil {
		L.RaiseError("fake.store.set: %s", err)
	}
	return 0
}

func (f *testFile) storeGet(L *lua.LState) int {
	scope, name := scopeAt(L, 2)
	text, err := f.session.stored.find(context.Background(), scope, name, L.CheckString(1))
	if err == nil && text != nil {
		var value any
		if err = json.Unmarshal(text, &value); err == nil {
			v, err := luabind.ToLua(L, value)
			if err == nil {
				L.Push(v)
				return 1
			}
		}
	}
	if err != nil {
		L.RaiseError("fake.store.get: %s", err)
	}
	L.Push(lua.LNil)
	return 1
}

func (f *testFile) storeFails(L *lua.LState) int {
	f.session.stored.fail(errors.New(L.CheckString(1)))
	return 0
}

func (f *testFile) tasksFail(L *lua.LState) int {
	message := L.CheckString(1)
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	f.session.tasksErr = errors.New(message)
	return 0
}
