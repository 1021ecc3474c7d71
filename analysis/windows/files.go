package windows

import "strings"

// removal is how files that were found are removed: as find does where folders
// are gone through.
func removal(where []*found, recursive, forced bool) (acts []Act) {
	option := ""
	switch {
	case recursive && forced:
		option = "-rf"
	case recursive:
		option = "-r"
	case forced:
		option = "-f"
	}
	for _, f := range where {
		starts := f.starts
		if len(starts) == 0 {
			starts = texts(".")
		}
		if !f.recurse {
			words := []Word{{Text: "rm"}}
			if option != "" {
				words = append(words, Word{Text: option})
			}
			words = append(words, Word{Text: "--"})
			for _, start := range starts {
				start = path(start)
				switch {
				case f.itself || start.Glob && len(f.names) == 0:
					words = append(words, start)
				case len(f.names) == 0:
					words = append(words, appended(start, "/*", true))
				default:
					for _, name := range f.names {
						words = append(words, appended(start, "/"+name, strings.ContainsAny(name, "*?")))
					}
				}
			}
			acts = append(acts, Act{Words: words})
			continue
		}
		words := []Word{{Text: "find"}}
		names := f.names
		for _, start := range starts {
			start = path(start)
			if start.Glob && !start.Dynamic { // src\*.log
				at := strings.LastIndexByte(start.Text, '/')
				if name := start.Text[at+1:]; name != "*" && name != "*.*" && len(names) == 0 {
					names = []string{name}
				}
				if start = parentOf(start); start.Text == "" {
					start.Text = "."
				}
			}
			words = append(words, start)
		}
		switch {
		case f.files && !recursive:
			words = append(words, texts("-type", "f")...)
		case f.dirs:
			words = append(words, texts("-type", "d")...)
		}
		if len(names) > 1 {
			words = append(words, Word{Text: "("})
		}
		for i, name := range names {
			if i > 0 {
				words = append(words, Word{Text: "-o"})
			}
			words = append(words, Word{Text: "-name"}, Word{Text: name, Quoted: true})
		}
		if len(names) > 1 {
			words = append(words, Word{Text: ")"})
		}
		if recursive {
			words = append(words, texts("-exec", "rm", option, "{}", "+")...)
		} else {
			words = append(words, texts("-delete")...)
		}
		acts = append(acts, Act{Words: words})
	}
	return acts
}

// selected applies the parameters that choose files by their names.
func (b *bound) selected(f *found) *found {
	g := *f
	for _, name := range [...]string{"filter", "include"} {
		for _, word := range b.words(name) {
			if word.Dynamic {
				g.sifted = true
				continue
			}
			if word.Text != "*" && word.Text != "*.*" && word.Text != "" {
				g.names = append(g.names[:len(g.names):len(g.names)], word.Text)
			}
		}
	}
	return &g
}

func (w *walker) removeItem(b *bound) value {
	words, where := b.files()
	recursive, forced := b.switched("recurse"), b.switched("force")
	if b.piped() || w.isItem(b) {
		act := Act{Words: texts("xargs", "rm")}
		if recursive {
			act.Words = append(act.Words, Word{Text: "-r"})
		}
		if forced {
			act.Words = append(act.Words, Word{Text: "-f"})
		}
		b.Acts = append(b.Acts, act)
		return nothing
	}
	var files, registry []Word
	for _, word := range words {
		name, rest := drive(word.Text)
		switch name {
		case "":
			files = append(files, word)
		case "hklm", "hkcu", "hkcr", "hku", "hkcc", "registry":
			registry = append(registry, registryKey(name, rest))
		case "env", "function", "variable", "alias", "temp":
			if name == "temp" {
				files = append(files, temporaryFile(rest))
			}
		case "cert":
			b.does("certutil", append(texts("-delstore"), Word{Text: rest})...)
		default:
			if strings.ContainsRune(name, '$') || word.Dynamic {
				files = append(files, word)
			}
		}
	}
	for _, key := range registry {
		act := Act{Words: append(texts("reg", "delete"), key, Word{Text: "/f"})}
		b.Acts = append(b.Acts, act)
	}
	if _, ok := b.params["stream"]; ok {
		return nothing
	}
	filter := b.selected(&found{})
	switch {
	case len(files) == 0:
	case len(filter.names) > 0 || filter.sifted:
		filter.starts, filter.recurse = files, recursive
		for i, file := range files {
			if at := strings.LastIndexByte(file.Text, '/'); !file.Dynamic && (file.Text[at+1:] == "*" || file.Text[at+1:] == "*.*") {
				files[i] = parentOf(file)
			}
		}
		if recursive {
			filter.files = true
			b.Acts = append(b.Acts, removal([]*found{filter}, false, forced)...)
		} else {
			b.Acts = append(b.Acts, removal([]*found{filter}, false, forced)...)
		}
	default:
		words := []Word{{Text: "rm"}}
		if recursive {
			words = append(words, Word{Text: "-r"})
		}
		if forced {
			words = append(words, Word{Text: "-f"})
		}
		words = append(words, Word{Text: "--"})
		b.Acts = append(b.Acts, Act{Words: append(words, files...)})
	}
	b.Acts = append(b.Acts, removal(where, recursive, forced)...)
	return nothing
}

// piped gives the cmdlet the input that another command writes, of which nothing is known.
func (b *bound) piped() bool {
	if b.input == nil || b.has("path") || b.has("literalpath") || b.input.form != textForm || !b.input.word.Dynamic || len(b.input.from()) == 0 {
		return false
	}
	word := b.input.asWord()
	word.From = b.input.from()
	b.Input = &word
	return true
}

// isItem reports whether the file of the cmdlet is a line of another command's output, as in a loop over that. It
// is input as if it were piped, then.
func (w *walker) isItem(b *bound) bool {
	v := b.value("path")
	if !b.has("path") {
		v = b.value("literalpath")
	}
	if v.form != textForm || !v.word.Dynamic || len(v.word.From) == 0 || !strings.HasPrefix(v.word.Text, "$") {
		return false
	}
	name, _, _ := strings.Cut(strings.ToLower(v.word.Text[1:]), ".")
	if name != "_" && name != "psitem" && !w.each[name] {
		return false
	}
	word := v.word
	b.Input = &word
	return true
}

func temporaryFile(rest string) Word {
	return Word{Text: "$env:TEMP/" + strings.ReplaceAll(rest, `\`, "/"), Dynamic: true, Parts: []string{"$env:TEMP"}, Temporary: true}
}

// registryKey is a key as reg.exe writes it.
func registryKey(drive, rest string) Word {
	rest = strings.ReplaceAll(rest, "/", `\`)
	switch drive {
	case "registry":
	default:
		rest = strings.ToUpper(drive) + `\` + rest
	}
	rest = strings.TrimRight(rest, `\`)
	return Word{Text: rest}
}

func (w *walker) clearContent(b *bound) value {
	if stream, ok := b.params["stream"]; ok && !stream.asWord().Dynamic && stream.asWord().Text != ":$DATA" {
		return nothing // a stream beside what is in the file
	}
	words, where := b.files()
	for _, f := range where {
		words = append(words, f.word())
	}
	for _, word := range words {
		if name, _ := drive(word.Text); name == "" {
			b.does("truncate", append(texts("-s", "0", "--"), word)...)
		}
	}
	return nothing
}

// setContent is for all that write a file.
func (w *walker) setContent(b *bound) value {
	file := b.word("path")
	if file.Text == "" {
		file = b.word("filepath")
	}
	if file.Text == "" {
		file = b.word("literalpath")
	}
	var text *Word
	if v, ok := b.params["value"]; ok {
		text = v.asWordPointer()
	} else if b.input != nil {
		word := b.input.asWord()
		word.From = b.input.from()
		text = &word
	}
	if v, ok := b.params["path"]; ok && v.form == foundForm {
		file = v.found.word()
	}
	add := b.switched("append") || b.Name == "Add-Content"
	switch name, rest := drive(file.Text); {
	case file.Text == "":
	case name == "":
		for _, word := range paths(b.each(file)) {
			b.writes(word, add, text)
		}
	case name == "env":
		if text != nil {
			w.setEnvironment(rest, *text)
		}
	case name == "temp":
		b.writes(temporaryFile(rest), add, text)
	}
	if b.Name == "Tee-Object" && b.input != nil {
		if name := b.text("variable"); name != "" {
			w.env.values[strings.ToLower(name)] = *b.input
		}
		return *b.input
	}
	return nothing
}

// each are the paths of a parameter that may be a list.
func (b *bound) each(one Word) []Word {
	for _, name := range [...]string{"path", "filepath", "literalpath"} {
		if v, ok := b.params[name]; ok && v.form == listForm {
			return v.words()
		}
	}
	return []Word{one}
}

func (w *walker) newItem(b *bound) value {
	kind := strings.ToLower(b.text("itemtype") + b.text("type"))
	var list []Word
	names := b.words("name")
	for _, p := range append(b.words("path"), inputWords(b)...) {
		if len(names) == 0 {
			list = append(list, p)
		}
		for _, name := range names {
			list = append(list, joinedPath([]Word{p, name}))
		}
	}
	if len(b.words("path")) == 0 && len(list) == 0 {
		list = names
	}
	out := value{form: listForm}
	for _, word := range list {
		drive, rest := drive(word.Text)
		file := path(word)
		switch {
		case drive == "hklm" || drive == "hkcu" || drive == "hkcr" || drive == "registry":
			b.Acts = append(b.Acts, Act{Words: append(texts("reg", "add"), registryKey(drive, rest))})
			continue
		case drive == "env":
			w.setEnvironment(rest, b.word("value"))
			continue
		case drive == "function", drive == "alias":
			v := b.value("value")
			w.define(drive, rest, &v, b.scope)
			continue
		case drive != "":
			continue
		case strings.HasPrefix(kind, "d") || b.Name == "mkdir":
			b.does("mkdir", append(texts("-p"), file)...)
		case kind == "symboliclink" || kind == "junction":
			target := b.word("target")
			if target.Text == "" {
				target = b.word("value")
			}
			b.does("ln", append(texts("-s"), path(target), file)...)
		case kind == "hardlink":
			b.does("ln", path(b.word("target")), file)
		default:
			if b.has("value") || b.switched("force") {
				text := b.word("value")
				b.writes(file, false, &text)
			} else {
				b.does("touch", file)
			}
		}
		out.push(wordValue(file))
	}
	if len(out.list) == 1 {
		return out.list[0]
	}
	return out
}

func inputWords(b *bound) []Word {
	if b.input == nil || b.has("path") {
		return nil
	}
	return b.input.words()
}

// sources are the files that a cmdlet copies or moves.
func (b *bound) sources() []Word {
	words, where := b.files()
	for _, f := range where {
		words = append(words, f.word())
	}
	return words
}

func (w *walker) copyItem(b *bound) value {
	words := texts("cp")
	if b.switched("recurse") {
		words = texts("cp", "-r")
	}
	if b.has("tosession") || b.has("fromsession") {
		return nothing
	}
	to := path(b.word("destination"))
	if to.Text == "" {
		to = Word{Text: "."}
	}
	sources := b.sources()
	if name, _ := drive(to.Text); len(sources) > 0 && name == "" {
		words = append(append(append(words, Word{Text: "--"}), sources...), to)
		b.Acts = append(b.Acts, Act{Words: words})
	}
	return nothing
}

func (w *walker) moveItem(b *bound) value {
	to := path(b.word("destination"))
	if to.Text == "" {
		to = Word{Text: "."}
	}
	sources := b.sources()
	if len(sources) == 0 {
		return nothing
	}
	if name, _ := drive(sources[0].Text); name == "" {
		b.does("mv", append(append(texts("--"), sources...), to)...)
	}
	return nothing
}

func (w *walker) renameItem(b *bound) value {
	sources := b.sources()
	to := b.word("newname")
	if len(sources) == 0 || to.Text == "" {
		w.runBlocks(b)
		return nothing
	}
	if name, _ := drive(sources[0].Text); name != "" {
		return nothing
	}
	if v := b.value("newname"); v.form == blockForm {
		w.runBlocks(b)
		to = Word{Text: "$_", Dynamic: true, Parts: []string{"$_"}}
	}
	for _, source := range sources {
		target := to
		if !strings.ContainsAny(to.Text, `/\`) {
			if at := strings.LastIndexByte(source.Text, '/'); at >= 0 && !to.Dynamic {
				target = appended(parentOf(source), "/"+to.Text, false)
			}
		}
		b.does("mv", append(texts("--"), source, path(target))...)
	}
	return nothing
}

func (w *walker) setItem(b *bound) value {
	name, rest := drive(b.word("path").Text)
	switch name {
	case "env":
		w.setEnvironment(rest, b.word("value"))
	case "alias", "function":
		v := b.value("value")
		w.define(name, rest, &v, b.scope)
	case "variable":
		w.env.values[strings.ToLower(rest)] = b.value("value")
	case "hklm", "hkcu", "hkcr", "registry":
		b.Acts = append(b.Acts, Act{Words: append(texts("reg", "add"), registryKey(name, rest))})
	}
	return nothing
}

// define makes a function or an alias of the text's own.
func (w *walker) define(drive, name string, v *value, s scope) {
	text, known := v.known()
	block := *v
	switch {
	case name == "":
	case drive == "alias":
		w.alias(name, text)
	case known:
		block = w.blockOf(text, s)
		fallthrough
	default:
		if block.form == blockForm && len(w.env.functions) < 2000 {
			w.env.functions[strings.ToLower(name)] = &function{block: block.block, name: name}
		}
	}
}

func (w *walker) getContent(b *bound) value {
	words := b.sources()
	if len(words) == 0 {
		return unknown("$(Get-Content)", []*Call{b.Call})
	}
	if name, rest := drive(words[0].Text); name == "env" {
		b.does("printenv", variables(rest)...)
		return w.environmentValue(rest, "$env:"+rest)
	} else if name != "" {
		return unknown("$(Get-Content)", nil)
	}
	b.does("cat", append(texts("--"), words...)...)
	if v, ok := w.contents(words, b.switched("raw")); ok && b.Name == "Get-Content" {
		return v
	}
	return unknown("$(Get-Content)", []*Call{b.Call})
}

func (w *walker) selectString(b *bound) value {
	words, where := b.files()
	for _, f := range where {
		words = append(words, f.word())
	}
	if len(words) > 0 && (b.has("path") || len(where) > 0) {
		b.does("grep", append(append(texts("-e"), b.word("pattern"), Word{Text: "--"}), words...)...)
	}
	return unknown("$(Select-String)", []*Call{b.Call})
}

func (w *walker) archive(b *bound) value {
	words := b.sources()
	to := path(b.word("destinationpath"))
	switch {
	case b.Name == "Expand-Archive" && len(words) > 0:
		if to.Text == "" {
			to.Text = "."
		}
		b.does("unzip", words[0], Word{Text: "-d"}, to)
	case len(words) > 0 && to.Text != "":
		b.does("zip", append(texts("-r"), append([]Word{to}, words...)...)...)
	}
	return nothing
}

// itemProperty is for what changes the values of a key of the registry. Of files
// they are times and attributes.
func (w *walker) itemProperty(b *bound) value {
	words, _ := b.files()
	for _, word := range words {
		drive, rest := drive(word.Text)
		if drive == "" || drive == "env" || drive == "cert" {
			continue
		}
		verb := "add"
		if b.Name == "Remove-ItemProperty" || b.Name == "Clear-ItemProperty" {
			verb = "delete"
		}
		act := Act{Words: append(texts("reg", verb), registryKey(drive, rest), Word{Text: "/v"}, b.word("name"))}
		if verb == "add" {
			act.Words = append(act.Words, Word{Text: "/d"}, b.word("value"))
		}
		b.Acts = append(b.Acts, act)
	}
	return nothing
}
