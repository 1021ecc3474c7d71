package script

import (
	"strconv"
	"strings"
)

// evaluate follows code that is given as a text.
func (in *pyInterpreter) evaluate(name string, args pyArguments, e *pyExpr) pySet {
	code, ok := args.get(0, "source")
	if !ok {
		code = pyValue{text: e.source}
	}
	if !code.whole() || name == "execfile" {
		in.emit(Call{Func: name, Kind: Code, Args: []Arg{code.argument()}}, e)
		return pySet{{text: e.source}}
	}
	if name != "eval" {
		in.code(code.text, e.line)
		return pySet{{kind: pyConst, text: "None"}}
	}
	in.depth++
	defer func() { in.depth-- }()
	if in.depth > pyMaxCalls || !in.spend(1+len(code.text)/16) {
		in.program.TooComplex = true
		return pySet{{text: e.source}}
	}
	p := newPyParser(strings.TrimSpace(code.text), e.line, 0)
	value := p.tuple()
	in.program.TooComplex = in.program.TooComplex || p.complex
	return in.eval(value)
}

// reflect returns what is found in something by a name that is a value.
func (in *pyInterpreter) reflect(name string, args pyArguments, e *pyExpr) pySet {
	object, ok := args.get(0, "")
	if strings.HasSuffix(name, "als") { // globals and locals
		return pySet{{kind: pyLibrary, text: name}}
	}
	if !ok || name == "operator.attrgetter" {
		return pySet{{text: e.source}}
	}
	if name == "builtins.vars" {
		return pySet{object}
	}
	attribute, _ := args.get(1, "")
	if attribute.whole() {
		return in.member(object, attribute.text, e.source)
	}
	if object.kind == pyLibrary && pyModules()[object.text] {
		return pySet{{kind: pyLibrary, text: object.text + ".?"}}
	}
	return pySet{{text: e.source}}
}

// chdir notes where the program goes.
func (in *pyInterpreter) chdir(args pyArguments) {
	to, ok := args.get(0, "path")
	if !ok {
		return
	}
	if in.dir != nil {
		to = pyJoin(pyStr, pyValue{kind: pyStr, text: in.dir.Text, dynamic: in.dir.Dynamic, home: in.dir.Home}, to)
	}
	dir := to.argument()
	dir.Dynamic = dir.Dynamic || in.nested > 0 || in.unrolled
	in.dir = &dir
}

// emit notes a call, once. It returns its number from 1, 0 for none.
func (in *pyInterpreter) emit(call Call, e *pyExpr) int {
	call.Line = e.line
	if call.Dir == nil {
		call.Dir = in.dir
	}
	var b strings.Builder
	b.WriteString(call.Func + "\x00" + string(call.Kind) + strconv.Itoa(call.Line))
	args := call.Args
	if call.Dir != nil {
		args = append(args[:len(args):len(args)], *call.Dir)
	}
	for _, arg := range args {
		b.WriteString("\x00" + arg.Text)
		b.WriteString(strconv.FormatBool(arg.Dynamic) + strconv.FormatBool(arg.Home))
	}
	key := b.String()
	if n := in.seen[key]; n > 0 {
		return n
	}
	if !in.spend(1+len(key)/16) || len(in.program.Calls) == maxProgramCalls {
		in.program.TooComplex = true
		in.work = -1
		return 0
	}
	in.program.Calls = append(in.program.Calls, call)
	in.seen[key] = len(in.program.Calls)
	return len(in.program.Calls)
}

// words returns values as the arguments of a program.
func (in *pyInterpreter) words(values []pyValue) []Arg {
	args := make([]Arg, len(values))
	for i := range values {
		args[i] = values[i].argument()
	}
	in.spend(len(values))
	return args
}
