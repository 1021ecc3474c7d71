package builtins_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// BenchmarkFollowupCreator reads answers of 64 KiB, from the caller's Fire to the result:
// one that leaves nothing open, one with many follow-ups, and a few that are made to be slow.
func BenchmarkFollowupCreator(b *testing.B) {
	const size = 64 << 10
	prose := "The parser reads the whole file and keeps what it needs, so a second pass isn't there any more.\n\n- `Total` rounds half to even\n- the tests cover it\n\n"
	var many strings.Builder
	for i := 0; many.Len() < size; i++ {
		fmt.Fprintf(&many, "%s%sTODO: handle case %d\n\nThe importer number %d still needs to be tested.\n\n", prose, prose, i, i)
	}
	answers := []struct{ name, text string }{
		{"nothing", strings.Repeat(prose, size/len(prose))},
		{"many", many.String()},
		{"mentions", strings.Repeat("The remaining rows are read next, and still in order. ", size/54)},
		{"todos", strings.Repeat("TODO: ", size/6)},
		{"fences", strings.Repeat("```\n", size/4) + "TODO: x"},
		{"boxes", strings.Repeat("- [ ] x\n", size/8)},
		{"short lines", strings.Repeat("\n", size) + "TODO: x"},
	}
	e := followups(b, nil)
	for _, answer := range answers {
		b.Run(answer.name, func(b *testing.B) {
			b.SetBytes(int64(len(answer.text)))
			for b.Loop() {
				if _, err := e.Fire(b.Context(), &hooks.Context{Event: hooks.PostResponse, SessionID: "s", Response: answer.text}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
