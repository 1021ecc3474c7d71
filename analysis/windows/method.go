package windows

import "strings"

// member returns what a member of a value is.
func (w *walker) member(n *node, s scope) value {
	of := w.expr(n.kids[0], s)
	if len(n.kids) > 1 {
		w.expr(n.kids[1], s)
	}
	if n.static {
		return w.staticMember(&of, n, s)
	}
	switch of.form {
	case foundForm:
		switch n.text {
		case "fullname", "name", "pspath", "path", "fullpath", "providerpath", "value", "target", "psiscontainer":
			return of
		case "basename":
			return unknown(s.text(n), nil)
		case "directory", "directoryname", "parent", "psparentpath":
			if of.found.itself && len(of.found.starts) == 1 {
				return wordValue(parentOf(of.found.starts[0]))
			}
		case "count", "length":
			return unknown(s.text(n), nil)
		}
	case listForm:
		if of.keys != nil {
			if v, ok := of.key(n.text); ok {
				return v
			}
			break
		}
		out := value{form: listForm}
		for i := range of.list {
			if of.list[i].form == foundForm {
				out.push(of.list[i])
			}
		}
		if len(out.list) > 0 {
			return out
		}
	case textForm:
		if !of.word.Dynamic {
			switch n.text {
			case "path", "providerpath", "fullname", "value", "tostring", "source", "definition", "commandpath":
				return of
			}
		}
		if of.word.Temporary && (n.text == "fullname" || n.text == "path" || n.text == "name") {
			return of
		}
	case objectForm:
		inner := object(of.class, s.text(n), of.from())
		inner.made = of.made
		return inner
	case processForm:
		return of
	}
	return unknown(s.text(n), of.from())
}

func parentOf(word Word) Word {
	text := strings.TrimRight(word.Text, `/\`)
	at := strings.LastIndexAny(text, `/\`)
	switch {
	case at < 0 && word.Dynamic:
		return word
	case at < 0:
		word.Text = "."
	case at == 0:
		word.Text = text[:1]
	default:
		word.Text = text[:at]
	}
	word.Glob = strings.ContainsAny(word.Text, "*?")
	return word
}

// arg is an argument of a method.
func arg(args []value, i int) Word {
	if i < len(args) {
		return args[i].asWord()
	}
	return Word{}
}

// method walks a call of a method, and returns what is known of its value.
func (w *walker) method(n *node, s scope) value {
	m := n.kids[0]
	of := w.expr(m.kids[0], s)
	args := make([]value, 0, len(n.kids))
	for _, kid := range n.kids[1:] {
		args = append(args, w.expr(kid, s))
	}
	name := m.text
	if len(m.kids) > 1 {
		v := w.expr(m.kids[1], s)
		text, _ := v.known()
		name = strings.ToLower(text)
	}
	if m.static {
		return w.static(className(of.class), name, args, n, s)
	}
	switch name {
	case "foreach", "where":
		inner := s
		inner.item = ptr(w.item(&of, "$_"))
		for _, a := range args {
			if a.form == blockForm {
				w.run(a.block, inner, nil)
			}
		}
		return of
	case "invoke", "invokereturnasis", "begininvoke":
		if of.form == blockForm {
			return w.run(of.block, s.through(".Invoke", nil), args)
		}
		if of.class == "scriptblock" {
			text := of.word
			text.Parts = nil
			w.effect(n, s, ".Invoke", Act{Code: &text, From: of.from()})
			return object("download", s.text(n), of.from())
		}
		if strings.HasPrefix(of.class, "[") { // of a type: [IO.File]::Delete.Invoke(x)
			class, member, _ := strings.Cut(of.class, "::")
			return w.static(className(class), member, args, n, s)
		}
	case "getnewclosure":
		return of
	}
	if v, ok := w.runsText(&of, name, args, n, s); ok {
		return v
	}
	switch of.form {
	case foundForm:
		return w.fileMethod(of.found, name, args, n, s)
	case objectForm:
		return w.objectMethod(&of, name, args, n, s)
	case processForm:
		if name == "kill" || name == "closemainwindow" {
			w.kill(&of, n, s, ".Kill")
		}
		return nothing
	case textForm, listForm:
		if v, ok := textMethod(&of, name, args); ok {
			return v
		}
	}
	if of.word.Dynamic && name == "delete" && len(args) <= 1 && len(of.word.From) == 0 && strings.HasPrefix(of.word.Text, "$") {
		return w.fileMethod(&found{starts: []Word{of.word}, itself: true}, name, args, n, s)
	}
	if name == "save" && len(args) == 1 && args[0].form == textForm { // of a document
		w.opened(arg(args, 0), false, n, s, ".Save")
	}
	u := unknown(s.text(n), of.from())
	return u.keep(&of.word)
}

// textMethod is what the methods of texts return.
func textMethod(of *value, name string, args []value) (value, bool) {
	text, ok := of.known()
	if !ok {
		if of.form == textForm && (name == "tostring" || name == "trim" || name == "trimend") {
			return *of, true
		}
		return value{}, false
	}
	plain := make([]string, len(args))
	for i := range args {
		if plain[i], ok = args[i].known(); !ok {
			return value{}, false
		}
	}
	word := of.asWord()
	first, second := "", ""
	if len(plain) > 0 {
		first = plain[0]
	}
	if len(plain) > 1 {
		second = plain[1]
	}
	switch name {
	case "tostring":
	case "trim", "trimstart", "trimend":
		if first == "" {
			first = " \t\r\n"
		}
		switch name {
		case "trim":
			word.Text = strings.Trim(text, first)
		case "trimstart":
			word.Text = strings.TrimLeft(text, first)
		default:
			word.Text = strings.TrimRight(text, first)
		}
	case "tolower", "tolowerinvariant":
		word.Text = strings.ToLower(text)
	case "toupper", "toupperinvariant":
		word.Text = strings.ToUpper(text)
	case "replace":
		if first == "" || len(text)*(1+len(second)) > maxText {
			return value{}, false
		}
		word.Text = strings.ReplaceAll(text, first, second)
	case "substring":
		from, ok := number(first)
		if !ok || from < 0 || from > len(text) {
			return value{}, false
		}
		word.Text = text[from:]
		if second != "" {
			size, ok := number(second)
			if !ok || size < 0 || size > len(word.Text) {
				return value{}, false
			}
			word.Text = word.Text[:size]
		}
	case "insert":
		at, ok := number(first)
		if !ok || at < 0 || at > len(text) {
			return value{}, false
		}
		word.Text = text[:at] + second + text[at:]
	case "split":
		if len(first) != 1 || strings.Count(text, first) > maxItems {
			return value{}, false
		}
		out := value{form: listForm}
		for part := range strings.SplitSeq(text, first) {
			out.push(textValue(part))
		}
		return out, true
	case "tochararray":
		out := value{form: listForm}
		for _, r := range text {
			if len(out.list) > 4*maxItems {
				return value{}, false
			}
			out.push(textValue(string(r)))
		}
		return out, true
	default:
		return value{}, false
	}
	return wordValue(word), true
}

// effect reports a method with what it does.
func (w *walker) effect(n *node, s scope, name string, acts ...Act) *Call {
	line, column := w.place(n.start, &s)
	call := &Call{Line: line, Column: column, Acts: acts}
	for i := range call.Acts {
		call.Acts[i].Via = name
	}
	call.Acts = w.noted(call.Acts)
	w.add(call, &s)
	return call
}

func command(name string, words ...Word) Act {
	return Act{Words: append([]Word{{Text: name}}, words...)}
}

// newObject is an object of a class of .NET.
func (w *walker) newObject(class string, args []value, n *node, s scope, from []*Call) value {
	class = strings.TrimPrefix(strings.ToLower(class), "system.")
	source := s.text(n)
	switch class {
	case "io.fileinfo", "io.directoryinfo":
		return value{form: foundForm, found: &found{starts: []Word{path(arg(args, 0))}, itself: true}}
	case "string":
		if len(args) > 0 {
			return args[0]
		}
	case "io.streamwriter":
		if len(args) > 0 && (args[0].form == textForm || args[0].form == foundForm) {
			w.opened(args[0].asWord(), arg(args, 1).Text == "True", n, s, "[io.streamwriter]::new")
		}
		return object("stream", source, from)
	case "io.filestream":
		if mode := openedAs(args, 1); mode != "" && len(args) > 0 {
			w.opened(args[0].asWord(), mode == "append", n, s, "[io.filestream]::new")
		}
		return object("stream", source, from)
	case "diagnostics.processstartinfo", "diagnostics.process":
		v := object(class, source, from)
		v.made = startOf(args)
		return v
	}
	return object(class, source, from)
}

// fileMethod is a method of a file or folder.
func (w *walker) fileMethod(f *found, name string, args []value, n *node, s scope) value {
	switch name {
	case "delete":
		recursive := false
		if len(args) > 0 {
			truth, known := args[0].holds()
			recursive = truth || !known
		}
		w.effect(n, s, ".Delete", removal([]*found{f}, recursive, true)...)
	case "moveto":
		for _, start := range f.starts {
			w.effect(n, s, ".MoveTo", command("mv", path(start), path(arg(args, 0))))
		}
	case "copyto":
		for _, start := range f.starts {
			w.effect(n, s, ".CopyTo", command("cp", path(start), path(arg(args, 0))))
		}
	case "getfiles", "enumeratefiles", "getdirectories", "enumeratedirectories", "getfilesysteminfos":
		g := *f
		g.itself, g.recurse = false, len(args) > 1
		if pattern, ok := argKnown(args, 0); ok && pattern != "*" && pattern != "*.*" {
			g.names = []string{pattern}
		}
		return value{form: foundForm, found: &g}
	case "create", "createtext", "openwrite", "appendtext", "open":
		mode := "create"
		if name == "open" {
			mode = openedAs(args, 0)
		}
		for _, start := range f.starts {
			if mode != "" && !f.dirs {
				w.opened(start, name == "appendtext" || mode == "append", n, s, "."+name)
			}
		}
		return object("stream", s.text(n), nil)
	case "replace":
		for _, start := range f.starts {
			w.effect(n, s, ".Replace", command("mv", path(start), path(arg(args, 0))))
		}
	default:
		return value{form: foundForm, found: f}
	}
	return nothing
}

// objectMethod is a method of an object of a class.
func (w *walker) objectMethod(of *value, name string, args []value, n *node, s scope) value {
	source := s.text(n)
	from := of.from()
	if v, ok := w.madeMethod(of, name, args, n, s); ok {
		return v
	}
	if v, ok := w.registryMethod(of, name, args, n, s); ok {
		return v
	}
	switch class := of.class; {
	case name == "downloadstring" || name == "downloaddata" || name == "getstringasync" || name == "getbytearrayasync" || name == "openread" && class == "net.webclient" || name == "getasync" || name == "getstreamasync":
		call := w.effect(n, s, ".DownloadString", command("curl", arg(args, 0)))
		return object("download", source, []*Call{call})
	case name == "downloadfile" || name == "downloadfileasync" || name == "downloadfiletaskasync":
		w.effect(n, s, ".DownloadFile", command("curl", append(texts("-o"), path(arg(args, 1)), arg(args, 0))...))
		return nothing
	case strings.HasPrefix(name, "upload") || name == "postasync" || name == "putasync":
		w.effect(n, s, ".UploadString", w.upload(name, args))
		return object("download", source, nil)
	case name == "getstring" && strings.Contains(class, "encoding") && len(args) > 0:
		return w.textOfBytes(className(class), &args[0], source)
	case class == "bytes", class == "download", class == "assembly":
		return object(class, source, from)
	case strings.HasPrefix(class, "wmi:"):
		switch {
		case name == "create" && strings.Contains(class, "process"):
			text := arg(args, 0)
			w.effect(n, s, ".Create", Act{Words: append(texts("cmd", "/c"), text)})
		case name == "delete" && strings.Contains(class, "shadow"):
			w.effect(n, s, ".Delete", Act{Words: texts("vssadmin", "delete", "shadows", "/all")})
		case strings.HasPrefix(name, "win32shutdown"), name == "reboot", name == "shutdown":
			w.effect(n, s, "."+name, Act{Words: texts("shutdown", "/r")})
		case name == "terminate":
		case name == "format":
			w.effect(n, s, ".Format", Act{Words: texts("format", "X:")})
		}
		return nothing
	case class == "com:scripting.filesystemobject":
		switch name {
		case "deletefolder":
			w.effect(n, s, ".DeleteFolder", command("rm", append(texts("-rf", "--"), path(arg(args, 0)))...))
		case "deletefile":
			w.effect(n, s, ".DeleteFile", command("rm", append(texts("-f", "--"), path(arg(args, 0)))...))
		case "movefile", "movefolder":
			w.effect(n, s, ".MoveFile", command("mv", path(arg(args, 0)), path(arg(args, 1))))
		case "copyfile":
			w.effect(n, s, ".CopyFile", command("cp", path(arg(args, 0)), path(arg(args, 1))))
		case "copyfolder":
			w.effect(n, s, ".CopyFolder", command("cp", append(texts("-r"), path(arg(args, 0)), path(arg(args, 1)))...))
		case "createtextfile":
			w.opened(arg(args, 0), false, n, s, ".CreateTextFile")
		case "opentextfile":
			if mode := arg(args, 1).Text; mode == "2" || mode == "8" {
				w.opened(arg(args, 0), mode == "8", n, s, ".OpenTextFile")
			}
		case "getfile", "getfolder":
			return value{form: foundForm, found: &found{starts: []Word{path(arg(args, 0))}, itself: true}}
		}
		return nothing
	case class == "com:wscript.shell" && (name == "run" || name == "exec"), class == "com:shell.application" && name == "shellexecute":
		text := joinWords([]Word{arg(args, 0), arg(args, 1)}, " ")
		if class == "com:wscript.shell" {
			text = arg(args, 0)
		}
		w.effect(n, s, "."+name, Act{Words: append(texts("cmd", "/c"), text)})
		return nothing
	case class == "com:wscript.shell" && name == "regdelete":
		w.effect(n, s, ".RegDelete", Act{Words: append(texts("reg", "delete"), arg(args, 0))})
		return nothing
	case name == "savetofile" || name == "save" && len(args) == 1 && args[0].form == textForm:
		w.opened(arg(args, 0), false, n, s, ".Save")
	case class == "scriptblock":
		return object(class, source, from)
	case name == "write" || name == "writeline":
		return nothing
	}
	all := from
	for i := range args {
		all = merge(all, args[i].from())
	}
	return object(of.class, source, all)
}
