package builtins_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Where there is a project, what is there and what git has of it decide, beside the names.
func TestLossInProject(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git isn't installed")
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", filepath.Join(home, "tmp"))
	top := filepath.Join(home, "shop")
	for name, text := range map[string]string{
		"tracked.db": "a", "changed.db": "a", "data/a.csv": "a", "certs/server.key": "a", "src/main.go": "package main", // in git
		".env": "A=1", ".env.example": "A=", "app.db": "a", "uploads/1.jpg": "a", "empty.db": "", "terraform.tfstate": "{}", "backend/.env": "A=1", "web/api/local.db": "a", "tests/run/a.db": "a", "dist/.env": "A=1", // not in git
	} {
		file := filepath.Join(top, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "tracked.db", "changed.db", "data", "certs", "src"}} {
		cmd := exec.Command("git", args...)
		cmd.Dir = top
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args, err, out)
		}
	}
	if err := os.WriteFile(filepath.Join(top, "changed.db"), []byte("b"), 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := engine.FindProject(top)
	if err != nil {
		t.Fatal(err)
	}
	e, err := engine.New(ample, engine.WithProject(p), engine.WithoutBuiltins(), engine.WithBuiltin(builtins.Default, nil))
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close(t.Context())
	bash := func(command string) (string, object) { return "Bash", object{"command": command} }
	for _, c := range []struct{ command, rule string }{
		// git has it, or there is nothing
		{"rm tracked.db", ""},
		{"rm -rf data", ""},
		{"rm -rf certs", ""},
		{"rm certs/*.key", ""},
		{"cp empty.db tracked.db", ""},
		{": > tracked.db", ""},
		{"rm empty.db", ""},
		{"rm none.db", ""},
		{"rm -rf backups", ""},
		{": > .env.local", ""},
		{"cp .env.example .env.local", ""},
		{"echo A=1 > .env.local", ""},
		{"mv app.db other.db", ""},
		{"rm n*.db", ""},
		{"rm -rf src", ""},
		{"rm -rf tests", ""},
		{"rm -rf dist", ""},
		{"cp -r backend /tmp/backend && rm -rf backend", ""},
		{"echo A=1 >> .env", ""},
		{"cp app.db app.db.bak && rm app.db", ""},
		{"grep -v A .env > .env.new && mv .env.new .env", ""},
		{"{ grep -v A .env; echo B=2; } > .env.new && mv .env.new .env", ""},
		{"[ -f .env ] || cp .env.example .env", ""},
		{"[ ! -f .env ] && cp .env.example .env || true", ""},
		{"if [ ! -e \".env\" ]; then cp .env.example .env; fi && npm ci", ""},
		{"[[ -f .env ]] || echo A=1 > .env", ""},
		{"test -f backend/.env || { cd backend; cp .env.example .env; }", ""},
		{"ls .env 2>/dev/null || cp .env.example .env", ""},
		{`php -r "file_exists('.env') || copy('.env.example', '.env');"`, ""},
		{`python3 -c "import os,shutil; os.path.exists('.env') or shutil.copy('.env.example','.env')"`, ""},
		{`node -e "const fs=require('fs'); if (!fs.existsSync('.env')) { fs.copyFileSync('.env.example', '.env') }"`, ""},
		{"if (!(Test-Path .env)) { Copy-Item .env.example .env }", ""},
		{`cmd /c "if not exist .env copy .env.example .env"`, ""},
		{"truncate -s 0 tracked.db", ""},
		{"touch none.log; truncate -s 0 none.log", ""},
		{"cp -i .env.example .env", ""},
		{"vercel env pull --yes", ""},

		// it is only here
		{"rm .env", "loss.deleted"},
		{"rm app.db", "loss.deleted"},
		{"rm changed.db", "loss.deleted"},
		{"rm *.db", "loss.deleted"},
		{"rm -rf uploads", "loss.deleted"},
		{"rm terraform.tfstate", "loss.deleted"},
		{"cp .env.example .env", "loss.overwritten"},
		{"echo A=1 > .env", "loss.overwritten"},
		{"cat > .env <<E\nA=1\nE", "loss.overwritten"},
		{"mv other.db app.db", "loss.overwritten"},
		{"[ -f .env ] && cp .env.example .env", "loss.overwritten"},
		{"[ -f other ] || cp .env.example .env", "loss.overwritten"},
		{"[ -f .env ] || true; cp .env.example .env", "loss.overwritten"},
		{"[ -f .env ] || echo no && cp .env.example .env", "loss.overwritten"},
		{"cd backend; [ -f x.env ] || cp .env.example .env", "loss.overwritten"},
		{"[ -f backend/.env ] || cp .env.example .env", "loss.overwritten"},
		{`php -r "file_exists('.env') && copy('.env.example', '.env');"`, "loss.overwritten"},
		{`php -r "file_exists('.env.example') || copy('.env.example', '.env');"`, "loss.overwritten"},
		{`node -e "const fs=require('fs'); if (fs.existsSync('.env')) { fs.copyFileSync('.env.example', '.env') }"`, "loss.overwritten"},
		{"if (!(Test-Path .env.example)) { Copy-Item .env.example .env }", "loss.overwritten"},
		{"touch app.db; truncate -s 0 app.db", "overwrite.emptied"},
		{"yes | cp -i .env.example .env", "loss.overwritten"},
		{"vercel env pull .env --yes", "loss.replaced"},
		{"gunzip -f app.db.gz", "loss.replaced"},
		{"curl -o app.db https://shop.example/a.db", "loss.overwritten"},
		{"cp /dev/null changed.db", "loss.overwritten"},
		{"mv app.db x.db && rm x.db", "loss.moved-away"},
		{"python3 -c 'import os; os.remove(\"app.db\")'", "loss.deleted"},
		{"touch app.db; rm app.db", "loss.deleted"},
		{"cp .env.example .env.b && rm .env", "loss.deleted"},
		{"rm -rf " + filepath.Join(top, "uploads"), "loss.deleted"},
		{"rm -rf backend", "loss.deleted"},
		{"rm -r web/*", "loss.deleted"},
		{"cd uploads && rm -rf ../uploads", "loss.deleted"},
	} {
		tool, input := bash(c.command)
		check(t, e, top, tool, input, c.rule)
	}
	for file, rule := range map[string]string{".env": "loss.by-tool", "uploads": "loss.by-tool", "tracked.db": "", "none.db": "", "src/main.go": "", "empty.db": ""} {
		check(t, e, top, "delete_file", object{"path": file}, rule)
	}
	check(t, e, top, "Write", object{"file_path": ".env", "content": "A=2"}, "")
	check(t, e, top, "Edit", object{"file_path": ".env", "old_string": "A", "new_string": "B"}, "")
}

func check(t *testing.T, e *engine.Engine, dir, tool string, input object, want string) {
	t.Helper()
	r, err := e.Fire(t.Context(), &hooks.Context{Event: hooks.PreToolCall, CWD: dir, ToolCall: &hooks.ToolCall{Name: tool, Input: input}})
	if err != nil {
		t.Fatal(err)
	}
	if got := stoppedBy(t, r); got != want {
		t.Errorf("%s %v: stopped by %q, want %q: %s", tool, input, got, want, r.Reason)
	}
}

// Whether files are moved one onto another depends on what is there.
func TestMovesOntoOne(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("TMPDIR", filepath.Join(home, "tmp"))
	top := filepath.Join(home, "shop")
	for _, folder := range []string{".git", "src", "there"} {
		if err := os.MkdirAll(filepath.Join(top, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range []string{"src/a.txt", "src/b.txt", "src/c.md", "file"} {
		if err := os.WriteFile(filepath.Join(top, file), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	e := guardWith(t, nil)
	for command, rule := range map[string]string{
		`for f in src/*.txt; do mv "$f" none; done`:                      "loss.onto-one",
		`for f in src/*; do mv -- "$f" file; done`:                       "loss.onto-one",
		`for f in src/*.txt; do mv "$f" all.txt; done`:                   "loss.onto-one",
		`for f in a b; do mv $f none; done`:                              "loss.onto-one",
		`ls src/*.txt | while read f; do mv "$f" none; done`:             "loss.onto-one",
		`for f in $(ls src); do mv $f none; done`:                        "loss.onto-one",
		`find src -name '*.txt' -exec mv {} none \;`:                     "loss.onto-one",
		`find src -name '*.txt' | xargs -I{} mv {} none`:                 "loss.onto-one",
		`for f in src/*.txt; do mv "$f" there; done`:                     "",
		`for f in src/*.txt; do mv "$f" none/; done`:                     "",
		`for f in src/*.md; do mv "$f" none; done`:                       "",
		`for f in dist/*.whl; do mv "$f" pkg.whl; done`:                  "",
		`find src -name '*.txt' -exec mv {} all.txt \;`:                  "",
		`find src -name '*.txt' -exec mv {} there \;`:                    "",
		`mkdir -p none && for f in src/*.txt; do mv "$f" none; done`:     "",
		`[ -d none ] || mkdir none; for f in a b; do mv $f none; done`:   "",
		`git clone x none && for f in src/*.txt; do mv "$f" none; done`:  "",
		`for f in src/*.txt; do mv -n "$f" none; done`:                   "",
		`for f in src/*.txt; do cp "$f" none; done`:                      "",
		`for i in 1 2; do ./gen > t; mv t none; done`:                    "",
		`for f in src/*.txt; do mv "$f" "${f%.txt}.md"; done; mv none f`: "",
		`mv src/a.txt none; mv src/b.txt none2`:                          "",
		`mv "src-$VERSION" none`:                                         "",
		`mv "$dir" none; mv "${a}[1]" none`:                              "",
		`mv src-${VERSION}/lib none`:                                     "",
	} {
		check(t, e, top, "Bash", object{"command": command}, rule)
	}
}
