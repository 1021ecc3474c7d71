package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"github.com/luahook/luahook/internal/wordlist"
)

// An array is a binding with a list. Its elements are numbered from 0, unless at has their numbers, in order. One that
// is keyed has keys instead.

// subscript is what stands in brackets behind a name.
type subscript struct {
	number int
	key    string // of an associative array
}

// isKeyed reports whether a variable is an associative array.
func (w *walker) isKeyed(text string) bool {
	return w.attributes[text].keyed || text == "BASH_ALIASES" || text == "BASH_CMDS"
}

// subscriptOf reads a subscript, false where it isn't known.
func (w *walker) subscriptOf(index syntax.ArithmExpr, keyed bool, s *scope) (subscript, bool) {
	if !keyed {
		i, ok := w.number(index, s)
		return subscript{number: int(min(max(i, -maxText), maxText))}, ok
	}
	if word, ok := index.(*syntax.Word); ok {
		v := w.value(word, s)
		return subscript{key: v.Text}, !v.Dynamic
	}
	w.number(index, s)
	source := sourceOf(s.source, index)
	return subscript{key: source}, !strings.ContainsAny(source, "$`")
}

// subscriptIn is subscriptOf for a name that stands in a word, as in unset 'a[1]'.
func subscriptIn(text string, keyed bool) (subscript, bool) {
	if keyed {
		return subscript{key: text}, !strings.ContainsAny(text, "$`")
	}
	i, err := strconv.Atoi(text)
	return subscript{number: min(max(i, -maxText), maxText)}, err == nil
}

// usuallyExported lists variables that an environment has, so that an array of that name has their value first.
const usuallyExported = "HOME PATH SHELL BASH USER LOGNAME PWD OLDPWD LANG TERM EDITOR VISUAL PAGER TMPDIR"

// arrayBefore returns the array that a variable is before an element is added, nil where it isn't known. One that the
// line hasn't touched has no elements: a shell takes no arrays from outside.
func (w *walker) arrayBefore(text string, s *scope) *binding {
	n := name{variable, w.referredName(text)}
	it := w.choose(n)
	switch {
	case it == nil:
		if _, changed := w.env.names[n]; changed {
			return nil
		}
		first := w.shellVariable(n.text, n, s)
		if first == nil && wordlist.Has(usuallyExported, n.text) {
			unknown := unknowable("$"+n.text, s.at)
			first = &unknown
		}
		if first == nil {
			return &binding{isList: true, keyed: w.isKeyed(text)}
		}
		return &binding{list: []argument{*first}, isList: true}
	case it.unset:
		return &binding{isList: true, keyed: w.isKeyed(text)}
	case it.isList:
		return it
	}
	return &binding{list: []argument{it.word}, isList: true}
}

// find returns where in the list the element is, or where it would be.
func (it *binding) find(sub subscript) (i int, found bool) {
	switch {
	case it.keyed:
		if i = slices.Index(it.keys, sub.key); i >= 0 {
			return i, true
		}
		return len(it.list), false
	case it.at == nil:
		return min(sub.number, len(it.list)), sub.number < len(it.list)
	}
	return slices.BinarySearch(it.at, sub.number)
}

// next is the number behind that of the last element.
func (it *binding) next() int {
	if n := len(it.at); n > 0 {
		return it.at[n-1] + 1
	}
	return len(it.list)
}

// numbers returns the numbers of the elements.
func (it *binding) numbers() []int {
	if it.at != nil {
		return slices.Clone(it.at)
	}
	at := make([]int, len(it.list))
	for i := range at {
		at[i] = i
	}
	return at
}

// copied is an array that may be changed.
func (it *binding) copied() *binding {
	return &binding{list: slices.Clone(it.list), at: slices.Clone(it.at), keys: slices.Clone(it.keys), isList: true, keyed: it.keyed, exported: it.exported}
}

// put puts an element in, which nobody else may have yet.
func (it *binding) put(sub subscript, v argument, appends bool) {
	i, found := it.find(sub)
	switch {
	case found && appends:
		it.list[i], _ = concatenate([]argument{it.list[i], v}, "")
	case found:
		it.list[i] = v
	case it.keyed:
		it.keys, it.list = append(it.keys, sub.key), append(it.list, v)
	default:
		if it.at != nil || sub.number > i {
			it.at = slices.Insert(it.numbers(), i, sub.number)
		}
		it.list = slices.Insert(it.list, i, v)
	}
}

// remove takes an element out.
func (it *binding) remove(sub subscript) {
	i, found := it.find(sub)
	if !found {
		return
	}
	switch {
	case it.keyed:
		it.keys = slices.Delete(it.keys, i, i+1)
	default:
		it.at = slices.Delete(it.numbers(), i, i+1)
	}
	it.list = slices.Delete(it.list, i, i+1)
}

// element returns an element of an array, nil where it isn't known.
func (w *walker) element(it *binding, index syntax.ArithmExpr, s *scope) *argument {
	sub, ok := subscript{key: "0"}, true
	if index != nil {
		sub, ok = w.subscriptOf(index, it.keyed, s)
	}
	switch {
	case !ok:
		return nil
	case it.keyed, it.at != nil && sub.number >= 0:
		if i, found := it.find(sub); found {
			return &it.list[i]
		}
		return &argument{at: s.at}
	case sub.number >= 0:
		return w.nthElement(it.list, sub.number, s)
	case firstUncertain(it.list) >= 0:
		return nil
	}
	if sub.number += it.next(); sub.number >= 0 {
		if i, found := it.find(sub); found {
			return &it.list[i]
		}
	}
	return &argument{at: s.at}
}

// nthElement returns an element of a list, nil where it isn't known.
func (w *walker) nthElement(list []argument, i int, s *scope) *argument {
	switch at := firstUncertain(list); {
	case at >= 0 && i > at:
		return nil
	case i < 0 || i >= len(list):
		return &argument{at: s.at}
	}
	return &list[i]
}

// firstUncertain returns where in list the first word is that may be several or none,
// -1 for nowhere. What stands behind isn't known by its number.
func firstUncertain(list []argument) int {
	for i := range list {
		if word := &list[i]; word.Dynamic && !word.Quoted || word.Glob || word.Dynamic && strings.HasPrefix(word.Text, "$@") {
			return i
		}
	}
	return -1
}

// subscripts returns ${!name[@]}.
func (it *binding) subscripts(s *scope) []argument {
	list := make([]argument, len(it.list))
	for i, number := range it.numbers() {
		list[i] = literal(strconv.Itoa(number), s.at)
		if it.keyed {
			list[i].Text = it.keys[i]
		}
	}
	return list
}

// array returns what name=(...) makes.
func (w *walker) array(node *syntax.Assign, s *scope) *binding {
	text := node.Name.Value
	it := &binding{isList: true, keyed: w.isKeyed(text)}
	known := true
	if node.Append {
		if it = w.arrayBefore(text, s); it == nil {
			it, known = &binding{isList: true}, false
		} else if known = w.spend(listCost * len(it.list)); known {
			it = it.copied()
		}
	}
	known = w.spend(listCost*len(node.Array.Elems)) && known
	var keyless []argument
	for _, element := range node.Array.Elems {
		switch {
		case element.Index != nil:
			sub, ok := w.subscriptOf(element.Index, it.keyed, s)
			v := w.value(element.Value, s)
			if !ok || sub.number < 0 { // it's one more, whatever its number
				sub = subscript{number: it.next(), key: sourceOf(s.source, element.Index)}
			}
			if w.spend(listCost * len(it.list)) {
				it.put(sub, v, false)
				w.noteElement(text, sub, v)
			}
		case element.Value == nil:
			known = false
		case it.keyed:
			keyless = w.fields(keyless, element.Value, s)
		default:
			next, count := it.next(), len(it.list)
			it.list = w.fields(it.list, element.Value, s)
			for i := count; it.at != nil && i < len(it.list); i++ {
				it.at = append(it.at, next+i-count)
			}
		}
	}
	for ; len(keyless) > 1 && w.spend(listCost*len(it.list)); keyless = keyless[2:] {
		it.put(subscript{key: keyless[0].Text}, keyless[1], false)
	}
	if !known {
		return unknownBinding
	}
	return it
}

// indexed returns an array with one more element, or with another one in its
// place.
func (w *walker) indexed(node *syntax.Assign, s *scope) *binding {
	v := w.value(node.Value, s)
	sub, ok := w.subscriptOf(node.Index, w.isKeyed(node.Name.Value), s)
	if it := w.withElement(node.Name.Value, sub, v, ok, node.Append, s); it != nil {
		return it
	}
	return unknownBinding
}

// withElement is the array that a variable is with an element, nil where that isn't known.
func (w *walker) withElement(text string, sub subscript, v argument, ok, appends bool, s *scope) *binding {
	it := w.arrayBefore(text, s)
	if it == nil || !ok || !w.spend(listCost*len(it.list)) {
		return nil
	}
	it = it.copied()
	if sub.number < 0 {
		if sub.number += it.next(); sub.number < 0 || firstUncertain(it.list) >= 0 {
			return nil
		}
	}
	it.put(sub, v, appends)
	w.noteElement(text, sub, v)
	return it
}

// noteElement notes an alias, or where a program is, that is put into the shell's own array of them.
func (w *walker) noteElement(array string, sub subscript, v argument) {
	switch array {
	case "BASH_ALIASES":
		v.Text = sub.key + "=" + v.Text
		w.defineAliases([]argument{v})
	case "BASH_CMDS":
		w.hash(v, []argument{literal(sub.key, v.at)})
	}
}

// elementWord takes a word such as a[1] apart.
func elementWord(word string) (array, index string, ok bool) {
	array, index, ok = strings.Cut(word, "[")
	index, closed := strings.CutSuffix(index, "]")
	return array, index, ok && closed && syntax.ValidName(array)
}

// assignElement lets the element that a word names stand for v.
func (w *walker) assignElement(word string, v argument, ok bool, s *scope) {
	array, index, isElement := elementWord(word)
	if !isElement {
		return
	}
	sub, known := subscriptIn(index, w.isKeyed(array))
	w.assign(array, w.withElement(array, sub, v, ok && known, false, s))
}

// unsetElement is unset for the element that a word names.
func (w *walker) unsetElement(word string, s *scope) {
	array, index, _ := strings.Cut(word, "[")
	sub, ok := subscriptIn(strings.TrimSuffix(index, "]"), w.isKeyed(array))
	it := w.arrayBefore(array, s)
	if it == nil || !ok || !w.spend(listCost*len(it.list)) || firstUncertain(it.list) >= 0 {
		w.assign(array, nil)
		return
	}
	it = it.copied()
	if sub.number < 0 {
		sub.number += it.next()
	}
	it.remove(sub)
	w.assign(array, it)
}

// firstElement returns an array of which the first element is assigned to,
// which is what a=x does to it.
func (w *walker) firstElement(it *binding, v argument, appends bool) *binding {
	if firstUncertain(it.list) == 0 || !w.spend(listCost*len(it.list)) {
		return unknownBinding
	}
	it = it.copied()
	it.put(subscript{key: "0"}, v, appends)
	return it
}
