package script

import (
	"slices"
	"strings"
	"sync"
)

// pyArguments are those of a call.
type pyArguments struct {
	values  []pyValue
	names   []pyNamedValue
	unknown bool // there may be others
}

type pyNamedValue struct {
	name  string
	value pyValue
}

// get returns the argument at place i, or with the name. A negative i is for
// one that only has a name.
func (a *pyArguments) get(i int, name string) (pyValue, bool) {
	if i >= 0 && i < len(a.values) {
		if a.values[i].rest {
			v := a.values[i]
			return pyValue{text: v.text}, true
		}
		return a.values[i], true
	}
	for j := range a.names {
		if a.names[j].name == name && name != "" {
			return a.names[j].value, true
		}
	}
	return pyValue{}, false
}

// after returns the arguments behind the first n.
func (a pyArguments) after(n int) pyArguments {
	a.values = a.values[min(n, len(a.values)):]
	return a
}

// call returns what a call returns, and notes what it does.
func (in *pyInterpreter) call(e *pyExpr) pySet {
	callees := in.eval(e.parts[0])
	rows := in.rows(e.parts[1:])
	var result pySet
	for _, row := range rows {
		args := in.arguments(row, e.names)
		for _, callee := range callees {
			in.grow(e, &callee, &args)
			result = result.union(in.apply(callee, args, e), e.source)
		}
	}
	return result.or(e.source)
}

func (in *pyInterpreter) arguments(row []pyValue, names []string) pyArguments {
	args := pyArguments{values: make([]pyValue, 0, len(row))}
	for i, v := range row {
		switch name := names[i]; {
		case name == "":
			args.values = append(args.values, v)
		case name == "*":
			args.values = append(args.values, spread(v)...)
		case name == "**" && v.kind == pyPairs:
			for j := 0; j+1 < len(v.items); j += 2 {
				args.names = append(args.names, pyNamedValue{v.items[j].text, v.items[j+1]})
			}
		case name == "**":
			args.unknown = true
		default:
			args.names = append(args.names, pyNamedValue{name, v})
		}
	}
	in.spend(len(args.values))
	return args
}

// pyMaxGrown is how many elements a list may have that grows.
const pyMaxGrown = 64

// grow gives a variable with a list what append and the like add to it.
func (in *pyInterpreter) grow(e *pyExpr, callee *pyValue, args *pyArguments) {
	if callee.kind != pyMethod || !pyGrows()[callee.text] || callee.items[0].kind != pyItems || len(args.values) == 0 {
		return
	}
	base := e.parts[0]
	if base.op != pyAttribute || base.parts[0].op != pyVariable {
		return
	}
	list := callee.items[0]
	items := list.items[:len(list.items):len(list.items)]
	switch callee.text {
	case "append":
		items = append(items, args.values[0])
	case "extend":
		items = append(items, spread(args.values[0])...)
	case "insert":
		if at := args.values[0]; at.kind == pyInt && at.number >= 0 && at.number <= len(items) && len(args.values) > 1 {
			items = slices.Insert(slices.Clone(items), at.number, args.values[1])
		} else {
			items = []pyValue{{text: base.parts[0].text, rest: true}}
		}
	}
	if len(items) > pyMaxGrown {
		items = []pyValue{{text: base.parts[0].text, rest: true}}
	}
	list.items = items
	if in.spend(1 + len(items)/8) {
		in.set(base.parts[0].text, pySet{list})
	}
}

// apply returns what a call of callee returns, and notes what it does.
func (in *pyInterpreter) apply(callee pyValue, args pyArguments, e *pyExpr) pySet {
	switch callee.kind {
	case pyLibrary:
		return in.library(callee.text, args, e)
	case pyOwn:
		return in.invoke(callee.function, args, e.source)
	case pyMethod:
		return in.method(callee.items[0], callee.text, args, e)
	}
	in.handOn(callee.text, args, e)
	return pySet{{text: e.source}}
}

// invoke follows a function of the program with the arguments, and returns what
// it returns.
func (in *pyInterpreter) invoke(f *pyFunction, args pyArguments, source string) pySet {
	f.called = true
	if f.spent > pyMaxWork/4 {
		args = pyArguments{unknown: true}
		if f.spent > pyMaxWork/3 {
			return pySet{{text: source}}
		}
	}
	if f.active > 2 {
		return pySet{{text: source}}
	}
	if in.depth >= pyMaxCalls {
		in.program.TooComplex = true
		return pySet{{text: source}}
	}
	env, returned, inClass, unrolled, before := in.env, in.returned, in.inClass, in.unrolled, in.work
	in.env, in.returned, in.inClass = &pyEnv{parent: f.env}, nil, false
	in.parameters(f, args)
	in.depth++
	f.active++
	var result pySet
	if f.value != nil {
		result = in.eval(f.value)
	} else {
		in.block(f.body)
		result = in.returned
	}
	f.active--
	in.depth--
	f.spent += before - in.work
	in.env, in.returned, in.inClass, in.unrolled = env, returned, inClass, unrolled
	return result.or(source)
}

// parameters sets those of f.
func (in *pyInterpreter) parameters(f *pyFunction, args pyArguments) {
	params := f.params
	if f.method && len(params) > 0 && (params[0].name == "self" || params[0].name == "cls") {
		in.set(params[0].name, pySet{{text: params[0].name}})
		params = params[1:]
	}
	if slices.ContainsFunc(args.values, func(v pyValue) bool { return v.rest }) {
		args = pyArguments{unknown: true}
	}
	for i, param := range params {
		value, ok := args.get(i, param.name)
		switch {
		case param.star == "*" && !args.unknown:
			in.set(param.name, pySet{{kind: pyItems, text: param.name, items: args.values[min(i, len(args.values)):]}})
		case param.star != "":
			in.set(param.name, pySet{{text: param.name}})
		case ok:
			if value.kind == pyUnknown {
				value.text = param.name
			}
			in.set(param.name, pySet{value})
		case param.value != nil && !args.unknown:
			in.set(param.name, in.eval(param.value))
		case param.value != nil:
			in.set(param.name, pySet{{text: param.name}}.union(in.eval(param.value), param.name))
		default:
			in.set(param.name, pySet{{text: param.name}})
		}
	}
}

// pyHandsOn says which argument of a function is a function that it calls, with
// the arguments after it.
var pyHandsOn = sync.OnceValue(func() map[string]int {
	return map[string]int{
		"submit": 0, "register": 0, "partial": 0, "to_thread": 0, "call_soon": 0, "call_soon_threadsafe": 0, "callback": 0,
		"run_in_executor": 1, "call_later": 1, "run_sync": 0,
	}
})

// pyHandsOnEach are the functions that call their first argument with each
// element of the second.
var pyHandsOnEach = wordSet("map imap imap_unordered starmap apply apply_async start_new_thread map_async")

// handOn follows functions that a function which isn't of interest itself is
// given to call.
func (in *pyInterpreter) handOn(name string, args pyArguments, e *pyExpr) {
	callable := func(v pyValue) bool { return v.kind == pyLibrary || v.kind == pyOwn || v.kind == pyMethod }
	_, name = cutLast(name)
	if i, ok := pyHandsOn()[name]; ok {
		if f, ok := args.get(i, ""); ok && callable(f) && (len(args.values) > i+1 || f.kind == pyOwn) {
			in.apply(f, args.after(i+1), e)
		}
		return
	}
	if pyHandsOnEach()[name] && len(args.values) > 1 && callable(args.values[0]) {
		list := args.values[1]
		if strings.HasPrefix(name, "apply") || name == "starmap" || name == "start_new_thread" {
			if name == "starmap" {
				list = in.elements(pySet{list}, list.text)[0]
			}
			in.apply(args.values[0], pyArguments{values: spread(list)}, e)
			return
		}
		for _, element := range in.elements(pySet{list}, list.text) {
			in.apply(args.values[0], pyArguments{values: []pyValue{element}}, e)
		}
		return
	}
	if f, ok := args.get(-1, "target"); ok && callable(f) { // of a thread or process
		list, _ := args.get(-1, "args")
		in.apply(f, pyArguments{values: spread(list)}, e)
	}
}

// library returns what a call of something in a library returns, and notes what
// it does.
func (in *pyInterpreter) library(name string, args pyArguments, e *pyExpr) pySet {
	if pure, ok := pyPure()[name]; ok {
		return pySet{pure(in, &args, e.source)}
	}
	if strings.HasSuffix(name, ".?") {
		in.emit(Call{Func: "getattr", Kind: Code, Args: []Arg{{Text: e.source, Dynamic: true}}}, e)
		return pySet{{text: e.source}}
	}
	switch name {
	case "builtins.eval", "builtins.exec", "builtins.execfile", "code.InteractiveInterpreter.runsource":
		return in.evaluate(strings.TrimPrefix(name, "builtins."), args, e)
	case "builtins.getattr", "builtins.vars", "operator.attrgetter", "builtins.globals", "builtins.locals":
		return in.reflect(name, args, e)
	case "os.chdir":
		in.chdir(args)
		return pySet{{kind: pyConst, text: "None"}}
	case "functools.partial":
		if len(args.values) == 1 {
			return pySet{args.values[0]}
		}
	case "builtins.map":
		in.handOn("map", args, e)
		return pySet{{text: e.source}}
	}
	if effect, ok := pyEffects()[name]; ok {
		return effect(in, strings.TrimPrefix(name, "builtins."), &args, e)
	}
	if command, ok := strings.CutPrefix(name, "sh."); ok { // the package that makes functions of programs
		words := append([]pyValue{pyKnown(strings.ReplaceAll(command, "_", "-"))}, args.values...)
		in.emit(Call{Func: name, Kind: Run, Args: in.words(words)}, e)
		return pySet{{text: e.source}}
	}
	in.handOn(name, args, e)
	return pySet{{text: e.source}}
}
