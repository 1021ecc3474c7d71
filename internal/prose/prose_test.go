package prose_test

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/prose"
)

func TestWrap(t *testing.T) {
	long := strings.Repeat("123456789 ", 9) + "12345"
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"one  two", "one  two"},
		{"one\n\ntwo", "one\n\ntwo"},
		{long + " abcd", long + " abcd"},
		{long + " abcde f", long + "\n  abcde f"},
		{long + " `a b c` d", long + "\n  `a b c` d"},
		{long + " ``a ` b`` d", long + "\n  ``a ` b`` d"},
		{long + " abc - d", long + " abc -\n  d"},
		{long + " abc 12. d", long + " abc 12.\n  d"},
		{strings.Repeat("x", 120) + " y", strings.Repeat("x", 120) + "\n  y"},
	} {
		if got := prose.Wrap(c.text, "  "); got != c.want {
			t.Errorf("Wrap(%q) = %q, want %q", c.text, got, c.want)
		}
	}
}
