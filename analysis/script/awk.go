package script

import (
	"strconv"
	"strings"
)

// Awk returns what a program in awk does.
func Awk(source string) Program {
	if len(source) > maxSource {
		return Program{TooComplex: true}
	}
	a := readAwk(source)
	for _, output := range a.parser.outputs {
		a.output(output)
	}
	a.program.TooComplex = a.complex()
	return a.program
}

// AwkPrints returns what a program in awk writes to its standard output, each
// print once and whatever decides that it is reached; false where it writes
// nothing, or that is too complex to be told.
func AwkPrints(source string) (Arg, bool) {
	if len(source) > maxSource || !strings.Contains(source, "print") {
		return Arg{}, false
	}
	a := readAwk(source)
	var all Call
	for _, output := range a.parser.prints {
		a.feed(&all, output)
	}
	if all.Input == nil || a.complex() {
		return Arg{}, false
	}
	return *all.Input, true
}

func (a *awkReader) complex() bool {
	return a.parser.complex || a.parser.lexer.failed > awkMaxFailed || a.in.program.TooComplex
}

func readAwk(source string) *awkReader {
	a := &awkReader{values: map[string]pySet{}, calls: map[string]int{}, in: &pyInterpreter{work: pyMaxWork}}
	p := &a.parser
	p.lexer = awkLexer{source: source, line: 1}
	p.assigned, p.returns, p.params = map[string][]*awkExpr{}, map[string][]*awkExpr{}, map[string][]string{}
	p.next()
	p.program()
	for function, params := range p.params {
		for i, param := range params {
			name := function + "/" + param
			passed, called := p.assigned[awkParameter(function, i)]
			p.assigned[name] = append(p.assigned[name], passed...)
			if _, ever := p.assigned[awkParameter(function, 0)]; !called && !ever {
				p.assigned[name] = append(p.assigned[name], nil) // nothing calls it
			}
		}
	}
	return a
}

// awkParameter is what the argument of a function at place i is known by.
func awkParameter(function string, i int) string { return function + "#" + strconv.Itoa(i) }

// awkReader says what the outputs of a program are.
type awkReader struct {
	parser  awkParser
	program Program
	in      *pyInterpreter   // for its bounds and its texts
	values  map[string]pySet // of variables and functions; nil while they're looked for
	calls   map[string]int   // numbers of the calls in program, by what they do
	depth   int
}

// output notes the calls that output makes.
func (a *awkReader) output(o *awkOutput) {
	if o.kind == Code {
		a.indirect(o)
		return
	}
	for _, value := range a.eval(o.what) {
		if value.whole() && (strings.TrimSpace(value.text) == "" || o.kind != Shell && isStream(value.text)) {
			continue
		}
		number := a.emit(Call{Func: o.name, Kind: o.kind, Args: []Arg{value.argument()}, Line: o.line})
		if number > 0 && o.kind == Shell && strings.HasPrefix(o.name, "print") {
			a.feed(&a.program.Calls[number-1], o)
		}
	}
}

// isStream reports whether the name stands for something that is open already.
func isStream(file string) bool {
	return file == "/dev/stdout" || file == "/dev/stderr" || strings.HasPrefix(file, "/dev/fd/") || strings.HasPrefix(file, "/inet")
}

// emit notes a call, once for all that is printed to the same command. It
// returns its number from 1, 0 for none.
func (a *awkReader) emit(call Call) int {
	key := call.Func + "\x00" + strconv.FormatBool(call.Args[0].Dynamic) + call.Args[0].Text
	if !strings.HasPrefix(call.Func, "print") {
		key += "\x00" + strconv.Itoa(call.Line)
	}
	if n := a.calls[key]; n > 0 {
		return n
	}
	if len(a.program.Calls) == maxProgramCalls || !a.in.spend(1+len(key)/16) {
		a.in.program.TooComplex = true
		return 0
	}
	a.program.Calls = append(a.program.Calls, call)
	a.calls[key] = len(a.program.Calls)
	return len(a.program.Calls)
}

// feed notes what is printed to a command.
func (a *awkReader) feed(call *Call, o *awkOutput) {
	printed := a.printed(o)
	text := printed.argument()
	if before := call.Input; before != nil {
		if len(before.Text) > maxFed {
			before.Dynamic = true
			return
		}
		text.Text, text.Dynamic = before.Text+text.Text, before.Dynamic || text.Dynamic
		text.Parts = append(before.Parts, text.Parts...)
		a.in.spend(len(text.Text) / 16)
	}
	call.Input = &text
}

// printed returns what a print or printf writes.
func (a *awkReader) printed(o *awkOutput) pyValue {
	values := make([]pyValue, 0, len(o.printed)*2+1)
	for i, e := range o.printed {
		if i > 0 && !o.format {
			values = append(values, pyKnown(" "))
		}
		values = append(values, a.one(e))
	}
	switch {
	case o.format && len(values) > 0 && values[0].kind == pyStr:
		return a.in.percent(values[0], pyValue{kind: pyItems, items: values[1:]})
	case len(o.printed) == 0:
		values = append(values, pyValue{text: "$0"})
	}
	if o.newline {
		values = append(values, pyKnown("\n"))
	}
	return a.in.concatenate(values)
}

// indirect notes a call of a function whose name is a value.
func (a *awkReader) indirect(o *awkOutput) {
	names := a.variable(o.what.text, o.what.source)
	for _, name := range names {
		switch {
		case !name.whole():
			a.emit(Call{Func: o.name, Kind: Code, Args: []Arg{{Text: o.what.source, Dynamic: true}}, Line: o.line})
		case name.text == "system" && len(o.what.parts) > 0:
			a.output(&awkOutput{name: "system", kind: Shell, what: o.what.parts[0], line: o.line})
		}
	}
}
