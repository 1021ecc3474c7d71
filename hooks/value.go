package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Holds reports whether a field of type t may have the value v, which is one of encoding/json or a record.
func (t Type) Holds(v any) bool {
	if v == nil {
		return true
	}
	switch t {
	case String:
		_, ok := v.(string)
		return ok
	case Boolean:
		_, ok := v.(bool)
		return ok
	case Integer:
		_, ok := asInteger(v)
		return ok
	case Number:
		_, ok := asNumber(v)
		return ok
	case Object, Record:
		_, ok := v.(map[string]any)
		return ok
	case List:
		_, ok := v.([]any)
		return ok
	}
	return true
}

// asInteger reads a whole number of any Go type that an event may hold.
func asInteger(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case int:
		return int64(v), true
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<63 {
			return int64(v), true
		}
	}
	return 0, false
}

// asNumber reads a number of any Go type that an event may hold.
func asNumber(v any) (float64, bool) {
	switch v := v.(type) {
	case float64:
		return v, true
	case int64:
		return float64(v), true
	case int:
		return float64(v), true
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	}
	return 0, false
}

// typeName returns the JSON type of a value, for messages.
func typeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case bool:
		return "boolean"
	case map[string]any:
		return "object"
	case []any, []string:
		return "list"
	case int, int64, float64, json.Number:
		return "number"
	}
	return fmt.Sprintf("%T", v)
}

// DecodeJSON reads exactly one JSON value: objects as map[string]any, arrays as []any, whole numbers as int64,
// other numbers as float64, and numbers that neither holds exactly as json.Number. It is an error if an object
// has the same key twice, if there is more than [MaxValues] or [MaxDepth] allow, which is checked before
// anything is built, and if a number has more than 1000 bytes. Errors are [*InputError] with the byte offset. A
// byte order mark before the value is skipped, since some shells put one before piped text.
func DecodeJSON(data []byte) (any, error) {
	data = bytes.TrimPrefix(data, []byte("\uFEFF"))
	if err := measureJSON(data); err != nil {
		return nil, err
	}
	if v, ok := readJSON(data); ok {
		return v, nil
	}
	return decodeJSON(data)
}

// decodeJSON is [DecodeJSON] by encoding/json, which says what is wrong with a text.
func decodeJSON(data []byte) (any, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, syntaxError(err, len(data))
	}
	if err := uniqueKeys(data); err != nil {
		return nil, err
	}
	if rest := bytes.TrimLeft(data[d.InputOffset():], " \t\r\n"); len(rest) > 0 {
		return nil, &InputError{Offset: int64(len(data) - len(rest)), Message: "more text after the JSON value"}
	}
	return plainNumbers(v), nil
}

// measureJSON bounds the size of the value that a JSON text would become. It doesn't check the syntax; decoding
// does.
func measureJSON(data []byte) error {
	values, depth := 1, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '"':
			for i++; i < len(data) && data[i] != '"'; i++ {
				if data[i] == '\\' {
					i++
				}
			}
			continue
		case '{', '[':
			values++
			depth++
		case '}', ']':
			depth--
			continue
		case ',':
			values++
		case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
			from := i
			for i+1 < len(data) && strings.IndexByte("0123456789+-.eE", data[i+1]) >= 0 {
				i++
			}
			if i-from >= maxNumber {
				return &InputError{Offset: int64(from), Message: fmt.Sprintf("a number of more than %d characters", maxNumber)}
			}
			continue
		default:
			continue
		}
		switch {
		case depth > MaxDepth:
			return &InputError{Offset: int64(i), Message: fmt.Sprintf("nested deeper than %d levels", MaxDepth)}
		case values > MaxValues:
			return &InputError{Offset: int64(i), Message: fmt.Sprintf("more than %d values", MaxValues)}
		}
	}
	return nil
}

// uniqueKeys refuses an object that has a key twice: readers differ on which of the two counts, and a guard must
// not judge the other one. data begins with a JSON value.
func uniqueKeys(data []byte) error {
	type level struct {
		keys  map[string]bool // nil in a list
		value bool            // a key has been read, and its value comes next
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var open []level
	for {
		t, err := d.Token()
		if err != nil {
			return nil // Decode has read the same text and gives a better message
		}
		top := len(open) - 1
		switch t := t.(type) {
		case json.Delim:
			switch t {
			case '{':
				open = append(open, level{keys: map[string]bool{}})
				continue
			case '[':
				open = append(open, level{})
				continue
			}
			open = open[:top]
			top--
		case string:
			if top >= 0 && open[top].keys != nil && !open[top].value {
				if open[top].keys[t] {
					return &InputError{Offset: d.InputOffset(), Message: fmt.Sprintf("the key %q appears twice in one object, the second time", shortened(t, 100))}
				}
				open[top].keys[t], open[top].value = true, true
				continue
			}
		}
		if top < 0 {
			return nil
		}
		open[top].value = false
	}
}

func syntaxError(err error, size int) error {
	var syntax *json.SyntaxError
	switch {
	case errors.Is(err, io.EOF):
		return &InputError{Offset: -1, Message: "empty input, want JSON"}
	case errors.Is(err, io.ErrUnexpectedEOF):
		return &InputError{Offset: int64(size), Message: "not JSON: the text ends too early"}
	case errors.As(err, &syntax):
		return &InputError{Offset: max(syntax.Offset-1, 0), Message: "not JSON: " + syntax.Error()}
	}
	return &InputError{Offset: -1, Message: "not JSON: " + err.Error()}
}

// plainNumbers turns each json.Number into the Go number that holds it exactly.
func plainNumbers(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			v[k] = plainNumbers(e)
		}
	case []any:
		for i, e := range v {
			v[i] = plainNumbers(e)
		}
	case json.Number:
		if i, err := v.Int64(); err == nil {
			return i
		}
		f, err := v.Float64()
		if err != nil || (f == math.Trunc(f) && digits(v.String()) != digits(strconv.FormatFloat(f, 'e', -1, 64))) {
			return v
		}
		if f == math.Trunc(f) && math.Abs(f) < 1<<53 { // 1.0 and 1e3 are whole too
			return int64(f)
		}
		return f
	}
	return v
}

// shortened returns a text for a message, cut if it is long.
func shortened(text string, most int) string {
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}

// digits returns the significant decimal digits of a number.
func digits(number string) string {
	mantissa, _, _ := strings.Cut(strings.ToLower(number), "e")
	return strings.Trim(strings.NewReplacer("-", "", ".", "").Replace(mantissa), "0")
}

// EncodeJSON writes a value as one line of JSON without escaping <, > and &.
func EncodeJSON(v any) ([]byte, error) {
	if r, ok := v.(*Result); ok && r != nil {
		return r.appendJSON(make([]byte, 0, 512))
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// Clone returns a copy that shares nothing with c that can be changed.
func (c *Context) Clone() *Context {
	d := *c
	d.Metadata, _ = CloneValue(c.Metadata).(map[string]any)
	d.Fields, _ = CloneValue(c.Fields).(map[string]any)
	if c.ToolCall != nil {
		t := *c.ToolCall
		t.Input, _ = CloneValue(t.Input).(map[string]any)
		t.Output = CloneValue(t.Output)
		t.Paths = slices.Clone(t.Paths)
		d.ToolCall = &t
	}
	if c.Error != nil {
		e := *c.Error
		d.Error = &e
	}
	if c.Usage != nil {
		u := *c.Usage
		d.Usage = &u
	}
	return &d
}

// CloneValue copies a plain value: maps and lists to the bottom, everything else
// as it is. Where a map or list holds itself, the copy has nil.
func CloneValue(v any) any {
	c := &cloner{}
	return c.value(v)
}

// cloner remembers the maps and lists that the value being copied stands in.
type cloner struct{ above []uintptr }

// enter reports whether v doesn't hold itself; if so, leave must follow.
func (c *cloner) enter(v any) bool {
	at := reflect.ValueOf(v).Pointer()
	if slices.Contains(c.above, at) {
		return false
	}
	c.above = append(c.above, at)
	return true
}

func (c *cloner) leave() { c.above = c.above[:len(c.above)-1] }

func (c *cloner) value(v any) any {
	switch v := v.(type) {
	case map[string]any:
		if v == nil {
			return v
		}
		if !c.enter(v) {
			return nil
		}
		defer c.leave()
		m := make(map[string]any, len(v))
		for k, e := range v {
			m[k] = c.value(e)
		}
		return m
	case []any:
		if len(v) == 0 {
			return v
		}
		if !c.enter(v) {
			return nil
		}
		defer c.leave()
		l := make([]any, len(v))
		for i, e := range v {
			l[i] = c.value(e)
		}
		return l
	case []string:
		return slices.Clone(v)
	case map[string]string:
		return maps.Clone(v)
	case []map[string]any:
		l := make([]map[string]any, len(v))
		for i, e := range v {
			l[i], _ = c.value(e).(map[string]any)
		}
		return l
	}
	return v
}
