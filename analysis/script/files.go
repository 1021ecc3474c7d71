package script

import (
	"path"
	"slices"
	"strconv"
	"strings"
)

// effect reports a call that does with files what its row says, or that hands SQL to a database.
func (r *reader) effect(s *site, kind Kind, words []string) values {
	call := Call{Func: s.name, Kind: kind, Line: s.line}
	var args []values
	for _, word := range words {
		switch word {
		case "r":
			call.Recursive = true
		case "opt":
			second, _ := s.get(1, "")
			recursive := s.option(" recursive ")
			call.Recursive = recursive.may() || len(recursive) == 0 && second.has(valueUnknown)
		case "append":
			if opened(s.option(" flag flags mode ")) == Append || strings.Contains(firstText(s.argument(2, "")), "APPEND") {
				call.Kind = Append
			}
		case "in", "in1":
			if text, ok := s.get(len(word)-len("in"), "data"); ok {
				call.Input = r.one(text, Code)
			}
		case "empty": // unless a length is given
			if length, ok := s.get(1, "length"); !ok || length.is("0") {
				call.Input = &Arg{}
			}
		case "topic":
			if len(s.args.list) == 0 {
				s.args.list = []values{r.named("$_")}
			}
		default:
			got, ok := s.pick(word)
			if !ok && kind != Owner && len(args) == 0 {
				return unknown(s.source)
			}
			args = append(args, got...)
		}
	}
	if len(args) == 0 || s.option(" noop ").is("true") {
		return unknown(s.source)
	}
	if kind == Delete { // what is said and left alone on the way is no file
		args = append(args[:1], slices.DeleteFunc(args[1:], func(v values) bool { return v.has(valuePlain) })...)
	}
	switch text, _ := args[0].constant(); {
	case strings.HasPrefix(text, "php://"), kind == SQL && (len(args[0]) != 1 || args[0][0].kind != valueText || !r.isSQL(args[0][0].text)):
		return unknown(s.source)
	case kind == Mode:
		args[0] = r.collect(args[0], func(one *value) values {
			if n := number(one.text); one.kind == valuePlain && n >= 0 {
				return textValue(strconv.FormatInt(int64(n), 8))
			}
			return values{*one}
		})
	case kind == Owner && len(args) > 2:
		for i, v := range args[:2] {
			if len(v) == 0 || v[0].kind == valuePlain && number(v[0].text) < 0 { // it stays: None, -1
				args[i] = plainValue("")
			}
		}
		if !args[1].is("") {
			args[0] = r.concat(args[:2], ":")
		}
		args = append(args[:1], args[2:]...)
	}
	if kind == SQL {
		args = append(args[:1], r.database()...)
	}
	return values{{text: s.source, call: r.report(call, args...)}}
}

// emptied notes that nothing is written to a file that was opened here.
func (r *reader) emptied(file values) {
	if len(file) != 1 || file[0].call == 0 || file[0].call > len(r.calls) {
		return
	}
	call := &r.calls[file[0].call-1]
	if call.anew && call.Input == nil {
		call.Input = &Arg{}
	}
}

// post reports what a call sends that was read from a file.
func (r *reader) post(s *site) {
	all := append([]values{}, s.args.list...)
	for _, named := range s.args.named {
		all = append(all, named.value)
	}
	if file := r.heldBy(all, maxLinks); file != "" {
		address, ok := s.get(0, "url")
		if !ok {
			address = unknown("address")
		}
		r.report(Call{Func: s.name, Kind: Send, Line: s.line}, textValue(file), address)
	}
}

// environment is the file with the environment of the program.
const environment = "/proc/self/environ"

// heldBy returns the file whose content is among values, "" for none.
func (r *reader) heldBy(all []values, depth int) string {
	for _, v := range all {
		for i := range v {
			one := &v[i]
			if !r.spend(1) || depth == 0 {
				return ""
			}
			switch {
			case one.holds != "":
				return one.holds
			case one.kind == valueLibrary && (one.text == "ENV" || one.text == "os.environ"):
				return environment
			}
			inner := one.items
			for _, p := range one.pairs {
				inner = append(inner[:len(inner):len(inner)], p.value)
			}
			if len(inner) > 0 && one.kind != valueMethod {
				if file := r.heldBy(inner, depth-1); file != "" {
					return file
				}
			}
		}
	}
	return ""
}

// connected notes a database that the program opens.
func (r *reader) connected(s *site, words []string) {
	for _, word := range words {
		if got, ok := s.pick(word); ok && r.skimming == 0 {
			r.databases = r.union(r.databases, got[0])
		}
	}
}

// schemes stand before the file of a database.
var schemes = &shape{text: `(?i)(?:jdbc:|dbi:)?(?:sqlite3?|duckdb)(?:\+\w+)?(?::dbname=|://?/?|:|$)|file:`}

// database returns the file or the address of the database that statements go to, if it's known.
func (r *reader) database() []values {
	if len(r.databases) != 1 || r.databases[0].kind != valueText {
		return nil
	}
	one := r.databases[0]
	name := one.text
	if scheme := schemes.compiled().FindString(name); scheme != "" {
		if name = name[len(scheme):]; name == "" {
			name = ":memory:"
		}
	}
	one.text, _, _ = strings.Cut(name, "?")
	return []values{{one}}
}

// isSQL reports whether a text that is handed to a method such as execute is SQL.
func (f *flow) isSQL(text string) bool {
	word, _, more := strings.Cut(strings.TrimLeft(text, " \t\r\n(;"), " ")
	return more && f.is("sql", strings.ToUpper(strings.TrimSpace(word)))
}

// number returns the number that text is, -1 for none.
func number(text string) int {
	n, err := strconv.ParseInt(strings.ToLower(text), 0, 32)
	if err != nil {
		return -1
	}
	return int(n)
}

// open reports the opening of a file that may change it. The words of its row are the file and the mode; magic: a
// text alone may say both, as ">>log", or that it's a program, as "ls |".
func (r *reader) open(s *site, words []string) values {
	files, ok := s.pick(words[0])
	modes, given := s.pick(words[1])
	both := append(files, modes...)[0]
	if len(words) < 3 || ok == given && !strings.HasPrefix(firstText(both), "|") {
		return r.openAs(s, modes[0], files...)
	}
	for _, one := range both {
		name := strings.Trim(one.text, " +<>|")
		how := strings.TrimSpace(strings.Replace(one.text, name, "", 1))
		if one.kind == valueText {
			one.text = name
			r.openAs(s, textValue(how), values{one})
		} else if r.name == "perl" {
			r.started(s, Shell, values{one})
		}
	}
	return unknown(s.source)
}

// openAs reports a file, or a program with its arguments, that is opened with a mode.
func (r *reader) openAs(s *site, mode values, files ...values) values {
	how, kind := firstText(mode), opened(mode)
	pipe := strings.Contains(how, "|") && mode.has(valueText) && !r.pythonic
	if len(files) > 0 && kind == "" && !pipe { // it's read
		if name, ok := files[0].constant(); ok {
			return values{{text: s.source, holds: name}}
		}
	}
	if len(files) == 0 || kind == "" && !pipe || r.name == "perl" && (strings.Contains(how, "&") || strings.Contains(s.source, ", \\")) {
		return unknown(s.source)
	}
	file := slices.DeleteFunc(slices.Clone(files[0]), func(one value) bool { // what is open, or memory
		handle := one.kind == valueText && r.name == "perl" && (one.text == "" || one.text == "-" || one.text[0] == '&')
		return handle || one.kind == valuePlain || strings.HasPrefix(one.text, "php://")
	})
	switch {
	case len(file) == 0:
		return unknown(s.source)
	case pipe && len(files) == 1 && !file[0].rest:
		return r.started(s, Shell, file)
	case pipe:
		return r.started(s, Run, files...)
	}
	return values{{text: s.source, call: r.report(Call{Func: s.name, Kind: kind, Line: s.line, anew: r.pythonic && strings.HasPrefix(how, "w")}, file)}}
}

// opened returns what happens to a file that is opened with a mode or flags: Write, Append or nothing.
func opened(mode values) Kind {
	text, known := mode.constant()
	text, _, _ = strings.Cut(text, ":")
	flags := firstText(mode)
	switch {
	case known && (strings.Contains(text, "a") || strings.HasPrefix(text, ">>")), !known && strings.Contains(flags, "APPEND"):
		return Append
	case known && !strings.ContainsAny(text, "wx+c>"), mode.has(valueFunction), len(mode) == 0, mode.is("0"),
		!known && (strings.HasSuffix(flags, "RDONLY") || strings.HasSuffix(flags, "O_DIRECTORY")),
		len(mode[0].pairs) == 1 && mode[0].pairs[0].key == "read": // of Deno
		return ""
	}
	return Write
}

// search returns what a function finds that lists a folder or walks through it: a list with one element that stands
// for all of them. How is glob, rglob or walk, or names, or what stands behind the folder in the paths it finds.
func (r *reader) search(s *site, how string) values {
	root, given := s.get(0, "path")
	base := s.option(" root_dir cwd base ")
	if s.self != nil {
		root, base = values{*s.self}, values{*s.self}
	} else if !given {
		root = textValue(".")
	}
	var all values
	switch how {
	case "glob":
		all = r.glob(s.argument(0, "pathname"), base, s.source)
	case "rglob":
		all = r.glob(r.concat([]values{textValue("**"), s.argument(0, "pattern")}, "/"), base, s.source)
	default:
		all = r.foundIn(root, strings.NewReplacer("names", "", "walk", "/**").Replace(how))
	}
	if s.self != nil {
		all = r.joinPath([]values{all}, "topath")
	}
	if how == "walk" { // tuples of a folder, the names of folders and those of files in it
		names := listValue([]values{r.foundIn(root, "")})
		all = listValue([]values{all, names, names})
	}
	list := listValue([]values{all})
	for _, arg := range s.args.list[min(1, len(s.args.list)):] { // of JavaScript: it gets an error and the names
		if arg.has(valueFunction) && r.name == "javascript" {
			r.applyTo(s, arg, []values{unknown("error"), list}, false)
		}
	}
	if s.args.block != nil {
		r.each(s, s.args.block, list)
	}
	return list
}

// foundIn returns what stands for all that is in folders: names or, with what is put behind the folder, paths.
func (r *reader) foundIn(folders values, behind string) values {
	return r.collect(folders, func(from *value) values {
		if from.found != nil { // a folder that was found itself
			from = &from.found.root
		}
		one := value{found: &found{root: *from, name: behind == "", tests: r.tests}}
		if behind != "" {
			text, parts := r.piece(from)
			one.kind, one.text, one.dynamic = valueText, strings.TrimSuffix(text, "/")+behind, true
			one.parts = append(slices.Clip(parts), one.text)
		}
		return values{one}
	})
}

// glob returns what stands for all that a pattern finds below a folder.
func (r *reader) glob(pattern, base values, source string) values {
	if r.name == "perl" {
		pattern = listValue(r.fields(pattern, ""))
	}
	if pattern.has(valueList) {
		pattern = r.elements(pattern, 0, source)
	}
	if at, _ := base.constant(); len(base) > 0 && at != "." {
		pattern = r.joinPath([]values{base, pattern}, "path")
	}
	return r.collect(pattern, func(one *value) values {
		if one.kind != valueText || !r.spend(1+len(one.text)/16) {
			return values{{text: source, rest: true}}
		}
		item := *one
		// What has one name, wherever it is found, is known well enough.
		if strings.ContainsAny(one.text[strings.LastIndexByte(one.text, '/')+1:], "*?[{") {
			item.dynamic, item.parts = true, append(slices.Clip(one.parts), one.text)
		}
		folder := one.text // of which it finds all
		for oneOf(" * ** *.* {*,.*} ", path.Base(folder)) {
			folder = path.Dir(folder)
		}
		if folder != one.text && !strings.ContainsAny(folder, "*?[{") {
			item.found = &found{root: value{kind: valueText, text: folder, dynamic: one.dynamic, parts: one.parts}, tests: r.tests}
		}
		item.path = false
		return values{item}
	})
}

// expand resolves the "~" at the beginning of a path.
func (r *reader) expand(s *site, of values) values {
	if base, ok := s.get(1, ""); ok && r.name == "ruby" {
		return r.joinPath([]values{base, of}, "path")
	}
	return r.collect(of, func(one *value) values {
		expanded := *one
		if name, _, _ := strings.Cut(one.text, "/"); one.kind == valueText && name == "~" {
			expanded.text = homeMark + one.text[1:]
		} else if strings.HasPrefix(name, "~") { // the home of another user
			expanded.dynamic = true
		}
		return values{expanded}
	})
}
