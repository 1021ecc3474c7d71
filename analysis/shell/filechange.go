package shell

import "strings"

// changedInPlace lists programs that may write anything to a file.
const changedInPlace = "sed gsed perl ruby ed ex dd sponge patch truncate"

// makers lists those that write whole files anew from what they read.
const makers = "dd sort sponge"

// rewrote notes that files that the line wrote may hold something else now, and
// which ones a program makes.
func (w *walker) rewrote(c *Command, s *scope) {
	makes := listed(makers, c.Name)
	if !makes && (len(w.files) == 0 || !listed(changedInPlace, c.Name)) {
		return
	}
	r := pathReader{command: c, dir: c.Dir}
	r.arguments()
	for _, p := range r.paths {
		f := w.files[p.Text]
		switch {
		case p.Access != Write:
		case f == nil && makes && !p.Dynamic && !p.Glob:
			unknown := argument{Word: Word{Dynamic: true}, from: []*Command{c}}
			if s.input != nil {
				unknown.from = merge(s.input.from, unknown.from)
			}
			for _, source := range r.paths {
				if read := w.files[source.Text]; read != nil && source.Access == Read {
					unknown.from = merge(read.texts[len(read.texts)-1].from, unknown.from)
				}
			}
			w.keepFile(argument{Word: Word{Text: p.Text, Home: p.Home}}, unknown, false, s)
		case f != nil:
			if last := f.texts[len(f.texts)-1]; !last.Dynamic || last.Text != "" {
				f.hold(argument{Word: Word{Dynamic: true}, from: []*Command{c}})
			}
		}
	}
}

// outputOptions are the options that name the file that a download goes to.
func outputOptions(name string) string {
	switch name {
	case "curl":
		return "-o --output"
	case "wget":
		return "-O --output-document"
	case "aria2c":
		return "-o --out"
	case "http", "https",
		"gpg":
		return "-o --output"
	case "openssl":
		return "-out"
	}
	return ""
}

// outputFolders are the options that name the folder of that file.
func outputFolders(name string) string {
	switch name {
	case "curl":
		return "--output-dir"
	case "wget":
		return "-P --directory-prefix"
	case "aria2c":
		return "-d --dir"
	}
	return ""
}

func (w *walker) fetched(c *Command, args []argument, text argument, s scope) {
	named := false
	items := c.items()
	folder := ""
	for _, o := range items {
		named = named || o.name != "" && listed(outputOptions(c.Name), o.name)
		if o.name != "" && listed(outputFolders(c.Name), o.name) {
			folder = o.value + "/"
		}
	}
	for _, o := range items {
		switch {
		case o.name != "" && listed(outputOptions(c.Name), o.name) && o.value != "":
			file := argument{Word: Word{Text: o.value, Dynamic: args[o.source].Dynamic}}
			if c.Name != "wget" { // which reads -P for names of its own alone
				file.Text = folder + file.Text
			}
			w.keepFile(file, text, false, &s)
		case o.name == "" && (c.Name == "wget" && !named || c.Name == "curl" && hasOption(items, "-O", "--remote-name")):
			url := args[o.index]
			base, _, _ := strings.Cut(url.Text[strings.LastIndexByte(url.Text, '/')+1:], "?")
			w.keepFile(argument{Word: Word{Text: folder + base, Dynamic: url.Dynamic}}, text, false, &s)
		}
	}
}

// unpacked notes what a program makes of a file that the line wrote, which
// takes the place of that.
func (w *walker) unpacked(c *Command, args []argument, s *scope) {
	for _, arg := range args {
		packed := w.contents(arg, s)
		dot := strings.LastIndexByte(arg.Text, '.')
		if len(packed) == 0 || dot <= 0 || s.out != nil && hasOption(c.items(), "-c", "--stdout") {
			continue
		}
		text := argument{Word: Word{Dynamic: true}, from: merge(packed[len(packed)-1].from, []*Command{c})}
		arg.Text = arg.Text[:dot]
		w.keepFile(arg, text, false, s)
	}
}

func hasOption(items []item, names ...string) bool {
	for _, o := range items {
		for _, name := range names {
			if o.name == name {
				return true
			}
		}
	}
	return false
}

// keepProgram notes that a file is another one, which may be a program.
func (w *walker) keepProgram(file, program argument, s *scope) {
	if program.Dynamic || program.Glob || !strings.HasPrefix(program.Text, "/") || !w.spend(commandCost) {
		return
	}
	if w.programs == nil {
		w.programs = map[string]argument{}
	}
	w.programs[w.fileKey(file, s)] = program
}

// copiesHere reports whether a program that copies never reaches another machine.
func copiesHere(name string) bool {
	switch name {
	case "cp", "mv", "install", "ln", "link":
		return true
	}
	return false
}

// copied notes that a file has what another one has.
func (w *walker) copied(c *Command, args []argument, s *scope) {
	var names []argument
	var into *argument // the folder that an option names
	if copiesHere(c.Name) {
		for _, o := range c.items() {
			switch {
			case o.name == "":
				names = append(names, args[o.index])
			case o.name == "-t" || o.name == "--target-directory":
				folder := valueFrom(args, o.source, o.value)
				into = &folder
			}
		}
		if into != nil {
			names = append(names, *into)
		}
	} else {
		for _, arg := range args {
			if !strings.HasPrefix(arg.Text, "-") {
				names = append(names, arg)
			}
		}
	}
	if len(names) < 2 {
		return
	}
	to := names[len(names)-1]
	for _, from := range names[:len(names)-1] {
		texts := w.contents(from, s)
		if text, ok := w.file(from, *s); ok && len(texts) == 0 {
			texts = []argument{text} // of a descriptor or <(...)
		}
		fetches := !copiesHere(c.Name)
		if fetches && isElsewhere(from.Text) && !isElsewhere(to.Text) {
			texts = []argument{{Word: Word{Dynamic: true}, from: []*Command{c}}}
		} else if fetches && c.Name != "rsync" && c.Name != "scp" {
			continue
		}
		inside := to
		inside.Text = strings.TrimSuffix(to.Text, "/") + "/" + baseName(from.Text[strings.LastIndexByte(from.Text, ':')+1:])
		for _, there := range []argument{to, inside} {
			w.keepTexts(there, texts, s)
			if len(texts) == 0 {
				w.keepProgram(there, from, s)
			}
		}
		if c.Name == "mv" {
			w.dropFile(from, s)
		}
	}
}
