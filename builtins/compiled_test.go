package builtins_test

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/luabind/compile"
)

// TestMain writes compiled.bin and registered.txt after the tests if they are run with -update, because the
// tests may have written Lua, too.
func TestMain(m *testing.M) {
	status := m.Run()
	if *update && status == 0 {
		if err := errors.Join(writeCompiled(), writeRegistered()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			status = 1
		}
	}
	os.Exit(status)
}

const compiledFile = "compiled.bin"

func writeCompiled() error {
	all, err := compileAll()
	if err != nil {
		return err
	}
	return os.WriteFile(compiledFile, all, 0o644)
}

// TestCompiled compares compiled.bin with the sources and the compiler; `go test ./builtins -update` writes it.
func TestCompiled(t *testing.T) {
	if *update {
		t.Skip("it is written when the tests are over")
	}
	want, err := compileAll()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(compiledFile)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("%s is not what the sources and the compiler say; run `go test ./builtins -update`", compiledFile)
	}
	for path, f := range luaFiles() {
		code, ok := f.Compiled()
		if !ok {
			t.Errorf("%s has no compiled form", path)
		} else if _, err := compile.Decode(path, code); err != nil {
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

// examples are the fields of safety-guard's rules that nothing but its tests and its documentation look at.
var examples = regexp.MustCompile(`(?m)^    (?:looks_at|suggestion|blocked|passes) = .*(?:\n      .*)*`)

// withoutExamples is the source of a file as it is compiled: with empty lines in the place of the examples of rules, which
// each call that asks a file of rules would read.
func withoutExamples(path, source string) string {
	if dir := filepath.Dir(path); dir != "safety-guard/rules" && dir != "safety-guard/packs" {
		return source
	}
	return examples.ReplaceAllStringFunc(source, func(field string) string { return strings.Repeat("\n", strings.Count(field, "\n")) })
}

// TestExamplesAreNotCompiled compares the rules as they are compiled with those in the sources.
func TestExamplesAreNotCompiled(t *testing.T) {
	want := readRules(t)
	got := rulesOf(t, func(name, source string) string {
		return withoutExamples(filepath.Join("safety-guard", filepath.FromSlash(strings.ReplaceAll(name, ".", "/"))), source)
	})
	for i := range want {
		r := &want[i]
		if r.LooksAt == "" || r.Suggestion == "" || len(r.Blocked) == 0 || len(r.Passes) == 0 {
			t.Errorf("%s: the source has no examples", r.ID)
		}
		r.LooksAt, r.Suggestion, r.Blocked, r.Passes = "", "", nil, nil
	}
	if !reflect.DeepEqual(got, want) {
		t.Error("without examples, the rules are others")
	}
}

// compileAll compiles the files in the folder as they are now.
func compileAll() ([]byte, error) {
	var list strings.Builder
	var codes []byte
	for _, path := range slices.Sorted(maps.Keys(luaFiles())) {
		source, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		program, err := compile.Script(path, withoutExamples(path, string(source)))
		if err != nil {
			return nil, err
		}
		code, err := program.Encode()
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&list, "\n%s %s %d %d", path, builtins.Checksum(bytes.NewReader(source)), len(codes), len(codes)+len(code))
		codes = append(codes, code...)
	}
	return append([]byte(list.String()+"\n\n"), codes...), nil
}
