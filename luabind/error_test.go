package luabind_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func TestScriptErrors(t *testing.T) {
	tests := []struct{ body, want string }{
		{`error("no")`, "2: no"},
		{`error("no", 0)`, "2: no"}, // no place of its own: that of the call
		{`local function f() error("no", 2) end f()`, "2: no"},
		{`error()`, "2: it failed without a message"},
		{`error(nil)`, "2: it failed without a message"},
		{`error("", 0)`, "2: it failed without a message"},
		{`error({})`, "2: error object: a table"},
		{`error({ message = "from a table" })`, "2: from a table"},
		{`error({ message = 1 })`, "2: error object: a table"},
		{`error(deny("x"))`, "2: error object: deny() answer"},
		{`error(true)`, "2: error object: true"},
		{`error("other.lua:9: x", 0)`, "2: other.lua:9: x"}, // a file that isn't ours
		{`error(".hooks/a.lua:x: y", 0)`, "2: .hooks/a.lua:x: y"},
		{`error("no stack overflow")`, "2: no stack overflow"},
		{`dney("x")`, `2: there is no global dney; did you mean "deny"?`},
		{`os.execute("ls")`, "2: there is no global os: programs are run with exec.run, variables read with env.get, the time is time.now()"},
		{`assert(false)`, "2: assertion failed!"},
		{`local t = nil; t.x = 1`, `2: t is nil, so it has no "x"`},
		{`local t = { a = {} }; return t.a.b.c`, `2: t.a.b is nil, so it has no "c"`},
		{`return ev.tool_call.input.foo.bar`, `2: ev.tool_call.input.foo is nil, so it has no "bar"`},
		{`local t = { {} }; return t[1].list[2]:find("x")`, `2: t[1].list is nil, so it has no [2]`},
		{`local t, u = nil, {}; return t.x or u.x`, "2: attempt to index a non-table object(nil) with key 'x'"}, // which of them isn't known
		{`local t = nil; return "t.x", t.x -- t.x`, `2: t is nil, so it has no "x"`},
		{`local t = nil; return t["a b"]`, "2: attempt to index a non-table object(nil) with key 'a b'"},
		{`return (nil).x`, "2: attempt to index a non-table object(nil) with key 'x'"},
		{`local n = 1; return n.x`, `2: n is a number, which has no "x"`},
		{`io.open("x")`, "2: there is no global io: files are read with fs.read and written with fs.write, programs run with exec.run"},
		{`loadstring("x")`, "2: there is no global loadstring: a script is what its file says; require loads a library of .hooks/lib"},
		{`getfenv()`, "2: there is no global getfenv"},
		{`local x, f = nosuch, nil; f()`, "2: attempt to call what is no function; is its name misspelt? (there is no global nosuch)"},
		{`local f = nil; f()`, "2: f is no function; is its name misspelt?"},
		{`local c = "rm x"; if c:contains("rm") then end`, "2: c:contains is no function: a text is looked at with s:find(part, 1, true), s:sub and the module text"},
		{`local list = {}; list.push(1)`, "2: list.push is no function: a list is gone through with ipairs(list), and the module table has insert and concat"},
		{`local f, g = nil, nil; return f(1), g(2)`, "2: attempt to call what is no function; is its name misspelt?"}, // which of them isn't known
		{`return "a" + 1`, "2: cannot perform add operation between string and number; texts are joined with .."},
		{`coroutine.yield(1)`, "2: attempt to yield from outside a coroutine"},
		{`coroutine.wrap(function() error("inside") end)()`, "2: inside"},
		{`("x"):gsub(".", function() error("in a callback") end)`, "2: in a callback"},
		{`local ok, e = pcall(function() error("again") end) error(e, 0)`, "2: again"},
	}
	for _, tt := range tests {
		t.Run(tt.body, func(t *testing.T) {
			out, _ := run(t, "\n"+tt.body, shellCall(t))
			wantError(t, out.Err, hooks.KindScript)
			equal(t, "error", out.Err.Brief(), file+":"+tt.want)
			if out.Err.Limit != "" || out.Result != nil {
				t.Errorf("%+v", out)
			}
		})
	}
}

// An error shows the line and marks what it is about, as far as the line shows that.
func TestErrorsMarkThePlace(t *testing.T) {
	for _, test := range []struct{ line, mark string }{
		{`  local x = ev.tool_call.input.foo.bar`, `            ^`},
		{`	return ev.tool_call.input.foo.bar, "ev.tool_call.input.foo.bar"`, `        ^`},
		{`  if true then dney("x") end`, `               ^`},
		{`  return ("x"):rep({}) .. probe`, `               ^`},
		{`  return 1 + ev.no_such_field`, `                ^`},
		{`  return "日本" .. {}`, `                ^`},
		{`  return 1 < "x"`, `           ^`},
		{`  if ev then error("no") end`, `             ^`},
		{`  assert(false)`, `  ^`},
		{`  local f = nil; return 1, f(2)`, `                           ^`},
		{`  local a, b = {}, {}; return a.x.z or b.x.z`, `  ^`}, // which of them isn't known
	} {
		out, _ := run(t, "\n"+test.line, shellCall(t))
		wantError(t, out.Err, hooks.KindScript)
		_, mark, _ := strings.Cut(out.Err.Snippet, "\n")
		if want := "    | " + test.mark; mark != want || !strings.HasPrefix(out.Err.Snippet, "  2 | ") {
			t.Errorf("%s\n%s\nwant the mark\n%s", out.Err.Message, out.Err.Snippet, want)
		}
	}
}

func TestErrorsHaveATraceback(t *testing.T) {
	s := load(t, `
local function inner() error("x") end
local function outer() inner() return 1 end
on("stop", function(ev) outer() return 1 end)`, luabind.Environment{})
	out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
	wantError(t, out.Err, hooks.KindScript, file+":2: x")
	for _, line := range []string{":2:", ":3:", ":4:"} {
		if !strings.Contains(out.Err.Traceback, file+line) {
			t.Errorf("the traceback lacks line %s\n%s", line, out.Err.Traceback)
		}
	}
	if strings.Contains(out.Err.Traceback, "[G]") || !strings.HasSuffix(out.Err.Traceback, "in the hook") {
		t.Errorf("the traceback has what isn't of the script:\n%s", out.Err.Traceback)
	}
}

func TestNamesWithColons(t *testing.T) {
	for _, name := range []string{`C:\hooks\a.lua`, "builtin:guard", "a:1:b.lua"} {
		s, err := luabind.NewState(context.Background(), compiled(t, name, `on("stop", function()`+"\n"+`error("at 12:30: late") end)`), luabind.Environment{})
		if err != nil {
			t.Fatal(err)
		}
		out := s.Call(context.Background(), 0, sample(t, hooks.Stop), luabind.Limits{})
		equal(t, "source", out.Err.Source, name+":2")
		equal(t, "message", out.Err.Message, "at 12:30: late")
	}
}

func TestLoadErrors(t *testing.T) {
	for source, want := range map[string]string{
		"\nerror('x')":           file + ":2: x",
		"\nlocal x = nil .. 'a'": file + ":2: cannot perform concat operation between nil and string",
		"error({})":              file + ":1: error object: a table",
		"\nprobe.panic()":        file + ":2: probe.panic panicked: boom",
		"\nreturn deny('x').y":   file + ":2: ",
		"coroutine.wrap(function() error('in') end)()": file + ":1: in",
	} {
		wantError(t, loadError(t, source, withProbe()), hooks.KindLoad, want)
	}
}

func TestAddressesStayHidden(t *testing.T) {
	object := &struct{ x [64]byte }{}
	prefix := fmt.Sprintf("%p", object)[:6] // where the heap is
	for _, body := range []string{
		`local t local _ = t[{}]`, `local t t[{}] = 1`, `local t t[print] = 1`, `return ev[{}]`, `return ev[print]`, `string[{}] = 1`, `return probe[{}]`,
		`return modify{ [{}] = 1 }`, `return { [print] = 1 }`, `return output{ 1, 2, [{}] = 1 }`, `error({})`, `error(print)`, `error(coroutine.create(function() end))`,
		`error(tostring({}))`, `error(("%s"):format(print))`,
	} {
		out, p := run(t, `local function f() `+body+` end local ok, e = pcall(f) probe.keep(tostring(e)) `+
			`ok, e = coroutine.resume(coroutine.create(f)) probe.keep(tostring(e)) `+body, shellCall(t))
		for _, text := range append(p.kept, out.Err.Error()) {
			if strings.Contains(text.(string), prefix) {
				t.Errorf("%s: %s", body, text)
			}
		}
	}
}
