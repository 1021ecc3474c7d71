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

// compiled is what the compiler made of all files: a line for each, an empty one, and
// their code. `go test ./builtins -update` writes it.
//
//go:embed compiled.bin
var compiled string

// code is the compiled form of a file.
type code struct {
	sum  string // of the source
	text string
}

// Compiled returns the compiled form of the file, for compile.Decode. ok is false where it
// was made of another source than the file's.
func (f File) Compiled() (text string, ok bool) {
	c, ok := codes()[f.path]
	if !ok || c.sum != f.checksum() {
		return "", false
	}
	return c.text, true
}

// checksum is that of the file as it is embedded. It is read in parts: a copy of the
// whole would take longer than its checksum.
func (f File) checksum() string {
	file, err := files.Open(f.path)
	if err != nil {
		panic(err) // they are embedded
	}
	return Checksum(file)
}

// Checksum tells whether a source is the one that was compiled: FNV-1a over words of eight
// bytes, which needs no tables. Nobody but us can change either. The source must not fail.
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

// codes are all compiled files by their paths. A line is a path, the checksum of the
// source and the length of the code.
var codes = sync.OnceValue(func() map[string]code {
	list, texts, _ := strings.Cut(compiled, "\n\n")
	files := make(map[string]code, strings.Count(list, "\n")+1)
	for line := range strings.SplitSeq(list, "\n") {
		path, line, _ := strings.Cut(line, " ")
		sum, length, _ := strings.Cut(line, " ")
		n, err := strconv.Atoi(length)
		if err != nil || n > len(texts) {
			break // cut off; what is missing is compiled when it is needed
		}
		files[path] = code{sum, texts[:n]}
		texts = texts[n:]
	}
	return files
})
