package luabind_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// clerk is a host object that keeps what it is told and gives what it is asked for.
type clerk struct {
	took  []any
	gives map[string]any
}

type page struct {
	Title  string
	Number int `luar:"no"`
	Tags   []string
	Next   *page
	secret string
	Draft  string `luar:"-"`
}

// sheet is for results only.
type sheet struct {
	page
	*margin
	hidden
	Extra string
}

type margin struct{ Left, Right float64 }

type hidden struct{ *margin } // hidden by the one above

type code string

func (c *clerk) take(values ...any) { c.took = append(c.took, values...) }

func (c *clerk) Any(v any)                             { c.take(v) }
func (c *clerk) List(v []any)                          { c.take(v) }
func (c *clerk) Map(v map[string]any)                  { c.take(v) }
func (c *clerk) Int(v int)                             { c.take(v) }
func (c *clerk) Int8(v int8)                           { c.take(v) }
func (c *clerk) Int64(v int64)                         { c.take(v) }
func (c *clerk) Uint(v uint)                           { c.take(v) }
func (c *clerk) Uint8(v uint8)                         { c.take(v) }
func (c *clerk) Uint64(v uint64)                       { c.take(v) }
func (c *clerk) Float(v float32)                       { c.take(v) }
func (c *clerk) Bool(v bool)                           { c.take(v) }
func (c *clerk) Text(v string)                         { c.take(v) }
func (c *clerk) Code(v code)                           { c.take(v) }
func (c *clerk) Bytes(v []byte)                        { c.take(v) }
func (c *clerk) Texts(v []string)                      { c.take(v) }
func (c *clerk) Pair(v [2]int)                         { c.take(v) }
func (c *clerk) Counts(v map[string]int)               { c.take(v) }
func (c *clerk) Page(v page)                           { c.take(v) }
func (c *clerk) Pages(v ...*page)                      { c.take(v) }
func (c *clerk) Call(v func())                         { c.take(v == nil) }
func (c *clerk) Error(v error)                         { c.take(v) }
func (c *clerk) Context(ctx context.Context, n ...int) { c.take(ctx.Value(callerKey{}), n) }
func (c *clerk) Give(name string) any                  { return c.gives[name] }
func (c *clerk) Three() (int, string, *page)           { return 1, "two", &page{Title: "three"} }
func (c *clerk) Count() (map[string]int, error)        { return map[string]int{"a": 1}, nil }
func (c *clerk) Missing() (*page, error)               { return nil, errors.New("no such page") }
func (c *clerk) Pointer() *page                        { return c.gives["page"].(*page) }
func (c *clerk) Numbers() ([]int, [2]bool, []byte, uint) {
	return []int{3, 4}, [2]bool{true, false}, []byte("raw"), 7
}

func (c *clerk) methods() []string {
	var names []string
	for i := range reflect.TypeOf(c).NumMethod() {
		names = append(names, reflect.TypeOf(c).Method(i).Name)
	}
	return names
}

// tells runs a hook that may call the clerk and probe.
func (c *clerk) tells(t *testing.T, body string, ev *hooks.Context) *hooks.Error {
	t.Helper()
	s := load(t, "on('"+string(ev.Event)+"', function(ev)\n"+body+"\nend)", luabind.Environment{
		Objects: []luabind.Object{luabind.HostObject{Name: "clerk", Value: c, Methods: c.methods()}},
		Modules: []luabind.Module{(&probe{}).module()},
	})
	return s.Call(context.WithValue(context.Background(), callerKey{}, "caller"), 0, ev, luabind.Limits{}).Err
}

func TestHostArguments(t *testing.T) {
	tests := []struct {
		call string
		want []any
	}{
		{`clerk.Int(5) clerk.Int8(-128) clerk.Uint(7) clerk.Uint8(255) clerk.Float(1.5) clerk.Bool(false) clerk.Text("x") clerk.Code("y")`, []any{5, int8(-128), uint(7), uint8(255), float32(1.5), false, "x", code("y")}},
		{`clerk.Text(5) clerk.Text(1.5) clerk.Code(2)`, []any{"5", "1.5", code("2")}}, // as everywhere in Lua
		{`clerk.Int64(probe.give("9223372036854775807")) clerk.Uint64(probe.give("18446744073709551615")) clerk.Text(probe.give("12345678901234567890"))`, []any{int64(1<<63 - 1), uint64(1<<64 - 1), "12345678901234567890"}},
		{`clerk.Bytes("ab\0c")`, []any{[]byte("ab\x00c")}},
		{`clerk.Any(nil) clerk.Any(5) clerk.Any(1.5) clerk.Any("x") clerk.Any(true) clerk.Any({}) clerk.Any({1, {a = "b"}})`, []any{nil, int64(5), 1.5, "x", true, map[string]any{}, []any{int64(1), map[string]any{"a": "b"}}}},
		{`clerk.Any(probe.null) clerk.Any({a = probe.null}) clerk.Any(ev.tool_call.input)`, []any{nil, map[string]any{"a": nil}, map[string]any{"command": "git push", "timeout": int64(5)}}},
		{`clerk.List({}) clerk.List({1, "x"}) clerk.Map({}) clerk.Map(probe.list()) clerk.Map({a = {1}}) clerk.Map(nil)`, []any{[]any{}, []any{int64(1), "x"}, map[string]any{}, map[string]any{}, map[string]any{"a": []any{int64(1)}}, map[string]any(nil)}},
		{`clerk.Texts({"a", "b"}) clerk.Texts({}) clerk.Texts(nil) clerk.Pair({1, 2}) clerk.Counts({a = 1})`, []any{[]string{"a", "b"}, []string{}, []string(nil), [2]int{1, 2}, map[string]int{"a": 1}}},
		{`clerk.Page({Title = "a", no = 2, Tags = {"x"}, Next = {title = "b"}})`, []any{page{Title: "a", Number: 2, Tags: []string{"x"}, Next: &page{Title: "b"}}}},
		{`clerk.Pages({Title = "a"}, nil, {Title = "b"}) clerk.Pages()`, []any{[]*page{{Title: "a"}, nil, {Title: "b"}}, []*page{}}},
		{`clerk.Call(nil) clerk.Error(nil)`, []any{true, nil}},
		{`clerk.Context() clerk:Context(1, 2)`, []any{"caller", []int{}, "caller", []int{1, 2}}},
	}
	for _, test := range tests {
		t.Run(test.call, func(t *testing.T) {
			c := &clerk{}
			if err := c.tells(t, test.call, shellCall(t)); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(c.took, test.want) {
				t.Errorf("\n got %#v\nwant %#v", c.took, test.want)
			}
		})
	}
}

func TestBadHostArguments(t *testing.T) {
	const function = "a function can't be given to a method, which runs in a goroutine of its own; give it data"
	tests := []struct{ call, want string }{
		{`clerk.Int(1.5)`, "bad argument #1 to clerk.Int (whole number expected, got 1.5)"},
		{`clerk.Int(0/0)`, "whole number expected, got "},
		{`clerk.Int(1/0)`, "whole number expected, got "},
		{`clerk.Int8(128)`, "128 is out of the range of type int8"},
		{`clerk.Int64(2^63)`, "is out of the range of type int64"},
		{`clerk.Uint(-1)`, "-1 is out of the range of type uint"},
		{`clerk.Uint8(256)`, "256 is out of the range of type uint8"},
		{`clerk.Uint64(2^64)`, "is out of the range of type uint64"},
		{`clerk.Int8(probe.give("9223372036854775807"))`, "9223372036854775807 is out of the range of type int8"},
		{`clerk.Int64(probe.give("9223372036854775808"))`, "9223372036854775808 is out of the range of type int64"},
		{`clerk.Uint(probe.give("-9223372036854775807"))`, "is out of the range of type uint"},
		{`clerk.Int("5")`, "cannot use string as type int"},
		{`clerk.Int(nil)`, "cannot use nil as type int"},
		{`clerk.Bool(1)`, "cannot use number as type bool"},
		{`clerk.Text(true)`, "cannot use boolean as type string"},
		{`clerk.Text(ev)`, "cannot use ev as type string"},
		{`clerk.Bool(probe.give("9223372036854775807"))`, "cannot use number as type bool"},
		{`clerk.Pages({}, {Titel = "x"})`, "bad argument #2 to clerk.Pages (type luabind_test.page has no field Titel)"},
		{`clerk.Texts({"a", {}})`, "bad argument #1 to clerk.Texts (cannot use table as type "},
		{`clerk.Pair({1})`, "bad argument #1 to clerk.Pair (cannot use table as type "},
		{`clerk.Map({1})`, "cannot use a list as type map[string]interface {}"},
		{`clerk.List({a = 1})`, "cannot use what is no list as type []interface {}"},
		{`clerk.Any({[1.5] = 1})`, "bad argument #1 to clerk.Any (value has the key 1.5"},
		{`clerk.Any(print)`, function},
		{`clerk.Call(print)`, function},
		{`clerk.Call(function() end)`, function},
		{`clerk.Text(print)`, function},
		{`clerk.Texts({"a", print})`, function},
		{`clerk.Counts({[print] = 1})`, function},
		{`clerk.Any({f = print})`, "f is a function, which is no data"},
		{`clerk.Page({Next = {Tags = print}})`, function},
		{`clerk.Texts({coroutine.create(function() end)})`, "the table holds a thread, which is no data"},
		{`clerk.Texts({probe.null})`, "the table holds a json.null, which is no data"},
		{`clerk.Texts({ev.tool_call})`, "the table holds a ev.tool_call, which is no data"},
		{`local t = {} t.Next = t clerk.Page(t)`, "the table is nested deeper than 100 levels, or holds itself"},
		{`local t = {} for i = 1, 1e5 do t[i] = "x" end clerk.Texts(t)`, "the table has more than 100000 parts"},
		{`local t = {} t.a = t clerk.Any(t)`, "nested deeper than 100 levels"},
	}
	for _, test := range tests {
		t.Run(test.call, func(t *testing.T) {
			c := &clerk{}
			wantError(t, c.tells(t, test.call, shellCall(t)), hooks.KindScript, test.want)
			if c.took != nil {
				t.Errorf("it was called with %#v", c.took)
			}
		})
	}
}

func TestHostResults(t *testing.T) {
	when := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	c := &clerk{gives: map[string]any{
		"page":   &page{Title: "a", Number: 2, Tags: []string{"x", "y"}, Next: &page{Title: "b"}, secret: "s", Draft: "d"},
		"sheet":  &sheet{page: page{Title: "in"}, margin: &margin{1, 2.5}, Extra: "e"},
		"blank":  sheet{},
		"when":   when,
		"took":   time.Second,
		"number": json.Number("18446744073709551615"),
		"big":    uint64(1<<64 - 1),
		"keys":   map[int]string{1: "a"},
		"code":   code("c"),
		"holes":  []any{1, nil, (*page)(nil)},
		"nil":    (*page)(nil),
		"error":  fmt.Errorf("wrapped: %w", errors.New("inner")),
		"within": map[string]any{"err": errors.New("inner"), "none": nil, "deep": map[string][]int{"l": {}}},
	}}
	err := c.tells(t, `
local a, b, p = clerk.Three()
assert(a == 1 and b == "two" and p.Title == "three" and select("#", clerk.Three()) == 3)
local counts, err = clerk.Count()
assert(counts.a == 1 and err == nil and select("#", clerk.Count()) == 2)
local none, err = clerk.Missing()
assert(none == nil and err:Error() == "no such page" and tostring(err) == "no such page" and err.message == "no such page")
assert("no: " .. err == "no: no such page" and err .. "!" == "no such page!" and 1 .. err == "1no such page")
assert(getmetatable(err) == false and not pcall(function() return err .. {} end))
assert(select(2, pcall(error, err)) == err)
local list, pair, raw, n = clerk.Numbers()
assert(#list == 2 and list[2] == 4 and pair[1] == true and pair[2] == false and raw == "raw" and n == 7)

local p = clerk.Pointer()
assert(type(p) == "table" and p.Title == "a" and p.no == 2 and p.Number == nil and p.Tags[2] == "y" and p.Next.Title == "b" and p.Next.Next == nil)
assert(p.secret == nil and p.Draft == nil and p["-"] == nil)
p.Title, p.Tags[1], p.Next.Title = "changed", "changed", "changed"
assert(clerk.Pointer().Title == "a")
clerk.Page(clerk.Pointer())
local s = clerk.Give("sheet")
assert(s.Title == "in" and s.Left == 1 and s.Right == 2.5 and s.Extra == "e" and s.page == nil and s.margin == nil)
local b = clerk.Give("blank")
assert(b.Title == "" and b.Left == nil)

assert(clerk.Give("when") == "2026-01-02T03:04:05Z" and clerk.Give("took") == 1e9 and clerk.Give("code") == "c")
assert(tostring(clerk.Give("number")) == "18446744073709551615" and tostring(clerk.Give("big")) == "18446744073709551615")
assert(clerk.Give("keys")["1"] == "a" and clerk.Give("nothing") == nil and clerk.Give("nil") == nil)
local holes = clerk.Give("holes")
assert(#holes == 3 and holes[2] == probe.null and holes[3] == probe.null)
assert(clerk.Give("error").message == "wrapped: inner")
local within = clerk.Give("within")
assert(within.err == "inner" and within.none == nil and #within.deep.l == 0)`, shellCall(t))
	if err != nil {
		t.Fatal(err)
	}
	p := c.gives["page"].(*page)
	if p.Title != "a" || p.Tags[0] != "x" || p.Next.Title != "b" {
		t.Errorf("the host's data was changed: %+v", p)
	}
	if got := c.took[0].(page); got.Next.Title != "b" || got.Number != 2 { // a result can be an argument again
		t.Errorf("it came back as %+v", got)
	}
}

type loop struct{ Next *loop }

type shy struct{}

func (shy) MarshalText() ([]byte, error) { return nil, errors.New("not today") }

func TestBadHostResults(t *testing.T) {
	l := &loop{}
	l.Next = l
	self := map[string]any{}
	self["self"] = self
	tests := []struct {
		name string
		give any
		want string
	}{
		{"a function", func() {}, "clerk.Give gives what a script can't have: a Go value of type func()"},
		{"a channel", []any{make(chan int)}, "a Go value of type chan int"},
		{"a complex number", 1i, "a Go value of type complex128"},
		{"a loop", l, "nested deeper than 100 levels, or holds itself"},
		{"a map in itself", self, "nested deeper than 100 levels, or holds itself"},
		{"too much", make([]int, 100_001), "a value of more than 100000 parts"},
		{"odd keys", map[bool]int{true: 1}, "a map whose keys are of type bool"},
		{"no text", shy{}, "clerk.Give gives what a script can't have: not today"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := &clerk{gives: map[string]any{"it": test.give}}
			wantError(t, c.tells(t, `clerk.Give("it")`, sample(t, hooks.Stop)), hooks.KindScript, test.want)
		})
	}
}

// What a method gives is paid for by the run.
func TestHostResultsCount(t *testing.T) {
	c := &clerk{gives: map[string]any{"text": string(make([]byte, 1<<20)), "list": make([]int, 50_000)}}
	for _, name := range []string{"text", "list"} {
		e := c.tells(t, `while true do pcall(clerk.Give, "`+name+`") end`, sample(t, hooks.Stop))
		wantError(t, e, hooks.KindLimit, "64 MiB of memory")
	}
}

func BenchmarkHostObject(b *testing.B) {
	c := &clerk{gives: map[string]any{"page": &page{Title: "a", Tags: []string{"x", "y"}}}}
	for _, bench := range []struct{ name, call string }{{"scalar", `clerk.Int(5)`}, {"table", `clerk.Texts({"a", "b"})`}, {"result", `clerk.Give("page")`}} {
		b.Run(bench.name, func(b *testing.B) {
			s := load(b, `on("stop", function() `+bench.call+` end)`, luabind.Environment{Objects: []luabind.Object{luabind.HostObject{Name: "clerk", Value: c, Methods: c.methods()}}})
			ev := sample(b, hooks.Stop)
			b.ReportAllocs()
			for b.Loop() {
				c.took = c.took[:0]
				if out := s.Call(context.Background(), 0, ev, luabind.Limits{}); out.Err != nil {
					b.Fatal(out.Err)
				}
			}
		})
	}
}
