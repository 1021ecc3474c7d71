package lib

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

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
	r.meter.Add(2, luabind.TableBytes(len(items), 0))
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
	r.meter.Add(2+2*len(keys), luabind.TableBytes(0, len(keys)))
	t := r.CreateTable(0, len(keys))
	for i, key := range keys {
		// Readers differ on which of two counts, and a guard must not judge the other.
		if t.RawGetString(key.text) != lua.LNil {
			r.fail(fmt.Sprintf("the key %q stands twice in one object, the second time, at byte %d", cut(key.text, 100), key.end))
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
