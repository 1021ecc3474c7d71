package builtins_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// The cases of testdata/safety-guard, a file for each class. A line has the rule that stops a command, "-" for
// none, and after blanks the command: as it is, or as a Go string if it begins with a quote ("a\nb"). "ask" and
// "deny" instead of a rule are any rule that asks or denies. "#with {...}" sets the options for the following
// lines; other lines that begin with # are comments.
func TestCases(t *testing.T) {
	count := 0
	eachCase(t, func(e *engine.Engine, place, want, command string) {
		count++
		got, r := verdictOf(t, e, command)
		switch want {
		case "-":
			want = ""
		case "ask", "deny":
			got = string(r.Decision)
		}
		if got != want {
			t.Errorf("%s: %s: got %q, want %q: %s", place, command, got, want, r.Reason)
		}
	})
	t.Logf("%d cases", count)
}

// eachCase calls test with each of these, the guard that it is for, and its file and line.
func eachCase(t *testing.T, test func(e *engine.Engine, place, want, command string)) {
	t.Helper()
	files, err := filepath.Glob("testdata/safety-guard/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e := guardWith(t, nil)
		for i, line := range strings.Split(string(text), "\n") {
			line = strings.TrimSpace(line)
			if options, ok := strings.CutPrefix(line, "#with "); ok {
				var with map[string]any
				if err := json.Unmarshal([]byte(options), &with); err != nil {
					t.Fatalf("%s:%d: %v", file, i+1, err)
				}
				e = guardWith(t, with)
			} else if line != "" && !strings.HasPrefix(line, "#") {
				want, command := caseOf(t, file, i+1, line)
				test(e, file+":"+strconv.Itoa(i+1), want, command)
			}
		}
	}
}

// caseOf takes a line of a file of cases apart.
func caseOf(t testing.TB, file string, number int, line string) (want, command string) {
	t.Helper()
	want, command, ok := strings.Cut(line, " ")
	command = strings.TrimSpace(command)
	if !ok || command == "" {
		t.Fatalf("%s:%d: a rule and a command expected", file, number)
	}
	if strings.HasPrefix(command, `"`) {
		if unquoted, err := strconv.Unquote(command); err == nil {
			command = unquoted
		}
	}
	return want, command
}

// The cases of testdata/safety-guard-windows are written in the same way, for tools of Windows: the file has the
// tool's name.
func TestWindowsCases(t *testing.T) {
	for tool, atLeast := range map[string]int{"powershell": 470, "cmd": 90} {
		file := "testdata/safety-guard-windows/" + tool + ".txt"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e := guardWith(t, nil)
		count := 0
		for i, line := range strings.Split(string(text), "\n") {
			if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			want, command := caseOf(t, file, i+1, line)
			r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: `C:\Users\kim\shop`, ToolCall: &hooks.ToolCall{Name: tool, Input: map[string]any{"command": command}}})
			if err != nil {
				t.Fatal(err)
			}
			count++
			if got := stoppedBy(t, r); got != strings.Trim(want, "-") && !(want == "-" && got == "") {
				t.Errorf("%s:%d: %s: got %q, want %q: %s", file, i+1, command, got, want, r.Reason)
			}
		}
		if count < atLeast {
			t.Errorf("%s: %d cases, want %d at least", file, count, atLeast)
		}
	}
}

// An allowed cmdlet may do what it does.
func TestAllowedCmdlet(t *testing.T) {
	e := guardWith(t, map[string]any{"allow": []any{`Remove-Item -Recurse C:\Data`}})
	for command, want := range map[string]string{
		`Remove-Item -Recurse C:\Data`:    "",
		`ri -Recurse C:\Data`:             "",
		`Remove-Item -Recurse C:\Data2`:   "deletion.outside",
		`Remove-Item -Recurse C:\Windows`: "deletion.system",
	} {
		r := fire(t, e, hooks.PreToolCall, "powershell", command)
		if got := stoppedBy(t, r); got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}

// What can only be PowerShell or cmd.exe is read as that by a tool for any shell, too, and by the programs
// themselves.
func TestWindowsCasesElsewhere(t *testing.T) {
	e := guardWith(t, nil)
	for command, want := range map[string]string{
		`Remove-Item C:\Data -Recurse -Force`:                            "deletion.outside",
		`$env:FOO = 'x'; Remove-Item ~ -Recurse`:                         "deletion.home",
		`rm -Recurse -Force C:\Windows`:                                  "deletion.system",
		`rd /s /q C:\Data`:                                               "deletion.outside",
		`powershell.exe -NoProfile -Command "Remove-Item 'C:\Data' -r"`:  "deletion.outside",
		`cmd.exe /c 'rd /s /q C:\Data'`:                                  "deletion.outside",
		`pwsh -c "rm -r ~/projects"`:                                     "deletion.outside",
		`pwsh -c 'git reset --hard'`:                                     "git.reset-hard",
		`printf 'Remove-Item C:\\Data -r' | pwsh -`:                      "deletion.outside",
		`D=/etc; pwsh -c "Remove-Item $D -Recurse"`:                      "deletion.system",
		`pwsh -c "Remove-Item $D -Recurse"`:                              "deletion.unknown",
		`& "C:\tools\x.exe"; rm -r C:\Data`:                              "deletion.outside",
		`Get-ChildItem -Recurse -Include bin,obj | Remove-Item -Recurse`: "",
		`Remove-Item build -Recurse -Force -ErrorAction Ignore`:          "",
		`npm test; if ($LASTEXITCODE -ne 0) { exit 1 }`:                  "",
		`git commit -m "Remove-Item -Recurse C:\ is gone"`:               "",
		`grep -rn 'Remove-Item -Recurse' scripts`:                        "",
		`cat <<'EOF'` + "\nRemove-Item C:\\ -Recurse\nEOF":               "",
	} {
		if got, r := verdictOf(t, e, command); got != want {
			t.Errorf("%s: got %q, want %q: %s", command, got, want, r.Reason)
		}
	}
}
