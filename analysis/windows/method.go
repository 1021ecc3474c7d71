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

// staticMember is a member of a type.
func (w *walker) staticMember(of *value, n *node, s scope) value {
	switch class := className(of.class); class {
	case "io.path":
		if strings.HasSuffix(n.text, "separatorchar") {
			return textValue("/")
		}
	case "environment":
		switch n.text {
		case "currentdirectory":
			return wordValue(Word{Text: "."})
		case "newline":
			return textValue("\n")
		}
	}
	v := unknown(s.text(n), nil)
	v.form, v.class = objectForm, of.class+"::"+n.text
	return v
}

func className(class string) string {
	return strings.TrimPrefix(strings.TrimPrefix(class, "["), "system.")
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

// static is a call of a method of a type.
func (w *walker) static(class, name string, args []value, n *node, s scope) value {
	label := "[" + class + "]::" + name
	first, second := path(arg(args, 0)), path(arg(args, 1))
	var from []*Call
	for i := range args {
		from = merge(from, args[i].from())
	}
	recursive := func() bool {
		if len(args) < 2 {
			return false
		}
		truth, known := args[1].holds()
		return truth || !known
	}
	if v, ok := w.staticFile(class, name, args, n, s); ok {
		return v
	}
	switch class + "::" + name {
	case "io.file::delete":
		w.effect(n, s, label, command("rm", append(texts("-f", "--"), first)...))
	case "io.directory::delete":
		if recursive() {
			w.effect(n, s, label, command("rm", append(texts("-rf", "--"), first)...))
		} else {
			w.effect(n, s, label, command("rmdir", first))
		}
	case "io.file::writealltext", "io.file::writealllines", "io.file::writeallbytes", "io.file::writealltextasync", "io.file::create", "io.file::createtext", "io.file::openwrite":
		act := Act{File: &first}
		if len(args) > 1 && strings.HasPrefix(name, "write") {
			text := arg(args, 1)
			act.Text = &text
		}
		w.effect(n, s, label, act)
		return object("stream", s.text(n), nil)
	case "io.file::appendalltext", "io.file::appendalllines", "io.file::appendtext":
		text := arg(args, 1)
		w.effect(n, s, label, Act{File: &first, Add: true, Text: &text})
	case "io.file::move", "io.directory::move":
		w.effect(n, s, label, command("mv", first, second))
	case "io.file::copy":
		w.effect(n, s, label, command("cp", first, second))
	case "io.file::replace":
		w.effect(n, s, label, command("mv", first, second))
	case "io.directory::createdirectory":
		w.effect(n, s, label, command("mkdir", append(texts("-p"), first)...))
		return wordValue(first)
	case "io.file::readalltext", "io.file::readalllines", "io.file::readallbytes", "io.file::readlines", "io.file::openread", "io.file::opentext":
		call := w.effect(n, s, label, command("cat", first))
		return unknown(s.text(n), []*Call{call})
	case "io.directory::getfiles", "io.directory::enumeratefiles", "io.directory::getdirectories", "io.directory::enumeratedirectories", "io.directory::getfilesystementries":
		f := &found{starts: []Word{first}, files: strings.Contains(name, "files"), dirs: strings.Contains(name, "directories")}
		if pattern := arg(args, 1); pattern.Text != "" && pattern.Text != "*" && pattern.Text != "*.*" {
			f.names = []string{pattern.Text}
		}
		f.recurse = strings.EqualFold(arg(args, 2).Text, "AllDirectories") || len(args) > 2
		return value{form: foundForm, found: f}
	case "io.path::combine", "io.path::join":
		words := make([]Word, 0, len(args))
		for i := range args {
			word := args[i].asWord()
			if text := word.Text; !word.Dynamic && (strings.HasPrefix(text, "/") || strings.HasPrefix(text, `\`) || len(text) > 1 && text[1] == ':') && name == "combine" {
				words = words[:0]
			}
			words = append(words, word)
		}
		return wordValue(joinedPath(words))
	case "io.path::gettemppath":
		return wordValue(temporary(s.text(n)))
	case "io.path::gettempfilename":
		return wordValue(temporary(s.text(n)))
	case "io.path::getrandomfilename", "guid::newguid":
		return unknown(s.text(n), nil)
	case "io.path::getfullpath":
		return wordValue(arg(args, 0))
	case "io.path::getdirectoryname":
		return wordValue(parentOf(arg(args, 0)))
	case "environment::getenvironmentvariable":
		return w.environmentValue(arg(args, 0).Text, s.text(n))
	case "environment::setenvironmentvariable":
		if scope := strings.ToLower(arg(args, 2).Text); len(args) > 2 && scope != "process" {
			w.effect(n, s, label, command("setx", arg(args, 0), arg(args, 1)))
		} else {
			w.setEnvironment(arg(args, 0).Text, arg(args, 1))
		}
	case "environment::expandenvironmentvariables":
		text, _ := w.percent(arg(args, 0).Text, nil)
		return wordValue(text)
	case "environment::getfolderpath":
		return w.specialFolder(arg(args, 0).Text, s.text(n))
	case "environment::exit":
	case "environment::failfast":
	case "convert::frombase64string":
		v := object("bytes", s.text(n), from)
		if text, ok := argKnown(args, 0); ok {
			if plain, ok := decoded(text, false); ok {
				v.word.Text, v.word.Dynamic, v.word.Parts = plain, false, nil
			}
		}
		call := w.effect(n, s, label, command("base64", texts("-d")...))
		v.word.From = merge(v.word.From, []*Call{call})
		return v
	case "diagnostics.process::start":
		if len(args) > 0 && args[0].made != nil {
			w.startMade(args[0].made, n, s)
		} else if len(args) > 0 {
			w.start(n, s, "Process.Start", arg(args, 0), args[1:])
		}
	case "scriptblock::create", "management.automation.scriptblock::create":
		if text, ok := argKnown(args, 0); ok {
			return w.blockOf(text, s)
		}
		return object("scriptblock", s.text(n), from)
	case "reflection.assembly::load", "runtime.interopservices.marshal::copy":
		return object("assembly", s.text(n), from)
	case "string::join":
		if len(args) > 1 {
			glue := arg(args, 0)
			var words []Word
			for i := range args[1:] {
				words = append(words, args[i+1].words()...)
			}
			return wordValue(joinWords(words, glue.Text))
		}
	case "string::concat":
		var words []Word
		for i := range args {
			words = append(words, args[i].words()...)
		}
		return wordValue(joinWords(words, ""))
	case "string::format":
		if len(args) > 1 {
			rest := value{form: listForm, list: args[1:]}
			return w.format(&args[0], &rest, s.text(n))
		}
	case "array::reverse":
		return nothing
	case "diagnostics.process::getprocessesbyname", "diagnostics.process::getprocesses", "diagnostics.process::getprocessbyid":
		v := value{form: processForm, word: arg(args, 0)}
		return v
	}
	switch {
	case strings.HasPrefix(class, "text.encoding") && name == "getstring" && len(args) > 0:
		return w.textOfBytes(class, &args[0], s.text(n))
	case class == "microsoft.visualbasic.fileio.filesystem" && (name == "deletedirectory" || name == "deletefile"):
		for i := range args {
			if strings.EqualFold(arg(args, i).Text, "SendToRecycleBin") {
				return nothing
			}
		}
		option := "-f"
		if name == "deletedirectory" {
			option = "-rf"
		}
		w.effect(n, s, label, command("rm", append(texts(option, "--"), first)...))
		return nothing
	case name == "new":
		return w.newObject(class, args, n, s, from)
	case name == "create" && strings.HasSuffix(class, "powershell"):
		v := object("powershell", s.text(n), from)
		v.made = &made{}
		return v
	}
	return unknown(s.text(n), from)
}

func argKnown(args []value, i int) (string, bool) {
	if i < len(args) {
		return args[i].known()
	}
	return "", false
}

// temporary is the folder for temporary files, or a file in it.
func temporary(source string) Word {
	return Word{Text: source, Dynamic: true, Parts: []string{source}, Temporary: true}
}

func (w *walker) specialFolder(name, source string) value {
	switch strings.ToLower(name) {
	case "userprofile":
		return wordValue(Word{Text: "~", Home: true})
	case "desktop", "desktopdirectory":
		return wordValue(Word{Text: "~/Desktop", Home: true})
	case "mydocuments", "personal":
		return wordValue(Word{Text: "~/Documents", Home: true})
	case "applicationdata":
		return w.environmentValue("appdata", source)
	case "localapplicationdata":
		return w.environmentValue("localappdata", source)
	case "startup":
		return wordValue(Word{Text: "~/AppData/Roaming/Microsoft/Windows/Start Menu/Programs/Startup", Home: true})
	case "windows":
		return textValue("C:/Windows")
	case "system":
		return textValue("C:/Windows/System32")
	case "programfiles":
		return textValue("C:/Program Files")
	}
	return unknown(source, nil)
}

// textOfBytes is what bytes are as a text.
func (w *walker) textOfBytes(class string, bytes *value, source string) value {
	if bytes.form == objectForm && bytes.class == "bytes" && !bytes.word.Dynamic && len(bytes.word.From) > 0 {
		text := bytes.word.Text
		if strings.HasSuffix(class, "unicode") {
			text = ofBytes([]byte(text), true)
		}
		return wordValue(Word{Text: text, Quoted: true, From: bytes.word.From})
	}
	return unknown(source, bytes.from())
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
