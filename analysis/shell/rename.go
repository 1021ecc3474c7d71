package shell

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Rename gives text, which was parsed to line with these options, with other names for some of its commands:
// the word that names a command is replaced, and nothing else. It is an error where that can't be done exactly: the
// name isn't written out in a word of text (it comes from a variable, say, or stands within a text for bash -c), a
// new name isn't one plain word, or the new text would not be read as the same commands but for their names.
// What a renamed command itself is known to run may differ.
func (line *Line) Rename(text string, options Options, names map[*Command]string) (string, error) {
	switch {
	case line.Err != nil:
		return "", fmt.Errorf("the line can't be read: %w", line.Err)
	case line.TooComplex:
		return "", errors.New("the line is too complex to be read as a whole")
	case strings.Contains(text, "\\\r\n"):
		return "", errors.New("the line has a backslash before a carriage return")
	}
	words := wordsOfText(text)
	places := map[int]string{} // the new names
	for c, name := range names {
		if !isSafe(name) || !strings.ContainsFunc(name, func(r rune) bool { return r != '-' && r != '+' }) {
			return "", fmt.Errorf("%q isn't a name in one plain word", name)
		}
		at := offsetOf(text, c.Line, c.Column)
		word := words[at]
		if value, ok := writtenOut(word); !ok || c.NameDynamic || c.Path == "" || value != c.Path || standsIn(c) {
			return "", fmt.Errorf("the name of %q isn't written out as a word of the line", c.Path)
		}
		if other, ok := places[at]; ok && other != name {
			return "", fmt.Errorf("the word %q can't become both %s and %s", c.Path, min(name, other), max(name, other))
		}
		places[at] = name
	}
	var b strings.Builder
	from := 0
	for _, at := range sortedKeys(places) {
		b.WriteString(text[from:at] + places[at])
		from = int(words[at].End().Offset())
	}
	renamed := b.String() + text[from:]
	if !line.sameBut(names, Parse(renamed, options)) {
		return "", errors.New("with the new name the line would be read as other commands")
	}
	return renamed, nil
}

// standsIn reports whether the place of a command is that of one that runs it: the command stands in a text, or in a file
// that the line writes.
func standsIn(c *Command) bool {
	for p := c.Parent; p != nil; p = p.Parent {
		if p.Line == c.Line && p.Column == c.Column {
			return true
		}
	}
	return false
}

func sortedKeys(places map[int]string) []int {
	keys := make([]int, 0, len(places))
	for at := range places {
		keys = append(keys, at)
	}
	slices.Sort(keys)
	return keys
}

// offsetOf is where a line and a column are in text, -1 for none.
func offsetOf(text string, line, column int) int {
	at := 0
	for range line - 1 {
		n := strings.IndexByte(text[at:], '\n')
		if n < 0 {
			return -1
		}
		at += n + 1
	}
	if line < 1 || column < 1 || at+column-1 >= len(text) {
		return -1
	}
	return at + column - 1
}

// wordsOfText are the words of a text by where they begin.
func wordsOfText(text string) map[int]*syntax.Word {
	w := &walker{line: new(Line), work: maxWork}
	file, read, _ := w.parse(text, true)
	if w.parser != nil {
		parsers.Put(w.parser)
	}
	words := map[int]*syntax.Word{}
	if len(read.inserted) > 0 { // it isn't the line's own text
		return words
	}
	syntax.Walk(file, func(node syntax.Node) bool {
		if word, ok := node.(*syntax.Word); ok && word.Pos().IsValid() && int(word.End().Offset()) <= len(text) {
			if at := int(word.Pos().Offset()); words[at] == nil { // the outermost comes first
				words[at] = word
			}
		}
		return true
	})
	return words
}

// writtenOut is the value of a word in which nothing is expanded.
func writtenOut(word *syntax.Word) (string, bool) {
	if word == nil {
		return "", false
	}
	var b strings.Builder
	for _, part := range word.Parts {
		switch p := part.(type) {
		case *syntax.Lit:
			b.WriteString(unescape(p.Value, ""))
		case *syntax.SglQuoted:
			if p.Dollar {
				return "", false
			}
			b.WriteString(p.Value)
		case *syntax.DblQuoted:
			for _, inner := range p.Parts {
				lit, ok := inner.(*syntax.Lit)
				if !ok || p.Dollar {
					return "", false
				}
				b.WriteString(unescape(lit.Value, "$`\"\\\n"))
			}
		default:
			return "", false
		}
	}
	return b.String(), true
}

// unescape takes away the backslashes before these characters, all where there are none, and continued lines.
func unescape(text, these string) string {
	if strings.IndexByte(text, '\\') < 0 {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) && (these == "" || strings.IndexByte(these, text[i+1]) >= 0) {
			if i++; text[i] == '\n' {
				continue
			}
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// sameBut reports whether other has the same commands but for the names, where what the renamed ones run is left out.
func (line *Line) sameBut(names map[*Command]string, other *Line) bool {
	if other.Err != nil || other.TooComplex {
		return false
	}
	at := map[renamedAt]string{} // a loop's command is there for each round
	pairs := map[[2]string]bool{}
	for c, name := range names {
		at[renamedAt{c.Line, c.Column, c.Path}] = name
		pairs[[2]string{c.Path, name}] = true
	}
	renamed := func(c *Command) (string, bool) {
		name, is := at[renamedAt{c.Line, c.Column, c.Path}]
		return name, is
	}
	below := map[*Command]bool{} // a renamed command
	var left []*Command
	for _, c := range line.Commands {
		_, is := renamed(c)
		if c.Parent != nil && below[c.Parent] {
			below[c] = true
			continue
		}
		below[c] = is
		left = append(left, c)
	}
	belowThere, i := map[*Command]bool{}, 0
	for _, c := range other.Commands {
		if c.Parent != nil && belowThere[c.Parent] {
			belowThere[c] = true
			continue
		}
		if i == len(left) {
			return false
		}
		was := left[i]
		i++
		name, is := renamed(was)
		if belowThere[c] = is; !is {
			name = was.Path
		}
		if c.NameDynamic != was.NameDynamic || c.Path != name && !c.NameDynamic || c.Context != was.Context || c.Pipe != was.Pipe || len(c.Via) != len(was.Via) ||
			!sameWords(was.Args, c.Args, pairs) || !sameSurroundings(was, c, pairs) {
			return false
		}
	}
	return i == len(left)
}

type renamedAt struct {
	line, column int
	path         string
}

// sameSurroundings reports whether what stands around the words of two commands is the same.
func sameSurroundings(a, b *Command, pairs map[[2]string]bool) bool {
	return slices.EqualFunc(a.Assignments, b.Assignments, func(a, b Assignment) bool {
		return a.Name == b.Name && a.Append == b.Append && sameWord(a.Value, b.Value, pairs)
	}) && slices.EqualFunc(a.Redirects, b.Redirects, func(a, b Redirect) bool {
		return a.Op == b.Op && a.Fd == b.Fd && a.Dynamic == b.Dynamic && (a.Dynamic || a.Body == b.Body) && sameWord(a.Target, b.Target, pairs)
	})
}

func sameWords(a, b []Word, pairs map[[2]string]bool) bool {
	return slices.EqualFunc(a, b, func(a, b Word) bool { return sameWord(a, b, pairs) })
}

// sameWord reports whether two words are the same; one may name a renamed command, as in sudo npm, and the source
// of what isn't known may have one in it.
func sameWord(a, b Word, pairs map[[2]string]bool) bool {
	if a.Dynamic != b.Dynamic {
		return false
	}
	return a.Text == b.Text || a.Dynamic || pairs[[2]string{a.Text, b.Text}]
}
