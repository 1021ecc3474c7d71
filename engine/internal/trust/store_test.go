package trust_test

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/luahook/luahook/engine/internal/trust"
	"github.com/luahook/luahook/hooks"
)

var hashA, hashB = trust.Hash([]byte("a")), trust.Hash([]byte("b"))

// newStore is a store whose folder isn't there yet, and a real project folder.
func newStore(t *testing.T) (s *trust.Store, file, root string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), "state", "luahook", "trust.json")
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return trust.NewStore(file), file, root
}

func put(t *testing.T, s *trust.Store, p trust.Pin) {
	t.Helper()
	if err := s.Put(p); err != nil {
		t.Fatal(err)
	}
}

func list(t *testing.T, s *trust.Store) []trust.Pin {
	t.Helper()
	pins, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	return pins
}

func TestHash(t *testing.T) {
	if want := "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"; trust.Hash([]byte("abc")) != want {
		t.Errorf("Hash(abc) = %s", trust.Hash([]byte("abc")))
	}
}

func TestPutGetRemove(t *testing.T) {
	s, file, root := newStore(t)
	if p, err := s.Get(root, ".hooks"); p != nil || err != nil {
		t.Fatalf("Get of an empty store = %v, %v", p, err)
	}
	if removed, err := s.Remove(root, ".hooks"); removed || err != nil {
		t.Errorf("Remove from an empty store = %v, %v", removed, err)
	}
	if _, err := os.Stat(filepath.Dir(file)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("reading has made the folder: %v", err)
	}
	at := time.Date(2030, 1, 2, 3, 4, 5, 6, time.FixedZone("", 3600))
	put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Files: map[string]string{".hooks/a.lua": hashA}, At: at})
	put(t, s, trust.Pin{Root: root, Hooks: "sub/.hooks", Files: map[string]string{"sub/.hooks/a.lua": hashB}, At: at})
	want := trust.Pin{Root: root, Hooks: ".hooks", Files: map[string]string{".hooks/a.lua": hashA}, At: time.Date(2030, 1, 2, 2, 4, 5, 0, time.UTC)}
	got, err := trust.NewStore(file).Get(root, ".hooks")
	if err != nil || got == nil {
		t.Fatalf("Get = %v, %v", got, err)
	}
	if diff := cmp.Diff(want, *got); diff != "" {
		t.Error(diff)
	}
	if p, err := s.Get(root, "other/.hooks"); p != nil || err != nil {
		t.Errorf("the pin of another hooks folder holds: %v, %v", p, err)
	}
	if p, err := s.Get(filepath.Dir(root), ".hooks"); p != nil || err != nil {
		t.Errorf("the pin of another root holds: %v, %v", p, err)
	}
	if removed, err := s.Remove(root, ".hooks"); !removed || err != nil {
		t.Fatalf("Remove = %v, %v", removed, err)
	}
	if removed, err := s.Remove(root, ".hooks"); removed || err != nil {
		t.Errorf("Remove again = %v, %v", removed, err)
	}
	if pins := list(t, s); len(pins) != 1 || pins[0].Hooks != "sub/.hooks" {
		t.Errorf("left are %v", pins)
	}
	if removed, err := s.Remove(root, ""); !removed || err != nil || len(list(t, s)) != 0 {
		t.Errorf("Remove of all = %v, %v", removed, err)
	}
}

// A pin takes the place of those that say something about the same files.
func TestPutReplaces(t *testing.T) {
	s, _, root := newStore(t)
	put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Files: map[string]string{"a": hashA, "b": hashB}})
	put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Files: map[string]string{"a": hashB}})
	if pins := list(t, s); len(pins) != 1 || len(pins[0].Files) != 1 || pins[0].Files["a"] != hashB || pins[0].At.IsZero() {
		t.Errorf("after a second pin: %v", pins)
	}
	put(t, s, trust.Pin{Root: root, Hooks: "sub/.hooks", Files: map[string]string{"c": hashA}})
	put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
	if pins := list(t, s); len(pins) != 1 || !pins[0].Folder {
		t.Errorf("after trusting the folder: %v", pins)
	}
	if p, err := s.Get(root, "sub/.hooks"); err != nil || p == nil || !p.Folder {
		t.Errorf("the folder's pin for another hooks folder: %v, %v", p, err)
	}
	put(t, s, trust.Pin{Root: root, Hooks: "sub/.hooks", Files: map[string]string{"c": hashA}})
	if pins := list(t, s); len(pins) != 1 || pins[0].Folder {
		t.Errorf("a later pin of files leaves the whole folder trusted: %v", pins)
	}
}

// By way of a link it is the same project; one that is gone can still be removed.
func TestRootsAreReal(t *testing.T) {
	s, _, root := newStore(t)
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	put(t, s, trust.Pin{Root: link, Hooks: ".hooks", Folder: true})
	if p, err := s.Get(root, ".hooks"); err != nil || p == nil || p.Root != root {
		t.Errorf("Get by the real path = %v, %v", p, err)
	}
	if p, err := s.Get(link, ".hooks"); err != nil || p == nil {
		t.Errorf("Get by the link = %v, %v", p, err)
	}
	if err := os.Remove(root); err != nil {
		t.Fatal(err)
	}
	if removed, err := s.Remove(root, ""); !removed || err != nil {
		t.Errorf("Remove of what is gone = %v, %v", removed, err)
	}
}

// A file that can't be used gives no pin, says so by its name, and stays as it is.
func TestFileAtFault(t *testing.T) {
	pin := func(more string) string {
		return `{"root":"/p","hooks":".hooks","at":"2030-01-02T03:04:05Z"` + more + `}`
	}
	file1 := func(pins ...string) string {
		return `{"version":1,"pins":[` + strings.Join(pins, ",") + `]}`
	}
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":             {`version: 1`, "not what luahook writes"},
		"empty":               {``, "not what luahook writes"},
		"cut off":             {`{"version":1,"pins":[`, "not what luahook writes"},
		"something after it":  {file1() + "{}", "not what luahook writes"},
		"no version":          {`{"pins":[]}`, "version is 0"},
		"newer":               {`{"version":2,"trusted":"otherwise"}`, "version is 2, this luahook knows 1"},
		"unknown key":         {file1(pin(`,"except":["a"]`)), "except"},
		"unknown key, file":   {`{"version":1,"pins":[],"off":true}`, "off"},
		"relative root":       {file1(`{"root":"p","hooks":".hooks"}`), "not an absolute path"},
		"root with dots":      {file1(`{"root":"/p/../q","hooks":".hooks"}`), "not an absolute path"},
		"hooks outside":       {file1(`{"root":"/p","hooks":"../.hooks"}`), "not a path below"},
		"no hooks":            {file1(`{"root":"/p"}`), "not a path below"},
		"file outside":        {file1(pin(`,"files":{"../a":"` + hashA + `"}`)), "not a path below"},
		"no hash":             {file1(pin(`,"files":{"a":""}`)), "not the SHA-256 of a"},
		"short hash":          {file1(pin(`,"files":{"a":"` + hashA[2:] + `"}`)), "not the SHA-256 of a"},
		"upper hash":          {file1(pin(`,"files":{"a":"` + strings.ToUpper(hashA) + `"}`)), "not the SHA-256 of a"},
		"folder with files":   {file1(pin(`,"folder":true,"files":{"a":"` + hashA + `"}`)), "names files"},
		"two of one project":  {file1(pin(``), pin(``)), "two pins of /p"},
		"folder and a second": {file1(pin(`,"folder":true`), `{"root":"/p","hooks":"z/.hooks"}`), "two pins of /p"},
	} {
		t.Run(name, func(t *testing.T) {
			s, file, root := newStore(t)
			put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			p, get := s.Get(root, ".hooks")
			_, list := s.List()
			_, remove := s.Remove(root, ".hooks")
			put := s.Put(trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
			if p != nil {
				t.Errorf("it gave a pin: %v", p)
			}
			for call, err := range map[string]error{"Get": get, "List": list, "Remove": remove, "Put": put} {
				refused(t, call, err, file, c.want)
			}
			if after, err := os.ReadFile(file); err != nil || string(after) != c.text {
				t.Errorf("the file was changed: %q, %v", after, err)
			}
		})
	}
}

// refused checks an error of the store.
func refused(t *testing.T, call string, err error, file, want string) {
	t.Helper()
	var e *hooks.Error
	switch {
	case !errors.As(err, &e):
		t.Errorf("%s: the error is %v", call, err)
	case e.Kind != hooks.KindTrust || e.Source != file || !strings.Contains(e.Message, want) || strings.Contains(err.Error(), "\n"):
		t.Errorf("%s: the error is %v\nwant one line of kind trust with %q", call, err, want)
	}
}

func TestPutRefuses(t *testing.T) {
	s, file, root := newStore(t)
	for name, c := range map[string]struct {
		pin  trust.Pin
		want string
	}{
		"relative root":    {trust.Pin{Root: ".", Hooks: ".hooks"}, "not an absolute path"},
		"no hooks folder":  {trust.Pin{Root: root}, "not a path below it"},
		"file outside":     {trust.Pin{Root: root, Hooks: ".hooks", Files: map[string]string{"/a": hashA}}, "not a path below"},
		"no UTF-8":         {trust.Pin{Root: root, Hooks: ".hooks", Files: map[string]string{"a\xff": hashA}}, "not a path below"},
		"no hash":          {trust.Pin{Root: root, Hooks: ".hooks", Files: map[string]string{"a": "x"}}, "not the SHA-256"},
		"folder and files": {trust.Pin{Root: root, Hooks: ".hooks", Folder: true, Files: map[string]string{"a": hashA}}, "names files"},
	} {
		t.Run(name, func(t *testing.T) {
			refused(t, "Put", s.Put(c.pin), file, c.want)
			if pins := list(t, s); len(pins) != 0 {
				t.Errorf("there is a pin: %v", pins)
			}
		})
	}
}

// Stores at work on one file at once lose nothing and leave nothing beside it.
func TestSeveralAtOnce(t *testing.T) {
	_, file, root := newStore(t)
	const writers, each = 4, 5
	var work sync.WaitGroup
	for w := range writers {
		work.Go(func() {
			s := trust.NewStore(file)
			for i := range each {
				name := strconv.Itoa(w) + "/" + strconv.Itoa(i) + "/.hooks"
				if err := s.Put(trust.Pin{Root: root, Hooks: name, Files: map[string]string{"a": hashA}}); err != nil {
					t.Error(err)
				}
				if p, err := s.Get(root, name); err != nil || p == nil {
					t.Errorf("Get = %v, %v", p, err)
				}
			}
		})
	}
	work.Wait()
	if pins := list(t, trust.NewStore(file)); len(pins) != writers*each {
		t.Errorf("%d pins, want %d", len(pins), writers*each)
	}
	entries, err := os.ReadDir(filepath.Dir(file))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if name := e.Name(); name != "trust.json" && name != "trust.json.lock" {
			t.Errorf("%s was left behind", name)
		}
	}
}

func FuzzFile(f *testing.F) {
	f.Add([]byte(`{"version":1,"pins":[{"root":"/p","hooks":".hooks","at":"2030-01-02T03:04:05Z","files":{"a":"` + hashA + `"}}]}`))
	f.Add([]byte(`{"version":1,"pins":[{"root":"/p","hooks":".","folder":true}]}`))
	f.Add([]byte(`{"version":1}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, file, root := newStore(t)
		put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		pins, err := s.List()
		if err != nil {
			return
		}
		// What can be read can be written, and is the same then.
		put(t, s, trust.Pin{Root: root, Hooks: ".hooks", Folder: true})
		if removed, err := s.Remove(root, ".hooks"); !removed || err != nil {
			t.Fatalf("Remove = %v, %v", removed, err)
		}
		if diff := cmp.Diff(pins, list(t, s), cmpopts.EquateEmpty()); diff != "" && !strings.Contains(string(text), filepath.Base(root)) {
			t.Error(diff)
		}
	})
}
