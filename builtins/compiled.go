package builtins

import (
	_ "embed"
	"encoding/binary"
	"io"
	"math/bits"
	"strconv"
	"strings"
	"sync"
)

// compiled is the compiled form of all files: a line for each, behind an empty one, another empty line, and their
// code. A line is a path, the checksum of the source, and where the code begins and ends.
// `go test ./builtins -update` writes it.
//
//go:embed compiled.bin
var compiled string

// Compiled returns the compiled form of the file, for compile.Decode. ok is false if it was made from another
// source; a file that has none is compiled when it is needed.
func (f File) Compiled() (text string, ok bool) {
	list, code, _ := strings.Cut(compiled, "\n\n")
	_, line, _ := strings.Cut(list, "\n"+f.path+" ")
	line, _, _ = strings.Cut(line, "\n")
	sum, place, _ := strings.Cut(line, " ")
	begins, ends, _ := strings.Cut(place, " ")
	from, failed := strconv.Atoi(begins)
	to, failedToo := strconv.Atoi(ends)
	if failed != nil || failedToo != nil || from < 0 || to < from || to > len(code) || sum != f.checksum() {
		return "", false
	}
	return code[from:to], true
}

// checksum returns the checksum of the embedded file. The file is read in parts: copying the whole would take
// longer than the checksum.
func (f File) checksum() string {
	file, err := files.Open(f.path)
	if err != nil {
		panic(err) // they are embedded
	}
	return Checksum(file)
}

var blocks = sync.Pool{New: func() any { return new([1 << 10]byte) }}

// Checksum returns the checksum of a source, to compare it with the compiled one: FNV-1a over words of eight
// bytes, which needs no tables. Both are part of the program, so nobody else can change them. Reading the source
// must not fail.
func Checksum(source io.Reader) string {
	sum, size := uint64(14695981039346656037), 0
	add := func(word uint64) { sum = bits.RotateLeft64((sum^word)*1099511628211, 29) }
	block := blocks.Get().(*[1 << 10]byte)
	defer blocks.Put(block)
	for {
		n, err := io.ReadFull(source, block[:])
		size += n
		rest := block[:n]
		for ; len(rest) >= 8; rest = rest[8:] {
			add(binary.LittleEndian.Uint64(rest))
		}
		for _, b := range rest {
			add(uint64(b))
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			break
		} else if err != nil {
			panic(err)
		}
	}
	add(uint64(size))
	return strconv.FormatUint(sum, 16)
}
