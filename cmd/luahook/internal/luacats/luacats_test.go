package luacats

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/parse"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/hooks/schema"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib"
	"github.com/luahook/luahook/luatest"
)

func stub(t *testing.T) string {
	t.Helper()
	text, err := Stub()
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestStubIsWhole needs no editor: the file is Lua, begins with the mark that keeps it from being a hook, and defines each
// class that it names, once.
func TestStubIsWhole(t *testing.T) {
	text := stub(t)
	if _, err := parse.Parse(strings.NewReader(text), "luahook.lua"); err != nil {
		t.Error(err)
	}
	if first, _, _ := strings.Cut(text, "\n"); !strings.HasPrefix(first, "---@meta") {
		t.Errorf("the first line is %q", first)
	}
	defined := map[string]int{}
	for _, m := range regexp.MustCompile(`(?m)^---@(?:class|alias) ([\w.]+)`).FindAllStringSubmatch(text, -1) {
		defined[m[1]]++
	}
	for name, n := range defined {
		if n > 1 {
			t.Errorf("%s is defined %d times", name, n)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if !strings.HasPrefix(line, "---@") {
			continue
		}
		for _, name := range regexp.MustCompile(`\bluahook\.\w+`).FindAllString(line, -1) {
			if defined[name] == 0 {
				t.Errorf("%s: %s isn't defined", line, name)
			}
		}
	}
}

func TestStubHasAllThatScriptsFind(t *testing.T) {
	text := stub(t)
	has := func(want string) {
		t.Helper()
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, info := range hooks.Events() {
		has(fmt.Sprintf("---@overload fun(event: %q, fn: fun(ev: %s)", info.Name, className(info.Name)))
		has(fmt.Sprintf("---@overload fun(event: %q, options: luahook.Options, fn: fun(ev: %s)", info.Name, className(info.Name)))
		fields := fieldsOf(t, text, className(info.Name))
		for _, f := range info.Fields {
			if !slices.Contains(fields, f.Name) {
				t.Errorf("%s has no field %s", className(info.Name), f.Name)
			}
		}
	}
	for _, f := range slices.Concat(luabind.Globals, lib.Words()) {
		has("\nfunction " + f.Name + "(")
	}
	for _, m := range lib.Modules() {
		has("\n" + m.Name + " = {}\n")
		for _, f := range m.Functions {
			has("\nfunction " + m.Name + "." + f.Name + "(")
			has("\n---" + strings.SplitN(strings.TrimSpace(f.Example), "\n", 2)[0] + "\n")
		}
		for _, c := range m.Constants {
			if !slices.Contains(fieldsOf(t, text, "luahook."+m.Name), c.Name) {
				t.Errorf("luahook.%s has no field %s", m.Name, c.Name)
			}
		}
	}
	for _, want := range []string{
		"---@param command string\n---@param options? { cwd?: string, home?: string, language?: string }\n---@return luahook.ShellLine\nfunction shell.parse(command, options) end",
		"---@param reason? string\n---@return luahook.Answer\nfunction deny(reason) end",
		"---@return string?\n---@return string? ...\nfunction re.find(",
		"---@param change fun(old: any): any\n",
		"---@return { name: string, type: string }[]|nil\n---@return string?\nfunction fs.list(",
		"---@return string|boolean\nfunction ShellCommand:flag(name, ...) end",
	} {
		has(want)
	}
}

// fieldsOf lists the fields of a class.
func fieldsOf(t *testing.T, text, class string) (names []string) {
	t.Helper()
	at := regexp.MustCompile(`(?m)^---@class ` + regexp.QuoteMeta(class) + `(: .*)?$`).FindStringIndex(text)
	if at == nil {
		t.Fatalf("no class %s", class)
	}
	for line := range strings.Lines(text[at[1]+1:]) {
		if !strings.HasPrefix(line, "---") {
			break
		}
		if m := regexp.MustCompile(`^---@field (\w+)`).FindStringSubmatch(line); m != nil {
			names = append(names, m[1])
		}
	}
	return names
}

// TestStubFitsTheEngine holds what is written by hand against what it describes.
func TestStubFitsTheEngine(t *testing.T) {
	text := stub(t)
	same := func(class string, want []string) {
		t.Helper()
		got := fieldsOf(t, text, class)
		slices.Sort(got)
		if want = slices.Sorted(slices.Values(want)); !slices.Equal(got, want) {
			t.Errorf("%s has %q, want %q", class, got, want)
		}
	}
	same("luahook.ToolCall", (&hooks.ToolCall{}).Keys())
	same("luahook.ErrorInfo", (&hooks.ErrorInfo{}).Keys())
	same("luahook.Usage", (&hooks.Usage{}).Keys())

	var result struct{ Properties map[string]any }
	if err := json.Unmarshal(schema.Result(), &result); err != nil {
		t.Fatal(err)
	}
	delete(result.Properties, "line") // of --jsonl
	delete(result.Properties, "error")
	same("luahook.Result", slices.Collect(maps.Keys(result.Properties)))
	for _, name := range []string{"contexts", "warnings", "summary"} { // which the engine writes
		delete(result.Properties, name)
	}
	same("luahook.AnswerTable", slices.Collect(maps.Keys(result.Properties)))

	options := `on("pre_tool_call", { name = "x", match = { kind = "shell", tool = "bash", command = "x", file = "y" }, priority = 1, timeout = "1s", on_failure = "warn", once = true, always = true, enabled = true, mode = "sync" }, function() end)`
	for _, f := range fieldsOf(t, text, "luahook.Options") {
		if !strings.Contains(options, " "+f+" = ") {
			t.Errorf("this test doesn't try the option %s", f)
		}
	}
	runs(t, options)
	runs(t, `on("pre_tool_call", { match = { path = "x" } }, function() end)`)
	for _, f := range fieldsOf(t, text, "luahook.Match") {
		if !strings.Contains(options, " "+f+" = ") && f != "path" {
			t.Errorf("this test doesn't try match.%s", f)
		}
	}
}

// TestStubHasWhatIsLeftOfLua tries Lua's own functions in the sandbox.
func TestStubHasWhatIsLeftOfLua(t *testing.T) {
	var there, gone strings.Builder
	for _, name := range []string{
		"assert", "collectgarbage", "dofile", "error", "getfenv", "getmetatable", "ipairs", "load", "loadfile", "loadstring", "module", "newproxy", "next",
		"pairs", "pcall", "print", "rawequal", "rawget", "rawset", "require", "select", "setfenv", "setmetatable", "tonumber", "tostring", "type", "unpack", "xpcall",
	} {
		if strings.Contains(stub(t), "\nfunction "+name+"(") {
			fmt.Fprintf(&there, "assert(type(%s) == 'function', '%s')\n", name, name)
		} else {
			fmt.Fprintf(&gone, "assert(%s == nil, '%s')\n", name, name)
		}
	}
	var settings struct {
		Builtin map[string]string `json:"runtime.builtin"`
		Version string            `json:"runtime.version"`
	}
	if err := json.Unmarshal(Settings, &settings); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"bit", "bit32", "coroutine", "debug", "ffi", "io", "jit", "math", "os", "package", "string", "table", "utf8"} {
		if settings.Builtin[name] == "disable" {
			fmt.Fprintf(&gone, "assert(%s == nil, '%s')\n", name, name)
		} else {
			fmt.Fprintf(&there, "assert(type(%s) == 'table', '%s')\n", name, name)
		}
	}
	there.WriteString("assert(_VERSION == '" + settings.Version + "' and _G)\n")
	runs(t, there.String()+gone.String()+"on('stop', function() end)")
}

// runs loads a script.
func runs(t *testing.T, script string) {
	t.Helper()
	e, err := engine.New(engine.WithScript("x.lua", script))
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range e.LoadErrors() {
		t.Errorf("%v\n%s", err, script)
	}
	if err := e.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestSignaturesThatAreWrong(t *testing.T) {
	for _, text := range []string{"", "f", "f(", "f(a", "f(a:", "f(a: string", "f(a: nope)", "f(): ", "f(a: {b: string)", "f(a: table<string)", "f() x", `f(a: "b)`, "f(a,,b)", "f(a: " + strings.Repeat("{a: ", 100)} {
		if s, err := parseSignature(text, known); err == nil {
			t.Errorf("%q is %+v", text, s)
		}
	}
}

func FuzzParseSignature(f *testing.F) {
	for _, m := range lib.Modules() {
		for _, function := range m.Functions {
			f.Add(function.Signature)
		}
	}
	f.Add(`x:y(...: "read"|"write"): table<string, any>[]?, ...string`)
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseSignature(text, known)
		if err != nil {
			return
		}
		for _, p := range slices.Concat(s.params, s.returns) {
			if p.of == "" {
				t.Errorf("%q: %+v has no type", text, p)
			}
		}
	})
}

// Editors know every function that tests have.
func TestStubHasTheWordsOfTests(t *testing.T) {
	text := stub(t)
	for _, f := range luatest.Words() {
		if !strings.Contains(text, "\nfunction "+f.Name+"(") {
			t.Errorf("the stub has no %s", f.Name)
		}
	}
	var see func(m luabind.Module)
	see = func(m luabind.Module) {
		for _, f := range m.Functions {
			class := strings.ReplaceAll(m.Name, "fake.", "Fake.") // Fake.store is of the class FakeStore
			if name, inner, ok := strings.Cut(class, "."); ok {
				class = name + strings.ToUpper(inner[:1]) + inner[1:]
			}
			if !strings.Contains(text, "function "+class+"."+f.Name+"(") {
				t.Errorf("the stub has no %s.%s", m.Name, f.Name)
			}
		}
		for _, inner := range m.Modules {
			see(inner)
		}
	}
	for _, m := range luatest.Modules() {
		see(m)
	}
}
