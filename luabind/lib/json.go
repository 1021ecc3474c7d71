package lib

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

func jsonModule() luabind.Module {
	m := module("json", "reads and writes JSON; texts up to 8 MiB, 100,000 values and 100 levels",
		function{
			"encode", "(value: any, options?: {indent: boolean}): string",
			"a value as JSON, keys sorted. A table is a list if it came from JSON, from json.array or has the keys 1 to n. Events are objects. " +
				"Bytes that aren't UTF-8 become U+FFFD",
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
		Name: "null", Type: "userdata", Help: "JSON's null, which a table can hold; nil would remove the key", Value: luabind.Null,
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

// jsonReader makes Lua values of a JSON text in one pass, charging as it goes. It
// reads what hooks.DecodeJSON reads, with the same result; that it doesn't use it has
// the reason that nothing could stop it within a large text, and that strings are
// shared here with the text instead of copied.
type jsonReader struct {
	call
	s      string
	pos    int
	depth  int
	values int
	meter  luabind.Meter
	held   []lua.LValue // items of the lists, and values of the objects, that are open
	keys   []jsonKey    // of the objects that are open
}

type jsonKey struct {
	text string
	end  int // offset
}

// maxNumber bounds the text of a number, which takes more time than other text.
const maxNumber = 1000

func decodeJSON(c call) int {
	return c.give(readJSON(c, c.text(1)))
}

// readJSON is the value of a JSON text. Where it is none, the function that calls fails.
func readJSON(c call, text string) lua.LValue {
	if len(text) > maxJSON {
		c.fail(fmt.Sprintf("the text is larger than %d bytes", maxJSON))
	}
	c.charge(len(text))
	r := &jsonReader{call: c, s: text, meter: luabind.Meter{L: c.LState}}
	if strings.HasPrefix(text, "\uFEFF") {
		r.pos = len("\uFEFF")
	}
	r.blanks()
	if r.pos == len(text) {
		c.fail("not JSON: the text is empty, at byte 0")
	}
	v := r.value()
	if r.blanks(); r.pos < len(text) {
		c.fail(fmt.Sprintf("more text after the JSON value, at byte %d", r.pos))
	}
	r.meter.Flush()
	return v
}

func (r *jsonReader) blanks() {
	for r.pos < len(r.s) {
		if c := r.s[r.pos]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return
		}
		r.pos++
	}
}

// peek is the next character behind blanks.
func (r *jsonReader) peek() byte {
	r.blanks()
	return r.at(r.pos)
}

// at is the character at an offset, which must be there.
func (r *jsonReader) at(pos int) byte {
	if pos >= len(r.s) {
		r.fail(fmt.Sprintf("not JSON: the text ends too early, at byte %d", len(r.s)))
	}
	return r.s[pos]
}

// invalid raises the error of the character at an offset.
func (r *jsonReader) invalid(pos int, where string) {
	r.at(pos)
	c, _ := utf8.DecodeRuneInString(r.s[pos:])
	r.fail(fmt.Sprintf("not JSON: invalid character %q %s, at byte %d", c, where, pos))
}

func (r *jsonReader) value() lua.LValue {
	if r.values++; r.values > luabind.MaxNodes {
		r.fail(errJSONValues.Error())
	}
	r.meter.Add(2, 40)
	switch c := r.peek(); {
	case c == '"':
		return lua.LString(r.text())
	case c == '{':
		return r.object()
	case c == '[':
		return r.list()
	case c == '-' || (c >= '0' && c <= '9'):
		return r.number()
	case c == 't':
		r.literal("true")
		return lua.LTrue
	case c == 'f':
		r.literal("false")
		return lua.LFalse
	case c == 'n':
		r.literal("null")
		return luabind.Null(r.LState)
	}
	r.invalid(r.pos, "looking for beginning of value")
	return nil
}

func (r *jsonReader) literal(word string) {
	for i := range len(word) {
		if r.at(r.pos+i) != word[i] {
			r.invalid(r.pos+i, fmt.Sprintf("in literal %s (expecting %q)", word, word[i]))
		}
	}
	r.pos += len(word)
}

// open steps into a list or an object.
func (r *jsonReader) open() {
	r.pos++
	if r.depth++; r.depth > luabind.MaxDepth {
		r.fail(errJSONDepth.Error())
	}
}

func (r *jsonReader) list() lua.LValue {
	r.open()
	first := len(r.held)
	for empty := true; ; empty = false {
		if empty && r.peek() == ']' {
			r.pos++
			break
		}
		v := r.value()
		r.held = append(r.held, v)
		c := r.peek()
		if c != ',' && c != ']' {
			r.invalid(r.pos, "after array element")
		}
		if r.pos++; c == ']' {
			break
		}
	}
	items := r.held[first:]
	r.meter.AddTable(2, len(items), 0)
	t := r.CreateTable(len(items), 0)
	for _, v := range items {
		t.Append(v)
	}
	luabind.MarkList(r.LState, t)
	r.held, r.depth = r.held[:first], r.depth-1
	return t
}

func (r *jsonReader) object() lua.LValue {
	r.open()
	first, firstKey := len(r.held), len(r.keys)
	for empty := true; ; empty = false {
		c := r.peek()
		if empty && c == '}' {
			r.pos++
			break
		}
		if c != '"' {
			r.invalid(r.pos, "looking for beginning of object key string")
		}
		key := r.text()
		r.keys = append(r.keys, jsonKey{key, r.pos})
		if r.peek() != ':' {
			r.invalid(r.pos, "after object key")
		}
		r.pos++
		v := r.value()
		r.held = append(r.held, v)
		c = r.peek()
		if c != ',' && c != '}' {
			r.invalid(r.pos, "after object key:value pair")
		}
		if r.pos++; c == '}' {
			break
		}
	}
	keys := r.keys[firstKey:]
	r.meter.AddTable(2+2*len(keys), 0, len(keys))
	t := r.CreateTable(0, len(keys))
	for i, key := range keys {
		// Readers differ on which of two counts, and a guard must not judge the other.
		if t.RawGetString(key.text) != lua.LNil {
			r.fail(fmt.Sprintf("the key %q appears twice in one object, the second time, at byte %d", cut(key.text, 100), key.end))
		}
		t.RawSetString(key.text, r.held[first+i])
	}
	r.held, r.keys, r.depth = r.held[:first], r.keys[:firstKey], r.depth-1
	return t
}

// number reads a number: what a Lua number holds exactly, or is written with a
// fraction or an exponent, as a Lua number, and else as it is written.
func (r *jsonReader) number() lua.LValue {
	begin, whole := r.pos, true
	digits := func(where string) {
		if c := r.at(r.pos); c < '0' || c > '9' {
			r.invalid(r.pos, where)
		}
		for r.pos < len(r.s) && r.s[r.pos] >= '0' && r.s[r.pos] <= '9' {
			r.pos++
		}
	}
	if r.s[r.pos] == '-' {
		r.pos++
	}
	if r.at(r.pos) == '0' {
		r.pos++
	} else {
		digits("in numeric literal")
	}
	if r.pos < len(r.s) && r.s[r.pos] == '.' {
		whole = false
		r.pos++
		digits("after decimal point in numeric literal")
	}
	if r.pos < len(r.s) && r.s[r.pos]|0x20 == 'e' {
		whole = false
		r.pos++
		if c := r.at(r.pos); c == '+' || c == '-' {
			r.pos++
		}
		digits("in exponent of numeric literal")
	}
	text := r.s[begin:r.pos]
	if len(text) > maxNumber {
		r.fail(fmt.Sprintf("a number of more than %d characters, at byte %d", maxNumber, begin))
	}
	if whole && len(text) <= 15 {
		n, _ := strconv.Atoi(text)
		return lua.LNumber(n)
	}
	if !whole {
		if f, err := strconv.ParseFloat(text, 64); err == nil {
			return lua.LNumber(f)
		}
	}
	v, err := luabind.ToLua(r.LState, json.Number(strings.Clone(text)))
	if err != nil {
		r.fail(err.Error())
	}
	return v
}

// maxJSON bounds the texts that json.encode makes and json.decode takes.
const maxJSON = 8 << 20

const indentation = "  "

var errJSONDepth = fmt.Errorf("the value is nested deeper than %d levels", luabind.MaxDepth)

var errJSONValues = fmt.Errorf("the text has more than %d values", luabind.MaxNodes)

// jsonSize sums up how large the JSON of a value will be, so that it can be refused
// before it is written: a short table can hold one long string many times.
type jsonSize struct {
	indent bool
	bytes  int // exact for strings, at least for numbers
	values int
}

var errJSONSize = fmt.Errorf("the text would be larger than %d bytes", maxJSON)

// add returns an error as soon as the sum is past maxJSON.
func (s *jsonSize) add(v any, depth int) error {
	s.values++
	switch v := v.(type) {
	case string:
		s.bytes += quotedSize(v)
	case map[string]any:
		s.bytes += 2
		for k, e := range v {
			s.bytes += quotedSize(k) + 2 + s.newline(depth)
			if err := s.add(e, depth+1); err != nil {
				return err
			}
		}
	case []any:
		s.bytes += 2
		for _, e := range v {
			s.bytes += 1 + s.newline(depth)
			if err := s.add(e, depth+1); err != nil {
				return err
			}
		}
	case []string:
		for _, e := range v {
			s.bytes += quotedSize(e) + 1 + s.newline(depth)
		}
	default: // a number, boolean or null; a number has 1 to some 20 characters
		s.bytes++
	}
	if s.bytes > maxJSON {
		return errJSONSize
	}
	return nil
}

func (s *jsonSize) newline(depth int) int {
	if !s.indent {
		return 0
	}
	return 1 + (depth+1)*len(indentation)
}

// quotedSize is the length of a string in JSON as package encoding/json writes it.
func quotedSize(s string) int {
	n := len(s) + 2
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\' || c == '\b' || c == '\f' || c == '\n' || c == '\r' || c == '\t':
				n++
			case c < ' ':
				n += 5
			}
			i++
			continue
		}
		r, width := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && width == 1:
			n += 5
		case r == '\u2028' || r == '\u2029':
			n += 3
		}
		i += width
	}
	return n
}

// text reads a string, at its opening quote.
func (r *jsonReader) text() string {
	begin := r.pos + 1
	escaped, ascii := false, true
	for i := begin; ; i++ {
		switch c := r.at(i); {
		case c == '"':
			r.pos = i + 1
			if raw := r.s[begin:i]; escaped || (!ascii && !utf8.ValidString(raw)) {
				return r.unescape(raw, begin)
			}
			return r.s[begin:i]
		case c == '\\':
			escaped = true
			i++
			r.at(i)
		case c < ' ':
			r.invalid(i, "in string literal")
		case c >= utf8.RuneSelf:
			ascii = false
		}
	}
}

// escapes are the characters that a backslash makes of another.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// unescape resolves the escapes in a string that begins at an offset. What is no
// UTF-8, and halves of surrogate pairs, become U+FFFD.
func (r *jsonReader) unescape(raw string, begin int) string {
	room := len(raw)
	if !utf8.ValidString(raw) {
		room *= 3
	}
	luabind.Spend(r.LState, 1+len(raw)/8)
	luabind.Allocate(r.LState, room)
	var b strings.Builder
	b.Grow(room)
	for i := 0; i < len(raw); {
		c := raw[i]
		switch {
		case c >= utf8.RuneSelf:
			char, width := utf8.DecodeRuneInString(raw[i:])
			b.WriteRune(char)
			i += width
			continue
		case c != '\\':
			b.WriteByte(c)
			i++
			continue
		}
		if c = raw[i+1]; c != 'u' {
			if escapes[c] == 0 {
				r.invalid(begin+i+1, "in string escape code")
			}
			b.WriteByte(escapes[c])
			i += 2
			continue
		}
		char := r.unit(raw, i, begin)
		i += 6
		if utf16.IsSurrogate(char) {
			pair := rune(utf8.RuneError)
			if strings.HasPrefix(raw[i:], `\u`) {
				pair = utf16.DecodeRune(char, r.unit(raw, i, begin))
			}
			if char = pair; pair != utf8.RuneError {
				i += 6
			}
		}
		b.WriteRune(char)
	}
	return b.String()
}

// unit is the number in the \u1234 at i.
func (r *jsonReader) unit(raw string, i, begin int) rune {
	for j := i + 2; j < i+6; j++ {
		if j == len(raw) || !isHex(raw[j]) {
			r.invalid(begin+j, `in \u hexadecimal character escape`)
		}
	}
	n, _ := strconv.ParseUint(raw[i+2:i+6], 16, 32)
	return rune(n)
}

func isHex(c byte) bool {
	return (c >= '0' && c <= '9') || (c|0x20 >= 'a' && c|0x20 <= 'f')
}
