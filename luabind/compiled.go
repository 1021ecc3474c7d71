package luabind

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
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
// must come from a place where nobody else writes.
func Decode(name, code string) (p *Program, err error) {
	defer func() {
		if r := recover(); r != nil { // code is cut off, or isn't what it says it is
			p, err = nil, fmt.Errorf("%w: %v", errNotCompiled, r)
		}
	}()
	if code == "" || code[0] != compiledFormat || textsOffset == 0 {
		return nil, errNotCompiled
	}
	d := decoder{name: name, code: code, pos: 1}
	d.texts = make([]string, d.number())
	for i := range d.texts {
		d.texts[i] = d.bytes(d.number())
	}
	d.values = make([]lua.LValue, len(d.texts))
	d.room = room{
		functions: make([]lua.FunctionProto, d.number()), inner: make([]*lua.FunctionProto, d.number()),
		code: make([]uint32, d.number()), constants: make([]lua.LValue, d.number()),
		calls: make([]lua.DbgCall, d.number()), upvalues: make([]string, d.number()),
	}
	d.room.lines = make([]int, len(d.room.code))
	d.room.texts = make([]string, len(d.room.constants))
	proto := d.function()
	if d.pos != len(code) {
		return nil, errNotCompiled
	}
	return &Program{name: name, proto: proto}, nil
}

// room is what all functions of a program take, made in one go.
type room struct {
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
	room   room
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
	p := &take(&d.room.functions, 1)[0]
	p.SourceName = d.name
	p.LineDefined, p.LastLineDefined = d.number(), d.number()
	p.NumParameters, p.IsVarArg, p.NumUsedRegisters = uint8(d.number()), uint8(d.number()), uint8(d.number())
	d.instructions(p)
	p.Constants = take(&d.room.constants, d.number())
	texts := take(&d.room.texts, len(p.Constants))
	for i := range p.Constants {
		p.Constants[i], texts[i] = d.constant()
	}
	*stringConstants(p) = texts
	p.DbgUpvalues = take(&d.room.upvalues, d.number())
	for i := range p.DbgUpvalues {
		p.DbgUpvalues[i] = d.text()
	}
	p.NumUpvalues = uint8(len(p.DbgUpvalues))
	p.DbgCalls = take(&d.room.calls, d.number())
	pc := 0
	for i := range p.DbgCalls {
		pc += d.number()
		p.DbgCalls[i] = lua.DbgCall{Name: d.text(), Pc: pc}
	}
	p.FunctionPrototypes = take(&d.room.inner, d.number())
	for i := range p.FunctionPrototypes {
		p.FunctionPrototypes[i] = d.function()
	}
	return p
}

// instructions reads the code, and the lines that it came from as runs of the same line.
func (d *decoder) instructions(p *lua.FunctionProto) {
	n := d.number()
	p.Code = take(&d.room.code, n)
	words := d.bytes(4 * n)
	for i := range p.Code {
		w := words[4*i : 4*i+4]
		p.Code[i] = uint32(w[0]) | uint32(w[1])<<8 | uint32(w[2])<<16 | uint32(w[3])<<24
	}
	p.DbgSourcePositions = take(&d.room.lines, n)
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
