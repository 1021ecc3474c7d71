package script

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// arguments are those of a call.
type arguments struct {
	list  []values
	named []pair
	block values // of Ruby: the block behind it
	more  bool   // there are others, which aren't known
}

// site is a call while it's read.
type site struct {
	name   string // of the function, as the language knows it
	source string
	self   *value
	args   arguments
	grows  place // the variable whose method it is
	line   int
	start  int
	r      *reader
}

// row is what library.txt says of a function.
type row struct {
	does string
	args []string
	as   string // the name that it is another one for
}

//go:embed library.txt
var library string

// libraries holds the table of each language, read when it's needed first.
var libraries struct {
	sync.Mutex
	rows map[string]map[string]row
}

// rows returns what is known of the functions of a language.
func (l *language) table() map[string]row {
	libraries.Lock()
	defer libraries.Unlock()
	if rows := libraries.rows[l.name]; rows != nil {
		return rows
	}
	rows := map[string]row{}
	section := ""
	for line := range strings.SplitSeq(library, "\n") {
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
		}
		names, what, ok := strings.Cut(line, ": ")
		if !ok || section != l.name && section != "all" || line[0] == '#' {
			continue
		}
		words := strings.Fields(what)
		kind, others, _ := strings.Cut(names, " ")
		switch kind {
		case "alias":
			for name := range strings.FieldsSeq(others) {
				rows[name] = row{does: kind, as: what}
			}
		case "value", "module", "global", "defines", "prefix", "operator", "kind", "choice":
			for name := range strings.FieldsSeq(others) {
				rows[kind+" "+name] = row{does: kind, as: what}
			}
		default:
			for name := range strings.FieldsSeq(names) {
				rows[name] = row{does: words[0], args: words[1:]}
			}
		}
	}
	if libraries.rows == nil {
		libraries.rows = map[string]map[string]row{}
	}
	libraries.rows[l.name] = rows
	return rows
}

// row returns what is known of a function.
func (f *flow) row(name string) (row, bool) {
	if f.known == nil {
		f.known = f.table()
	}
	known, ok := f.known[name]
	return known, ok && known.does != "alias"
}

// has reports whether the table has a function of that name.
func (f *flow) has(name string) bool {
	_, ok := f.row(name)
	return ok
}

// is reports whether name is one of those that the table lists as kind.
func (f *flow) is(kind, name string) bool {
	return f.has(kind + " " + name)
}

// given returns the constant of that name.
func (f *flow) given(name string) (values, bool) {
	known, ok := f.row("value " + name)
	return fixed(known.as), ok
}

// fixed returns the constant that a word of the table stands for.
func fixed(word string) values { return textValue(strings.Replace(word, "home", homeMark, 1)) }

// full returns the name under which something is known here.
func (f *flow) full(name string) string {
	f.row(name)
	for range 3 {
		as, ok := f.known[name]
		if ok && as.does == "alias" && as.as != "" {
			name = as.as
			continue
		}
		i := strings.LastIndexByte(name, '.')
		if i < 0 {
			return name
		}
		module, last := name[:i], name[i+1:]
		if as, ok := f.known[module]; ok && as.does == "alias" {
			if name = strings.Trim(as.as, " ") + "." + last; strings.TrimSpace(as.as) == "" {
				name = last
			}
			continue
		}
		if f.name == "python" && oneOf(" os sys subprocess shutil ", last) && !strings.Contains(module, ".") { // shutil.os is os
			return last
		}
		return name
	}
	return name
}

// exports are the names that "from module import *" gives.
func (f *flow) exports(module string) (names []string) {
	f.row(module)
	for name := range f.known {
		if rest, ok := strings.CutPrefix(name, module+"."); ok && !strings.Contains(rest, ".") {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	return names
}

// function returns the name under which the table has a library's function.
func (f *flow) function(name string) string {
	switch f.name {
	case "javascript":
		if base, ok := strings.CutSuffix(name, "Sync"); ok {
			name = base
		}
		if rest, ok := strings.CutPrefix(name, "fs.promises."); ok {
			name = "fs." + rest
		}
	case "php":
		name = strings.ToLower(name)
	case "ruby":
		name = strings.TrimPrefix(name, "Kernel.")
	case "perl":
		if i := strings.LastIndex(name, "::"); i >= 0 && f.is("module", name[:i]) {
			name = name[i+2:]
		}
	}
	return name
}

// apply calls what callee may be. What the call is named after begins at token
// start.
func (r *reader) apply(callee values, s *site, start int) values {
	s.source, s.r = r.source(start), r
	r.here(&r.u.tokens[min(start, len(r.u.tokens)-1)])
	s.line, s.start = r.line, r.u.tokens[min(start, len(r.u.tokens)-1)].start
	if last := r.next(-1); last.line > s.line && last.match > 0 {
		s.line = max(s.line, r.u.tokens[min(last.match, len(r.u.tokens)-1)].line) // where the arguments begin
	}
	r.place = place{}
	all := r.invoke(s, callee, false)
	if len(all) == 0 {
		return unknown(s.source)
	}
	return all
}

func (r *reader) callName(source string) string {
	name, _, _ := strings.Cut(source, "(")
	return name
}

// argument returns argument n of a call, or that of the name. It's unknown
// where it's missing.
func (s *site) argument(n int, name string) values {
	v, _ := s.get(n, name)
	if len(v) == 0 {
		return unknown(name)
	}
	return v
}

func (s *site) get(n int, name string) (values, bool) {
	if name != "" {
		for i := range s.args.named {
			if s.args.named[i].key == name {
				return s.args.named[i].value, true
			}
		}
	}
	list := s.args.list
	for i := range min(n+1, len(list)) {
		if len(list[i]) == 1 && list[i][0].rest && n >= i {
			return list[i], true
		}
	}
	if n < 0 || n >= len(list) {
		return nil, false
	}
	return list[n], true
}

// option returns the named argument that has one of the names.
func (s *site) option(names ...string) values {
	for _, name := range names {
		if v, ok := s.get(-1, name); ok {
			return v
		}
	}
	return nil
}

// pick returns the arguments that a word of a row says: 0, 0:path, 1*, 0[].
func (s *site) pick(word string) (all []values, ok bool) {
	place, name, _ := strings.Cut(word, ":")
	n := number(strings.TrimRight(place, "*[]"))
	if !strings.HasSuffix(place, "*") {
		v, ok := s.get(n, name)
		if !ok && s.args.more {
			v, ok = unknown(name), true
		}
		if strings.HasSuffix(place, "[]") {
			v = anyLength(v)
		}
		return []values{v}, ok
	}
	for i, v := range s.args.list {
		if i == n || i > n && (len(v) != 1 || v[0].kind != valueMap) {
			all = append(all, v)
		}
	}
	return all, len(all) > 0
}

// evaluate reads code in a text that the program runs.
func (r *reader) evaluate(code values, name, source string) (all values) {
	for _, one := range code {
		switch {
		case one.kind == valuePlain || one.kind == valueFunction:
			continue
		case one.kind != valueText || one.dynamic:
			r.report(Call{Func: name, Kind: Code}, values{one})
			all = r.union(all, unknown(source))
			continue
		case r.codes >= maxCode || !r.spend(16+len(one.text)) || len(one.text) > maxSource:
			r.complex = true
			return unknown(source)
		}
		u := r.units[one.text]
		if u == nil {
			deep := false
			u = r.lex(one.text, r.line, &deep)
			r.complex = r.complex || deep
			r.units[one.text] = u
		}
		for i := range u.tokens {
			u.tokens[i].line = r.line
		}
		r.codes++
		all = r.union(all, r.inner(u))
		r.codes--
	}
	return all
}

// piped is the input of a program that the call itself doesn't give it.
const piped = "subprocess.PIPE"

// feed adds to what a program or a file is given.
func (r *reader) feed(s *site) values {
	text, ok := s.get(0, "input")
	if s.self == nil || s.self.call == 0 || s.self.call > len(r.calls) || !ok || !text.may() {
		return unknown(s.source)
	}
	call := &r.calls[s.self.call-1]
	given := r.one(text, Code)
	if oneOf(" sendline puts print ", s.name) {
		given.Text += "\n"
	}
	if before := call.Input; before != nil && before.Text != piped {
		const maxFed = 4 << 10
		if len(before.Text) > maxFed {
			before.Dynamic = true
			return unknown(s.source)
		}
		given.Text, given.Dynamic = before.Text+given.Text, given.Dynamic || before.Dynamic
		given.Parts = append(before.Parts, given.Parts...)
	}
	r.spend(len(given.Text) / 16)
	call.Input = given
	return unknown(s.source)
}
