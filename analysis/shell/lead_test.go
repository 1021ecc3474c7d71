package shell

import "testing"

// What is known of the place of a path that isn't known as a whole: the folder
// that it is under, "temporary", or "".
func TestPathUnder(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`rm -rf /tmp/$X`, "/tmp"},
		{`rm -rf /tmp/job-$X/log`, "/tmp"},
		{`rm -rf /tmp/$X/../..`, ""},
		{`rm -rf "build/$X"`, "/w/build"},
		{`rm -rf "build$X"`, "/w"},
		{`rm -rf ../$X`, "/"},
		{`rm -rf ~/cache/$X`, "~/cache"},
		{`rm -rf $X`, ""},
		{`rm -rf $X/build`, ""},
		{`rm -rf ${X}build`, ""},
		{`cd sub; rm -rf lib/$X`, "/w/sub/lib"},
		{`cd $D; rm -rf lib/$X`, ""},
		{`cd /tmp/$D; rm -rf lib`, "/tmp"},
		{`cd /tmp/$D; rm -rf ../lib`, ""},
		{`cd /tmp/$D; rm -rf /srv/$X`, "/srv"},
		{`for d in packages/*; do rm -rf "$d/dist"; done`, "/w/packages"},
		{`for d in packages/*; do rm -rf "$d/../dist"; done`, ""},
		{`for d in a b; do rm -rf /srv/$d/$X; done`, "/srv/a"},
		{`D=build/$X; rm -rf "$D/out"`, "/w/build"},
		{`D=$X/build; rm -rf "$D/out"`, ""},
		{`rm -rf /tmp/$X*`, "/tmp"},
		{`T=$(mktemp -d); rm -rf "$T"`, "temporary"},
		{`T=$(mktemp -d); rm -rf "$T/work"`, "temporary"},
		{`T=$(mktemp -d); rm -rf "$T"/*`, "temporary"},
		{`T=$(mktemp -d); rm -rf "$T/../work"`, ""},
		{`T=$(mktemp -d); trap 'rm -rf "$T"' EXIT`, "temporary"},
		{`T=$(mktemp -d); cd "$T"; rm -rf work`, "temporary"},
		{`T=$(mktemp -d); T=$X; rm -rf "$T"`, ""},
		{`T=$(mktemp -d || echo /); rm -rf "$T"`, ""},
		{`T=$(mktemp -d)$X; rm -rf "$T"`, "temporary"},
		{`rm -rf "/srv$(mktemp -d)"`, "/"},
		{`rm -rf "$TMPDIR/x"`, "temporary"},
		{`rm -rf "${TMPDIR}/x"`, "temporary"},
		{`rm -rf "${TMPDIR:-/tmp}/x"`, "temporary"},
		{`rm -rf "$TMPDIR"`, ""},
		{`rm -rf "$TMPDIR"/../x`, ""},
		{`TMPDIR=$X; rm -rf "$TMPDIR/x"`, ""},
	} {
		commands := Parse(c.text, Options{Cwd: "/w"}).Commands
		got := "nothing dynamic is deleted"
		for _, command := range commands {
			for _, p := range command.Paths() {
				if p.Access == Delete && p.Dynamic {
					if got = p.Under; p.Temporary {
						got = "temporary"
					}
				}
			}
			if got != "nothing dynamic is deleted" {
				break
			}
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.text, got, c.want)
		}
	}
}
