// Package kept is what hooks leave behind, their stores and tasks, as people look at it and change it.
package kept

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/luahook/luahook/cmd/luahook/internal/terminal"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/internal/spelling"
)

// Scopes are those that a person can name by itself; the others follow from a session or a name.
var Scopes = []string{string(engine.StoreProject), string(engine.StoreUser)}

// Which says which stores are meant.
type Which struct {
	Scope   string // one of [Scopes]; "": any, or that of Session or Shared
	Script  string // whose; "": anybody's
	Session string
	Shared  string
}

// Stores gives the stores of an engine that are meant, at least one.
func (w Which) Stores(ctx context.Context, e *engine.Engine) ([]engine.KeptStore, error) {
	if err := w.check(); err != nil {
		return nil, err
	}
	var shared []string
	if w.Shared != "" {
		shared = []string{w.Shared}
	}
	all, err := e.KeptStores(ctx, w.Session, shared...)
	if err != nil {
		return nil, err
	}
	var scripts []string
	meant := slices.DeleteFunc(all, func(k engine.KeptStore) bool {
		if !slices.Contains(scripts, k.Script) && k.Script != "" {
			scripts = append(scripts, k.Script, name(k.Script))
		}
		return !w.fits(&k)
	})
	switch {
	case len(meant) > 0:
		return meant, nil
	case w.Script != "":
		return nil, fmt.Errorf("no script %q is loaded%s; `luahook list` names them", terminal.Shown(w.Script), spelling.DidYouMean(w.Script, scripts))
	}
	return nil, errors.New("no script is loaded here, so none has a store")
}

func (w Which) check() error {
	switch {
	case w.Shared != "" && (w.Session != "" || w.Script != "" || w.Scope != ""):
		return errors.New("--shared names a store of all scripts; it doesn't go with --session, --script or --scope")
	case w.Session != "" && w.Scope != "":
		return errors.New("--session means the stores of that session; it doesn't go with --scope")
	case w.Scope == string(engine.StoreSession):
		return errors.New("which session? name it with --session ID instead of --scope; luahook log shows them")
	case w.Scope == string(engine.StoreShared):
		return errors.New("which shared store? name it with --shared NAME instead of --scope")
	case w.Scope != "" && !slices.Contains(Scopes, w.Scope):
		return fmt.Errorf("--scope is %q, want %s%s", w.Scope, strings.Join(Scopes, " or "), spelling.DidYouMean(w.Scope, Scopes))
	}
	return nil
}

func (w Which) fits(k *engine.KeptStore) bool {
	scope := engine.StoreScope(w.Scope)
	switch {
	case w.Shared != "":
		scope = engine.StoreShared
	case w.Session != "":
		scope = engine.StoreSession
	}
	if scope != "" && k.Scope != scope {
		return false
	}
	return w.Script == "" || slices.Contains([]string{k.Script, path.Base(k.Script), name(k.Script)}, w.Script)
}

// name is what a script is called for short.
func name(script string) string {
	return strings.TrimSuffix(path.Base(strings.TrimPrefix(script, builtin)), ".lua")
}

const builtin = "builtin:"

// label names a store for people.
func label(k *engine.KeptStore) string {
	switch k.Scope {
	case engine.StoreShared:
		return "shared " + terminal.Shown(k.Name)
	case engine.StoreSession:
		if k.Session == "" {
			return terminal.Shown(k.Script) + ", events without a session"
		}
		return terminal.Shown(k.Script) + ", session " + terminal.Shown(k.Session)
	}
	return terminal.Shown(k.Script) + ", " + string(k.Scope)
}

// Entry is a key with its value, as programs read it.
type Entry struct {
	Scope   engine.StoreScope `json:"scope"`
	Script  string            `json:"script,omitempty"`
	Session string            `json:"session,omitempty"`
	Name    string            `json:"name,omitempty"` // of a shared store
	Key     string            `json:"key"`
	Value   json.RawMessage   `json:"value"`
}

// shownValue is how much of a value a list has, and shownKeys how many keys of one store.
const (
	shownValue = 200
	shownKeys  = 200
)

// Show prints what the stores keep under the keys that begin with prefix: for people, or as a list in JSON, which
// has all of it. A single key's value is printed whole.
func Show(ctx context.Context, w io.Writer, stores []engine.KeptStore, prefix string, asJSON bool) error {
	entries, b, keys := []Entry{}, strings.Builder{}, 0
	colour := terminal.ColourOf(w)
	for i := range stores {
		k := &stores[i]
		found, err := k.Keys(ctx, prefix)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		keys += len(found)
		fmt.Fprintln(&b, colour.Title(label(k)))
		for n, key := range found {
			if !asJSON && n == shownKeys {
				fmt.Fprintf(&b, "  ... and %d more; name how they begin, or use --format json\n", len(found)-n)
				break
			}
			value, err := k.Get(ctx, key)
			if err != nil {
				return err
			}
			if value == nil { // it has just expired
				continue
			}
			if asJSON {
				entries = append(entries, Entry{k.Scope, k.Script, k.Session, k.Name, key, readable(value)})
				continue
			}
			fmt.Fprintf(&b, "  %s = %s\n", terminal.Shown(key), shown(value, key == prefix && len(found) == 1))
		}
	}
	switch {
	case keys == 0 && prefix != "":
		return fmt.Errorf("no key begins with %q there", terminal.Shown(prefix))
	case asJSON:
		return terminal.WriteJSON(w, entries)
	case keys == 0:
		b.WriteString("nothing is kept there\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// readable is a value as JSON, which it is unless somebody else has written it.
func readable(value []byte) json.RawMessage {
	if json.Valid(value) {
		return value
	}
	text, _ := json.Marshal(string(value)) // a text is always one
	return text
}

func shown(value []byte, whole bool) string {
	text := terminal.PrintableJSON(string(readable(value)))
	if whole || len(text) <= shownValue {
		return text
	}
	return strings.ToValidUTF8(text[:shownValue], "") + "... (" + terminal.Bytes(int64(len(value))) + ")"
}

// Set keeps a value in one of the stores: in the only one that has the key, where none has it in the only one of a
// script that isn't built in. That of the project goes before that of the user. It gives that store's label.
func Set(ctx context.Context, stores []engine.KeptStore, key, value string) (where string, err error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(value)); err != nil {
		return "", fmt.Errorf(`the value isn't JSON (%w); a text is written with quotes: '"%s"'`, err, "main")
	}
	k, err := one(ctx, stores, key)
	if err != nil {
		return "", err
	}
	return label(k), k.Set(ctx, key, compact.Bytes())
}

func one(ctx context.Context, stores []engine.KeptStore, key string) (*engine.KeptStore, error) {
	var all, have []*engine.KeptStore
	for i := range stores {
		k := &stores[i]
		value, err := k.Get(ctx, key)
		if err != nil {
			return nil, err
		}
		all = append(all, k)
		if value != nil {
			have = append(have, k)
		}
	}
	problem := "several stores have %q: say which with --script, and --scope where it has two: %s"
	meant := have
	if len(have) == 0 {
		problem = "in which store? none has %q: name its script with --script, and --scope where it has two: %s"
		meant = preferred(all, func(k *engine.KeptStore) bool { return !strings.HasPrefix(k.Script, builtin) })
	}
	for _, scope := range []engine.StoreScope{engine.StoreProject, engine.StoreUser} {
		meant = preferred(meant, func(k *engine.KeptStore) bool { return k.Scope == scope })
	}
	if len(meant) == 1 {
		return meant[0], nil
	}
	var labels []string
	for _, k := range meant[:min(len(meant), mostLabels)] {
		labels = append(labels, label(k))
	}
	if more := len(meant) - mostLabels; more > 0 {
		labels = append(labels, fmt.Sprintf("and %d more, which `luahook list` names", more))
	}
	return nil, fmt.Errorf(problem, terminal.Shown(key), strings.Join(labels, "; "))
}

// mostLabels is how many stores a message names.
const mostLabels = 4

// preferred gives the stores that are so; all, if none is.
func preferred(stores []*engine.KeptStore, so func(*engine.KeptStore) bool) []*engine.KeptStore {
	var those []*engine.KeptStore
	for _, k := range stores {
		if so(k) {
			those = append(those, k)
		}
	}
	if len(those) == 0 {
		return stores
	}
	return those
}

// Found is a key that a store has.
type Found struct {
	store *engine.KeptStore
	Key   string
}

func (f *Found) String() string { return terminal.Shown(f.Key) + " (" + label(f.store) + ")" }

// Delete takes the key away.
func (f *Found) Delete(ctx context.Context) error { return f.store.Delete(ctx, f.Key) }

// Find gives the keys that are there: key itself, or with prefix all that begin with it; at least one.
func Find(ctx context.Context, stores []engine.KeptStore, key string, prefix bool) ([]Found, error) {
	var found []Found
	for i := range stores {
		k := &stores[i]
		keys, err := k.Keys(ctx, key)
		if err != nil {
			return nil, err
		}
		for _, name := range keys {
			if prefix || name == key {
				found = append(found, Found{k, name})
			}
		}
	}
	if len(found) == 0 && prefix {
		return nil, fmt.Errorf("no key begins with %q there", terminal.Shown(key))
	} else if len(found) == 0 {
		return nil, fmt.Errorf("no key is %q there; `luahook store show` lists them", terminal.Shown(key))
	}
	return found, nil
}
