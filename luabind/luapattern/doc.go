// Package luapattern matches the patterns of Lua 5.1 (§5.4.1 of its manual, and the
// frontier %f) against byte strings. It is written for hostile patterns and
// subjects: compiling and matching tell a [Meter] what they do while they
// do it, the stack doesn't grow with the subject, and nothing outlives a Meter that
// panics.
package luapattern

// Meter is told of work, by the step: about one item of a pattern tried, or one byte
// held against a set; bytes that are searched or compared at a stretch count for less.
// It may panic to end the work. No more than some thousand steps are done before it is
// told.
type Meter interface {
	Step(steps int)
}

// counter saves up steps for a Meter.
type counter struct {
	meter   Meter
	pending int
}

// batch is after how many steps the Meter is told.
const batch = 1024

func (c *counter) step(steps int) {
	c.pending += steps
	if c.pending >= batch {
		c.flush()
	}
}

func (c *counter) flush() {
	steps := c.pending
	c.pending = 0
	if steps > 0 {
		c.meter.Step(steps)
	}
}
