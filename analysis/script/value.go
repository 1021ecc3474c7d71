package script

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// value is what is known of something.
type value struct {
	kind    valueKind
	text    string   // the value, the name of a function, or the source of what isn't known or is a method
	parts   []string // valueText: what isn't known of it, as it stands in text; valueMethod: its name
	dynamic bool     // valueText: there are such parts
	rest    bool     // valueUnknown: stands for any number of values
	path    bool     // valueText and valueUnknown: a path object, with methods
	items   []values // valueList; valueMethod: of what
	pairs   []pair
	call    int // the call that made it and that it feeds, 0 for none
	fn      *function
	found   *found
	of      string // valueUnknown: the source of the list that it's an element of
	holds   string // the file whose content it has
	proof   *proof // what it says of files
	exits   bool   // it never comes to it: sys.exit()
}

type valueKind uint8

const (
	valueUnknown valueKind = iota
	valueText
	valuePlain // a number, true, false or null: as it's written
	valueList
	valueMap
	valueLibrary  // something of the language's own, by its name
	valueFunction // one that the program defines
	valueMethod   // of items[0]
)

// pair is an entry of a map.
type pair struct {
	key   string
	value values
}

// found says of a value that it stands for all that is found in a folder.
type found struct {
	root  value // the folder
	name  bool  // it's a name in the folder and not a path
	tests int   // how many conditions it stood behind where it was found
	loop  int   // the loop that goes through them
}

// values are those that something may have. None: nothing is known yet.
type values []value

// maxValues is how many values are told apart; beyond, a value isn't known.
const maxValues = 8

// homeMark stands in texts for the home folder, unlike a "~". No path or argument can have that byte.
const homeMark = "\x00"

func textValue(text string) values    { return values{{kind: valueText, text: text}} }
func plainValue(text string) values   { return values{{kind: valuePlain, text: text}} }
func libraryValue(name string) values { return values{{kind: valueLibrary, text: name}} }
func listValue(items []values) values { return values{{kind: valueList, items: items}} }
func unknown(text string) values      { return values{{text: text}} }

// constant returns the text or number that v is, if it can only be one.
func (v values) constant() (string, bool) {
	if len(v) != 1 || v[0].kind != valueText && v[0].kind != valuePlain || v[0].dynamic {
		return "", false
	}
	return v[0].text, true
}

// is reports whether v is the plain value and nothing else.
func (v values) is(plain string) bool {
	return len(v) == 1 && v[0].kind == valuePlain && v[0].text == plain
}

// may reports whether v may be true.
func (v values) may() bool {
	return slices.ContainsFunc(v, func(one value) bool {
		return one.kind != valuePlain || !oneOf(" false False FALSE nil null NULL None undefined undef 0 ", one.text)
	})
}

func (v values) has(kind valueKind) bool {
	return slices.ContainsFunc(v, func(one value) bool { return one.kind == kind })
}

// list returns the elements of a list, if v can only be one.
func (v values) list() ([]values, bool) {
	if len(v) != 1 || v[0].kind != valueList {
		return nil, false
	}
	return v[0].items, true
}

// any reports whether v stands for any number of values.
func (v values) any() bool { return len(v) == 1 && v[0].rest }

// entry returns what a map has under key, if it has.
func (v values) entry(key string) (values, bool) {
	for k := range v {
		for i := len(v[k].pairs) - 1; i >= 0; i-- {
			if v[k].pairs[i].key == key {
				return v[k].pairs[i].value, true
			}
		}
	}
	return nil, false
}

// same reports whether a and b are the same as far as they are known. Large ones count as different.
func same(a, b *value, budget *int) bool {
	*budget--
	equal := func(x, y values) bool {
		return slices.EqualFunc(x, y, func(one, other value) bool { return same(&one, &other, budget) })
	}
	return *budget >= 0 && a.kind == b.kind && a.text == b.text && a.rest == b.rest && a.path == b.path && a.fn == b.fn && a.call == b.call && a.proof == b.proof && a.exits == b.exits &&
		len(a.parts) == len(b.parts) && (a.found == nil) == (b.found == nil) &&
		(a.found == nil || a.found.loop == b.found.loop && a.found.root.text == b.found.root.text) &&
		slices.EqualFunc(a.items, b.items, equal) &&
		slices.EqualFunc(a.pairs, b.pairs, func(x, y pair) bool { return x.key == y.key && equal(x.value, y.value) })
}

// union returns the values of a and b. Where there are too many, there is one that isn't known among them.
func (f *flow) union(a, b values) values {
	all := a[:len(a):len(a)]
	for i := range b {
		known := slices.ContainsFunc(all, func(one value) bool {
			budget := 64
			return f.spend(1) && same(&one, &b[i], &budget)
		})
		switch {
		case known:
		case len(all) < maxValues:
			all = append(all, b[i])
		case all.has(valueUnknown):
			return all
		default:
			return append(all, value{text: "several"})
		}
	}
	return all
}

// collect returns all that change makes of the values.
func (f *flow) collect(of values, change func(*value) values) (all values) {
	for i := range of {
		all = f.union(all, change(&of[i]))
	}
	return all
}

// maxText bounds the texts that are made.
const maxText = 64 << 10

// piece returns a value as a part of a text, and what isn't known of it.
func (f *flow) piece(one *value) (text string, parts []string) {
	if one.kind == valueText || one.kind == valuePlain {
		return one.text, one.parts
	}
	if text = one.text; !f.braces {
		text = placeholder(text)
	} else if !strings.HasPrefix(text, "{") {
		text = "{" + text + "}"
	}
	return text, []string{text}
}

// concat returns the texts that the values make in turn, with separator between them.
func (f *flow) concat(all []values, separator string) (texts values) {
	for _, row := range f.rows(all, false) {
		joined := value{kind: valueText}
		for i := range row {
			if i > 0 {
				joined.text += separator
			}
			text, parts := f.piece(&row[i])
			if !f.spend(1+(len(joined.text)+len(text))/64) || len(joined.text)+len(text) > maxText {
				return unknown("several")
			}
			joined.found = behind(&joined, &row[i], separator)
			joined.holds = cmp.Or(joined.holds, row[i].holds)
			joined.text += text
			joined.parts = append(joined.parts, parts...)
			joined.dynamic = len(joined.parts) > 0
		}
		texts = append(texts, joined)
	}
	return texts
}

// behind says what is found where b stands behind a.
func behind(a, b *value, separator string) *found {
	at, root := b.found, *a
	switch {
	case at == nil && (b.kind == valueText && b.text == "" || b.text == "/" && separator == ""):
		return a.found
	case at == nil || a.text == "":
		return at
	case !at.name || !strings.HasSuffix(a.text, "/"):
		return nil
	case a.found != nil:
		root = a.found.root
	default:
		root.text = cmp.Or(strings.TrimRight(a.text, "/"), "/")
	}
	return &found{root: root, tests: at.tests, loop: at.loop}
}

// placeholder makes a part of a text of the source of something that can't be known, in the form of a variable: a shell
// that is given the text then finds something unknown there too, and nothing but that.
func placeholder(source string) string {
	const long = 38
	words := strings.FieldsFunc(strings.TrimPrefix(source, "ENV."), func(c rune) bool { return c >= utf8.RuneSelf || !isNameByte(byte(c)) })
	name := cmp.Or(strings.TrimLeft(strings.Join(words, "_"), "0123456789"), "unknown")
	return "${" + name[:min(len(name), long)] + "}"
}

// argOf writes what is known of an argument.
func argOf(one *value, kind Kind) Arg {
	known, home := one.kind == valueText || one.kind == valuePlain, "~"
	arg := Arg{Dynamic: one.dynamic || !known, Rest: one.rest && kind != Shell}
	if known && len(one.parts) <= maxValues { // otherwise it's all of it
		arg.Parts = slices.Clone(one.parts)
	}
	if at := strings.LastIndex(one.text, homeMark); kind == Shell {
		home = "${HOME}" // which a shell finds in quotes, too
	} else if at >= 0 {
		arg.Home = one.text[0] == homeMark[0]
		arg.Dynamic = arg.Dynamic || at > 0 // it isn't written like that
	}
	arg.Text = strings.ReplaceAll(one.text, homeMark, home)
	return arg
}

// report notes a call, once for each combination of what args may be. It returns the number of the last one, from 1.
func (f *flow) report(call Call, args ...values) int {
	if f.skimming > 0 {
		return 0
	}
	call.start, call.Dir, call.Line = f.start, cmp.Or(call.Dir, f.dir), cmp.Or(call.Line, f.line)
	call.miss(f.missing)
	for _, row := range f.rows(args, true) {
		if len(f.calls) >= maxCalls {
			f.complex = true
			return 0
		}
		one := call
		for i := range row {
			of := &row[i]
			// All of a folder is deleted if no condition has chosen among what is in it.
			if at := of.found; at != nil && call.Kind == Delete && f.tests == at.tests && !f.chosen[at.loop] {
				of, one.Recursive = &at.root, true
			}
			one.Args = append(one.Args, argOf(of, call.Kind))
		}
		if len(one.Args) > 0 {
			f.calls = append(f.calls, one)
		}
	}
	return len(f.calls)
}

// rows returns the combinations of what args may be, with the elements of lists if they are spread. Where there are
// too many, what has several values isn't known.
func (f *flow) rows(args []values, spread bool) [][]value {
	rows := [][]value{nil}
	for _, arg := range args {
		var choices [][]value
		for i := range arg {
			if !spread || arg[i].kind != valueList {
				choices = append(choices, []value{arg[i]})
			} else if f.spend(len(arg[i].items)) {
				choices = append(choices, f.rows(arg[i].items, true)...)
			}
		}
		if len(choices) == 0 {
			choices = [][]value{{{}}}
		} else if len(rows)*len(choices) > maxValues+1 {
			choices = [][]value{{{text: "several", rest: len(choices[0]) != 1}}}
		}
		var product [][]value
		for _, row := range rows {
			if len(choices) > 1 {
				row = slices.Clip(row) // each choice goes on with its own
			}
			for _, choice := range choices {
				if !f.spend(len(choice)) {
					return nil
				}
				product = append(product, append(row, choice...))
			}
		}
		rows = product
	}
	return rows
}

// one returns the argument that is made of what may have one value only.
func (f *flow) one(v values, kind Kind) *Arg {
	if len(v) != 1 || v[0].kind == valueList {
		return &Arg{Text: "several", Dynamic: true}
	}
	arg := argOf(&v[0], kind)
	return &arg
}

// anyLength says of what isn't known that it may stand for any number of values.
func anyLength(v values) values {
	all := slices.Clone(v)
	for i, one := range v {
		if one.kind == valueUnknown || one.kind == valueLibrary || one.kind == valueMethod {
			all[i] = value{text: one.text, rest: true, found: one.found}
		}
	}
	return all
}

// words returns the text that args are with blanks between them.
func (r *reader) words(args []values) values {
	items, _ := r.flat(args).list()
	return r.concat(items, " ")
}

// mapText returns what change makes of constant texts; of others nothing is known.
func (f *flow) mapText(v values, source string, change func(string) string) values {
	return f.collect(v, func(one *value) values {
		if one.kind != valueText || one.dynamic || strings.HasSuffix(one.text, homeMark) || !f.spend(1+len(one.text)/4) {
			return unknown(source)
		}
		return textValue(change(one.text))
	})
}

// flat spreads the lists among the values into one.
func (r *reader) flat(all []values) values {
	var items []values
	for _, v := range all {
		if more, ok := v.list(); ok && r.spend(1+len(more)) {
			items = append(items, more...)
		} else {
			items = append(items, v)
		}
	}
	return listValue(items)
}

// pairsOf makes a map of a list with keys and values in turn.
func (r *reader) pairsOf(v values) values {
	items, ok := v.list()
	if !ok {
		return v
	}
	m := value{kind: valueMap}
	for i := 0; i+1 < len(items) && r.spend(1); i += 2 {
		if key, known := items[i].constant(); known {
			m.pairs = append(m.pairs, pair{key, items[i+1]})
		}
	}
	return values{m}
}
