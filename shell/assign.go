package shell

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// assignments returns those before a command.
func assignments(list []*syntax.Assign, s *scope) []Assignment {
	if len(list) == 0 {
		return nil
	}
	assigned := make([]Assignment, 0, len(list))
	for _, node := range list {
		if node.Name == nil {
			continue
		}
		a := Assignment{Name: node.Name.Value, Append: node.Append}
		switch {
		case node.Array != nil || node.Index != nil:
			a.Value = Word{Text: slice(s.source, node), Dynamic: true}
		default:
			a.Value = word(node.Value, s).Word
		}
		assigned = append(assigned, a)
	}
	return assigned
}

// assignmentWords returns the arguments of declare, export and the like,
// which the parser reads as assignments, as the words that they are.
func assignmentWords(list []*syntax.Assign, s *scope) []argument {
	args := make([]argument, 0, len(list))
	for _, node := range list {
		switch {
		case node.Name == nil:
			args = append(args, word(node.Value, s))
		case node.Array != nil || node.Index != nil:
			args = append(args, argument{Word: Word{Text: slice(s.source, node), Dynamic: true}, at: s.place(node.Pos())})
		default:
			arg := argument{at: s.place(node.Pos())}
			operator := ""
			if !node.Naked {
				arg = word(node.Value, s)
				arg.at = s.place(node.Pos())
				operator = "="
			}
			if node.Append {
				operator = "+="
			}
			arg.Text = node.Name.Value + operator + arg.Text
			args = append(args, arg)
		}
	}
	return args
}

// output returns what stmt is known to write to the pipe behind it: the text
// of an echo, a printf or a cat of a here-document. Otherwise it's dynamic.
func (w *walker) output(stmt *syntax.Stmt, s *scope) argument {
	unknown := argument{Word: Word{Dynamic: true}, at: s.place(stmt.Position)}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return unknown
	}
	name := call.Args[0].Lit()
	if name != "echo" && name != "printf" && name != "cat" {
		return unknown
	}
	feed := *s
	feed.input = nil
	w.redirects(stmt.Redirs, &feed)
	args := w.words(call.Args[1:], s)
	if name == "cat" {
		if len(args) == 0 && len(stmt.Redirs) == 1 && feed.input != nil {
			return *feed.input
		}
		return unknown
	}
	if len(stmt.Redirs) > 0 {
		return unknown
	}
	for len(args) > 0 && name == "echo" && (args[0].Text == "-n" || args[0].Text == "-e" || args[0].Text == "-E") {
		args = args[1:]
	}
	text, ok := joined(args)
	switch {
	case !ok || text.Glob:
		return unknown
	case name == "printf" && len(args) == 2 && strings.Trim(args[0].Text, `\n`) == "%s":
		return args[1]
	case name == "printf" && len(args) > 1:
		return unknown
	case name == "printf":
		text.Text = strings.ReplaceAll(text.Text, `\n`, "\n")
		if strings.Contains(text.Text, "%") {
			return unknown
		}
	}
	if strings.Contains(text.Text, `\`) {
		return unknown // escapes that one echo resolves and another doesn't
	}
	return text
}
