package builtins_test

import (
	"testing"

	"github.com/luahook/luahook/hooks"
)

// A tool that runs texts, and isn't a shell by its name, may be given a program. That is no faulty command line: what
// is judged is what the program runs.
func TestProgramsOfTools(t *testing.T) {
	e := guardWith(t, nil)
	for _, c := range []struct{ tool, text, want string }{
		{"exec", "const r = await tools.exec_command({\"cmd\":\"git status\"});\ntext(r.output)", ""},
		{"exec", "const r = await tools.exec_command({\"cmd\":\"rm -rf ~\"});\ntext(r.output)", "deletion.home"},
		{"exec", "require('child_process').execSync('rm -rf ~')", "deletion.home"},
		{"exec", "await Promise.all([1, 2].map(async (x) => { return x * 2 }))", ""},
		{"exec", "import {rmSync} from 'node:fs'\nrmSync('/etc', {recursive: true})", "deletion.system"},
		{"mcp__repl__exec", "const fs = require('fs');\nconsole.log(fs.readdirSync('.'))", ""},
		{"execute", "import os\nfor x in os.listdir('.'):\n    print(x)", ""},
		{"execute", "import shutil; shutil.rmtree('/etc')", "deletion.system"},
		{"execute", "with open('x') as f:\n    print(f.read())", ""},

		// A shell's text is read as a shell's, whatever else it looks like.
		{"exec", "ls -la && git diff", ""},
		{"exec", "rm -rf ~\nimport os", "deletion.home"},
		{"exec", "echo 'x", "unknown.syntax"},
		{"Bash", "import os\nprint('x)", "unknown.syntax"},
		{"run_shell_command", "import os\nprint('x", "unknown.syntax"},
	} {
		r := fire(t, e, hooks.PreToolCall, c.tool, c.text)
		if got := stoppedBy(t, r); got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.tool, c.text, got, c.want)
		}
	}
}

// What an input says of its shell isn't believed alone: a tool may not listen to it.
func TestShellThatAnInputNames(t *testing.T) {
	e := guardWith(t, nil)
	for _, c := range []struct{ tool, text, shell, want string }{
		{"run_shell_command", "rem x; rm -rf ~", "cmd", "deletion.home"},
		{"run_shell_command", "echo ‘; rm -rf ~; echo ’", "powershell", "deletion.home"},
		{"bash", "rem x; rm -rf ~", "cmd", "deletion.home"},
		{"run_shell_command", "Remove-Item -Recurse -Force ~", "bash", "deletion.home"},
		{"run_shell_command", "Get-ChildItem | Select-Object Name", "pwsh", ""},
		{"run_shell_command", "rmdir /s /q C:\\Windows", "cmd", "deletion.system"},
		{"run_shell_command", "echo it's", "cmd", ""},
	} {
		got, r := judged(t, e, c.tool, object{"command": c.text, "shell": c.shell})
		if got != c.want {
			t.Errorf("%s in %s: %q, want %q: %s", c.text, c.shell, got, c.want, r.Reason)
		}
	}
}
