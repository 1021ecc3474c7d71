package override_test

import "testing"

// A call that is blocked, one after the other, as a table of them is.
func BenchmarkLift(b *testing.B) {
	p := newProject(b)
	s := p.store(b)
	for b.Loop() {
		lift(b, s, call("git reset --hard", ""))
	}
}

// The same in a project where a person has said much.
func BenchmarkLiftAmongWords(b *testing.B) {
	p := newProject(b)
	s := p.store(b)
	for range 100 {
		lift(b, s, call("git clean", ""))
		give(b, p)
		lift(b, s, call("git clean", ""))
	}
	for b.Loop() {
		lift(b, s, call("git reset --hard", ""))
	}
}

// A call that is blocked in a process of its own.
func BenchmarkLiftAlone(b *testing.B) {
	p := newProject(b)
	for b.Loop() {
		lift(b, p.store(b), call("git reset --hard", ""))
	}
}
