// Package check finds mistakes in hooks without running them. [Script] reads one script by its AST: what it does with the
// event, which names it uses, what it answers. [Folders] adds what the engine says of a project when it loads it, and what
// shows only over all files.
//
// rules.go has the table of what is found. A rule is silent where what it sees may be right.
package check

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind/compile"
)

// Level says how bad a problem is.
type Level string

// An Error fails when the hook loads or runs. A Warning is probably not what is meant.
const (
	Error   Level = "error"
	Warning Level = "warning"
)

// Problem is a mistake, and where it is.
type Problem struct {
	File   string `json:"file"` // as the engine names it: relative to the project, or ~/...
	Line   int    `json:"line"`
	Column int    `json:"column"` // in characters
	Level  Level  `json:"level"`
	Code   string `json:"code"`
	Text   string `json:"text"`
	Source string `json:"source,omitempty"` // the line
}

// Context is what a script is checked against.
type Context struct {
	Grants  *hooks.Grants   // what hooks.yaml grants; nil: that isn't known
	Globals map[string]bool // that libraries add

	MaxTimeout time.Duration // what the limits give a run at most; 0: that isn't known
	MaxFrom    string        // the hooks.yaml that says so; "": the default
}

// file is a script that is being checked.
type file struct {
	*flow
	context  Context
	name     string
	lines    []string
	problems []Problem
	guesses  int // names that were looked for among all others
}

// Script checks a script. Any text may be given; of one that isn't Lua the problem is what the compiler says.
func Script(name, source string, c Context) []Problem {
	f, err := read(name, source, c)
	if err != nil {
		return []Problem{fromError(err, name, strings.Split(source, "\n"))}
	}
	for _, r := range rules {
		r.find(f)
	}
	return tidy(f.problems)
}

// read makes the flow of a script that the compiler takes.
func read(name, source string, c Context) (*file, error) {
	if _, err := compile.Script(name, source); err != nil {
		return nil, err
	}
	text := readable(source)
	chunk, err := parse.Parse(strings.NewReader(text), name)
	if err != nil {
		return nil, err
	}
	return &file{flow: follow(walk(text, chunk)), context: c, name: name, lines: strings.Split(text, "\n")}, nil
}

// report notes a problem of an expression.
func (f *file) report(code string, level Level, e ast.Expr, text string) {
	at := f.place(e)
	if at.column == 0 && at.line <= len(f.lines) { // where the value is written, if the line shows it
		word := "true"
		switch e := e.(type) {
		case *ast.FalseExpr:
			word = "false"
		case *ast.NumberExpr:
			word = e.Value
		case *ast.FunctionExpr:
			word = "function"
		case *ast.TableExpr:
			word = "{"
		}
		at.column = strings.Index(f.lines[at.line-1], word) + 1
	}
	f.reportAt(code, level, at, text)
}

func (f *file) reportAt(code string, level Level, at place, text string) {
	if at.column == 0 && at.line <= len(f.lines) {
		line := f.lines[at.line-1]
		at.column = len(line) - len(strings.TrimLeft(line, " \t")) + 1
	}
	p, line := inCharacters(f.lines, at)
	f.problems = append(f.problems, Problem{
		File: f.name, Line: p.line, Column: p.column, Level: level, Code: code, Text: text, Source: line,
	})
}

// fromError is a problem that the compiler or the engine tells.
func fromError(err error, name string, lines []string) Problem {
	e := hooks.AsError(err, hooks.KindLoad)
	p := Problem{File: name, Line: 1, Column: 1, Level: Error, Code: "load", Text: e.Message}
	source, column, exact := e.Source, 0, false
	file, last := cutNumber(source)
	if before, n := cutNumber(file); n > 0 && last >= 0 {
		p.File, p.Line, column, exact = before, n, last, true
		if last == 0 && n > 1 && n <= len(lines)+1 { // where a line ends too early
			p.Line, column = n-1, len(lines[n-2])+1
		}
	} else if last > 0 {
		p.File, p.Line = file, last
	} else if source != "" {
		p.File = source
	}
	if exact && strings.HasSuffix(p.File, ".lua") || strings.HasPrefix(e.Message, "syntax error") {
		p.Code = "syntax"
	}
	at := place{p.Line, column}
	if !exact && p.Line <= len(lines) {
		at.column = columnOf(lines[p.Line-1], e.Message)
	}
	if p.File == name && p.Line <= len(lines) {
		at, p.Source = inCharacters(lines, at)
		p.Column = at.column
	} else {
		first, _, _ := strings.Cut(e.Snippet, "\n")
		p.Source, p.Column = first, max(at.column, 1)
	}
	return p
}

// columnOf is where a line has what a message quotes, else where it begins.
func columnOf(line, message string) int {
	for _, quoted := range quotation().FindAllString(message, 10) {
		text, err := strconv.Unquote(quoted)
		if at := strings.Index(line, text); err == nil && text != "" && at >= 0 {
			if at > 0 && (line[at-1] == '"' || line[at-1] == '\'') {
				at--
			}
			return at + 1
		}
	}
	return len(line) - len(strings.TrimLeft(line, " \t")) + 1
}

var quotation = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`"(?:[^"\\]|\\.)*"`) })

// cutNumber splits off a number behind the last colon; -1 where there is none.
func cutNumber(source string) (before string, n int) {
	at := strings.LastIndexByte(source, ':')
	if at < 0 {
		return source, -1
	}
	n, err := strconv.Atoi(source[at+1:])
	if err != nil || n < 0 {
		return source, -1
	}
	return source[:at], n
}

// tidy sorts problems, and leaves one of those that are the same, or say the same of one place in two ways.
func tidy(list []Problem) []Problem {
	slices.SortStableFunc(list, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column, cmp.Compare(a.Level, b.Level))
	})
	return slices.CompactFunc(list, func(a, b Problem) bool {
		return a.File == b.File && a.Line == b.Line && a.Column == b.Column && a.Code == b.Code
	})
}

// Failed reports whether a check fails: there is an error, or, if strict, anything.
func Failed(list []Problem, strict bool) bool {
	return slices.ContainsFunc(list, func(p Problem) bool { return strict || p.Level == Error })
}
