package lib

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

func TestJSON(t *testing.T) {
	runScripts(t, []script{
		{"scalars", `same(json.encode("a"), '"a"') same(json.encode(1.5), "1.5") same(json.encode(true), "true") same(json.encode(json.null), "null")`, ""},
		{"keys are sorted", `same(json.encode({ z = 1, a = 2, m = { y = 1, b = 2 } }), '{"a":2,"m":{"b":2,"y":1},"z":1}')`, ""},
		{"lists and objects", `same(json.encode({}), "{}") same(json.encode(json.array()), "[]") same(json.encode({ 1, 2 }), "[1,2]") same(json.encode(json.array({ "a" })), '["a"]')`, ""},
		{"empty ones survive", `local s = '{"l":[],"n":null,"o":{}}' same(json.encode(json.decode(s)), s)`, ""},
		{"whole numbers", `same(json.encode({ 1, 2.0, -3, 1e15, 2^53 }), "[1,2,-3,1000000000000000,9007199254740992]")`, ""},
		{"large whole numbers", `local s = "[9007199254740993,18446744073709551615,123456789012345678901234567890]" same(json.encode(json.decode(s)), s) same(tostring(json.decode(s)[1]), "9007199254740993")`, ""},
		{"exponents are numbers", `same(json.decode("1e300"), 1e300) same(json.decode('{"a":[1e20]}').a[1], 1e20) same(json.decode(json.encode(1e300)), 1e300) same(json.decode("1.0"), 1)`, ""},
		{"too large for a number", `same(json.encode(json.decode("1e400")), "1e400")`, ""},
		{"null", `same(json.decode("null"), json.null) same(json.decode('{"a":null}').a, json.null)`, ""},
		{"not escaped", `same(json.encode("<a&b>ä"), '"<a&b>ä"') same(json.encode("\n\t\0"), '"\\n\\t\\u0000"')`, ""},
		{"indent", `same(json.encode({ a = { 1 } }, { indent = true }), '{\n  "a": [\n    1\n  ]\n}') same(json.encode({ 1 }, { indent = false }), "[1]")`, ""},
		{"same table twice", `local t = { 1 } same(json.encode({ t, t }), "[[1],[1]]")`, ""},
		{"array marks in place", `local t = { 1 } assert(json.array(t) == t and json.array(t) == t) t[1] = nil same(json.encode(t), "[]")`, ""},
		{"fresh", `local s = "[1]" local a, b = json.decode(s), json.decode(s) a[1] = 2 assert(b[1] == 1 and json.array() ~= json.array())`, ""},

		{"nil", `json.encode(nil)`, "bad argument #1 to encode (value expected, got nil; JSON's null is json.null)"},
		{"function", `json.encode({ a = { print } })`, "json.encode: a[1] is a function, which is no data"},
		{"NaN", `json.encode({ x = 0 / 0 })`, "json.encode: x is NaN, which JSON can't hold"},
		{"infinite", `json.encode(1 / 0)`, "Inf"},
		{"mixed", `json.encode({ 1, a = 2 })`, "json.encode: value mixes a list with other keys (a)"},
		{"gaps", `json.encode({ [1] = 1, [3] = 3 })`, "gaps"},
		{"cycle", `local t = {} t.t = t json.encode(t)`, "json.encode: value is nested deeper than 100 levels, or holds itself"},
		{"shared many times", `local t = {} for i = 1, 20 do t = { t, t } end json.encode(t)`, "json.encode: value has more than 100000 parts"},
		{"deep", `local t = {} for i = 1, 101 do t = { t } end fails("json.encode: value is nested deeper", json.encode, t)`, ""},
		{"deep enough", `local t = {} for i = 1, 99 do t = { t } end same(json.encode(json.decode(json.encode(t))), json.encode(t))`, ""},
		{"one string many times", `local s, t = ("x"):rep(1e6), {} for i = 1, 1000 do t[i] = s end fails("json.encode: the text would be larger than 8388608 bytes", json.encode, t) fails("larger", json.encode, { a = { b = t } }) fails("larger", json.encode, { [s .. s .. s .. s .. s .. s .. s .. s .. s] = 1 })`, ""},
		{"options", `fails("bad argument #2 to encode (unknown option indnt; there is only indent)", json.encode, {}, { indnt = true }) fails("indent: boolean expected, got string", json.encode, {}, { indent = "2" }) fails("bad argument #2 to encode (table expected, got boolean)", json.encode, {}, true)`, ""},

		{"empty text", `json.decode("")`, "json.decode: not JSON: the text is empty, at byte 0"},
		{"syntax", `json.decode('{"a": x}')`, "json.decode: not JSON: invalid character 'x' looking for beginning of value, at byte 6"},
		{"cut off", `json.decode('{"a": ')`, "the text ends too early, at byte 6"},
		{"more", `json.decode('1 2')`, "json.decode: more text after the JSON value, at byte 2"},
		{"deep text", `fails("json.decode: the value is nested deeper than 100 levels", json.decode, ("["):rep(102) .. ("]"):rep(102)) fails("nested deeper", json.decode, ("["):rep(1e6))`, ""},
		{"many values", `fails("json.decode: the text has more than 100000 values", json.decode, "[" .. ("1,"):rep(100000) .. "1]") fails("more than", json.decode, "[" .. ("[],"):rep(100000) .. "1]")`, ""},
		{"large text", `json.decode((" "):rep(9e6))`, "json.decode: the text is larger than 8388608 bytes"},
		{"brackets in strings", `same(#json.decode('"' .. ("["):rep(500) .. '\\"' .. (","):rep(200000) .. '"'), 200501)`, ""},

		{"array of a number", `json.array(1)`, "bad argument #1 to array (table expected, got number)"},
		{"array of an object", `json.array({ a = 1 })`, "bad argument #1 to array (list expected, got a table with the key a)"},
		{"array of a module", `fails("plain table expected", json.array, string) assert(string.rep)`, ""},
		{"array with a metatable", `json.array(setmetatable({}, {}))`, "plain table expected, got one with a metatable"},
		{"null is one", `assert(json.null ~= nil and tostring(json.null) == "null") json.null = 1`, "read-only"},
	})
}

// TestQuotedSize compares with what is written.
func TestQuotedSize(t *testing.T) {
	for _, s := range []string{"", "abc", "\"\\/", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "äöü€😀", "\xff\xfe", "a\xc3", "\u2028\u2029", "<>&", strings.Repeat("\xed\xa0\x80", 3)} {
		b, err := hooks.EncodeJSON(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := quotedSize(s); got != len(b) {
			t.Errorf("quotedSize(%q) = %d, %s has %d", s, got, b, len(b))
		}
	}
}
