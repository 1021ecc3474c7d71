package mcphook

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/luahook/luahook/hooks"
)

// object is a JSON object as it was written: its members in their order, each value byte for byte.
type object []member

type member struct {
	name  string
	value json.RawMessage
}

// parseObject reads an object in which no key stands twice, however deep.
func parseObject(text []byte) (object, error) {
	if len(text) > maxMessage {
		return nil, errors.New("it is larger than 16 MiB")
	}
	value, err := hooks.DecodeJSON(text)
	if err != nil {
		return nil, errors.New(strings.TrimPrefix(err.Error(), "event: "))
	}
	if _, ok := value.(map[string]any); !ok {
		return nil, errors.New("it is no JSON object")
	}
	if !readsAlike(text) {
		if text, err = hooks.EncodeJSON(value); err != nil {
			return nil, err
		}
	}
	d := json.NewDecoder(bytes.NewReader(text))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	var o object
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		m := member{name: key.(string)}
		if err := d.Decode(&m.value); err != nil {
			return nil, err
		}
		o = append(o, m)
	}
	return o, nil
}

// readsAlike reports whether every reader takes a JSON text for the same. Go reads what is no
// Unicode, half a pair of surrogates above all, as U+FFFD; others keep it.
func readsAlike(text []byte) bool {
	if !utf8.Valid(text) {
		return false
	}
	surrogate := func(at int) rune { // 0 where there is none
		if at+6 > len(text) || text[at] != '\\' || text[at+1] != 'u' {
			return 0
		}
		n, err := strconv.ParseUint(string(text[at+2:at+6]), 16, 16)
		if err != nil || !utf16.IsSurrogate(rune(n)) {
			return 0
		}
		return rune(n)
	}
	for at := 0; at < len(text); at++ {
		if text[at] != '\\' {
			continue
		}
		if first := surrogate(at); first != 0 {
			if utf16.DecodeRune(first, surrogate(at+6)) == utf8.RuneError {
				return false
			}
			at += 11
		} else {
			at++ // what is escaped
		}
	}
	return true
}

// get is the value of a member; nil: there is none.
func (o object) get(name string) json.RawMessage {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text is a member that is a string.
func (o object) text(name string) (string, bool) {
	var s *string
	if v := o.get(name); v == nil || json.Unmarshal(v, &s) != nil || s == nil {
		return "", false
	}
	return *s, true
}

// with is the object with a new value for a member, at its place or at the end. The value is one
// that JSON can hold.
func (o object) with(name string, value any) object {
	text, ok := value.(json.RawMessage)
	if !ok {
		var err error
		if text, err = hooks.EncodeJSON(value); err != nil {
			panic(err) // a mistake of the caller
		}
	}
	out := make(object, 0, len(o)+1)
	found := false
	for _, m := range o {
		if m.name == name {
			m.value, found = text, true
		}
		out = append(out, m)
	}
	if !found {
		out = append(out, member{name, text})
	}
	return out
}

// without is the object without a member.
func (o object) without(name string) object {
	var out object
	for _, m := range o {
		if m.name != name {
			out = append(out, m)
		}
	}
	return out
}

// encode writes the object.
func (o object) encode() json.RawMessage {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		key, err := hooks.EncodeJSON(m.name)
		if err != nil {
			panic(err) // a string has no error
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(m.value)
	}
	b.WriteByte('}')
	return b.Bytes()
}

// onlyAs is an error where a key is one of the names but for its case: some readers take it for
// that.
func (o object) onlyAs(names ...string) error {
	for _, m := range o {
		for _, name := range names {
			if m.name != name && strings.EqualFold(m.name, name) {
				return fmt.Errorf("the key %q would be read as %q by some; leave it out", m.name, name)
			}
		}
	}
	return nil
}
