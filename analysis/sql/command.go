package sql

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell"
)

// InCommand returns what a command has a database do: the statements in the
// arguments of a client such as psql or sqlite3, and in what is known of its
// standard input; what dropdb, mysqladmin drop and the like do; and a command that
// is itself SQL, such as DROP TABLE x where a shell expects a program, because
// some tools are given that. Scripts in files aren't looked into. It never
// returns nil.
//
// Where a client reads what another program prints, there is a statement without
// a Verb that is Dynamic. Commands that c runs in turn are for calls of their own.
func InCommand(c *shell.Command) *Script {
	script := new(Script)
	if c.Name == "" {
		return script
	}
	if s := administration(c); s != nil {
		script.Statements = []*Statement{s}
		return script
	}
	if p, options, operands := programOf(c); p != nil {
		p.read(c, options, operands, script)
		return script
	}
	return typed(c)
}

// programOf returns the client that c calls, with its arguments; behind the
// subcommand, where one makes it a client.
func programOf(c *shell.Command) (p *program, options []option, operands []shell.Word) {
	name := strings.ToLower(c.Name)
	for _, subcommand := range subcommands(name) {
		p, _ := clientOf(name + " " + subcommand)
		options, operands := p.arguments(c.Args)
		if operands = behind(operands, subcommand); operands != nil {
			return &p, options, operands
		}
	}
	if p, ok := clientOf(name); ok {
		options, operands := p.arguments(c.Args)
		return &p, options, operands
	}
	return nil, nil, nil
}

// read reports what a client is told to run.
func (p *program) read(c *shell.Command, options []option, operands []shell.Word, script *Script) {
	texts, input := 0, p.input
	for _, o := range options {
		switch {
		case listed(p.text, o.name):
			script.join(p.parse(o.value))
			if !listed(p.also, o.name) {
				texts++
			}
		case listed(p.file, o.name):
			if texts++; o.value.Text == "-" || o.value.Text == "/dev/stdin" {
				script.join(p.standardInput(c))
			}
		}
	}
	if p.operands >= 0 && p.operands < len(operands) {
		for _, text := range p.joined(operands[p.operands:]) {
			script.join(p.parse(text))
			texts++
		}
	}
	if input && texts == 0 {
		script.join(p.standardInput(c))
	}
}

// joined returns the texts that operands are: each for itself, or all as one.
func (p *program) joined(operands []shell.Word) []shell.Word {
	if !p.joins {
		return operands
	}
	var texts []string
	var whole shell.Word
	for _, o := range operands {
		texts = append(texts, o.Text)
		whole.Dynamic = whole.Dynamic || o.Dynamic
	}
	whole.Text = strings.Join(texts, " ")
	return []shell.Word{whole}
}

func (p *program) parse(text shell.Word) *Script {
	script := Parse(text.Text, Options{Dialect: p.dialect, Dynamic: text.Dynamic})
	if p.strict && !script.TooComplex && !script.shaped(text.Text) {
		return new(Script) // another language
	}
	return script
}

// join adds the statements of another text.
func (s *Script) join(other *Script) {
	s.Statements = append(s.Statements, other.Statements...)
	s.TooComplex = s.TooComplex || other.TooComplex
}

// standardInput reads what is known to be on a client's standard input.
func (p *program) standardInput(c *shell.Command) *Script {
	text, given := inputOf(c)
	if !given {
		return new(Script)
	}
	script := p.parse(text)
	if in := c.Input; in != nil && in.Dynamic && (len(in.From) > 0 || in.Text == "") {
		script.Statements = append(script.Statements, &Statement{Dynamic: true, at: len(text.Text)})
	}
	return script
}

// inputOf returns the known standard input of c: that which the line was seen to
// give it, or else its last redirection of it.
func inputOf(c *shell.Command) (text shell.Word, given bool) {
	if c.Input != nil {
		return shell.Word{Text: c.Input.Text, Dynamic: c.Input.Dynamic}, true
	}
	for _, r := range c.Redirects {
		if r.Fd > 0 {
			continue
		}
		switch r.Op {
		case "<<", "<<-":
			text, given = shell.Word{Text: r.Body, Dynamic: r.Dynamic}, true
		case "<<<":
			text, given = r.Target, true
		case "<", "<>", "<&":
			text, given = shell.Word{}, false
		}
	}
	return text, given
}

// typedVerbs are the verbs of a command that is itself SQL.
const typedVerbs = "DROP DELETE TRUNCATE UPDATE INSERT ALTER CREATE GRANT REVOKE SELECT MERGE"

// typed reads a command whose words are SQL.
func typed(c *shell.Command) *Script {
	if !listed(typedVerbs, strings.ToUpper(c.Path)) || len(c.Args) == 0 || strings.HasPrefix(c.Args[0].Text, "-") {
		return new(Script)
	}
	words := []string{c.Path}
	dynamic := false
	for _, arg := range c.Args {
		dynamic = dynamic || arg.Dynamic
		words = append(words, requoted(arg))
	}
	text := strings.Join(words, " ")
	script := Parse(text, Options{Dynamic: dynamic})
	for _, s := range script.Statements {
		// Programs may be called so: truncate takes the place of TRUNCATE.
		if s.Verb == "TRUNCATE" && !strings.EqualFold(c.Args[0].Text, "table") {
			return new(Script)
		}
	}
	if !script.TooComplex && !script.shaped(text) {
		return new(Script)
	}
	return script
}

// requoted returns a word as SQL. A word that was in quotes and couldn't be a
// name is a string.
func requoted(w shell.Word) string {
	if !w.Quoted || w.Dynamic {
		return w.Text
	}
	for i := range len(w.Text) {
		if c := w.Text[i]; !nameByte(c) && c != '.' {
			return "'" + strings.ReplaceAll(w.Text, "'", "''") + "'"
		}
	}
	return w.Text
}
