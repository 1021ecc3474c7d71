package task_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

var (
	_ engine.TaskSink    = (*task.File)(nil)
	_ engine.TaskUpdater = (*task.File)(nil)
)

func TestMain(m *testing.M) {
	if path := os.Getenv("TASK_TEST_CREATE"); path != "" {
		os.Exit(createMany(path))
	}
	os.Exit(m.Run())
}

// newFile returns a file of tasks whose clock advances by a second at every reading.
func newFile(t *testing.T) (f *task.File, path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "state", "tasks.jsonl")
	f = task.NewFile(path, "/work/shop")
	now := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	f.Clock = func() time.Time { now = now.Add(time.Second); return now }
	return f, path
}

func create(t *testing.T, f *task.File, given hooks.Task) hooks.Task {
	t.Helper()
	made, _, err := f.Create(context.Background(), given)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func titles(t *testing.T, f *task.File, q hooks.TaskQuery) (list []string) {
	t.Helper()
	found, err := f.List(context.Background(), q)
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range found {
		list = append(list, one.Title)
	}
	return list
}

func TestFile(t *testing.T) {
	f, path := newFile(t)
	ctx := context.Background()
	if list, err := f.List(ctx, hooks.TaskQuery{}); len(list) > 0 || err != nil {
		t.Fatalf("List where there is nothing: %v, %v", list, err)
	}
	if _, err := os.Stat(filepath.Dir(path)); !os.IsNotExist(err) {
		t.Errorf("a look has made the folder: %v", err)
	}
	given := hooks.Task{Title: "one", Body: "two\nlines", Kind: "bug", Parent: "shop-1", Labels: []string{"a", "b"}, Source: "main.go:3", Key: "k"}
	made, fresh, err := f.Create(ctx, given)
	if err != nil || !fresh || made.ID == "" || made.Status != hooks.TaskOpen || made.Created.IsZero() {
		t.Fatalf("%+v, %v, %v", made, fresh, err)
	}
	other := create(t, f, hooks.Task{Title: "other"})
	if err := f.Link(ctx, made.ID, "shop-2", "blocks"); err != nil {
		t.Fatal(err)
	}
	if err := f.Comment(ctx, made.ID, "a note\nof two lines"); err != nil {
		t.Fatal(err)
	}
	if err := f.SetStatus(ctx, other.ID, hooks.TaskClosed); err != nil {
		t.Fatal(err)
	}
	list, err := f.List(ctx, hooks.TaskQuery{Status: hooks.AnyStatus})
	want := given
	want.ID, want.Status, want.Created = made.ID, hooks.TaskOpen, made.Created
	want.Links = []hooks.TaskLink{{ID: "shop-2", Kind: "blocks"}}
	if err != nil || len(list) != 2 || list[0].Title != "other" || list[0].Status != hooks.TaskClosed {
		t.Fatalf("%+v, %v", list, err)
	}
	got := list[1]
	if len(got.Comments) != 1 || got.Comments[0].Text != "a note\nof two lines" || got.Comments[0].At.IsZero() {
		t.Errorf("comments %+v", got.Comments)
	}
	if got.Comments = nil; !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if runtime.GOOS != "windows" {
		for at, mode := range map[string]os.FileMode{path: 0o600, filepath.Dir(path): 0o700 | os.ModeDir} {
			if info, err := os.Stat(at); err != nil || info.Mode() != mode {
				t.Errorf("%s: %v, %v", at, info.Mode(), err)
			}
		}
	}
}

func TestFilePriorities(t *testing.T) {
	f, path := newFile(t)
	ctx := context.Background()
	urgent, low, wrong := 0, 4, 5
	one := create(t, f, hooks.Task{Title: "one", Priority: &low})
	other := create(t, f, hooks.Task{Title: "other"})
	for range 2 { // once more changes nothing
		if err := f.Update(ctx, one.ID, hooks.TaskChange{Priority: &urgent}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if n := strings.Count(string(text), `"do":"update"`); err != nil || n != 1 {
		t.Errorf("%d lines, %v", n, err)
	}
	for _, err := range []error{f.Update(ctx, one.ID, hooks.TaskChange{Priority: &wrong}), f.Update(ctx, "t-none", hooks.TaskChange{Priority: &low})} {
		if err == nil {
			t.Error("it is taken")
		}
	}
	if _, _, err := f.Create(ctx, hooks.Task{Title: "x", Priority: &wrong}); err == nil {
		t.Error("a task of priority 5 is made")
	}
	list, err := f.List(ctx, hooks.TaskQuery{})
	if err != nil || len(list) != 2 || list[0].ID != other.ID || list[0].Priority != nil || list[1].Priority == nil || *list[1].Priority != 0 {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestFileKeys(t *testing.T) {
	f, path := newFile(t)
	first := create(t, f, hooks.Task{Title: "first", Key: "k"})
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	again, fresh, err := f.Create(context.Background(), hooks.Task{Title: "said otherwise", Key: "k"})
	if err != nil || fresh || again.ID != first.ID || again.Title != "first" {
		t.Errorf("%+v, %v, %v", again, fresh, err)
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it was written again: %s, %v", after, err)
	}
	if err := f.SetStatus(context.Background(), first.ID, hooks.TaskClosed); err != nil {
		t.Fatal(err)
	}
	if again, fresh, err = f.Create(context.Background(), hooks.Task{Title: "first", Key: "k"}); err != nil || fresh || again.Status != hooks.TaskClosed {
		t.Errorf("a closed task came back: %+v, %v, %v", again, fresh, err)
	}
	if _, fresh, err = f.Create(context.Background(), hooks.Task{Title: "first"}); err != nil || !fresh {
		t.Errorf("without a key: %v, %v", fresh, err)
	}
}

func TestFileList(t *testing.T) {
	f, _ := newFile(t)
	ctx := context.Background()
	a := create(t, f, hooks.Task{Title: "a", Parent: "shop-1", Labels: []string{"x"}})
	b := create(t, f, hooks.Task{Title: "b", Parent: a.ID})
	c := create(t, f, hooks.Task{Title: "c", Labels: []string{"x", "y"}})
	d := create(t, f, hooks.Task{Title: "d"})
	for _, err := range []error{f.Link(ctx, c.ID, a.ID, "related"), f.Link(ctx, b.ID, d.ID, "related"), f.SetStatus(ctx, d.ID, hooks.TaskClosed)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct {
		q    hooks.TaskQuery
		want string
	}{
		{hooks.TaskQuery{}, "c b a"},
		{hooks.TaskQuery{Status: hooks.AnyStatus}, "d c b a"},
		{hooks.TaskQuery{Status: hooks.TaskClosed}, "d"},
		{hooks.TaskQuery{Status: "blocked"}, ""},
		{hooks.TaskQuery{Limit: 2}, "c b"},
		{hooks.TaskQuery{Parent: "shop-1"}, "a"},
		{hooks.TaskQuery{Parent: "shop"}, ""},
		{hooks.TaskQuery{Label: "x"}, "c a"},
		{hooks.TaskQuery{Label: "x", Parent: "shop-1"}, "a"},
		{hooks.TaskQuery{Issue: "shop-1"}, "a"},
		{hooks.TaskQuery{Issue: a.ID}, "c b a"},
		{hooks.TaskQuery{Issue: b.ID}, "b a"},
		{hooks.TaskQuery{Issue: d.ID}, "b"},
		{hooks.TaskQuery{Issue: d.ID, Status: hooks.AnyStatus}, "d b"},
		{hooks.TaskQuery{Issue: "nobody's"}, ""},
	} {
		if got := strings.Join(titles(t, f, test.q), " "); got != test.want {
			t.Errorf("%+v: %s, want %s", test.q, got, test.want)
		}
	}
}

func TestFileRefuses(t *testing.T) {
	f, _ := newFile(t)
	ctx := context.Background()
	a := create(t, f, hooks.Task{Title: "a"})
	over, cancel := context.WithCancel(ctx)
	cancel()
	for want, err := range map[string]error{
		"there is no task t-no in this project":    f.Comment(ctx, "t-no", "x"),
		"there is no task t-other in this project": f.Link(ctx, "t-other", a.ID, "related"),
		"can't be linked to itself":                f.Link(ctx, a.ID, a.ID, "related"),
		"a status is a word":                       f.SetStatus(ctx, a.ID, " "),
		"context canceled":                         f.Comment(over, a.ID, "x"),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Ids sort by creation, even if the clock goes back and many are made at once.
func TestFileIDs(t *testing.T) {
	f, path := newFile(t)
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	f.Clock = func() time.Time { return at }
	var ids []string
	for range 3 {
		for range 3 {
			ids = append(ids, create(t, f, hooks.Task{Title: "x"}).ID)
		}
		at = at.Add(-time.Hour)
	}
	elsewhere := task.NewFile(path, "/work/other")
	elsewhere.Clock = f.Clock
	ids = append(ids, create(t, elsewhere, hooks.Task{Title: "x"}).ID)
	if !slices.IsSorted(ids) || len(slices.Compact(slices.Clone(ids))) != len(ids) {
		t.Errorf("%v", ids)
	}
	at = at.Add(100 * 365 * 24 * time.Hour)
	if id := create(t, f, hooks.Task{Title: "x"}).ID; id <= ids[len(ids)-1] || len(id) != len(ids[0]) {
		t.Errorf("in a hundred years: %s after %s", id, ids[len(ids)-1])
	}
}

func TestFileOfSeveralProjects(t *testing.T) {
	f, path := newFile(t)
	mine := create(t, f, hooks.Task{Title: "mine", Key: "k"})
	other := task.NewFile(path, "/work/other")
	if _, fresh, err := other.Create(context.Background(), hooks.Task{Title: "theirs", Key: "k"}); err != nil || !fresh {
		t.Errorf("a key of another project: %v, %v", fresh, err)
	}
	if err := other.Comment(context.Background(), mine.ID, "x"); err == nil {
		t.Error("a task of another project could be changed")
	}
	if got := titles(t, f, hooks.TaskQuery{}); !slices.Equal(got, []string{"mine"}) {
		t.Errorf("%v", got)
	}
}

// An invalid or incomplete line affects no other line.
func TestFileWithBrokenLines(t *testing.T) {
	for name, broken := range map[string]string{
		"half":     `{"do":"create","at":"2026-03-04T05:06:07Z","project":"/work/shop","task":{"id":"t-1","tit`,
		"empty":    "\n\n",
		"no json":  "hello\n",
		"later":    `{"do":"archive","id":"t-1"}` + "\n",
		"no task":  `{"do":"create","project":"/work/shop"}` + "\n" + `{"do":"create","project":"/work/shop","task":null}` + "\n" + `{"do":"create","project":"/work/shop","task":{}}` + "\n",
		"unknown":  `{"do":"comment","id":"t-1","text":"x"}` + "\n",
		"types":    `{"do":"create","project":"/work/shop","task":{"id":7,"title":"x"}}` + "\n" + `[1]` + "\n" + `null` + "\n",
		"no bytes": "\x00\xff\xfe\n",
	} {
		t.Run(name, func(t *testing.T) {
			f, path := newFile(t)
			create(t, f, hooks.Task{Title: "before"})
			file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := file.WriteString(broken); err != nil {
				t.Fatal(err)
			}
			if err := file.Close(); err != nil {
				t.Fatal(err)
			}
			create(t, f, hooks.Task{Title: "after"})
			if got := titles(t, f, hooks.TaskQuery{}); !slices.Equal(got, []string{"after", "before"}) {
				t.Errorf("%v", got)
			}
		})
	}
}

func TestFileIsBounded(t *testing.T) {
	task.LimitFile(t, 1000)
	f, path := newFile(t)
	var err error
	made := 0
	for ; err == nil && made < 100; made++ {
		_, _, err = f.Create(context.Background(), hooks.Task{Title: strings.Repeat("x", 100)})
	}
	if err == nil || !strings.Contains(err.Error(), "is full") || !strings.Contains(err.Error(), path) {
		t.Errorf("after %d: %v", made, err)
	}
	if got := titles(t, f, hooks.TaskQuery{}); len(got) != made-1 || made < 2 {
		t.Errorf("%d tasks of %d", len(got), made-1)
	}
	if info, err := os.Stat(path); err != nil || info.Size() > 1000 {
		t.Errorf("%v, %v", info, err)
	}
}

func TestFileOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a mode says nothing here")
	}
	for name, spoil := range map[string]func(path string) error{
		"the file":   func(path string) error { return os.Chmod(path, 0o622) },
		"its folder": func(path string) error { return os.Chmod(filepath.Dir(path), 0o777) },
		"a folder":   func(path string) error { return cmpError(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		f, path := newFile(t)
		create(t, f, hooks.Task{Title: "before"})
		if err := spoil(path); err != nil {
			t.Fatal(err)
		}
		if _, err := f.List(context.Background(), hooks.TaskQuery{}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: List: %v", name, err)
		}
		if _, _, err := f.Create(context.Background(), hooks.Task{Title: "x"}); err == nil {
			t.Errorf("%s: it is written to", name)
		}
	}
}

func cmpError(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// Many processes, some of which are killed, leave whole lines and no id twice.
func TestFileOfManyProcesses(t *testing.T) {
	const processes, each = 8, 5
	f, path := newFile(t)
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	start := func(forEver bool) *exec.Cmd {
		cmd := exec.Command(binary)
		cmd.Env = append(os.Environ(), "TASK_TEST_CREATE="+path, fmt.Sprintf("TASK_TEST_COUNT=%d", each))
		if forEver {
			cmd.Env = append(cmd.Env, "TASK_TEST_COUNT=1000000")
		}
		cmd.Stderr = os.Stderr
		if err := cmd.Start(); err != nil {
			t.Error(err)
		}
		return cmd
	}
	killed := start(true)
	var all sync.WaitGroup
	for range processes {
		cmd := start(false)
		all.Go(func() {
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := killed.Process.Kill(); err != nil {
		t.Error(err)
	}
	_ = killed.Wait() // it was killed
	create(t, f, hooks.Task{Title: "after"})
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	ids, broken := map[string]bool{}, 0
	for line := range bytes.Lines(text) {
		var r struct{ Task hooks.Task }
		switch {
		case json.Unmarshal(line, &r) != nil:
			broken++
		case ids[r.Task.ID]:
			t.Errorf("%s is there twice", r.Task.ID)
		default:
			ids[r.Task.ID] = true
		}
	}
	if broken > 1 {
		t.Errorf("%d broken lines, one process was killed", broken)
	}
	if got := titles(t, f, hooks.TaskQuery{Label: "counted"}); len(got) != processes*each {
		t.Errorf("%d tasks of %d", len(got), processes*each)
	}
	if got := titles(t, f, hooks.TaskQuery{Label: "shared"}); len(got) != 1 {
		t.Errorf("of one key there are %d", len(got))
	}
}

// createMany is what the processes of TestFileOfManyProcesses do.
func createMany(path string) int {
	var count int
	if _, err := fmt.Sscan(os.Getenv("TASK_TEST_COUNT"), &count); err != nil {
		return 2
	}
	label := "counted"
	if count > 1000 {
		label = "killed"
	}
	f := task.NewFile(path, "/work/shop")
	for range count {
		for _, t := range []hooks.Task{{Title: "x", Labels: []string{label}}, {Title: "one", Labels: []string{"shared"}, Key: "one"}} {
			if _, _, err := f.Create(context.Background(), t); err != nil {
				fmt.Fprintln(os.Stderr, err)
				return 1
			}
		}
	}
	return 0
}

func TestDefaultPath(t *testing.T) {
	root := filepath.Join(t.TempDir(), "a shop/..", "a shop")
	if err := os.Mkdir(root, 0o755); err != nil {
		t.Fatal(err)
	}
	path := task.DefaultPath("/state", root)
	if name := filepath.Base(path); !strings.HasPrefix(name, "a_shop-") || !strings.HasSuffix(name, ".jsonl") || filepath.Dir(path) != filepath.FromSlash("/state/tasks") {
		t.Error(path)
	}
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(root, link); err != nil {
		t.Skip(err)
	}
	if other := task.DefaultPath("/state", link); other != path {
		t.Errorf("by way of a link it is %s, not %s", other, path)
	}
	if other := task.DefaultPath("/state", filepath.Dir(root)); other == path {
		t.Error("another project has the same")
	}
}

// BenchmarkFile creates a task in a file that is half full, and lists it.
func BenchmarkFile(b *testing.B) {
	path := filepath.Join(b.TempDir(), "tasks.jsonl")
	f := task.NewFile(path, "/work/shop")
	made, _, err := f.Create(context.Background(), hooks.Task{Title: "test the retry", Body: strings.Repeat("more of it ", 10), Parent: "shop-42", Key: "a key"})
	if err != nil {
		b.Fatal(err)
	}
	one, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	var many bytes.Buffer
	for i := range task.MaxFileBytes / 2 / len(one) {
		line := bytes.Replace(one, []byte(made.ID), fmt.Appendf(nil, "t-%08d", i), 1)
		many.Write(bytes.Replace(line, []byte("a key"), fmt.Appendf(nil, "k%d", i), 1))
	}
	if err := os.WriteFile(path, many.Bytes(), 0o600); err != nil {
		b.Fatal(err)
	}
	b.Run("known", func(b *testing.B) {
		for b.Loop() {
			if _, fresh, err := f.Create(context.Background(), hooks.Task{Title: "x", Key: "k0"}); err != nil || fresh {
				b.Fatal(fresh, err)
			}
		}
	})
	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			if _, err := f.List(context.Background(), hooks.TaskQuery{Limit: 50}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
