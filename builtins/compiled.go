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

// compiled is the compiled form of all files: a line for each, an empty line, and
// their code. `go test ./builtins -update` writes it.
//
//go:embed compiled.bin
var compiled string

// code is the compiled form of a file.
type code struct {
	sum  string // of the source
	text string
}

// Compiled returns the compiled form of the file, for compile.Decode. ok is false if it was made from another
// source.
func (f File) Compiled() (text string, ok bool) {
	c, ok := codes()[f.path]
	if !ok || c.sum != f.checksum() {
		return "", false
	}
	return c.text, true
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

// Checksum returns the checksum of a source, to compare it with the compiled one: FNV-1a over words of eight
// bytes, which needs no tables. Both are part of the program, so nobody else can change them. Reading the source
// must not fail.
func Checksum(source io.Reader) string {
	sum, size := uint64(14695981039346656037), 0
	add := func(word uint64) { sum = bits.RotateLeft64((sum^word)*1099511628211, 29) }
	for block := make([]byte, 1<<10); ; {
		n, err := io.ReadFull(source, block)
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

// codes maps the paths of all compiled files. A line is a path, the checksum of the source and the length of the
// code.
var codes = sync.OnceValue(func() map[string]code {
	list, texts, _ := strings.Cut(compiled, "\n\n")
	files := make(map[string]code, strings.Count(list, "\n")+1)
	for line := range strings.SplitSeq(list, "\n") {
		path, line, _ := strings.Cut(line, " ")
		sum, length, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(length)
		if err != nil || n > len(texts) {
			break // cut off; a missing file is compiled when it is needed
		}
		files[path] = code{sum, texts[:n]}
		texts = texts[n:]
	}
	return files
})
