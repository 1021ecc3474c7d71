package terminal

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
)

// What strangers have written can neither move the cursor nor turn text around, in any of the forms.
func TestTextsOfStrangers(t *testing.T) {
	const text = "a\x1b[2J\u202eb\r\x07\u2028c"
	for name, got := range map[string]string{"Printable": Printable(text), "OneLine": OneLine(text), "Shown": Shown(text), "Indented": Indented(text), "PrintableJSON": PrintableJSON(text)} {
		if strings.ContainsAny(got, "\x1b\u202e\r\x07\u2028") {
			t.Errorf("%s(%q) = %q", name, text, got)
		}
	}
	for name, got := range map[string]string{"OneLine": OneLine("a\nb\tc"), "Shown": Shown("a\nb")} {
		if strings.Contains(got, "\n") {
			t.Errorf("%s leaves a line break: %q", name, got)
		}
	}
}

func TestFigures(t *testing.T) {
	for got, want := range map[string]string{
		Counted(1, "hook"): "1 hook", Counted(2, "hook"): "2 hooks", Bytes(12): "12 bytes", Bytes(2048): "2.0 KiB", Bytes(3 << 20): "3.0 MiB",
		Age(time.Second): "just now", Age(3 * time.Minute): "3 min ago", Age(5 * time.Hour): "5 h ago", Age(72 * time.Hour): "3 days ago",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A text that isn't for a terminal has no colours.
func TestColours(t *testing.T) {
	if got := ColourOf(&strings.Builder{}).Bad("x"); got != "x" {
		t.Errorf("%q", got)
	}
	if got := Colour(true).Bad("x"); got != "\x1b[31mx\x1b[0m" {
		t.Errorf("%q", got)
	}
}

// TestWriteJSON: JSON says the same to programs, and does nothing to a terminal.
func TestWriteJSON(t *testing.T) {
	const hostile = "a\x1b[31m\u009b2J\u202eb\n<&>\U000e0041"
	var out strings.Builder
	if err := WriteJSON(&out, map[string]string{"k": hostile}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(out.String(), "\x1b\u009b\u202e\U000e0041") || strings.Count(out.String(), "\n") != 3 {
		t.Errorf("got %q", out.String())
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(out.String()), &back); err != nil || back["k"] != hostile {
		t.Errorf("got %q, %v", back, err)
	}
}
