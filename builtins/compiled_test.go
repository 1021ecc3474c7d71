package builtins_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/luabind"
)

// TestCompiled holds compiled.bin against the sources and the compiler; `go test ./builtins
// -update` writes it.
func TestCompiled(t *testing.T) {
	const file = "compiled.bin"
	want := compileAll(t)
	if *update {
		if err := os.WriteFile(file, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is not what the sources and the compiler say; run `go test ./builtins -update`", file)
	}
	for path, f := range luaFiles() {
		code, ok := f.Compiled()
		if !ok {
			t.Errorf("%s has no compiled form", path)
		} else if _, err := luabind.Decode(path, code); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// luaFiles are the files of all built-ins by their paths.
func luaFiles() map[string]builtins.File {
	found := map[string]builtins.File{}
	for _, name := range builtins.Names() {
		f, _ := builtins.Find(name)
		found[f.Path()] = f
		for _, f := range builtins.Files(name) {
			found[f.Path()] = f
		}
	}
	return found
}

func compileAll(t *testing.T) []byte {
	t.Helper()
	var list strings.Builder
	var codes []byte
	files := luaFiles()
	for _, path := range slices.Sorted(maps.Keys(files)) {
		source := files[path].Source()
		program, err := luabind.Compile(path, source)
		if err != nil {
			t.Fatal(err)
		}
		code, err := program.Encode()
		if err != nil {
			t.Fatal(err)
		}
		sum := crc32.Checksum([]byte(source), crc32.MakeTable(crc32.Castagnoli))
		fmt.Fprintf(&list, "%s %d-%x %d\n", path, len(source), sum, len(code))
		codes = append(codes, code...)
	}
	return append([]byte(list.String()+"\n"), codes...)
}
