package spelling_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/internal/spelling"
)

func TestNearest(t *testing.T) {
	events := []string{"pre_tool_call", "post_tool_call", "stop", "on_error"}
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"pre_tool_cal", events, "pre_tool_call"},
		{"PRE-TOOL-CALL", events, "pre_tool_call"},
		{"pots_tool_call", events, "post_tool_call"}, // neighbours swapped
		{"stpo", events, "stop"},
		{"ba", []string{"ab"}, "ab"}, // one swap, not two changes
		{"xyzw", events, ""},
		{"", events, ""},
		{"stop", nil, ""},
		{"ab", []string{"ac", "aa"}, "aa"}, // a tie goes to the word that sorts first
		{"timout", []string{"timeout", "name"}, "timeout"},
		{"b", []string{"a"}, "a"},
		{"abcd", []string{"wxyz"}, ""},
		{"abcyz", []string{"abcde"}, "abcde"},   // a third of the letters, rounded, is still near
		{"abyz", []string{"abcd"}, ""},          // more is not
		{"nope", []string{"no-user", "no"}, ""}, // nor does a word that is far shorter count
		{strings.Repeat("a", 1000), []string{"stop"}, ""},
	} {
		if got := spelling.Nearest(c.word, c.known); got != c.want {
			t.Errorf("Nearest(%.20q, %q) = %q, want %q", c.word, c.known, got, c.want)
		}
	}
}

func TestNearestDoesNotDependOnOrder(t *testing.T) {
	known := []string{"modify", "message", "match", "model", "modified"}
	want := spelling.Nearest("modif", known)
	before := slices.Clone(known)
	for range known {
		known = append(known[1:], known[0])
		if got := spelling.Nearest("modif", known); got != want {
			t.Errorf("Nearest over %q = %q, and %q in another order", known, got, want)
		}
	}
	spelling.Nearest("modif", known)
	if !slices.Equal(known, before) {
		t.Errorf("Nearest sorted the caller's list: %q", known)
	}
}

func TestDidYouMean(t *testing.T) {
	if got, want := spelling.DidYouMean("resaon", []string{"reason"}), `; did you mean "reason"?`; got != want {
		t.Errorf("DidYouMean = %q, want %q", got, want)
	}
	if got := spelling.DidYouMean("qqqq", []string{"reason"}); got != "" {
		t.Errorf("DidYouMean of something far = %q", got)
	}
}
