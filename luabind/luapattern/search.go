package luapattern

import "strings"

// Find looks for the first match at subject[from:] or later and puts it into m.
func (p *Pattern) Find(m *Match, subject string, from int, meter Meter) bool {
	m.meter, m.pending, m.subject = meter, 0, subject
	if p.captures > len(m.spans) && len(m.more) < p.captures {
		m.more = make([]span, p.captures)
	}
	if p.depth > len(m.frames) && len(m.deeper) < p.depth {
		m.step(p.depth)
		m.deeper = make([]frame, p.depth)
	}
	m.Start, m.End = m.search(p, from)
	m.flush()
	return m.End >= 0
}

func (m *Match) search(p *Pattern, s int) (start, end int) {
	if p.anchored || p.once {
		return s, m.at(p, 0, s)
	}
	for ; len(m.subject)-s >= p.least; s++ {
		pc := 0
		if p.prefix != "" {
			if s = m.index(p.prefix, s); s < 0 {
				break
			}
			pc = 1
		} else if s = m.skip(p, s); s < 0 {
			break
		}
		if end := m.at(p, pc, s+pc*len(p.prefix)); end >= 0 {
			return s, end
		}
	}
	return -1, -1
}

// skip is where the subject has, from s on, a byte with which a match can begin; -1:
// nowhere.
func (m *Match) skip(p *Pattern, s int) int {
	if p.first == nil {
		return s
	}
	if p.lead >= 0 {
		return m.indexByte(byte(p.lead), s)
	}
	for {
		rest := m.subject[s:]
		if len(rest) > batch {
			rest = rest[:batch]
		}
		for i := 0; i < len(rest); i++ {
			if p.first.has(rest[i]) {
				m.step(i)
				return s + i
			}
		}
		m.step(len(rest))
		s += len(rest)
		if s == len(m.subject) {
			return -1
		}
	}
}

// stretch is how many bytes of a single comparison or search for a byte are a step.
const stretch = 16

// indexByte is where the subject has b, from s on; -1: nowhere.
func (t *scanned) indexByte(b byte, s int) int {
	for {
		rest := t.subject[s:]
		if len(rest) > indexPiece {
			rest = rest[:indexPiece]
		}
		if i := strings.IndexByte(rest, b); i >= 0 {
			t.step(i / stretch)
			return s + i
		}
		t.step(len(rest) / stretch)
		s += len(rest)
		if s == len(t.subject) {
			return -1
		}
	}
}

// Index is where the subject has text, from `from` on; -1: nowhere.
func Index(subject, text string, from int, meter Meter) int {
	t := scanned{counter{meter: meter}, subject}
	i := t.index(text, from)
	t.flush()
	return i
}

// strings.Index takes time in proportion to the subject only as long as what it looks
// for is short: for long texts it compares rolling hashes, which a script can make
// collide at every byte. So it gets the beginning of the text, and a bounded piece of
// the subject at a time; the rest of the text is compared, and paid for, here.
const (
	indexText  = 32
	indexPiece = 16 << 10
)

func (t *scanned) index(text string, s int) int {
	begin := text
	if len(begin) > indexText {
		begin = begin[:indexText]
	}
	for len(t.subject)-s >= len(text) {
		piece := t.subject[s:]
		if most := indexPiece + len(begin) - 1; len(piece) > most {
			piece = piece[:most]
		}
		i := strings.Index(piece, begin)
		switch {
		case i < 0:
			t.step(len(piece) / 4)
			s += len(piece) - len(begin) + 1
		case len(begin) == len(text):
			t.step(i / 4)
			return s + i
		default:
			t.step(i / 4)
			s += i
			if t.same(s, text) {
				return s
			}
			s++
		}
	}
	return -1
}
