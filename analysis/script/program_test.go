package script

import "testing"

// programCase is a program with what it does, as showProgram writes it.
type programCase struct{ source, want string }

func check(t *testing.T, read func(string) Program, cases []programCase) {
	t.Helper()
	for _, c := range cases {
		if got := showProgram(read(c.source)); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.source, got, c.want)
		}
	}
}
