package hooks

import (
	"encoding"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Bounds of the values that an event or an answer may hold.
const (
	MaxValues = 200_000 // maps, lists and their elements, all together
	MaxDepth  = 1000    // of maps and lists inside one another
)

// maxNumber bounds the text of a number, in bytes.
const maxNumber = 1000

// PlainValue returns v as JSON would hold it: maps of any, lists, texts, numbers, booleans and nil. A part that
// is plain already stays and is shared; everything else is copied, by its fields and their json tags, or by
// MarshalJSON, MarshalText or Error if it has one, and bytes as the text that they are. The error, an
// [*InputError], names a value that JSON can't express (functions, channels, NaN, a value that holds itself) or
// one beyond [MaxValues] and [MaxDepth].
func PlainValue(v any) (any, error) {
	p := plainer{left: MaxValues}
	plain, _, bad := p.value(v, 0)
	if bad != nil {
		return nil, bad.of("value")
	}
	return plain, nil
}

// plainer makes values plain.
type plainer struct {
	left int // values that it may still count
}

// notPlain says why a value can't be made plain, and where in it.
type notPlain struct {
	path    string
	message string
}

func (n *notPlain) of(field string) *InputError { return fieldError(field+n.path, "%s", n.message) }

// in adds an outer place. The end of a long path is enough.
func (n *notPlain) in(place string) *notPlain {
	if len(n.path) < 200 {
		n.path = shortened(place, 60) + n.path
	}
	return n
}

func notPlainf(format string, args ...any) *notPlain {
	return &notPlain{message: fmt.Sprintf(format, args...)}
}

// enter counts a value.
func (p *plainer) enter(n, depth int) *notPlain {
	p.left -= n
	switch {
	case p.left < 0:
		return notPlainf("more than %d values", MaxValues)
	case depth > MaxDepth:
		return notPlainf("nested deeper than %d levels, or it holds itself", MaxDepth)
	}
	return nil
}

// value makes a value plain; fresh reports whether the result is a copy.
func (p *plainer) value(v any, depth int) (plain any, fresh bool, bad *notPlain) {
	if bad := p.enter(1, depth); bad != nil {
		return nil, false, bad
	}
	switch v := v.(type) {
	case nil, string, bool, int64, int:
		return v, false, nil
	case float64:
		return v, false, finite(v)
	case json.Number:
		if len(v) > maxNumber || !json.Valid([]byte(v)) || v[0] != '-' && (v[0] < '0' || v[0] > '9') {
			return nil, false, notPlainf("%.40q is not a number", string(v))
		}
		return v, false, nil
	case map[string]any:
		return p.object(v, depth)
	case []any:
		return p.list(v, depth)
	case []string:
		return v, false, p.enter(len(v), depth)
	case map[string]string:
		return v, false, p.enter(len(v), depth)
	case []map[string]any:
		list := make([]any, len(v))
		for i, e := range v {
			if list[i], _, bad = p.value(e, depth+1); bad != nil {
				return nil, false, bad.in(fmt.Sprintf("[%d]", i))
			}
		}
		return list, true, nil
	}
	plain, bad = p.foreign(reflect.ValueOf(v), depth)
	return plain, true, bad
}

func finite(f float64) *notPlain {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return notPlainf("%v is not a JSON number", f)
	}
	return nil
}

func (p *plainer) object(m map[string]any, depth int) (any, bool, *notPlain) {
	var copied map[string]any
	for k, e := range m {
		plain, fresh, bad := p.value(e, depth+1)
		if bad != nil {
			return nil, false, bad.in("." + k)
		}
		if fresh && copied == nil {
			copied = maps.Clone(m)
		}
		if fresh {
			copied[k] = plain
		}
	}
	if copied == nil {
		return m, false, nil
	}
	return copied, true, nil
}

func (p *plainer) list(l []any, depth int) (any, bool, *notPlain) {
	var copied []any
	for i, e := range l {
		plain, fresh, bad := p.value(e, depth+1)
		if bad != nil {
			return nil, false, bad.in(fmt.Sprintf("[%d]", i))
		}
		if fresh && copied == nil {
			copied = append(make([]any, 0, len(l)), l...)
		}
		if fresh {
			copied[i] = plain
		}
	}
	if copied == nil {
		return l, false, nil
	}
	return copied, true, nil
}

// foreign makes a value of any other Go type plain.
func (p *plainer) foreign(r reflect.Value, depth int) (any, *notPlain) {
	switch r.Kind() {
	case reflect.Invalid:
		return nil, nil
	case reflect.Pointer, reflect.Interface, reflect.Map, reflect.Slice, reflect.Func, reflect.Chan:
		if r.IsNil() {
			return nil, nil
		}
	}
	if plain, done, bad := p.byMethod(r, depth); done || bad != nil {
		return plain, bad
	}
	switch r.Kind() {
	case reflect.String:
		return r.String(), nil
	case reflect.Bool:
		return r.Bool(), nil
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return r.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if n := r.Uint(); n > math.MaxInt64 {
			return json.Number(strconv.FormatUint(n, 10)), nil
		}
		return int64(r.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return r.Float(), finite(r.Float())
	case reflect.Pointer, reflect.Interface:
		return p.below(r.Elem(), depth)
	case reflect.Slice, reflect.Array:
		return p.items(r, depth)
	case reflect.Map:
		return p.entries(r, depth)
	case reflect.Struct:
		object := map[string]any{}
		return object, p.fields(r, depth, object, map[string]int{}, 0)
	}
	return nil, notPlainf("a value of type %s is not data", r.Type())
}

// below makes the content of a value plain.
func (p *plainer) below(r reflect.Value, depth int) (any, *notPlain) {
	if r.IsValid() && r.CanInterface() {
		plain, _, bad := p.value(r.Interface(), depth+1)
		return plain, bad
	}
	if bad := p.enter(1, depth+1); bad != nil {
		return nil, bad
	}
	return p.foreign(r, depth+1)
}

// byMethod returns the plain value that v's own methods give; done is false if it has no such method.
func (p *plainer) byMethod(r reflect.Value, depth int) (plain any, done bool, bad *notPlain) {
	if !r.CanInterface() || r.Type().PkgPath() == "" && r.Kind() != reflect.Pointer && r.Kind() != reflect.Struct {
		return nil, false, nil // a type without a name has no methods
	}
	defer func() {
		if problem := recover(); problem != nil {
			plain, done, bad = nil, true, notPlainf("%s panicked while it was encoded as JSON: %.100v", r.Type(), problem)
		}
	}()
	self := r.Interface()
	if r.CanAddr() && r.Kind() != reflect.Pointer {
		self = r.Addr().Interface()
	}
	switch v := self.(type) {
	case json.Marshaler:
		text, err := v.MarshalJSON()
		if err != nil {
			return nil, true, notPlainf("%.200v", err)
		}
		if len(text) > MaxEventBytes {
			return nil, true, notPlainf("larger than 16 MiB")
		}
		decoded, err := DecodeJSON(text)
		if err != nil {
			return nil, true, notPlainf("from its MarshalJSON: %s", strings.TrimPrefix(err.Error(), "event: "))
		}
		plain, _, bad = p.value(decoded, depth)
		return plain, true, bad
	case error:
		return v.Error(), true, nil
	case encoding.TextMarshaler:
		text, err := v.MarshalText()
		if err != nil {
			return nil, true, notPlainf("%.200v", err)
		}
		return string(text), true, nil
	}
	return nil, false, nil
}

func (p *plainer) items(r reflect.Value, depth int) (any, *notPlain) {
	if r.Type().Elem().Kind() == reflect.Uint8 {
		bytes := make([]byte, r.Len())
		reflect.Copy(reflect.ValueOf(bytes), r)
		return string(bytes), nil
	}
	if r.Len() > p.left {
		return nil, notPlainf("more than %d values", MaxValues)
	}
	list := make([]any, r.Len())
	for i := range list {
		var bad *notPlain
		if list[i], bad = p.below(r.Index(i), depth); bad != nil {
			return nil, bad.in(fmt.Sprintf("[%d]", i))
		}
	}
	return list, nil
}

func (p *plainer) entries(r reflect.Value, depth int) (any, *notPlain) {
	object := map[string]any{}
	for at := r.MapRange(); at.Next(); {
		key, bad := keyText(at.Key())
		if bad != nil {
			return nil, bad
		}
		if _, twice := object[key]; twice {
			return nil, notPlainf("the key %.40q appears twice", key)
		}
		if object[key], bad = p.below(at.Value(), depth); bad != nil {
			return nil, bad.in("." + key)
		}
	}
	return object, nil
}

// keyText returns the key of a map as JSON writes it.
func keyText(k reflect.Value) (string, *notPlain) {
	if k.Kind() == reflect.String {
		return k.String(), nil
	}
	if m, ok := k.Interface().(encoding.TextMarshaler); ok && !(k.Kind() == reflect.Pointer && k.IsNil()) {
		text, err := m.MarshalText()
		if err != nil {
			return "", notPlainf("a key: %.200v", err)
		}
		return string(text), nil
	}
	switch {
	case k.CanInt():
		return strconv.FormatInt(k.Int(), 10), nil
	case k.CanUint():
		return strconv.FormatUint(k.Uint(), 10), nil
	case k.Kind() == reflect.Interface && !k.IsNil():
		return keyText(k.Elem())
	}
	return "", notPlainf("a map with keys of type %s is not an object", k.Type())
}

// fields puts the fields of a struct into an object. Fields of embedded structs count as the struct's own unless
// a nearer field has their name; levels are their depths.
func (p *plainer) fields(r reflect.Value, depth int, object map[string]any, levels map[string]int, level int) *notPlain {
	if bad := p.enter(1, depth+level); bad != nil {
		return bad
	}
	for i := range r.NumField() {
		field, v := r.Type().Field(i), r.Field(i)
		tag := field.Tag.Get("json")
		name, options, _ := strings.Cut(tag, ",")
		if tag == "-" || name == "" && !field.IsExported() && !field.Anonymous {
			continue
		}
		if field.Anonymous && name == "" {
			inner := v
			for inner.Kind() == reflect.Pointer && !inner.IsNil() {
				inner = inner.Elem()
			}
			if inner.Kind() == reflect.Struct {
				if bad := p.fields(inner, depth, object, levels, level+1); bad != nil {
					return bad
				}
				continue
			}
		}
		if !field.IsExported() || strings.Contains(options, "omitempty") && isEmpty(v) || strings.Contains(options, "omitzero") && v.IsZero() {
			continue
		}
		if name == "" {
			name = field.Name
		}
		if nearer, taken := levels[name]; taken && nearer <= level {
			continue
		}
		levels[name] = level
		plain, bad := p.below(v, depth)
		if bad != nil {
			return bad.in("." + name)
		}
		object[name] = plain
	}
	return nil
}

// isEmpty reports whether omitempty leaves the value out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Map, reflect.Slice, reflect.String, reflect.Array:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}
