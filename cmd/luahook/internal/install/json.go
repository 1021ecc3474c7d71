package install

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"
)

// maxDepth is how deeply the values of a settings file may be nested.
const maxDepth = 500

// node is a value of a JSON file that may have comments and trailing commas.
type node struct {
	kind     byte // '{', '[', '"'; 'v' is any other value
	from, to int  // where it stands
	text     string
	items    []item // of an object or an array
}

// item is a member of an object or an element of an array.
type item struct {
	name  string // of a member
	from  int    // where it begins
	colon int    // of a member; where its colon stands
	comma int    // where the comma after it stands; -1 if there is none
	value *node
}

// syntaxError is a mistake in a settings file.
type syntaxError struct {
	Line  int
	Cause string
}

func (e *syntaxError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Cause) }

// lineOf is the number of the line that an offset lies in.
func lineOf(text []byte, at int) int { return bytes.Count(text[:min(at, len(text))], []byte("\n")) + 1 }

const byteOrderMark = "\ufeff"

// parseJSON reads a JSON file with comments and trailing commas. A key that stands twice in an object is an error:
// which of them the agent reads isn't known.
func parseJSON(text []byte) (*node, error) {
	p := &jsonParser{text: text}
	if at := invalidUTF8(text); at >= 0 {
		return nil, p.fail(at, "this is not UTF-8")
	}
	if bytes.HasPrefix(text, []byte(byteOrderMark)) {
		p.at = len(byteOrderMark)
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	root, err := p.value(0)
	if err != nil {
		return nil, err
	}
	if err := p.skip(); err != nil {
		return nil, err
	}
	if p.at < len(text) {
		return nil, p.fail(p.at, "there is more after the end of the value")
	}
	return root, nil
}

func invalidUTF8(text []byte) int {
	if utf8.Valid(text) {
		return -1
	}
	for at := 0; ; {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size <= 1 {
			return at
		}
		at += size
	}
}

type jsonParser struct {
	text []byte
	at   int
}

func (p *jsonParser) fail(at int, cause string) error {
	return &syntaxError{Line: lineOf(p.text, at), Cause: cause}
}

// next is the byte that comes; 0 at the end.
func (p *jsonParser) next() byte {
	if p.at < len(p.text) {
		return p.text[p.at]
	}
	return 0
}

// skip goes over blanks and comments.
func (p *jsonParser) skip() error {
	for p.at < len(p.text) {
		rest := p.text[p.at:]
		switch {
		case strings.IndexByte(" \t\r\n", rest[0]) >= 0:
			p.at++
		case bytes.HasPrefix(rest, []byte("//")):
			end := bytes.IndexByte(rest, '\n')
			if end < 0 {
				end = len(rest)
			}
			p.at += end
		case bytes.HasPrefix(rest, []byte("/*")):
			end := bytes.Index(rest[2:], []byte("*/"))
			if end < 0 {
				return p.fail(p.at, "a comment has no end")
			}
			p.at += end + 4
		default:
			return nil
		}
	}
	return nil
}

func (p *jsonParser) value(depth int) (*node, error) {
	if depth > maxDepth {
		return nil, p.fail(p.at, fmt.Sprintf("values are nested more than %d deep", maxDepth))
	}
	switch c := p.next(); c {
	case '{', '[':
		return p.composite(c, depth)
	case '"':
		return p.str()
	}
	from := p.at
	for p.at < len(p.text) && strings.IndexByte(" \t\r\n,:]}/\"{[", p.text[p.at]) < 0 {
		p.at++
	}
	if !json.Valid(p.text[from:p.at]) {
		what := excerpt(string(p.text[from:p.at]))
		if from == p.at {
			what = "nothing"
			if from < len(p.text) {
				what = excerpt(string(p.text[from : from+1]))
			}
		}
		return nil, p.fail(from, "want a value, got "+what)
	}
	return &node{kind: 'v', from: from, to: p.at, text: string(p.text[from:p.at])}, nil
}

func (p *jsonParser) str() (*node, error) {
	from := p.at
	for p.at++; p.next() != '"'; p.at++ {
		if p.next() == '\\' {
			p.at++
		}
		if p.at >= len(p.text) || p.text[p.at] == '\n' {
			return nil, p.fail(from, "a string has no end")
		}
	}
	p.at++
	n := &node{kind: '"', from: from, to: p.at}
	if err := json.Unmarshal(p.text[from:p.at], &n.text); err != nil {
		return nil, p.fail(from, "a string is malformed: "+excerpt(string(p.text[from:p.at])))
	}
	return n, nil
}

func (p *jsonParser) composite(open byte, depth int) (*node, error) {
	n := &node{kind: open, from: p.at}
	closing := open + 2      // of { and of [
	seen := map[string]int{} // the keys, and where they stand
	for p.at++; ; {
		if err := p.skip(); err != nil {
			return nil, err
		}
		if p.next() == closing {
			p.at++
			n.to = p.at
			return n, nil
		}
		if last := len(n.items) - 1; last >= 0 && n.items[last].comma < 0 {
			return nil, p.unended(n, fmt.Sprintf("want a comma or %q", closing))
		}
		it := item{from: p.at, comma: -1}
		if open == '{' {
			if err := p.name(&it, n); err != nil {
				return nil, err
			}
			if first, twice := seen[it.name]; twice {
				return nil, p.fail(it.from, fmt.Sprintf("the key %s stands here and in line %d; remove one", excerpt(it.name), lineOf(p.text, first)))
			}
			seen[it.name] = it.from
		}
		value, err := p.value(depth + 1)
		if err != nil {
			return nil, err
		}
		it.value = value
		if err := p.skip(); err != nil {
			return nil, err
		}
		if p.next() == ',' {
			it.comma = p.at
			p.at++
		}
		n.items = append(n.items, it)
	}
}

// name reads a member's name and colon.
func (p *jsonParser) name(it *item, object *node) error {
	if p.next() != '"' {
		return p.unended(object, "want a key in quotes")
	}
	key, err := p.str()
	if err != nil {
		return err
	}
	it.name = key.text
	if err := p.skip(); err != nil {
		return err
	}
	if p.next() != ':' {
		return p.fail(p.at, "want a colon after the key "+excerpt(it.name))
	}
	it.colon = p.at
	p.at++
	return p.skip()
}

// unended is the mistake of what isn't what was wanted; at the end of the text it's that of what has no end.
func (p *jsonParser) unended(n *node, wanted string) error {
	if p.at >= len(p.text) {
		return p.fail(n.from, fmt.Sprintf("the %q of this line is never closed", n.kind))
	}
	return p.fail(p.at, wanted+", got "+excerpt(string(p.text[p.at:min(p.at+1, len(p.text))])))
}

// excerpt is a text for an error, in quotes and not too long.
func excerpt(text string) string {
	if len(text) > 40 {
		text = strings.ToValidUTF8(text[:40], "") + "…"
	}
	return fmt.Sprintf("%q", text)
}

// member is the item of an object with that name; nil if there is none.
func (n *node) member(name string) *item {
	if n == nil || n.kind != '{' {
		return nil
	}
	for i := range n.items {
		if n.items[i].name == name {
			return &n.items[i]
		}
	}
	return nil
}

// get is the value of a member; nil if there is none.
func (n *node) get(name string) *node {
	if m := n.member(name); m != nil {
		return m.value
	}
	return nil
}

// str is the text of a member that is a string.
func (n *node) str(name string) (string, bool) {
	v := n.get(name)
	if v == nil || v.kind != '"' {
		return "", false
	}
	return v.text, true
}

// what names the kind of a value in an error.
func (n *node) what() string {
	switch n.kind {
	case '{':
		return "an object"
	case '[':
		return "a list"
	case '"':
		return "a string"
	}
	return excerpt(n.text)
}
