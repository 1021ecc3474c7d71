package builtins_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

type object = map[string]any

// judged fires a call of any tool, and returns the rule that stops it and what was decided.
func judged(t *testing.T, e *engine.Engine, tool string, input object) (rule string, r *hooks.Result) {
	t.Helper()
	r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: cwd, ToolCall: &hooks.ToolCall{Name: tool, Input: input}})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, input, err)
	}
	for _, run := range r.Summary().Runs {
		if run.Error != nil {
			t.Fatalf("%s %v: %+v", tool, input, run)
		}
	}
	return stoppedBy(t, r), r
}

// Files that a tool other than a shell writes or deletes, and SQL that it passes to a database, are judged by
// the rules for commands.
func TestOtherTools(t *testing.T) {
	t.Setenv("HOME", "/home/kim")
	patch := func(file string) object {
		return object{"patch": "*** Begin Patch\n*** Update File: " + file + "\n@@\n-a\n+b\n*** End Patch\n"}
	}
	e := guardWith(t, nil)
	for _, c := range []struct {
		tool  string
		input object
		want  string // the rule; "" for none
	}{
		// key files
		{"Write", object{"file_path": "/home/kim/.ssh/authorized_keys", "content": "x"}, "files.login"},
		{"Write", object{"file_path": "~/.bashrc", "content": "x"}, "files.shell-start"},
		{"Edit", object{"file_path": "/home/kim/.zshrc", "old_string": "a", "new_string": "b"}, "files.shell-start"},
		{"MultiEdit", object{"file_path": "/home/kim/.profile", "edits": []any{object{"old_string": "a", "new_string": "b"}}}, "files.shell-start"},
		{"Write", object{"file_path": "/etc/hosts", "content": "x"}, "files.system"},
		{"Write", object{"file_path": "/etc/sudoers.d/kim", "content": "x"}, "files.accounts"},
		{"write_file", object{"path": "/etc/cron.d/shop", "content": "x"}, "files.cron-table"},
		{"create_file", object{"path": "/boot/grub/grub.cfg"}, "files.boot"},
		{"apply_patch", patch("/etc/passwd"), "files.accounts"},
		{"apply_patch", patch(".git/hooks/pre-commit"), "files.git-settings"},
		{"Write", object{"file_path": ".git/config", "content": "x"}, "files.git-settings"},
		{"mcp__files__write_file", object{"path": "/home/kim/.aws/credentials", "content": "x"}, "files.credentials"},
		{"mcp__files__move_file", object{"source": "x", "destination": "/etc/profile.d/x.sh"}, "files.shell-start"},
		{"mcp__files__move_file", object{"from": "./x", "to": "~/.ssh/authorized_keys"}, "files.login"},
		{"mcp__files__edit_block", object{"file_path": "/etc/fstab", "old_string": "a", "new_string": "b"}, "files.accounts"},
		{"mcp__files__delete_file", object{"path": "/etc/shadow"}, "files.accounts"},
		{"delete_file", object{"target_file": "/home/kim/.ssh/id_ed25519"}, "files.keys"},
		{"mcp__files__batch", object{"operations": []any{object{"path": "a.txt"}, object{"path": "/home/kim/.netrc"}}}, "files.credentials"},
		{"mcp__files__create_directory", object{"uri": "file:///home/kim/Library/LaunchAgents/x"}, "files.launch"},
		{"mcp__files__call", object{"arguments": object{"path": "/home/kim/.bash_profile"}}, "files.shell-start"},
		{"Write", object{"file_path": "../../../etc/hosts", "content": "x"}, "files.system"},
		{"str_replace_based_edit_tool", object{"command": "create", "path": "/etc/hosts"}, "files.system"},
		{"Write", object{"file_path": "/dev/sda", "content": "x"}, ""}, // only a shell writes there

		// the files that the project and the user work with
		{"Write", object{"file_path": "src/main.go", "content": "rm -rf /"}, ""},
		{"Write", object{"file_path": ".env", "content": "A=1"}, ""},
		{"Write", object{"file_path": ".gitignore", "content": "x"}, ""},
		{"Write", object{"file_path": "/home/kim/shop/etc/hosts", "content": "x"}, ""},
		{"Write", object{"file_path": "/tmp/notes/.bashrc", "content": "x"}, ""},
		{"Write", object{"file_path": "docs/.zshrc", "content": "x"}, ""},
		{"Write", object{"file_path": "/usr/local/bin/tool", "content": "x"}, ""},
		{"Edit", object{"file_path": "deploy/crontab", "old_string": "a", "new_string": "b"}, ""},
		{"apply_patch", patch("src/a.go"), ""},
		{"mcp__files__write_file", object{"path": "notes.md", "content": "/etc/passwd"}, ""},
		{"mcp__files__delete_file", object{"path": "old.txt"}, ""},
		{"mcp__files__move_file", object{"source": "a.txt", "destination": "b.txt"}, ""},
		{"mcp__files__read_file", object{"path": "/etc/passwd"}, ""},
		{"mcp__files__get_file_info", object{"path": "/home/kim/.ssh/authorized_keys"}, ""},
		{"mcp__files__list_directory", object{"path": "/etc"}, ""},
		{"mcp__files__search_files", object{"path": "/etc", "pattern": "hosts"}, ""},
		{"Read", object{"file_path": "/home/kim/.bashrc"}, ""},
		{"Grep", object{"path": "/etc", "pattern": "x"}, ""},
		{"str_replace_based_edit_tool", object{"command": "view", "path": "/etc/hosts"}, ""},
		{"Task", object{"prompt": "write /etc/passwd"}, ""},
		{"WebFetch", object{"url": "https://shop.example/etc/passwd"}, ""},

		// the guard itself
		{"Write", object{"file_path": ".hooks/guard.lua", "content": ""}, "self.hooks"},
		{"Edit", object{"file_path": "/home/kim/shop/.hooks/hooks.yaml", "old_string": "a", "new_string": "b"}, "self.hooks"},
		{"Write", object{"file_path": "/home/kim/.config/luahook/hooks.yaml", "content": ""}, "self.hooks"},
		{"mcp__files__delete_file", object{"path": "/home/kim/.local/state/luahook/trust.json"}, "self.hooks"},
		{"mcp__files__delete_directory", object{"path": ".hooks"}, "self.hooks"},
		{"mcp__files__move_file", object{"source": ".hooks", "destination": "old"}, "self.hooks"},
		{"apply_patch", patch(".hooks/a.lua"), "self.hooks"},
		{"Write", object{"file_path": ".claude/settings.json", "content": "{}"}, "self.settings"},
		{"Edit", object{"file_path": "/home/kim/.claude/settings.local.json", "old_string": "a", "new_string": "b"}, "self.settings"},
		{"Write", object{"file_path": "/home/kim/.codex/config.toml", "content": ""}, "self.settings"},
		{"Write", object{"file_path": ".cursor/hooks.json", "content": ""}, "self.settings"},
		{"Write", object{"file_path": ".gemini/settings.json", "content": ""}, "self.settings"},
		{"mcp__files__delete_directory", object{"path": ".claude"}, "self.settings"},
		{"Write", object{"file_path": ".CLAUDE/Settings.json", "content": ""}, "self.settings"},
		{"Read", object{"file_path": ".hooks/hooks.yaml"}, ""},
		{"Read", object{"file_path": "/home/kim/.claude/settings.json"}, ""},
		{"mcp__files__read_text_file", object{"path": ".claude/settings.json"}, ""},
		{"Write", object{"file_path": ".claude/commands/review.md", "content": ""}, ""},
		{"Write", object{"file_path": "CLAUDE.md", "content": "disableAllHooks"}, ""},
		{"Write", object{"file_path": "src/hooks/use-cart.ts", "content": ""}, ""},
		{"Write", object{"file_path": "src/settings.json", "content": ""}, ""},

		// deletions and moves of file servers, outside of the project and of .git
		{"mcp__filesystem__delete_file", object{"path": "/home/kim/other/notes.md"}, "deletion.by-tool-outside"},
		{"mcp__filesystem__delete_directory", object{"path": "../other"}, "deletion.by-tool-outside"},
		{"mcp__filesystem__delete_file", object{"path": ".git/config"}, "deletion.by-tool-outside"},
		{"mcp__filesystem__move_file", object{"source": ".git", "destination": "/tmp/x"}, "deletion.by-tool"},
		{"mcp__filesystem__move_file", object{"source": "/home/kim/docs", "destination": "/tmp/x"}, "deletion.by-tool-outside"},
		{"mcp__fs__rename", object{"old_path": "/home/kim/docs/a", "new_path": "/home/kim/docs/b"}, "deletion.by-tool-outside"},
		{"fs_delete", object{"path": "/home/kim/docs/a.txt"}, "deletion.by-tool-outside"},
		{"mcp__filesystem__delete_file", object{"path": "src/old.go"}, ""},
		{"mcp__filesystem__delete_file", object{"path": "/tmp/x/a"}, ""},
		{"mcp__filesystem__delete_file", object{"path": ".git/index.lock"}, ""},
		{"mcp__filesystem__move_file", object{"source": "/tmp/a.txt", "destination": "b.txt"}, ""},
		{"mcp__filesystem__copy_file", object{"source": "/home/kim/docs/a.txt", "destination": "b.txt"}, ""},
		{"mcp__shop__remove_item", object{"name": "/products/7"}, ""},
		{"mcp__notion__move_page", object{"source": "/a", "destination": "/b"}, ""},

		{"mcp__fs__file_operations", object{"operation": "delete", "path": "/home/kim/docs"}, "deletion.by-tool-outside"},
		{"mcp__fs__batch", object{"operations": []any{object{"type": "delete", "path": "/home/kim/docs"}}}, "deletion.by-tool-outside"},
		{"mcp__fs__empty_folder", object{"path": "/home/kim/docs"}, "deletion.by-tool-outside"},
		{"mcp__fs__create_empty_file", object{"path": "/home/kim/docs/a"}, ""},
		{"mcp__fs__move_file", object{"from": "/home/kim/docs", "to": "/tmp/q", "source": "x"}, "deletion.by-tool-outside"},

		// ways to write a path, and keys that hide what is done
		{"Write", object{"file_path": "~/../kim/.ssh/authorized_keys", "content": "x"}, "files.login"},
		{"Write", object{"file_path": "/proc/self/root/home/kim/.ssh/authorized_keys", "content": "x"}, "files.login"},
		{"Write", object{"file_path": "/proc/1/root//proc/self/root/etc/passwd", "content": "x"}, "files.accounts"},
		{"Edit", object{"file_path": "/home/kim/.ssh/authorized_keys", "old_string": "a", "new_string": "b", "command": "view"}, "files.login"},
		{"str_replace_based_edit_tool", object{"path": "/home/kim/.ssh/authorized_keys", "command": "view"}, ""},
		{"Edit", object{"file_path": ".vscode/settings.json", "old_string": "a", "new_string": "{\"chat.tools.autoApprove\": true}", "content": "x"}, "files.agent-approval"},

		{"Write", object{"file_path": ".Git/Hooks/pre-commit", "content": "x"}, "files.git-settings"},
		{"Write", object{"file_path": ".GIT/HEAD", "content": "x"}, "git.by-hand"},
		{"Write", object{"where": "/home/kim/.ssh/authorized_keys", "content": "x"}, "unknown.file"},
		{"Edit", object{}, "unknown.file"},
		{"mcp__notes__write", object{"title": "x", "content": "y"}, ""},
		{"TodoWrite", object{"todos": []any{object{"content": "x"}}}, ""},

		// programs that tools run, or put into a notebook
		{"run_python", object{"code": "import shutil; shutil.rmtree('/etc')"}, "deletion.system"},
		{"python", object{"input": "import shutil; shutil.rmtree('/etc')"}, "deletion.system"},
		{"code_interpreter", object{"code": "import os; os.system('rm -rf /')"}, "deletion.root"},
		{"execute_code", object{"language": "javascript", "code": "require('fs').rmSync('/etc', {recursive: true})"}, "deletion.system"},
		{"execute_code", object{"language": "bash", "code": "rm -rf /etc"}, "deletion.system"},
		{"mcp__ide__executeCode", object{"code": "import shutil; shutil.rmtree('/etc')"}, "deletion.system"},
		{"mcp__jupyter__execute_cell", object{"code": "x = 1\n!rm -rf /etc"}, "deletion.system"},
		{"mcp__jupyter__execute_code", object{"code": "%%bash\nrm -rf /etc"}, "deletion.system"},
		{"mcp__jupyter__insert_execute_code_cell", object{"cell_source": "import shutil\nshutil.rmtree('/etc')"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "import shutil; shutil.rmtree('/etc')"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "import shutil; shutil.rmtree('/etc')", "cell_type": "markdown"}, ""},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%matplotlib inline\ndf.head()"}, ""},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "x = " + strings.Repeat("not ", 200) + "1\nimport shutil; shutil.rmtree('/etc')"}, "unknown.complex"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "#" + strings.Repeat("x", 66_000) + "\nimport shutil; shutil.rmtree('/etc')"}, "unknown.complex"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "!echo it's\n!rm -rf /etc\n!echo it's"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "!cat <<E\n!rm -rf /etc"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "!cd node_modules\n!rm -rf *"}, "deletion.working-folder"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%cd node_modules\n!rm -rf *"}, ""},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "x = !rm -rf /etc"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%time !rm -rf \\\n  /etc"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%rm -rf /etc"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "get_ipython().system('rm -rf /etc')"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%time import shutil; shutil.rmtree('/etc')"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%%time\nimport shutil\nshutil.rmtree('/etc')"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "d = '/etc'\n!rm -rf {d}"}, "deletion.unknown"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "# x\n%%bash\nrm -rf /etc"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%%perl\nsystem('rm -rf /etc')"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%%writefile /etc/passwd\nx"}, "files.accounts"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "%%writefile app.py\nx = 1"}, ""},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "files = !ls\n%timeit sum(range(10))\nprint('%d!' % 5)"}, ""},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "!rm -rf /etc", "code": "1"}, "deletion.system"},
		{"NotebookEdit", object{"notebook_path": "a.ipynb", "new_source": "!rm -rf /etc", "language": "ruby"}, "deletion.system"},
		{"editNotebook", object{"newCode": []any{"!rm -rf /etc"}}, "deletion.system"},
		{"run_python", object{"code": "import shutil; shutil.rmtree('/etc')", "cell_type": "markdown"}, "deletion.system"},
		{"run_python", object{"code": "import shutil; shutil.rmtree('/etc')", "language": "bash"}, "deletion.system"},
		{"run_python", object{"code": "1", "python_code": "import shutil; shutil.rmtree('/etc')"}, "deletion.system"},
		{"mcp_pylance_mcp_s_pylanceRunCodeSnippet", object{"codeSnippet": "import shutil; shutil.rmtree('/etc')"}, "deletion.system"},
		{"mcp__code-runner__run-code", object{"code": "require('fs').rmSync('/etc', {recursive: true})", "languageId": "javascript"}, "deletion.system"},
		{"run_python", object{"code": "import os; os.remove('out.txt')"}, ""},
		{"mcp__jupyter__execute_cell", object{"code": "!pip install pandas"}, ""},
		{"mcp__chrome__evaluate_script", object{"function": "() => document.body.remove()"}, ""},
		{"mcp__python__lint_code", object{"code": "import shutil; shutil.rmtree('/etc')"}, ""},

		// what agents may do, the user's programs, and a project's checks
		{"Write", object{"file_path": "/home/kim/.claude.json", "content": "{}"}, "files.agent-servers"},
		{"Write", object{"file_path": ".mcp.json", "content": "{}"}, "files.agent-servers"},
		{"Write", object{"file_path": ".cursor/mcp.json", "content": "{}"}, "files.agent-servers"},
		{"Edit", object{"file_path": ".vscode/settings.json", "old_string": "}", "new_string": "\"chat.tools.autoApprove\": true}"}, "files.agent-approval"},
		{"Write", object{"file_path": ".vscode/settings.json", "content": "{\"chat.tools.terminal.autoApprove\": {}}"}, "files.agent-approval"},
		{"MultiEdit", object{"file_path": ".vscode/settings.json", "edits": []any{object{"old_string": "a", "new_string": "\"chat.tools.global.autoApprove\": true"}}}, "files.agent-approval"},
		{"Write", object{"file_path": "/home/kim/.local/bin/shop", "content": "x"}, "files.programs"},
		{"Write", object{"file_path": "/home/kim/bin/git", "content": "x"}, "files.programs"},
		{"Write", object{"file_path": ".husky/pre-commit", "content": "#!/bin/sh\nexit 0\n"}, "files.checks"},
		{"mcp__filesystem__delete_file", object{"path": ".husky/pre-commit"}, "files.checks"},
		{"Write", object{"file_path": ".husky/pre-commit", "content": "npx lint-staged\n"}, ""},
		{"Edit", object{"file_path": ".husky/pre-commit", "old_string": "npm test", "new_string": "npx lint-staged"}, ""},
		{"Write", object{"file_path": ".vscode/settings.json", "content": "{\"editor.tabSize\": 2}"}, ""},
		{"Write", object{"file_path": "bin/git", "content": "x"}, ""},
		{"Read", object{"file_path": "/home/kim/.claude.json"}, ""},

		// databases
		{"mcp__postgres__query", object{"sql": "DROP TABLE users"}, "sql.drop-table"},
		{"mcp__sqlite__write_query", object{"query": "DELETE FROM users"}, "sql.delete-all"},
		{"mcp__supabase__execute_sql", object{"query": "truncate orders"}, "sql.truncate"},
		{"mcp__mysql__run", object{"statement": "UPDATE users SET admin = 1"}, "sql.update-all"},
		{"mcp__supabase__apply_migration", object{"name": "x", "query": "alter table users drop column email"}, "sql.drop-column"},
		{"mcp__db__query", object{"params": object{"sql": "SELECT 1; DROP DATABASE shop"}}, "sql.drop-database"},
		{"run_sql", object{"sql": "DROP SCHEMA public CASCADE"}, "sql.drop-database"},
		{"mcp__postgres__query", object{"sql": "SELECT * FROM users WHERE note = 'DROP TABLE users'"}, ""},
		{"mcp__postgres__query", object{"sql": "DELETE FROM users WHERE id = 7"}, ""},
		{"mcp__sqlite__create_table", object{"query": "CREATE TABLE users (id int)"}, ""},
		{"mcp__postgres__query", object{"sql": "-- " + strings.Repeat("x", 66_000) + "\nDELETE FROM users"}, "unknown.complex"},
		{"mcp__postgres__query", object{"sql": strings.Repeat("select 1;", 6000) + "DELETE FROM users"}, "unknown.complex"},
		{"mcp__github__create_issue", object{"title": "x", "body": "DROP TABLE users"}, ""},
		{"mcp__slack__post", object{"text": "DELETE FROM users"}, ""},

		// shells of MCP servers
		{"mcp__commander__start_process", object{"command": "git reset --hard", "timeout_ms": 100}, "git.reset-hard"},
		{"mcp__shell__execute", object{"cmd": "luahook trust"}, "self.admin"},
		{"mcp__x__bash", object{"command": "mkfs.ext4 /dev/sda1"}, "disk.format"},
		{"mcp__x__run_command", object{"command": "git", "args": []any{"reset", "--hard"}}, "git.reset-hard"},
		{"mcp__commander__start_process", object{"command": "go test ./..."}, ""},
		{"mcp__shell__execute", object{"cmd": "git status"}, ""},
		{"mcp__shop__start", object{"command": "git reset --hard"}, "git.reset-hard"},
		{"mcp__shop__start", object{"command": "reset", "args": []any{"--hard"}}, ""},
		{"mcp__shop__start", object{"command": "git", "args": []any{"reset", "--hard"}}, "git.reset-hard"},
	} {
		if got, r := judged(t, e, c.tool, c.input); got != c.want {
			t.Errorf("%s %v: stopped by %q, want %q: %s", c.tool, c.input, got, c.want, r.Reason)
		}
	}
}

// A path in protect_paths is neither written nor deleted, whatever the tool.
func TestProtectedPaths(t *testing.T) {
	t.Setenv("HOME", "/home/kim")
	e := guardWith(t, object{"protect_paths": []any{"*.lock", "migrations", "config/prod*.yaml", "/srv/data", "~/notes"}})
	for _, c := range []struct {
		tool  string
		input object
		stops bool
	}{
		{"Write", object{"file_path": "go.lock"}, true},
		{"Write", object{"file_path": "web/yarn.lock"}, true},
		{"Edit", object{"file_path": "/home/kim/shop/migrations/001.sql"}, true},
		{"Edit", object{"file_path": "migrations"}, true},
		{"Write", object{"file_path": "config/prod-eu.yaml"}, true},
		{"mcp__files__delete_file", object{"path": "/srv/data/a/b.db"}, true},
		{"mcp__files__delete_directory", object{"path": "/srv"}, true},
		{"Write", object{"file_path": "/home/kim/notes/a.md"}, true},
		{"apply_patch", object{"patch": "*** Update File: migrations/002.sql\n"}, true},
		{"Bash", object{"command": "rm migrations/001.sql"}, true},
		{"Bash", object{"command": "echo x > web/yarn.lock"}, true},
		{"Bash", object{"command": "mv migrations old"}, true},
		{"Bash", object{"command": "cp a.sql migrations/"}, true},
		{"Bash", object{"command": "sed -i s/a/b/ config/prod.yaml"}, true},
		{"Bash", object{"command": "cd config && rm prod.yaml"}, true},
		{"Bash", object{"command": "truncate -s 0 /srv/data/a.db"}, true},

		{"Write", object{"file_path": "src/lock.go"}, false},
		{"Write", object{"file_path": "config/dev.yaml"}, false},
		{"Read", object{"file_path": "migrations/001.sql"}, false},
		{"Write", object{"file_path": "docs/migrations.md"}, false},
		{"Bash", object{"command": "cat migrations/001.sql > out.sql"}, false},
		{"Bash", object{"command": "cp migrations/001.sql backup.sql"}, false},
		{"Bash", object{"command": "ls -l /srv/data"}, false},
		{"Bash", object{"command": "git add yarn.lock"}, false},
	} {
		got, r := judged(t, e, c.tool, c.input)
		if protects := got == "files.protected" || strings.HasPrefix(got, "deletion."); c.stops != protects || c.stops && r.Decision != hooks.Deny {
			t.Errorf("%s %v: stopped by %q, want %v: %s", c.tool, c.input, got, c.stops, r.Reason)
		}
	}
}
