package lib

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// script is a Lua text that checks itself with assert, or fails with an error that
// contains want.
type script struct{ name, lua, want string }

// run loads a script in a state of its own and returns the error of loading it.
func run(t testing.TB, modules []luabind.Module, source string, limits luabind.Limits) error {
	t.Helper()
	_, err := load(t, luabind.Environment{Modules: modules, Limits: limits}, source)
	return err
}

func load(t testing.TB, env luabind.Environment, source string) (*luabind.State, error) {
	t.Helper()
	p, err := compile.Script("test.lua", source)
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	s, err := luabind.NewState(context.Background(), p, env)
	if err == nil {
	}
	return s, err
}

// wide is for tests that do much.
var wide = luabind.Limits{Instructions: 200_000_000, Timeout: 30 * time.Second}

// prelude gives the scripts a few words.
const prelude = `
local function fails(want, f, ...)
  local ok, err = pcall(f, ...)
  assert(not ok, "no error, want: " .. want)
  assert(text.contains(tostring(err), want), "error: " .. tostring(err) .. "\nwant: " .. want)
end
local function same(got, want)
  if type(got) == "table" or type(want) == "table" then got, want = json.encode(got), json.encode(want) end
  if got ~= want then error("got " .. tostring(got) .. ", want " .. tostring(want), 2) end
end
`

func runScripts(t *testing.T, scripts []script) {
	t.Helper()
	modules := Modules()
	for _, s := range scripts {
		t.Run(s.name, func(t *testing.T) {
			err := run(t, modules, strings.ReplaceAll(prelude, "\n", " ")+s.lua, wide)
			switch {
			case err == nil && s.want != "":
				t.Errorf("no error, want %q", s.want)
			case err != nil && s.want == "":
				t.Error(err)
			case err != nil && !strings.Contains(err.Error(), s.want):
				t.Errorf("got error  %v\nwant error %s", err, s.want)
			}
		})
	}
}

// TestExamples runs the examples, in a project with everything granted.
func TestExamples(t *testing.T) {
	for _, m := range Modules() {
		for n, f := range m.Functions {
			t.Run(m.Name+"."+f.Name, func(t *testing.T) {
				env := exampleEnvironment(t, m.Name)
				if _, err := load(t, env, f.Example); err != nil {
					t.Errorf("%v\n%s", err, f.Example)
				}
				if !strings.Contains(f.Example, m.Name+"."+f.Name+"(") && !strings.Contains(f.Example, m.Name+"."+f.Name+"{") && !strings.Contains(f.Example, ":"+f.Name+"(") {
					t.Errorf("the example of function %d doesn't call it: %s", n, f.Example)
				}
				if !strings.Contains(f.Example, "assert(") && m.Name != "log" {
					t.Errorf("the example checks nothing: %s", f.Example)
				}
			})
		}
	}
}

func TestDocumented(t *testing.T) {
	var names []string
	for _, m := range Modules() {
		names = append(names, m.Name)
		if m.Help == "" || strings.Contains(m.Help, "\n") {
			t.Errorf("module %s: help %q", m.Name, m.Help)
		}
		seen := map[string]bool{}
		for _, f := range m.Functions {
			if f.Name == "" || f.Example == "" || f.Go == nil || seen[f.Name] {
				t.Errorf("%s.%s is incomplete or there twice", m.Name, f.Name)
			}
			seen[f.Name] = true
			if !strings.HasPrefix(f.Signature, m.Name+"."+f.Name+"(") {
				t.Errorf("%s.%s: signature %q", m.Name, f.Name, f.Signature)
			}
			if f.Help == "" || strings.Contains(f.Help, "\n") {
				t.Errorf("%s.%s: help %q", m.Name, f.Name, f.Help)
			}
		}
		for _, c := range m.Constants {
			if c.Name == "" || c.Type == "" || c.Help == "" || c.Value == nil {
				t.Errorf("constant %s.%s is incomplete", m.Name, c.Name)
			}
		}
	}
	if got := strings.Join(names, " "); got != "json re text path time hash log shell sql fs env git exec http store redact tasks" {
		t.Errorf("modules: %s", got)
	}
}

// TestArguments calls every function that takes arguments without any: the error
// names the function even where it isn't called by its name.
func TestArguments(t *testing.T) {
	granted := hooks.Grants{FSRead: true, FSWrite: true, Git: true, Env: []string{"A"}, Exec: []string{"a"}, HTTP: []string{"a"}, Tasks: true}
	env := luabind.Environment{Modules: Modules(), Grants: granted, Root: t.TempDir()}
	optional, textual := regexp.MustCompile(`\((\w+\?|\))`), regexp.MustCompile(`\(\w+: string[,)]`)
	for _, m := range Modules() {
		for _, f := range m.Functions {
			if optional.MatchString(f.Signature) {
				continue
			}
			want := "bad argument #1 to " + f.Name + " ("
			_, err := load(t, env, `local f = `+m.Name+`.`+f.Name+` local ok, e = pcall(f) assert(not ok) error(e, 0)`)
			if err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "got nil") {
				t.Errorf("%s.%s: got %v, want %q", m.Name, f.Name, err, want)
			}
			_, err = load(t, env, "\n"+m.Name+"."+f.Name+"({}, {}, {})")
			if textual.MatchString(f.Signature) && (err == nil || !strings.Contains(err.Error(), "test.lua:2: "+want+"string expected, got table)")) {
				t.Errorf("%s.%s: got %v", m.Name, f.Name, err)
			}
		}
	}
}

// TestLimits runs functions over much data: whatever they do stays within a run's
// limits, or is refused.
func TestLimits(t *testing.T) {
	modules := Modules()
	for name, source := range map[string]string{
		"quadratic matches":   `local s = ("a"):rep(1000000) re.find_all(s, "a+b|a")`,
		"quadratic replace":   `local s = ("a"):rep(1000000) re.replace(s, "a.*b|a", "")`,
		"wide program":        `local s = ("a"):rep(1000000) for i = 1, 100 do re.match(s, "(?:[a-z]?){1000}[a-z]{1000}0") end`,
		"wide program, find":  `local s = ("ba"):rep(1000000) for i = 1, 100 do re.find(s, "a(?:[a-z]?){1000}[a-z]{1000}0") end`,
		"compiling":           `for i = 1, 1e6 do re.match("", "(?:[a-z]x?){1000}" .. i) end`,
		"bad patterns":        `for i = 1, 1e9 do pcall(re.match, "", ("a"):rep(9000) .. "(" .. i) end`,
		"encoding":            `local t = {} for i = 1, 50000 do t[i] = i end while true do pcall(json.encode, t) end`,
		"encoding a cycle":    `local t = {} for i = 1, 300 do t[i] = t end while true do pcall(json.encode, t) end`,
		"decoding":            `local s = "[" .. ("1,"):rep(90000) .. "1]" while true do pcall(json.decode, s) end`,
		"hashing":             `local s = ("a"):rep(1000000) while true do pcall(hash.sha256, s) end`,
		"parsing":             `local s = ("a;"):rep(30000) while true do pcall(shell.parse, s) end`,
		"reading SQL":         `local s = ("DROP TABLE a;"):rep(5000) while true do pcall(sql.parse, s) end`,
		"finding SQL":         `local t = { queries = {} } for i = 1, 50 do t.queries[i] = ("DROP TABLE a;"):rep(1000) end while true do pcall(sql.find, t) end`,
		"finding no SQL":      `local line = shell.parse(("cat x;"):rep(9000)) while true do sql.find(line) end`,
		"globs":               `local s = ("a/"):rep(8000) while true do pcall(path.match, ("**/?"):rep(200), s) end`,
		"empty groups":        `local s = ("a"):rep(1000000) re.replace(s, "()", ("$1"):rep(30000))`,
		"splitting":           `local s = ("a,"):rep(100000) while true do text.split(s, ",") end`,
		"method on long list": `local c = shell.parse("x " .. ("a "):rep(30000)).commands[1] while true do c:flag("-x") end`,
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			err := run(t, modules, source, luabind.Limits{Timeout: 300 * time.Millisecond})
			var e *hooks.Error
			if !errors.As(err, &e) || e.Kind != hooks.KindLimit {
				t.Errorf("got %v, want a limit", err)
			}
			if took := time.Since(start); took > 3*time.Second {
				t.Errorf("it took %v", took)
			}
		})
	}
}

// A path that stands for many is compared with a pattern part by part, which is paid before.
func TestMatchingWhatIsReachedIsPaid(t *testing.T) {
	call := `path.match(("*a"):rep(400) .. "/**", ("*a"):rep(1500) .. %q)`
	limits := luabind.Limits{Instructions: 200000, Timeout: 30 * time.Second}
	if err := run(t, Modules(), strings.ReplaceAll(fmt.Sprintf(call, ""), "*a\"):rep(1", "aa\"):rep(1"), luabind.Limits{Timeout: 30 * time.Second}); err != nil {
		t.Fatal(err)
	}
	var e *hooks.Error
	if err := run(t, Modules(), fmt.Sprintf(call, "/"), limits); !errors.As(err, &e) || e.Limit != hooks.LimitInstructions {
		t.Errorf("got %v, want the limit of instructions", err)
	}
}

// Searches that read far behind each match, and errors, end by the work that they take and not by the clock.
func TestLongWorkIsPaid(t *testing.T) {
	for _, source := range []string{
		`re.find_all(("x"):rep(65536), "x(x*y)?")`,
		`re.replace(("x"):rep(65536), "x(x*y)?", "")`,
		`re.split(("x"):rep(65536), "x(x*y)?")`,
		`local s = ("ab cd "):rep(16384) for i = 1, 100 do re.match(s, "(?i)([a-z]+ ){3}zz") end`,
		`for i = 1, 20000 do pcall(error, "x") end`,
		`for i = 1, 20000 do pcall(function() return text.nothing end) end`,
		`for i = 1, 4000 do coroutine.wrap(function() end)() end`,
	} {
		var e *hooks.Error
		if err := run(t, Modules(), source, luabind.Limits{Instructions: 1_000_000, Memory: 1 << 30, Timeout: time.Hour}); !errors.As(err, &e) || e.Limit != hooks.LimitInstructions {
			t.Errorf("%s: got %v, want the limit of instructions", source, err)
		}
	}
}

func TestLog(t *testing.T) {
	var b bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&b, &slog.HandlerOptions{Level: slog.LevelDebug, ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
		if a.Key == slog.TimeKey {
			return slog.Attr{}
		}
		return a
	}}))
	_, err := load(t, luabind.Environment{Modules: Modules(), Logger: logger}, `log.debug("one")
log.info("two", { b = 1, a = { 1, 2 } })
log.warn(3)
log.error("four", {})
assert(not pcall(log.info, "x", "fields"))
assert(not pcall(log.info, "x", { f = print }))
`)
	if err != nil {
		t.Fatal(err)
	}
	want := `level=DEBUG msg=one source=test.lua:1
level=INFO msg="two {\"a\":[1,2],\"b\":1}" source=test.lua:2
level=WARN msg=3 source=test.lua:3
level=ERROR msg="four {}" source=test.lua:4
`
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// TestEvent hands an event to the modules, as hooks do.
func TestEvent(t *testing.T) {
	s, err := load(t, luabind.Environment{Modules: Modules()}, `on("pre_tool_call", function(ev)
  local copy = json.decode(json.encode(ev))
  assert(copy.tool_call.input.command == "rm -rf x" and copy.event == "pre_tool_call")
  assert(json.decode(json.encode(ev.tool_call)).name == "bash")
  assert(json.encode(ev.tool_call.input) == '{"command":"rm -rf x","id":9007199254740993,"list":[],"none":null}')
  log.info("seen", ev)
  local cmd = shell.parse(ev.tool_call.command).commands[1]
  if cmd.name == "rm" and cmd:flag("-r") and not path.inside("/repo", "../" .. cmd:operands()[1]) then return deny("no") end
end)`)
	if err != nil {
		t.Fatal(err)
	}
	c, err := hooks.DecodeContext([]byte(`{"tool_call":{"name":"Bash","input":{"command":"rm -rf x","id":9007199254740993,"list":[],"none":null}}}`), hooks.PreToolCall)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		out := s.Call(context.Background(), 0, c, luabind.Limits{})
		if out.Err != nil || out.Result == nil || out.Result.Reason != "no" {
			t.Errorf("%+v %v", out.Result, out.Err)
		}
	}
}

// TestShared runs the same modules in several states at once.
func TestShared(t *testing.T) {
	modules := Modules()
	done := make(chan error)
	for range 4 {
		go func() {
			done <- run(t, modules, `for i = 1, 300 do
				assert(re.find("x" .. i, "[0-9]+" .. "|" .. i % 7) == tostring(i))
				assert(#re.find_all("1 2 3", "\\d|" .. i) == 3)
				assert(path.match("*" .. i .. ".go", "a/" .. i .. ".go"))
			end`, wide)
		}()
	}
	for range 4 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

func TestCache(t *testing.T) {
	c := newCache[int](3, 10)
	put := func(text string, size int) { c.put(text, len(text), size) }
	put("a", 1)
	put("b", 1)
	put("c", 1)
	c.get("a")
	put("d", 1) // b goes
	if _, ok := c.get("b"); ok {
		t.Error("b is still there")
	}
	if v, ok := c.get("a"); !ok || v != 1 {
		t.Error("a is gone")
	}
	put("large", 9) // with it no more than one
	if len(c.entries) != 2 || c.size != 10 {
		t.Errorf("%d entries of size %d", len(c.entries), c.size)
	}
	put("larger", 11)
	put("large", 9)
	if len(c.entries) != 2 || c.order.Len() != 2 {
		t.Errorf("%d entries", len(c.entries))
	}
}

// TestLazyModules: scripts find each module under its name, whoever made it.
func TestLazyModules(t *testing.T) {
	whole, lazy := Modules(), LazyModules()
	if len(whole) != len(lazy) {
		t.Fatalf("%d modules, and %d lazy ones", len(whole), len(lazy))
	}
	for i, m := range whole {
		if lazy[i].Name != m.Name {
			t.Errorf("%s is called %s where it is lazy", m.Name, lazy[i].Name)
		}
	}
	if names, want := luabind.Names(lazy, nil), luabind.Names(whole, nil); !reflect.DeepEqual(names, want) {
		t.Errorf("lazy modules have %v, want %v", names, want)
	}
}
