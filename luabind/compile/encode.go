package compile

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	lua "github.com/yuin/gopher-lua"
)

// compiledFormat is the version of what Encode writes: it changes with the layout below
// and with the VM's instructions.
const compiledFormat = 2

// Kinds of constants.
const (
	constantNil = iota
	constantFalse
	constantTrue
	constantNumber
	constantText // and what comes after: the place in the list of texts
)

var errNotCompiled = errors.New("it is not a compiled program of this version")

// Decode restores a program that [Program.Encode] has written, under a name. The texts of
// the program are parts of code. The VM trusts the instructions that it is given: code
// must come from a place that nothing else writes to.
func Decode(name, code string) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil { // code is cut off, or isn't what it says it is
			p, err = nil, fmt.Errorf("%w: %v", errNotCompiled, r)
		}
	}()
	if code == "" || code[0] != compiledFormat || textsOffset == 0 {
		return nil, errNotCompiled
	}
	room := rooms.Get().(*room)
	defer rooms.Put(room)
	d := decoder{name: name, code: code, pos: 1}
	n := d.number()
	room.texts, room.values = slices.Grow(room.texts[:0], n)[:n], slices.Grow(room.values[:0], n)[:n]
	d.texts, d.values = room.texts, room.values
	for i := range d.texts {
		d.texts[i], d.values[i] = d.bytes(d.number()), nil
	}
	d.arena = arena{
		functions: make([]lua.FunctionProto, d.number()), inner: make([]*lua.FunctionProto, d.number()),
		code: make([]uint32, d.number()), constants: make([]lua.LValue, d.number()),
		calls: make([]lua.DbgCall, d.number()), upvalues: make([]string, d.number()),
	}
	d.arena.lines = make([]int, len(d.arena.code))
	d.arena.texts = make([]string, len(d.arena.constants))
	proto := d.function()
	if d.pos != len(code) {
		return nil, errNotCompiled
	}
	return &Program{name: name, proto: proto}, nil
}

// room is for the texts of a program while it is decoded: files are decoded one after the other.
type room struct {
	texts  []string
	values []lua.LValue
}

var rooms = sync.Pool{New: func() any { return new(room) }}

// arena is what all functions of a program take, made in one go.
type arena struct {
	functions []lua.FunctionProto
	inner     []*lua.FunctionProto
	code      []uint32
	lines     []int // as many as code
	constants []lua.LValue
	texts     []string // as many as constants
	calls     []lua.DbgCall
	upvalues  []string
}

// take cuts n off the front.
func take[T any](from *[]T, n int) []T {
	part := (*from)[:n:n]
	*from = (*from)[n:]
	return part
}

type decoder struct {
	name   string
	code   string
	pos    int // of what comes next in code
	texts  []string
	values []lua.LValue // of texts, those that were needed so far
	arena  arena
}

func (d *decoder) number() int {
	var n uint
	for shift := 0; ; shift += 7 {
		b := d.code[d.pos]
		d.pos++
		n |= uint(b&0x7f) << shift
		if b < 0x80 {
			return int(n)
		}
	}
}

func (d *decoder) bytes(n int) string {
	part := d.code[d.pos : d.pos+n]
	d.pos += n
	return part
}

func (d *decoder) text() string { return d.texts[d.number()] }

func (d *decoder) function() *lua.FunctionProto {
	p := &take(&d.arena.functions, 1)[0]
	p.SourceName = d.name
	p.LineDefined, p.LastLineDefined = d.number(), d.number()
	p.NumParameters, p.IsVarArg, p.NumUsedRegisters = uint8(d.number()), uint8(d.number()), uint8(d.number())
	d.instructions(p)
	p.Constants = take(&d.arena.constants, d.number())
	texts := take(&d.arena.texts, len(p.Constants))
	for i := range p.Constants {
		p.Constants[i], texts[i] = d.constant()
	}
	*stringConstants(p) = texts
	p.DbgUpvalues = take(&d.arena.upvalues, d.number())
	for i := range p.DbgUpvalues {
		p.DbgUpvalues[i] = d.text()
	}
	p.NumUpvalues = uint8(len(p.DbgUpvalues))
	p.DbgCalls = take(&d.arena.calls, d.number())
	pc := 0
	for i := range p.DbgCalls {
		pc += d.number()
		p.DbgCalls[i] = lua.DbgCall{Name: d.text(), Pc: pc}
	}
	p.FunctionPrototypes = take(&d.arena.inner, d.number())
	for i := range p.FunctionPrototypes {
		p.FunctionPrototypes[i] = d.function()
	}
	return p
}

// instructions reads the code, and the lines that it came from as runs of the same line.
func (d *decoder) instructions(p *lua.FunctionProto) {
	n := d.number()
	p.Code = take(&d.arena.code, n)
	words := d.bytes(4 * n)
	for i := range p.Code {
		w := words[4*i : 4*i+4]
		p.Code[i] = uint32(w[0]) | uint32(w[1])<<8 | uint32(w[2])<<16 | uint32(w[3])<<24
	}
	p.DbgSourcePositions = take(&d.arena.lines, n)
	line := p.LineDefined
	for i := 0; i < n; {
		run, step := d.number(), d.number()
		line += int(uint(step)>>1) ^ -(step & 1)
		for end := i + run; i < end; i++ {
			p.DbgSourcePositions[i] = line
		}
	}
}

func (d *decoder) constant() (lua.LValue, string) {
	switch kind := d.number(); kind {
	case constantNil:
		return lua.LNil, ""
	case constantFalse:
		return lua.LFalse, ""
	case constantTrue:
		return lua.LTrue, ""
	case constantNumber:
		bits := binary.LittleEndian.Uint64([]byte(d.bytes(8)))
		return lua.LNumber(math.Float64frombits(bits)), ""
	default:
		i := kind - constantText
		if d.values[i] == nil {
			d.values[i] = lua.LString(d.texts[i])
		}
		return d.values[i], d.texts[i]
	}
}

// textsOffset is where a function keeps the texts of its constants once more, which the
// VM reads and nothing else can set; 0 where this version of the VM has no such place.
var textsOffset = func() uintptr {
	f, ok := reflect.TypeFor[lua.FunctionProto]().FieldByName("stringConstants")
	if !ok || f.Type != reflect.TypeFor[[]string]() {
		return 0
	}
	return f.Offset
}()

func stringConstants(p *lua.FunctionProto) *[]string {
	return (*[]string)(unsafe.Add(unsafe.Pointer(p), textsOffset))
}

// Encode writes a compiled program as [Decode] reads it, without its name and without
// those of its locals, which only the debug library would look for. The same program gives
// the same bytes.
func (p *Program) Encode() ([]byte, error) {
	e := encoder{places: map[string]int{}}
	if err := e.function(p.proto); err != nil {
		return nil, err
	}
	out := []byte{compiledFormat}
	out = binary.AppendUvarint(out, uint64(len(e.texts)))
	for _, text := range e.texts {
		out = binary.AppendUvarint(out, uint64(len(text)))
		out = append(out, text...)
	}
	var all total
	all.add(p.proto)
	for _, n := range []int{all.functions, all.functions - 1, all.code, all.constants, all.calls, all.upvalues} {
		out = binary.AppendUvarint(out, uint64(n))
	}
	return append(out, e.out...), nil
}

// total is how much room the functions of a program take.
type total struct{ functions, code, constants, calls, upvalues int }

func (t *total) add(p *lua.FunctionProto) {
	t.functions++
	t.code += len(p.Code)
	t.constants += len(p.Constants)
	t.calls += len(p.DbgCalls)
	t.upvalues += len(p.DbgUpvalues)
	for _, inner := range p.FunctionPrototypes {
		t.add(inner)
	}
}

type encoder struct {
	out    []byte
	texts  []string
	places map[string]int // in texts
}

func (e *encoder) number(n int) { e.out = binary.AppendUvarint(e.out, uint64(n)) }

func (e *encoder) place(text string) int {
	i, ok := e.places[text]
	if !ok {
		i = len(e.texts)
		e.places[text] = i
		e.texts = append(e.texts, text)
	}
	return i
}

func (e *encoder) function(p *lua.FunctionProto) error {
	for _, n := range []int{p.LineDefined, p.LastLineDefined, int(p.NumParameters), int(p.IsVarArg), int(p.NumUsedRegisters)} {
		e.number(n)
	}
	e.instructions(p)
	e.number(len(p.Constants))
	for _, c := range p.Constants {
		if err := e.constant(c); err != nil {
			return err
		}
	}
	e.number(len(p.DbgUpvalues))
	for _, name := range p.DbgUpvalues {
		e.number(e.place(name))
	}
	e.number(len(p.DbgCalls))
	pc := 0
	for _, call := range p.DbgCalls {
		if call.Pc < pc {
			return fmt.Errorf("%s: a call at %d comes after one at %d", p.SourceName, call.Pc, pc)
		}
		e.number(call.Pc - pc)
		e.number(e.place(call.Name))
		pc = call.Pc
	}
	e.number(len(p.FunctionPrototypes))
	for _, inner := range p.FunctionPrototypes {
		if err := e.function(inner); err != nil {
			return err
		}
	}
	return nil
}

func (e *encoder) instructions(p *lua.FunctionProto) {
	e.number(len(p.Code))
	for _, instruction := range p.Code {
		e.out = binary.LittleEndian.AppendUint32(e.out, instruction)
	}
	line := p.LineDefined
	for i := 0; i < len(p.Code); {
		first := i
		for i++; i < len(p.Code) && p.DbgSourcePositions[i] == p.DbgSourcePositions[first]; i++ {
		}
		step := p.DbgSourcePositions[first] - line
		line += step
		e.number(i - first)
		e.number(int(uint(step)<<1) ^ step>>63)
	}
}

func (e *encoder) constant(c lua.LValue) error {
	switch c := c.(type) {
	case *lua.LNilType:
		e.number(constantNil)
	case lua.LBool:
		if c {
			e.number(constantTrue)
		} else {
			e.number(constantFalse)
		}
	case lua.LNumber:
		e.number(constantNumber)
		e.out = binary.LittleEndian.AppendUint64(e.out, math.Float64bits(float64(c)))
	case lua.LString:
		e.number(constantText + e.place(string(c)))
	default:
		return fmt.Errorf("a %s can't be a constant", c.Type())
	}
	return nil
}
