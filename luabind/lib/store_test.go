package lib

import (
	"bytes"
	"context"
	"errors"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// shelf is a store in a map, with what it was told last. faster is somebody who changes a
// key before the next Swap.
type shelf struct {
	values map[string][]byte
	ttl    time.Duration
	faster []string
	err    error
	waited time.Duration
}

func (s *shelf) Get(_ context.Context, key string) ([]byte, time.Duration, error) {
	return s.values[key], s.waited, s.err
}

func (s *shelf) Set(_ context.Context, key string, value []byte, ttl time.Duration) (time.Duration, error) {
	s.ttl = ttl
	if s.values[key] = value; value == nil {
		delete(s.values, key)
	}
	return s.waited, s.err
}

func (s *shelf) Incr(_ context.Context, key string, by float64) (float64, time.Duration, error) {
	old, _ := strconv.ParseFloat(string(s.values[key]), 64)
	s.values[key] = []byte(strconv.FormatFloat(old+by, 'g', -1, 64))
	return old + by, s.waited, s.err
}

func (s *shelf) Swap(_ context.Context, key string, old, value []byte, ttl time.Duration) (bool, time.Duration, error) {
	if len(s.faster) > 0 {
		s.values[key], s.faster = []byte(s.faster[0]), s.faster[1:]
	}
	if !bytes.Equal(s.values[key], old) {
		return false, s.waited, s.err
	}
	s.values[key], s.ttl = value, ttl
	if value == nil {
		delete(s.values, key)
	}
	return true, s.waited, s.err
}

func (s *shelf) List(_ context.Context, prefix string) (keys []string, waited time.Duration, err error) {
	for key := range s.values {
		if strings.HasPrefix(key, prefix) {
			keys = append(keys, key)
		}
	}
	sort.Strings(keys)
	return keys, s.waited, s.err
}

// shelves are the stores of a script, by scope and name.
type shelves struct {
	of   map[string]*shelf
	note string
	err  error
}

func newShelves() *shelves { return &shelves{of: map[string]*shelf{}} }

func (s *shelves) at(scope StoreScope, name string) *shelf {
	key := string(scope) + " " + name
	if s.of[key] == nil {
		s.of[key] = &shelf{values: map[string][]byte{}}
	}
	return s.of[key]
}

func (s *shelves) Open(scope StoreScope, name string, _ *hooks.Context) (Store, string, error) {
	return s.at(scope, name), s.note, s.err
}

// runStore runs a script with stores.
func runStore(t *testing.T, s *shelves, lua string, limits luabind.Limits) error {
	t.Helper()
	_, err := load(t, luabind.Environment{Modules: Modules(), Services: &Services{Stores: s}, Limits: limits}, prelude+lua)
	return err
}

func TestStore(t *testing.T) {
	for _, test := range []struct{ name, lua, want string }{
		{"nothing", `same(store.get("a"), nil)`, ""},
		{"what JSON can hold", `
local v = { list = { 1, 2, { x = true } }, text = "ü\n", none = json.null, empty = json.array() }
store.set("a", v)
same(store.get("a"), v)`, ""},
		{"a copy", `
local v = { 1 }
store.set("a", v)
v[1] = 2
store.get("a")[1] = 3
same(store.get("a"), { 1 })`, ""},
		{"values that are no tables", `for _, v in ipairs({ "x", "", 0, -1.5, true, false }) do store.set("a", v); same(store.get("a"), v) end`, ""},
		{"nil takes away", `store.set("a", 1) store.set("a", nil) same(store.get("a"), nil)`, ""},
		{"delete", `store.set("a", 1) store.delete("a") store.delete("a") same(store.list(), json.array())`, ""},
		{"incr", `same(store.incr("n"), 1) same(store.incr("n", 2.5), 3.5) same(store.incr("n", -3.5), 0) same(store.get("n"), 0)`, ""},
		{"list", `for _, k in ipairs({ "b2", "a", "b1" }) do store.set(k, 1) end same(store.list("b"), { "b1", "b2" }) same(store.list("x"), json.array())`, ""},
		{"update", `
same(store.update("a", function(old) same(old, nil) return { n = 1 } end), { n = 1 })
same(store.update("a", function(old) old.n = old.n + 1 return old end), { n = 2 })
same(store.update("a", function(old) return nil end), nil)
same(store.list(), json.array())`, ""},
		{"an error in update leaves all as it was", `
store.set("a", 1)
fails("no", function() store.update("a", function() error("no") end) end)
same(store.get("a"), 1)`, ""},
		{"the scopes are apart", `
store.set("a", 1) store.session.set("a", 2) store.user.set("a", 3) store.shared("x").set("a", 4) store.shared("y").set("a", 5)
same({ store.get("a"), store.session.get("a"), store.user.get("a"), store.shared("x").get("a"), store.shared("y").get("a") }, { 1, 2, 3, 4, 5 })`, ""},
		{"they can't be changed", `store.session.get = print`, "store.session is read-only (get)"},
		{"a typo in a scope", `store.sesion.get("a")`, `store has no "sesion"; did you mean "session"?`},
		{"a typo in a function", `store.session.gte("a")`, `store.session has no "gte"; did you mean "get"?`},
		{"no key", `store.get()`, "bad argument #1 to get (string expected, got nil)"},
		{"an empty key", `store.set("", 1)`, "bad argument #1 to set (a key of 1 to 500 bytes expected)"},
		{"a long key", `store.incr(("x"):rep(501))`, "bad argument #1 to incr (a key of 1 to 500 bytes expected)"},
		{"no value", `store.set("a")`, "bad argument #2 to set (value expected; nil, written out, takes the key away)"},
		{"a function", `store.set("a", print)`, "store.set: "},
		{"too much", `store.set("a", ("x"):rep(300000))`, "store.set: the value takes more than 256 KiB as JSON"},
		{"not a number", `store.incr("a", 0/0)`, "bad argument #2 to incr (finite number expected"},
		{"a ttl that is none", `store.set("a", 1, { ttl = "soon" })`, `ttl: a time like "10m" of 1ms to 10 years expected, got soon`},
		{"a ttl of nothing", `store.set("a", 1, { ttl = 0 })`, `ttl: a time like "10m" of 1ms to 10 years expected, got 0`},
		{"a ttl without end", `store.set("a", 1, { ttl = math.huge })`, `expected, got`},
		{"an option that there isn't", `store.set("a", 1, { tll = 1 })`, `unknown option tll; did you mean "ttl"?`},
		{"update without a function", `store.update("a", 1)`, "bad argument #2 to update (function expected, got number)"},
		{"a shared store without a name", `store.shared("")`, "bad argument #1 to shared (a name of 1 to 100 bytes expected)"},
	} {
		t.Run(test.name, func(t *testing.T) {
			wants(t, runStore(t, newShelves(), test.lua, wide), test.want)
		})
	}
}

// wants holds an error against the part that it must have; "" is none.
func wants(t *testing.T, err error, want string) {
	t.Helper()
	switch {
	case want == "" && err != nil:
		t.Error(err)
	case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
		t.Errorf("got %v, want %q", err, want)
	}
}

func TestStoreTTL(t *testing.T) {
	for lua, want := range map[string]time.Duration{
		`store.set("a", 1)`:                                                                      0,
		`store.set("a", 1, { ttl = "10m" })`:                                                     10 * time.Minute,
		`store.set("a", 1, { ttl = 1.5 })`:                                                       1500 * time.Millisecond,
		`store.update("a", function() return 1 end, { ttl = "1h" })`:                             time.Hour,
		`store.set("a", 1); store.update("a", function() return 2 end)`:                          0,
		`store.set("a", 1, {ttl=5}); store.update("a", function() return 1 end, { ttl = "1h" })`: time.Hour,
	} {
		s := newShelves()
		if err := runStore(t, s, lua, wide); err != nil {
			t.Errorf("%s: %v", lua, err)
		} else if got := s.at(StoreProject, "").ttl; got != want {
			t.Errorf("%s: a ttl of %s, want %s", lua, got, want)
		}
	}
}

// Who was slower begins again with what the other has written.
func TestStoreUpdateAgain(t *testing.T) {
	s := newShelves()
	s.at(StoreProject, "").faster = []string{"10", "20", "30"}
	if err := runStore(t, s, `same(store.update("n", function(old) return (old or 0) + 1 end), 31)`, wide); err != nil {
		t.Error(err)
	}
}

// What goes wrong with the store is the hook's error, with the function's name.
func TestStoreFails(t *testing.T) {
	for _, call := range []string{`get("a")`, `set("a", 1)`, `incr("a")`, `update("a", function() return 1 end)`, `delete("a")`, `list()`} {
		s := newShelves()
		s.at(StoreProject, "").err = errors.New("the disk is gone")
		name, _, _ := strings.Cut(call, "(")
		wants(t, runStore(t, s, "store."+call, wide), "store."+name+": the disk is gone")
		s = newShelves()
		s.err = errors.New("not for you")
		wants(t, runStore(t, s, "store."+call, wide), "store."+name+": not for you")
	}
	if err := run(t, Modules(), `store.get("a")`, wide); err == nil || !strings.Contains(err.Error(), "store.get: there is no store here") {
		t.Error(err)
	}
}
