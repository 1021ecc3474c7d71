package luabind

import (
	"encoding/binary"
	"fmt"
	"math"

	lua "github.com/yuin/gopher-lua"
)

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
