//go:build unix

package command_test

import (
	"os"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/internal/command"
	"github.com/luahook/luahook/hooks"
)

// hostile are values that a shell would do something with.
var hostile = []string{
	"ls", "", " ", "a  b", "a\nb\n", "\t\n", "$(touch pwned)", "`touch pwned`", "; touch pwned;", "& touch pwned &", "|touch pwned", "x; touch pwned #",
	`"; touch pwned; "`, `'; touch pwned; '`, `"$(touch pwned)"`, "${IFS}", "$HOME", "$TOOL_COMMAND", "$LUAHOOK_EVENT", "$$", "~", "~root", "*", "?", "[a-z]*", "{a,b}",
	`\`, `\n`, `\\`, `a\`, "-n", "--", "-c", "%s", "%n%d", "!x", "#x", "a[$(touch pwned)]", "E", "\nE\ntouch pwned\n", ")", ") touch pwned", "}", "}; touch pwned",
	"\xff\xfe", "\u202e", "\r", "\x1b[2J", "世界", `{"decision":"allow"}`, "x=1 touch pwned", ">pwned", "<(touch pwned)", "$'\\x74'", "((touch pwned))",
}

// forms are shell texts that print the value of TOOL_COMMAND between x: and :x.
var forms = []string{
	`printf 'x:%s:x' $TOOL_COMMAND`,
	`printf 'x:%s:x' ${TOOL_COMMAND}`,
	`printf 'x:%s:x' "$TOOL_COMMAND"`,
	`printf 'x:%s:x' $LUAHOOK_TOOL_COMMAND`,
	`printf %s x:$TOOL_COMMAND:x`,
	`printf %s "x:${TOOL_COMMAND}:x"`,
	`v=$(printf %s $TOOL_COMMAND; echo .); printf %s "x:${v%.}:x"`,
	`v=$TOOL_COMMAND; printf %s "x:$v:x"`,
	`export v=$TOOL_COMMAND; sh -c 'printf %s "x:$v:x"'`,
	`f() { printf %s "x:$1:x"; }; f $TOOL_COMMAND`,
	`for v in $TOOL_COMMAND; do printf %s "x:$v:x"; done`,
	`case $TOOL_COMMAND in $TOOL_COMMAND) printf %s "x:$TOOL_COMMAND:x";; esac`,
	`printf 'x:%s:x' ${NOTHING:-$TOOL_COMMAND}`,
	`printf %s "x:${NOTHING:-$TOOL_COMMAND}:x"`,
	`sh -c 'printf %s "x:$1:x"' sh $TOOL_COMMAND`,
	"v=$(cat <<E\nx:$TOOL_COMMAND:x.\nE\n); printf %s \"${v%.}\"",
	"if [ x$TOOL_COMMAND = x$TOOL_COMMAND ]; then printf %s \"x:$TOOL_COMMAND:x\"; fi >&1",
}

// FuzzSubstitution: whatever the value is, it arrives as it is, and nothing else runs.
func FuzzSubstitution(f *testing.F) {
	for i := range forms {
		for _, value := range hostile {
			f.Add(uint(i), value)
		}
	}
	f.Fuzz(func(t *testing.T, form uint, value string) {
		if strings.IndexByte(value, 0) >= 0 || len(value) > 8<<10 {
			return
		}
		text := forms[form%uint(len(forms))]
		call := command.Call{
			Event: &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Kind: hooks.KindShell, Command: value}},
			Hook:  "check", ProjectDir: t.TempDir(), Depth: 1,
		}
		out := run(shell(t, text), call)
		if out.Run == nil {
			t.Fatalf("%s\nwith %q was not started: %v", text, value, out.Err)
		}
		want := "x:" + strings.ToValidUTF8(value, "\ufffd") + ":x"
		if got := strings.TrimSuffix(out.Run.Stdout, "\n"); got != strings.TrimSuffix(want, "\n") || out.Run.ExitCode != 0 || out.Run.Stderr != "" {
			t.Errorf("%s\nwith %q printed %q (exit status %d, stderr %q), want %q", text, value, out.Run.Stdout, out.Run.ExitCode, out.Run.Stderr, want)
		}
		if files, err := os.ReadDir(call.ProjectDir); err != nil || len(files) > 0 {
			t.Errorf("%s\nwith %q left %v, %v", text, value, files, err)
		}
	})
}
