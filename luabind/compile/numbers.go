package compile

import (
	"encoding/binary"
	"strconv"
	"unsafe"
)

// littleEndian reports whether this machine keeps numbers as compiled programs have them.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// words are the numbers of 4 bytes that a text consists of, in its own place where this machine can read them there.
// Pages that a process needn't write to, or doesn't look at, cost it nothing.
func words(text string) []uint32 {
	if own := inPlace[uint32](text, littleEndian); own != nil {
		return own
	}
	list := make([]uint32, len(text)/wordSize)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32([]byte(text[i*wordSize:]))
	}
	return list
}

// lines are the numbers of 8 bytes that a text consists of, as words are.
func lines(text string) []int {
	if own := inPlace[int](text, littleEndian && strconv.IntSize == 8*lineSize); own != nil {
		return own
	}
	list := make([]int, len(text)/lineSize)
	for i := range list {
		list[i] = int(binary.LittleEndian.Uint64([]byte(text[i*lineSize:])))
	}
	return list
}

// inPlace is a text seen as a list of numbers; nil where it can't be.
func inPlace[T uint32 | int](text string, fits bool) []T {
	start, size := unsafe.Pointer(unsafe.StringData(text)), unsafe.Sizeof(T(0))
	if !fits || uintptr(start)%size != 0 {
		return nil
	}
	return unsafe.Slice((*T)(start), uintptr(len(text))/size)
}
