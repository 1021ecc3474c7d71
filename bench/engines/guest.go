package engines

import (
	"encoding/binary"

	"github.com/luahook/luahook/bench/policy"
)

// commandAt is where the guest expects the command, and tableAt where its own data
// begins: an entry of four words for each pattern, a zero word, then the texts.
const (
	commandAt = 16 << 10
	tableAt   = 1 << 10
)

// guest encodes a WebAssembly module with one page of memory and one function, check, which gets the place and
// length of a command and returns 0, or the place and length of a reason in the two halves of an i64.
//
// In the entries: word 0 is the pattern, 1 its length, 2 the reason, 3 its length.
func guest(patterns []string) []byte {
	module := []byte("\x00asm\x01\x00\x00\x00")
	module = section(module, 1, vector([]byte{0x60, 2, i32, i32, 1, i64})) // type 0: (i32, i32) -> i64
	module = section(module, 3, vector([]byte{0}))                         // function 0 is of type 0
	module = section(module, 5, vector([]byte{0, 1}))                      // memory 0: a page or more
	module = section(module, 7, vector(
		append(bytesOf("memory"), 2, 0),
		append(bytesOf("check"), 0, 0)))
	module = section(module, 10, vector(sized(checkCode)))
	segment := append([]byte{0, 0x41}, signed(tableAt)...) // into memory 0, at i32.const tableAt
	segment = append(append(segment, 0x0b), sized(guestData(patterns))...)
	return section(module, 11, vector(segment))
}

// The types and instructions of the guest.
const (
	i32, i64      = 0x7f, 0x7e
	block, loop   = 0x02, 0x03
	void          = 0x40
	ifThen, end   = 0x04, 0x0b
	br, brIf      = 0x0c, 0x0d
	ret           = 0x0f
	get, set      = 0x20, 0x21
	load, load8   = 0x28, 0x2d // each followed by alignment and offset
	load64        = 0x35       // i64.load32_u
	const32       = 0x41
	const64       = 0x42
	eqz, ne       = 0x45, 0x47
	gt, ge        = 0x4b, 0x4f // unsigned
	add32, or64   = 0x6a, 0x84
	shl64         = 0x86
	command, size = 0, 1    // the arguments
	entry, at, j  = 2, 3, 4 // the variables
)

// checkCode is the body of check.
var checkCode = []byte{
	1, 3, i32, // three variables
	const32, 0x80, 0x08, set, entry, // entry = 1024, which is tableAt
	block, void, loop, void, // for each entry
	get, entry, load, 2, 0, eqz, brIf, 1, // until the zero word
	const32, 0, set, at,
	block, void, loop, void, // for each place in the command
	get, at, get, entry, load, 2, 4, add32, get, size, gt, brIf, 1, // where the pattern fits
	const32, 0, set, j,
	block, void, loop, void, // for each byte of the pattern
	get, j, get, entry, load, 2, 4, ge, ifThen, void, // all are equal: found
	get, entry, load64, 2, 8, const64, 32, shl64, get, entry, load64, 2, 12, or64, ret,
	end,
	get, command, get, at, add32, get, j, add32, load8, 0, 0,
	get, entry, load, 2, 0, get, j, add32, load8, 0, 0,
	ne, brIf, 1, // not here
	get, j, const32, 1, add32, set, j, br, 0,
	end, end,
	get, at, const32, 1, add32, set, at, br, 0,
	end, end,
	get, entry, const32, 16, add32, set, entry, br, 0,
	end, end,
	const64, 0,
	end,
}

// guestData returns the table of patterns and reasons.
func guestData(patterns []string) []byte {
	var table, texts []byte
	begin := tableAt + 16*len(patterns) + 4
	word := func(n int) { table = binary.LittleEndian.AppendUint32(table, uint32(n)) }
	text := func(s string) {
		word(begin + len(texts))
		word(len(s))
		texts = append(texts, s...)
	}
	for _, p := range patterns {
		text(p)
		text(policy.Matches + p)
	}
	word(0)
	return append(table, texts...)
}

func section(module []byte, id byte, content []byte) []byte {
	return append(append(module, id), sized(content)...)
}

func vector(items ...[]byte) []byte {
	v := binary.AppendUvarint(nil, uint64(len(items)))
	for _, item := range items {
		v = append(v, item...)
	}
	return v
}

func sized(b []byte) []byte { return append(binary.AppendUvarint(nil, uint64(len(b))), b...) }

func bytesOf(name string) []byte { return sized([]byte(name)) }

// signed encodes a positive number as WebAssembly writes constants, in signed LEB128.
func signed(n int) []byte {
	var b []byte
	for ; n > 0x3f; n >>= 7 {
		b = append(b, byte(n&0x7f)|0x80)
	}
	return append(b, byte(n))
}
