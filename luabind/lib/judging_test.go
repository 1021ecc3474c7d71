package lib

import "testing"

// What is kept of one hook, and of all of an event, has a bound; what doesn't fit is left out.
func TestEffectsAreBounded(t *testing.T) {
	e := &Effects{}
	of := func(number int) effect { return effect{hookID: hookID{number: number}, what: "exec.run"} }
	e.note(of(1), "large", maxHookEffects)
	if _, kept := e.at(of(1), 0); kept {
		t.Error("one that is too large is kept")
	}
	kept := 0
	for number := range 10 {
		for range 3 {
			e.note(of(number), "half", maxHookEffects/2-200)
		}
		for n := range 3 {
			if _, ok := e.at(of(number), n); ok {
				kept++
			}
		}
	}
	if kept != 8 { // two of a hook, and of the first four hooks
		t.Errorf("kept %d, want 8", kept)
	}
}
