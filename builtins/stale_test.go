package builtins

import (
	"bytes"
	"testing"
)

// An edited file is compiled again: the running code is always that of the file.
func TestCompiledOfAnotherSource(t *testing.T) {
	f, _ := Find(Default)
	defer func(as string) { compiled = as }(compiled)
	compiledOf := func(source []byte) string {
		return "\na.lua 0 0 2\n" + f.path + " " + Checksum(bytes.NewReader(source)) + " 2 10\nb.lua 0 10 11\n\na.its codeb"
	}
	source := f.read()
	compiled = compiledOf(source)
	if text, ok := f.Compiled(); !ok || text != "its code" {
		t.Errorf("got %q, %v for the source that was compiled", text, ok)
	}
	compiled = compiledOf(append(source, '\n'))
	if _, ok := f.Compiled(); ok {
		t.Error("the compiled form of another source is taken for the file's")
	}
	compiled = compiledOf(source)[:40]
	if _, ok := f.Compiled(); ok {
		t.Error("a part of the compiled form is taken for the file's")
	}
}
