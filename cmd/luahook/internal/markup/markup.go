// Package markup writes HTML and SVG in which no text can be anything but text. Names of elements and attributes are
// constants of the program; what comes from elsewhere is escaped, and in an address it can't name another site or a
// script.
//
// html/template isn't used because it would be in every start of luahook, which is one for each event: it
// makes the program a third larger. docs/RATIONALE.md has the figures.
package markup

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// constant is a text that stands in the program: no variable can be one outside of this package.
type constant string

// Part is what an element consists of: a [Node] or an [Attribute].
type Part interface{ part() }

// Node is an element, a text, or several of them. The zero Node is nothing.
type Node struct {
	name  constant // of an element
	parts []Part   // of an element, or of a group
	text  string   // escaped
}

// Attribute is an attribute of an element. The zero Attribute is nothing.
type Attribute struct {
	name    constant
	value   string
	without bool // a value: it is there or not
}

func (Node) part()      {}
func (Attribute) part() {}

// El is an element. A part that is nil is left out.
func El(name constant, parts ...Part) Node { return Node{name: name, parts: parts} }

// Group is several nodes without an element around them. Attributes have no place in it.
func Group(nodes ...Node) Node {
	parts := make([]Part, len(nodes))
	for i, n := range nodes {
		parts[i] = n
	}
	return Node{parts: parts}
}

// Each is a node for each value.
func Each[T any](values []T, node func(T) Node) Node {
	nodes := make([]Node, len(values))
	for i, v := range values {
		nodes[i] = node(v)
	}
	return Group(nodes...)
}

// If is a part if something is so, and nothing if not.
func If[P Node | Attribute](is bool, p P) (none P) {
	if is {
		return p
	}
	return none
}

// Text is a text for people. Characters that can't be seen, or that turn the direction of a text, stand in it by their
// numbers: they may be there to deceive.
func Text(text string) Node { return Node{text: escape(revealed(text))} }

// Textf is [Text] as fmt.Sprintf makes it.
func Textf(format constant, values ...any) Node {
	return Text(fmt.Sprintf(string(format), values...))
}

// Verbatim is a text as it is, for what is sent back, such as that of a textarea.
func Verbatim(text string) Node { return Node{text: escape(text)} }

// Attr is an attribute. Of an address, only one of this site remains. Attributes that hold scripts or styles can't be
// written: they are a mistake in the program, and panic.
func Attr(name constant, value string) Attribute {
	switch {
	case strings.HasPrefix(string(name), "on"), name == "style", name == "srcdoc":
		panic("markup: attribute " + name)
	case name == "href", name == "src", name == "action", name == "formaction":
		value = address(value)
	case name == "title", name == "alt", strings.HasPrefix(string(name), "aria-"): // which people read
		value = revealed(value)
	}
	return Attribute{name: name, value: value}
}

// Attrf is [Attr] as fmt.Sprintf makes its value.
func Attrf(name, format constant, values ...any) Attribute {
	return Attr(name, fmt.Sprintf(string(format), values...))
}

// Has is an attribute without a value, if something is so.
func Has(name constant, is bool) Attribute {
	if !is {
		return Attribute{}
	}
	return Attribute{name: name, without: true}
}

// Class is the attribute class.
func Class(names string) Attribute { return Attr("class", names) }

// address is an address on this site; "#" in the place of any other.
func address(text string) string {
	switch {
	case text == "", strings.HasPrefix(text, "?"), strings.HasPrefix(text, "#"):
		return text
	case strings.HasPrefix(text, "/") && !strings.HasPrefix(text, "//") && !strings.ContainsAny(text, "\\\t\r\n"):
		return text
	}
	return "#"
}

// hasEnd reports whether an element has an end.
func hasEnd(name constant) bool {
	switch name {
	case "", "br", "hr", "img", "input", "link", "meta", "wbr", "col":
		return false
	}
	return true
}

// String is the node as HTML.
func (n Node) String() string {
	var b strings.Builder
	n.write(&b)
	return b.String()
}

func (n Node) write(b *strings.Builder) {
	b.WriteString(n.text)
	if n.name != "" {
		b.WriteString("<" + string(n.name))
		for _, p := range n.parts {
			if a, ok := p.(Attribute); ok && a.name != "" {
				b.WriteString(" " + string(a.name))
				if !a.without {
					b.WriteString(`="` + escape(a.value) + `"`)
				}
			}
		}
		b.WriteString(">")
	}
	for _, p := range n.parts {
		if child, ok := p.(Node); ok {
			child.write(b)
		}
	}
	if hasEnd(n.name) {
		b.WriteString("</" + string(n.name) + ">")
	}
}

// Page is a whole document.
func Page(root Node) string { return "<!DOCTYPE html>\n" + root.String() }

// escape is a text that is nothing but text, inside of an element and of a quoted attribute.
func escape(text string) string {
	if !utf8.ValidString(text) {
		text = strings.ToValidUTF8(text, "\ufffd")
	}
	if !strings.ContainsAny(text, "&<>\"'\x00\r") {
		return text
	}
	var b strings.Builder
	done := 0
	for i := range len(text) {
		if by := escaped(text[i]); by != "" {
			b.WriteString(text[done:i])
			b.WriteString(by)
			done = i + 1
		}
	}
	b.WriteString(text[done:])
	return b.String()
}

// escaped is what stands in the place of a character; "": itself.
func escaped(c byte) string {
	switch c {
	case '&':
		return "&amp;"
	case '<':
		return "&lt;"
	case '>':
		return "&gt;"
	case '"':
		return "&#34;"
	case '\'':
		return "&#39;"
	case '\r':
		return "&#13;"
	case 0:
		return "\ufffd"
	}
	return ""
}

// revealed is a text with the numbers of characters that can't be seen.
func revealed(text string) string {
	hidden := func(r rune) bool {
		return r != '\n' && r != '\t' && (unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp))
	}
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if hidden(r) {
			fmt.Fprintf(&b, "<U+%04X>", r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}
