package lib

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/hooks"
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
	text, err := hooks.EncodeJSON(plain)
	if err != nil || !indent {
		return string(text), err
	}
	var b bytes.Buffer
	err = json.Indent(&b, text, "", indentation)
	return b.String(), err
}

// indentOption reads the options of encode, strictly.
func indentOption(c call) (indent bool) {
	if c.Get(2) == lua.LNil {
		return false
	}
	c.table(2).ForEach(func(k, v lua.LValue) {
		if k != lua.LString("indent") {
			c.bad(2, "unknown option "+k.String()+"; there is only indent")
		}
		b, ok := v.(lua.LBool)
		if !ok {
			c.bad(2, "indent: boolean expected, got "+v.Type().String())
		}
		indent = bool(b)
	})
	return indent
}

func decodeJSON(c call) int {
	text := c.text(1)
	if len(text) > maxJSON {
		c.fail(fmt.Sprintf("the text is larger than %d bytes", maxJSON))
	}
	c.charge(len(text))
	values, err := countJSON(text)
	if err != nil {
		c.fail(err.Error())
	}
	luabind.Spend(c.LState, values)
	plain, err := hooks.DecodeJSON([]byte(text))
	if err != nil {
		c.fail(describeJSON(err))
	}
	v, err := luabind.ToLua(c.LState, floats(plain))
	if err != nil {
		c.fail(err.Error())
	}
	return c.give(v)
}

// describeJSON words an error of hooks.DecodeJSON, which speaks of events.
func describeJSON(err error) string {
	var at *hooks.InputError
	switch {
	case !errors.As(err, &at):
		return err.Error()
	case at.Offset < 0:
		return "not JSON: the text is empty, at byte 0"
	}
	return fmt.Sprintf("%s, at byte %d", at.Message, at.Offset)
}

// floats makes numbers of those that are written with a fraction or an exponent
// and that DecodeJSON keeps as text because another writing of them is shorter:
// 1e300 is a Lua number like any other. What is too large for one stays text.
func floats(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = floats(e)
		}
	case []any:
		for i, e := range v {
			v[i] = floats(e)
		}
	case json.Number:
		if f, err := v.Float64(); err == nil && strings.ContainsAny(v.String(), ".eE") {
			return f
		}
	}
	return v
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
	luabind.Spend(c.LState, t.Len())
	t.ForEach(func(k, _ lua.LValue) {
		if _, ok := k.(lua.LNumber); !ok {
			c.bad(1, "list expected, got a table with the key "+k.String())
		}
	})
	luabind.MarkList(c.LState, t)
	return c.give(t)
}
