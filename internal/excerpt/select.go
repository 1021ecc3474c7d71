package excerpt

import (
	"iter"
	"slices"
	"sort"
	"strings"
)

// span is a part of the text.
type span struct{ from, to int }

// Kept says what was found of a group in the part of a text that neither its beginning
// nor its end has.
type Kept struct {
	Name  string
	Found int // lines, up to 1000
	Kept  int // of them, at least
}

// lineBytes is how long a line may be to be kept as a whole.
const lineBytes = 600

// Of a longer one, what stands around the place that was found.
const (
	bytesBefore = 150
	bytesAfter  = 350
)

// chooser chooses which snippets there is room for.
type chooser struct {
	text         string
	within       span
	bytes, lines int    // room that is left
	floor        int    // bytes of it that aren't for the group
	floorLines   int    // lines, likewise
	piece        int    // bytes of a long line that are kept
	marker       int    // bytes of one
	chosen       []span // sorted, apart from each other
	spend        func(units int)
}

// choose gives each group up to half of the room that is left when its turn comes, first
// with what stands around; what is still left then goes to lines alone, to those that are
// like another one last.
func (c *chooser) choose(s *Snippets, groups []hits) {
	for i := range groups {
		g := &s.groups[i]
		c.floor, c.floorLines = c.bytes/2, c.lines/2
		c.share(len(groups[i].unlike))
		around := c.bytes * 3 / 4
		for _, h := range fromEnds(groups[i].unlike) {
			if c.full() {
				break
			}
			if c.covers(h.at) || (c.bytes > around && c.add(c.block(g, h))) {
				continue
			}
			c.addLine(h)
		}
	}
	c.floor, c.floorLines = 0, 0
	for _, of := range []func(*hits) []hit{func(g *hits) []hit { return g.unlike }, func(g *hits) []hit { return g.alike }} {
		for i := range groups {
			list := of(&groups[i])
			c.share(len(list))
			for _, h := range fromEnds(list) {
				if c.full() {
					return
				}
				if !c.covers(h.at) {
					c.addLine(h)
				}
			}
		}
	}
}

// fromEnds goes through hits from the first and from the last one in turn: where there isn't
// room for all, what began it and what came of it say most.
func fromEnds(list []hit) iter.Seq2[int, hit] {
	return func(yield func(int, hit) bool) {
		for i := range list {
			at := i / 2
			if i%2 == 1 {
				at = len(list) - 1 - i/2
			}
			if !yield(at, list[at]) {
				return
			}
		}
	}
}

// leastPiece is the least that is worth keeping of a long line.
const leastPiece = 60

// full tells whether there is no room for a line.
func (c *chooser) full() bool {
	return c.bytes-c.floor <= c.marker || c.lines-c.floorLines < leastLines
}

// share tells how much of a long line is kept where there are so many: the less, the more
// of them want a part of the room.
func (c *chooser) share(n int) {
	c.piece = max(bytesAfter/2, min(lineBytes, (c.bytes-c.floor)/max(n, 1)-c.marker))
}

// addLine takes the line of a hit, or what of it there is room for.
func (c *chooser) addLine(h hit) {
	p := c.line(h)
	if room := c.bytes - c.floor - c.marker; p.to-p.from > room && room >= leastPiece {
		p = c.around(h, p, room)
	}
	c.add(p)
}

// around is what stands around the place of a hit, in so many bytes at most.
func (c *chooser) around(h hit, p span, room int) span {
	room -= 2 * 4 // characters at its ends aren't cut
	if from := h.at - room*bytesBefore/(bytesBefore+bytesAfter); from > p.from {
		p.from = runeStart(c.text, from)
	}
	if to := p.from + room; to < p.to {
		p.to = runeEnd(c.text, to)
	}
	return p
}

// search is the place among the chosen of the first that ends after at.
func (c *chooser) search(at int) int {
	return sort.Search(len(c.chosen), func(i int) bool { return c.chosen[i].to > at })
}

func (c *chooser) covers(at int) bool {
	i := c.search(at)
	return i < len(c.chosen) && c.chosen[i].from <= at
}

// add takes a span where there is room for it. What others have of it already is left out.
func (c *chooser) add(p span) bool {
	i := c.search(p.from)
	if i < len(c.chosen) && c.chosen[i].from <= p.from {
		p.from = c.chosen[i].to
		i++
	}
	if i < len(c.chosen) {
		p.to = min(p.to, c.chosen[i].from)
	}
	p.from, p.to = max(p.from, c.within.from), min(p.to, c.within.to)
	if p.from >= p.to {
		return false
	}
	bytes, lines := p.to-p.from+c.marker, CountLines(c.text[p.from:p.to])+1
	if c.bytes-bytes < c.floor || c.lines-lines < c.floorLines {
		return false
	}
	c.bytes, c.lines = c.bytes-bytes, c.lines-lines
	c.chosen = slices.Insert(c.chosen, i, p)
	return true
}

// line is the line of a hit with its end, or what of a long one stands around the place.
func (c *chooser) line(h hit) span {
	p := span{h.from, h.to}
	if end := c.text[p.to:min(p.to+2, len(c.text))]; strings.HasPrefix(end, "\n") {
		p.to++
	} else if end == "\r\n" {
		p.to += 2
	}
	if whole := (h.from == 0 || c.text[h.from-1] == '\n') && (p.to == len(c.text) || p.to > h.to); whole && p.to-p.from <= lineBytes {
		return p
	}
	return c.around(h, p, min(bytesBefore+bytesAfter, c.piece))
}

// block is the line of a hit and what its group wants around it, as far as the lines there
// are not long.
func (c *chooser) block(g *group, h hit) span {
	p := c.line(h)
	for range g.Before {
		if p.from <= c.within.from || c.text[p.from-1] != '\n' {
			break
		}
		low := max(c.within.from, p.from-lineBytes)
		i := strings.LastIndexByte(c.text[low:p.from-1], '\n')
		if i < 0 && (low > 0 && c.text[low-1] != '\n') {
			break
		}
		p.from = low + i + 1
	}
	p.to = c.follow(g, p.to)
	return p
}

// follow is where what follows a hit ends.
func (c *chooser) follow(g *group, at int) int {
	end := at // of what isn't blank
	for n := range g.After {
		if at >= c.within.to || c.text[at-1] != '\n' {
			break
		}
		i := strings.IndexByte(c.text[at:min(at+lineBytes, c.within.to)], '\n')
		if i < 0 {
			break
		}
		line := strings.TrimSuffix(c.text[at:at+i], "\r")
		if g.through != nil && n > 0 {
			if c.spend != nil {
				c.spend(1 + len(line)*g.through.size/64)
			}
			if g.through.find(line) == nil {
				break
			}
		}
		if at += i + 1; strings.TrimSpace(line) != "" {
			end = at
		}
	}
	return end
}
