package shell

import (
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// isBuiltin is about those builtins that change something in the shell.
func isBuiltin(name string) bool {
	switch name {
	case "cd", "pushd", "hash", "compgen", "popd", "dirs", "read", "mapfile", "readarray", "printf", "set", "shift", "unset", "export", "declare", "typeset", "readonly", "local", "getopts", "alias", "unalias", "break", "continue", "return", "exit":
		return true
	}
	return false
}

// builtin carries out what a builtin changes in the shell.
func (w *walker) builtin(c *Command, args []argument, s *scope) {
	switch c.Name {
	case "cd", "pushd":
		w.cd(c.Name, args, s)
	case "hash":
		if len(args) > 2 && args[0].Text == "-p" {
			w.hash(args[1], args[2:])
		}
	case "compgen":
		for i, arg := range args {
			if arg.Text == "-C" && i+1 < len(args) {
				w.textHere(args[i+1], "compgen -C", *s)
			}
		}
	case "popd":
		w.popd(args)
	case "dirs":
		if len(args) > 0 && args[0].Text == "-c" {
			w.env.forget(name{folder, "+"})
		}
	case "read":
		w.read(args, s)
	case "mapfile", "readarray":
		w.mapfile(args, s)
	case "printf":
		w.printfInto(args, s)
	case "set":
		w.setExportsAll(args)
		w.setParameters(args)
	case "shift":
		w.shift(args)
	case "unset":
		w.unset(args, s)
	case "export", "declare", "typeset", "readonly", "local":
		if isBuiltinPrefix(s.via) {
			w.declareWords(c.Name, args, s)
		}
	case "getopts":
		if len(args) > 1 {
			w.forgetNames([]argument{args[1], literal("OPTARG", s.at), literal("OPTIND", s.at)})
		}
	case "alias":
		w.defineAliases(args)
	case "unalias":
		for _, arg := range args {
			w.addAlias(arg.Text, &binding{unset: true})
		}
	case "break", "continue":
		w.breakLoop()
	case "return":
		w.returnFromFunction()
	case "exit":
		w.env.setEnded()
	}
}

// printfInto carries out printf -v.
func (w *walker) printfInto(args []argument, s *scope) {
	if len(args) == 0 || !strings.HasPrefix(args[0].Text, "-v") {
		return
	}
	into := args[0].Text[2:]
	if args = args[1:]; into == "" && len(args) > 0 {
		into, args = args[0].Text, args[1:]
	}
	v, ok := printf(args)
	if syntax.ValidName(into) {
		w.assignText(into, v, ok)
	} else {
		w.assignElement(into, v, ok, s)
	}
}

func (w *walker) assignText(text string, v argument, ok bool) {
	if !ok {
		w.assign(text, nil)
		return
	}
	w.assign(text, &binding{word: v})
}

func (w *walker) forgetNames(args []argument) {
	for _, arg := range args {
		if syntax.ValidName(arg.Text) {
			w.assign(arg.Text, nil)
		}
	}
}

// declareWords is for declarations behind command and builtin, which the
// parser takes for words.
func (w *walker) declareWords(variant string, args []argument, s *scope) {
	for _, arg := range args {
		if strings.HasPrefix(arg.Text, "-") && strings.Contains(arg.Text, "f") && (variant == "export" || strings.Contains(arg.Text, "x")) {
			w.exportFunctions(args)
		}
	}
	for _, arg := range args {
		text, v, ok := strings.Cut(arg.Text, "=")
		value := arg
		value.Text = v
		if ok && !syntax.ValidName(text) {
			w.assignElement(text, value, true, s)
		}
		if !ok || !syntax.ValidName(text) {
			continue
		}
		w.assign(text, &binding{word: value, exported: variant == "export"})
	}
}

// parameters lets list be the positional parameters.
func (w *walker) parameters(list []argument) {
	self := argument{}
	if now := w.env.get(nameOfParameters); len(now) == 1 {
		self = now[0].word
	}
	w.env.set(nameOfParameters, &binding{word: self, list: list, isList: true})
}

// setParameters is set -- a b. The "o" of set -euo pipefail takes a word.
func (w *walker) setParameters(args []argument) {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg.Text == "--":
			w.parameters(args[i+1:])
			return
		case arg.Dynamic && !arg.Quoted:
			w.env.forget(nameOfParameters)
			return
		case !isSetOption(arg.Text):
			w.parameters(args[i:])
			return
		case strings.Contains(arg.Text, "o") && i+1 < len(args) && !isSetOption(args[i+1].Text) && !args[i+1].Dynamic:
			i++
		case arg.Text == "-" && i+1 < len(args):
			w.parameters(args[i+1:])
			return
		}
	}
}

// setExportsAll takes in set -a, by which all that is assigned or defined from then on is exported.
func (w *walker) setExportsAll(args []argument) {
	for i, arg := range args {
		if !isSetOption(arg.Text) || arg.Text == "-" || arg.Text == "--" {
			return
		}
		named := i+1 < len(args) && args[i+1].Text == "allexport" && strings.HasSuffix(arg.Text, "o")
		if !named && !strings.Contains(arg.Text, "a") {
			continue
		}
		if n := (name{kind: exportsAll}); arg.Text[0] == '-' {
			w.env.set(n, &binding{})
		} else {
			w.env.set(n)
		}
	}
}

func isSetOption(text string) bool {
	return strings.HasPrefix(text, "-") || strings.HasPrefix(text, "+")
}

func (w *walker) shift(args []argument) {
	it := w.choose(nameOfParameters)
	if it == nil {
		return
	}
	n := 1
	if len(args) > 0 {
		var err error
		if n, err = strconv.Atoi(args[0].Text); err != nil || n < 0 {
			w.env.forget(nameOfParameters)
			return
		}
	}
	if at := firstUncertain(it.list); at >= 0 && at < n {
		w.env.forget(nameOfParameters)
	} else if n <= len(it.list) {
		w.parameters(it.list[n:])
	}
}

func (w *walker) unset(args []argument, s *scope) {
	kinds := []byte{variable, function}
	for i, arg := range args {
		switch {
		case i == 0 && arg.Text == "-f":
			kinds = kinds[1:]
		case i == 0 && arg.Text == "-v":
			kinds = kinds[:1]
		case strings.HasSuffix(arg.Text, "]") && strings.Contains(arg.Text, "["):
			w.unsetElement(arg.Text, s)
		case syntax.ValidName(arg.Text) || kinds[0] == function:
			for _, kind := range kinds {
				n := name{kind, arg.Text}
				isSet := slices.ContainsFunc(w.env.get(n), func(it *binding) bool { return !it.unset })
				if isSet || kind == variable {
					w.env.set(n, &binding{unset: true})
				}
				if a, ok := w.attributes[arg.Text]; ok && kind == variable { // it may be gone, too
					w.attributes[arg.Text] = attribute{changes: true, refers: a.refers}
				}
				if isSet {
					break // the function of that name stays
				}
			}
		}
	}
}

// hash notes that names stand for a program elsewhere.
func (w *walker) hash(program argument, names []argument) {
	w.hashUsed = true
	for _, arg := range names {
		w.env.set(name{hashed, arg.Text}, &binding{word: program})
	}
}

func (w *walker) defineAliases(args []argument) {
	for _, arg := range args {
		text, v, ok := strings.Cut(arg.Text, "=")
		if !ok || text == "" {
			continue
		}
		value := arg
		value.Text, value.Quoted = v, false
		if w.aliasNames == nil {
			w.aliasNames = map[string]bool{}
		}
		w.aliasNames[text] = true
		w.addAlias(text, &binding{word: value})
	}
}

// addAlias lets an alias stand for it, and for what it stood for until now, too: a
// shell takes aliases as they are when it reads a line or a body, not when it runs it.
func (w *walker) addAlias(text string, it *binding) {
	n := name{alias, text}
	before := w.env.get(n)
	if before == nil {
		w.env.set(n, it)
		return
	}
	if slices.ContainsFunc(before, it.same) {
		return
	}
	w.env.set(n, append([]*binding{it}, before[:min(len(before), maxItems-1)]...)...)
}

// read takes the next line of the input apart.
func (w *walker) read(args []argument, s *scope) {
	var names []string
	raw, array, plain := false, "", true
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		switch {
		case text == "--":
		case len(text) > 1 && text[0] == '-':
			raw = raw || strings.Contains(text, "r")
			switch text[len(text)-1] {
			case 'a':
				if i++; i < len(args) {
					array = args[i].Text
				}
			case 'u':
				if i++; i < len(args) {
					here := *s
					s = &here
					fd, err := strconv.Atoi(args[i].Text)
					if s.input = nil; err == nil {
						s.input, s.reading = w.descriptor(fd, s), w.execOf(fd)
					}
				}
			case 'd', 'i', 'n', 'N', 'p', 't':
				plain = plain && text[len(text)-1] == 'p'
				i++
			default:
				if text[1] == 'u' { // -u3
					here := *s
					s = &here
					fd, err := strconv.Atoi(text[2:])
					if s.input = nil; err == nil {
						s.input, s.reading = w.descriptor(fd, s), w.execOf(fd)
					}
				}
			}
			if text[len(text)-1] == 'u' || text[1] == 'u' || text == "-s" || text == "-e" || text == "-r" || text == "-p" || text == "-rp" || text == "-a" || text == "-ra" {
				continue
			}
			plain = false
		case syntax.ValidName(text):
			names = append(names, text)
		}
	}
	if len(names) == 0 && array == "" {
		names = []string{"REPLY"}
	}
	line, found, known := w.nextLine(plain, s)
	if len(w.loops) > 0 && plain && known {
		l := w.loops[len(w.loops)-1]
		if l.read = endRead; found {
			l.read = lineRead
		}
	}
	separators, ok := w.separators()
	for _, a := range s.assigned {
		if a.Name == "IFS" {
			separators, ok = a.Value.Text, !a.Value.Dynamic
		}
	}
	if !known || !ok || !raw && strings.Contains(line.Text, `\`) {
		w.readUnknown(append(names, array), line.from)
		return
	}
	w.readFields(names, array, line, separators)
}

// nextLine returns the next line of the input, as far as it's known.
func (w *walker) nextLine(plain bool, s *scope) (line argument, found, known bool) {
	if s.input == nil {
		line = argument{at: s.at}
		if s.reading != nil {
			line.from = []*Command{s.reading}
		}
		return line, false, false
	}
	line = argument{at: s.at, from: s.input.from}
	line.Home = s.input.Home && s.input.taken == 0
	if s.input.Dynamic || s.input.Glob || !plain {
		// A part that is known may still be a line of its own.
		if plain && blankSource(s.input.dynamic) || s.input.Glob || !plain {
			return line, false, false
		}
	}
	text, ok := s.input.line()
	line.Text = text
	line.dynamic = containedIn(text, s.input.dynamic)
	line.Dynamic = len(line.dynamic) > 0
	return line, ok, w.spend(len(text) / 16)
}

func (w *walker) readUnknown(names []string, from []*Command) {
	for _, text := range names {
		if text == "" {
			continue
		}
		v := unknowable("$"+text, place{})
		v.from = from
		w.assign(text, &binding{word: v})
	}
}

func (w *walker) readFields(names []string, array string, line argument, separators string) {
	at := func(text string) argument {
		v := line
		v.Text = text
		v.Home = line.Home && text != "" && strings.HasPrefix(line.Text, text)
		v.dynamic = containedIn(text, line.dynamic)
		v.Dynamic = len(v.dynamic) > 0
		return v
	}
	text := strings.Trim(line.Text, onlyBlanks(separators))
	if array != "" {
		var list []argument
		for _, field := range splitFields(text, separators) {
			if field.text != "" || field.ended {
				list = append(list, at(field.text))
			}
		}
		w.assign(array, &binding{list: list, isList: true})
		return
	}
	if len(names) == 1 && names[0] == "REPLY" {
		text = line.Text
	}
	for i, n := range names {
		if i == len(names)-1 || separators == "" {
			w.assign(n, &binding{word: at(text)})
			text = ""
			continue
		}
		first, rest := firstField(text, separators)
		w.assign(n, &binding{word: at(first.text)})
		text = rest
	}
}

func onlyBlanks(separators string) string {
	var kept strings.Builder
	for _, c := range separators {
		if strings.ContainsRune(blanks, c) {
			kept.WriteRune(c)
		}
	}
	return kept.String()
}

// mapfile carries out mapfile -t, which puts the lines of the input into an array.
// With other options the array isn't known, and what -C names is run.
func (w *walker) mapfile(args []argument, s *scope) {
	text, known := "MAPFILE", false
	for i, arg := range args {
		switch {
		case arg.Text == "-t":
			known = true
		case strings.HasPrefix(arg.Text, "-"):
			if arg.Text == "-C" && i+1 < len(args) { // it gets the number and the line, too
				callback, _ := joinWords([]argument{args[i+1], unknowable("$@", s.at)})
				w.textHere(callback, "mapfile -C", *s)
			}
			w.forgetNames(args)
			w.linesUnknown(args, s)
			return
		default:
			text = arg.Text
		}
	}
	switch {
	case !syntax.ValidName(text):
	case s.input != nil && (s.input.Dynamic || s.input.Glob):
		w.linesUnknown(args, s)
	case s.input == nil:
		w.linesUnknown(args, s)
	case !known || !w.spend(listCost*strings.Count(s.input.rest(), "\n")):
		w.assign(text, nil)
	default:
		var list []argument
		for line, ok := s.input.line(); ok; line, ok = s.input.line() {
			list = append(list, literal(line, s.at))
		}
		w.assign(text, &binding{list: list, isList: true})
	}
}

// linesUnknown lets the array of mapfile hold what isn't known, but for where it's from.
func (w *walker) linesUnknown(args []argument, s *scope) {
	array := "MAPFILE"
	if n := len(args); n > 0 && syntax.ValidName(args[n-1].Text) {
		array = args[n-1].Text
	}
	lines := &binding{unknown: true}
	if s.input != nil {
		lines.word.from = s.input.from
	} else if s.reading != nil {
		lines.word.from = []*Command{s.reading}
	}
	w.assign(array, lines)
}
