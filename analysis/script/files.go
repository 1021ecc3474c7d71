package script

import (
	"slices"
	"strconv"
	"strings"
)

// effect reports a call that does with files what its row says, or that hands
// SQL to a database.
func (r *reader) effect(s *site, kind Kind, words []string) values {
	call := Call{Func: s.name, Kind: kind, Line: s.line}
	var args []values
	for _, word := range words {
		second, given := s.get(1, "data")
		switch word {
		case "r":
			call.Recursive = true
		case "opt":
			recursive := s.option("recursive")
			call.Recursive = recursive.may() || len(recursive) == 0 && second.has(valueUnknown)
		case "append":
			third, _ := s.get(2, "")
			if opened(s.option("flag", "flags", "mode")) == Append || strings.Contains(firstText(third), "APPEND") {
				call.Kind = Append
			}
		case "in":
			if given {
				call.Input = r.one(second, Code)
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
	if len(args) == 0 || s.option("noop").is("true") {
		return unknown(s.source)
	}
	switch text, _ := args[0].constant(); {
	case strings.HasPrefix(text, "php://"), kind == SQL && (len(args[0]) != 1 || args[0][0].kind != valueText || !isSQL(args[0][0].text)):
		return unknown(s.source)
	case kind == Mode:
		args[0] = octal(args[0])
	case kind == Owner && len(args) > 2:
		for i, v := range args[:2] {
			if len(v) == 0 || len(v) == 1 && v[0].kind == valuePlain && number(v[0].text) < 0 { // it stays: None, -1
				args[i] = plainValue("")
			}
		}
		if !args[1].is("") {
			args[0] = r.concat(args[:2], ":")
		}
		args = append(args[:1], args[2:]...)
	}
	return values{{text: s.source, call: r.report(call, args...)}}
}

// isSQL reports whether a text that is handed to a method such as execute is SQL.
func isSQL(text string) bool {
	word, _, more := strings.Cut(strings.TrimLeft(text, " \t\r\n(;"), " ")
	return more && oneOf(" ALTER CALL CREATE DELETE DO DROP EXEC EXECUTE GRANT INSERT MERGE PRAGMA RENAME REPLACE REVOKE SELECT TRUNCATE UPDATE VACUUM WITH BEGIN BEGIN; ", strings.ToUpper(strings.TrimSpace(word)))
}

// octal writes numbers in octal.
func octal(v values) values {
	all := slices.Clone(v)
	for i, one := range all {
		if n := number(one.text); one.kind == valuePlain && n >= 0 {
			all[i] = value{kind: valueText, text: strconv.FormatInt(int64(n), 8)}
		}
	}
	return all
}

// number returns the number that text is, -1 for none.
func number(text string) int {
	n, err := strconv.ParseInt(strings.ToLower(text), 0, 32)
	if err != nil {
		return -1
	}
	return int(n)
}

// open reports the opening of a file that may change it. The words of its row
// are the file and the mode; magic: a text alone may say both, as ">>log", or
// that it's a program, as "ls |".
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

// openAs reports a file, or a program with its arguments, that is opened with a
// mode.
func (r *reader) openAs(s *site, mode values, files ...values) values {
	how, kind := firstText(mode), opened(mode)
	pipe := strings.Contains(how, "|") && mode.has(valueText) && !r.pythonic
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
	return values{{text: s.source, call: r.report(Call{Func: s.name, Kind: kind, Line: s.line}, file)}}
}

// opened returns what happens to a file that is opened with a mode or flags:
// Write, Append or nothing.
func opened(mode values) Kind {
	text, known := mode.constant()
	text, _, _ = strings.Cut(text, ":")
	flags := firstText(mode)
	switch {
	case known && (strings.Contains(text, "a") || strings.HasPrefix(text, ">>")), !known && strings.Contains(flags, "APPEND"):
		return Append
	case mode.has(valueMap): // of Deno
		write, _ := mode.entry("write")
		more, _ := mode.entry("append")
		if !write.may() && !more.may() {
			return ""
		}
	case known && !strings.ContainsAny(text, "wx+c>"), mode.has(valueFunction), len(mode) == 0, mode.is("0"),
		!known && (strings.HasSuffix(flags, "RDONLY") || strings.HasSuffix(flags, "O_DIRECTORY")):
		return ""
	}
	return Write
}

// search returns what a function finds that lists a folder or walks through
// it: a list with one element that stands for all of them. How is glob, rglob
// or walk, or names, or what stands behind the folder in the paths it finds.
func (r *reader) search(s *site, how string) values {
	root, given := s.get(0, "path")
	base := s.option("root_dir", "cwd", "base")
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
	case "names":
		all = r.foundIn(root, "")
	default:
		all = r.foundIn(root, strings.Replace(how, "walk", "/**", 1))
	}
	if s.self != nil {
		all = pathObjects(all)
	}
	if how == "walk" { // tuples of a folder, the names of folders and those of files in it
		names := listValue([]values{r.foundIn(root, "")})
		all = listValue([]values{all, names, names})
	}
	list := listValue([]values{all})
	if s.args.block != nil {
		r.each(s, s.args.block, list)
	}
	return list
}

// handle is opendir and readdir of Perl and PHP: how a folder is read entry by
// entry.
func (r *reader) handle(s *site, how string) values {
	v, loop := s.argument(0, ""), r.flow.loop()
	switch {
	case how == "read" && loop != nil:
		return r.elements(v, loop.id, "")
	case how == "read":
		return anyLength(v)
	case len(s.args.list) > 1 && v.has(valueUnknown):
		r.assign(r.scope.place(v[0].text, false), listValue([]values{r.foundIn(s.args.list[1], "")}))
	}
	return unknown(s.source)
}

// pathObjects returns paths as objects with methods.
func pathObjects(v values) values {
	all := slices.Clone(v)
	for i := range all {
		all[i].path = true
	}
	return all
}

// foundIn returns what stands for all that is in folders: names or, with what
// is put behind the folder, paths.
func (r *reader) foundIn(folders values, behind string) (all values) {
	for _, from := range folders {
		if from.found != nil { // a folder that was found itself
			from = from.found.root
		}
		one := value{found: &found{root: from, name: behind == "", tests: r.tests}}
		if behind != "" {
			text, parts := r.piece(&from)
			one.kind, one.text, one.dynamic = valueText, strings.TrimSuffix(text, "/")+behind, true
			one.parts = append(slices.Clip(parts), one.text)
		}
		all = r.union(all, values{one})
	}
	return all
}

// glob returns what stands for all that a pattern finds below a folder.
func (r *reader) glob(pattern, base values, source string) (all values) {
	if _, several := pattern.list(); several {
		pattern = r.elements(pattern, 0, source)
	}
	if len(base) > 0 {
		pattern = r.joinPath([]values{base, pattern}, false)
	}
	for _, one := range pattern {
		if one.kind != valueText || !r.spend(1+len(one.text)/16) {
			all = r.union(all, values{{text: source, rest: true}})
			continue
		}
		texts := []string{one.text}
		if words := strings.Fields(one.text); r.name == "perl" && len(words) > 0 {
			texts = words[:min(len(words), maxValues)]
		}
		for _, text := range texts {
			// What has one name, wherever it is found, is known well enough.
			item := one
			item.text, item.path = text, false
			if strings.ContainsAny(text[strings.LastIndexByte(text, '/')+1:], "*?[{") {
				item.dynamic, item.parts = true, append(slices.Clip(one.parts), text)
			}
			if folder := wholeFolder(text); folder != "" {
				item.found = &found{root: value{kind: valueText, text: folder, dynamic: one.dynamic, parts: one.parts}, tests: r.tests}
			}
			all = r.union(all, values{item})
		}
	}
	if len(all) == 0 {
		all = unknown(source)
	}
	return all
}

// wholeFolder returns the folder of which a pattern finds all, "" for none.
func wholeFolder(pattern string) string {
	parts := strings.Split(pattern, "/")
	n := len(parts)
	for n > 1 && parts[n-1] == "" || n > 0 && oneOf(" * ** *.* {*,.*} ", parts[n-1]) {
		n--
	}
	folder := strings.Join(parts[:n], "/")
	switch {
	case n == len(parts) || strings.ContainsAny(folder, "*?[{"):
		return ""
	case n == 0:
		return "."
	case folder == "":
		return "/"
	}
	return folder
}

// perlFind reads File::Find's find: its function is called for all that is
// below the folders.
func (r *reader) perlFind(s *site) values {
	callee := s.argument(0, "")
	if wanted, ok := callee.entry("wanted"); ok {
		callee = wanted
	}
	var all values
	for _, root := range s.args.list[min(1, len(s.args.list)):] {
		all = r.union(all, r.foundIn(root, "/**"))
	}
	for i := range callee {
		if fn := callee[i].fn; fn != nil {
			r.bind(pattern{name: "$_"}, r.looped(all, fn.loop), false)
			r.bind(pattern{name: "$File::Find::name"}, r.looped(all, fn.loop), false)
			r.call(fn, &arguments{}, true)
		}
	}
	return unknown(s.source)
}

// expand resolves the "~" and the $HOME at the beginning of a path.
func (r *reader) expand(s *site) values {
	v := s.argument(0, "path")
	if s.self != nil {
		v = values{*s.self}
	} else if base, ok := s.get(1, ""); ok && r.name == "ruby" {
		return r.concat([]values{base, v}, "/")
	}
	v = slices.Clone(v)
	for i := range v {
		one, variables := &v[i], strings.HasSuffix(s.name, "expandvars")
		switch name, _, _ := strings.Cut(one.text, "/"); {
		case one.kind != valueText:
			*one = value{text: s.source, path: one.path}
		case !variables && name == "~" || variables && oneOf(" $HOME ${HOME} ", name):
			one.text = homeMark + one.text[len(name):]
		case !variables && strings.HasPrefix(name, "~"): // the home of another user
			one.dynamic = true
		}
		one.dynamic = one.dynamic || variables && strings.Contains(one.text, "$")
	}
	return v
}
