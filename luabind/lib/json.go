package lib

import (
	"encoding/json"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

func jsonModule() luabind.Module {
	m := module("json", "reads and writes JSON; texts up to 8 MiB, 100,000 values and 100 levels",
		function{
			"encode", "(value: any, options?: {indent: boolean}): string",
			"a value as JSON, keys sorted; a table is a list if it came from JSON, from json.array or has the keys 1 to n; events are objects; bytes that are no UTF-8 become U+FFFD",
			`assert(json.encode({ b = { 1, 2 }, a = json.null }) == '{"a":null,"b":[1,2]}')`,
			encodeJSON,
		},
		function{
			"decode", "(text: string): any",
			"the value of a JSON text; null becomes json.null, whole numbers past 2^53 keep their digits",
			`assert(json.decode('{"files": ["a.go", "b.go"]}').files[2] == "b.go")`,
			decodeJSON,
		},
		function{
			"array", "(list?: table): table",
			"marks a table, or a new one, as a list, so that it is [] and not {} while it is empty; returns that table",
			`assert(json.encode({ tags = json.array() }) == '{"tags":[]}')`,
			arrayJSON,
		})
	m.Constants = []luabind.Constant{{
		Name: "null", Type: "userdata", Help: "JSON's null, which a table can hold where nil would remove the key", Value: luabind.Null,
	}}
	return m
}

func encodeJSON(c call) int {
	v := c.Get(1)
	if v == lua.LNil {
		c.bad(1, "value expected, got nil; JSON's null is json.null")
	}
	text, err := jsonText(c, v, indentOption(c))
	if err != nil {
		c.fail(err.Error())
	}
	return c.giveText(text)
}

// jsonText is a Lua value as JSON, within the bounds and paid for.
func jsonText(c call, v lua.LValue, indent bool) (string, error) {
	plain, err := luabind.FromLua(c.LState, v)
	if err != nil {
		return "", err
	}
	size := jsonSize{indent: indent}
	if err := size.add(plain, 0); err != nil {
		return "", err
	}
	luabind.Spend(c.LState, size.values+size.bytes/16)
	luabind.Allocate(c.LState, size.bytes) // what package json builds up
	luabind.Allocate(c.LState, size.bytes) // the text
	var text strings.Builder
	text.Grow(size.bytes + 1)
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	if indent {
		luabind.Allocate(c.LState, size.bytes) // once more, to indent it
		e.SetIndent("", indentation)
	}
	err = e.Encode(plain)
	return strings.TrimSuffix(text.String(), "\n"), err
}

// indentOption reads the options of encode, strictly.
func indentOption(c call) (indent bool) {
	if c.Get(2) == lua.LNil {
		return false
	}
	options := c.table(2)
	for k, v := luabind.First(c.LState, options); k != lua.LNil; k, v = options.Next(k) {
		if k != lua.LString("indent") {
			c.bad(2, "unknown option "+cut(luabind.RawText(k), 100)+"; there is only indent")
		}
		b, ok := v.(lua.LBool)
		if !ok {
			c.bad(2, "indent: boolean expected, got "+v.Type().String())
		}
		indent = bool(b)
	}
	return indent
}

func arrayJSON(c call) int {
	if c.Get(1) == lua.LNil {
		return c.give(c.list(0))
	}
	t := c.table(1)
	empty := c.list(0)
	if t.Metatable != lua.LNil && t.Metatable != empty.Metatable { // a module, or an object of the script
		c.bad(1, "plain table expected, got one with a metatable")
	}
	// The keys that aren't those of its items come behind them.
	luabind.Spend(c.LState, 8)
	luabind.ChargeWalk(c.LState, t)
	n := luabind.Length(c.LState, t)
	last := lua.LValue(lua.LNil)
	if n > 0 {
		last = lua.LNumber(n)
	}
	for k, _ := t.Next(last); k != lua.LNil; k, _ = t.Next(k) {
		if _, ok := k.(lua.LNumber); !ok {
			c.bad(1, "list expected, got a table with the key "+cut(luabind.RawText(k), 100))
		}
		luabind.Spend(c.LState, 1)
	}
	luabind.MarkList(c.LState, t)
	return c.give(t)
}
