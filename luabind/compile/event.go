package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
)

// A hook is told its event as it spells it where it registers. A script that compares it
// with another spelling of the same event, or looks it up in a table under one, means that
// event: compared as texts, the two would differ, and a guard would not do its work. What
// a script does with an event's name elsewhere is its own: see [OtherSpellings].

// eventNames is what a script does with the names of events.
type eventNames struct {
	variables map[string]bool // that are given one, by name
	loose     bool            // one goes where no guard compares it
	lookups   bool            // one is looked up in a table
	canonical bool            // it reads ev.canonical_event
	texts     []eventText     // that name events, and may be compared with one that is loose
	keys      []eventText     // of tables, likewise; those are found in every spelling where it lookups
	requires  []string
}

// eventText is a literal.
type eventText struct {
	text string
	line int
}

// maxEventTexts is how many of each kind are kept of a script, and looked at where it is loaded
// with its libraries: no budget is charged for that.
const maxEventTexts = 50

// note keeps a literal that names an event.
func (n *eventNames) note(list *[]eventText, e *ast.StringExpr) {
	if len(*list) < maxEventTexts && isEventName(e.Value) {
		*list = append(*list, eventText{e.Value, e.Line()})
	}
}

// noteRequired keeps the name of a library.
func (n *eventNames) noteRequired(name string) {
	if len(n.requires) < maxEventTexts {
		n.requires = append(n.requires, name)
	}
}

// given remembers a variable that is given an event's name.
func (n *eventNames) given(name string, value ast.Expr) {
	if n.isEvent(value) {
		if n.variables == nil {
			n.variables = map[string]bool{}
		}
		n.variables[name] = true
	}
}

const canonicalField = "canonical_event"

// isEventField reports whether an expression is x.event.
func isEventField(e *ast.AttrGetExpr) bool {
	key, ok := e.Key.(*ast.StringExpr)
	return ok && (key.Value == "event" || key.Value == canonicalField)
}

// isEvent reports whether an expression may come to an event's name: x.event, a variable that
// was given it somewhere, and what a function makes of it, which may be in lower case.
// Where it comes to anything else, the guards do what Lua does.
func (n *eventNames) isEvent(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.AttrGetExpr:
		return isEventField(e)
	case *ast.IdentExpr:
		return n.variables[e.Value]
	case *ast.LogicalOpExpr:
		return n.isEvent(e.Lhs) || n.isEvent(e.Rhs)
	case *ast.FuncCallExpr:
		return n.isEvent(e.Receiver) || slices.ContainsFunc(e.Args, n.isEvent)
	}
	return false
}

// comparesEvent reports whether an expression is an event's name == anything, or ~=.
func (n *eventNames) comparesEvent(e *ast.RelationalOpExpr) bool {
	return (e.Operator == "==" || e.Operator == "~=") && (n.isEvent(e.Lhs) || n.isEvent(e.Rhs))
}

// comparison rewrites a == b where one is an event's name: a guard compares, unless the
// other is a literal that names none.
func (r *rewriter) comparison(e *ast.RelationalOpExpr) ast.Expr {
	guard := true
	for _, side := range []*ast.Expr{&e.Lhs, &e.Rhs} {
		if isLiteral(*side) {
			text, ok := (*side).(*ast.StringExpr)
			guard = ok && isEventName(text.Value)
			continue
		}
		*side = r.compared(*side)
	}
	if !guard {
		return e
	}
	same := guardCall(e.Line(), EventGuard, e.Lhs, e.Rhs)
	same.AdjustRet = true
	if e.Operator == "==" {
		return same
	}
	other := &ast.UnaryNotOpExpr{Expr: same}
	other.SetLine(e.Line())
	return other
}

// compared rewrites an expression that stands where an event's name is expected: if it is
// one, it isn't loose.
func (r *rewriter) compared(e ast.Expr) ast.Expr {
	switch e := e.(type) {
	case *ast.LogicalOpExpr:
		e.Lhs, e.Rhs = r.compared(e.Lhs), r.compared(e.Rhs)
		return folded(e)
	case *ast.IdentExpr, *ast.AttrGetExpr:
		if r.names.isEvent(e) {
			defer func(was bool) { r.names.loose = was }(r.names.loose)
		}
	}
	return r.expression(e)
}

// lookup rewrites t[x.event]. Its object is rewritten already.
func (r *rewriter) lookup(e *ast.AttrGetExpr) ast.Expr {
	r.names.lookups = true
	value := guardCall(e.Line(), LookupGuard, e.Object, r.compared(e.Key))
	value.AdjustRet = true
	return value
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

// isWord reports whether a name is in lower case and of one part, as words of any text are.
func isWord(name string) bool {
	return strings.ToLower(name) == name && !strings.ContainsAny(name, "-_")
}

// arguments rewrites those of a call that isn't rewritten so far.
func (r *rewriter) arguments(e *ast.FuncCallExpr, root, function string) {
	loose := r.names.loose
	for i, arg := range e.Args {
		if text, ok := arg.(*ast.StringExpr); ok && i == 0 {
			switch function {
			case "require":
				r.names.noteRequired(text.Value)
			case "on":
				continue
			}
		}
		e.Args[i] = r.expression(arg)
	}
	if IsAnswer(root) || root == "print" || root == "error" || root == "log" { // people read what they are given: they compare nothing
		r.names.loose = loose
	}
}

// MaxEventName is how many bytes a name of an event has at the most.
const MaxEventName = 100

func isEventName(text string) bool {
	if len(text) > MaxEventName {
		return false
	}
	_, known := hooks.KnownEvent(text)
	return known
}

// OtherSpelling is a text of a script that names an event, but not as the script is told it.
type OtherSpelling struct {
	Source string // file:line
	Text   string
	Told   string // what ev.event says
}

// Told is an event that a script has registered for, and the names by which it is told it.
type Told struct {
	Event hooks.Event
	Names []string
}

// OtherSpellings lists the texts of a script, and of the libraries that it requires by name,
// that name one of the events in another spelling, where they may be compared with ev.event as
// texts are: where that goes to a function, say. Each is listed once. Where ev.event is compared
// directly or looked up in a table, the spelling doesn't matter. library gives a library by its
// name, nil where there is none.
func OtherSpellings(p *Program, library func(name string) *Program, told []Told) (found []OtherSpelling) {
	programs := p.withRequired(library)
	loose, lookups, canonical := false, false, false
	for _, p := range programs {
		loose, lookups, canonical = loose || p.names.loose, lookups || p.names.lookups, canonical || p.names.canonical
	}
	if !loose {
		return nil
	}
	seen := map[string]bool{}
	left := maxEventTexts
	for _, p := range programs {
		texts := p.names.texts
		if !lookups {
			texts = slices.Concat(texts, p.names.keys)
		}
		for _, t := range texts[:min(len(texts), left)] {
			left--
			event, _ := hooks.KnownEvent(t.text)
			at := slices.IndexFunc(told, func(e Told) bool { return e.Event == event })
			if at < 0 || seen[t.text] || slices.Contains(told[at].Names, t.text) || (canonical && t.text == string(event)) {
				continue
			}
			seen[t.text] = true
			found = append(found, OtherSpelling{Source: fmt.Sprintf("%s:%d", p.name, t.line), Text: t.text, Told: told[at].Names[0]})
		}
	}
	return found
}

// withRequired lists a program and the libraries that it requires by name, and they.
func (p *Program) withRequired(library func(name string) *Program) (list []*Program) {
	list = []*Program{p}
	for i := 0; i < len(list); i++ {
		for _, name := range list[i].names.requires {
			if l := library(name); l != nil && len(list) < maxEventTexts && !slices.Contains(list, l) {
				list = append(list, l)
			}
		}
	}
	return list
}
