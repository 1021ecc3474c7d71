package luabind

import (
	"slices"
	"sync"
	"sync/atomic"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind/compile"
)

// Coverage notes which lines of programs run, by the line table that the VM has of each
// function. Several states may share one, also such as run at the same time. Make one with
// [NewCoverage].
type Coverage struct {
	functions sync.Map // *lua.FunctionProto to *begun

	mu       sync.Mutex
	programs map[string][]*lua.FunctionProto // by name
}

// begun says which lines of one function have, from its first line on.
type begun struct {
	first int
	lines []atomic.Bool
}

// at is the line's; nil: the function has no instructions there.
func (b *begun) at(line int) *atomic.Bool {
	if i := line - b.first; 0 <= i && i < len(b.lines) {
		return &b.lines[i]
	}
	return nil
}

// NewCoverage is one that has seen nothing yet.
func NewCoverage() *Coverage { return &Coverage{programs: map[string][]*lua.FunctionProto{}} }

// add takes in a program that is about to run.
func (c *Coverage) add(p *compile.Program) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, known := c.functions.Load(p.Proto()); known {
		return
	}
	c.programs[p.Name()] = append(c.programs[p.Name()], p.Proto())
	for _, f := range functionsOf(p.Proto()) {
		b := &begun{}
		if lines := f.DbgSourcePositions; len(lines) > 0 {
			b.first = slices.Min(lines)
			b.lines = make([]atomic.Bool, slices.Max(lines)-b.first+1)
		}
		c.functions.Store(f, b)
	}
}

// functionsOf is a function and those that are written in it, in the order of the text.
func functionsOf(f *lua.FunctionProto) []*lua.FunctionProto {
	list := []*lua.FunctionProto{f}
	for _, inner := range f.FunctionPrototypes {
		list = append(list, functionsOf(inner)...)
	}
	return list
}

// place is a line of a function, in which a run is.
type place struct {
	function *lua.FunctionProto
	line     int
}

// note notes the line of the instruction that a thread is about to run, unless the one before
// it, at latest, was of the same. A function in Go is none of ours.
func (c *Coverage) note(L *lua.LState, latest *place) {
	frame, ok := L.GetStack(0)
	if !ok {
		return
	}
	v, err := L.GetInfo("fl", frame, lua.LNil)
	f, ok := v.(*lua.LFunction)
	if err != nil || !ok || f.IsG || *latest == (place{f.Proto, frame.CurrentLine}) {
		return
	}
	*latest = place{f.Proto, frame.CurrentLine}
	if b, ok := c.functions.Load(f.Proto); ok {
		if line := b.(*begun).at(frame.CurrentLine); line != nil {
			line.Store(true)
		}
	}
}

// Lines gives for each line of a program that has instructions whether it has run, in any
// program of that name that has the same functions. A line on which several functions stand has
// run if each of them has, there: a function that is written in one line and never called
// leaves that line out. The instruction that ends each function, which nobody has written,
// counts for none.
func (c *Coverage) Lines(p *compile.Program) map[int]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	ran := map[int]bool{}
	own := functionsOf(p.Proto())
	for i, f := range own {
		lines := map[int]bool{}
		for _, line := range f.DbgSourcePositions[:max(len(f.DbgSourcePositions)-1, 0)] {
			lines[line] = false
		}
		for _, other := range c.programs[p.Name()] {
			functions := functionsOf(other)
			if len(functions) != len(own) {
				continue
			}
			b, _ := c.functions.Load(functions[i])
			for line := range lines {
				if at := b.(*begun).at(line); at != nil && at.Load() {
					lines[line] = true
				}
			}
		}
		for line, has := range lines {
			before, shared := ran[line]
			ran[line] = has && (before || !shared)
		}
	}
	return ran
}
