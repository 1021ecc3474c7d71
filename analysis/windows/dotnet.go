package windows

import "strings"

// openedAs is how a stream's arguments from the given place on open a file: as "append", as "create", or "" where it
// is only read.
func openedAs(args []value, from int) string {
	mode := memberName(args, from)
	switch access := memberName(args, from+1); {
	case mode == "append":
		return "append"
	case mode == "create", mode == "createnew", mode == "truncate":
		return "create"
	case mode == "" && from >= len(args), access == "read", access == "" && mode == "open":
		return ""
	}
	return "append" // it may be written
}

// memberName is the name of an enumeration's member: 'Create', [IO.FileMode]::Create.
func memberName(args []value, i int) string {
	if i >= len(args) {
		return ""
	}
	text := arg(args, i).Text
	if args[i].form == objectForm {
		text = args[i].class
	}
	return strings.ToLower(text[strings.LastIndexByte(text, ':')+1:])
}

// opened reports a file that a method opens in order to write.
func (w *walker) opened(file Word, add bool, n *node, s scope, via string) {
	if file = path(file); file.Text != "" {
		w.effect(n, s, via, Act{File: &file, Add: add})
	}
}

// staticFile is a method of a type that opens, packs or links files, or changes the registry.
func (w *walker) staticFile(class, name string, args []value, n *node, s scope) (value, bool) {
	label := "[" + class + "]::" + name
	first, second := path(arg(args, 0)), path(arg(args, 1))
	switch class + "::" + name {
	case "io.file::open", "io.file::openhandle":
		if mode := openedAs(args, 1); mode != "" {
			w.opened(first, mode == "append", n, s, label)
		}
		return object("stream", s.text(n), nil), true
	case "io.file::readalltext", "io.file::readalllines", "io.file::readlines":
		if v, ok := w.contents([]Word{first}, name == "readalltext"); ok {
			w.effect(n, s, label, command("cat", first))
			return v, true
		}
	case "io.file::createsymboliclink", "io.directory::createsymboliclink":
		w.effect(n, s, label, command("ln", append(texts("-s"), second, first)...))
		return nothing, true
	case "io.compression.zipfile::extracttodirectory", "formats.tar.tarfile::extracttodirectory":
		w.effect(n, s, label, command("unzip", first, Word{Text: "-d"}, second))
		return nothing, true
	case "io.compression.zipfileextensions::extracttofile":
		w.opened(second, false, n, s, label)
		return nothing, true
	case "io.compression.zipfile::createfromdirectory":
		w.effect(n, s, label, command("zip", append(texts("-r"), second, first)...))
		return nothing, true
	case "microsoft.visualbasic.fileio.filesystem::writealltext", "microsoft.visualbasic.fileio.filesystem::writeallbytes":
		w.opened(first, false, n, s, label)
		return nothing, true
	case "microsoft.visualbasic.fileio.filesystem::movefile", "microsoft.visualbasic.fileio.filesystem::movedirectory":
		w.effect(n, s, label, command("mv", first, second))
		return nothing, true
	case "microsoft.visualbasic.fileio.filesystem::copyfile", "microsoft.visualbasic.fileio.filesystem::copydirectory":
		w.effect(n, s, label, command("cp", append(texts("-r"), first, second)...))
		return nothing, true
	case "microsoft.win32.registry::setvalue":
		w.effect(n, s, label, command("reg", append(texts("add"), arg(args, 0), Word{Text: "/v"}, arg(args, 1), Word{Text: "/d"}, arg(args, 2))...))
		return nothing, true
	case "microsoft.win32.registrykey::openbasekey":
		v := object("[microsoft.win32.registry::"+memberName(args, 0), s.text(n), nil)
		return v, true
	}
	return value{}, false
}

// hives are the keys of the registry by the members of its class.
var hives = map[string]string{"localmachine": "HKLM", "currentuser": "HKCU", "classesroot": "HKCR", "users": "HKU", "currentconfig": "HKCC"}

const registryClass = "[microsoft.win32.registry::"

// registryMethod is a method of a key of the registry; the class of the value has the key.
func (w *walker) registryMethod(of *value, name string, args []value, n *node, s scope) (value, bool) {
	key, ok := strings.CutPrefix(of.class, registryClass)
	if !ok {
		return value{}, false
	}
	hive, rest, _ := strings.Cut(key, `\`)
	if full, ok := hives[hive]; ok {
		hive = full
	}
	sub := arg(args, 0)
	below := func(sub Word) Word {
		names := []Word{{Text: hive}}
		if rest != "" {
			names = append(names, Word{Text: rest})
		}
		if sub.Text != "" {
			names = append(names, sub)
		}
		return joinWords(names, `\`)
	}
	switch name {
	case "deletesubkeytree", "deletesubkey":
		w.effect(n, s, "."+name, command("reg", append(texts("delete"), below(sub), Word{Text: "/f"})...))
	case "deletevalue":
		w.effect(n, s, "."+name, command("reg", append(texts("delete"), below(Word{}), Word{Text: "/v"}, sub, Word{Text: "/f"})...))
	case "setvalue":
		w.effect(n, s, "."+name, command("reg", append(texts("add"), below(Word{}), Word{Text: "/v"}, sub, Word{Text: "/d"}, arg(args, 1))...))
	case "opensubkey", "createsubkey":
		if sub.Dynamic {
			return value{}, false
		}
		return object(registryClass+strings.TrimPrefix(below(sub).Text, `\`), s.text(n), nil), true
	default:
		return value{}, false
	}
	return nothing, true
}

// upload is what a client of the network sends.
func (w *walker) upload(name string, args []value) Act {
	sent := arg(args, max(len(args)-1, 0))
	if strings.HasPrefix(name, "uploadfile") {
		return command("curl", append(texts("-T"), path(sent), arg(args, 0))...)
	}
	return command("curl", append(texts("-d"), sent, arg(args, 0))...)
}
