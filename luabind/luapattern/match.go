package luapattern

// Match is one match of a pattern in a subject, and the room in which it is looked
// for. The zero value is ready; it can be used for one search after the other.
type Match struct {
	Start, End int // of the whole match: subject[Start:End]

	scanned

	// Most patterns are small and find their room here, others make it.
	spans  [4]span
	frames [6]frame
	more   []span
	deeper []frame
}

// scanned is a text that is being looked through.
type scanned struct {
	counter
	subject string
}

type span struct{ start, end int }

// frame is a repetition to go back to: it has matched up to `at` and can still give
// or take, down to `low` if it is a greedy one.
type frame struct{ pc, low, at int }

// Capture is capture i, from 0: subject[start:end]. Of a position, start is all that
// counts.
func (m *Match) Capture(i int) (start, end int) {
	s := m.spans[:]
	if m.more != nil {
		s = m.more
	}
	return s[i].start, s[i].end
}

// at matches from node pc on at subject[s:] and returns the end of the match, or -1.
func (m *Match) at(p *Pattern, pc, s int) int {
	subject := m.subject
	spans, frames := m.spans[:], m.frames[:]
	if m.more != nil {
		spans = m.more
	}
	if m.deeper != nil {
		frames = m.deeper
	}
	top := 0
	for {
		m.step(1)
		n := &p.nodes[pc]
		pc++
		switch n.op {
		case opEnd:
			return s
		case opByte:
			if s < len(subject) && subject[s] == n.b {
				s++
				continue
			}
		case opSet:
			if s < len(subject) && n.set.has(subject[s]) {
				s++
				continue
			}
		case opAny:
			if s < len(subject) {
				s++
				continue
			}
		case opLiteral:
			if m.same(s, n.text) {
				s += len(n.text)
				continue
			}
		case opGreedy:
			end := m.run(n, s)
			if low := s + int(n.least); end >= low {
				if end > low && !n.keep {
					frames[top] = frame{pc - 1, low, end}
					top++
				}
				s = end
				continue
			}
		case opLazy:
			frames[top] = frame{pc - 1, s, s}
			top++
			continue
		case opOptional:
			if s < len(subject) && n.matches(subject[s]) {
				frames[top] = frame{pc - 1, s, s + 1}
				top++
				s++
			}
			continue
		case opOpen:
			spans[n.n].start = s
			continue
		case opClose:
			spans[n.n].end = s
			continue
		case opBack:
			if held := subject[spans[n.n].start:spans[n.n].end]; m.same(s, held) {
				s += len(held)
				continue
			}
		case opBalance:
			if end := m.balanced(n, s); end >= 0 {
				s = end
				continue
			}
		case opFrontier:
			if m.frontier(n.set, s) {
				continue
			}
		case opLast:
			if s == len(subject) {
				continue
			}
		}
		// It failed here: go back to the last repetition that has another way.
		for {
			if top == 0 {
				return -1
			}
			f := &frames[top-1]
			if n := &p.nodes[f.pc]; n.op == opLazy {
				s = m.take(n, f)
			} else {
				s = m.give(n, f)
			}
			if s >= 0 {
				pc = f.pc + 1
				break
			}
			top--
		}
	}
}

// same reports whether text is what the subject has at s.
func (t *scanned) same(s int, text string) bool {
	if len(t.subject)-s < len(text) {
		return false
	}
	t.step(len(text) / stretch)
	return t.subject[s:s+len(text)] == text
}

// run is the end of the longest run from s on of what n repeats.
func (m *Match) run(n *node, s int) int {
	if n.of == opAny {
		return len(m.subject)
	}
	for {
		rest := m.subject[s:]
		if len(rest) > batch {
			rest = rest[:batch]
		}
		i := 0
		if n.of == opSet {
			for i < len(rest) && n.set.has(rest[i]) {
				i++
			}
		} else {
			for i < len(rest) && rest[i] == n.b {
				i++
			}
		}
		m.step(i)
		s += i
		if i < batch {
			return s
		}
	}
}

// take lets a lazy repetition have one more, or as many more as it takes to get to
// the byte that must follow; -1: it can't.
func (m *Match) take(n *node, f *frame) int {
	if n.of == opAny && n.next >= 0 {
		if f.at == len(m.subject) {
			return -1
		}
		f.at = m.indexByte(byte(n.next), f.at+1)
		return f.at
	}
	for {
		rest := m.subject[f.at:]
		if len(rest) > batch {
			rest = rest[:batch]
		}
		for i := 0; i < len(rest); i++ {
			if !n.matches(rest[i]) {
				m.step(i)
				return -1
			}
			if next := f.at + i + 1; n.next < 0 || next < len(m.subject) && m.subject[next] == byte(n.next) {
				m.step(i)
				f.at = next
				return next
			}
		}
		m.step(len(rest))
		f.at += len(rest)
		if f.at == len(m.subject) {
			return -1
		}
	}
}

// give lets a greedy repetition give one back, or as many as it takes to get to the
// byte that must follow; -1: it can't.
func (m *Match) give(n *node, f *frame) int {
	if n.next < 0 {
		f.at--
		if f.at < f.low {
			return -1
		}
		return f.at
	}
	for f.at > f.low {
		low := max(f.low, f.at-batch)
		i := f.at - 1
		for i >= low && m.subject[i] != byte(n.next) {
			i--
		}
		m.step(f.at - i)
		f.at = max(i, low)
		if i >= low {
			return i
		}
	}
	return -1
}

// balanced is the end of the %b item at s, or -1.
func (m *Match) balanced(n *node, s int) int {
	if s >= len(m.subject) || m.subject[s] != n.b {
		return -1
	}
	depth := 1
	for i := s + 1; i < len(m.subject); i++ {
		m.step(1)
		switch m.subject[i] {
		case n.close:
			depth--
			if depth == 0 {
				return i + 1
			}
		case n.b:
			depth++
		}
	}
	return -1
}

// frontier reports whether a run of the set's bytes begins at s. Before and after the
// subject there is a zero byte.
func (m *Match) frontier(set *set, s int) bool {
	var before, here byte
	if s > 0 {
		before = m.subject[s-1]
	}
	if s < len(m.subject) {
		here = m.subject[s]
	}
	return !set.has(before) && set.has(here)
}
