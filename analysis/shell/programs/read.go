package programs

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Mistake says what is wrong in one of the text files, and where.
type Mistake struct {
	File string
	Line int
	What string
}

func (m *Mistake) Error() string { return fmt.Sprintf("%s:%d: %s", m.File, m.Line, m.What) }

// mistake is at an offset of the stanza.
func (s *stanza) mistake(at int, format string, args ...any) error {
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
func (s *stanza) entries() ([]entry, error) {
	names, rest := s.split()
	all := make([]entry, 0, 16)
	at := s.end - s.at - len(rest)
	for line := range strings.Lines(rest) {
		text := strings.TrimLeft(strings.TrimSuffix(line, "\n"), " ")
		switch indent := len(strings.TrimSuffix(line, "\n")) - len(text); {
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
		return nil, s.mistake(0, "nothing is said of %s", names)
	}
	return all, nil
}

// parse reads a stanza, with what the program says that it is as.
func (t *table) parse(s *stanza) (*Program, error) {
	p, err := t.own(s)
	if err != nil || p.As == "" {
		return p, err
	}
	at, ok := t.names[p.As]
	if !ok {
		return nil, s.mistake(0, "it is as %s, of which nothing is known", p.As)
	}
	other, err := t.own(&t.stanzas[at])
	if err != nil {
		return nil, err
	}
	if other.As != "" {
		return nil, s.mistake(0, "it is as %s, which is as %s", p.As, other.As)
	}
	p.Name = other.Name
	to, from := reflect.ValueOf(p).Elem(), reflect.ValueOf(other).Elem()
	for i := range to.NumField() {
		if to.Field(i).IsZero() {
			to.Field(i).Set(from.Field(i))
		}
	}
	return p, nil
}

// own reads what a stanza itself says.
func (t *table) own(s *stanza) (*Program, error) {
	entries, err := s.entries()
	if err != nil {
		return nil, err
	}
	p := &Program{Name: s.name()}
	program := reflect.ValueOf(p).Elem()
	var section reflect.Value
	for _, e := range entries {
		within := section
		if e.indent == 2 {
			within, section = program, reflect.Value{}
		}
		form, ok := formOf(within, e.key)
		if !ok {
			return nil, s.mistake(e.at, "nothing is called %s there", e.key)
		}
		field := within.FieldByIndex(form.index)
		if !field.IsZero() {
			return nil, s.mistake(e.at, "%s is there twice", e.key)
		}
		if field.Kind() != reflect.Pointer {
			if wrong := t.set(field, form.of, e.value); wrong != "" {
				return nil, s.mistake(e.at, "%s: %s", e.key, wrong)
			}
			continue
		}
		field.Set(reflect.New(field.Type().Elem()))
		section = field.Elem()
		for name := range strings.FieldsSeq(e.value) {
			form, ok := formOf(section, name)
			if !ok || form.kind != reflect.Bool || section.FieldByIndex(form.index).Bool() {
				return nil, s.mistake(e.at, "%s: %s is no flag, or is there twice", e.key, name)
			}
			section.FieldByIndex(form.index).SetBool(true)
		}
	}
	if p.Runs != nil {
		p.Runs.Subcommand = strings.Contains(p.Name, " ")
		if p.Options != nil && p.Runs.By == "" && !p.Runs.Subcommand {
			return nil, s.mistake(0, "a program that runs the command among its arguments has its options in runs alone")
		}
	}
	return p, nil
}

// form is what is written in a field.
type form struct {
	index []int
	kind  reflect.Kind
	of    string // what the tag says
}

// forms has the fields of Program and of its sections, "text-only" for TextOnly.
var forms = sync.OnceValue(func() map[reflect.Type]map[string]form {
	all := map[reflect.Type]map[string]form{}
	program := reflect.TypeFor[Program]()
	types := []reflect.Type{program}
	for i := range program.NumField() {
		if f := program.Field(i); f.Type.Kind() == reflect.Pointer {
			types = append(types, f.Type.Elem())
		}
	}
	for _, of := range types {
		fields := map[string]form{}
		for _, f := range reflect.VisibleFields(of) {
			if tag := f.Tag.Get("form"); tag != "none" && !f.Anonymous {
				fields[key(f.Name)] = form{index: f.Index, kind: f.Type.Kind(), of: tag}
			}
		}
		all[of] = fields
	}
	return all
})

// key returns the name of a field as it is written in the files.
func key(name string) string {
	var b strings.Builder
	for i, c := range name {
		if unicode.IsUpper(c) && i > 0 {
			b.WriteByte('-')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

func formOf(within reflect.Value, key string) (form, bool) {
	if !within.IsValid() {
		return form{}, false
	}
	f, ok := forms()[within.Type()][key]
	return f, ok
}

// set puts a value into a field, and returns what is wrong with it.
func (t *table) set(field reflect.Value, form, value string) (wrong string) {
	value, wrong = t.expand(value, form == "long")
	switch {
	case wrong != "":
		return wrong
	case field.Kind() == reflect.Bool:
		if value != "" {
			return "a flag has no value"
		}
		field.SetBool(true)
	case value == "":
		return "no value"
	case field.Kind() == reflect.Int:
		n, err := strconv.Atoi(value)
		if err != nil || n < 1 {
			return value + " is no number above 0"
		}
		field.SetInt(int64(n))
	case field.Type() == reflect.TypeFor[Access]():
		if value != "read" && value != "write" && value != "delete" {
			return value + " is neither read, write nor delete"
		}
		field.SetString(value)
	default:
		field.SetString(value)
		return badWord(form, value)
	}
	return ""
}

// badWord returns what is wrong with the words of a value.
func badWord(form, value string) string {
	for word := range strings.FieldsSeq(value) {
		switch {
		case form == "letters" && len(word) < len(value):
			return "letters stand together"
		case form == "letters" && strings.Contains(word, ":::"):
			return ":: is the most that stands behind a letter"
		case form == "long" && (word[0] == '-' || strings.ContainsAny(strings.TrimRight(word, "=?"), "=,")):
			return word + " is written neither as name nor as name= or name?"
		case form == "" && value != "*" && word[0] != '-' && word[0] != '+':
			return word + " is no option"
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
			at, ok := t.names[word]
			if !ok {
				return "", "no list is called " + word
			}
			_, lines := t.stanzas[at].split()
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
