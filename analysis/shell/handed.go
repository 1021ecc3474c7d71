package shell

import (
	"strings"

	"github.com/luahook/luahook/analysis/shell/programs"
	"github.com/luahook/luahook/internal/wordlist"
)

// handed lists what is in the files that the arguments of a client name, in whatever option, as far as the line has
// written them. Each is cut from the argument that names it.
func (w *walker) handed(c *Command, args []argument, s scope) (texts []argument) {
	writes := ""
	if p := programs.Of(c.Name); p != nil && p.Paths != nil {
		writes = p.Paths.Writes
	}
	for i := range args {
		switch {
		case args[i].file != nil:
			texts = append(texts, *args[i].file)
		case len(w.files) == 0, args[i].Text == "", i > 0 && wordlist.Has(writes, args[i-1].Text):
		default:
			texts = append(texts, w.fileOf(args[i], s)...)
		}
	}
	return texts
}

// fileOf is what is in the file that a word of a client names: by itself, as the value of an option in the same word,
// behind the @ of sqlplus, or as an address.
func (w *walker) fileOf(word argument, s scope) []argument {
	name := word.Text
	_, value, _ := strings.Cut(name, "=")
	for _, prefix := range []string{"@", "file://", "fileb://"} {
		name, value = strings.TrimPrefix(name, prefix), strings.TrimPrefix(value, prefix)
	}
	names := []string{name, value}
	switch {
	case strings.HasPrefix(word.Text, "@"):
		names = append(names, name+".sql")
	case len(name) > 2 && name[0] == '-' && name[1] != '-':
		names = append(names, name[2:])
	}
	for _, name := range names {
		if name == "" {
			continue
		}
		if texts := w.contents(word.cut(name), &s); len(texts) > 0 {
			return texts
		}
	}
	return nil
}

// included is what is in the files that a text for a client has it read.
func (w *walker) included(text argument, s scope) (texts []argument) {
	if len(w.files) == 0 || !w.spend(len(text.Text)) {
		return nil
	}
	words := strings.FieldsFunc(text.Text, func(r rune) bool { return strings.ContainsRune(" \t\n;'\"()", r) })
	for i, word := range words[:max(len(words)-1, 0)] {
		if wordlist.Has(`\i \ir \include \include_relative \. source .read :r load start`, word) {
			texts = append(texts, w.contents(text.cut(words[i+1]), &s)...)
		}
	}
	return texts
}

// reads reports what a client does with a text that it reads from a file.
func (w *walker) reads(kind clientKind, c *Command, text argument, s scope) {
	if !w.spend(len(text.Text)) {
		return
	}
	switch kind {
	case mongoClient:
		w.mongo(c, text, s)
		fallthrough
	case scriptClient:
		inner := s.through(c.Name + " <")
		inner.input = &text
		w.add(&Command{Path: c.Path, Name: c.Name, Assignments: c.Assignments, From: text.from, Line: s.at.line, Column: s.at.column}, &inner)
	case lineClient:
		w.ownLines(c, text, s)
	default:
		inner := s.through(c.Name + " <")
		sql := text.Word
		w.add(&Command{SQL: &sql, Dynamic: text.Dynamic, From: text.from, Line: s.at.line, Column: s.at.column}, &inner)
		w.escapes(kind, c.Name, text, s)
	}
}

// mongoModules are the modules that mongosh has by their names.
const mongoModules = "const fs=require('fs'),os=require('os'),path=require('path'),child_process=require('child_process');"

// mongo reports what a program for mongosh, which is one for Node as well, runs and does to files.
func (w *walker) mongo(c *Command, text argument, s scope) {
	if !mayReachOut(text.Text) {
		return
	}
	text.Text = mongoModules + text.Text
	s.assigned, s.redirects, s.out, s.input, s.external = nil, nil, nil, nil, true
	w.program(&program{language: languageOf("node"), name: c.Name}, text, c.Name+" --eval", s)
}

// mayReachOut reports whether a program for a database has a chance to do something to the machine.
func mayReachOut(text string) bool {
	for _, word := range []string{"fs", "child_process", "exec", "spawn", "process", "require", "import", "removeFile", "eval"} {
		if strings.Contains(text, word) {
			return true
		}
	}
	return false
}

// ownLines runs each line of a text as the arguments of c: ip -batch, nft -f and lvm read such.
func (w *walker) ownLines(c *Command, text argument, s scope) {
	if _, only := c.Flag("-c", "--check"); only && c.Name == "nft" {
		return
	}
	inner := s.through(c.Name + " <")
	inner.input, inner.external, inner.assigned, inner.redirects = nil, true, nil, nil
	for line := range strings.FieldsFuncSeq(text.Text, func(r rune) bool { return r == '\n' || r == ';' }) {
		words, err := Split(line)
		if err != nil || len(words) == 0 || strings.HasPrefix(words[0], "#") {
			continue
		} else if w.line.TooComplex {
			return
		}
		args := []argument{literal(c.Path, s.at)}
		for _, word := range words {
			args = append(args, text.cut(word))
		}
		w.run(args, inner)
	}
}

// named runs the words of a program that has other programs as its subcommands: ddev mysql, corepack pnpm.
func (w *walker) named(c *Command, args []argument, s scope) {
	p := programs.Of(c.Name)
	before := *runsBy(c.Name)
	before.First = true
	_, rest := before.scan(c.Args, "")
	if rest >= len(args) || args[rest].Dynamic {
		return
	}
	inner := w.placeOf((*wrapper)(p.Runs), s).through(c.Name)
	inner.external = true
	words := args[rest:]
	if p.Runs.PackageName {
		words = append([]argument{unversioned(words[0])}, words[1:]...)
	}
	switch {
	case words[0].Text == "exec" && len(words) > 1:
		w.run(words[1:], inner)
	case wordlist.Has(p.Runs.Verbs, words[0].Text):
		w.run(words, inner)
	}
}

// shellTexts are options whose value is text for the shell of another machine.
const shellTexts = "--scripts --script --exec-command --command --parameters -r --raw-shell"

// elsewhere reports the texts that c has the shells of other machines run: the values of options, and the operands
// behind its verb or behind cmd.run of salt.
func (w *walker) elsewhere(c *Command, args []argument, verbs int, s scope) {
	there := w.otherMachine(s)
	there.input = nil
	var words []argument
	task := ""
	for _, o := range c.items() {
		switch {
		case o.name == "" && verbs > 0:
			verbs--
			task = "verb"
		case o.name == "" && task == "verb":
			words = append(words, args[o.index])
		case o.name == "" && strings.HasPrefix(task, "cmd."):
			w.text(args[o.index], c.Name+" "+task, there)
			return
		case o.name == "":
			task = args[o.index].Text
		case o.valued && wordlist.Has(shellTexts, o.name):
			value := valueFrom(args, o.source, o.value)
			for _, text := range commandsIn(value.Text) {
				if isShell(baseName(strings.TrimSpace(text))) {
					continue // for a person
				}
				w.text(value.cut(text), c.Name+" "+o.name, there)
			}
		}
	}
	if text, ok := joinWords(words); ok {
		w.text(text, c.Name, there)
	}
}

// maxParameters is how many texts of a value are looked at.
const maxParameters = 20

// commandsIn lists the commands in the value of aws ssm --parameters: commands=TEXT, commands=["TEXT"] or JSON. Any
// other value is one.
func commandsIn(value string) (texts []string) {
	name, rest, named := strings.Cut(value, "=")
	switch {
	case strings.HasPrefix(value, "{"):
		_, rest, _ = strings.Cut(value, ":")
	case !named || !wordlist.Has("command commands", name):
		return []string{value}
	case !strings.HasPrefix(rest, "["):
		return []string{rest}
	}
	for len(texts) < maxParameters {
		_, after, ok := strings.Cut(rest, `"`)
		if !ok {
			break
		}
		end := 0
		for end < len(after) && after[end] != '"' {
			if after[end] == '\\' {
				end++
			}
			end++
		}
		end = min(end, len(after))
		texts = append(texts, strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(after[:end]))
		rest = after[min(end+1, len(after)):]
	}
	return texts
}

// readsOwnLines reports whether a program of lineClient reads its standard input: it is told so, or told nothing else.
func readsOwnLines(c *Command, verb bool) bool {
	given := false
	for _, word := range c.Args {
		if word.Text == "-" || word.Text == "/dev/stdin" {
			return true
		}
		given = given || !strings.HasPrefix(word.Text, "-")
	}
	return verb || !given
}
