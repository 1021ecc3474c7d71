package lib

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// onMessage calls a script of one hook, which finds a text of the event as m.
func onMessage(t testing.TB, limits luabind.Limits, body, m string) luabind.Outcome {
	if limits.Timeout == 0 { // how fast a machine is, is not what this is about
		limits.Timeout = time.Minute
	}
	t.Helper()
	s, err := load(t, luabind.Environment{Modules: Modules(), Limits: limits}, strings.ReplaceAll(constants, "\n", " ")+`on("notification", function(ev) local m = ev.message `+body+" end)")
	if err != nil {
		t.Fatal(err)
	}
	c, err := (&hooks.Context{Event: hooks.Notification, Fields: map[string]any{"message": m}}).Complete()
	if err != nil {
		t.Fatal(err)
	}
	return s.Call(context.Background(), 0, c, luabind.Limits{})
}

// TestWhatIsBuiltIsCharged calls functions as often as it takes to be over a small
// limit of memory: each must say what it takes, before the heap is looked at.
func TestWhatIsBuiltIsCharged(t *testing.T) {
	large := strings.Repeat("a,b 'c'\n", 2000)
	for _, tt := range []struct {
		call  string
		times int
	}{
		{`json.encode(m)`, 3}, {`json.encode(three)`, 1}, {`json.encode(one, indent)`, 700}, {`json.encode(ev)`, 3},
		{`json.decode("[1,2,3]")`, 300}, {`json.decode('{"a":1}')`, 110}, {`json.decode(escaped)`, 120}, {`json.decode("[[],[],{}]")`, 200}, {`json.array()`, 700},
		{`re.find_all(m, "a")`, 1}, {`re.find_all(m, "")`, 1}, {`re.captures("ba", "(?P<x>a)")`, 100}, {`re.replace(m, "^a", "bb")`, 3}, {`re.replace(m, "^a,", "")`, 3},
		{`re.split(m, ",")`, 1}, {`re.quote(m)`, 2}, {`re.compile("a")`, 1100}, {`re.match(m, hundred .. i)`, 4},
		{`text.split(m, ",")`, 2}, {`text.lines(m)`, 2}, {`text.truncate(m, 15000)`, 5},
		{`path.join(m, m)`, 2}, {`path.rel("/a", m)`, 1}, {`path.inside("/a", m)`, 2}, {`path.match("*.go" .. i, "x")`, 14}, {`path.match("*", hundred)`, 150},
		{`hash.base64_encode(m)`, 4}, {`hash.hex_encode(m)`, 3}, {`hash.hex_decode(hex)`, 50}, {`hash.base64_decode(base64)`, 30}, {`hash.hmac_sha256(m, "")`, 5},
		{`log.info("x", three)`, 1},
		{`shell.parse("ls -l")`, 10}, {`shell.parse(commands)`, 1}, {`shell.split("a b c")`, 200}, {`shell.quote(m)`, 2}, {`command:flag("-x")`, 80}, {`command:operands()`, 80}, {`command:subcommand()`, 100}, {`command:paths()`, 80},
		{`json.encode(shell.parse("ls").commands)`, 9}, {`shell.parse("ls -l a b c").commands[1].words`, 7},
		{`text.snippets({ { patterns = { "ab" }, except = { hundred } } })`, 300}, {`text.snippets({ { name = hundred, patterns = { "ab" } } })`, 400},
		{`deny("x")`, 450}, {`modify(fields)`, 100}, {`output(ev)`, 100},
	} {
		t.Run(tt.call, func(t *testing.T) {
			out := onMessage(t, luabind.Limits{Memory: 64 << 10, Instructions: 1 << 50, Timeout: 30 * time.Second}, `
				for i = 1, `+strconv.Itoa(tt.times)+` do local _ = `+tt.call+` end`, large)
			if out.Err == nil || out.Err.Limit != hooks.LimitMemory || strings.Contains(out.Err.Error(), "the heap grew") {
				t.Errorf("got %v, want the limit of memory", out.Err)
			}
		})
	}
}

// constants are what a script has made while it loaded, which no run pays for.
const constants = `local escaped = '"' .. ([[\u0041]]):rep(100) .. '"'
local hundred, hex, base64 = ("x"):rep(100), ("61"):rep(500), ("YWFh"):rep(250)
local commands, one, indent, fields = ("a;"):rep(100), { 1 }, { indent = true }, { a = { 1, 2, 3 } }
local command, s = shell.parse("ls -l a b").commands[1], ("x"):rep(4000)
local three = { s, s, s, s, s, s }
`

// TestOneCallThatIsTooMuch ends calls that would take much by themselves.
func TestOneCallThatIsTooMuch(t *testing.T) {
	rep := strings.Repeat
	for _, tt := range []struct {
		name, body, m string
		limits        luabind.Limits
		want          string
	}{
		{"one string many times", `local t = {} for i = 1, 90000 do t[i] = m end json.encode(t)`, rep("x", 1<<20), luabind.Limits{}, "the text would be larger than 8388608 bytes"},
		{"indented far", `local t = json.decode(m) json.encode(t, { indent = true })`, rep("[", 99) + rep("1,", 45000) + "1" + rep("]", 99), luabind.Limits{}, "the text would be larger than 8388608 bytes"},
		{"the event many times", `local t = {} for i = 1, 90000 do t[i] = ev end json.encode(t)`, "x", luabind.Limits{}, "value has more than 100000 parts"},
		{"tables of one key", `json.decode(m)`, "[" + rep(`{"a":1},`, 49000) + "1]", luabind.Limits{Memory: 1 << 20}, "limits.memory"},
		{"a long number", `json.decode(m)`, rep("1", 1<<20), luabind.Limits{}, "a number of more than 1000 characters, at byte 0"},
		{"a key twice", `json.decode(m)`, `{"` + rep("k", 1<<20) + `":1,"` + rep("k", 1<<20) + `":2}`, luabind.Limits{}, "appears twice in one object"},
		{"many groups", `re.find(m, ("(a?)"):rep(2400))`, rep("a", 300), luabind.Limits{}, "too many groups (2400)"},
		{"some groups", `re.find(m, ("(a?)"):rep(240) .. "b")`, rep("a", 1<<20) + "cb", luabind.Limits{Timeout: 50 * time.Millisecond}, "it ran longer"},
		{"a growing text", `re.replace(m, "", ("y"):rep(1000))`, rep("x", 1<<20), luabind.Limits{}, "the result would be larger"},
		{"a list of nothings", `re.split(m, "")`, rep("a", 4<<20), luabind.Limits{}, "limits."},
		{"many lines", `text.lines(m)`, rep("\n", 8<<20), luabind.Limits{}, "limits."},
		{"a long path", `path.rel(m, "/x")`, rep("/a", 1<<20), luabind.Limits{}, "a path of more than 64 KiB"},
		{"a long path to match", `path.match("*", m)`, rep("a", 5000), luabind.Limits{}, "longer than a path can be"},
		{"a long format", `time.date(m)`, rep("%F", 1<<20), luabind.Limits{}, "longer than 10000 bytes"},
		{"words", `shell.split(m)`, rep("a ", 1<<20), luabind.Limits{}, "more than 1048576 bytes"},
		{"wrapped words", `for _, c in ipairs(shell.parse(m).commands) do local _ = c.words end`, rep("sudo ", 30) + rep("a ", 30000), luabind.Limits{}, "limits.memory"},
		{"a class that takes long to read", `re.compile("(?i)" .. ("[B-😀]"):rep(9))`, "", luabind.Limits{}, "it takes too long to read"},
		{"alternatives that begin alike", `re.compile(([[\d]]):rep(1500) .. "a|" .. ([[\d]]):rep(1500) .. "b")`, "", luabind.Limits{}, "it takes too long to read"},
		{"classes that take long to read", `for i = 1, 1000 do re.compile("(?i)[B-😀]" .. i) end`, "", luabind.Limits{}, "limits.instructions"},
		{"such classes, caught", `for i = 1, 1000 do pcall(re.match, "", "(?i)[B-😀](" .. i) end`, "", luabind.Limits{}, "limits.instructions"},
		{"snippets that take long to read", `text.snippets{ { patterns = { "(?i)error" .. ("[B-😀]"):rep(3) } } }`, "", luabind.Limits{}, "it takes too long to read"},
		{"many such snippets", `for i = 1, 1000 do text.snippets{ { patterns = { "error" .. i }, except = { "(?i)[B-😀]" .. i } } } end`, "", luabind.Limits{}, "limits.instructions"},
		{"a class behind many brackets", `re.compile("^" .. ("^"):rep(900) .. "[\\p{Lu}\\p{Nd}\\p{Mn}\\p{So}\\p{Sc}]")`, "", luabind.Limits{}, "it repeats too much"},
		{"patterns to keep", `local p, list = re.compile("a"), {} for i = 1, 101 do list[i] = p end redact.text(m, { keep = list })`, "x", luabind.Limits{}, "at most 100 patterns expected, got 101"},
		{"quotes", `shell.quote(m)`, rep("'", 8<<20), luabind.Limits{}, "limits.memory"},
		{"an error that quotes much", `path.rel(m, "x")`, "/" + rep("a", 60000), luabind.Limits{}, "no path leads from /aaaa"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			out := onMessage(t, tt.limits, tt.body, tt.m)
			if out.Err == nil || !strings.Contains(out.Err.Error(), tt.want) {
				t.Fatalf("got %.500v, want %s", out.Err, tt.want)
			}
			if n := len(out.Err.Error()); n > 5000 {
				t.Errorf("the error has %d bytes", n)
			}
		})
	}
}

// TestLargeUsesPass runs what a hook may well do to a large event under the limits
// that nobody has changed.
func TestLargeUsesPass(t *testing.T) {
	rep := strings.Repeat
	for _, tt := range []struct{ name, body, m string }{
		{"JSON of 2 MiB", `local v = json.decode(m) assert(#v == 25000 and v[7].name == "file.go") assert(#json.encode(v) > 1e6)`, "[" + rep(`{"name":"file.go","text":"`+rep("y", 48)+`"},`, 24999) + "1]"},
		{"a JSON string of 8 MiB", `assert(#json.decode(m) == 8388606)`, `"` + rep("x", 8<<20-2) + `"`},
		{"a string of 6 MiB to JSON", `assert(#json.encode(m) == 6291458)`, rep("x", 6<<20)},
		{"50,000 values", `assert(#json.decode(m) == 50000)`, "[" + rep("1.5,", 49999) + "1]"},
		{"60,000 lines", `assert(#text.split(m, "\n") == 60001 and #text.lines(m) == 60000)`, rep(rep("z", 69)+"\n", 60000)},
		{"replacing in 4 MiB", `local s = re.replace(m, [[token=\w+]], "token=***") assert(not s:find("secret", 1, true) and #s > 3e6)`, rep("token=secret and "+rep("x", 1000)+"\n", 4100)},
		{"searching 16 MiB", `assert(re.match(m, "needle$") and text.contains(m, "needle"))`, rep("hay ", 4<<20) + "needle"},
		{"a hash of 16 MiB", `assert(#hash.sha256(m) == 64 and #hash.md5(m) == 32)`, rep("x", 16<<20)},
		{"a script of 1,000 lines", `local line = shell.parse(m) assert(#line.commands == 1000 and not line.error and not line.too_complex)`, rep("echo one two three four\n", 1000)},
		{"30,000 files", `local cmd = shell.parse(m).commands[1] assert(cmd.name == "rm" and cmd:flag("-f"))`, "rm -f " + rep("x ", 30000)},
		{"10,000 matches of a path", `for i = 1, 10000 do assert(path.match("src/**/*.go", "src/a/b/c.go", "/repo")) end`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if out := onMessage(t, luabind.Limits{Timeout: 30 * time.Second}, tt.body, tt.m); out.Err != nil {
				t.Errorf("%.500v", out.Err)
			}
		})
	}
}

// TestCachesHoldLittle fills the caches that all states share.
func TestCachesHoldLittle(t *testing.T) {
	programs := newCache[*program](maxPrograms, maxProgramsSize)
	modules := []luabind.Module{reModule(programs)}
	err := run(t, modules, `for i = 1, 100 do re.match("", "(?:[a-z]x?){800}" .. i) end`, luabind.Limits{Instructions: 1 << 40, Memory: 1 << 40, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if programs.size > maxProgramsSize || programs.size == 0 {
		t.Errorf("patterns of %d instructions are kept", programs.size)
	}
	m := newMatchers()
	err = run(t, []luabind.Module{pathModule(m)}, `for i = 1, 100 do path.match(("*|"):rep(300) .. i, "x") end`, luabind.Limits{Instructions: 1 << 40, Memory: 1 << 40, Timeout: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	if m.size > maxMatchersSize || m.size == 0 {
		t.Errorf("globs of %d bytes are kept", m.size)
	}
}

// TestSharedTablesStay tries to change what all values of a state share.
func TestSharedTablesStay(t *testing.T) {
	for _, attempt := range []string{
		`getmetatable(re.compile("a")).__index = nil`,
		`setmetatable(shell.parse("a"), {})`,
		`setmetatable(shell.parse("a").commands[1], {})`,
		`setmetatable(json.array(), nil)`,
		`re.compile("a").match = 1`,
		`json.null.x = 1`,
		`rawset(json, "encode", 1)`,
	} {
		err := run(t, Modules(), attempt, luabind.Limits{})
		var e *hooks.Error
		if !errors.As(err, &e) || e.Kind != hooks.KindLoad {
			t.Errorf("%s: %v, want an error", attempt, err)
		}
	}
	runScripts(t, []script{
		{"commands of one line are apart", `local a, b = shell.parse("x y"), shell.parse("x y") a.commands[1].words[1].text = "z" a.commands[1].flag = nil assert(b.commands[1].words[1].text == "y" and b.commands[1]:operands()[1] == "y")`, ""},
		{"a method is not a shared field", `local c = shell.parse("x -y").commands[1] c.flag = print assert(shell.parse("x -y").commands[1]:flag("-y"))`, ""},
	})
}

// colliding makes a text whose rolling hash, as package strings has it, is that of as many
// "b", so that looking for it among them compares it at every byte.
const colliding = `local a, c = "a", "c" for i = 1, 8 do a, c = a .. c, c .. a end
local many, needle, long = ("b"):rep(2^18), ("b"):rep(2^15) .. a, ("b"):rep(9000) .. a `

// A text that is looked for costs what comparing it does, whatever is in it.
func TestLookingForATextIsCharged(t *testing.T) {
	for _, body := range []string{
		`text.contains(many, needle)`,
		`text.split(many, needle)`,
		`text.split(many .. needle .. many, needle)`,
		`re.match("ac" .. many, long .. "x?")`,
		`re.find("ac" .. many, long .. "x?")`,
		`re.find_all("ac" .. many, long .. ".")`,
		`re.split("ac" .. many, long .. "x?")`,
		`re.replace("ac" .. many, long .. "x?", "")`,
		`string.find(many, needle, 1, true)`,
		`string.gsub(many, needle, "")`,
	} {
		t.Run(body, func(t *testing.T) {
			out := onMessage(t, luabind.Limits{Instructions: 5_000_000}, colliding+body, "")
			if out.Err == nil || out.Err.Limit != hooks.LimitInstructions {
				t.Errorf("got %v, want the limit of instructions", out.Err)
			}
		})
	}
}

// Options and lists of a script may have lost a million items, and a list may hold
// another many times: going over them is charged, each time.
func TestWalkingOverListsIsCharged(t *testing.T) {
	const once = 100_000/8 - 100
	for _, tt := range []struct {
		body  string
		least int64
	}{
		{`text.snippets(gone)`, once},
		{`text.snippets({ { patterns = gone } })`, once},
		{`text.snippets({ { patterns = { "ab" }, except = gone } })`, once},
		{`text.snippets({ gone, gone, gone, gone })`, once}, // the first is no group
		{`text.excerpt("x", gone)`, once},
		{`redact.text("x", { keep = gone })`, once},
		{`redact.text("x", gone)`, once},
		{`redact.value({ gone, gone, gone })`, 3 * once},
		{`json.encode({ gone, gone, gone })`, 3 * once},
		{`json.encode(1, gone)`, once},
		{`json.array(gone)`, 2 * once},
		{`sql.find(gone)`, once},
		{`log.info("x", { a = gone, b = gone })`, 2 * once},
		{`shell.parse("x", gone)`, once},
	} {
		t.Run(tt.body, func(t *testing.T) {
			s, err := load(t, luabind.Environment{Modules: Modules()}, `local gone = {} gone[100000] = 1 gone[100000] = nil
				on("stop", function() pcall(function() `+tt.body+` end) end)`)
			if err != nil {
				t.Fatal(err)
			}
			out := s.Call(context.Background(), 0, &hooks.Context{Event: hooks.Stop}, luabind.Limits{})
			if out.Err != nil || out.Instructions < tt.least {
				t.Errorf("it costs %d, want at least %d (%v)", out.Instructions, tt.least, out.Err)
			}
		})
	}
}

// asked counts how often a run looks at its context, which it does when it looks at the clock.
type asked struct {
	context.Context
	times int64
}

func (a *asked) Err() error { a.times++; return a.Context.Err() }

// A list that a module has made is as large as one of the script's own: once it was emptied, to ask for its length takes
// long, so the clock is looked at more often.
func TestTheClockIsLookedAtMoreOftenForListsOfModules(t *testing.T) {
	large := strings.Repeat("a,\n", 90_000)
	for _, list := range []string{
		`text.lines(m)`, `text.split(m, ",")`, `re.find_all(m, "a")`, `re.split(m, ",")`,
		`json.decode("[" .. m:gsub("a,\n", "1,") .. "1]")`, `ev.tool_call.input.list`,
	} {
		t.Run(list, func(t *testing.T) {
			s, err := load(t, luabind.Environment{Modules: Modules(), Limits: wide}, `on("pre_tool_call", function(ev) local m = ev.tool_call.input.m
				local list = `+list+`
				for i = 1, 100000 do end end)`)
			if err != nil {
				t.Fatal(err)
			}
			input := map[string]any{"m": large}
			if strings.HasPrefix(list, "ev.") {
				input["list"] = slices.Repeat([]any{1}, 90_000)
			}
			c, err := (&hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "x", Input: input}}).Complete()
			if err != nil {
				t.Fatal(err)
			}
			ctx := &asked{Context: context.Background()}
			if out := s.Call(ctx, 0, c, luabind.Limits{}); out.Err != nil {
				t.Fatal(out.Err)
			}
			if ctx.times < 100_000/16 {
				t.Errorf("%d looks", ctx.times)
			}
		})
	}
}
