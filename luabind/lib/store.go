package lib

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// Stores are where one script keeps what it remembers.
type Stores interface {
	// Open gives the store of a scope for an event, nil while the script loads; name is
	// that of a shared one, else "". note is something that the user should know.
	Open(scope StoreScope, name string, event *hooks.Context) (s Store, note string, err error)
}

// StoreScope says who shares a store.
type StoreScope string

// The scopes of stores.
const (
	StoreProject StoreScope = "project" // the script's own, in the project
	StoreSession StoreScope = "session" // the script's own, in the agent's session
	StoreUser    StoreScope = "user"    // the script's own, in all projects of the user
	StoreShared  StoreScope = "shared"  // of all trusted scripts in the project that know its name
)

// Store is one of them. Each call is one atomic operation; waited is how long it had to
// wait for others, which isn't charged to the hook. Values are JSON.
type Store interface {
	Get(ctx context.Context, key string) (value []byte, waited time.Duration, err error)
	// Set keeps a value for ttl, 0 for as long as the scope lasts; nil deletes.
	Set(ctx context.Context, key string, value []byte, ttl time.Duration) (waited time.Duration, err error)
	// Incr adds to a number, 0 where there is none, and keeps the time to live; where the
	// scope has one of its own, the number gets that anew.
	Incr(ctx context.Context, key string, by float64) (sum float64, waited time.Duration, err error)
	// Swap puts a value in the place of old, nil where there is none, and keeps the time
	// to live where ttl is 0, or gives that of the scope anew. swapped is false where
	// something else is there.
	Swap(ctx context.Context, key string, old, value []byte, ttl time.Duration) (swapped bool, waited time.Duration, err error)
	List(ctx context.Context, prefix string) (keys []string, waited time.Duration, err error)
}

// Bounds of what is kept.
const (
	maxStoreKey   = 500
	maxStoreValue = 256 << 10        // bytes of its JSON
	maxStoreWait  = 10 * time.Second // in a run, for other users of the store
	maxStoreName  = 100
	maxStoreTTL   = 10 * 365 * 24 * time.Hour
	maxListed     = 100_000 // keys that are looked at
)

func storeModule() luabind.Module {
	in := func(scope StoreScope) func(call) scoped {
		return func(c call) scoped { return scoped{call: c, scope: scope} }
	}
	m := module("store", "remembers values beyond the event: of this script, in this project. A value is what JSON can hold, up to 256 KiB. "+
		"A script has 10,000 keys and 16 MiB (1,000 and 1 MiB if it isn't trusted), and all scripts of a project together 50,000 and 64 MiB (1,000 and 4 MiB, for a week). "+
		"A store that can't be reached is an error",
		append(storeFunctions("", in(StoreProject)),
			function{
				"shared", "(name: string): Store",
				"a store with the same functions, which all trusted scripts of the project share by its name",
				`local builds = store.shared("builds")
builds.set("last", "ok")
assert(builds.get("last") == "ok")`,
				shared,
			})...)
	m.Modules = []luabind.Module{
		module("store.session", "the same functions for the agent's session: `store.session.get(key)`. A key that has no ttl goes 7 days after it was set, or made by incr or update. "+
			"If the host gives no session_id, the project stands in for it, and a warning says so", storeFunctions(".session", in(StoreSession))...),
		module("store.user", "the same functions for all projects of the user: `store.user.get(key)`. A script that lies in a project still has it for that project alone", storeFunctions(".user", in(StoreUser))...),
	}
	return m
}

// scoped is a call of a function of one store.
type scoped struct {
	call
	scope StoreScope
	name  string
}

func storeFunctions(part string, in func(call) scoped) []function {
	run := func(f func(scoped) int) func(call) int { return func(c call) int { return f(in(c)) } }
	at := "store" + part
	return []function{
		{"get", "(key: string): any", "the value of a key, nil if there is none", `assert(` + at + `.get("nothing") == nil)`, run(storeGet)},
		{
			"set", "(key: string, value: any, options?: {ttl: string|number})",
			`keeps a value; nil takes the key away. ttl says for how long, as "10m" or in seconds; without it the value stays`,
			at + `.set("last", { tool = "bash", ok = true }, { ttl = "1h" })
assert(` + at + `.get("last").ok)`, run(storeSet),
		},
		{
			"incr", "(key: string, by?: number): number",
			"adds 1, or by, to a number (0 if there is none), and gives the sum; atomic, however many processes do it",
			`assert(` + at + `.incr("calls") == 1 and ` + at + `.incr("calls", 2) == 3)`, run(storeIncr),
		},
		{
			"update", "(key: string, change: function(old: any): any, options?: {ttl: string|number}): any",
			"replaces a value by the result of change, and gives it. " +
				"change gets nil if there is no value, may be called again if another process was faster, and deletes by returning nil. " +
				"The time to live stays as it is, unless options give one",
			`local list = ` + at + `.update("seen", function(old) old = old or {}; old[#old + 1] = "x"; return old end)
assert(#list == 1)`, run(storeUpdate),
		},
		{"delete", "(key: string)", "takes a key away; it needn't be there", at + `.delete("last")
assert(` + at + `.get("last") == nil)`, run(storeDelete)},
		{
			"list", "(prefix?: string): string[]", "the keys that begin with prefix, sorted",
			at + `.set("job:1", "open")
assert(` + at + `.list("job:")[1] == "job:1")`, run(storeList),
		},
	}
}

// shared makes the table of a shared store.
func shared(c call) int {
	name := c.text(1)
	if name == "" || len(name) > maxStoreName {
		c.bad(1, "a name of 1 to 100 bytes expected")
	}
	open(c, StoreShared, name) // to say now that it may not
	functions := storeFunctions("", func(c call) scoped { return scoped{call: c, scope: StoreShared, name: name} })
	c.allocateParts(luabind.TableBytes(0, len(functions)) + 200*len(functions))
	t := c.CreateTable(0, len(functions))
	for _, f := range functions {
		t.RawSetString(f.name, luabind.NewFunction(c.LState, "store."+f.name, bind("store", f.name, f.run)))
	}
	return c.give(t)
}

// open finds the store, and tells what there is to say of it.
func open(c call, scope StoreScope, name string) Store {
	stores := c.services().Stores
	if stores == nil {
		c.fail("there is no store here")
	}
	s, note, err := stores.Open(scope, name, luabind.EventOf(c.LState))
	if err != nil {
		c.fail(err.Error())
	}
	if note != "" {
		luabind.Warn(c.LState, note)
	}
	if a := c.judging(); a != nil {
		return &judged{Store: s, judging: a, of: string(scope) + "\x00" + name + "\x00"}
	}
	return s
}

// judged is a store as a run has it that judges an event again: it sees what is kept, and
// what it writes itself, which is gone with it.
type judged struct {
	Store
	judging *Judging
	of      string
}

func (j *judged) keep(key string, value []byte) {
	if j.judging.written == nil {
		j.judging.written = map[string][]byte{}
	}
	j.judging.written[j.of+key] = value
}

func (j *judged) Get(ctx context.Context, key string) ([]byte, time.Duration, error) {
	if value, own := j.judging.written[j.of+key]; own {
		return value, 0, nil
	}
	return j.Store.Get(ctx, key)
}

func (j *judged) Set(_ context.Context, key string, value []byte, _ time.Duration) (time.Duration, error) {
	j.keep(key, value)
	return 0, nil
}

func (j *judged) Incr(ctx context.Context, key string, by float64) (float64, time.Duration, error) {
	value, waited, err := j.Get(ctx, key)
	if err != nil {
		return 0, waited, err
	}
	sum := by
	if value != nil {
		old, err := strconv.ParseFloat(string(value), 64)
		if err != nil {
			return 0, waited, errNoNumber
		}
		sum += old
	}
	j.keep(key, strconv.AppendFloat(nil, sum, 'g', -1, 64))
	return sum, waited, nil
}

func (j *judged) Swap(_ context.Context, key string, _, value []byte, _ time.Duration) (bool, time.Duration, error) {
	j.keep(key, value)
	return true, 0, nil
}

func (j *judged) List(ctx context.Context, prefix string) ([]string, time.Duration, error) {
	keys, waited, err := j.Store.List(ctx, prefix)
	if err != nil || len(j.judging.written) == 0 {
		return keys, waited, err
	}
	keys = slices.DeleteFunc(slices.Clone(keys), func(key string) bool { _, own := j.judging.written[j.of+key]; return own })
	for own, value := range j.judging.written {
		if key, ok := strings.CutPrefix(own, j.of); ok && value != nil && strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys, waited, nil
}

var errNoNumber = errors.New("what is kept there is no number")

func (c scoped) open() Store { return open(c.call, c.scope, c.name) }

// key is a key argument.
func (c scoped) key(n int) string {
	key := c.text(n)
	if key == "" || len(key) > maxStoreKey {
		c.bad(n, "a key of 1 to 500 bytes expected")
	}
	return key
}

// value is a value argument as JSON; nil where it is nil.
func (c scoped) value(v lua.LValue) []byte {
	if v == lua.LNil {
		return nil
	}
	text, err := jsonText(c.call, v, false)
	if err != nil {
		c.fail(err.Error())
	}
	if len(text) > maxStoreValue {
		c.fail("the value takes more than 256 KiB as JSON; keep less, or spread it over keys")
	}
	return []byte(text)
}

// giveValue returns a value that is kept as JSON.
func (c scoped) giveValue(value []byte) int {
	if value == nil {
		return c.give(lua.LNil)
	}
	c.allocate(len(value))
	return c.give(readJSON(c.call, string(value)))
}

// ttl reads the options, strictly; 0 where they say nothing.
func (c scoped) ttl(n int) (ttl time.Duration) {
	o := c.options(n, "ttl")
	v := o.get("ttl")
	switch v := v.(type) {
	case *lua.LNilType:
		return 0
	case lua.LNumber:
		ttl = time.Duration(math.Min(float64(v)*float64(time.Second), 2*float64(maxStoreTTL)))
	case lua.LString:
		ttl, _ = hooks.ParseTimeout(cut(string(v), 100)) // 0 where it is none
	default:
		o.wrong("ttl", `a time like "10m", or seconds,`, v)
	}
	if ttl < time.Millisecond || ttl > maxStoreTTL {
		c.bad(n, `ttl: a time like "10m" of 1ms to 10 years expected, got `+cut(luabind.RawText(v), 100))
	}
	return ttl
}

// wait makes one call of a store, and raises its error.
func wait[T any](c scoped, f func(ctx context.Context) (T, time.Duration, error)) T {
	type answer struct {
		value T
		err   error
	}
	a := luabind.WaitUncharged(c.LState, c.module+"."+c.call.name, maxStoreWait, func(ctx context.Context) (answer, time.Duration) {
		v, waited, err := f(ctx)
		return answer{v, err}, waited
	})
	if a.err != nil {
		c.fail(a.err.Error())
	}
	return a.value
}

func storeGet(c scoped) int {
	key, s := c.key(1), c.open()
	value := wait(c, func(ctx context.Context) ([]byte, time.Duration, error) { return s.Get(ctx, key) })
	return c.giveValue(value)
}

func storeSet(c scoped) int {
	key := c.key(1)
	if c.GetTop() < 2 {
		c.bad(2, "value expected; nil, written out, takes the key away")
	}
	value, ttl, s := c.value(c.Get(2)), c.ttl(3), c.open()
	set(c, s, key, value, ttl)
	return 0
}

func storeDelete(c scoped) int {
	key, s := c.key(1), c.open()
	set(c, s, key, nil, 0)
	return 0
}

func set(c scoped, s Store, key string, value []byte, ttl time.Duration) {
	wait(c, func(ctx context.Context) (none struct{}, waited time.Duration, err error) {
		waited, err = s.Set(ctx, key, value, ttl)
		return none, waited, err
	})
}

func storeIncr(c scoped) int {
	key, by := c.key(1), 1.0
	if c.Get(2) != lua.LNil {
		by = c.number(2)
	}
	if math.IsNaN(by) || math.IsInf(by, 0) {
		c.bad(2, "finite number expected, got "+lua.LNumber(by).String())
	}
	s := c.open()
	j, judging := s.(*judged)
	if !judging && !c.notesEffects() {
		return c.give(lua.LNumber(incr(c, s, key, by)))
	}
	what := c.effect(string(c.scope), c.name, key)
	if judging { // it counts from where it counted from before
		if before, ok := j.judging.earlier(what); ok {
			before, _ := before.(float64)
			sum := before + by
			j.keep(key, strconv.AppendFloat(nil, sum, 'g', -1, 64))
			return c.give(lua.LNumber(sum))
		}
		return c.give(lua.LNumber(incr(c, s, key, by)))
	}
	sum := incr(c, s, key, by)
	c.noteEffect(what, sum-by, 0)
	return c.give(lua.LNumber(sum))
}

func incr(c scoped, s Store, key string, by float64) float64 {
	return wait(c, func(ctx context.Context) (float64, time.Duration, error) { return s.Incr(ctx, key, by) })
}

var errOthers = errors.New("others have changed this key again and again; try it later")

// maxSwaps is how often update tries anew; each time another change was faster.
const maxSwaps = 1000

func storeUpdate(c scoped) int {
	key, ttl := c.key(1), c.ttl(3)
	change, ok := c.Get(2).(*lua.LFunction)
	if !ok {
		c.wrongType(2, "function")
	}
	s := c.open()
	var what effect
	j, judging := s.(*judged)
	tracked := judging || c.notesEffects()
	if tracked {
		what = c.effect(string(c.scope), c.name, key)
	}
	for range maxSwaps {
		var old []byte
		if before, ok := j.changedBefore(what); ok { // it changes what it changed before
			old = before
		} else {
			old = wait(c, func(ctx context.Context) ([]byte, time.Duration, error) { return s.Get(ctx, key) })
		}
		c.Push(change)
		c.giveValue(old)
		c.Call(1, 1)
		made := c.Get(-1)
		value := c.value(made)
		same := bytes.Equal(old, value) && ttl == 0 && (old == nil) == (value == nil) && !judging
		if same || wait(c, func(ctx context.Context) (bool, time.Duration, error) { return s.Swap(ctx, key, old, value, ttl) }) {
			if tracked && !judging {
				c.noteEffect(what, old, len(old))
			}
			return 1
		}
		c.SetTop(2)
	}
	c.fail(errOthers.Error())
	return 0
}

// changedBefore is what the run before has changed by the update that is made now; a nil
// *judged stands for a first run.
func (j *judged) changedBefore(what effect) (old []byte, ok bool) {
	if j == nil {
		return nil, false
	}
	before, ok := j.judging.earlier(what)
	if !ok {
		return nil, false
	}
	old, _ = before.([]byte)
	return old, true
}

func storeList(c scoped) int {
	prefix, s := c.textOr(1, ""), c.open()
	keys := wait(c, func(ctx context.Context) ([]string, time.Duration, error) { return s.List(ctx, prefix) })
	if len(keys) > maxListed {
		keys = keys[:maxListed]
	}
	bytes := 0
	for _, key := range keys {
		bytes += len(key)
	}
	c.allocateParts(bytes)
	return c.giveTexts(keys)
}

// CheckStored reports what is wrong with a key and a value that somebody else than a script
// wants to keep for scripts: they could not have kept it, or couldn't read it.
func CheckStored(key string, value []byte) error {
	if key == "" || len(key) > maxStoreKey {
		return fmt.Errorf("a key has 1 to %d bytes, not %d", maxStoreKey, len(key))
	}
	if len(value) > maxStoreValue {
		return fmt.Errorf("a value takes at most 256 KiB as JSON, not %d bytes", len(value))
	}
	var v any
	if err := json.Unmarshal(value, &v); err != nil {
		return fmt.Errorf("the value isn't JSON: %w", err)
	}
	if v == nil {
		return errors.New("null is no value: delete the key instead")
	}
	if !shallow(v, luabind.MaxDepth) {
		return errJSONDepth
	}
	return nil
}

func shallow(v any, levels int) bool {
	switch v := v.(type) {
	case []any:
		return levels > 0 && !slices.ContainsFunc(v, func(e any) bool { return !shallow(e, levels-1) })
	case map[string]any:
		for _, e := range v {
			if levels == 0 || !shallow(e, levels-1) {
				return false
			}
		}
		return levels > 0
	}
	return true
}
