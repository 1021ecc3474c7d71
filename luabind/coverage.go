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
	functions sync.Map // *lua.FunctionProto to *lineCounts

	mu       sync.Mutex
	programs map[string][]*lua.FunctionProto // by name
}

// lineCounts are how often lines of one function have begun, from its first line on.
type lineCounts struct {
	first  int
	counts []atomic.Uint64
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
		l := &lineCounts{}
		if lines := f.DbgSourcePositions; len(lines) > 0 {
			l.first = slices.Min(lines)
			l.counts = make([]atomic.Uint64, slices.Max(lines)-l.first+1)
		}
		c.functions.Store(f, l)
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

// note counts the line of the instruction that a thread is about to run, unless the one before
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
	if l, ok := c.functions.Load(f.Proto); ok {
		l := l.(*lineCounts)
		if at := frame.CurrentLine - l.first; 0 <= at && at < len(l.counts) {
			l.counts[at].Add(1)
		}
	}
}

// Lines gives for each line of a program that has instructions how often it has begun, in all
// programs of that name that have run and have the same functions. A line on which several
// functions stand has begun as often as the one of them that ran least: a function that is
// written in one line and never called leaves that line at 0. The instruction that ends each
// function, which nobody has written, counts for none.
func (c *Coverage) Lines(p *compile.Program) map[int]uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	lines := map[int]uint64{}
	own := functionsOf(p.Proto())
	var seen [][]*lua.FunctionProto
	for _, other := range c.programs[p.Name()] {
		if functions := functionsOf(other); len(functions) == len(own) {
			seen = append(seen, functions)
		}
	}
	for i, f := range own {
		counts := map[int]uint64{}
		for _, line := range f.DbgSourcePositions[:max(len(f.DbgSourcePositions)-1, 0)] {
			counts[line] = 0
		}
		for line := range counts {
			for _, functions := range seen {
				if l, ok := c.functions.Load(functions[i]); ok {
					l := l.(*lineCounts)
					if at := line - l.first; 0 <= at && at < len(l.counts) {
						counts[line] += l.counts[at].Load()
					}
				}
			}
			if n, shared := lines[line]; shared {
				counts[line] = min(n, counts[line])
			}
			lines[line] = counts[line]
		}
	}
	return lines
}
