package builtins_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// The effect of an option: the same command with and without it.
func TestOptions(t *testing.T) {
	tests := []struct {
		name     string
		with     map[string]any
		commands map[string]string // to the rule that stops it, "" for none
	}{
		{"standard", nil, map[string]string{"git reset --hard": "git.reset-hard"}},
		{"level by its name", map[string]any{"level": "standard"}, map[string]string{"git reset --hard": "git.reset-hard"}},
		{"a rule is switched off", map[string]any{"disable": []any{"git.reset-hard"}}, map[string]string{"git reset --hard": ""}},
		{"a class is switched off", map[string]any{"disable": "git.*"}, map[string]string{"git reset --hard": ""}},
		{"rules of packs that are off can be named", map[string]any{"disable": "containers.*"}, map[string]string{"git reset --hard": "git.reset-hard"}},
		{"a command is allowed as it is", map[string]any{"allow": []any{"git reset --hard origin/main"}}, map[string]string{
			"git reset --hard origin/main":                   "",
			"cd lib && git reset --hard origin/main":         "",
			"sudo git reset --hard 'origin/main'":            "",
			"git reset --hard":                               "git.reset-hard",
			"git reset --hard origin/main -q":                "git.reset-hard",
			"git -C x reset --hard origin/main":              "git.reset-hard",
			"git reset --hard origin/main; git reset --hard": "git.reset-hard",
			"rm -rf / ; git reset --hard origin/main":        "deletion.root",
			"git reset --hard origin/main; echo 'no end":     "unknown.syntax",
		}},
		{"a pattern in a word", map[string]any{"allow": "git reset --hard origin/*"}, map[string]string{
			"git reset --hard origin/dev": "",
			"git reset --hard HEAD":       "git.reset-hard",
		}},
		{"a pattern covers what a word may be", map[string]any{"allow": []any{
			"rm -rf ../out/*", "rm -rf ~/tmp/x", "rm -rf /data/a?c", "rm -rf /data/[ab]", "rm -rf '/data/y|z'", "rm -rf /data/[x", "rm -rf '/data/{q'",
			"git push -f origin feature/*", "kubectl delete pod * -n dev", "dropdb test_*"}}, map[string]string{
			"rm -rf ../out/a":                     "",
			"rm -rf ../out//a":                    "",
			"rm -rf ../out/*":                     "",
			"rm -rf ../out/*.o":                   "",
			"rm -rf ../out/?":                     "",
			"rm -rf ../out/c*":                    "", // which may be Application Support/...
			"rm -rf ../out/.g*":                   "self.settings",
			"rm -rf ../out/a > /etc/passwd":       "files.accounts",
			"rm -rf ../out/a 2>> ~/.bashrc":       "files.shell-start",
			"rm -rf ../out/a > /dev/null 2>&1":    "",
			"git push -f origin feature/a?main":   "git.push-force",
			"rm -rf ../out/":                      "deletion.outside",
			"rm -rf ../*":                         "deletion.working-folder",
			"rm -rf ../o*/a":                      "deletion.outside",
			"rm -rf ../out/..":                    "deletion.working-folder",
			"rm -rf ../out/../../kim":             "deletion.working-folder",
			"rm -rf ../out/a/b":                   "deletion.outside",
			"rm -rf ../out/$x":                    "deletion.unknown",
			"rm -rf ../out/$(cat x)":              "deletion.unknown",
			"rm -rf ~/tmp/x":                      "",
			"rm -rf $HOME/tmp/x":                  "",
			"rm -rf ~/tmp/":                       "deletion.outside",
			"rm -rf /data/abc":                    "",
			"rm -rf /data/a?c":                    "",
			"rm -rf /data/a*c":                    "deletion.outside",
			"rm -rf /data/*":                      "deletion.home",
			"rm -rf /*":                           "deletion.root",
			"rm -rf /data/b":                      "",
			"rm -rf /data/[ab]":                   "",
			"rm -rf /data/[a-z]":                  "deletion.home",
			"rm -rf '/data/y|z'":                  "",
			"rm -rf z":                            "",
			"rm -rf /var/z":                       "deletion.system",
			"rm -rf /data/y":                      "deletion.outside",
			"rm -rf '/data/[x'":                   "",
			"rm -rf '/data/{q'":                   "",
			"git push -f origin feature/x":        "",
			"git push -f origin feature/x:main":   "git.push-force",
			"git push -f origin feature/$b":       "git.push-force",
			"git push -f origin 'feature/*:main'": "git.push-force",
			"dropdb test_1":                       "",
		}},
		{"a pattern is no option", map[string]any{"packs": []any{"kubernetes", "databases"}, "allow": []any{"kubectl delete pod * -n dev", "dropdb test_*"}}, map[string]string{
			"kubectl delete pod a -n dev":     "",
			"kubectl delete pod --all -n dev": "kubernetes.delete-broad",
			"dropdb test_1":                   "",
			"dropdb *":                        "databases.drop",
			"dropdb tes?_1":                   "databases.drop",
		}},
		{"a command is that of this machine and this project", map[string]any{"packs": []any{"containers", "kubernetes", "databases"}, "allow": []any{
			"docker compose down -v", "git reset --hard origin/main", "rm -rf /data/abc", "rm -rf dist/../../out", "dropdb test_*",
			"ssh staging docker compose down -v", "ssh dev 'dropdb * && ls'", "PGHOST=dev dropdb live", "sudo rm -rf /opt/app"}}, map[string]string{
			"docker compose down -v":                                                    "",
			"cd lib && docker compose down -v":                                          "",
			"docker compose down -v || true":                                            "",
			"ssh prod docker compose down -v":                                           "containers.compose-volumes",
			"ssh prod 'cd x && docker compose down -v'":                                 "containers.compose-volumes",
			"DOCKER_HOST=ssh://prod docker compose down -v":                             "containers.compose-volumes",
			"env DOCKER_HOST=ssh://prod docker compose down -v":                         "containers.compose-volumes",
			"sudo DOCKER_HOST=ssh://prod docker compose down -v":                        "containers.compose-volumes",
			"export DOCKER_HOST=ssh://prod; docker compose down -v":                     "containers.compose-volumes",
			"DOCKER_CONTEXT=prod; docker compose down -v":                               "containers.compose-volumes",
			"declare -x DOCKER_CONTEXT=prod; docker compose down -v":                    "containers.compose-volumes",
			"d() { docker compose down -v; }; DOCKER_CONTEXT=prod d":                    "containers.compose-volumes",
			"x=$(date); docker compose down -v; echo $x":                                "",
			"docker exec db dropdb test_1":                                              "databases.drop",
			"ssh staging docker compose down -v":                                        "",
			"ssh staging -p 22 docker compose down -v":                                  "containers.compose-volumes",
			"DOCKER_HOST=x ssh staging docker compose down -v":                          "containers.compose-volumes",
			"ssh dev 'dropdb a && ls'":                                                  "",
			"ssh dev 'dropdb a && dropdb b'":                                            "databases.drop",
			"ssh dev 'dropdb a; docker compose down -v && ls'":                          "containers.compose-volumes",
			"PGHOST=dev dropdb live":                                                    "",
			"dropdb live":                                                               "databases.drop",
			"PGHOST=prod dropdb live":                                                   "databases.drop",
			"PGHOST=dev PGPORT=6432 dropdb live":                                        "databases.drop",
			"export PGHOST=dev; dropdb live":                                            "",
			"cd / && git reset --hard origin/main":                                      "git.reset-hard",
			"cd ~ && git reset --hard origin/main":                                      "git.reset-hard",
			"cd $DIR && git reset --hard origin/main":                                   "git.reset-hard",
			"cd /tmp/x && git reset --hard origin/main":                                 "",
			"cd / && rm -rf /data/abc":                                                  "",
			"sudo rm -rf /opt/app":                                                      "",
			"rm -rf /opt/app":                                                           "deletion.system",
			`python3 -c 'import shutil; shutil.rmtree("/data/abc")'`:                    "",
			`DOCKER_CONTEXT=prod git -c alias.x='!docker compose down -v' x`:            "containers.compose-volumes",
			`python3 -c 'import os; os.system("DOCKER_HOST=a docker compose down -v")'`: "containers.compose-volumes",
		}},
		{"whatever follows", map[string]any{"allow": "git reset --hard *"}, map[string]string{
			"git reset --hard":             "",
			"git reset --hard HEAD~1":      "",
			"git reset --hard HEAD~1 -q":   "",
			"git -C sub reset --hard HEAD": "git.reset-hard",
		}},
		{"a folder that may be thrown away", map[string]any{"allow_paths": []any{"/srv/scratch", "../out"}}, map[string]string{
			"rm -rf /srv/scratch/x": "",
			"rm -rf ../out/x":       "",
			"rm -rf /srv/scratchy":  "deny",
			"rm -rf /srv":           "deny",
		}},
		{"files that must stay", map[string]any{"protect_paths": []any{"migrations/**", "*.lock", "/home/kim/shop/keys"}}, map[string]string{
			"rm migrations/1.sql":      "files.protected",
			"echo x > Cargo.lock":      "files.protected",
			"cp a keys/b":              "files.protected",
			"sed -i s/a/b/ keys/b":     "files.protected",
			"cat migrations/1.sql":     "",
			"rm old/1.sql":             "",
			"git commit -m Cargo.lock": "",
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			e := guardWith(t, test.with)
			for command, want := range test.commands {
				got, r := verdictOf(t, e, command)
				if want == "deny" && r.Decision == hooks.Deny {
					continue
				}
				if got != want {
					t.Errorf("%s: %q, want %q: %s", command, got, want, r.Reason)
				}
			}
		})
	}
}

// The level audit reports what it would have done, and does nothing, except for the guard itself.
func TestAudit(t *testing.T) {
	e := guardWith(t, map[string]any{"level": "audit"})
	r := fire(t, e, hooks.PreToolCall, "Bash", "git reset --hard")
	if r.Decision != hooks.NoOpinion || !strings.Contains(r.SystemMessage, "would deny: git reset --hard throws away") {
		t.Errorf("%s, message %q", r.Decision, r.SystemMessage)
	}
	if id, _ := verdictOf(t, e, "luahook trust --yes"); !strings.HasPrefix(id, "self.") {
		t.Errorf("luahook trust is stopped by %q", id)
	}
	r = fire(t, e, hooks.PreToolCall, "Bash", "sudo rm -r /etc/luahook") // denied by another rule, too
	if id := stoppedBy(t, r); id != "self.hooks" || !strings.Contains(r.SystemMessage, "would deny") {
		t.Errorf("rm -r /etc/luahook is stopped by %q, message %q", id, r.SystemMessage)
	}
	if r := fire(t, e, hooks.PreToolCall, "Bash", "git status"); r.SystemMessage != "" {
		t.Errorf("message %q", r.SystemMessage)
	}
}

// An error for a wrong option says what is wrong, and suggests a similar one.
func TestWrongOptions(t *testing.T) {
	tests := []struct {
		with map[string]any
		want string
	}{
		{map[string]any{"lvl": "strict"}, `no option "lvl", did you mean "level"?`},
		{map[string]any{"nonsense": 1}, `no option "nonsense"; it has: level, packs, allow`},
		{map[string]any{"level": "strickt"}, `level has no "strickt", did you mean "strict"?`},
		{map[string]any{"level": "lax"}, `level has no "lax"; it has: standard, strict, audit`},
		{map[string]any{"level": 3}, `level has no "3"`},
		{map[string]any{"level": true}, `level has no "true"`},
		{map[string]any{"packs": []any{"kubernets"}}, `packs has no "kubernets", did you mean "kubernetes"?`},
		{map[string]any{"packs": map[string]any{"cloud": true}}, "packs is a list of texts"},
		{map[string]any{"packs": []any{"cloud", 7}}, "packs: entry 2 is a text, got number"},
		{map[string]any{"disable": []any{"git.reset-hrad"}}, `no rule "git.reset-hrad", did you mean "git.reset-hard"?`},
		{map[string]any{"disable": []any{"git.credentials-sent"}}, `no rule "git.credentials-sent"; the nearest is "`},
		{map[string]any{"disable": "self.*"}, `"self.*" can't be switched off`},
		{map[string]any{"allow": "git reset --hard && ls"}, "is not one command"},
		{map[string]any{"allow": "$TOOL --hard"}, "is not one command"},
		{map[string]any{"allow": `git reset "$REF"`}, "is not one command"},
		{map[string]any{"allow": "ls > x"}, "has a redirection"},
		{map[string]any{"allow": "'"}, "is not one command"},
		{map[string]any{"allow_paths": "/"}, `"/" is everything`},
		{map[string]any{"allow_paths": ""}, "allow_paths: entry 1 is empty"},
		{map[string]any{"worktrees": "relax"}, `worktrees has no "relax", did you mean "relaxed"?`},
	}
	for _, test := range tests {
		e := guardWith(t, test.with)
		problems := e.LoadErrors()
		if len(problems) != 1 || !strings.Contains(problems[0].Error(), test.want) {
			t.Errorf("%v: %v, want %q", test.with, problems, test.want)
			continue
		}
		if r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Command: "ls"}}); err != nil || r.Decision != hooks.Deny {
			t.Errorf("%v: a guard that doesn't load: %v %s", test.with, err, r.Decision)
		}
	}
}

// A project that names the guard adds one: it removes nothing of the user's.
func TestProjectCannotLoosen(t *testing.T) {
	for name, config := range map[string]string{
		"switched off":    "hooks:\n  enabled: false\n",
		"entry off":       "hooks:\n  pre_tool_call:\n    - {name: g, builtin: safety-guard, enabled: false}\n",
		"audit":           "hooks:\n  pre_tool_call:\n    - {name: g, builtin: safety-guard, with: {level: audit}}\n",
		"disabled":        "hooks:\n  pre_tool_call:\n    - {name: g, builtin: safety-guard, with: {disable: ['git.*', 'deletion.*']}}\n",
		"allowed":         "hooks:\n  pre_tool_call:\n    - {name: g, builtin: safety-guard, with: {allow: ['git reset --hard *'], allow_paths: [/home]}}\n",
		"disarmed itself": "hooks:\n  pre_tool_call:\n    - {name: g, builtin: safety-guard, with: {disable: ['self.*']}}\n",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			if err := os.MkdirAll(filepath.Join(root, ".hooks"), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(root, ".hooks", "hooks.yaml"), []byte(config), 0o644); err != nil {
				t.Fatal(err)
			}
			e, err := engine.New(engine.WithProject(engine.Project{Root: root, Hooks: filepath.Join(root, ".hooks")}))
			if e == nil {
				t.Fatal(err)
			}
			defer e.Close(t.Context())
			for _, command := range []string{"git reset --hard", "rm -rf /home/kim", "luahook trust"} {
				r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: cwd, ToolCall: &hooks.ToolCall{Name: "bash", Command: command}})
				if err != nil || r.Decision != hooks.Deny {
					t.Errorf("%s: %v %s", command, err, r.Decision)
				}
			}
		})
	}
}
