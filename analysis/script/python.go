package script

// Python returns what a program in Python, 2 or 3, does.
func Python(source string) Program {
	in := &pyInterpreter{env: new(pyEnv), work: pyMaxWork, seen: map[string]int{}}
	if len(source) > maxSource {
		in.program.TooComplex = true
		return in.program
	}
	in.code(source, 1)
	// Those that nothing calls may still be called by what isn't understood.
	for i := 0; i < len(in.functions); i++ {
		if f := in.functions[i]; !f.called {
			in.invoke(f, pyArguments{unknown: true}, f.name)
		}
	}
	return in.program
}

const (
	maxSource       = 64 << 10 // bytes of a program
	maxProgramCalls = 1000     // of a program
	pyMaxWork       = 100_000  // steps
	pyMaxCalls      = 30       // of functions in functions, and of code in code
)

// pyInterpreter follows a program without running it.
type pyInterpreter struct {
	program   Program
	seen      map[string]int // the calls in program, by all that makes them differ
	work      int            // what is left of pyMaxWork
	env       *pyEnv
	changes   []pyChange
	functions []*pyFunction
	methods   map[string]*pyFunction
	inClass   bool
	dir       *Arg // where os.chdir went
	depth     int  // of functions and code
	unrolled  bool // inside a loop that is followed element by element
	nested    int  // branches and loops around
	returned  pySet
	fed       map[int]bool // the calls, from 1, that are known to be given something to read
}

// pyFunction is a function of the program itself.
type pyFunction struct {
	name   string
	params []pyParam
	body   []*pyStmt
	value  *pyExpr // of a lambda
	env    *pyEnv  // where it's defined
	method bool
	called bool
	active int // calls of it around
	spent  int // steps that it took so far
}

// spend takes n steps. It returns false when there are none left.
func (in *pyInterpreter) spend(n int) bool {
	if in.work -= n; in.work < 0 {
		in.program.TooComplex = true
	}
	return in.work >= 0
}

// code follows source, which is at the given line of the program.
func (in *pyInterpreter) code(source string, line int) {
	if in.depth++; in.depth <= pyMaxCalls && in.spend(len(source)/16) {
		p := newPyParser(source, line, 0)
		in.block(p.program())
		in.program.TooComplex = in.program.TooComplex || p.complex
	} else {
		in.program.TooComplex = true
	}
	in.depth--
}

func (in *pyInterpreter) block(list []*pyStmt) {
	for _, stmt := range list {
		if !in.spend(1) {
			return
		}
		in.stmt(stmt)
	}
}

func (in *pyInterpreter) stmt(stmt *pyStmt) {
	switch stmt.act {
	case pyDo:
		in.eval(stmt.value)
	case pyAssign:
		in.assign(stmt)
	case pyImport:
		for _, bound := range stmt.imports {
			in.bind(bound)
		}
	case pyDef:
		f := &pyFunction{name: stmt.name, params: stmt.params, body: stmt.blocks[0], env: in.env, method: in.inClass}
		in.define(f)
		in.set(stmt.name, pySet{{kind: pyOwn, text: stmt.name, function: f}})
	case pyClass:
		in.class(stmt)
	case pyBranch:
		blocks := make([]func(), len(stmt.blocks))
		for i, block := range stmt.blocks {
			blocks[i] = func() { in.block(block) }
		}
		in.nested++
		in.alternatives(stmt.all, blocks...)
		in.nested--
	case pyLoop:
		in.nested++
		in.loop(stmt)
		in.nested--
	case pyBlock:
		in.block(stmt.blocks[0])
	case pyReturn:
		in.returned = in.returned.union(in.eval(stmt.value), stmt.value.source)
	case pyGlobal:
		for _, bound := range stmt.imports {
			if in.env.global == nil {
				in.env.global = map[string]bool{}
			}
			in.env.global[bound.name] = true
		}
	}
}

// define notes a function, so that it's looked into even if it's not called.
func (in *pyInterpreter) define(f *pyFunction) {
	in.functions = append(in.functions, f)
	if f.method {
		if in.methods == nil {
			in.methods = map[string]*pyFunction{}
		}
		in.methods[f.name] = f
	}
}

// class follows the body of a class, the names in which aren't variables
// outside of it.
func (in *pyInterpreter) class(stmt *pyStmt) {
	if stmt.value != nil {
		in.eval(stmt.value)
	}
	env, inClass := in.env, in.inClass
	in.env, in.inClass = &pyEnv{parent: env}, true
	in.block(stmt.blocks[0])
	value := pyValue{text: stmt.name}
	if begin := in.env.vars["__init__"]; len(begin) == 1 && begin[0].kind == pyOwn {
		value = begin[0]
	}
	in.env, in.inClass = env, inClass
	in.set(stmt.name, pySet{value})
}

// bind binds what an import does.
func (in *pyInterpreter) bind(bound pyBound) {
	module, _ := cutLast(bound.target)
	if bound.name != "*" {
		in.set(bound.name, pySet{pyNamed(pyFullName(bound.target))})
		return
	}
	for _, name := range pyExported()[pyFullName(module)] {
		in.set(name, pySet{pyNamed(pyFullName(module) + "." + name)})
	}
}

func (in *pyInterpreter) assign(stmt *pyStmt) {
	values := in.eval(stmt.value)
	for _, target := range stmt.targets {
		assigned := values
		if stmt.text != "" {
			assigned = in.operate(stmt.text[:len(stmt.text)-1], in.eval(target), values, target)
		}
		in.store(target, assigned)
	}
}

// store gives a target its values. It may be several, each of which gets an
// element.
func (in *pyInterpreter) store(target *pyExpr, values pySet) {
	switch target.op {
	case pyVariable:
		in.set(target.text, values)
	case pyList:
		for i, part := range target.parts {
			var parts pySet
			for _, value := range values {
				parts = parts.union(pySet{value.at(i, len(target.parts), part.source)}, part.source)
			}
			in.store(part, parts)
		}
	case pyStarred:
		in.store(target.parts[0], pySet{{text: target.source}})
	case pyIndex, pySlice, pyAttribute:
		in.eval(target)
		if base := target.parts[0]; base.op != pyVariable {
			return
		} else if target.op == pyAttribute {
			in.attribute(target.source, values)
		} else if _, ok := in.lookup(base.text); ok {
			in.set(base.text, pySet{{text: base.text}})
		}
	}
}

// attribute gives "x.y" its values, besides those that it has: other
// functions may set it too.
func (in *pyInterpreter) attribute(name string, values pySet) {
	root := in.env
	for root.parent != nil {
		root = root.parent
	}
	in.put(pySlot{root, name}, root.vars[name].union(values, name))
}

// at returns the element of v for the place i of n.
func (v *pyValue) at(i, n int, source string) pyValue {
	if v.kind != pyItems || len(v.items) != n {
		return pyValue{text: source}
	}
	for _, item := range v.items {
		if item.rest {
			return pyValue{text: source}
		}
	}
	return v.items[i]
}
