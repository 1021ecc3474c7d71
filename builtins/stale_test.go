package builtins

import (
	"bytes"
	"testing"
)

// An edited file is compiled again: the running code is always that of the file.
func TestCompiledOfAnotherSource(t *testing.T) {
	f, _ := Find(Default)
	known := codes()[f.path]
	defer func() { codes()[f.path] = known }()
	source := f.read()
	codes()[f.path] = code{Checksum(bytes.NewReader(source)), "its code"}
	if text, ok := f.Compiled(); !ok || text != "its code" {
		t.Errorf("got %q, %v for the source that was compiled", text, ok)
	}
	codes()[f.path] = code{Checksum(bytes.NewReader(append(source, '\n'))), "its code"}
	if _, ok := f.Compiled(); ok {
		t.Error("the compiled form of another source is taken for the file's")
	}
}
