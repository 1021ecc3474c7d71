package hooks

import (
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// jsonReader makes a value of a JSON text in one pass, which encoding/json needs several for. What it doesn't take,
// encoding/json looks at again and says what is wrong with it. Strings are read by encoding/json unless they are as
// they stand there.
type jsonReader struct {
	text []byte
	at   int
}

// readJSON is the value that a text of JSON is, as [DecodeJSON] gives it, or false if it isn't one value with keys that
// are unique. The text may be nested as deep as [measureJSON] allows.
func readJSON(text []byte) (v any, ok bool) {
	r := &jsonReader{text: text}
	if v, ok = r.value(); !ok {
		return nil, false
	}
	return v, r.next() == 0 && r.at == len(text)
}

// next is the next byte that isn't blank, or 0 at the end.
func (r *jsonReader) next() byte {
	for ; r.at < len(r.text); r.at++ {
		if c := r.text[r.at]; c != ' ' && c != '\n' && c != '\t' && c != '\r' {
			return c
		}
	}
	return 0
}

func (r *jsonReader) value() (any, bool) {
	switch c := r.next(); {
	case c == '"':
		return r.string()
	case c == '{':
		return r.object()
	case c == '[':
		return r.list()
	case c == 't':
		return true, r.word("true")
	case c == 'f':
		return false, r.word("false")
	case c == 'n':
		return nil, r.word("null")
	case c == '-' || c >= '0' && c <= '9':
		return r.number()
	}
	return nil, false
}

func (r *jsonReader) word(w string) bool {
	from := r.at
	r.at = min(r.at+len(w), len(r.text))
	return string(r.text[from:r.at]) == w
}

// separator reads what stands behind an item: a comma, or the end of what it is an item of.
func (r *jsonReader) separator(end byte) (more, ok bool) {
	c := r.next()
	r.at++
	return c == ',', c == ',' || c == end
}

func (r *jsonReader) object() (any, bool) {
	object := map[string]any{}
	r.at++
	if r.next() == '}' {
		r.at++
		return object, true
	}
	for {
		if r.next() != '"' {
			return nil, false
		}
		key, ok := r.string()
		if !ok || r.next() != ':' {
			return nil, false
		}
		r.at++
		if _, twice := object[key]; twice {
			return nil, false
		}
		v, ok := r.value()
		if !ok {
			return nil, false
		}
		object[key] = v
		if more, ok := r.separator('}'); !ok || !more {
			return object, ok
		}
	}
}

func (r *jsonReader) list() (any, bool) {
	list := []any{}
	r.at++
	if r.next() == ']' {
		r.at++
		return list, true
	}
	for {
		v, ok := r.value()
		if !ok {
			return nil, false
		}
		list = append(list, v)
		if more, ok := r.separator(']'); !ok || !more {
			return list, ok
		}
	}
}

func (r *jsonReader) string() (s string, ok bool) {
	from, plain := r.at+1, true
	for r.at++; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '"':
			inside := r.text[from:r.at]
			r.at++
			if plain && utf8.Valid(inside) {
				return string(inside), true
			}
			return s, json.Unmarshal(r.text[from-1:r.at], &s) == nil
		case c == '\\':
			plain = false
			r.at++
		case c < ' ':
			return "", false
		}
	}
	return "", false
}

func (r *jsonReader) number() (any, bool) {
	from := r.at
	for r.at < len(r.text) && strings.IndexByte("0123456789+-.eE", r.text[r.at]) >= 0 {
		r.at++
	}
	number := r.text[from:r.at]
	return plainNumbers(json.Number(number)), json.Valid(number)
}
