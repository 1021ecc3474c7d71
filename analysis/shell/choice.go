package shell

// choice is which of several items a name stands for, while a command is
// walked once for each.
type choice struct {
	items []*binding
	index int
}

// maxChoices is how often a command is walked with different values.
const maxChoices = 16

// choose returns the item that n stands for in this walk, nil for unknown.
func (w *walker) choose(n name) *binding { return w.chosen(w.env.get(n)) }

func (w *walker) chosen(items []*binding) *binding {
	switch {
	case len(items) == 0:
		return nil
	case len(items) == 1:
		return known(items[0])
	}
	ways := 1
	for i := range w.choices {
		c := &w.choices[i]
		if &c.items[0] == &items[0] {
			return known(c.items[c.index])
		}
		ways *= len(c.items)
	}
	if !w.choosing || ways*len(items) > maxChoices {
		return nil
	}
	w.choices = append(w.choices, choice{items: items})
	return known(items[0])
}

func known(it *binding) *binding {
	if it.unknown {
		return nil
	}
	return it
}

// each calls run once for each combination of what the names that it asks for
// may stand for, and joins what these change.
func (w *walker) each(run func()) {
	if w.captured && w.choosing {
		run() // what is captured has to be chosen where it's used
		return
	}
	before, base := w.choosing, len(w.choices)
	w.choosing = true
	mark, start := w.env.mark(), w.position()
	run()
	if len(w.choices) > base {
		branches := []branch{w.env.take(mark)}
		var seen repeats
		seen.drop(w, start)
		for rounds := 1; w.next(base); rounds++ {
			start := w.position()
			if rounds > 2*maxChoices { // values that are made anew each time
				w.choices, w.choosing = w.choices[:base], false
			}
			run()
			branches = append(branches, w.env.take(mark))
			seen.drop(w, start)
		}
		w.env.join(branches...)
	}
	w.choosing, w.choices = before, w.choices[:base]
}

// capturing walks what writes to a capture.
func (w *walker) capturing(run func()) {
	before := w.captured
	w.captured = true
	run()
	w.captured = before
}

// next goes to the next combination of the choices behind base. What comes
// after the choice that changes is chosen anew.
func (w *walker) next(base int) bool {
	for len(w.choices) > base {
		last := &w.choices[len(w.choices)-1]
		if last.index++; last.index < len(last.items) {
			return true
		}
		w.choices = w.choices[:len(w.choices)-1]
	}
	return false
}
