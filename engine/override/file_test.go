package override_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine/override"
	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/userhome"
)

// refused checks an error of a store.
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

// A file of words that can't be used is nobody's word, is told by its name, and stays as
// it is; what is blocked is kept all the same.
func TestWordsAtFault(t *testing.T) {
	const given, id = `"given":"2030-01-02T10:03:00Z"`, `"identity":"git reset --hard------------------------------------------------"`
	for name, c := range map[string]struct{ text, want string }{
		"no JSON":             {`off: true`, "not what luahook writes"},
		"empty":               {``, "not what luahook writes"},
		"cut off":             {`{"version":1,"root":"ROOT","words":[`, "not what luahook writes"},
		"something after it":  {`{"version":1,"root":"ROOT","words":[]} {}`, "not what luahook writes"},
		"newer":               {`{"version":2,"root":"ROOT","words":[]}`, "another version of luahook wrote it"},
		"unknown key":         {`{"version":1,"root":"ROOT","words":[{"kind":"off","only":"git",` + given + `,"until":"2030-01-02T10:13:00Z"}]}`, "only"},
		"another project":     {`{"version":1,"root":"/else","words":[]}`, "about another project"},
		"another kind":        {`{"version":1,"root":"ROOT","words":[{"kind":"all",` + given + `,"until":"2030-01-02T10:13:00Z"}]}`, "no kind of word"},
		"a long pass":         {`{"version":1,"root":"ROOT","words":[{"kind":"pass",` + id + `,` + given + `,"until":"2030-01-02T10:13:01Z"}]}`, "lasts at most 10m"},
		"off for long":        {`{"version":1,"root":"ROOT","words":[{"kind":"off",` + given + `,"until":"2030-01-03T10:03:01Z"}]}`, "lasts at most 24h"},
		"never given":         {`{"version":1,"root":"ROOT","words":[{"kind":"off","until":"0001-01-01T01:00:00Z"}]}`, "lasts at most"},
		"a pass for all":      {`{"version":1,"root":"ROOT","words":[{"kind":"pass",` + given + `,"until":"2030-01-02T10:13:00Z"}]}`, "a pass is for no call"},
		"off, but for a call": {`{"version":1,"root":"ROOT","words":[{"kind":"off",` + id + `,` + given + `,"until":"2030-01-02T10:13:00Z"}]}`, "about no call"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newProject(t)
			lift(t, p.store(t), call("git reset --hard", "0"))
			give(t, p)
			file := p.file(t, "passes")
			root, err := filepath.EvalSymlinks(p.root)
			if err != nil {
				t.Fatal(err)
			}
			text := strings.ReplaceAll(c.text, "ROOT", filepath.ToSlash(root))
			if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := p.store(t)
			note, err := s.Overridden(context.Background(), call("git reset --hard", "1"))
			if note != "" {
				t.Errorf("it let a call through: %q", note)
			}
			refused(t, "Overridden", err, file, c.want)
			if n := len(blocked(t, s)); n != 2 {
				t.Errorf("%d calls are kept as blocked, want 2", n)
			}
			_, err = s.AllowOnce(blocked(t, s)[0])
			refused(t, "Give", err, file, c.want)
			_, err = s.TurnOff(time.Minute)
			refused(t, "TurnOff", err, file, c.want)
			_, err = s.Revoke()
			refused(t, "Revoke", err, file, c.want)
			_, err = s.TurnOn()
			refused(t, "EndOff", err, file, c.want)
			_, err = s.Permissions()
			refused(t, "Words", err, file, c.want)
			if after, err := os.ReadFile(file); err != nil || string(after) != text {
				t.Errorf("the file was changed: %q, %v", after, err)
			}
		})
	}
}

// Where the blocked calls can't be kept, that is told; passes still count.
func TestBlockedAtFault(t *testing.T) {
	p := newProject(t)
	lift(t, p.store(t), call("git reset --hard", "0"))
	give(t, p)
	file := p.file(t, "blocked")
	kept, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"no JSON": "off", "cut off": string(kept[:1]) + "\n", "another project": `{"version":1,"root":"/else"}` + "\n",
		"an unknown key": string(kept) + `{"else":1}` + "\n" + string(kept[:1]), "no call": string(kept) + "{}\n{", "two in a line": strings.TrimSuffix(string(kept), "\n") + "}\n{",
	} {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		want := "not what luahook writes"
		s := p.store(t)
		_, err := s.Overridden(context.Background(), call("git clean", "1"))
		refused(t, name+": Overridden", err, file, want)
		_, err = s.Blocked()
		refused(t, name+": Blocked", err, file, want)
		if after, err := os.ReadFile(file); err != nil || string(after) != text {
			t.Errorf("%s: the file was changed: %q, %v", name, after, err)
		}
	}
	s := p.store(t)
	if note := lift(t, s, call("git reset --hard", "2")); note != once {
		t.Errorf("the pass: %q", note)
	}
	begin := strings.Index(string(kept), "\n") + 1
	for size, want := range map[int]int{0: 1, begin - 1: 1, begin: 1, len(kept) - 1: 1, len(kept): 2} { // a machine that has stopped may leave it so
		if err := os.WriteFile(file, kept[:size], 0o600); err != nil {
			t.Fatal(err)
		}
		s = p.store(t)
		lift(t, s, call("git clean", "3"))
		if n := len(blocked(t, s)); n != want {
			t.Errorf("%d calls in a file of %d of %d bytes, want %d", n, size, len(kept), want)
		}
	}
}

// A folder in the project may have come with it.
func TestFolderInTheProject(t *testing.T) {
	root := t.TempDir()
	for _, dir := range []string{filepath.Join(root, "state"), root} {
		s := override.NewStore(dir, root)
		_, err := s.Overridden(context.Background(), call("git reset --hard", "0"))
		refused(t, "Overridden", err, dir, "lies in the project itself")
		_, err = s.TurnOff(time.Minute)
		refused(t, "TurnOff", err, dir, "lies in the project itself")
		if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
			t.Errorf("%v, %v", left, err)
		}
	}
	t.Setenv("HOME", filepath.Join(root, "home")) // which the project could have brought about
	_, err := override.NewStore(filepath.Join(root, "home", "state"), root).TurnOff(time.Minute)
	refused(t, "TurnOff", err, filepath.Join(root, "home", "state"), "lies in the project itself")
	before := userhome.Account
	userhome.Account = func() string { return filepath.Join(root, "home") }
	defer func() { userhome.Account = before }()
	if _, err := override.NewStore(filepath.Join(root, "home", "state"), root).Permissions(); err != nil {
		t.Errorf("before the home folder is there: %v", err)
	}
	if err := os.Mkdir(filepath.Join(root, "home"), 0o700); err != nil {
		t.Fatal(err)
	}
	s := override.NewStore(filepath.Join(root, "home", "state"), root)
	if _, err := s.TurnOff(time.Minute); err != nil {
		t.Errorf("of somebody whose home is in the project: %v", err)
	}
	_, err = override.NewStore("state", root).TurnOff(time.Minute)
	refused(t, "TurnOff", err, "state", "must be absolute paths")
}

// FuzzWords reads what others have written: it never lets through what no word covers.
func FuzzWords(f *testing.F) {
	p := newProject(f)
	lift(f, p.store(f), call("git reset --hard", "0"))
	give(f, p)
	file := p.file(f, "passes")
	text, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"version":1}`), false)
	f.Add(text, true)
	s := p.store(f)
	f.Fuzz(func(t *testing.T, more []byte, inside bool) {
		changed := more
		if inside { // a word more, of what project this is can't be guessed
			changed = append(slices.Concat(text[:len(text)-3], []byte(","), more), "]}"...)
		}
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		words, read := s.Permissions()
		note, err := s.Overridden(context.Background(), call("git clean", "1"))
		if (read != nil) != (err != nil) {
			t.Errorf("Overridden: %v; Permissions: %v", err, read)
		}
		covered := slices.ContainsFunc(words, func(w override.Permission) bool {
			return (w.Kind == override.Off || w.Identity == identity("git clean")) && !w.Given.After(p.now) && w.Until.After(p.now) && w.Ended == nil
		})
		if note != "" && !covered {
			t.Errorf("let through: %q, by %+v", note, words)
		}
	})
}

// FuzzBlocked keeps a call beside what others have written: what could be read before can be read after it, and the
// call is the latest.
func FuzzBlocked(f *testing.F) {
	p := newProject(f)
	lift(f, p.store(f), call("git reset --hard", "0"))
	file := p.file(f, "blocked")
	text, err := os.ReadFile(file)
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(`{"version":1}`), false)
	f.Add(text, false)
	f.Add(text[strings.Index(string(text), "\n")+1:], true)
	f.Add([]byte(`{"seen":[]}`+"\n"), true)
	f.Fuzz(func(t *testing.T, more []byte, behind bool) {
		changed := more
		if behind {
			changed = slices.Concat(text, more)
		}
		if err := os.WriteFile(file, changed, 0o600); err != nil {
			t.Fatal(err)
		}
		before, read := p.store(t).Blocked()
		s := p.store(t)
		_, err := s.Overridden(context.Background(), call("git clean", ""))
		after, readAfter := s.Blocked()
		now, failed := os.ReadFile(file)
		switch {
		case failed != nil:
			t.Fatal(failed)
		case read == nil && (err != nil || readAfter != nil):
			t.Errorf("%d calls were read, then: %v, %v", len(before), err, readAfter)
		case read == nil && (len(after) == 0 || after[0].Identity != identity("git clean") || len(after) != min(len(before)+1, override.MaxBlocked)):
			t.Errorf("%d calls, then %+v", len(before), after)
		case read != nil && !strings.HasPrefix(string(now), string(changed)):
			t.Errorf("what couldn't be read (%v) was written over", read)
		}
	})
}
