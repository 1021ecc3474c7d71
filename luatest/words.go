package luatest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// Words are the functions that tests have beside those of hooks, and Modules their tables, for
// documentation: they can't be called.
func Words() []luabind.Function { return new(testFile).words() }

// Modules are described at [Words].
func Modules() []luabind.Module { return new(testFile).modules() }

func (f *testFile) words() []luabind.Function {
	return []luabind.Function{
		{Name: "test", Signature: "test(name: string, fn: function)", Help: "a test; it fails where fn raises an error", Example: `test("main is denied", function() expect(fire("pre_tool_call", "git push origin main").decision):is("deny") end)`, Go: f.test},
		{Name: "test_each", Signature: "test_each(cases: table[], name: string, fn: function)", Help: "a test for each case. A case that is a list gives fn its items, and the name its %s; another case is given to fn as it is, and %s is its name, or the case itself", Example: `test_each({ { "main", "deny" }, { "next", "" } }, "a push to %s", function(branch, want) expect(fire("pre_tool_call", "git push origin " .. branch).decision):is(want) end)`, Go: f.testEach},
		{Name: "describe", Signature: "describe(name: string, fn: function)", Help: "puts a name before those of the tests that fn describes; it may stand in another", Example: `describe("pushes", function() end)`, Go: f.describe},
		{Name: "before_each", Signature: "before_each(fn: function)", Help: "calls fn before each test of the group that it stands in, and of those within", Example: `before_each(function() fake.time("2026-01-02T03:04:05Z") end)`, Go: f.beforeEach},
		{Name: "only", Signature: "only(file: string)", Help: "has the tests of this file fire at the hooks of one file alone, which lies beside it: whatever else the project has is left out, built-in hooks too", Example: `only("push.lua")`, Go: f.only},
		{Name: "fire", Signature: "fire(event: string, context?: table|string, options?: {failures: boolean}): table", Help: "fires an event at the project's hooks and gives the result as JSON has it. A string is the command of a call of bash. A hook that fails raises an error, unless failures is true", Example: `local r = fire("pre_prompt", { prompt = "hello" })`, Go: f.fire},
		{Name: "start", Signature: "start(yaml: string): table", Help: "starts other hooks: those that this hooks.yaml of the user's lists, and those of the test's own project. It gives a table with the functions fire(self, event, context, options) and problem(), which is why they don't load, or nil. The store is the one of the test", Example: `local hooks = start("on_error: [{builtin: error-logger}]")`, Go: f.start},
		{Name: "expect", Signature: "expect(value: any, what?: string): table", Help: "says what is expected of a value: is(v), equals(v), contains(v), matches(pattern), errors(text?), and never() for the opposite. what names the value in the message of a failure", Example: `expect(1 + 1):is(2)`, Go: f.expect},
	}
}

func (f *testFile) modules() []luabind.Module {
	project := luabind.Module{
		Name: "project", Help: "the project that hooks see in a test: an empty folder of its own",
		Functions: []luabind.Function{
			{Name: "write", Signature: "project.write(name: string, text: string)", Help: "writes a file, and the folders that it lies in", Example: `project.write("go.mod", "module x\n")`, Go: f.write},
			{Name: "read", Signature: "project.read(name: string): string|nil", Help: "the text of a file; nil where there is none", Example: `expect(project.read("none")):is(nil)`, Go: f.read},
			{Name: "remove", Signature: "project.remove(name: string)", Help: "removes a file, or a folder with all that it holds", Example: `project.remove("go.mod")`, Go: f.remove},
			{Name: "link", Signature: "project.link(target: string, name: string)", Help: "makes a link", Example: `project.link("AGENTS.md", "CLAUDE.md")`, Go: f.link},
			{Name: "git", Signature: "project.git(...: string)", Help: "runs git in the project, where programs may run (--run-programs)", Example: `project.git("init", "-q")`, Go: f.git},
		},
		Constants: []luabind.Constant{{Name: "root", Type: "string", Help: "its absolute path", Value: func(*lua.LState) lua.LValue { return lua.LString(filepath.ToSlash(f.session.worker.root())) }}},
	}
	return []luabind.Module{project, f.fakeModule()}
}

// function is an argument that is a function.
func function(L *lua.LState, n int) *lua.LFunction {
	fn, ok := L.Get(n).(*lua.LFunction)
	if !ok {
		L.ArgError(n, "function expected, got "+L.Get(n).Type().String())
	}
	return fn
}

// nameAt is an argument that is a name on one line.
func nameAt(L *lua.LState, n int) string {
	name := L.CheckString(n)
	if name == "" || len(name) > 500 {
		L.ArgError(n, "a name of 1 to 500 bytes expected")
	}
	return strings.Join(strings.Fields(name), " ")
}

func placeOf(L *lua.LState) string { return strings.TrimSuffix(strings.TrimSpace(L.Where(1)), ":") }

func (f *testFile) test(L *lua.LState) int {
	f.add(L, nameAt(L, 1), function(L, 2))
	return 0
}

func (f *testFile) add(L *lua.LState, name string, fn *lua.LFunction) {
	if f.running {
		L.RaiseError("test(...) describes a test, and stands in none")
	}
	if len(f.tests) == maxTests {
		L.RaiseError("more than %d tests in one file", maxTests)
	}
	f.tests = append(f.tests, &luaTest{name: f.group.fullName(name), source: placeOf(L), group: f.group, fn: fn})
}

func (f *testFile) only(L *lua.LState) int {
	name := L.CheckString(1)
	w := f.session.worker
	path := filepath.Join(w.dir, filepath.FromSlash(name))
	if f.running {
		L.RaiseError("only(...) is about the whole file, and stands in no test")
	}
	if w.project == nil || !slices.Contains(w.project.files, path) {
		L.ArgError(1, fmt.Sprintf("there is no hook file %q beside this one", name))
	}
	file := w.project.display(path)
	w.alone.Store(&file)
	return 0
}

func (f *testFile) testEach(L *lua.LState) int {
	cases, name, fn := L.CheckTable(1), nameAt(L, 2), function(L, 3)
	if cases.Len() == 0 {
		L.ArgError(1, "a list of cases expected, got one without any")
	}
	for i := 1; i <= cases.Len(); i++ {
		luabind.Spend(L, 20)
		args := []lua.LValue{cases.RawGetInt(i)}
		shown := args
		if t, ok := args[0].(*lua.LTable); ok && t.Len() > 0 {
			args = nil
			for k := 1; k <= t.Len(); k++ {
				args = append(args, t.RawGetInt(k))
			}
			shown = args
		} else if ok && t.RawGetString("name") != lua.LNil {
			shown = []lua.LValue{t.RawGetString("name")}
		}
		full, at := "", 0
		for part := range strings.SplitAfterSeq(name, "%s") {
			if text, is := strings.CutSuffix(part, "%s"); is && at < len(shown) {
				part = text + oneLine(shown[at])
				at++
			}
			full += part
		}
		if at == 0 {
			full += fmt.Sprintf(" (%d)", i)
		}
		f.add(L, full, luabind.NewFunction(L, "test_each", func(L *lua.LState) int {
			L.Push(fn)
			for _, arg := range args {
				L.Push(arg)
			}
			L.Call(len(args), 0)
			return 0
		}))
	}
	return 0
}

// oneLine is a value as a name has it.
func oneLine(v lua.LValue) string {
	if text, ok := v.(lua.LString); ok {
		return strings.Join(strings.Fields(string(text)), " ")
	}
	return strings.Join(strings.Fields(show(v)), " ")
}

func (f *testFile) describe(L *lua.LState) int {
	if f.running {
		L.RaiseError("describe(...) stands in no test")
	}
	f.group = &group{name: nameAt(L, 1), outer: f.group}
	L.Push(function(L, 2))
	L.Call(0, 0)
	f.group = f.group.outer
	return 0
}

func (f *testFile) beforeEach(L *lua.LState) int {
	if f.running {
		L.RaiseError("before_each(...) stands in no test")
	}
	f.group.before = append(f.group.before, function(L, 1))
	return 0
}

// fire is fire(event, context, options).
func (f *testFile) fire(L *lua.LState) int { return f.session.fire(L, f.session.worker.engine, 1) }

// fire fires the event that the arguments from one on describe.
func (s *session) fire(L *lua.LState, e *engine.Engine, from int) int {
	if s.closed() {
		L.RaiseError("fire(...) stands in a test")
	}
	name := L.CheckString(from)
	own := e == s.worker.engine // that of the project
	failures := false
	if v := L.Get(from + 2); v != lua.LNil {
		options, err := fields(L, v, "the options of fire", "failures")
		if err == nil {
			failures, err = options.flag("failures"), options.err
		}
		if err != nil {
			L.ArgError(from+2, err.Error())
		}
	}
	if own && !failures && s.worker.project.unloadable() {
		L.RaiseError("%s", notLoaded)
	}
	c, err := s.event(L, name, L.Get(from+1))
	if err != nil {
		L.RaiseError("fire: %s", err)
	}
	within, release := luabind.Context(L)
	defer release()
	ctx, cancel := context.WithCancel(within)
	defer cancel()
	var r *hooks.Result
	var problems []error
	s.serve(L, cancel, func() {
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("luahook itself failed: %v", p)
			}
		}()
		if r, err = e.Fire(ctx, c); err == nil {
			err = e.Drain(ctx)
		}
		problems = e.LoadErrors()
	})
	if missing := s.takeMissing(); missing != "" {
		L.RaiseError("%s", missing)
	}
	if err != nil {
		L.RaiseError("fire: %s", err)
	}
	if !failures {
		if len(problems) > 0 {
			L.RaiseError("the hooks can't be loaded: %s", strings.TrimPrefix(errors.Join(problems...).Error(), "luahook: "))
		}
		for _, run := range r.Summary().Runs {
			if run.Error != nil && run.Status != hooks.StatusSkipped {
				L.RaiseError("%s", hookFailure(run))
			}
		}
	}
	text, err := hooks.EncodeJSON(r)
	var result map[string]any
	if err == nil {
		err = json.Unmarshal(text, &result)
	}
	var v lua.LValue
	if err == nil {
		v, err = luabind.ToLua(L, result)
	}
	if err != nil {
		L.RaiseError("fire: the result can't be read: %s", err)
	}
	if t, ok := v.(*lua.LTable); ok && t.RawGetString("decision") == lua.LNil {
		t.RawSetString("decision", lua.LString(""))
	}
	refuseUnknown(L, v, reflect.TypeFor[shownResult](), "result")
	L.Push(v)
	return 1
}

// shownResult is a result as JSON has it.
type shownResult struct {
	hooks.Result
	Summary *hooks.RunSummary `json:"summary"`
}

// refuseUnknown has reading a key that a value of this type never has raise an error: what a test says of a misspelt
// field would hold. Keys that are absent are nil.
func refuseUnknown(L *lua.LState, v lua.LValue, of reflect.Type, what string) {
	table, ok := v.(*lua.LTable)
	if !ok {
		return
	}
	switch of.Kind() {
	case reflect.Pointer:
		refuseUnknown(L, v, of.Elem(), what)
	case reflect.Slice:
		for i := 1; i <= table.Len(); i++ {
			refuseUnknown(L, table.RawGetInt(i), of.Elem(), fmt.Sprintf("%s[%d]", what, i))
		}
	case reflect.Struct:
		var known []string
		for _, field := range reflect.VisibleFields(of) {
			name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
			if name == "" || name == "-" {
				continue
			}
			known = append(known, name)
			refuseUnknown(L, table.RawGetString(name), field.Type, what+"."+name)
		}
		luabind.Spend(L, 20)
		meta := L.NewTable()
		meta.RawSetString("__metatable", lua.LFalse)
		meta.RawSetString("__index", luabind.NewFunction(L, what, func(L *lua.LState) int {
			if name, ok := L.Get(2).(lua.LString); ok && !slices.Contains(known, string(name)) {
				L.RaiseError("%s has no %q%s", what, string(name), cmp.Or(spelling.DidYouMean(string(name), known), "; there are "+strings.Join(known, ", ")))
			}
			L.Push(lua.LNil)
			return 1
		}))
		table.Metatable = meta
	}
}

// hookFailure says why a hook has failed, and where.
func hookFailure(run hooks.Run) string {
	e := run.Error
	text := fmt.Sprintf("the hook %s failed at %s: %s", run.Hook, cmp.Or(e.Source, run.Source), e.Message)
	for _, more := range []string{e.Snippet, e.Traceback} {
		if more != "" {
			text += "\n" + more
		}
	}
	return text
}

const notLoaded = "hooks of the project can't be loaded, so none of it can be tested"

// unloadable reports whether hooks can't be loaded, and notes that this has kept a test from
// firing at them.
func (p *project) unloadable() bool {
	if len(p.problems) > 0 {
		p.missed.Store(true)
	}
	return len(p.problems) > 0
}

// closed reports whether no test runs.
func (s *session) closed() bool { return s.worker.session.Load() != s || !s.running }

// event makes an event of what a test gives fire.
func (s *session) event(L *lua.LState, name string, given lua.LValue) (*hooks.Context, error) {
	event, err := hooks.ParseEvent(name)
	if err != nil {
		return nil, err
	}
	fields := map[string]any{}
	switch given := given.(type) {
	case *lua.LNilType:
	case lua.LString:
		if info := hooks.Lookup(event); info != nil && !slices.ContainsFunc(info.Fields, func(f hooks.Field) bool { return f.Name == "tool_call" }) {
			return nil, fmt.Errorf("a string is the command of a call of bash, which %s isn't about; give a table", event)
		}
		fields["tool_call"] = map[string]any{"name": "bash", "input": map[string]any{"command": string(given)}}
	case *lua.LTable:
		v, err := luabind.FromLua(L, given)
		if err != nil {
			return nil, fmt.Errorf("the context: %w", err)
		}
		switch v := v.(type) {
		case map[string]any:
			fields = v
		case []any:
			if len(v) > 0 {
				return nil, errors.New("the context is a list, want a table of fields")
			}
		}
	default:
		return nil, fmt.Errorf("the context is a %s, want a table, or the command of a call of bash", given.Type())
	}
	if info := hooks.Lookup(event); info != nil { // what an event doesn't know is its metadata, and no mistake
		var known []string
		for _, f := range info.Fields {
			known = append(known, f.Name)
		}
		for name := range fields {
			if hint := spelling.DidYouMean(name, known); hint != "" && !slices.Contains(known, name) && name != "metadata" {
				return nil, fmt.Errorf("%s has no field %q%s", event, name, hint)
			}
		}
	}
	if err := unknownInRecords(fields); err != nil {
		return nil, err
	}
	all := map[string]any{"session_id": "test", "cwd": filepath.ToSlash(s.worker.root())}
	maps.Copy(all, fields)
	all["event"] = string(event)
	text, err := json.Marshal(all)
	if err != nil {
		return nil, err
	}
	return hooks.DecodeContext(text, "")
}

// unknownInRecords refuses what the records of an event don't have: no hook would see it.
func unknownInRecords(fields map[string]any) error {
	check := func(what, record string, v any) error {
		m, _ := v.(map[string]any)
		known := records[record]
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if slices.Contains(known, key) {
				continue
			}
			near := slices.DeleteFunc(slices.Clone(known), func(key string) bool { return key == "paths" || key == "files" }) // made of the input
			hint := spelling.DidYouMean(key, near)
			switch {
			case hint != "":
			case record == "tool_call":
				hint = "; a tool's arguments belong in input"
			default:
				hint = "; there are " + strings.Join(known, ", ")
			}
			return fmt.Errorf("%s has no %q%s", what, key, hint)
		}
		return nil
	}
	for _, record := range slices.Sorted(maps.Keys(records)) {
		if err := check(record, record, fields[record]); err != nil {
			return err
		}
	}
	calls, _ := fields["tool_calls"].([]any)
	for i, call := range calls {
		if err := check(fmt.Sprintf("tool_calls[%d]", i+1), "tool_call", call); err != nil {
			return err
		}
	}
	return nil
}

// records are the keys of the fields that are records.
var records = map[string][]string{
	"tool_call": new(hooks.ToolCall).Keys(),
	"error":     new(hooks.ErrorInfo).Keys(),
	"usage":     new(hooks.Usage).Keys(),
}

// maxEngines bounds the engines that one test starts.
const maxEngines = 1000

// start is start(yaml).
func (f *testFile) start(L *lua.LState) int {
	s, text := f.session, L.CheckString(1)
	if s.closed() {
		L.RaiseError("start(...) stands in a test")
	}
	if len(s.engines) == maxEngines {
		L.RaiseError("a test starts %d engines at most", maxEngines)
	}
	luabind.Spend(L, 5000)
	if !strings.HasPrefix(text, "hooks:") && !strings.Contains(text, "\nhooks:") {
		text = "hooks:\n  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ") + "\n"
	}
	e, err := s.worker.start(text)
	if err != nil {
		L.RaiseError("start: %s", err)
	}
	s.engines = append(s.engines, e)
	started := L.NewTable()
	started.RawSetString("fire", luabind.NewFunction(L, "fire", func(L *lua.LState) int { return s.fire(L, e, 2) }))
	started.RawSetString("problem", luabind.NewFunction(L, "problem", func(L *lua.LState) int {
		problems := e.LoadErrors()
		if len(problems) == 0 {
			L.Push(lua.LNil)
			return 1
		}
		L.Push(lua.LString(errors.Join(problems...).Error()))
		return 1
	}))
	L.Push(started)
	return 1
}

// start makes an engine with a hooks.yaml of the user's, for the project of the test.
func (w *worker) start(text string) (*engine.Engine, error) {
	c, _ := config.Decode("hooks.yaml", []byte(text)) // what is wrong with it the engine says
	if c != nil {
		for _, h := range c.Hooks {
			if h.Script != "" && !filepath.IsLocal(filepath.FromSlash(h.Script)) {
				return nil, fmt.Errorf("script %s: it lies outside of the test's project", h.Script)
			}
		}
	}
	dir, err := os.MkdirTemp(w.temp, "user-")
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "hooks.yaml"), []byte(text), 0o600); err != nil {
		return nil, withoutPath(err)
	}
	options := []engine.Option{engine.WithUserDir(dir), engine.WithProject(engine.Project{Root: w.root()})}
	return engine.New(append(w.commonOptions(options, w.rehearsal("")), w.Engine...)...)
}

// named are the fields of a table that a test gives.
type named struct {
	t    *lua.LTable
	what string
	err  error
}

// fields reads a table strictly.
func fields(L *lua.LState, v lua.LValue, what string, names ...string) (n *named, err error) {
	t, ok := v.(*lua.LTable)
	if !ok {
		return nil, fmt.Errorf("%s is a %s, want a table", what, v.Type())
	}
	t.ForEach(func(k, _ lua.LValue) {
		if name := luabind.RawText(k); err == nil && !slices.Contains(names, name) {
			err = fmt.Errorf("%s has no %q%s", what, name, cmp.Or(spelling.DidYouMean(name, names), "; there are "+strings.Join(names, ", ")))
		}
	})
	return &named{t: t, what: what}, err
}

func (n *named) get(name string) lua.LValue { return n.t.RawGetString(name) }

func (n *named) wrong(name, want string) {
	n.err = cmp.Or(n.err, fmt.Errorf("%s: %s is a %s, want a %s", n.what, name, n.get(name).Type(), want))
}

func (n *named) text(name string) string {
	switch v := n.get(name).(type) {
	case lua.LString:
		return string(v)
	case *lua.LNilType:
	default:
		n.wrong(name, "string")
	}
	return ""
}

func (n *named) number(name string, absent float64) float64 {
	switch v := n.get(name).(type) {
	case lua.LNumber:
		return float64(v)
	case *lua.LNilType:
	default:
		n.wrong(name, "number")
	}
	return absent
}

func (n *named) flag(name string) bool {
	switch v := n.get(name).(type) {
	case lua.LBool:
		return bool(v)
	case *lua.LNilType:
	default:
		n.wrong(name, "boolean")
	}
	return false
}
