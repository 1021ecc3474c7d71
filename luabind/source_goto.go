package luabind

import lua "github.com/yuin/gopher-lua"

// The parts of an instruction, as gopher-lua encodes it.
const (
	opShift, opAShift, opAMask = 26, 18, 0xff
	opSbxMask, opSbxZero       = 1<<18 - 1, 1<<17 - 1
)

// closeBeforeGoto mends what the compiler makes of goto. It lets one close all
// variables of the function that closures hold, also those that live on where it
// goes: from then on the function and its closures would each have their own, and a
// counter that a closure changes stands still. What has to be closed are the
// variables that are out of scope where the jump leads.
//
// The instruction for all variables is one that nothing else in a function with goto
// can have: its first register is never left, see gotoLocal.
func closeBeforeGoto(p *lua.FunctionProto) {
	if p.NumParameters == 0 && p.IsVarArg == 0 && (len(p.DbgLocals) == 0 || p.DbgLocals[0].Name != gotoName) {
		return // no goto, or it would have that register
	}
	for pc := 0; pc+1 < len(p.Code); pc++ {
		inst := p.Code[pc]
		switch int(inst >> opShift) {
		case lua.OP_CLOSURE:
			pc += int(p.FunctionPrototypes[inst&opSbxMask].NumUpvalues)
		case lua.OP_CLOSE:
			target := pc + 2
			switch jump := p.Code[pc+1]; int(jump >> opShift) {
			case lua.OP_JMP:
				target += int(jump&opSbxMask) - opSbxZero
			case lua.OP_NOP: // a jump to the next instruction
			default:
				continue
			}
			if inst>>opAShift&opAMask == 0 {
				p.Code[pc] = inst | uint32(min(alive(p, target), opAMask))<<opAShift
			}
		}
	}
}

// alive is how many variables are in scope at an instruction. They have the first
// registers of the function.
func alive(p *lua.FunctionProto, pc int) int {
	n := 0
	for _, local := range p.DbgLocals {
		if local.StartPc <= pc && pc <= local.EndPc {
			n++
		}
	}
	return n
}
