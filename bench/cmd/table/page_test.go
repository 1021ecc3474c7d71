package main

import (
	"os"
	"strings"
	"testing"
)

func TestBetween(t *testing.T) {
	page := "# Title\n\n" + beginMark + "\nold\n" + endMark + "\n\nthe end\n"
	got, err := between(page, "\nnew\n")
	want := "# Title\n\n" + beginMark + "\n\nnew\n\n" + endMark + "\n\nthe end\n"
	if err != nil || got != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if again, err := between(got, "new"); err != nil || again != want {
		t.Errorf("a second time: %q, %v", again, err)
	}
	if _, err := between("# Title\n", "new"); err == nil {
		t.Error("a page without markers is no error")
	}
}

// TestPageHasMarkers sees that the page can be written anew.
func TestPageHasMarkers(t *testing.T) {
	text, err := os.ReadFile("../../../docs/performance.md")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := between(string(text), ""); err != nil {
		t.Error(err)
	}
	if strings.Count(string(text), beginMark) != 1 || strings.Count(string(text), endMark) != 1 {
		t.Error("a marker is there more than once")
	}
}

func TestNumber(t *testing.T) {
	for f, want := range map[float64]string{0.654: "0.65", 12.34: "12.3", 123.4: "123", 1234.5: "1,234", 1234567: "1,234,567"} {
		if got := number(f); got != want {
			t.Errorf("number(%v) is %s, want %s", f, got, want)
		}
	}
}

func TestGoalMet(t *testing.T) {
	tests := []struct {
		goal goal
		want string
	}{
		{goal{bound: 4, figure: 4, known: true}, "yes"},
		{goal{bound: 4, figure: 3, known: true}, "yes"},
		{goal{bound: 4, figure: 5, known: true}, "**no**"},
		{goal{bound: 1.7, figure: 1.7, atLeast: true, known: true}, "yes"},
		{goal{bound: 1.7, figure: 1.8, atLeast: true, known: true}, "yes"},
		{goal{bound: 1.7, figure: 1.6, atLeast: true, known: true}, "**no**"},
		{goal{bound: 4, figure: 3}, "not measured"},
	}
	for _, test := range tests {
		if got := test.goal.met(); got != test.want {
			t.Errorf("%+v: %s, want %s", test.goal, got, test.want)
		}
	}
}
