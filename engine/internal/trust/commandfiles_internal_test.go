package trust

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/config"
	"github.com/luahook/luahook/engine/internal/source"
)

// projectOf writes files, whose text doesn't matter, into a new project.
func projectOf(t testing.TB, files ...string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		p := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// names are the files that a command names.
func names(t testing.TB, root, command string, args ...string) (string, error) {
	t.Helper()
	prints, err := newFileHashes(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer prints.close()
	list, err := prints.commandFiles(root, &source.Hook{Hook: config.Hook{Command: command, Args: args}})
	return strings.Join(list, " "), err
}

func TestNamedFiles(t *testing.T) {
	root := projectOf(t, "run.sh", "tools/a.sh", "tools/b.sh", "tools/deep/c.py", "my file.sh", "data.json", "tools/data.json", ".venv/x")
	home := filepath.Dir(root)
	t.Setenv("HOME", home)
	for _, c := range []struct{ command, want string }{
		{"make", ""},
		{"./run.sh", "run.sh"},
		{"run.sh", "run.sh"},
		{"sh run.sh --fast", "run.sh"},
		{"exec env -i A=1 nice sh tools/a.sh", "tools/a.sh"},
		{root + "/run.sh", "run.sh"},
		{"~/" + filepath.Base(root) + "/run.sh", "run.sh"},
		{"$LUAHOOK_PROJECT_DIR/run.sh", "run.sh"},
		{`"$LUAHOOK_PROJECT_DIR"/tools/a.sh`, "tools/a.sh"},
		{`"${CLAUDE_PROJECT_DIR}/tools/a.sh"`, "tools/a.sh"},
		{`${PWD:-.}/tools/a.sh`, "tools/a.sh"},
		{`$(pwd)/tools/a.sh`, "tools/a.sh"},
		{"`git rev-parse --show-toplevel`/tools/a.sh", "tools/a.sh"},
		{`"my file.sh"`, "my file.sh"},
		{`my\ file.sh`, "my file.sh"},
		{`'run'.sh`, "run.sh"},
		{"cd tools && ./a.sh", "tools/a.sh"},
		{"cd tools; cd deep; python3 c.py", "tools/deep/c.py"},
		{"make -C tools/deep -fc.py", "tools/deep/c.py"},
		{"cat x | sh <tools/a.sh >/dev/null", "tools/a.sh"},
		{"sh -c 'cd tools && . ./b.sh'", "tools/b.sh"},
		{"if true; then for i in 1; do (tools/a.sh) & done; fi", "tools/a.sh"},
		{"X=$(tools/a.sh) true", "tools/a.sh"},
		{"RULES=data.json true", "data.json"},
		{"jq --from-file=data.json .", "data.json"},
		{"curl -d @data.json x", "data.json"},
		{"PYTHONPATH=lib:tools/deep/c.py true", "tools/deep/c.py"},
		{"cd tools; jq . data.json", "data.json tools/data.json"},
		// what is only written to
		{"touch data.json", ""},
		{"date >> data.json 2>data.json", ""},
		{"make | tee data.json >/dev/null && rm -f tools/data.json", ""},
		{"test -f run.sh && make", ""},
		{"touch run.sh; sh run.sh", "run.sh"},
		{"touch run.sh; sh -c 'sh run.sh'", "run.sh"},
		{"echo x > run.sh; . run.sh", "run.sh"},
		{"cp data.json tools/a.sh", "data.json tools/a.sh"},
		{"touch() { sh \"$1\"; }; touch run.sh", "run.sh"},
		{"alias touch=sh\ntouch run.sh", "run.sh"},
		{"echo \"$(sh run.sh)\" > data.json", "run.sh"},
		{"touch *.sh", "my file.sh run.sh"},
		{"cat tools/*.sh", "tools/a.sh tools/b.sh"},
		{"cat t*/deep/?.py", "tools/deep/c.py"},
		{"grep '[a-z]*' '.*' '?'", ""},
		{"for f in *.sh; do sh \"$f\"; done", "my file.sh run.sh"},
		{"D=tools; $D/a.sh", "tools/a.sh"},
		{"tools/$TOOL_NAME.sh", "tools/a.sh tools/b.sh"},
		{`echo "$A $B" "$A$B"`, ""},
		{"tools/../run.sh ../" + filepath.Base(root) + "/data.json", "run.sh"}, // the second is out of the project for a moment
		{"sh <<E\ntools/a.sh\nE", "tools/a.sh"},
		{"this isn't shell; tools/a.sh", "tools/a.sh"},
		{"tools", ""},
		{"/etc/passwd", ""},
	} {
		got, err := names(t, root, c.command)
		if err != nil || got != c.want {
			t.Errorf("%s\n got %q, %v\nwant %q", c.command, got, err, c.want)
		}
	}
	if got, err := names(t, root, "python3", "my file.sh", "--rules", "tools/data.json"); err != nil || got != "my file.sh tools/data.json" {
		t.Errorf("args: %q, %v", got, err)
	}
	if got, err := names(t, root, "sh", "-c", "cd tools; ./a.sh"); err != nil || got != "tools/a.sh" {
		t.Errorf("sh -c as args: %q, %v", got, err)
	}
}

// A command that names more than can be looked at is refused, not looked at in part.
func TestNamedFilesTooMany(t *testing.T) {
	var folders []string
	for i := range 40 {
		folders = append(folders, strings.Repeat("d", i+1)+"/x")
	}
	root := projectOf(t, folders...)
	if _, err := names(t, root, strings.ReplaceAll(strings.Join(folders, " "), "/x", "")); err == nil || !strings.Contains(err.Error(), "too many") {
		t.Errorf("40 folders: %v", err)
	}
	prints, err := newFileHashes(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer prints.close()
	prints.lookups = maxLookups - 10
	if _, err := prints.commandFiles(root, &source.Hook{Hook: config.Hook{Command: "a b c d e f g h i j k l"}}); err == nil {
		t.Error("more lookups than may be")
	}
}

// FuzzNamedFiles: whatever a command says, what it is said to name are files of the
// project.
func FuzzNamedFiles(f *testing.F) {
	for _, s := range []string{"sh run.sh", "cd tools && ./a.sh", "$X/a.sh", "tools/*.sh", "../../etc/passwd", "tools/$X.sh", "\x00", "[", "-f/run.sh", "~/x"} {
		f.Add(s)
	}
	root := projectOf(f, "run.sh", "tools/a.sh")
	f.Fuzz(func(t *testing.T, command string) {
		if len(command) > 1000 {
			return
		}
		got, err := names(t, root, command)
		if err != nil {
			return
		}
		for _, name := range strings.Fields(got) {
			if name != "run.sh" && name != "tools/a.sh" {
				t.Errorf("%q names %q", command, name)
			}
		}
	})
}

func TestNamesThatAreOnlyPrinted(t *testing.T) {
	root := projectOf(t, "run.sh")
	for _, command := range []string{"echo run.sh | xargs sh", "ls run.sh | sh", "printf run.sh > list; xargs sh < list"} {
		if got, err := names(t, root, command); err != nil || got != "run.sh" {
			t.Errorf("%s names %q, %v; want run.sh", command, got, err)
		}
	}
}
