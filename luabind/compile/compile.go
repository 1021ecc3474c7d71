// Package compile makes programs of Lua scripts: it refuses those that would take long to compile,
// rewrites the others so that they keep to their limits, compiles them, and writes and reads the
// compiled form. It runs nothing, and knows no states and no budget: what the rewritten code calls
// while it runs, the guards, is in package luabind.
//
// [Script] is where it starts: the text is scanned (bounds.go), parsed, measured (measure.go),
// rewritten (rewrite.go) and given to gopher-lua's compiler.
package compile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/luahook/luahook/hooks"
)

// MaxSourceBytes is the largest script that [Script] takes.
const MaxSourceBytes = 512 << 10

// Program is a compiled script. It is immutable and may be shared between states.
type Program struct {
	name   string
	source string // "" for one that was decoded
	proto  *lua.FunctionProto
	called calledNames
	names  eventNames
	plain  func() (*Program, error) // nil for one that was decoded
}

// Name is the name that error messages and sources use, a path as a rule.
func (p *Program) Name() string { return p.name }

// Proto is the function that the script is. Its upvalues are guards and bound functions, by
// their names; see [ConcatGuard] and [BoundName].
func (p *Program) Proto() *lua.FunctionProto { return p.proto }

// MayAssign reports whether the script may assign to a global of that name.
func (p *Program) MayAssign(name string) bool { return p.called.all || p.called.assigned[name] }

// Plain is the program without bound functions. name is one of those, which means something else
// where the program is to run: where no plain form can be made, the error says so.
func (p *Program) Plain(name string) (*Program, error) {
	if p.plain == nil {
		return nil, &hooks.Error{Kind: hooks.KindLoad, Source: p.name, Message: fmt.Sprintf("it was compiled to call %s, which isn't there or is somebody else's here", name)}
	}
	return p.plain()
}

// Script parses and compiles a script, as a rewritten one that keeps to its limits when it runs.
// Scripts that would take long to compile are refused. The error is a *hooks.Error of kind load
// with file:line:column and the line at fault.
func Script(name, source string) (*Program, error) { return compile(name, source, true) }

// compile is Script. bind says whether functions of libraries may be bound.
func compile(name, source string, bind bool) (p *Program, err error) {
	if len(source) > MaxSourceBytes {
		return nil, &hooks.Error{Kind: hooks.KindLoad, Source: name, Message: "the script is larger than 512 KiB"}
	}
	defer func() {
		if r := recover(); r != nil { // the compiler panics over what it can't translate
			p, err = nil, &hooks.Error{Kind: hooks.KindLoad, Source: name, Message: fmt.Sprintf("can't be compiled: %v", r)}
		}
	}()
	text := strings.TrimPrefix(source, "\ufeff") // what some editors put before the first line
	if strings.HasPrefix(text, "#") {            // a shebang line; kept as an empty line so that line numbers hold
		_, rest, _ := strings.Cut(text, "\n")
		text = "\n" + rest
	}
	if excess := scan(text); excess != nil {
		return nil, excess.error(name, source)
	}
	chunk, err := parse.Parse(strings.NewReader(text), name)
	if err != nil {
		return nil, syntaxError(name, source, err)
	}
	called, names, excess := measure(chunk)
	if excess != nil {
		return nil, excess.error(name, source)
	}
	r := rewriter{called: called, names: names}
	if bind {
		r.bound, r.functions = called.bind()
	}
	outer, err := lua.Compile(r.rewrite(chunk), name)
	if err != nil {
		return nil, compileError(name, source, err, r.exits)
	}
	proto := outer.FunctionPrototypes[0] // the script; the chunk around it only declares its guards
	if excess := settle(proto, r.exits); excess != nil {
		return nil, excess.error(name, source)
	}
	renameCalls(proto)
	p = &Program{name: name, source: source, proto: proto, called: calledNames{assigned: called.assigned, all: called.all}, names: *names}
	p.names.variables = nil
	p.plain = sync.OnceValues(func() (*Program, error) { return compile(name, source, false) })
	return p, nil
}

// maxToken is where messages cut a token off; one can be as long as the script.
const maxToken = 60

func syntaxError(name, source string, err error) *hooks.Error {
	e := &hooks.Error{Kind: hooks.KindLoad, Source: name, Message: err.Error(), Err: err}
	var at *parse.Error
	if !errors.As(err, &at) {
		return e
	}
	if at.Pos.Line == parse.EOF {
		lines := strings.Count(strings.TrimRight(source, "\n"), "\n") + 1
		e.Source = fmt.Sprintf("%s:%d", name, lines)
		e.Message = "syntax error: the file ends too early; an end, a ) or a } is missing"
		if what := unclosed(source, parse.EOF, 0, ""); what != "" {
			e.Message = "syntax error: the file ends too early; " + what
		}
		e.Snippet = marked(source, lines, len(rawLine(source, lines))+1)
		return e
	}
	column := at.Pos.Column
	if isName().MatchString(at.Token) { // of a word the parser gives the end
		column -= min(len(at.Token), column) - 1
	}
	e.Source = fmt.Sprintf("%s:%d:%d", name, at.Pos.Line, column)
	e.Message = at.Message
	if at.Message == "parse error" { // an expression that stands by itself
		e.Message = "syntax error: want a call or an assignment"
	}
	if at.Token != "" {
		token := at.Token
		if len(token) > maxToken {
			token = strings.ToValidUTF8(token[:maxToken], "") + "..."
		}
		e.Message += fmt.Sprintf(" near %q", token)
	}
	hint := foreign(source, at.Pos.Line, column, at.Token)
	e.Message += hint
	switch at.Token {
	case ")", "}", "]", "end", "until", "else", "elseif":
		if hint != "" {
			break
		}
		if what := unclosed(source, at.Pos.Line, column, at.Token); what != "" {
			e.Message += "; " + what
		}
	}
	e.Snippet = marked(source, at.Pos.Line, column)
	return e
}

func compileError(name, source string, err error, exits []exit) *hooks.Error {
	e := &hooks.Error{Kind: hooks.KindLoad, Source: name, Message: err.Error(), Err: err}
	var at *lua.CompileError
	if errors.As(err, &at) {
		line := at.Line
		e.Message = at.Message
		if m := exitLine().FindStringSubmatch(at.Message); m != nil { // the line that comes with the message is another
			n, _ := strconv.Atoi(m[1])
			line = exits[n-1].line
			e.Message = strings.Replace(at.Message, m[0], fmt.Sprintf("at line %d", line), 1)
			e.Err = nil // it has the other
		}
		e.Source = fmt.Sprintf("%s:%d", name, line)
		e.Snippet = marked(source, line, 0)
	}
	return e
}

// exitLine finds the number of a goto in the compiler's message, see [rewriter.mark].
var exitLine = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`at line -(\d+)`) })
