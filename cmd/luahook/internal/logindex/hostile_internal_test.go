package logindex

import (
	"bytes"
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex/logindextest"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

const aKey = "0123456789abcdef"

// aKept is an index file, and where in it is what.
func aKept(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "some.jsonl")
	var text []byte
	for i := range 30 {
		text = logindextest.Line(text, i*41, false)
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	file, err := audit.OpenPath(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	half := int64(bytes.IndexByte(text[len(text)/2:], '\n') + 1 + len(text)/2)
	all := newTables()
	var segs []*segment
	for _, part := range [][2]int64{{0, half}, {half, int64(len(text))}} {
		s, err := index(context.Background(), file, aKey, part[0], part[1], all)
		if err != nil {
			t.Fatal(err)
		}
		segs = append(segs, s)
	}
	return encoded(aKey, int64(len(text)), [32]byte{1}, segs, all.now())
}

// usable goes through all that an index file says, as a view would.
func usable(t *testing.T, b []byte) bool {
	b = bytes.Clone(b)
	if len(b) >= 4 {
		binary.LittleEndian.PutUint32(b[len(b)-4:], checksum(b[:len(b)-4]))
	}
	k, ok := decoded(b, aKey)
	if !ok {
		return false
	}
	all := newTables()
	all.adopt(k.tables, k.segs...)
	v := &View{tables: all, lists: all.now(), segs: k.segs}
	for _, s := range k.segs {
		v.starts = append(v.starts, v.len)
		v.len += s.len()
	}
	for i := range v.Len() {
		r := v.Row(i)
		_ = r.Kind.String() + r.Decision.String() + v.Name(r.Session)
		for _, run := range r.Runs {
			_ = run.Status.String() + v.Name(run.Hook)
		}
	}
	for _, q := range []Query{{Hook: "a"}, {Hook: "conventions", Failed: true}, {Tool: "bash", Decision: "none"}} {
		if p, err := v.Search(context.Background(), q, v.Len(), v.Len()+1); err != nil || p.More {
			t.Fatalf("%+v, %v", p, err)
		}
	}
	if joined := joined(k.segs[0], k.segs[len(k.segs)-1]); joined.len() > 0 {
		joined.row(joined.len()-1, &v.lists)
	}
	return true
}

// Whatever an index file says with a right checksum, it is refused or is of use.
func FuzzIndexFile(f *testing.F) {
	good := aKept(f)
	f.Add(good)
	for _, n := range []int{0, 1, 16, 32, 40, 72, 76, 120, len(good) / 2, len(good) - 5} {
		f.Add(good[:n])
		f.Add(append(bytes.Clone(good[:n]), bytes.Repeat([]byte{0xff}, len(good)-n)...))
	}
	f.Fuzz(func(t *testing.T, b []byte) { usable(t, b) })
}

// Each number of an index file is replaced by others.
func TestHostileNumbers(t *testing.T) {
	good := aKept(t)
	if !usable(t, good) {
		t.Fatal("the index file isn't one")
	}
	refused := 0
	for at := 0; at+4 < len(good); at++ {
		for _, n := range []uint32{0, 1, 1 << 16, 1 << 31, 1<<32 - 1} {
			bad := bytes.Clone(good)
			binary.LittleEndian.PutUint32(bad[at:], n)
			if !usable(t, bad) {
				refused++
			}
		}
	}
	if refused < len(good) {
		t.Errorf("only %d of %d were refused", refused, 5*len(good))
	}
}

// What an index file says of its sizes takes no memory that it doesn't have itself.
func TestHostileSizes(t *testing.T) {
	good := aKept(t)
	head := len(magic) + 16 + 8 + 32
	for _, at := range []int{head, head + 4 + 24, head + 4 + 28, head + 4 + 32} { // segments; rows, runs and costs of the first
		bad := bytes.Clone(good)
		binary.LittleEndian.PutUint32(bad[at:], 1<<31-1)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if usable(t, bad) {
			t.Errorf("at %d: it is of use", at)
		}
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
			t.Errorf("at %d: %d bytes", at, used)
		}
	}
}

// A row says what encoding/json finds in the line, and there is one where package audit finds a record.
func FuzzLine(f *testing.F) {
	for i := range 20 {
		f.Add(logindextest.Line(nil, i*701+i, false))
	}
	const head = `{"time":"2026-05-04T08:00:00Z","v":1`
	for _, rest := range []string{
		`}`, `,"x":01}`, `,"x":1.}`, `,"x":"` + "\x01" + `"}`, `,"session":"` + "\xff" + `"}`, `,"session":"\ud800"}`, `,"session":"\x"}`, `,"SESSION":"a"}`,
		`,"context":{"a":1,}}`, `,}`, `,"v":1.0}`, `,"v":0}`, `,"runs":[{"hook":"a"}],"runs":[{"scope":"b"}]}`, `,"runs":null,"session":null}`, `,"context":[]}`,
		`,"duration_us":99999999999999999999}`, `,"data":{"cost":{"session_usd":1e400}}}`, `,"data":{"cost":5},"session":"a"}`, `,"data":[]}`, `} x`, "}\x00",
		`,"\u0073ession":"a"}`, `,"session":"a","ſession":"b"}`, `,"session":"a","\u017fession":"b"}`, `,"tool":"a","LUAHOO` + "\u212a" + `":5}`,
		`,"warnings":[1]}`, `,"runs":[{"entries":[{"text":5}]}]}`, `,"runs":[{"error":{"message":5}}]}`, `,"runs":[null,{"status":"failed"}]}`, `,"time":"2026-05-04T08:00:00,5Z"}`, `,"time":"2026-05-04]08:00:00Z"}`, `,"time":"never","time":"2026-05-04T08:00:00Z"}`, `,"time":null}`,
	} {
		f.Add([]byte(head + rest))
	}
	f.Fuzz(func(t *testing.T, line []byte) {
		if bytes.IndexByte(line, '\n') >= 0 {
			return
		}
		e, ok := audit.ParseLine(bytes.Clone(line))
		var r record
		r.Runs = []run{{Hook: "of the line before", Status: "failed", Error: &runError{Kind: "k"}}}[:0]
		if r.read(bytes.Clone(line)) != ok {
			t.Fatalf("a record: %t, want %t\n%q", !ok, ok, line)
		}
		if !ok {
			return
		}
		if !r.Time.Equal(e.Time) || r.Session != e.Session || r.Event != string(e.Event) || r.Decision != e.Decision || r.Kind != string(e.Kind) || r.Tool != e.Tool ||
			r.Agent != e.Agent || r.Host != e.Host || r.Project != e.Project || r.Hook != e.Hook || r.Note != e.Note || r.DurationUS != e.DurationUS ||
			r.Halt != e.Halt || r.Modified != e.Modified || r.Cut != e.Cut || len(r.Warnings) != len(e.Warnings) || len(r.Runs) != len(e.Runs) {
			t.Fatalf("%+v\nwant %+v\n%q", r, e.Record, line)
		}
		for i := range r.Runs {
			a, b := &r.Runs[i], &e.Runs[i]
			want := ""
			if b.Error != nil {
				want = b.Error.Kind
				if b.Error.Limit != "" {
					want += "/" + b.Error.Limit
				}
			}
			if a.Hook != b.Hook || a.Scope != b.Scope || a.Source != b.Source || a.Status != b.Status || a.Decision != b.Decision || a.DurationUS != b.DurationUS ||
				a.Instructions != b.Instructions || a.failure() != want || a.flags() != flag(Judging, b.Judging)|flag(Rewrote, b.Modified)|flag(Async, b.Mode == string(hooks.ModeAsync))|flag(Parallel, b.Mode == string(hooks.ModeParallel)) {
				t.Fatalf("run %d: %+v\nwant %+v\n%q", i, a, b, line)
			}
		}
	})
}
