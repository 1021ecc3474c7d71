package check

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	"github.com/yuin/gopher-lua/ast"

	"github.com/luahook/luahook/hooks"
)

// These rules are about what a hook answers.

func (f *file) droppedAnswers() {
	for _, c := range f.calls {
		word := f.answer(c.FuncCallExpr)
		switch {
		case !c.statement:
		case word != "":
			f.report("dropped-answer", Error, c.Func, fmt.Sprintf("the answer is dropped: write return %s(...)", word))
		case f.onlyAnswers(f.functionOf(c.Func)) && f.runs(c.fn):
			f.report("dropped-answer", Error, c.Func, "this function gives an answer, which is dropped: write return before the call")
		}
	}
	for _, v := range f.locals {
		made, ok := v.init.(*ast.FuncCallExpr)
		if !ok || len(v.reads) > 0 || v.name == "_" {
			continue
		}
		if word := f.answer(made); word != "" {
			f.reportAt("dropped-answer", Error, v.at, fmt.Sprintf("%s holds an answer, %s(...), that nothing returns", v.name, word))
		}
	}
}

// notFormatted finds deny("no %s", name).
func (f *file) notFormatted() {
	for _, c := range f.calls {
		word := f.answer(c.FuncCallExpr)
		switch word {
		case "deny", "ask", "allow", "context", "message", "halt":
		default:
			continue
		}
		if len(c.Args) < 2 {
			continue
		}
		if text := f.literal(c.Args[0]); text != nil && directive().MatchString(text.Value) {
			f.report("not-formatted", Warning, c.Args[0], fmt.Sprintf("%s takes one text and fills nothing in: write %s(string.format(...))", word, word))
		}
	}
}

var directive = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`%[-+ #0]*[0-9]*(\.[0-9]+)?[cdeEfgGioqsuxX]`) })

// onlyAnswers reports whether a function returns an answer somewhere, and nothing else anywhere.
func (f *file) onlyAnswers(fn *function) bool {
	if fn == nil {
		return false
	}
	answers := false
	for _, r := range fn.returns {
		for _, e := range r.Exprs {
			c, isCall := e.(*ast.FuncCallExpr)
			switch {
			case isCall && f.answer(c) != "":
				answers = true
			case isNil(e):
			default:
				return false
			}
		}
	}
	return answers
}

func isNil(e ast.Expr) bool { _, ok := e.(*ast.NilExpr); return ok }

func (f *file) badAnswers() {
	for _, h := range f.hooks {
		if h.fn == nil || len(h.events) == 0 {
			continue
		}
		for _, r := range h.fn.returns {
			for _, e := range r.Exprs {
				f.checkAnswer(h, e)
			}
		}
	}
}

// checkAnswer reports what is wrong with a value that a hook returns.
func (f *file) checkAnswer(h *hook, e ast.Expr) {
	switch e := e.(type) {
	case *ast.TrueExpr:
		f.report("bad-answer", Error, e, "true is no answer; return allow(), or nothing for no opinion")
	case *ast.NumberExpr:
		f.report("bad-answer", Error, e, "a number is no answer; return context(...) or message(...) with a text")
	case *ast.FalseExpr:
		f.misfit(h, e, "deny", func(info *hooks.EventInfo) bool { return info.Blocking != hooks.BlockNever })
	case *ast.StringExpr:
		if !slices.ContainsFunc(h.events, func(event hooks.Event) bool { info := hooks.Lookup(event); return info == nil || info.Guards }) {
			f.report("bad-answer", Error, e, fmt.Sprintf("a text by itself is a deny on pre_tool_call and permission_request only; on %s return deny(...), context(...) or message(...)", h.events[0]))
		}
	case *ast.FunctionExpr:
		f.report("bad-answer", Error, e, "a function is no answer; call it")
	case *ast.TableExpr:
		f.answerTable(h, e)
	case *ast.IdentExpr:
		if v := f.variables[e]; v == nil && isAnswer(e.Value) && f.isGlobal(e, e.Value) {
			f.report("bad-answer", Error, e, fmt.Sprintf("%s is a function; call it: return %s(...)", e.Value, e.Value))
		} else if table := f.table(e); table != nil {
			f.answerTable(h, table)
		}
	case *ast.FuncCallExpr:
		f.answerCall(h, e)
	case *ast.LogicalOpExpr: // x and deny("...") or nil
		if e.Operator == "and" {
			f.checkAnswer(h, e.Rhs)
			return
		}
		f.checkAnswer(h, e.Lhs)
		f.checkAnswer(h, e.Rhs)
	}
}

// misfit reports an answer that means nothing for any of the hook's events.
func (f *file) misfit(h *hook, e ast.Expr, word string, takes func(*hooks.EventInfo) bool) bool {
	for _, event := range h.events {
		if info := hooks.Lookup(event); info == nil || takes(info) {
			return false
		}
	}
	why := map[string]string{
		"deny": "can't be blocked", "ask": "can't ask for approval", "modify": "has nothing to rewrite", "replace": "has nothing to rewrite",
		"output": "has no output to replace", "respond": "runs no tool to respond for",
	}[word]
	f.report("bad-answer", Error, e, fmt.Sprintf("%s() means nothing here: %s %s", word, h.events[0], why))
	return true
}

// takers are which events take an answer.
var takers = map[string]func(*hooks.EventInfo) bool{
	"deny":    func(i *hooks.EventInfo) bool { return i.Blocking != hooks.BlockNever },
	"ask":     func(i *hooks.EventInfo) bool { return i.Blocking == hooks.BlockAction },
	"modify":  func(i *hooks.EventInfo) bool { return len(i.Modify) > 0 },
	"replace": func(i *hooks.EventInfo) bool { return len(i.Modify) > 0 },
	"output":  func(i *hooks.EventInfo) bool { return i.Output != "" || i.Name == hooks.PreToolCall },
	"respond": func(i *hooks.EventInfo) bool { return i.Name == hooks.PreToolCall },
}

func (f *file) answerCall(h *hook, c *ast.FuncCallExpr) {
	word := f.answer(c)
	if takes := takers[word]; takes != nil && f.misfit(h, c.Func, word, takes) {
		return
	}
	switch word {
	case "deny":
		needs := func(event hooks.Event) bool { info := hooks.Lookup(event); return info != nil && info.Continues }
		if len(c.Args) == 0 && slices.ContainsFunc(h.events, needs) {
			f.report("bad-answer", Error, c.Func, fmt.Sprintf("on %s a deny needs a reason, which the agent goes on with", h.events[slices.IndexFunc(h.events, needs)]))
		}
	case "context", "message":
		if len(c.Args) == 0 || isNil(c.Args[0]) || isConstant(c.Args[0]) && !isNumber(c.Args[0]) {
			f.report("bad-answer", Error, c.Func, word+"() wants a text")
		}
	case "modify", "replace":
		if len(c.Args) == 0 {
			f.report("bad-answer", Error, c.Func, word+"() wants a table of the input's keys")
		} else if t, ok := c.Args[0].(*ast.TableExpr); ok && len(t.Fields) == 0 && word == "modify" {
			f.report("bad-answer", Error, c.Func, "modify() of nothing: name what changes")
		} else if _, isText := c.Args[0].(*ast.StringExpr); isText {
			f.report("bad-answer", Error, c.Func, word+"() wants a table of the input's keys, got a text")
		}
	}
}

func isNumber(e ast.Expr) bool { _, ok := e.(*ast.NumberExpr); return ok }

// answerTable reports the keys of a table that answers don't have.
func (f *file) answerTable(h *hook, t *ast.TableExpr) {
	for _, field := range t.Fields {
		key := keyOf(field)
		if key == nil {
			continue
		}
		if !slices.Contains(hooks.AnswerKeys(), key.Value) {
			f.report("bad-answer", Error, key, fmt.Sprintf("an answer has no key %q%s", key.Value, suggestion(key.Value, hooks.AnswerKeys())))
			continue
		}
		value, isText := field.Value.(*ast.StringExpr)
		if !isText || key.Value != "decision" {
			continue
		}
		switch {
		case hooks.MeansDeny(value.Value):
			f.misfit(h, value, "deny", takers["deny"])
		case value.Value == "ask":
			f.misfit(h, value, "ask", takers["ask"])
		case !slices.Contains([]string{"", "allow", "approve", "accept", "ok"}, value.Value):
			f.report("bad-answer", Error, value, fmt.Sprintf("%q is none of allow, ask, deny%s", value.Value, suggestion(value.Value, []string{"allow", "ask", "deny"})))
		}
	}
}

func (f *file) unknownKeys() {
	for _, c := range f.calls {
		word := f.answer(c.FuncCallExpr)
		if word != "modify" && word != "replace" || len(c.Args) == 0 {
			continue
		}
		table := f.table(c.Args[0])
		what := f.told[c.fn]
		if table == nil || len(what.events) == 0 {
			continue
		}
		for _, field := range table.Fields {
			if key := keyOf(field); key != nil {
				f.rewrittenKey(key, what)
			}
		}
	}
}

// rewrittenKey reports a key of a rewrite that none of the events has.
func (f *file) rewrittenKey(key *ast.StringExpr, what told) {
	var known []string
	tool := false
	for _, e := range what.events {
		info := hooks.Lookup(e)
		if info == nil || !hooks.IsKnown(e) {
			return
		}
		tool = tool || slices.Contains(info.Modify, "tool_call")
		known = append(known, info.Modify...)
	}
	switch {
	case tool:
		f.inputKey(Error, key, what.kinds)
	case len(known) > 0 && !slices.Contains(known, key.Value):
		f.report("unknown-key", Error, key, fmt.Sprintf("what %s rewrites has no %q%s", what.events[0], key.Value, suggestion(key.Value, known)))
	}
}
