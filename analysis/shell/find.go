package shell

// seeker reports what a program runs for the files that it finds, or for what
// it reads. It returns whether c is one.
func (w *walker) seeker(c *Command, args []argument, s scope) bool {
	switch c.Name {
	case "find", "gfind":
		w.find(c, args, s)
	case "fd", "fdfind":
		w.fd(c, args, s)
	case "xargs", "gxargs":
		w.xargs(c, args, s)
	case "parallel", "sem", "env_parallel":
		w.parallel(c, args, s)
	case "entr":
		w.entr(c, args, s)
	default:
		return false
	}
	return true
}

// find reports the commands of the actions -exec and the like, and what
// -delete does.
func (w *walker) find(c *Command, args []argument, s scope) {
	parts := findParts(c.Args)
	deleted := false
	for i, part := range parts {
		switch {
		case part.kind == findRun:
			w.findRun(c.Name, part, args, s)
		case part.name == "-delete" && part.kind == findAction && !deleted:
			deleted = true // what comes first decides
			w.findDelete(c.Name, parts[:i], part, args, s)
		}
	}
}

func (w *walker) findRun(name string, part findPart, args []argument, s scope) {
	words := args[part.start+1 : part.end]
	if n := len(words) - 1; n >= 0 && (words[n].Text == ";" || words[n].Text == "+" && n > 0 && words[n-1].Text == "{}") {
		words = words[:n]
	}
	if len(words) == 0 {
		return
	}
	inner := s.through(name + " " + part.name)
	inner.mark, inner.external = "{}", true
	if part.name == "-execdir" || part.name == "-okdir" {
		inner.chdir(unknowable("{}", words[0].at))
	}
	w.run(fill(words, "{}", nil), inner)
}

// findDelete reports a -delete as the rm that it is like: of the start points
// with all that is in them, or where tests before it choose, of some file.
func (w *walker) findDelete(name string, before []findPart, action findPart, args []argument, s scope) {
	inner := s.through(name + " -delete")
	inner.external = true
	at := args[action.start].at
	starts, below, all := []argument{}, false, true
	for _, part := range before {
		switch {
		case part.kind == findStart:
			starts = append(starts, args[part.start])
		case part.name == "-files0-from":
			starts = append(starts, unknowable("{}", at))
		case part.name == "-mindepth" && part.end-part.start == 2 && args[part.start+1].Text != "0":
			below = true // all but the start points themselves
		case part.name == "-maxdepth" || part.kind == findTest && part.name != "-true":
			all = false
		}
	}
	if !all {
		w.run([]argument{literal("rm", at), literal("-f", at), unknowable("{}", at)}, inner)
		return
	}
	if len(starts) == 0 {
		starts = append(starts, literal(".", at))
	}
	words := []argument{literal("rm", at), literal("-rf", at)}
	for _, start := range starts {
		if below {
			start.Text, start.Glob = start.Text+"/*", true
		}
		words = append(words, start)
	}
	w.run(words, inner)
}

// fdGrammar is fd(1)'s, but for -x and -X, which take all words behind them.
var fdGrammar = grammar{
	short: "HIusigFalLpP0q1hVd:t:e:E:c:j:S:o:",
	long:  "max-depth= min-depth= exact-depth= type= extension= exclude= ignore-file= color= threads= size= changed-within= changed-before= changed-after= newer= older= change-newer-than= change-older-than= owner= base-directory= path-separator= search-path= batch-size= max-results= max-buffer-time= format= and= ignore-contain= gen-completions? strip-cwd-prefix? hyperlink?",
}

// fd reports the commands of -x and -X.
func (w *walker) fd(c *Command, args []argument, s scope) {
	for i := 0; i < len(args); i++ {
		if args[i].Text == "--" {
			return
		}
		option, first := fdRun(args[i].Text)
		if option == "" {
			if fdTakesNext(args[i].Text) {
				i++
			}
			continue
		}
		var words []argument
		if first != "" {
			word := args[i]
			word.Text = first
			words = append(words, word)
		}
		for i++; i < len(args) && args[i].Text != ";"; i++ {
			words = append(words, args[i])
		}
		if len(words) > 0 {
			inner := s.through(c.Name + " " + option)
			inner.mark, inner.external, inner.input = "{}", true, nil
			w.run(fdFill(words), inner)
		}
	}
}

// fdRun returns the option with which fd runs a command, if text is it, and
// what follows it in the word.
func fdRun(text string) (option, first string) {
	if len(text) < 2 || text[0] != '-' {
		return "", ""
	}
	for _, long := range []string{"--exec-batch", "--exec"} {
		if text == long || len(text) > len(long) && text[:len(long)+1] == long+"=" {
			return long, text[min(len(text), len(long)+1):]
		}
	}
	if text[1] == '-' {
		return "", ""
	}
	for at := 1; at < len(text); at++ {
		if text[at] == 'x' || text[at] == 'X' {
			return "-" + text[at:at+1], text[at+1:]
		}
		if fdGrammar.letter(text[at]) == required {
			return "", ""
		}
	}
	return "", ""
}

// fdTakesNext reports whether the next word is the value of this one.
func fdTakesNext(text string) bool {
	if len(text) < 2 || text[0] != '-' {
		return false
	}
	items, _ := fdGrammar.scan([]Word{{Text: text}, {}}, "")
	for _, o := range items {
		if o.source == 1 && o.valued {
			return true
		}
	}
	return false
}

// fdFill marks the words in which fd puts what it finds.
func fdFill(words []argument) []argument {
	filled := append([]argument(nil), words...)
	found := false
	for i := range filled {
		for _, mark := range [...]string{"{}", "{/}", "{//}", "{.}", "{/.}"} {
			if replaced, ok := replaceAll(filled[i].Text, mark, "{}"); ok {
				found = true
				filled[i].Text = replaced
				filled[i] = filled[i].marked("{}")
			}
		}
	}
	if !found {
		return fill(words, "", nil)
	}
	return filled
}

// entr reports the command that entr runs when a file changes.
func (w *walker) entr(c *Command, args []argument, s scope) {
	items, rest := wraps("acdnprsxzh", "").scan(c.Args, "")
	inner := s.through(c.Name)
	inner.external, inner.input = true, nil
	text := false
	for _, o := range items {
		switch {
		case o.kind == unknown && o.name != "":
			w.unreadable(args[min(o.index+1, len(args)):], inner)
			return
		case o.name == "-h":
			return
		case o.name == "-s":
			text = true
		}
	}
	switch {
	case rest >= len(args):
	case text:
		w.text(args[rest], c.Name+" -s", s)
	default:
		words := append([]argument(nil), args[rest:]...)
		for i := range words {
			if words[i].Text == "/_" {
				words[i] = words[i].marked("/_")
			}
		}
		w.run(words, inner)
	}
}
