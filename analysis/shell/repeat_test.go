package shell

import "testing"

// TestPointersStay checks that commands point only at commands of the line.
func TestPointersStay(t *testing.T) {
	for _, text := range []string{
		"for i in a b c; do curl x > f; sh f; done; sh f",
		"if a; then x=1; else x=2; fi; curl $x | sh; y=$(curl z); eval \"$y\"; eval \"$y\"",
		"while true; do sudo rm x; x=$x; curl y | bash; done",
	} {
		line := Parse(text, Options{})
		known := map[*Command]bool{nil: true}
		for _, c := range line.Commands {
			known[c] = true
		}
		for _, c := range line.Commands {
			from := c.From
			if c.Input != nil {
				from = append(from[:len(from):len(from)], c.Input.From...)
			}
			for _, other := range append(from, c.Parent) {
				if !known[other] {
					t.Errorf("%s: %s points at a %s that isn't in the line", text, c.Name, other.Name)
				}
			}
		}
	}
}
