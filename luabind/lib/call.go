package lib

import (
	"container/list"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/excerpt"
	"github.com/luahook/luahook/internal/redact"
	"github.com/luahook/luahook/internal/spelling"
	"github.com/luahook/luahook/luabind"
)

// call is one call of a function. It reads the arguments, by their number from 1,
// and raises an error over one that is wrong. gopher-lua's own checks do the same,
// but know the function's name only where it is called by that name; under pcall
// they have none.
type call struct {
	*lua.LState
	module, name string
	method       bool          // argument 1 is the object before the colon
	within       time.Duration // of git: a time of its own, 0 for that of the run
}

func bind(module, name string, run func(call) int) lua.LGFunction {
	return func(L *lua.LState) int {
		return run(call{LState: L, module: module, name: name})
	}
}

// bad raises the error of argument n.
func (c call) bad(n int, problem string) {
	problem = message(problem)
	if c.method {
		n--
	}
	c.RaiseError("bad argument #%d to %s (%s)", n, c.name, problem)
}

func (c call) wrongType(n int, want string) {
	c.bad(n, want+" expected, got "+c.Get(n).Type().String())
}

// fail raises an error that is not about one argument.
func (c call) fail(problem string) {
	c.RaiseError("%s: %s", c.function(), message(problem))
}

// function is what scripts call the function.
func (c call) function() string {
	if c.module == "" {
		return c.name
	}
	return c.module + "." + c.name
}

// message bounds what an error quotes of its arguments.
func message(problem string) string {
	if len(problem) > 2000 {
		return cut(problem, 2000) + "..."
	}
	return problem
}

// text is a string argument; numbers become text, as everywhere in Lua.
func (c call) text(n int) string {
	switch v := c.Get(n).(type) {
	case lua.LString:
		return string(v)
	case lua.LNumber:
		return v.String()
	}
	c.wrongType(n, "string")
	return ""
}

func (c call) textOr(n int, absent string) string {
	if c.Get(n) == lua.LNil {
		return absent
	}
	return c.text(n)
}

func (c call) number(n int) float64 {
	v, ok := c.Get(n).(lua.LNumber)
	if !ok {
		c.wrongType(n, "number")
	}
	return float64(v)
}

// whole is a whole number argument that is at least low.
func (c call) whole(n, low int) int {
	f := c.number(n)
	if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
		c.bad(n, "whole number expected, got "+lua.LNumber(f).String())
	}
	if f < float64(low) {
		c.bad(n, "a number from "+lua.LNumber(low).String()+" expected, got "+lua.LNumber(f).String())
	}
	return int(f)
}

func (c call) table(n int) *lua.LTable {
	t, ok := c.Get(n).(*lua.LTable)
	if !ok {
		c.wrongType(n, "table")
	}
	return t
}

// charge pays for work over so many bytes, before it is done.
func (c call) charge(bytes int) { luabind.Spend(c.LState, 1+bytes/16) }

// allocate pays for so many bytes, before they are taken.
func (c call) allocate(bytes int) { luabind.Allocate(c.LState, bytes) }

// allocateParts pays for so many bytes of small things.
func (c call) allocateParts(bytes int) { luabind.AllocateParts(c.LState, bytes) }

func (c call) give(v lua.LValue) int {
	c.Push(v)
	return 1
}

func (c call) giveText(s string) int { return c.give(lua.LString(s)) }

// itemBytes is about what a string takes in a list that is being built, without the
// bytes of its text: the list grows as it goes.
const itemBytes = 48

// giveTexts returns a fresh list, for which it charges. The texts are shared.
func (c call) giveTexts(texts []string) int {
	return c.give(c.texts(texts))
}

func (c call) texts(texts []string) *lua.LTable {
	luabind.Spend(c.LState, len(texts))
	t := c.list(len(texts))
	c.allocateParts(16 * len(texts))
	for _, s := range texts {
		t.Append(lua.LString(s))
	}
	return t
}

// list makes an empty list that stays one in JSON, and charges for it.
func (c call) list(capacity int) *lua.LTable {
	luabind.AllocateTable(c.LState, capacity, 0)
	t := c.CreateTable(capacity, 0)
	luabind.MarkList(c.LState, t)
	return t
}

// object makes an empty table for so many keys, and charges for it.
func (c call) object(keys int) *lua.LTable {
	luabind.AllocateTable(c.LState, 0, keys)
	return c.CreateTable(0, keys)
}

// cache keeps the values that were used last, by their text: at most maxEntries of
// them, and at most maxSize by the sum of their sizes. It is safe for concurrent
// use; what it keeps must be immutable.
type cache[V any] struct {
	maxEntries, maxSize int

	mu      sync.Mutex
	entries map[string]*list.Element
	order   *list.List // of *entry[V], the latest first
	size    int
}

type entry[V any] struct {
	text  string
	value V
	size  int
}

func newCache[V any](maxEntries, maxSize int) *cache[V] {
	return &cache[V]{maxEntries: maxEntries, maxSize: maxSize, entries: map[string]*list.Element{}, order: list.New()}
}

func (c *cache[V]) get(text string) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[text]
	if !ok {
		return v, false
	}
	c.order.MoveToFront(e)
	return e.Value.(*entry[V]).value, true
}

// put adds a value and drops those that were not used for longest. Of two that are
// put for the same text the first stays.
func (c *cache[V]) put(text string, v V, size int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.entries[text]; ok || size > c.maxSize {
		return
	}
	c.entries[text] = c.order.PushFront(&entry[V]{text, v, size})
	c.size += size
	for len(c.entries) > c.maxEntries || c.size > c.maxSize {
		last := c.order.Remove(c.order.Back()).(*entry[V])
		delete(c.entries, last.text)
		c.size -= last.size
	}
}

// What the modules that reach outside of the sandbox (fs, env, git, exec, http, tasks) have in
// common. Their one rule: what isn't granted, what the grant doesn't cover and wrong
// arguments are errors; what the outside world refuses is nil and a message. A function
// that answers with true or false raises there, too: nil would read as no.

// notCovered is an error of something that the grant doesn't cover. It is raised.
type notCovered string

func (e notCovered) Error() string { return string(e) }

// need raises an error unless the capability is granted. example is how hooks.yaml
// would grant it.
func (c call) need(given bool, example string) {
	if given {
		return
	}
	w := luabind.WithheldOf(c.LState)
	if w.Off != "" {
		c.RaiseError("%s: not granted: %s", c.function(), w.Off)
	}
	switch {
	case w.ByProgram:
		c.RaiseError("%s: not granted; the program that has this script gives it engine.WithGrants(%s)", c.function(), inGo(example))
	case isAmong(w.Grants, example):
		c.RaiseError("%s: not granted, though hooks.yaml grants it: %s", c.function(), w.Why)
	default:
		c.RaiseError(`%s: not granted; give this script "grant: {%s}" in hooks.yaml (a project's grants count once it is trusted)`, c.function(), example)
	}
}

// inGo is a grant as a Go program writes it, of how hooks.yaml does: "exec: [git]".
func inGo(example string) string {
	name, value, _ := strings.Cut(example, ": ")
	field := map[string]string{
		"fs.read": "FSRead", "fs.write": "FSWrite", "git": "Git", "tasks": "Tasks", "env": "Env", "exec": "Exec", "http": "HTTP",
	}[name]
	if list, is := strings.CutPrefix(value, "["); is {
		value = "[]string{" + strconv.Quote(strings.TrimSuffix(list, "]")) + "}"
	}
	return "hooks.Grants{" + field + ": " + value + "}"
}

// isAmong reports whether grants are of a capability, by an example of how it is granted.
func isAmong(grants hooks.Grants, example string) bool {
	name, _, _ := strings.Cut(example, ":")
	return slices.ContainsFunc(grants.List(), func(g string) bool {
		own, _, _ := strings.Cut(g, ":")
		return own == name
	})
}

// root is the project's root.
func (c call) root() string {
	root := luabind.RootOf(c.LState)
	if root == "" {
		c.fail("there is no project here")
	}
	return root
}

// failed returns nil and what went wrong outside, or raises what the grant doesn't
// cover.
func (c call) failed(err error) int {
	if errors.As(err, new(notCovered)) || errors.As(err, new(NoStandIn)) {
		c.fail(err.Error())
	}
	problem := oneLine(message(err.Error()))
	c.allocate(len(problem))
	c.Push(lua.LNil)
	c.Push(lua.LString(problem))
	return 2
}

// raised is for functions that answer yes or no: it raises every error.
func (c call) raised(err error) {
	if err != nil {
		c.fail(oneLine(err.Error()))
	}
}

// cause is an error of the file system without the name of the system call and of the
// path, which the message has as the script gave it.
func cause(err error) error {
	var e *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &e):
		return e.Err
	case errors.As(err, &l):
		return l.Err
	}
	return err
}

// options are a table of named values, read strictly.
type options struct {
	c     call
	n     int // the argument
	table *lua.LTable
}

// options reads argument n, which may be absent. A name that isn't among names is an
// error.
func (c call) options(n int, names ...string) options {
	if c.Get(n) == lua.LNil {
		return options{c, n, nil}
	}
	o := options{c, n, c.table(n)}
	for k, _ := luabind.First(c.LState, o.table); k != lua.LNil; k, _ = o.table.Next(k) {
		luabind.Spend(c.LState, 2)
		name := luabind.RawText(k)
		known := false
		for _, want := range names {
			known = known || k == lua.LString(want)
		}
		if !known {
			c.bad(n, "unknown option "+cut(name, 100)+spelling.DidYouMean(cut(name, 100), names))
		}
	}
	return o
}

func (o options) get(name string) lua.LValue {
	if o.table == nil {
		return lua.LNil
	}
	return o.table.RawGetString(name)
}

func (o options) wrong(name, want string, v lua.LValue) {
	o.c.bad(o.n, fmt.Sprintf("%s: %s expected, got %s", name, want, v.Type()))
}

func (o options) text(name string) (s string, given bool) {
	switch v := o.get(name).(type) {
	case *lua.LNilType:
		return "", false
	case lua.LString:
		return string(v), true
	case lua.LNumber:
		return v.String(), true
	default:
		o.wrong(name, "string", v)
		return "", false
	}
}

func (o options) flag(name string) bool {
	switch v := o.get(name).(type) {
	case *lua.LNilType:
		return false
	case lua.LBool:
		return bool(v)
	default:
		o.wrong(name, "boolean", v)
		return false
	}
}

// whole is a whole number from 1 to most.
func (o options) whole(name string, absent, most int) int {
	switch v := o.get(name).(type) {
	case *lua.LNilType:
		return absent
	case lua.LNumber:
		if f := float64(v); f == math.Trunc(f) && f >= 1 && f <= float64(most) {
			return int(f)
		}
		o.c.bad(o.n, fmt.Sprintf("%s: whole number from 1 to %d expected, got %s", name, most, v))
	default:
		o.wrong(name, "number", v)
	}
	return 0
}

// duration is a text such as "200ms", above 0.
func (o options) duration(name string) (d time.Duration, given bool) {
	s, given := o.text(name)
	if !given {
		return 0, false
	}
	d, err := time.ParseDuration(cut(s, 100))
	if err != nil || d <= 0 {
		o.c.bad(o.n, fmt.Sprintf("%s: a time such as \"200ms\" expected, got %q", name, cut(s, 100)))
	}
	return d, true
}

// texts is a table of texts by name.
func (o options) texts(name string) map[string]string {
	v := o.get(name)
	if v == lua.LNil {
		return nil
	}
	t, ok := v.(*lua.LTable)
	if !ok {
		o.wrong(name, "table", v)
	}
	all := map[string]string{}
	for k, v := luabind.First(o.c.LState, t); k != lua.LNil; k, v = t.Next(k) {
		luabind.Spend(o.c.LState, 4)
		o.c.allocateParts(64)
		key, ok := k.(lua.LString)
		if !ok {
			o.c.bad(o.n, name+": a name expected as key, got "+k.Type().String())
		}
		switch v.(type) {
		case lua.LString, lua.LNumber:
		default:
			o.c.bad(o.n, name+"."+cut(string(key), 100)+": string expected, got "+v.Type().String())
		}
		all[string(key)] = v.String()
	}
	return all
}

// textList reads a list of texts.
func (c call) textList(n int) []string {
	t := c.table(n)
	count := luabind.Length(c.LState, t)
	luabind.Spend(c.LState, 1+2*count)
	c.allocateParts(16 * count)
	list := make([]string, 0, count)
	for i := 1; i <= count; i++ {
		switch v := t.RawGetInt(i).(type) {
		case lua.LString, lua.LNumber:
			list = append(list, v.String())
		default:
			c.bad(n, fmt.Sprintf("string expected as item %d, got %s", i, v.Type()))
		}
	}
	return list
}

// function describes one function of a module.
type function struct {
	name    string
	params  string // "(s: string, separator: string): string[]"
	help    string
	example string
	run     func(call) int
}

// module makes a module of its functions.
func module(name, help string, functions ...function) luabind.Module {
	m := luabind.Module{Name: name, Help: help, Functions: make([]luabind.Function, len(functions))}
	for i, f := range functions {
		m.Functions[i] = luabind.Function{
			Name: f.name, Signature: name + "." + f.name + f.params, Help: f.help, Example: f.example,
			Go: bind(name, f.name, f.run),
		}
	}
	return m
}

// Services are what an engine gives to the modules of one script, made for it: whose the
// script is, and what it may, is settled already. Each is nil where there is none, and
// may be used by several goroutines at once, also by a call that has outlasted its run.
type Services struct {
	Stores Stores
	// Notes is the decision log; only built-ins have it.
	Notes Notes
	// Redactor gives one that knows the values of the environment, too; only built-ins
	// have it.
	Redactor func() *redact.Redactor
	Tasks    Tasks
	Spill    Spiller
	Spills   bool    // the script may spill, whatever it is granted: it is a built-in
	Outside  Outside // nil: all is real
}

// services are those of the script that calls.
func (c call) services() Services {
	return servicesOf(c.LState)
}

func servicesOf(L *lua.LState) Services {
	s, _ := luabind.ServicesOf(L).(*Services)
	if s == nil {
		return Services{}
	}
	return *s
}

// cut is the beginning of s, at most n bytes, that doesn't end inside a character.
func cut(s string, n int) string { return excerpt.Beginning(s, n) }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func (c call) needRead() { c.need(luabind.GrantsOf(c.LState).FSRead, "fs.read: true") }

func (c call) needWrite() { c.need(luabind.GrantsOf(c.LState).FSWrite, "fs.write: true") }
