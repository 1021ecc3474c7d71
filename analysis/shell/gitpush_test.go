package shell

import (
	"strings"
	"testing"
)

func TestPushes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"git push", "? current"},
		{"git push origin", "origin current"},
		{"git push origin main", "origin main"},
		{"git push origin HEAD", "origin current"},
		{"git push origin @", "origin current"},
		{"git push origin +HEAD", "origin current force"},
		{"git push -u origin HEAD:main", "origin main"},
		{"git push origin main:release", "origin release"},
		{"git push origin +main", "origin main force"},
		{"git push -f origin main", "origin main force"},
		{"git push --force-with-lease origin main", "origin main force"},
		{"git push --force-with-lease=main:abc origin main", "origin main force"},
		{"git push origin :main", "origin main delete"},
		{"git push --delete origin main next", "origin main delete, origin next delete"},
		{"git push -d origin main", "origin main delete"},
		{"git push origin refs/heads/main", "origin main"},
		{"git push origin x:refs/heads/main", "origin main"},
		{"git push origin x:heads/main", "origin main"},
		{"git push origin heads/main", "origin main"},
		{"git push origin feature/a b", "origin feature/a, origin b"},
		{"git push --all", "? any"},
		{"git push --branches origin", "origin any"},
		{"git push --mirror origin", "origin any force delete"},
		{"git push --prune origin main", "origin main, origin any delete"},
		{"git push --tags", ""},
		{"git push origin tag v1", ""},
		{"git push origin refs/tags/v1", ""},
		{"git push --tags origin main", "origin main"},
		{"git push origin :", "origin any"},
		{"git push origin +:", "origin any force"},
		{"git push origin 'refs/heads/*:refs/heads/*'", "origin any"},
		{"git push origin 'refs/heads/m*:refs/heads/m*'", "origin any"},
		{"git push origin refs/for/main", ""},
		{"git push origin \"$BRANCH\"", "origin any"},
		{"git push origin HEAD:\"$BRANCH\"", "origin any"},
		{"git push \"$REMOTE\" main", "? main, ? any"},
		{"B=main; git push origin $B", "origin main"},
		{"git -C dir push origin main", "origin main"},
		{"git -c push.default=matching push", "? any"},
		{"git -c remote.origin.push=x:main push origin", "origin any"},
		{"git push https://example.com/a.git main", "https://example.com/a.git main"},
		{"git push --repo=origin", "origin current"},
		{"git push -n origin main", ""},
		{"git push --help", ""},
		{"git send-pack origin main", "origin main"},
		{"git pull origin main", ""},
		{"git fetch origin main:main", ""},
		{"git status", ""},
	} {
		var got []string
		for _, command := range Parse(c.text, Options{}).Commands {
			g := command.Git()
			if g == nil {
				continue
			}
			for _, p := range g.Pushes {
				words := []string{p.Remote, p.Branch}
				if p.Remote == "" {
					words[0] = "?"
				}
				if p.Branch == "" {
					words = words[:1]
				}
				for _, w := range []struct {
					is   bool
					word string
				}{{p.Current, "current"}, {p.Any, "any"}, {p.Force, "force"}, {p.Delete, "delete"}} {
					if w.is {
						words = append(words, w.word)
					}
				}
				got = append(got, strings.Join(words, " "))
			}
		}
		if got := dedupe(got); got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}

// dedupe joins what is not the same as the one before: a word that isn't known may be more than one.
func dedupe(list []string) string {
	var kept []string
	for _, s := range list {
		if len(kept) == 0 || kept[len(kept)-1] != s {
			kept = append(kept, s)
		}
	}
	return strings.Join(kept, ", ")
}
