package windows

import "strings"

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
