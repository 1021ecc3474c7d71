package install

import (
	"bytes"
	"encoding/json"
	"strings"
)

// object is a JSON object that is written with its fields in order. A field's value is a string, an int, a float64,
// a bool, an object or a []object.
type object []field

type field struct {
	name  string
	value any
}

// get is a field's value; nil if there is none.
func (o object) get(name string) any {
	for _, f := range o {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// document is a JSON file that is being edited. Every edit keeps all that it doesn't change byte for byte.
type document struct {
	text []byte
	root *node
	layout
}

// layout is how a file is laid out.
type layout struct {
	newline string
	indent  string // of one level
	colon   string // with the blank after it
	flat    bool   // all stands in one line
}

func openDocument(text []byte) (*document, error) {
	root, err := parseJSON(text)
	if err != nil {
		return nil, err
	}
	return &document{text: text, root: root, layout: layoutOf(text, root)}, nil
}

func layoutOf(text []byte, root *node) layout {
	l := layout{newline: newlineOf(text), indent: "  ", colon: ": "}
	if len(root.items) == 0 {
		return l
	}
	first := root.items[0]
	l.flat = bytes.IndexByte(text[root.from:root.to], '\n') < 0
	if blank := indentAt(text, first.from); len(blank) > 0 && startsLine(text, first.from) {
		l.indent = blank
	}
	if root.kind == '{' && first.colon+1 == first.value.from {
		l.colon = ":"
	}
	return l
}

func newlineOf(text []byte) string {
	if at := bytes.IndexByte(text, '\n'); at > 0 && text[at-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// indentAt is the blank at the beginning of the line that an offset lies in.
func indentAt(text []byte, at int) string {
	line := text[bytes.LastIndexByte(text[:at], '\n')+1 : at]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// startsLine reports whether only blanks stand before an offset in its line.
func startsLine(text []byte, at int) bool {
	begin := bytes.LastIndexByte(text[:at], '\n') + 1
	return len(bytes.TrimLeft(text[begin:at], " \t")) == 0
}

func isBlank(text []byte) bool { return len(bytes.TrimSpace(text)) == 0 }

// splice replaces a part of the text and reads it again.
func (d *document) splice(from, to int, with string) error {
	text := make([]byte, 0, len(d.text)+len(with))
	text = append(append(append(text, d.text[:from]...), with...), d.text[to:]...)
	root, err := parseJSON(text)
	if err != nil {
		return err
	}
	d.text, d.root = text, root
	return nil
}

// add adds a member, or an element, whose name is "", at the end of an object or a list.
func (d *document) add(to *node, name string, value any) error {
	inside := d.text[to.from+1 : to.to-1]
	end := to.from + 1 + len(bytes.TrimRight(inside, " \t\r\n")) // of the last item or comment
	outer := indentAt(d.text, to.from)
	if len(to.items) == 0 {
		if d.flat {
			return d.splice(end, to.to-1, d.write(name, value, "", true))
		}
		inner := outer + d.indent
		return d.splice(end, to.to-1, d.newline+inner+d.write(name, value, inner, false)+d.newline+outer)
	}
	last := to.items[len(to.items)-1]
	comma, before, after := ",", " ", ""
	if last.comma >= 0 {
		comma, after = "", ","
	}
	var text string
	if bytes.IndexByte(d.text[last.value.to:to.to-1], '\n') >= 0 { // the closing bracket has a line of its own
		inner := outer + d.indent
		if startsLine(d.text, last.from) {
			inner = indentAt(d.text, last.from)
		}
		text = d.newline + inner + d.write(name, value, inner, false)
	} else {
		if d.colon == ":" {
			before = ""
		}
		text = before + d.write(name, value, indentAt(d.text, last.value.to), bytes.IndexByte(inside, '\n') < 0)
	}
	return d.splice(last.value.to, end, comma+string(d.text[last.value.to:end])+text+after)
}

// write is an item as text. All lines but the first are indented.
func (d *document) write(name string, value any, indent string, flat bool) string {
	var b strings.Builder
	if name != "" {
		b.WriteString(quoteJSON(name) + d.colon)
	}
	d.writeValue(&b, value, indent, flat)
	return b.String()
}

func (d *document) writeValue(b *strings.Builder, value any, indent string, flat bool) {
	switch v := value.(type) {
	case object:
		d.writeItems(b, "{}", len(v), indent, flat, func(i int, inner string) {
			b.WriteString(quoteJSON(v[i].name) + d.colon)
			d.writeValue(b, v[i].value, inner, flat)
		})
	case []object:
		d.writeItems(b, "[]", len(v), indent, flat, func(i int, inner string) { d.writeValue(b, v[i], inner, flat) })
	case string:
		b.WriteString(quoteJSON(v))
	default: // a number or a bool
		text, _ := json.Marshal(v) // has no error for these
		b.Write(text)
	}
}

func (d *document) writeItems(b *strings.Builder, brackets string, n int, indent string, flat bool, write func(i int, inner string)) {
	inner := indent + d.indent
	b.WriteByte(brackets[0])
	for i := range n {
		switch {
		case !flat:
			b.WriteString(d.newline + inner)
		case i > 0 && d.colon != ":":
			b.WriteByte(' ')
		}
		write(i, inner)
		if i < n-1 {
			b.WriteByte(',')
		}
	}
	if !flat && n > 0 {
		b.WriteString(d.newline + indent)
	}
	b.WriteByte(brackets[1])
}

// quoteJSON is a text as a JSON string, with nothing escaped that needn't be.
func quoteJSON(text string) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(text) // a buffer takes all
	return strings.TrimSuffix(b.String(), "\n")
}

// remove takes an item out of an object or a list, and its comma with it. Comments stay.
func (d *document) remove(from *node, i int) error {
	it := from.items[i]
	blank := len(bytes.TrimRight(d.text[:it.from], " \t\r\n")) // where the blank before it begins
	end := it.value.to
	if it.comma >= 0 {
		end = it.comma + 1
	}
	between := string(d.text[it.value.to:it.value.to])
	if it.comma >= 0 {
		between = string(d.text[it.value.to:it.comma])
		if isBlank([]byte(between)) {
			between = ""
		}
	}
	rest := d.text[end:]
	after := len(rest) - len(bytes.TrimLeft(rest, " \t"))
	ownLine := bytes.IndexByte(d.text[blank:it.from], '\n') >= 0
	linesEnd := len(rest) == after || rest[after] == '\n' || rest[after] == '\r'
	begin := it.from
	switch {
	case len(from.items) == 1 && isBlank(d.text[from.from+1:it.from]) && isBlank(d.text[end:from.to-1]):
		begin, end = from.from+1, from.to-1
	case len(from.items) > 1 && i == 0 && !ownLine: // the next takes its place
		if !linesEnd {
			end += after
		}
	case ownLine && !linesEnd: // a comment in the line before needs its end
		end += after
	default:
		begin = blank
	}
	if i > 0 && i == len(from.items)-1 && it.comma < 0 { // then the item before it has no comma either
		comma := from.items[i-1].comma
		return d.splice(comma, end, string(d.text[comma+1:begin])+between)
	}
	return d.splice(begin, end, between)
}

// replace puts a value in the place of another.
func (d *document) replace(n *node, value any) error {
	flat := bytes.IndexByte(d.text[n.from:n.to], '\n') < 0
	return d.splice(n.from, n.to, d.write("", value, indentAt(d.text, n.from), flat))
}
