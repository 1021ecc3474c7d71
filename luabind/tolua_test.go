package luabind_test

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

// roundTrip gives a Go value to a script and takes it back.
func roundTrip(t testing.TB, v any) (any, error) {
	t.Helper()
	p := &probe{}
	_, err := luabind.NewState(context.Background(), compiled(t, file, `probe.keep((...).v)`),
		luabind.Environment{Modules: []luabind.Module{p.module()}, With: map[string]any{"v": v}})
	if err != nil {
		return nil, err
	}
	return p.kept[0], nil
}

func TestValuesCrossAndComeBack(t *testing.T) {
	type seconds int
	tests := []struct{ given, want any }{
		{nil, nil},
		{true, true},
		{"", ""},
		{"a\x00b\xff", "a\x00b\xff"},
		{int64(7), int64(7)},
		{int64(1) << 53, int64(1) << 53},
		{int64(9007199254740993), int64(9007199254740993)},
		{int64(-9007199254740993), int64(-9007199254740993)},
		{int64(math.MaxInt64), int64(math.MaxInt64)},
		{uint64(math.MaxUint64), json.Number("18446744073709551615")},
		{uint64(9007199254740993), int64(9007199254740993)},
		{json.Number("12345678901234567890123"), json.Number("12345678901234567890123")},
		{json.Number("7"), int64(7)},
		{json.Number("1.5"), 1.5},
		{json.Number("2.0"), int64(2)},
		{json.Number("1e400"), json.Number("1e400")},
		{json.Number("1e-400"), json.Number("1e-400")},
		{json.Number("9007199254740992.0"), 0x1p53},
		{0x1p53, 0x1p53},
		{int64(1)<<53 - 1, int64(1)<<53 - 1},
		{1.5, 1.5},
		{2.0, int64(2)},
		{1e300, 1e300},
		{int(1), int64(1)}, {int8(1), int64(1)}, {int16(1), int64(1)}, {int32(1), int64(1)},
		{uint(1), int64(1)}, {uint8(1), int64(1)}, {uint16(1), int64(1)}, {uint32(1), int64(1)}, {uint64(1), int64(1)},
		{float32(0.5), 0.5},
		{seconds(3), int64(3)}, {time.Second, int64(1e9)},
		{[]any{}, []any{}},
		{[]any{nil, false, "x", []any{}}, []any{nil, false, "x", []any{}}},
		{[]string{"a", "b"}, []any{"a", "b"}},
		{[]string{}, []any{}},
		{map[string]any{}, map[string]any{}},
		{map[string]any{"1": "x", "": nil, "m": map[string]any{}, "l": []any{}}, map[string]any{"1": "x", "": nil, "m": map[string]any{}, "l": []any{}}},
		{map[string]string{"a": "b"}, map[string]any{"a": "b"}},
		{[]map[string]any{{"a": int64(1)}}, []any{map[string]any{"a": int64(1)}}},
	}
	for _, tt := range tests {
		got, err := roundTrip(t, tt.given)
		if err != nil {
			t.Errorf("%#v: %v", tt.given, err)
		} else if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%#v (-want +got):\n%s", tt.given, diff)
		}
	}
}

func nested(depth int) any {
	v := any("x")
	for range depth {
		v = []any{v}
	}
	return v
}

func TestValuesThatCantCross(t *testing.T) {
	tests := []struct {
		name  string
		given any
		want  string
	}{
		{"struct", struct{}{}, "a Go value of type struct {} can't be given to a hook"},
		{"deep in a map", map[string]any{"a": []any{func() {}}}, "a Go value of type func() can't be given to a hook"},
		{"in a list of maps", []map[string]any{{"a": struct{}{}}}, "can't be given to a hook"},
		{"no number", json.Number("7px"), `"7px" is no number`},
		{"too deep", nested(luabind.MaxDepth + 1), "value is nested deeper than 100 levels"},
		{"too large", make([]any, luabind.MaxNodes), "value has more than 100000 parts"},
		{"too many strings", make([]string, luabind.MaxNodes), "value has more than 100000 parts"},
	}
	many := map[string]string{}
	for i := range luabind.MaxNodes {
		many[string(rune('a'+i%26))+time.Duration(i).String()] = ""
	}
	tests = append(tests, struct {
		name  string
		given any
		want  string
	}{"too large a map", many, "value has more than 100000 parts"})
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := roundTrip(t, tt.given)
			wantError(t, hooks.AsError(err, ""), hooks.KindLoad, file+": with: ", tt.want)
		})
	}
	if _, err := roundTrip(t, nested(luabind.MaxDepth-2)); err != nil {
		t.Error(err)
	}
}

func TestWholeNumbersPastTheRangeOfLua(t *testing.T) {
	c := event(t, hooks.PreToolCall, `{"tool_call":{"name":"x","input":{"n":9007199254740993,"same":9007199254740993,"other":9007199254740995,"huge":12345678901234567890123}}}`)
	passes(t, `
local i = ev.tool_call.input
assert(tostring(i.n) == "9007199254740993" and tostring(i.huge) == "12345678901234567890123")
assert("n=" .. i.n == "n=9007199254740993" and i.n .. i.other == "90071992547409939007199254740995" and i.n .. 1 == "90071992547409931")
assert(i.n == i.same and i.n ~= i.other)
assert(getmetatable(i.n) == "number")
local ok, err = pcall(function() return i.n .. nil end)
assert(not ok and err:find("attempt to concatenate a nil", 1, true), err)
assert(not pcall(function() return i.n .. {} end))
assert(not pcall(function() return i.n + 1 end))`, c)
	for _, body := range []string{`return replace(ev.tool_call.input)`, `return modify{ n = ev.tool_call.input.n }`, `return { input = ev.tool_call.input }`} {
		out, _ := run(t, body, c)
		equal(t, body, show(t, out.Result), `{"decision":"","block":false,"modified":true,"input":{"huge":12345678901234567890123,"n":9007199254740993,"other":9007199254740995,"same":9007199254740993}}`)
	}
}

func TestANumberOfTheHostMayBeRewritten(t *testing.T) {
	c := event(t, hooks.PreModelCall, `{"max_tokens":9007199254740993}`)
	out, _ := run(t, `return modify{ max_tokens = ev.max_tokens }`, c)
	equal(t, "result", show(t, out.Result), `{"decision":"","block":false,"modified":true,"input":{"max_tokens":9007199254740993}}`)
}

func TestNullAndEmptyListsGoThroughAnswers(t *testing.T) {
	c := event(t, hooks.PreToolCall, `{"tool_call":{"name":"x","input":{"l":[],"o":{},"z":null,"d":{"l":[[]],"z":[null]}}}}`)
	passes(t, `
local i = ev.tool_call.input
assert(i.z == probe.null and tostring(i.z) == "null" and getmetatable(i.z) == "null" and i.d.z[1] == probe.null)
assert(#i.l == 0 and getmetatable(i.l) == "list" and getmetatable(i.o) == nil)`, c)
	const want = `{"d":{"l":[[]],"z":[null]},"l":[],"o":{},"z":null}`
	for body, key := range map[string]string{
		`return replace(ev.tool_call.input)`:        "input",
		`return { data = ev.tool_call.input }`:      "data",
		`return respond(ev.tool_call.input)`:        "output",
		`return { output = ev.tool_call.input }`:    "output",
		`return modify{ l = ev.tool_call.input.l }`: "input",
	} {
		out, _ := run(t, body, c)
		if got := show(t, out.Result); !strings.Contains(got, `"`+key+`":`+want) {
			t.Errorf("%s: %s", body, got)
		}
	}
}

func TestListsOfModules(t *testing.T) {
	_, p := run(t, `local t, u = probe.list(), {} probe.mark(u) probe.keep(t) probe.keep(u) t[1] = 2 probe.keep(t) probe.keep({})`, shellCall(t))
	equal(t, "lists", p.kept, []any{[]any{}, []any{}, []any{int64(2)}, map[string]any{}})
}

func FuzzValue(f *testing.F) {
	for _, text := range []string{
		`null`, `0`, `-1`, `1.5`, `1e3`, `1e400`, `1e-400`, `1e22`, `9007199254740992.0`, `9007199254740993`, `12345678901234567890`, `"x"`, `"\u0000"`, `[]`, `{}`, `[null,[],{}]`, `{"1":1,"a":{"b":[1,2.5,"x",true]}}`, `{"":""}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := hooks.DecodeJSON([]byte(text))
		if err != nil {
			t.Skip("no JSON")
		}
		got, err := roundTrip(t, v)
		if err != nil {
			if strings.Contains(err.Error(), "nested deeper") || strings.Contains(err.Error(), "parts") {
				t.Skip("deeper or larger than a value may be")
			}
			t.Fatal(err)
		}
		if diff := cmp.Diff(v, got); diff != "" {
			t.Fatalf("(-given +came back):\n%s", diff)
		}
	})
}

// pairs walks an object in the same order in every state: a script that registers hooks
// by what it is given must register the same ones each time.
func TestToLuaKeepsKeysInOrder(t *testing.T) {
	passes(t, `
local keys = {}
for k in pairs(probe.give('{"k":1,"c":1,"z":1,"a":1,"m":1,"q":1,"b":1,"x":1,"d":1,"y":1}')) do keys[#keys + 1] = k end
assert(table.concat(keys) == "abcdkmqxyz", table.concat(keys))`, shellCall(t))
}
