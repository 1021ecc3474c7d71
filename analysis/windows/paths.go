package windows

import "strings"

func (w *walker) getChildItem(b *bound) value {
	words, where := b.files()
	f := &found{recurse: b.switched("recurse") || b.has("depth"), files: b.switched("file"), dirs: b.switched("directory")}
	for _, word := range words {
		name, rest := drive(word.Text)
		switch name {
		case "":
			f.starts = append(f.starts, word)
		case "env":
			b.does("printenv", variables(rest)...)
			return unknown("$env", []*Call{b.Call})
		case "temp":
			f.starts = append(f.starts, temporaryFile(rest))
		default:
			return value{form: listForm, list: []value{wordValue(word)}}
		}
	}
	for _, g := range where {
		f.starts = append(f.starts, g.starts...)
		f.recurse = f.recurse || g.recurse
	}
	if len(f.starts) == 0 {
		f.starts = texts(".")
	}
	f = b.selected(f)
	if !f.recurse && b.has("include") && !b.has("filter") { // it selects among what the pattern finds
		for i, start := range f.starts {
			if strings.HasSuffix(start.Text, "/*") {
				f.starts[i].Text = strings.TrimSuffix(start.Text, "/*")
				f.starts[i].Glob = false
			}
		}
	}
	if f.recurse {
		b.does("find", f.starts...)
	} else {
		b.does("ls", append(texts("--"), f.starts...)...)
	}
	return value{form: foundForm, found: f}
}

// getItem is for what turns paths into files, or into other paths.
func (w *walker) getItem(b *bound) value {
	words, where := b.files()
	if len(where) > 0 && len(words) == 0 {
		return value{form: foundForm, found: where[0]}
	}
	if len(words) == 0 {
		return unknown("$_", nil)
	}
	if name, rest := drive(words[0].Text); name == "env" {
		b.does("printenv", variables(rest)...)
		return w.environmentValue(rest, "$env:"+rest)
	} else if name != "" {
		return wordValue(words[0])
	}
	if len(words) == 1 && b.Name != "Get-Item" {
		return wordValue(words[0])
	}
	return value{form: foundForm, found: &found{starts: words, itself: true}}
}

// testPath says which files aren't there where it is false.
func (w *walker) testPath(b *bound) value {
	v := w.isUnknown(b)
	for _, name := range [...]string{"path", "literalpath"} {
		if files := b.words(name); len(files) == 1 && !files[0].Dynamic && !files[0].Glob && !b.has("isvalid") && !b.has("newerthan") && !b.has("olderthan") &&
			!strings.EqualFold(b.text("pathtype"), "container") {
			v.missing[0] = []absent{{path(files[0]), w.env.dirs}}
		}
	}
	return v
}

func (w *walker) isUnknown(b *bound) value {
	w.runBlocks(b)
	return unknown(b.scope.text(b.node), nil)
}

func joinedPath(words []Word) Word {
	joined := words[:0:0]
	for i, word := range words {
		if i > 0 {
			word.Text = strings.TrimLeft(word.Text, `/\`)
		}
		if i < len(words)-1 {
			if trimmed := strings.TrimRight(word.Text, `/\`); trimmed != "" {
				word.Text = trimmed
			} else {
				word.Text = ""
			}
		}
		joined = append(joined, word)
	}
	return joinWords(joined, "/")
}

func (w *walker) joinPath(b *bound) value {
	first := b.value("path")
	if !b.has("path") && b.input != nil {
		first = *b.input
	}
	if first.form == foundForm {
		return first
	}
	var words []Word
	for _, name := range [...]string{"childpath", "additionalchildpath"} {
		words = append(words, b.words(name)...)
	}
	for i := range b.rest {
		words = append(words, b.rest[i].words()...)
	}
	out := value{form: listForm}
	for _, word := range first.words() {
		out.push(wordValue(joinedPath(append([]Word{word}, words...))))
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

func (w *walker) splitPath(b *bound) value {
	words, where := b.files()
	switch {
	case len(where) > 0, len(words) == 0:
		return unknown("$(Split-Path)", nil)
	case b.switched("leaf") && !words[0].Dynamic:
		word := words[0]
		word.Text, word.Home = word.Text[strings.LastIndexByte(word.Text, '/')+1:], false
		return wordValue(word)
	case b.switched("leaf"), b.switched("extension"), b.switched("leafbase"), b.switched("qualifier"), b.switched("noqualifier"):
		return unknown("$(Split-Path)", nil)
	}
	return wordValue(parentOf(words[0]))
}

func (w *walker) setLocation(b *bound) value {
	if b.Name == "Push-Location" {
		if len(w.env.pushed) < maxItems {
			w.env.pushed = append(w.env.pushed[:len(w.env.pushed):len(w.env.pushed)], w.env.dirs)
		}
	}
	words, _ := b.files()
	switch {
	case len(words) == 0 && b.Name == "Set-Location":
		w.chdir(Word{Text: "~", Home: true})
	case len(words) > 0:
		if name, _ := drive(words[0].Text); name == "" {
			if words[0].Text == "-" {
				words[0] = Word{Text: "$OLDPWD", Dynamic: true, Parts: []string{"$OLDPWD"}}
			}
			w.chdir(words[0])
		} else {
			w.chdir(Word{Text: words[0].Text, Dynamic: true, Parts: []string{words[0].Text}})
		}
	}
	return nothing
}

func (w *walker) popLocation(*bound) value {
	if n := len(w.env.pushed); n > 0 {
		w.env.dirs, w.env.pushed = w.env.pushed[n-1], w.env.pushed[:n-1]
	}
	return nothing
}

// isPlainName reports whether a text can be a name, or a pattern of names.
func isPlainName(text string) bool {
	for i := range len(text) {
		if c := text[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte(".*?-", c) < 0 {
			return false
		}
	}
	return text != ""
}

// namesIn returns the names that a regular expression looks for, if it says no
// more than that.
func namesIn(pattern string) []string {
	pattern = strings.NewReplacer(`\\`, "/", `[/]`, "/", `[\/]`, "/", `[//]`, "/").Replace(pattern)
	if end, ok := strings.CutPrefix(pattern, `\.`); ok && strings.HasSuffix(end, "$") {
		pattern = strings.Trim(strings.TrimSuffix(end, "$"), "()")
		var names []string
		for name := range strings.SplitSeq(pattern, "|") {
			if !isPlainName(name) {
				return nil
			}
			names = append(names, "*."+name)
		}
		return names
	}
	anchored := strings.ContainsAny(pattern, "/^$")
	pattern = strings.Trim(strings.NewReplacer("(?:", "", "(", "", ")", "", "^", "", "$", "", `\.`, ".", "/", "").Replace(pattern), " ")
	var names []string
	for name := range strings.SplitSeq(pattern, "|") {
		if !isPlainName(name) || strings.ContainsAny(name, "*?") {
			return nil
		}
		if !anchored {
			name = "*" + name + "*"
		}
		names = append(names, name)
	}
	return names
}
