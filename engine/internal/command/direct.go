package command

import (
	"fmt"
	"strings"
)

// template is a text with variables in it: texts and names in turn, a text first.
type template []string

// with is the text with the variables' values.
func (t template) with(values map[string]string) string {
	var b strings.Builder
	for i, part := range t {
		if i%2 == 1 {
			part = values[part]
		}
		b.WriteString(part)
	}
	return b.String()
}

// names are the variables in it.
func (t template) names() []string {
	var names []string
	for i := 1; i < len(t); i += 2 {
		names = append(names, t[i])
	}
	return names
}

// parseTemplate finds each $NAME and ${NAME} whose name is in the table. $$ stands for
// itself, and so does everything else.
func parseTemplate(text string) (template, error) {
	t, start := template{}, 0
	for i := 0; i < len(text); i++ {
		if text[i] != '$' {
			continue
		}
		if strings.HasPrefix(text[i+1:], "$") {
			i++
			continue
		}
		rest, braces := strings.CutPrefix(text[i+1:], "{")
		name := rest[:nameLength(rest)]
		_, prefixed, known := variableOf(name)
		if !known || prefixed {
			continue
		}
		end := len(text) - len(rest) + len(name)
		if braces {
			if !strings.HasPrefix(rest[len(name):], "}") {
				return nil, fmt.Errorf("%q: only $%s and ${%s} are replaced here, as there is no shell", text, name, name)
			}
			end++
		}
		t = append(t, text[start:i], name)
		start, i = end, end-1
	}
	return append(t, text[start:]), nil
}

// nameLength is the length of the variable's name that a text begins with.
func nameLength(text string) int {
	for i := range len(text) {
		c := text[i]
		if c != '_' && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && (c < '0' || c > '9' || i == 0) {
			return i
		}
	}
	return len(text)
}

// newDirect checks a command that is run without a shell.
func newDirect(program string, args []string) (*Command, error) {
	c := &Command{}
	var err error
	if c.program, err = parseTemplate(program); err != nil {
		return nil, err
	}
	for _, name := range c.program.names() {
		if v, _, _ := variableOf(name); !v.path {
			return nil, fmt.Errorf("%q: the event would say which program is run; only $PROJECT_DIR may stand in the program's name", program)
		}
	}
	words := []string{program}
	for _, a := range args {
		t, err := parseTemplate(a)
		if err != nil {
			return nil, err
		}
		c.args = append(c.args, t)
		words = append(words, a)
	}
	for i := 1; i < len(words); i++ {
		names := c.args[i-1].names()
		if interpreter, code := codeOf(words, i); code && len(names) > 0 {
			return nil, fmt.Errorf("%q: %s would run the value of $%s as a part of its program; let it read %s%s from the environment", words[i], interpreter, names[0], prefix, names[0])
		}
	}
	return c, nil
}
