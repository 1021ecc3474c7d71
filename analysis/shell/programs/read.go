package programs

import (
	"fmt"
	"strconv"
	"strings"
)

// Mistake says what is wrong in one of the text files, and where.
type Mistake struct {
	File string
	Line int
	What string
}

func (m *Mistake) Error() string { return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.What) }

// mistake is at an offset of the stanza.
func (s stanza) mistake(at int, format string, args ...any) error {
	line := 1 + strings.Count(s.file.text[:s.at+at], "\n")
	return &Mistake{File: s.file.name, Line: line, What: fmt.Sprintf(format, args...)}
}

// entry is a line of a stanza with those that continue it.
type entry struct {
	at     int // in the stanza
	indent int
	key    string
	value  string
}

// entries returns the lines behind the names, without comments.
func (s stanza) entries() ([]entry, error) {
	rest, at := s.rest()
	all := make([]entry, 0, 16)
	for line := range strings.Lines(rest) {
		whole := strings.TrimSuffix(line, "\n")
		text := strings.TrimLeft(whole, " ")
		switch indent := len(whole) - len(text); {
		case text == "" || text[0] == '#':
		case indent > 4 && len(all) > 0:
			all[len(all)-1].value += " " + text
		case indent == 2 || indent == 4:
			key, value, _ := strings.Cut(text, " ")
			all = append(all, entry{at: at, indent: indent, key: key, value: value})
		default:
			return nil, s.mistake(at, "%q is indented neither by 2, as a section, nor by 4, as a field of one, nor by more", text)
		}
		at += len(line)
	}
	if len(all) == 0 {
		return nil, s.mistake(0, "nothing is said of %s", s.name())
	}
	return all, nil
}

// parse reads the stanza of that number.
func (t *table) parse(n int) (*Program, error) {
	s := t.stanza(n)
	entries, err := s.entries()
	if err != nil {
		return nil, err
	}
	p := &Program{Name: s.name()}
	if first := entries[0]; first.key == "as" {
		at := t.find(first.value)
		if at < 0 || t.stanza(at).like() {
			return nil, s.mistake(first.at, "%s is nothing that is known of itself", first.value)
		}
		other, err := t.parse(at)
		if err != nil {
			return nil, err
		}
		*p = *other
	}
	program := p.fields()
	var section []field
	for i, e := range entries {
		within, of := section, entries[:i]
		if e.indent == 2 {
			within, section = program, nil
		}
		f, ok := fieldOf(within, e.key)
		switch {
		case !ok:
			return nil, s.mistake(e.at, "nothing is called %s there", e.key)
		case twice(of, e):
			return nil, s.mistake(e.at, "%s is there twice", e.key)
		}
		start, ok := f.to.(func() []field)
		if !ok {
			if wrong := t.set(f, e.value); wrong != "" {
				return nil, s.mistake(e.at, "%s: %s", e.key, wrong)
			}
			continue
		}
		section = start()
		for name := range strings.FieldsSeq(e.value) {
			f, _ := fieldOf(section, name)
			flag, ok := f.to.(*bool)
			if !ok || *flag {
				return nil, s.mistake(e.at, "%s: %s is no flag, or is there twice", e.key, name)
			}
			*flag = true
		}
	}
	if p.Runs != nil && p.As == "" {
		p.Runs.Subcommand = strings.Contains(p.Name, " ")
		if p.Options != nil && p.Runs.By == "" && !p.Runs.Subcommand {
			return nil, s.mistake(0, "a program that runs the command among its arguments has its options in runs alone")
		}
	}
	return p, nil
}

// like reports whether what a stanza says adds to another.
func (s stanza) like() bool {
	rest, _ := s.rest()
	return strings.HasPrefix(rest, "  as ")
}

// twice reports whether one of the entries before e is the same field.
func twice(before []entry, e entry) bool {
	for i := len(before) - 1; i >= 0; i-- {
		switch b := &before[i]; {
		case b.indent < e.indent: // the section begins
			return false
		case b.indent == e.indent && b.key == e.key:
			return true
		}
	}
	return false
}

func fieldOf(fields []field, key string) (field, bool) {
	for _, f := range fields {
		if f.key == key {
			return f, true
		}
	}
	return field{}, false
}

// set puts a value into a field, and returns what is wrong with it.
func (t *table) set(f field, value string) (wrong string) {
	_, lists := f.to.(long)
	if value, wrong = t.expand(value, lists); wrong != "" {
		return wrong
	}
	if flag, ok := f.to.(*bool); ok {
		if *flag = true; value != "" {
			return "a flag has no value"
		}
		return ""
	}
	if value == "" {
		return "no value"
	}
	switch to := f.to.(type) {
	case *int:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return value + " is no number above 0"
		}
		*to = n
	case *Access:
		if value != "read" && value != "write" && value != "delete" {
			return value + " is neither read, write nor delete"
		}
		*to = Access(value)
	case letters:
		if *to = value; strings.Contains(value, " ") {
			return "letters stand together"
		}
	case words:
		*to = value
	case long:
		*to = value
		for word := range strings.FieldsSeq(value) {
			if word[0] == '-' || strings.ContainsAny(strings.TrimRight(word, "=?"), "=,") {
				return word + " is written neither as name nor as name= or name?"
			}
		}
	case *string:
		*to = value
		for word := range strings.FieldsSeq(value) {
			if value != "*" && word[0] != '-' && word[0] != '+' {
				return word + " is no option"
			}
		}
	}
	return ""
}

// expand returns the words of a value with a blank between them. With lists,
// "@list" stands for the words of the list.
func (t *table) expand(value string, lists bool) (words, wrong string) {
	if lists = lists && strings.Contains(value, "@"); !lists && !strings.Contains(value, "  ") {
		return strings.TrimSpace(value), ""
	}
	var b strings.Builder
	b.Grow(len(value))
	for word := range strings.FieldsSeq(value) {
		if lists && word[0] == '@' {
			at := t.find(word)
			if at < 0 {
				return "", "no list is called " + word
			}
			lines, _ := t.stanza(at).rest()
			if word, wrong = t.expand(strings.ReplaceAll(lines, "\n", "  "), true); wrong != "" {
				return "", wrong
			}
		}
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(word)
	}
	return b.String(), ""
}
