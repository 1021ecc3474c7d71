package shell

import "strings"

// capture keeps what commands write to their standard output.
type capture struct {
	text    []byte
	dynamic []string   // sources of the parts that aren't known
	home    bool       // text begins with a "~" that stands for a home folder
	unknown bool       // there is more, of which nothing is known
	from    []*Command // what wrote it
}

func (c *capture) add(text argument, by *Command) {
	c.home = c.home || text.Home && len(c.text) == 0
	if len(c.text)+len(text.Text) > maxText {
		c.unknown = true
	} else {
		c.text = append(c.text, text.Text...)
	}
	switch {
	case text.Dynamic && len(text.dynamic) == 0:
		c.unknown = true
	case text.Dynamic:
		c.dynamic = append(c.dynamic, text.dynamic...)
	}
	c.from = merge(c.from, text.from)
	if by != nil {
		c.from = merge(c.from, []*Command{by})
	}
}

// value returns all that was written.
func (c *capture) value(at place) argument {
	return argument{
		Word: Word{Text: string(c.text), Dynamic: c.unknown || len(c.dynamic) > 0, Home: c.home},
		at:   at, dynamic: c.dynamic, from: c.from,
	}
}

// emit keeps what c writes, as far as it's known. What only passes on what
// something else wrote isn't what it's from.
func (w *walker) emit(c *Command, args []argument, s scope) {
	if isSilent(c.Name) {
		return
	}
	if program := pureOf(c.Name); program != nil && !s.remote && (s.input == nil || w.spend(len(s.input.Text)/16)) {
		here := s // so that s needn't be on the heap for the others
		if out, ok := program(w, args, &here); ok && w.spend(len(out.Text)/16) {
			if !decodes(c, &s, out.Text) {
				c = nil
			}
			s.out.add(out, c)
			return
		}
	}
	unknown := argument{Word: Word{Dynamic: true}}
	if s.input != nil {
		unknown.from = s.input.from
	}
	for _, arg := range args {
		unknown.from = merge(unknown.from, arg.from)
		for _, text := range w.contents(arg, &s) {
			unknown.from = merge(unknown.from, text.from)
		}
	}
	s.out.add(unknown, c)
}

// decodes reports whether c writes text that nobody can read where it stands in
// the line.
func decodes(c *Command, s *scope, out string) bool {
	switch c.Name {
	case "base64", "xxd", "rev":
		return true
	case "tr":
		return s.input != nil && len(c.Args) == 2 && !strings.EqualFold(strings.TrimSpace(s.input.Text), strings.TrimSpace(out)) &&
			hasLetter(c.Args[0].Text) && hasLetter(c.Args[1].Text)
	case "printf", "echo":
		for _, arg := range c.Args {
			if escapesLetter(arg.Text) {
				return true
			}
		}
	}
	return false
}

func hasLetter(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })
}

// escapesLetter reports whether a letter is written by its number in text.
func escapesLetter(text string) bool {
	for i := 0; i+2 < len(text); i++ {
		if text[i] != '\\' {
			continue
		}
		i++
		if strings.IndexByte("xuU01234567", text[i]) < 0 {
			continue
		}
		end := i + 1
		for end < len(text) && end < i+9 && isDigit(text[end], 16) {
			end++
		}
		if r := []rune(decodeEscapes(text[i-1 : end])); len(r) > 0 && r[0] < 0x80 && isLetter(byte(r[0])) {
			return true
		}
	}
	return false
}

// isSilent reports whether a program writes nothing.
func isSilent(name string) bool {
	switch name {
	case "cd", "true", "false", ":", "test", "[", "export", "set", "shift",
		"unset", "read", "mapfile", "readarray", "local", "readonly", "exit",
		"return", "break", "continue", "sleep", "let", "unalias", "wait":
		return true
	}
	return false
}
