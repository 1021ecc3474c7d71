package script

import "strings"

// fact is what is known of a value.
type fact struct {
	kind    factKind
	text    string   // the value, the name of a function, or the source of what isn't known
	parts   []string // factText: what isn't known of it, which stands in text as ${...}
	dynamic bool     // factText: there are such parts
	rest    bool     // factUnknown: stands for any number of values
	items   []facts
	pairs   []pair
	code    *tree // factFunction
	self    *fact // factMethod: of what
}

type factKind uint8

const (
	factUnknown factKind = iota
	factText
	factPlain // a number, true, false or null: as it's written
	factList
	factMap
	factLibrary  // something of the language's own, by its name
	factFunction // one that the program defines
	factMethod   // text, of self
)

// pair is an entry of a map.
type pair struct {
	key   string
	value facts
}

// facts are the values that something may have. None: nothing is known yet,
// as of a parameter before any call was met.
type facts []fact

// maxFacts is how many values are told apart; beyond, a value isn't known.
const maxFacts = 8

// homeMark stands in texts for the home folder, which a "~" in a program's
// text doesn't. No path or argument can have that byte.
const homeMark = "\x00"

func textFact(text string) facts    { return facts{{kind: factText, text: text}} }
func plainFact(text string) facts   { return facts{{kind: factPlain, text: text}} }
func libraryFact(name string) facts { return facts{{kind: factLibrary, text: name}} }
func listFact(items []facts) facts  { return facts{{kind: factList, items: items}} }
func unknownFact(text string) facts { return facts{{kind: factUnknown, text: text}} }

// constant returns the text that v is, if it can only be one.
func (v facts) constant() (string, bool) {
	if len(v) != 1 || v[0].kind != factText || v[0].dynamic {
		return "", false
	}
	return v[0].text, true
}

// entry returns what a map has under key, if it has.
func (v facts) entry(key string) (facts, bool) {
	for _, one := range v {
		if one.kind != factMap {
			continue
		}
		for i := len(one.pairs) - 1; i >= 0; i-- {
			if one.pairs[i].key == key {
				return one.pairs[i].value, true
			}
		}
	}
	return nil, false
}

// may reports whether v may be the plain value: true, or also unknown.
func (v facts) may(plain string) bool {
	for _, one := range v {
		if one.kind == factPlain && one.text == plain || one.kind == factUnknown || one.kind == factLibrary {
			return true
		}
	}
	return false
}

// unsure reports whether v may be something that isn't known at all.
func (v facts) unsure() bool {
	for i := range v {
		if v[i].kind == factUnknown {
			return true
		}
	}
	return false
}

// isMap reports whether v may be a map.
func (v facts) isMap() bool {
	for _, one := range v {
		if one.kind == factMap {
			return true
		}
	}
	return false
}

func (v facts) hasFunction() bool {
	for _, one := range v {
		if one.kind == factFunction {
			return true
		}
	}
	return false
}

// same reports whether a and b are the same as far as they are known. It
// gives up on large ones, which then count as different; budget says how
// large.
func same(a, b *fact, budget *int) bool {
	if *budget--; *budget < 0 {
		return false
	}
	if a.kind != b.kind || a.text != b.text || a.dynamic != b.dynamic || len(a.parts) != len(b.parts) || a.rest != b.rest || a.code != b.code ||
		len(a.items) != len(b.items) || len(a.pairs) != len(b.pairs) || (a.self == nil) != (b.self == nil) {
		return false
	}
	if a.self != nil && !same(a.self, b.self, budget) {
		return false
	}
	for i := range a.items {
		if !sameAll(a.items[i], b.items[i], budget) {
			return false
		}
	}
	for i := range a.pairs {
		if a.pairs[i].key != b.pairs[i].key || !sameAll(a.pairs[i].value, b.pairs[i].value, budget) {
			return false
		}
	}
	return true
}

func sameAll(a, b facts, budget *int) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if !same(&a[i], &b[i], budget) {
			return false
		}
	}
	return true
}

// written returns one as a part of a text; false where it can't be known.
func (one *fact) written() (string, bool) {
	switch one.kind {
	case factText:
		return one.text, !one.dynamic
	case factPlain:
		return one.text, true
	case factLibrary, factUnknown, factMethod, factFunction:
		return placeholder(one.text), false
	}
	return placeholder(""), false
}

// unknownParts returns what isn't known of one as a part of a text.
func (one *fact) unknownParts(text string) []string {
	if one.kind == factText {
		return one.parts
	}
	return []string{text}
}

// placeholder makes a part of a text of the source of something that can't
// be known, in the form of a variable: a shell that is given the text then
// finds something unknown there too, and nothing but that.
func placeholder(source string) string {
	const long = 40
	for _, environment := range []string{"process.env.", "Deno.env.", "Bun.env.", "ENV."} {
		source = strings.TrimPrefix(source, environment)
	}
	var b strings.Builder
	b.WriteString("${")
	blank := true
	for i := 0; i < len(source) && b.Len() < long; i++ {
		c := source[i]
		switch {
		case isNameByte(c) && (b.Len() > 2 || c > '9'):
			b.WriteByte(c)
			blank = false
		case !blank:
			b.WriteByte('_')
			blank = true
		}
	}
	name := b.String()
	switch {
	case len(name) == len("${"):
		name += "unknown"
	case blank:
		name = strings.TrimSuffix(name, "_")
	}
	return name + "}"
}

func isNameByte(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// isNameStart reports whether c may begin a name; bytes of letters beyond
// ASCII may.
func isNameStart(c byte) bool {
	return isNameByte(c) && (c < '0' || c > '9') || c >= 0x80
}
