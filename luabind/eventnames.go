package luabind

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
)

// eventNames is what a script does with the names of events.
type eventNames struct {
	held      map[string]bool // variables that are given one, by name
	other     map[string]bool // variables that are given anything else
	loose     bool            // one goes where no guard compares it
	lookups   bool            // one is looked up in a table
	canonical bool            // it reads ev.canonical_event
	anyCase   bool            // one is put into lower or upper case
	texts     []eventText     // that name events, and may be compared with one that is loose
	keys      []eventText     // of tables, likewise; those are found in every spelling where it lookups
	parts     []eventText     // that are looked for in an event's name
	requires  []string
}

// eventText is a literal.
type eventText struct {
	text string
	line int
}

// maxEventTexts is how many of each kind are kept of a script.
const maxEventTexts = 100

func keepText(list *[]eventText, text string, line int) {
	if len(*list) < maxEventTexts {
		*list = append(*list, eventText{text, line})
	}
}

// note notes a literal that names an event, and isn't compared with an event's name where it
// stands. Messages and paths are no names.
func (n *eventNames) note(list *[]eventText, e *ast.StringExpr) (names bool) {
	if len(e.Value) > 2*maxEventName || strings.ContainsFunc(e.Value, unicode.IsSpace) || strings.Contains(e.Value, "/") {
		return false
	}
	words := []string{e.Value}
	if !isEventName(e.Value) { // a pattern, or a name joined to another
		words = slices.DeleteFunc(wordsOf(e.Value), isWord)
	}
	for _, word := range words {
		if isEventName(word) {
			names = true
			keepText(list, word, e.Line())
		}
	}
	return names
}

// wordsOf are what may be names, or parts of names, in a literal, which is a pattern maybe.
func wordsOf(text string) []string {
	return strings.FieldsFunc(strings.ReplaceAll(text, "%", ""), func(c rune) bool { return c != '-' && c != '_' && !unicode.IsLetter(c) })
}

// isWord tells whether a name is in lower case and of one part, as words of any text are.
func isWord(name string) bool {
	return strings.ToLower(name) == name && !strings.ContainsAny(name, "-_")
}

// notePart notes a literal that is compared with, or looked for in, an event's name, and names no event
// itself.
func (n *eventNames) notePart(e ast.Expr) {
	if text, ok := e.(*ast.StringExpr); ok && len(text.Value) <= maxEventName && !n.note(new([]eventText), text) {
		n.anyCase = n.anyCase || strings.Contains(text.Value, "(?i")
		keepText(&n.parts, text.Value, text.Line())
	}
}

// key rewrites the key of a field, in a table constructor or elsewhere: x.stop is a word
// like any other there.
func (r *rewriter) key(e, in ast.Expr) ast.Expr {
	text, ok := e.(*ast.StringExpr)
	if !ok {
		return r.expression(e)
	}
	if _, constructor := in.(*ast.TableExpr); constructor || !isWord(text.Value) {
		r.names.note(&r.names.keys, text)
	}
	return e
}

// arguments rewrites those of a call that isn't rewritten so far.
func (r *rewriter) arguments(e *ast.FuncCallExpr, root, function string) {
	name := e.Method
	if name == "" {
		name = function[strings.LastIndexByte(function, '.')+1:]
	}
	given := r.names.surelyEvent(e) // an event's name
	r.names.anyCase = r.names.anyCase || given && (name == "lower" || name == "upper")
	loose := r.names.loose
	for i, arg := range e.Args {
		if given && looksFor[name] {
			r.names.notePart(arg)
		}
		if text, ok := arg.(*ast.StringExpr); ok && i == 0 {
			switch function {
			case "require":
				r.names.requires = append(r.names.requires, text.Value)
			case "on":
				continue
			}
		}
		e.Args[i] = r.expression(arg)
	}
	if tells(root) {
		r.names.loose = loose
	}
}

// looksFor are the functions that look for one text in another.
var looksFor = map[string]bool{
	"find": true, "match": true, "gmatch": true, "find_all": true, "captures": true,
	"contains": true, "starts_with": true, "ends_with": true,
}

// tells tells whether what a function is given is read by people: it compares nothing.
func tells(function string) bool {
	return answerWords[function] || function == "print" || function == "error" || function == "log"
}

// OtherSpelling is a text of a script that names an event, but not as the script is told it.
type OtherSpelling struct {
	Source string // file:line
	Text   string
	Told   string // what ev.event says
}

// OtherSpellings are the texts of a script, and of the libraries that it requires, that name an
// event it has registered for in another spelling, where they may be compared with ev.event as
// texts are: where that goes to a function, say. Each is listed once, and so is what is looked
// for in ev.event and is only part of another spelling. Where ev.event is compared directly or looked up
// in a table, the spelling doesn't matter.
func (p *Program) OtherSpellings(libraries map[string]*Library, registered []Registration) (found []OtherSpelling) {
	spellings, all := map[hooks.Event][]string{}, ""
	for i := range registered {
		told := registered[i].spelling()
		spellings[registered[i].Event] = append(spellings[registered[i].Event], told)
		all += told + " "
	}
	var names eventNames
	programs := p.withRequired(libraries)
	for _, p := range programs {
		names.loose, names.lookups = names.loose || p.names.loose, names.lookups || p.names.lookups
		names.canonical, names.anyCase = names.canonical || p.names.canonical, names.anyCase || p.names.anyCase
	}
	seen := map[string]bool{}
	add := func(p *Program, t eventText, told string) {
		if !seen[t.text] {
			seen[t.text] = true
			found = append(found, OtherSpelling{Source: fmt.Sprintf("%s:%d", p.name, t.line), Text: t.text, Told: told})
		}
	}
	for _, p := range programs {
		var texts []eventText
		if names.loose {
			texts = append(texts, p.names.texts...)
			if !names.lookups {
				texts = append(texts, p.names.keys...)
			}
		}
		for _, t := range texts {
			event, _ := hooks.KnownEvent(t.text)
			told := spellings[event]
			if len(told) > 0 && !slices.Contains(told, t.text) && !(names.canonical && t.text == string(event)) {
				add(p, t, told[0])
			}
		}
		for _, t := range p.names.parts {
			for i := range registered {
				if r := &registered[i]; partOfAnother(t.text, r, all, names.anyCase) {
					add(p, t, r.spelling())
				}
			}
		}
	}
	return found
}

// partOfAnother tells whether the words of a text are found in a spelling of an event, but
// none of them in those that a script is told.
func partOfAnother(text string, r *Registration, told string, anyCase bool) (part bool) {
	info := hooks.Lookup(r.Event)
	if info == nil {
		return false
	}
	if anyCase {
		text, told = strings.ToLower(text), strings.ToLower(told)
	}
	for _, word := range wordsOf(text) {
		plain := letters(word)
		if len(plain) < 3 {
			continue
		}
		if strings.Contains(told, word) {
			return false
		}
		for _, name := range append([]string{string(info.Name)}, info.Aliases...) {
			part = part || strings.Contains(letters(name), plain)
		}
	}
	return part
}

// letters is a name without what its spellings differ by.
func letters(name string) string {
	return strings.NewReplacer("-", "", "_", "").Replace(strings.ToLower(name))
}

// withRequired are a program and the libraries that it requires by name, and they.
func (p *Program) withRequired(libraries map[string]*Library) (list []*Program) {
	list = []*Program{p}
	for i := 0; i < len(list); i++ {
		for _, name := range list[i].names.requires {
			if l := libraries[name]; l != nil && l.Program != nil && !slices.Contains(list, l.Program) {
				list = append(list, l.Program)
			}
		}
	}
	return list
}

// spelling is how the script calls the event.
func (r *Registration) spelling() string {
	if r.Spelling != "" {
		return r.Spelling
	}
	return string(r.Event)
}
