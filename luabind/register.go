package luabind

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/regex"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind/compile"
)

// Globals are the words of hooks: what every script finds beside the modules.
var Globals = []Function{
	{"on", "on(event: string|string[], [options: table,] fn: function(ev))", "registers a hook for an event, for each of a list, or with \"*\" for all; only while the script loads", `on("pre_tool_call", { match = "bash" }, function(ev) end)`, register},
	{"deny", "deny(reason?: string): Answer", "answer: the event must not go on", `return deny("use --force-with-lease")`, textAnswer("deny", true)},
	{"ask", "ask(reason?: string): Answer", "answer: a person should decide", `return ask("this touches production")`, textAnswer("ask", true)},
	{"allow", "allow(reason?: string): Answer", "answer: go on, without asking", `return allow("read-only")`, textAnswer("allow", true)},
	{"modify", "modify(changes: table): Answer", "answer: merges these keys into the input", `return modify{ timeout = 60 }`, valueAnswer("modify", true)},
	{"replace", "replace(input: table): Answer", "answer: this is the whole input now", `return replace{ command = "true" }`, valueAnswer("replace", true)},
	{"output", "output(value: any): Answer", "answer: this is the tool's output now", `return output(text.truncate(ev.tool_call.output, 1000))`, valueAnswer("output", false)},
	{"respond", "respond(value: any): Answer", "answer: take this as the tool's result and don't run it", `return respond("cached: 42")`, valueAnswer("respond", false)},
	{"context", "context(text: string): Answer", "answer: tell the model this", `return context("The build takes 3 minutes.")`, textAnswer("context", false)},
	{"halt", "halt(reason?: string): Answer", "answer: end the whole turn", `return halt("budget used up")`, textAnswer("halt", true)},
	{"message", "message(text: string): Answer", "answer: tell the user this", `return message("formatted 3 files")`, textAnswer("message", false)},
	{"print", "print(...)", "writes a line to the hook log", `print(ev.tool_call.name)`, print},
	{"require", "require(name: string): any", "a module, or a file of .hooks/lib/", `local rules = require("rules")`, require},
}

// register is on(event, [options,] fn). event is a name, a list of names, or "*" for every event of the catalogue.
func register(L *lua.LState) int {
	s := stateOf(L)
	if !s.loading {
		L.RaiseError("on(...) registers hooks only while the script loads, not while one runs")
	}
	events := eventsOf(L)
	var options hooks.Options
	fn, last := L.Get(2), 2
	if given, ok := fn.(*lua.LTable); ok {
		var err error
		if options, err = decodeOptions(L, given); err == nil {
			events, err = matching(events, options.Match)
		}
		if err != nil {
			L.RaiseError("on: %s", err)
		}
		fn, last = L.Get(3), 3
	}
	f, ok := fn.(*lua.LFunction)
	if !ok {
		L.RaiseError("on: want on(event, function) or on(event, {options}, function), got %s where the function should be", fn.Type())
	}
	if L.GetTop() > last {
		L.RaiseError("on: a %s after the function, which comes last; options stand before it", L.Get(last+1).Type())
	}
	answers := answersIn(L, f)
	for _, e := range events {
		if len(s.registrations) == maxRegistrations {
			L.RaiseError("on: more than %d hooks in one script", maxRegistrations)
		}
		Spend(L, 16)
		Allocate(L, registrationBytes)
		r := Registration{Event: e.event, Spelling: e.spelling, Options: options, Source: where(L), Answers: answers}
		if options.Mode == hooks.ModeAsync {
			if err := r.CheckAsync(options.OnFailure); err != nil {
				L.RaiseError("on: %s", err)
			}
		}
		s.registrations = append(s.registrations, r)
		s.spelled = s.spelled || r.Spelling != ""
		s.functions = append(s.functions, f)
	}
	return 0
}

// namedEvent is an event that on was given.
type namedEvent struct {
	event    hooks.Event
	spelling string // where it isn't the event's own
	all      bool   // "*" stands for it
}

// eventsOf reads the first argument of on.
func eventsOf(L *lua.LState) (events []namedEvent) {
	list, isList := L.Get(1).(*lua.LTable)
	switch {
	case !isList && L.Get(1) == lua.LString("*"):
		for _, info := range hooks.Events() {
			events = append(events, namedEvent{event: info.Name, all: true})
		}
		return events
	case !isList:
		return []namedEvent{eventNamed(L, L.CheckString(1))}
	}
	n := list.Len()
	if n > maxRegistrations {
		L.RaiseError("on: more than %d hooks in one script", maxRegistrations)
	}
	for i := 1; i <= n; i++ {
		Spend(L, 16)
		name, ok := list.RawGetInt(i).(lua.LString)
		if !ok {
			L.RaiseError("on: the list of events has a %s in it, want names", list.RawGetInt(i).Type())
		}
		e := eventNamed(L, string(name))
		if slices.ContainsFunc(events, func(other namedEvent) bool { return other.event == e.event }) {
			L.RaiseError("on: the list of events has %s twice", e.event)
		}
		events = append(events, e)
	}
	if n == 0 {
		L.RaiseError("on: the list of events is empty; want names, like {\"pre_tool_call\", \"post_tool_call\"}")
	}
	return events
}

func eventNamed(L *lua.LState, name string) (e namedEvent) {
	if len(name) > compile.MaxEventName { // longer than any event
		name = strings.ToValidUTF8(name[:compile.MaxEventName], "") + "..."
	}
	var err error
	if e.event, err = hooks.ParseEvent(name); err != nil {
		L.RaiseError("on: %s", err)
	}
	if spelling := strings.TrimSpace(name); spelling != string(e.event) {
		e.spelling = spelling
	}
	return e
}

// matching are the events that a matcher may fit. Of those that "*" stands for the others are left out.
func matching(events []namedEvent, m *hooks.Matcher) (fit []namedEvent, err error) {
	for _, e := range events {
		wrong := m.Check(hooks.Lookup(e.event))
		switch {
		case wrong == nil:
			fit = append(fit, e)
		case !e.all:
			return nil, wrong
		default:
			err = fmt.Errorf("no event fits: %w", wrong)
		}
	}
	if len(fit) > 0 {
		err = nil
	}
	return fit, err
}

// Bounds of what a script registers. Matchers are asked at every event, where no
// budget runs.
const (
	maxRegistrations  = 1000
	registrationBytes = 400  // about what one takes, beside its matcher
	maxOptionText     = 1000 // bytes of an option that is no pattern
	maxMatchText      = 4000 // bytes of a pattern
	maxMatchFields    = 50
	patternBytes      = 4000 // about what a regular expression or a glob takes beside its instructions
)

var optionNames = []string{"name", "match", "priority", "timeout", "on_failure", "mode", "once", "always", "enabled"}

// decodeOptions reads the options table of on, strictly.
func decodeOptions(L *lua.LState, t *lua.LTable) (o hooks.Options, err error) {
	fail := func(format string, args ...any) {
		if err == nil {
			err = fmt.Errorf(format, args...)
		}
	}
	for k, v := First(L, t); k != lua.LNil; k, v = t.Next(k) { // in order, unlike Each
		key, ok := k.(lua.LString)
		if !ok {
			fail("options: the key %s; options have names", RawText(k))
			break
		}
		Spend(L, 16)
		if text, isText := v.(lua.LString); len(key) > maxOptionText || (isText && key != "match" && len(text) > maxOptionText) {
			fail("options: a text of more than %d bytes", maxOptionText)
			break
		}
		want := func(name string, ok bool) {
			if !ok {
				fail("%s: want a %s, got %s", key, name, v.Type())
			}
		}
		switch key {
		case "name":
			s, ok := v.(lua.LString)
			want("string", ok)
			if strings.TrimSpace(string(s)) == "" {
				fail("name is empty")
			}
			o.Name = string(s)
		case "match":
			m, e := decodeMatch(L, v)
			if e != nil {
				fail("%s", e)
			}
			o.Match = m
		case "priority":
			n, ok := v.(lua.LNumber)
			want("whole number", ok)
			if o.Priority = int(n); float64(o.Priority) != float64(n) {
				fail("priority: want a whole number, got %s", n)
			}
		case "timeout":
			s, ok := v.(lua.LString)
			want(`string like "200ms"`, ok)
			d, e := hooks.ParseTimeout(string(s))
			if ok && e != nil {
				fail("%s", e)
			}
			o.Timeout = d
		case "on_failure":
			p, e := hooks.ParsePolicy(RawText(v))
			if e != nil {
				fail("%s", e)
			}
			o.OnFailure = p
		case "mode":
			m, e := hooks.ParseMode(RawText(v))
			if e != nil {
				fail("%s", e)
			}
			o.Mode = m
		case "once":
			b, ok := v.(lua.LBool)
			want("boolean", ok)
			o.Once = bool(b)
		case "always":
			b, ok := v.(lua.LBool)
			want("boolean", ok)
			o.Always = bool(b)
		case "enabled":
			b, ok := v.(lua.LBool)
			want("boolean", ok)
			o.Disabled = ok && !bool(b)
		default:
			fail("unknown option %q%s", string(key), spelling.DidYouMean(string(key), optionNames))
		}
	}
	return o, err
}

func decodeMatch(L *lua.LState, v lua.LValue) (*hooks.Matcher, error) {
	switch v := v.(type) {
	case lua.LString:
		if err := chargeMatch(L, string(v)); err != nil {
			return nil, err
		}
		return hooks.ParseMatcherWith(string(v), spendMatch(L))
	case *lua.LTable:
		fields := map[string]string{}
		for k, e := First(L, v); k != lua.LNil; k, e = v.Next(k) {
			key, isName := k.(lua.LString)
			pattern, isText := e.(lua.LString)
			if !isName || !isText {
				return nil, fmt.Errorf("match: want fields with a pattern each, like {kind=\"shell\"}; for several names write \"a|b\"")
			}
			if len(fields) == maxMatchFields || len(key) > maxOptionText {
				return nil, fmt.Errorf("match: more than %d fields, or a name of more than %d bytes", maxMatchFields, maxOptionText)
			}
			if err := chargeMatch(L, string(pattern)); err != nil {
				return nil, err
			}
			fields[string(key)] = string(pattern)
		}
		return hooks.MatchFieldsWith(fields, spendMatch(L))
	}
	return nil, fmt.Errorf("match: want a string or a table, got %s", v.Type())
}

// chargeMatch pays for the text of a matcher's pattern.
func chargeMatch(L *lua.LState, pattern string) error {
	if len(pattern) > maxMatchText {
		return fmt.Errorf("match: a pattern of more than %d bytes; let the hook look at ev itself", maxMatchText)
	}
	Spend(L, 20*len(pattern))
	Allocate(L, 40*len(pattern))
	return nil
}

// spendMatch pays for reading and compiling the regular expressions and globs of a matcher.
func spendMatch(L *lua.LState) func(work, size int) error {
	return func(work, size int) error {
		Spend(L, work+2*size)
		if size > 0 {
			Allocate(L, patternBytes+regex.InstructionBytes*size)
		}
		return nil
	}
}

// SameRegistrations reports whether two loads of a script registered the same hooks.
func SameRegistrations(a, b []Registration) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		x, y := a[i], b[i]
		if x.Options.Match.String() != y.Options.Match.String() {
			return false
		}
		x.Options.Match, y.Options.Match = nil, nil
		if x != y {
			return false
		}
	}
	return true
}

// CheckAsync reports whether the hook may run with mode = "async": it only observes, so
// it can't answer, and its failure can't block. An answer that shows only when the
// hook runs is a failed run.
func (r Registration) CheckAsync(p hooks.Policy) error {
	switch {
	case r.Answers != "":
		return fmt.Errorf("an async hook observes while the event goes on, so %s() would come too late; leave out the answer, or mode = \"async\"", r.Answers)
	case p == hooks.Block:
		return fmt.Errorf("an async hook observes while the event goes on, so on_failure = \"block\" means nothing there; use warn or ignore")
	}
	return nil
}

// answersIn is the first answer that a function uses, or one in it; see [compile.AnswerIn].
func answersIn(L *lua.LState, f *lua.LFunction) string {
	if f.IsG { // a function of ours
		return ""
	}
	isOwn := func(name string) bool { return L.G.Global.RawGetString(name) != lua.LNil }
	return compile.AnswerIn(f.Proto, isOwn, func(work int) { Spend(L, work) })
}

// OtherSpellings lists the texts of a script and its libraries that name an event which the
// script has registered for in another spelling; see [compile.OtherSpellings].
func OtherSpellings(p *compile.Program, libraries map[string]*Library, registered []Registration) []compile.OtherSpelling {
	library := func(name string) *compile.Program {
		if l := libraries[name]; l != nil {
			return l.Program
		}
		return nil
	}
	return compile.OtherSpellings(p, library, toldEvents(registered))
}

// maxToldNames is how many spellings of one event are looked at.
const maxToldNames = 10

func toldEvents(registered []Registration) (told []compile.Told) {
	for i := range registered {
		r := &registered[i]
		at := slices.IndexFunc(told, func(e compile.Told) bool { return e.Event == r.Event })
		if at < 0 && hooks.IsKnown(r.Event) {
			at, told = len(told), append(told, compile.Told{Event: r.Event})
		}
		if at < 0 || len(told[at].Names) == maxToldNames {
			continue
		}
		name := cmp.Or(r.Spelling, string(r.Event))
		if e := &told[at]; !slices.Contains(e.Names, name) {
			e.Names = append(e.Names, name)
		}
	}
	return told
}
