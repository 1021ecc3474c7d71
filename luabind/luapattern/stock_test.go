package luapattern_test

import (
	"math/rand/v2"
	"testing"

	"github.com/yuin/gopher-lua/pm"

	"github.com/luahook/luahook/luabind/luapattern"
)

// TestAgreesWithGopherLua holds patterns against the matcher that gopher-lua brings.
// The patterns here have none of what that one does differently:
//   - %f is the letter f
//   - "[%a-z]" holds no letters: a range from %a to z, which nothing is in
//   - a range up to a '%' ("[a-%%]") takes the next byte with it
//   - a back-reference to a position matches the empty string; in Lua it never matches
//   - a '%' at the end and an incomplete %b are no errors, and errors have other words
func TestAgreesWithGopherLua(t *testing.T) {
	for seed := range uint64(20_000) {
		random := rand.New(rand.NewPCG(seed, 2))
		pattern, _ := writePattern(random)
		subject := writeSubject(random)
		found, err := pm.Find(pattern, []byte(subject), 0, 1)
		if err != nil {
			t.Fatalf("%q: %s", pattern, err)
		}
		meter := &steps{}
		p, err := luapattern.Compile(pattern, true, meter)
		if err != nil {
			t.Fatalf("%q: %s", pattern, err)
		}
		var m luapattern.Match
		got, want := "nil", "nil"
		if p.Find(&m, subject, 0, meter) {
			got = show(p, &m, subject)
		}
		if len(found) > 0 {
			var loc []int
			for i := range found[0].CaptureLength() {
				loc = append(loc, found[0].Capture(i))
			}
			want = showSubmatches(loc, subject)
		}
		if got != want {
			t.Fatalf("%q in %q: %s; gopher-lua says %s", pattern, subject, got, want)
		}
	}
}
