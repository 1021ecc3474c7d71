package config

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// MaxBytes is the largest size of a hooks.yaml. This and the bounds below protect against a hostile file: the
// work of the YAML parser grows with the square of what it reads, and its memory grows too.
const MaxBytes = 64 << 10

const (
	maxDepth  = 100
	maxLines  = 6000
	maxErrors = 50
)

// Decode reads a hooks.yaml; messages call it name. The result can always be used: a setting or an entry with a
// mistake in it is left out, the rest stays. Each error is a [*hooks.Error] of kind load with name:line:column
// as its Source and the annotated line as its Snippet. Decode stops reading after 50 errors.
func Decode(name string, text []byte) (*Config, []error) {
	d := &decoder{source: &source{name: name, text: withoutMark(text)}, config: &Config{}}
	if len(text) > MaxBytes {
		d.fail(d.start(), "the file has %d bytes, %d may be", len(text), MaxBytes)
		return d.config, d.errors
	}
	if body := d.parse(); body != nil {
		d.document(body)
	}
	return d.config, d.errors
}

// decoder walks the YAML tree in parallel with the types of the form.
type decoder struct {
	source   *source
	config   *Config
	errors   []error
	patterns int              // instructions of all matchers so far
	limits   map[string]place // of the values of its keys
}

// failAt notes a mistake at a node.
func (d *decoder) failAt(n ast.Node, format string, args ...any) {
	d.fail(d.place(n), format, args...)
}

func (d *decoder) fail(at place, format string, args ...any) {
	switch n := len(d.errors); {
	case n < maxErrors:
		d.errors = append(d.errors, at.errorf(format, args...))
	case n == maxErrors:
		d.errors = append(d.errors, at.errorf("more than %d mistakes; nothing is read from here on", maxErrors))
	}
}

// full reports whether there are so many mistakes that reading stops.
func (d *decoder) full() bool { return len(d.errors) > maxErrors }

// document reads the whole file.
func (d *decoder) document(body ast.Node) {
	doc := document{section{Enabled: true, MaxFollowups: -1}}
	d.mapping("", body, reflect.ValueOf(&doc).Elem(), func(key string, k, _ ast.Node) {
		if event, err := hooks.ParseEvent(key); err == nil && spelling.Nearest(key, []string{"hooks"}) == "" {
			d.failAt(k, "unknown key %q; the event %s belongs under \"hooks\"", key, event)
			return
		}
		d.unknown("", key, k, reflect.TypeFor[document]())
	})
	s, c := &doc.Hooks, d.config
	c.Disabled, c.OnFailure, c.Grants, c.Store = !s.Enabled, s.OnFailure, s.Grant.grants(), string(s.Store)
	c.Tasks = s.Tasks
	c.Record = string(s.Record)
	c.Limits = Limits{
		Instructions: int64(s.Limits.Instructions), Timeout: time.Duration(s.Limits.Timeout),
		Memory: int64(s.Limits.Memory), Event: time.Duration(s.Limits.Event), Loading: int64(s.Limits.Loading),
	}
	if n := int(s.MaxFollowups); n >= 0 {
		c.MaxFollowups = &n
	}
}

// event reads the list of hooks of a key under hooks that is no setting.
func (d *decoder) event(key string, k, v ast.Node) {
	if where := belongs(key, reflect.TypeFor[section]()); where != "" {
		d.failAt(k, "unknown key %q; %s", key, where)
		return
	}
	event, err := hooks.ParseEvent(key)
	if err != nil {
		d.noEvent(key, k, err)
		return
	}
	list, ok := v.(*ast.SequenceNode)
	if !ok {
		if !isEmpty(v) {
			d.failAt(v, "%s: want a list of hooks, each with builtin, script or command", key)
		}
		return
	}
	for _, n := range list.Values {
		if d.full() {
			return
		}
		d.hook(event, key, n)
	}
}

// noEvent suggests what a key under hooks may have been meant for.
func (d *decoder) noEvent(key string, k ast.Node, err error) {
	keys := keysOf(reflect.TypeFor[section]())
	var unknown *hooks.UnknownEventError
	candidates := keys
	if errors.As(err, &unknown) && unknown.Nearest != "" {
		candidates = append([]string{string(unknown.Nearest)}, keys...)
	}
	switch near := spelling.Nearest(key, candidates); {
	case slices.Contains(keys, near):
		d.failAt(k, "unknown key %q; did you mean %q?", key, near)
	case errors.As(err, &unknown) && unknown.Nearest == "":
		d.failAt(k, "%v, and the settings are %s", err, strings.Join(keys, ", "))
	default:
		d.failAt(k, "%v", err)
	}
}

// mapping reads a YAML mapping into a struct of the form. Messages use path; "" is the file. It passes keys that
// the struct doesn't have to other. It returns, by key, the places of the values that were read without a
// mistake. The parser has already refused duplicate keys.
func (d *decoder) mapping(path string, n ast.Node, into reflect.Value, other func(key string, k, v ast.Node)) map[string]place {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		if !isEmpty(n) {
			d.failAt(n, "%s: want a mapping of keys to values", cmp.Or(path, "the file"))
		}
		return nil
	}
	set := map[string]place{}
	for _, p := range m.Values {
		if d.full() {
			break
		}
		key := written(p.Key)
		if i := slices.Index(keysOf(into.Type()), key); i < 0 {
			other(key, p.Key, p.Value)
		} else if d.value(join(path, key), p.Value, into.Field(i)) {
			set[key] = d.place(p.Value)
		}
	}
	return set
}

// unknown reports a key that a struct of the form doesn't have.
func (d *decoder) unknown(path, key string, k ast.Node, in reflect.Type) {
	under := ""
	if path != "" {
		under = " under " + path
	}
	keys := keysOf(in)
	where, near := belongs(key, in), spelling.DidYouMean(key, keys)
	switch {
	case where != "":
		d.failAt(k, "unknown key %q%s; %s", key, under, where)
	case near != "":
		d.failAt(k, "unknown key %q%s%s", key, under, near)
	default:
		d.failAt(k, "unknown key %q%s; known are %s", key, under, strings.Join(keys, ", "))
	}
}

// join returns the path of a key for messages, as short as is clear.
func join(path, key string) string {
	if path == "" || path == "hooks" {
		return key
	}
	return path + "." + key
}

// value reads one value of the form and reports whether it was free of mistakes.
func (d *decoder) value(path string, n ast.Node, into reflect.Value) bool {
	problems := len(d.errors)
	if read, ok := readers()[into.Type()]; ok {
		read(d, path, n, into)
		return len(d.errors) == problems
	}
	switch into.Kind() {
	case reflect.Struct:
		other := func(key string, k, _ ast.Node) { d.unknown(path, key, k, into.Type()) }
		if into.Type() == reflect.TypeFor[section]() {
			other = d.event
		}
		places := d.mapping(path, n, into, other)
		switch {
		case places == nil:
		case into.Type() == reflect.TypeFor[limits]():
			d.limits = places
		case into.Type() == reflect.TypeFor[section]():
			if at, ok := d.limits["loading"]; ok {
				places["limits.loading"] = at
			}
			d.config.places = places
		}
		if g, ok := into.Interface().(grant); ok && d.config.granted.source == nil && !g.grants().None() {
			d.config.granted = d.place(n)
		}
	case reflect.Slice:
		d.list(path, n, into)
	default:
		panic(fmt.Sprintf("hooks.yaml: nothing reads %s, a %s", path, into.Type())) // a mistake in form.go
	}
	return len(d.errors) == problems
}

// list reads a list of values of one kind.
func (d *decoder) list(path string, n ast.Node, into reflect.Value) {
	s, ok := n.(*ast.SequenceNode)
	if !ok {
		d.failAt(n, "%s: want a list, as in [a, b]", path)
		return
	}
	into.Set(reflect.MakeSlice(into.Type(), 0, len(s.Values)))
	for _, v := range s.Values {
		if d.full() {
			return
		}
		one := reflect.New(into.Type().Elem()).Elem()
		if d.value(path, v, one) {
			into.Set(reflect.Append(into, one))
		}
	}
}
