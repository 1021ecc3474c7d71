package shell

import "testing"

// Whether the line fails where "t x" does.
func TestDecides(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"t x", true},
		{"cd web && t x", true},
		{"cd web; t x", true},
		{"cd web\nt x\n", true},
		{"t x && echo ok", true},
		{"a && t x && b", true},
		{"[ -d web ] && t x", true},
		{"t x > out.txt 2>&1", true},
		{"CI=1 t x", true},
		{"(cd web && t x)", true},
		{"{ cd web; t x; }", true},
		{"cat in | t x", true},
		{"timeout 60 t x", true},
		{"sudo -u kim env A=1 nice t x", true},
		{"time t x", true},
		{"time -p t x", true},
		{"bash -c 't x'", true},
		{"bash -c 'cd web && t x' && echo ok", true},
		{"eval 't x'", true},
		{"uv run t x", true},
		{"poetry run t x && echo ok", true},
		{"bundle exec t x", true},
		{"npx t x", true},
		{"python3 -m t x", true},
		{"t x || exit 1", true},
		{"t x || exit 1; echo done", true},
		{"a && t x || exit 2; b", true},
		{"t x || { echo failed; exit 1; }\nb", true},
		{"t x || { exit; }; b", true},
		{"set -o pipefail; t x | tail -20", true},
		{"set -o pipefail\nt x 2>&1 | tee log | tail", true},
		{"set -euo pipefail; t x | tail; echo done", true},
		{"set -e; t x; echo done", true},
		{"set -e; a && t x; echo done", true},
		{"set -e; (t x; a); b", true},
		{"t x && exit 0", true},

		{"t x; echo done", false},
		{"t x\necho $?", false},
		{"t x; true", false},
		{"t x || true", false},
		{"t x || :", false},
		{"t x || echo failed", false},
		{"t x && echo ok || echo failed", false},
		{"a || t x", false},
		{"a || t x || exit 1", false},
		{"t x || exit 0", false},
		{"t x || { exit 1; echo; }; b", false},
		{"t x || { echo failed; exit; }; b", false},
		{"t x || true || exit 1", false},
		{"t x || exit 1 & b", false},
		{"t x | tail", false},
		{"t x |& tee log", false},
		{"set -o pipefail; set +o pipefail; t x | tail", false},
		{"set -- -e; t x; a", false},
		{"(set -e); t x; a", false},
		{"set -e; t x && a; b", false},
		{"set -e; { t x; a; } && b", false},
		{"set -e; t x || a; b", false},
		{"set -e; bash -c 't x; a'", false},
		{"! t x", false},
		{"! (t x)", false},
		{"t x &", false},
		{"t x & wait", false},
		{"if t x; then a; fi", false},
		{"while t x; do a; done", false},
		{"for i in 1 2; do t x; done", false},
		{"case a in a) t x;; esac", false},
		{"f() { t x; }", false},
		{"f() { t x; }; f", false},
		{"echo $(t x)", false},
		{"a=$(t x)", false},
		{"cat <(t x)", false},
		{"bash -c 't x; true'", false},
		{"bash -c 't x' || true", false},
		{"bash -c 't x'; true", false},
		{"sudo t x; true", false},
		{"echo a | xargs t x", false},
		{"find . -exec t x ';'", false},
		{"watch t x", false},
		{"trap 't x' EXIT", false},
		{"setsid t x", false},
		{"uv run t x; true", false},
		{"(t x; true)", false},
		{"(t x); true", false},
		{"{ t x; true; }", false},
		{"coproc t x", false},
	} {
		found := false
		for _, cmd := range Parse(c.text, Options{}).Commands {
			if cmd.Name == "t" {
				found = true
				if cmd.Decides != c.want {
					t.Errorf("%s: %v, want %v", c.text, cmd.Decides, c.want)
				}
			}
		}
		if !found {
			t.Errorf("%s: t isn't there", c.text)
		}
	}
}
