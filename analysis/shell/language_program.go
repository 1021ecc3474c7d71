package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/luahook/luahook/analysis/script"
)

// program is a program in another language with its arguments.
type program struct {
	*language
	name    string
	args    []argument
	at      place
	dynamic []string // sources of what isn't known of its text
	from    []*Command
}

// prepared returns code with what options put before it: libraries, and
// variables.
func (l *language) prepared(code argument, r *interpreted) argument {
	var before strings.Builder
	for _, load := range r.loads {
		module, names, some := strings.Cut(load, "=")
		if some {
			module += " qw(" + strings.ReplaceAll(names, ",", " ") + ")"
		}
		before.WriteString(strings.ReplaceAll(l.Loaded, "%s", module))
	}
	sets := r.sets
	if l.Language == "awk" {
		for _, arg := range r.args {
			if name, _, ok := strings.Cut(arg.Text, "="); ok && isVariableName(name) {
				sets = append(sets, arg)
			}
		}
	}
	for _, set := range sets {
		name, value, ok := strings.Cut(set.Text, "=")
		if !ok || !isVariableName(name) {
			continue
		}
		// The escapes in it are read as those of a string are.
		value = strings.NewReplacer("\n", `\n`, `\"`, `\"`, `"`, `\"`).Replace(value)
		before.WriteString("BEGIN { " + name + ` = "` + value + `" } `)
		code.dynamic = append(code.dynamic[:len(code.dynamic):len(code.dynamic)], set.dynamic...)
		code.from = mergeCommands(code.from, set.from)
	}
	code.Text = before.String() + code.Text
	return code
}

func isVariableName(name string) bool {
	for i := range len(name) {
		c := name[i]
		if c != '_' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return name != ""
}

// programFile reports what a file does, if what is in it is known.
func (w *walker) programFile(p *program, r *interpreted, file argument, s scope) {
	if file.Text == "-" {
		if s.input != nil {
			w.program(p, p.prepared(s.input.unread(), r), p.name+" <", s)
		}
		return
	}
	if fd, ok := descriptorOf(file.Text); ok {
		if text := w.descriptor(fd, &s); text != nil {
			w.program(p, p.prepared(text.unread(), r), p.name+" <", s)
		}
		return
	}
	if file.file != nil {
		w.program(p, p.prepared(*file.file, r), p.name+" <", s)
		return
	}
	for _, text := range w.contents(file, &s) {
		w.program(p, p.prepared(text, r), p.name+" "+file.Text, s)
	}
}

// program reports what the program with the given text does.
func (w *walker) program(p *program, text argument, via string, s scope) {
	s = s.through(via)
	if strings.HasSuffix(via, " <") {
		s.input = nil
	}
	if s.depth > maxDepth || len(text.Text) > maxText || !w.spend(nestedText+textCost*len(text.Text)) {
		w.line.TooComplex = true
		return
	}
	if text.Dynamic && (len(text.from) > 0 || statementUnknown(text)) {
		w.add(&Command{Path: text.Text, Dynamic: true, NameDynamic: true, From: text.from, Line: text.at.line, Column: text.at.column}, &s)
		if text.Text == "" || slices.Contains(text.dynamic, strings.TrimSpace(text.Text)) {
			return // the command above says it all
		}
	}
	q := *p
	q.at, q.dynamic, q.from = text.at, text.dynamic, text.from
	s.at = text.at
	known := p.read(text.Text)
	w.line.TooComplex = w.line.TooComplex || known.TooComplex
	for i := range known.Calls {
		if w.line.TooComplex && len(w.line.Commands) == maxCommands {
			return
		}
		w.effect(&q, &known.Calls[i], s)
	}
}

// statementUnknown reports whether a part of a program that isn't known may be
// a statement: it stands alone between the ends of others. Elsewhere it's taken
// for a value, as that of awk "NR==$LINE": the interpreter's own command says
// that it is Dynamic.
func statementUnknown(text argument) bool {
	if len(text.dynamic) == 0 {
		return true
	}
	for _, source := range text.dynamic {
		for rest, offset := text.Text, 0; source != ""; {
			i := strings.Index(rest, source)
			if i < 0 {
				break
			}
			before := strings.TrimRight(text.Text[:offset+i], " \t")
			after := strings.TrimLeft(rest[i+len(source):], " \t")
			if endsStatement(before, len(before)-1) && endsStatement(after, 0) {
				return true
			}
			offset += i + len(source)
			rest = rest[i+len(source):]
		}
	}
	return false
}

// endsStatement reports whether there is nothing at i, or what ends a statement.
func endsStatement(text string, i int) bool {
	return i < 0 || i >= len(text) || strings.IndexByte(";\n\r{}:", text[i]) >= 0
}

// word returns an argument of a call as a word.
func (w *walker) word(p *program, arg *script.Arg) argument {
	a := argument{Word: Word{Text: arg.Text, Dynamic: arg.Dynamic, Quoted: !arg.Rest, Home: arg.Home}, at: p.at}
	switch {
	case len(arg.Parts) > 0:
		a.dynamic = append(a.dynamic, arg.Parts...)
	case arg.Dynamic:
		a.dynamic = []string{arg.Text}
	}
	for _, source := range p.dynamic {
		if strings.Contains(arg.Text, source) {
			a.Dynamic = true
			a.dynamic = append(a.dynamic, source)
			a.from = p.from
		}
	}
	if arg.Home && strings.HasPrefix(arg.Text, "~") {
		home := w.home()
		a.Text, a.Home = home.Text+arg.Text[1:], home.Home
		if home.Dynamic {
			a.Dynamic, a.dynamic = true, append(a.dynamic, home.dynamic...)
		}
	}
	return a
}

// wordsOf returns the arguments of a call as words. Those that are arguments of
// the program are put in their places.
func (w *walker) wordsOf(p *program, args []script.Arg) []argument {
	words := make([]argument, 0, len(args))
	for i := range args {
		if args[i].Dynamic && len(args[i].Parts) == 0 {
			if passed, ok := p.passed(args[i].Text); ok {
				words = append(words, passed...)
				continue
			}
		}
		words = append(words, w.word(p, &args[i]))
	}
	return words
}

// passed returns the arguments of the program that the source stands for.
func (p *program) passed(source string) ([]argument, bool) {
	if source == p.Arguments && source != "" {
		return p.args, true
	}
	before, after, ok := strings.Cut(p.Argument, "%")
	if !ok || !strings.HasPrefix(source, before) || !strings.HasSuffix(source, after) || len(source) <= len(before)+len(after) {
		return nil, false
	}
	n, err := strconv.Atoi(source[len(before) : len(source)-len(after)])
	if n -= p.From; err != nil || n < 0 || n >= len(p.args) {
		return nil, false
	}
	return p.args[n : n+1], true
}
