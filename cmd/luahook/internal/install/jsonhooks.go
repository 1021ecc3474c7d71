package install

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/luahook/luahook/hooks/wire"
)

// jsonForm is how an agent's JSON file says which commands are its hooks.
type jsonForm struct {
	version any  // of the file, where it has to have one
	nested  bool // an event has groups, and each of these has the hooks
	list    bool // "hooks" is a list, whose elements name their event
	bare    bool // the events may stand at the top, without "hooks" around them
	hook    func(e *wire.Event, words []string) object
}

// commandKeys are the keys of a hook that hold command lines.
var commandKeys = [...]string{"command", "bash", "powershell", "windows", "linux", "osx", "commandWindows", "command_windows"}

// place is where a value stands: the values around it, from the root, and their items that lead to it.
type place []struct {
	in *node
	at int
}

func (p place) child(in *node, at int) place {
	return append(slices.Clip(p), struct {
		in *node
		at int
	}{in, at})
}

// found is a hook of ours in a file.
type found struct {
	event string
	words []string // its command line; nil if it isn't known
	stale bool     // it's not what would be written today, even if its command is
	place place    // in a JSON file
	node  *node
}

// entries are the hooks of ours in a file, in its order.
func (f *jsonForm) entries(t *Target, text []byte) ([]found, error) {
	if isEmpty(text) {
		return nil, nil
	}
	d, err := openDocument(text)
	if err != nil {
		return nil, err
	}
	return f.find(t, d)
}

// isEmpty reports whether a file holds nothing at all.
func isEmpty(text []byte) bool {
	return isBlank(bytes.TrimPrefix(text, []byte(byteOrderMark)))
}

// maxEntries is how many hooks of ours a file may have; the table of no agent has as many events.
const maxEntries = 500

var errTooMany = fmt.Errorf("luahook stands there more than %d times; take it out by hand", maxEntries)

// find finds our hooks. The file is read anew for each that is changed, so there may not be too many.
func (f *jsonForm) find(t *Target, d *document) ([]found, error) {
	all, err := f.findAll(t, d)
	if err == nil && len(all) > maxEntries {
		err = errTooMany
	}
	return all, err
}

func (f *jsonForm) findAll(t *Target, d *document) ([]found, error) {
	events, in, err := f.events(d)
	if err != nil || events == nil {
		return nil, err
	}
	if f.list {
		return f.findIn(t, "", events, in), nil
	}
	var all []found
	for i, it := range events.items {
		list := it.value
		if list.kind != '[' {
			continue
		}
		at := in.child(events, i)
		if !f.nested {
			all = append(all, f.findIn(t, it.name, list, at)...)
			continue
		}
		for j, group := range list.items {
			for k, member := range group.value.items {
				if member.name == "hooks" && group.value.kind == '{' && member.value.kind == '[' {
					all = append(all, f.findIn(t, it.name, member.value, at.child(list, j).child(group.value, k))...)
				}
			}
		}
	}
	return all, nil
}

// findIn finds hooks of ours in a list of hooks.
func (f *jsonForm) findIn(t *Target, event string, list *node, in place) []found {
	var all []found
	for i, it := range list.items {
		action := it.value
		if f.list {
			event, _ = it.value.str("trigger")
			action = it.value.get("action")
		}
		if words := t.oursIn(action); words != nil {
			all = append(all, found{event: event, words: words, place: in.child(list, i), node: it.value})
		}
	}
	return all
}

// oursIn is the command of a hook if it's ours, else nil.
func (t *Target) oursIn(hook *node) []string {
	for _, key := range commandKeys {
		line, ok := hook.str(key)
		if !ok {
			continue
		}
		words := splitLine(line)
		if args := hook.get("args"); args != nil && key == "command" { // then the command is only the program
			words = []string{line}
			for _, a := range args.items {
				words = append(words, a.value.text)
			}
		}
		if t.isOurs(words) {
			return words
		}
	}
	return nil
}

// events is what holds the events, and where it stands; nil if it isn't there.
func (f *jsonForm) events(d *document) (*node, place, error) {
	if d.root.kind != '{' {
		return nil, nil, d.wrong(d.root, "the file", "an object")
	}
	for i, it := range d.root.items {
		if it.name != "hooks" {
			continue
		}
		switch {
		case f.list && it.value.kind != '[':
			return nil, nil, d.wrong(it.value, `"hooks"`, "a list")
		case !f.list && it.value.kind != '{':
			return nil, nil, d.wrong(it.value, `"hooks"`, "an object")
		}
		return it.value, place{}.child(d.root, i), nil
	}
	if f.bare && len(d.root.items) > 0 {
		return d.root, nil, nil
	}
	return nil, nil, nil
}

func (d *document) wrong(n *node, what, want string) error {
	return &syntaxError{Line: lineOf(d.text, n.from), Cause: fmt.Sprintf("%s is %s, want %s", what, n.what(), want)}
}

// install adds hooks of ours for events that have none, and brings the command of the others up to date.
func (f *jsonForm) install(t *Target, text []byte, events []*wire.Event) ([]byte, error) {
	if isEmpty(text) {
		text = append(slices.Clone(text), "{}\n"...)
	}
	d, err := openDocument(text)
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		if err := f.installEvent(t, d, e); err != nil {
			return nil, err
		}
	}
	return d.text, nil
}

func (f *jsonForm) installEvent(t *Target, d *document, e *wire.Event) error {
	all, err := f.find(t, d)
	if err != nil {
		return err
	}
	wanted := f.hook(e, t.words(e.Name))
	there := 0
	for i := range all { // each edit moves what follows, so the hooks are looked for again
		if all[i].event != e.Name {
			continue
		}
		there++
		if args := all[i].node.get("args"); args != nil && slices.Equal(all[i].words, t.words(e.Name)) {
			continue // the same, without a shell
		}
		if err := f.update(d, all[i].node, wanted); err != nil {
			return err
		}
		if all, err = f.find(t, d); err != nil {
			return err
		}
	}
	if there > 0 {
		return nil
	}
	return f.add(d, e.Name, wanted)
}

// update brings the command lines of a hook up to date and leaves everything else as it is.
func (f *jsonForm) update(d *document, n *node, wanted object) error {
	whole, wholeNode := wanted, n
	if f.list {
		wanted, n = wanted.get("action").(object), n.get("action")
	}
	if n.get("args") != nil {
		return d.replace(wholeNode, whole)
	}
	for _, key := range slices.Backward(commandKeys[:]) {
		line, isText := wanted.get(key).(string)
		if !isText {
			continue
		}
		switch old, is := n.str(key); {
		case !is:
			return d.replace(wholeNode, whole)
		case old != line:
			at := n.get(key)
			if err := d.splice(at.from, at.to, quoteJSON(line)); err != nil {
				return err
			}
			again, err := f.at(d, wholeNode.from)
			if err != nil {
				return err
			}
			return f.update(d, again, whole)
		}
	}
	return nil
}

// at is the value that begins at an offset.
func (f *jsonForm) at(d *document, from int) (*node, error) {
	n := d.root
	for n.from != from {
		next := slices.IndexFunc(n.items, func(it item) bool { return it.value.from <= from && from < it.value.to })
		if next < 0 {
			return nil, fmt.Errorf("there is no value at byte %d", from)
		}
		n = n.items[next].value
	}
	return n, nil
}

// add adds a hook for an event, after those that are there.
func (f *jsonForm) add(d *document, event string, hook object) error {
	if f.version != nil && d.root.kind == '{' && d.root.get("version") == nil {
		if err := d.add(d.root, "version", f.version); err != nil {
			return err
		}
	}
	holder, _, err := f.events(d)
	if err != nil {
		return err
	}
	one := hook
	if f.nested {
		one = object{{"hooks", []object{hook}}}
	}
	switch {
	case holder == nil && f.list:
		return d.add(d.root, "hooks", []object{one})
	case holder == nil:
		return d.add(d.root, "hooks", object{{event, []object{one}}})
	case f.list:
		return d.add(holder, "", one)
	}
	list := holder.get(event)
	if list == nil {
		return d.add(holder, event, []object{one})
	}
	if list.kind != '[' {
		return d.wrong(list, excerpt(event), "a list")
	}
	return d.add(list, "", one)
}

// remove takes out our hooks for the events that which is true for, and what becomes empty through it.
func (f *jsonForm) remove(t *Target, text []byte, which func(event string) bool) ([]byte, error) {
	if isEmpty(text) {
		return text, nil
	}
	d, err := openDocument(text)
	if err != nil {
		return nil, err
	}
	for {
		all, err := f.find(t, d)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(all, func(e found) bool { return which(e.event) })
		if i < 0 {
			return f.withoutVersion(d, text)
		}
		if err := d.prune(all[i].place); err != nil {
			return nil, err
		}
	}
}

// prune removes what stands at a place, and of the values around it those that hold nothing else, not even a comment.
func (d *document) prune(at place) error {
	last := len(at) - 1
	for ; last > 0; last-- {
		n := at[last].in
		// Without its hooks a group is nothing, whatever it matches.
		group := at[last-1].in.kind == '[' && n.kind == '{' && n.items[at[last].at].name == "hooks"
		if len(n.items) > 1 && !group || !d.uncommented(n) {
			break
		}
	}
	return d.remove(at[last].in, at[last].at)
}

// uncommented reports whether an object or a list has no comments beside its items.
func (d *document) uncommented(n *node) bool {
	at := n.from + 1
	for _, it := range n.items {
		if !isBlank(d.text[at:it.from]) {
			return false
		}
		if at = it.value.to; it.comma >= 0 {
			if !isBlank(d.text[at:it.comma]) {
				return false
			}
			at = it.comma + 1
		}
	}
	return isBlank(d.text[at : n.to-1])
}

// withoutVersion takes the file's version out where nothing else is left.
func (f *jsonForm) withoutVersion(d *document, before []byte) ([]byte, error) {
	if f.version == nil || bytes.Equal(d.text, before) || len(d.root.items) != 1 || d.root.items[0].name != "version" {
		return d.text, nil
	}
	if err := d.remove(d.root, 0); err != nil {
		return nil, err
	}
	return d.text, nil
}
