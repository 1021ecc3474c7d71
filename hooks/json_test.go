package hooks

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzReadJSON holds the reader of JSON to encoding/json: what it takes is the same, and it leaves nothing that is
// right to the other.
func FuzzReadJSON(f *testing.F) {
	files, err := filepath.Glob("../testdata/events/*.json")
	if err != nil || len(files) == 0 {
		f.Fatalf("no events: %v", err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	for _, text := range []string{
		``, ` `, `{`, `[`, `"`, `"\`, `"\"`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{,}`, `{"a" 1}`, `{1:2}`, `[1`, `[1,`, `[1,]`, `[,]`, `[1 2]`, `[1}`, `{"a":1]`,
		`{}`, `[]`, ` { } `, ` [ ] `, "\t{\r\n\"a\" : [ 1 , 2 ] , \"b\" : { } }\n", `{}}`, `{} {}`, `1 2`, "1\x00", "\x00", "{}\v", "[1\u00a0]",
		`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, "{\"\xff\":1,\"\ufffd\":2}", `{"A":1,"a":2}`, `[{"a":{}},{"a":{}}]`,
		`"é ü 𝄞"`, "\"\xff\xfe\"", "\"a\xc3\"", `"\ud834\udd1e \ud834 \udd1e"`, `"\u12"`, `"\x"`, `"\/\b\f\n\r\t\\\""`, "\"a\nb\"", "\"a\x1f\"", "\"\x7f\"", `"\\"`,
		`true`, `tru`, `trueish`, `false`, `fals`, `null`, `nul`, `nulls`, `[true,false,null]`, `True`,
		`0`, `-0`, `00`, `01`, `-`, `--1`, `+1`, `.5`, `1.`, `1.5`, `1e3`, `1E+3`, `1e`, `1e400`, `1e-400`, `-1.50e-2`, `1-2`, `9223372036854775807`, `9223372036854775808`, `1.0`, `9007199254740993.0`, `NaN`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		if measureJSON(text) != nil {
			return
		}
		got, ok := readJSON(text)
		want, err := decodeJSON(text)
		if ok != (err == nil) {
			t.Fatalf("taken: %v; encoding/json says %v", ok, err)
		}
		if diff := cmp.Diff(want, got); ok && diff != "" {
			t.Fatal(diff)
		}
	})
}
