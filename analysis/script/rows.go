package script

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
)

// link is one part of a chain such as User.objects.filter(id=1): a name, and whether it is called.
type link struct {
	name         string
	called, bare bool // bare: with arguments that say nothing, or without any
	key          bool // it stands in brackets: db["users"]
	some         bool // what is in brackets picks some of it
}

// maxLinks bounds the chains that are read.
const maxLinks = 32

// chain returns the links of a value's source, and false where it's something else than a chain.
func (r *reader) chain(source string) ([]link, bool) {
	if !r.spend(16 + len(source)) {
		return nil, false
	}
	deep := false
	in := &reader{flow: r.flow, u: r.lex(source, 1, &deep)}
	for in.is("await") || in.is("new") || in.is("(") {
		in.at++
	}
	if in.token().kind != tokenName {
		return nil, false
	}
	in.at++
	links := in.links([]link{{name: strings.TrimLeft(in.next(-1).text, "$@")}})
	for in.is(")") {
		in.at++
		links = in.links(links)
	}
	return links, in.token().kind == tokenEnd && !deep
}

// links adds the links that stand here, behind what all has.
func (r *reader) links(all []link) []link {
	for joined := false; len(all) < maxLinks; {
		t := r.token()
		n := len(all) - 1
		switch {
		case t.kind == tokenName && joined:
			joined = false
			all = append(all, link{name: strings.TrimLeft(t.text, "$@")})
		case oneOf(" . ?. &. -> ?-> :: ", t.text) && r.next(1).kind == tokenName:
			joined = true
		case t.is("(") && n >= 0 && t.match > r.at:
			first := r.next(1)
			empty := (first.is("{") || first.is("[")) && first.match == r.at+2 && t.match == r.at+3
			all[n].called, all[n].bare = true, t.match == r.at+1 || empty
			r.at = t.match
		case t.is("[") && n >= 0 && t.match > r.at:
			key := r.next(t.match - 1 - r.at)
			if named := key.kind == tokenText || key.kind == tokenName && r.next(1).is(":"); named && t.match <= r.at+3 {
				all = append(all, link{name: key.word(), key: true})
			} else {
				all[n].some = true
			}
			r.at = t.match
		default:
			return all
		}
		r.at++
	}
	return all
}

// rows reports a method that loses the rows of a table, or a whole database, as the SQL that does the same: verb is
// DELETE, TRUNCATE, DROP or DATABASE. It says nothing where the chain of calls that it stands in, or an argument, picks
// some of them. The words that may follow are conditions, one of which must hold where several stand in one word:
//
//	bare    no argument says anything
//	given   there is an argument
//	true    the first argument is true
//	on:x    an option x is true
//	in:x|y  one of these is a link of the chain, class for a name that begins with a capital before it all
//	even:x  no argument at all, or the link x
//	table   the first argument is the table
func (r *reader) rows(s *site, verb string, words []string) values {
	lost := unknown(s.source)
	var before []link
	ok := true
	if s.self != nil {
		switch s.self.kind {
		case valueUnknown, valueLibrary, valueMethod:
			before, ok = r.chain(cmp.Or(s.self.of, s.self.text))
		default:
			ok = false
		}
	}
	after := (&reader{flow: r.flow, u: r.u, at: r.at}).links(nil)
	if !ok || r.skimming > 0 || r.loopChooses() {
		return lost
	}
	links := slices.Concat(before, after)
	name, bare := "", r.bareArguments(s)
	for i, l := range before {
		neutral := i == 0 || r.flow.is("neutral", r.function(l.name))
		called := l.called || r.name == "ruby" && i > 0 && !l.key && l.name != "" && unicode.IsLower(rune(l.name[0]))
		if l.some || called && !neutral && !(l.bare && r.flow.is("narrow", l.name)) {
			return lost
		}
		if i == 0 || !neutral && !called {
			name = l.name
		}
	}
	for _, l := range after {
		if r.flow.is("narrow", l.name) && !l.bare {
			return lost
		}
	}
	for _, word := range words {
		what, list, _ := strings.Cut(word, ":")
		holds := false
		switch what {
		case "bare":
			holds = bare
		case "given":
			holds = len(s.args.list)+len(s.args.named) > 0
		case "true":
			first, given := s.get(0, "")
			holds = given && (first.is("true") || first.is("True"))
		case "on":
			v := s.option(" " + list + " ")
			holds = v.is("true") || v.is("True")
		case "even":
			holds = bare && len(s.args.named) == 0 || slices.ContainsFunc(links, func(l link) bool { return l.name == list })
		case "in":
			holds = r.holds(list, before, links)
		case "table":
			first, _ := s.get(0, "")
			name, holds = tableName(first), len(s.args.list) > 0
		}
		if !holds {
			return lost
		}
	}
	statement := map[string]string{"DELETE": "DELETE FROM ", "TRUNCATE": "TRUNCATE TABLE ", "DROP": "DROP TABLE ", "DATABASE": "DROP DATABASE "}[verb]
	args := append([]values{textValue(statement + identifier(name))}, r.database()...)
	r.report(Call{Func: s.name, Kind: SQL, Line: s.line}, args...)
	return lost
}

// holds reports whether one of the names that are listed is a link.
func (r *reader) holds(list string, before, all []link) bool {
	for name := range strings.SplitSeq(list, "|") {
		if name == "class" && len(before) > 0 && before[0].name != "" && unicode.IsUpper(rune(before[0].name[0])) {
			return true
		}
		end, ends := strings.CutPrefix(name, "*")
		for _, l := range all {
			if strings.EqualFold(l.name, name) || ends && strings.HasSuffix(strings.ToLower(l.name), end) {
				return true
			}
		}
	}
	return false
}

// loopChooses reports whether the innermost loop, or what stands before this in it, is about some elements only.
func (r *reader) loopChooses() bool {
	b := r.flow.loop()
	return b != nil && (r.tests > b.tests || r.flow.chosen[b.id])
}

// bareArguments reports whether no argument of a call says which rows are meant.
func (r *reader) bareArguments(s *site) bool {
	for _, v := range s.args.list {
		for i := range v {
			if picks(&v[i]) {
				return false
			}
		}
	}
	where := s.option(" where filter ")
	return !s.args.more && !slices.ContainsFunc(where, func(v value) bool { return picks(&v) })
}

// picks reports whether a value that says which rows are meant leaves some out.
func picks(one *value) bool {
	switch one.kind {
	case valueMap:
		for _, p := range one.pairs {
			options := oneOf(" truncate cascade restartIdentity force logging transaction session hooks individualHooks ", p.key)
			nested := oneOf(" where filter ", p.key)
			if !options && !nested || nested && slices.ContainsFunc(p.value, func(v value) bool { return picks(&v) }) {
				return true
			}
		}
		return false
	case valueList:
		return len(one.items) > 0
	case valueFunction: // of JavaScript: what is called afterwards
		return false
	case valuePlain:
		return !oneOf(" null None nil undefined ", one.text)
	}
	return true
}

// tableName returns the name of a table that a value stands for.
func tableName(v values) string {
	text := firstText(v)
	return text[strings.LastIndexAny(text, ".:\\")+1:]
}

// identifier makes a name that SQL takes for one.
func identifier(name string) string {
	const long = 64
	name = strings.Map(func(c rune) rune {
		if c == '_' || c < unicode.MaxASCII && (unicode.IsLetter(c) || unicode.IsDigit(c)) {
			return c
		}
		return -1
	}, name)
	if name == "" {
		return "everything"
	}
	return `"` + name[:min(len(name), long)] + `"`
}
