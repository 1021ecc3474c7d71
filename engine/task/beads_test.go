package task_test

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/task"
	"github.com/luahook/luahook/hooks"
)

var (
	_ engine.TaskSink    = (*task.Beads)(nil)
	_ engine.TaskUpdater = (*task.Beads)(nil)
)

// fakeBD puts a bd into PATH that writes down what it is given and runs a piece of shell
// for its answer. said gives the arguments of each run.
func fakeBD(t *testing.T, answer string) (b *task.Beads, root string, said func() [][]string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the bd of this test is a shell script")
	}
	root, dir := t.TempDir(), t.TempDir()
	log := filepath.Join(dir, "log")
	script := "#!/bin/sh\nprintf '%s\\000' \"$#\" \"$PWD\" \"$@\" >> '" + log + "'\n" + answer + "\n"
	if err := os.WriteFile(filepath.Join(dir, "bd"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	return task.NewBeads(root), root, func() (runs [][]string) {
		text, err := os.ReadFile(log)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		words := strings.Split(string(text), "\x00")
		for len(words) > 1 {
			count := slices.Index([]string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"}, words[0])
			if got, _ := filepath.EvalSymlinks(words[1]); got != must(filepath.EvalSymlinks(root)) {
				t.Errorf("it ran in %s", words[1])
			}
			runs = append(runs, words[2:2+count])
			words = words[2+count:]
		}
		return runs
	}
}

func must(s string, err error) string {
	if err != nil {
		panic(err)
	}
	return s
}

const anIssue = `{"id":"shop-a1","title":"a title","description":"a body","status":"open","priority":2,"issue_type":"bug","labels":["x"],"created_at":"2026-03-04T05:06:07.123456789Z","updated_at":"2026-03-04T05:06:07Z","schema_version":1}`

func TestBeadsCreate(t *testing.T) {
	b, _, said := fakeBD(t, `case $1 in list) echo '[]';; create) echo '`+anIssue+`';; esac`)
	made, fresh, err := b.Create(context.Background(), hooks.Task{
		Title: "--help", Body: "-", Kind: "bug", Parent: "shop-1", Labels: []string{"a", `b "c"`}, Source: "main.go:3", Key: "k",
	})
	want := hooks.Task{
		ID: "shop-a1", Title: "a title", Body: "a body", Status: "open", Kind: "bug", Parent: "shop-1", Labels: []string{"x"},
		Source: "main.go:3", Key: "k", Priority: priority(2), Created: time.Date(2026, 3, 4, 5, 6, 7, 123456789, time.UTC),
	}
	if err != nil || !fresh || !reflect.DeepEqual(made, want) {
		t.Errorf("%+v, %v, %v", made, fresh, err)
	}
	const mark = "8254c329a92850f6"
	if got := said(); !reflect.DeepEqual(got, [][]string{
		{"list", "--json", "--all", "--label=luahook-" + mark},
		{"create", "--json", "--external-ref=luahook:" + mark, "--type=bug", "--parent=shop-1", `--labels=a,"b ""c""",luahook-` + mark, "--description=-\n\nFound in: main.go:3", "--", "--help"},
	}) {
		t.Errorf("%q", got)
	}
}

func TestBeadsCreateAgain(t *testing.T) {
	b, _, said := fakeBD(t, `echo '{"schema_version":1,"data":[{"id":"shop-b","title":"of its parent","status":"open","external_ref":null},{"id":"shop-a","title":"there","status":"closed","external_ref":"luahook:8254c329a92850f6"}]}'`)
	made, fresh, err := b.Create(context.Background(), hooks.Task{Title: "x", Key: "k"})
	if err != nil || fresh || made.ID != "shop-a" || made.Status != "closed" || len(said()) != 1 {
		t.Errorf("%+v, %v, %v, %q", made, fresh, err, said())
	}
}

func priority(n int) *int { return &n }

// No text of a script becomes a flag, standard input, or another word.
func TestBeadsArguments(t *testing.T) {
	ctx := context.Background()
	for _, test := range []struct {
		name string
		call func(b *task.Beads) error
		want []string // nil: bd isn't run
	}{
		{"a title", func(b *task.Beads) error {
			_, _, err := b.Create(ctx, hooks.Task{Title: "-f x", Kind: "follow,up"})
			return err
		},
			[]string{"create", "--json", "--labels=follow up", "--", "-f x"}},
		{"standard input", func(b *task.Beads) error { _, _, err := b.Create(ctx, hooks.Task{Title: "-", Body: "-"}); return err },
			[]string{"create", "--json", "--description=(-)", "--", "(-)"}},
		{"a priority", func(b *task.Beads) error {
			_, _, err := b.Create(ctx, hooks.Task{Title: "x", Priority: new(int)})
			return err
		},
			[]string{"create", "--json", "--priority=0", "--", "x"}},
		{"another priority", func(b *task.Beads) error { return b.Update(ctx, "a", hooks.TaskChange{Priority: priority(3)}) }, []string{"update", "--json", "--priority=3", "--", "a"}},
		{"a priority of -x", func(b *task.Beads) error { return b.Update(ctx, "-x", hooks.TaskChange{Priority: priority(3)}) }, nil},
		{"a wrong priority", func(b *task.Beads) error { return b.Update(ctx, "a", hooks.TaskChange{Priority: priority(5)}) }, nil},
		{"a parent", func(b *task.Beads) error {
			_, _, err := b.Create(ctx, hooks.Task{Title: "x", Parent: "-x"})
			return err
		}, nil},
		{"blocks", func(b *task.Beads) error { return b.Link(ctx, "a", "b", "blocks") }, []string{"dep", "add", "--json", "--type=blocks", "--", "b", "a"}},
		{"blocked-by", func(b *task.Beads) error { return b.Link(ctx, "a", "b", "blocked-by") }, []string{"dep", "add", "--json", "--type=blocks", "--", "a", "b"}},
		{"another link", func(b *task.Beads) error { return b.Link(ctx, "a-1.2", "external:b:c", "--x") }, []string{"dep", "add", "--json", "--type=--x", "--", "a-1.2", "external:b:c"}},
		{"link -x", func(b *task.Beads) error { return b.Link(ctx, "-x", "b", "related") }, nil},
		{"link to -x", func(b *task.Beads) error { return b.Link(ctx, "a", "--db=x", "related") }, nil},
		{"a comment", func(b *task.Beads) error { return b.Comment(ctx, "a", "--author=root $(id)\n`id`") }, []string{"comments", "add", "--json", "--", "a", "--author=root $(id)\n`id`"}},
		{"a comment on -x", func(b *task.Beads) error { return b.Comment(ctx, "-x", "y") }, nil},
		{"a comment on ../x", func(b *task.Beads) error { return b.Comment(ctx, "../x", "y") }, nil},
		{"NUL", func(b *task.Beads) error { return b.Comment(ctx, "x", "y\x00z") }, nil},
		{"list", func(b *task.Beads) error {
			_, err := b.List(ctx, hooks.TaskQuery{Status: "-x", Parent: "p", Label: "a,b", Limit: 7})
			return err
		},
			[]string{"list", "--json", "--limit=7", "--status=-x", "--parent=p", `--label="a,b"`}},
		{"list all", func(b *task.Beads) error { _, err := b.List(ctx, hooks.TaskQuery{Status: hooks.AnyStatus}); return err }, []string{"list", "--json", "--limit=1000", "--all"}},
		{"list of -x", func(b *task.Beads) error { _, err := b.List(ctx, hooks.TaskQuery{Parent: "-x"}); return err }, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, _, said := fakeBD(t, `echo '`+anIssue+`'`)
			err := test.call(b)
			if test.want == nil {
				if err == nil || len(said()) > 0 {
					t.Errorf("%v, %q", err, said())
				}
				return
			}
			if got := said(); err != nil || len(got) != 1 || !slices.Equal(got[0], test.want) {
				t.Errorf("%q, %v, want %q", got, err, test.want)
			}
		})
	}
}

func TestBeadsList(t *testing.T) {
	answer := func(text string) string { return "cat <<'EOF'\n" + text + "\nEOF" }
	list := `[
{"id":"a","title":"A","status":"open","created_at":"2026-01-01T00:00:00Z","parent":"p","dependencies":[{"issue_id":"a","depends_on_id":"p","type":"parent-child"},{"issue_id":"a","depends_on_id":"c","type":"blocks"}],"dependency_count":2,"comment_count":0},
{"id":"b","title":"B","status":"closed","created_at":"2026-01-03T00:00:00Z"},
{"id":"c","title":"C","status":"in_progress","created_at":"2026-01-02T00:00:00Z","labels":null,"external_ref":null}]`
	show := `[{"id":"p","title":"P","status":"open","created_at":"2026-01-05T00:00:00Z","labels":["l"],
"dependencies":[{"id":"q","title":"Q","status":"open","created_at":"2026-01-04T00:00:00Z","dependency_type":"blocks"},{"id":"o","title":"O","status":"closed","created_at":"2026-01-04T00:00:00Z","dependency_type":"parent-child"}],
"dependents":[{"id":"a","title":"A","status":"open","created_at":"2026-01-01T00:00:00Z","labels":["l"],"dependency_type":"parent-child"},{"id":"q","title":"Q","status":"open","created_at":"2026-01-04T00:00:00Z","dependency_type":"related"}],
"comments":[{"id":1,"issue_id":"p","author":"kim","text":"a note","created_at":"2026-01-06T00:00:00Z"}]}]`
	for _, test := range []struct {
		name, answer string
		q            hooks.TaskQuery
		want         string
	}{
		{"plain", answer(list), hooks.TaskQuery{}, "c a"},
		{"all", answer(list), hooks.TaskQuery{Status: hooks.AnyStatus}, "b c a"},
		{"of a status", answer(list), hooks.TaskQuery{Status: "in_progress"}, "c"},
		{"limited", answer(list), hooks.TaskQuery{Limit: 1}, "c"},
		{"in an envelope", answer(`{"data":` + list + `,"schema_version":1}`), hooks.TaskQuery{}, "c a"},
		{"in another", answer(`{"items":` + list + `,"schema_version":1}`), hooks.TaskQuery{}, "c a"},
		{"nothing", answer("[]"), hooks.TaskQuery{}, ""},
		{"nothing at all", "", hooks.TaskQuery{}, ""},
		{"an issue", answer(show), hooks.TaskQuery{Issue: "p"}, "p q a"},
		{"an issue, all", answer(show), hooks.TaskQuery{Issue: "p", Status: hooks.AnyStatus}, "p q o a"},
		{"an issue's parts", answer(show), hooks.TaskQuery{Issue: "p", Parent: "p"}, "a"},
		{"an issue's label", answer(show), hooks.TaskQuery{Issue: "p", Label: "l"}, "p a"},
		{"an unknown issue", `echo '{"error":"no issue found matching \"p\""}' >&2; exit 1`, hooks.TaskQuery{Issue: "p"}, ""},
		{"an issue of another tracker", `exit 9`, hooks.TaskQuery{Issue: "#12"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			b, _, _ := fakeBD(t, test.answer)
			list, err := b.List(context.Background(), test.q)
			var ids []string
			for _, one := range list {
				ids = append(ids, one.ID)
			}
			if got := strings.Join(ids, " "); err != nil || got != test.want {
				t.Errorf("%s, %v, want %s", got, err, test.want)
			}
		})
	}
	b, _, _ := fakeBD(t, answer(show))
	found, err := b.List(context.Background(), hooks.TaskQuery{Issue: "p"})
	if err != nil {
		t.Fatal(err)
	}
	p := found[0]
	if p.Parent != "o" || !reflect.DeepEqual(p.Links, []hooks.TaskLink{{ID: "q", Kind: "blocked-by"}, {ID: "q", Kind: "related"}}) ||
		len(p.Comments) != 1 || p.Comments[0].Text != "a note" || found[2].Parent != "p" {
		t.Errorf("%+v", found)
	}
}

func TestBeadsRefuses(t *testing.T) {
	for name, test := range map[string]struct{ answer, want string }{
		"on stderr":   {`echo 'Error: no beads database found' >&2; echo 'Hint: run "bd init"' >&2; exit 1`, `bd: no beads database found Hint: run "bd init"`},
		"as JSON":     {`echo '{"error":"invalid status","schema_version":1}'; exit 1`, "bd: invalid status"},
		"on stdout":   {`echo 'it is broken'; exit 3`, "bd: it is broken"},
		"silently":    {`exit 3`, "bd: it failed with exit status 3"},
		"at length":   {`head -c 100000 /dev/zero | tr '\0' 'x' >&2; exit 1`, "xxx..."},
		"in colour":   {`printf '\033[31mno\033[0m\n' >&2; exit 1`, "bd: [31mno [0m"},
		"no JSON":     {`echo hello`, "bd's answer is malformed"},
		"no issue":    {`echo '{}'`, "bd create did not report the task that it made"},
		"without end": {`head -c 9000000 /dev/zero | tr '\0' ' '`, "more than 8388608 bytes"},
	} {
		b, _, _ := fakeBD(t, test.answer)
		_, _, err := b.Create(context.Background(), hooks.Task{Title: "x"})
		if err == nil || !strings.Contains(err.Error(), test.want) || len(err.Error()) > 700 || strings.ContainsAny(err.Error(), "\n\x1b") {
			t.Errorf("%s: %.1000v, want %s", name, err, test.want)
		}
	}
}

func TestBeadsThatIsNotThere(t *testing.T) {
	root := t.TempDir()
	inside := filepath.Join(root, "bin")
	linked := t.TempDir()
	if err := os.Mkdir(inside, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(inside, "bd"), []byte("#!/bin/sh\necho '[]'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(inside, "bd"), filepath.Join(linked, "bd")); err != nil {
		t.Skip(err)
	}
	t.Chdir(inside)
	for name, path := range map[string]string{"nowhere": t.TempDir(), "in the project": inside, "linked to the project": linked, "here": ".", "no folder": ""} {
		t.Setenv("PATH", path)
		_, err := task.NewBeads(root).List(context.Background(), hooks.TaskQuery{})
		if err == nil || !strings.Contains(err.Error(), "install it from https://github.com/gastownhall/beads") || !strings.Contains(err.Error(), "tasks: file") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// bd runs programs of the project when it changes something: a project that nobody has
// trusted must not have them run that way.
func TestBeadsRunsNothingOfTheProject(t *testing.T) {
	for name, where := range map[string]string{
		".beads": ".beads/hooks/on_create", "before": ".beads/hooks/pre_write", "windows": ".beads/hooks/on_update.bat",
		"beside": "other/.beads/hooks/on_create", "below": ".beads/other/hooks/on_close",
	} {
		b, root, said := fakeBD(t, `echo '`+anIssue+`'`)
		file := filepath.Join(root, filepath.FromSlash(where))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(root, ".beads"), 0o755); err != nil {
			t.Fatal(err)
		}
		redirect := map[string]string{"beside": "other/.beads\n", "below": "other"}[name]
		if redirect != "" {
			if err := os.WriteFile(filepath.Join(root, ".beads", "redirect"), []byte(redirect), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(file, nil, 0o755); err != nil {
			t.Fatal(err)
		}
		_, _, err := b.Create(context.Background(), hooks.Task{Title: "x"})
		for _, err := range []error{err, b.Link(context.Background(), "a", "b", "related"), b.Comment(context.Background(), "a", "b")} {
			if err == nil || !strings.Contains(err.Error(), "so it isn't started") || !strings.Contains(err.Error(), filepath.Base(file)) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if runs := said(); len(runs) > 0 {
			t.Errorf("%s: it ran: %q", name, runs)
		}
		if err := os.Rename(file, filepath.Join(filepath.Dir(file), "pre-commit")); err != nil {
			t.Fatal(err)
		}
		if err := b.Comment(context.Background(), "a", "b"); err != nil {
			t.Errorf("%s: with a hook of git's: %v", name, err)
		}
	}
}

// The project's redirect of bd is read with care: a target that can't be read isn't trusted.
func TestBeadsRedirectThatIsNoPath(t *testing.T) {
	for name, make := range map[string]func(file string) error{
		"it is larger than 4096 bytes": func(file string) error {
			return os.WriteFile(file, []byte(strings.Repeat("\n", 4096)+"x"), 0o644)
		},
		"it is not a regular file": func(file string) error { return os.Symlink(t.TempDir(), file) },
	} {
		b, root, said := fakeBD(t, `echo '`+anIssue+`'`)
		if err := os.Mkdir(filepath.Join(root, ".beads"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := make(filepath.Join(root, ".beads", "redirect")); err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.Create(t.Context(), hooks.Task{Title: "x"}); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("Create: %v, want that %s", err, name)
		}
		if runs := said(); len(runs) > 0 {
			t.Errorf("it ran: %q", runs)
		}
	}
}

func TestBeadsEnvironment(t *testing.T) {
	t.Setenv("LUAHOOK_DEPTH", "2")
	t.Setenv("BD_JSON_ENVELOPE", "1")
	b, _, _ := fakeBD(t, `echo "$LUAHOOK_DEPTH $BD_JSON_ENVELOPE" >&2; exit 1`)
	if err := b.Comment(context.Background(), "a", "b"); err == nil || err.Error() != "bd: 3 0" {
		t.Error(err)
	}
}

func TestBeadsEndsWithItsContext(t *testing.T) {
	b, root, _ := fakeBD(t, `touch started; sleep 600`)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(root, "started")); err == nil {
				cancel()
			}
			runtime.Gosched()
		}
	}()
	if err := b.Comment(ctx, "a", "b"); err == nil || !strings.Contains(err.Error(), "give the hook a longer timeout") {
		t.Error(err)
	}
}
