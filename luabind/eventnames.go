package luabind

import (
	"fmt"
	"slices"
	"strings"
	"sync"
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

// maxEventTexts is how many of each kind are kept of a script, and looked at where it is loaded
// with its libraries: nobody pays for that.
const maxEventTexts = 50

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
		words = nil
		for _, word := range wordsOf(e.Value) {
			_, after, _ := strings.Cut(word, "_")
			upper := max(0, strings.IndexFunc(word, unicode.IsUpper))
			words = append(words, word, after, word[upper:]) // on_PreToolUse, onPreToolUse
		}
		words = slices.Compact(slices.DeleteFunc(words, isWord))
	}
	for _, word := range words {
		if isEventName(word) {
			names = true
			keepText(list, word, e.Line())
		}
	}
	return names
}

// wordsOf are the first of what may be names, or parts of names, in a literal, which is a
// pattern maybe.
func wordsOf(text string) []string {
	words := strings.FieldsFunc(strings.ReplaceAll(text, "%", ""), func(c rune) bool { return c != '-' && c != '_' && !unicode.IsLetter(c) })
	return words[:min(len(words), 10)]
}

// isWord tells whether a name is in lower case and of one part, as words of any text are.
func isWord(name string) bool {
	return strings.ToLower(name) == name && !strings.ContainsAny(name, "-_")
}

// notePart notes a literal that is no event's name, and is compared with one or looked for in it.
func (n *eventNames) notePart(e ast.Expr) {
	if text, ok := e.(*ast.StringExpr); ok && len(text.Value) <= maxEventName {
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
	if given && looksFor[name] {
		for _, part := range append([]ast.Expr{e.Receiver}, e.Args...) {
			if text, ok := part.(*ast.StringExpr); ok && !r.names.note(new([]eventText), text) { // else it will be noted as one
				r.names.notePart(text)
			}
		}
	}
	loose := r.names.loose
	for i, arg := range e.Args {
		if text, ok := arg.(*ast.StringExpr); ok && i == 0 {
			switch function {
			case "require":
				if len(r.names.requires) < maxEventTexts {
					r.names.requires = append(r.names.requires, text.Value)
				}
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

// toldEvent is an event that a script has registered for.
type toldEvent struct {
	event hooks.Event
	names []string // by which it is told it
}

// OtherSpellings are the texts of a script, and of the libraries that it requires, that name an
// event it has registered for in another spelling, where they may be compared with ev.event as
// texts are: where that goes to a function, say. Each is listed once, and so is what is looked
// for in ev.event and is only part of another spelling. Where ev.event is compared directly or
// looked up in a table, the spelling doesn't matter.
func (p *Program) OtherSpellings(libraries map[string]*Library, registered []Registration) (found []OtherSpelling) {
	programs, told := p.withRequired(libraries), toldEvents(registered)
	var names eventNames // of all of them
	for _, p := range programs {
		n := &p.names
		names.loose, names.lookups = names.loose || n.loose, names.lookups || n.lookups
		names.canonical, names.anyCase = names.canonical || n.canonical, names.anyCase || n.anyCase
	}
	seen := map[string]bool{}
	left := maxEventTexts
	look := func(p *Program, list []eventText, differs func(text string, e toldEvent) bool) {
		for _, t := range list[:min(len(list), left)] {
			left--
			for _, e := range told {
				if !seen[t.text] && differs(t.text, e) {
					seen[t.text] = true
					found = append(found, OtherSpelling{Source: fmt.Sprintf("%s:%d", p.name, t.line), Text: t.text, Told: e.names[0]})
				}
			}
		}
	}
	isOther := func(text string, e toldEvent) bool {
		event, _ := hooks.KnownEvent(text)
		return event == e.event && !slices.Contains(e.names, text) && !(names.canonical && text == string(event))
	}
	isTold := func(t eventText) bool { return inTold(told, t.text, names.anyCase) }
	isPart := func(text string, e toldEvent) bool { return e.hasPart(text) }
	for _, p := range programs {
		look(p, slices.DeleteFunc(slices.Clone(p.names.parts), isTold), isPart)
		if names.loose {
			look(p, p.names.texts, isOther)
		}
		if names.loose && !names.lookups {
			look(p, p.names.keys, isOther)
		}
	}
	return found
}

func toldEvents(registered []Registration) (told []toldEvent) {
	for i := range registered {
		r := &registered[i]
		at := slices.IndexFunc(told, func(e toldEvent) bool { return e.event == r.Event })
		if at < 0 && hooks.IsKnown(r.Event) {
			at, told = len(told), append(told, toldEvent{event: r.Event})
		}
		if at < 0 || len(told[at].names) == maxToldNames {
			continue
		}
		name := r.Spelling
		if name == "" {
			name = string(r.Event)
		}
		if e := &told[at]; !slices.Contains(e.names, name) {
			e.names = append(e.names, name)
		}
	}
	return told
}

// maxToldNames is how many spellings of one event are looked at.
const maxToldNames = 10

// inTold tells whether a word of a text is found in a name that a script is told.
func inTold(told []toldEvent, text string, anyCase bool) bool {
	same := func(s string) string { return s }
	if anyCase {
		same = strings.ToLower
	}
	return slices.ContainsFunc(partsIn(text), func(word string) bool {
		return slices.ContainsFunc(told, func(e toldEvent) bool {
			return slices.ContainsFunc(e.names, func(name string) bool { return strings.Contains(same(name), same(word)) })
		})
	})
}

// hasPart tells whether a word of a text is found in any spelling of the event.
func (e toldEvent) hasPart(text string) bool {
	return slices.ContainsFunc(partsIn(text), func(word string) bool {
		word = letters(word)
		return slices.ContainsFunc(allLetters()[e.event], func(name string) bool { return strings.Contains(name, word) })
	})
}

// partsIn are the words of a text that are long enough to tell a name by.
func partsIn(text string) []string {
	return slices.DeleteFunc(wordsOf(text), func(word string) bool { return len(letters(word)) < 3 })
}

// allLetters are the letters of all names of the known events.
var allLetters = sync.OnceValue(func() map[hooks.Event][]string {
	all := map[hooks.Event][]string{}
	for _, info := range hooks.Events() {
		for _, name := range append([]string{string(info.Name)}, info.Aliases...) {
			all[info.Name] = append(all[info.Name], letters(name))
		}
	}
	return all
})

// letters is a name without what its spellings differ by.
func letters(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(strings.ToLower(name), "-", ""), "_", "")
}

// withRequired are a program and the libraries that it requires by name, and they.
func (p *Program) withRequired(libraries map[string]*Library) (list []*Program) {
	list = []*Program{p}
	for i := 0; i < len(list); i++ {
		for _, name := range list[i].names.requires {
			if l := libraries[name]; l != nil && l.Program != nil && len(list) < maxEventTexts && !slices.Contains(list, l.Program) {
				list = append(list, l.Program)
			}
		}
	}
	return list
}
