// Package excerpt shortens the long texts that programs write, for a reader with little space: [Squeeze] drops
// what says nothing (escape sequences of terminals, overwritten progress, repeated lines), and [Cut] keeps the
// beginning, the end and the lines between that [Snippets] describe, with a marker for everything that was cut.
//
// Both take time linear in the text, whatever it contains, and never make it longer. They report their work to a
// function of the caller's, which may panic to stop them; one unit is about 16 bytes.
package excerpt

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"sort"
	"strconv"
	"strings"
	"unicode/utf8"
)

// spendEvery is how many bytes are processed between two reports of work.
const spendEvery = 64 << 10

// spendBytes reports the work for n bytes.
func spendBytes(spend func(units int), n int) {
	if spend != nil {
		spend(1 + n/16)
	}
}

// Options say how much of a text to keep.
type Options struct {
	Bytes int     // at most; from 1
	Lines int     // at most; 0: any number
	Head  float64 // the beginning's share of the result, 0 to 1
	// the end's share; the rest is for snippets, at least one, and the two get it if there are none
	Tail     float64
	Snippets *Snippets // nil: none
	Note     string    // a line that the first marker adds to its count
	Spend    func(units int)
}

// Excerpt is a shortened text.
type Excerpt struct {
	Text     string
	Head     int // bytes of its beginning
	Tail     int // bytes of its end
	CutBytes int
	CutLines int // line ends in what was cut
	Snippets []Kept
	Noted    bool // there was room for the note
}

// Cut shortens a text that is longer than the options allow: it keeps the beginning, the end and snippets, in
// whole lines unless these are long, and never a part of a character. Each gap has a line in brackets that says
// how much was cut. The result is within the limits and shorter than the text. Cut returns false if the text is
// within the limits, or has only too many lines and the markers would be longer than what they replace. If there
// is no space for a marker, only the beginning is kept.
func Cut(text string, o Options) (Excerpt, bool) {
	lines := CountLines(text)
	spendBytes(o.Spend, len(text)/16)
	if len(text) <= o.Bytes && (o.Lines == 0 || lines <= o.Lines) {
		return Excerpt{}, false
	}
	c := cutter{text: text, o: o, maxLines: o.Lines, eol: "\n"}
	if c.maxLines == 0 {
		c.maxLines = math.MaxInt / 4
	}
	if i := strings.IndexByte(text, '\n'); i > 0 && text[i-1] == '\r' {
		c.eol = "\r\n"
	}
	c.marker = len(marker(lines, len(text), "")) + 2*len(c.eol)
	noted := len(marker(lines, len(text), o.Note)) + 2*len(c.eol)
	if noted > o.Bytes/2 {
		c.o.Note, noted = "", c.marker
	}
	if c.marker <= o.Bytes/2 && c.maxLines >= 3 {
		c.lines = c.maxLines - 1
		// so the result is certainly shorter
		if c.bytes = min(o.Bytes, len(text)-1) - noted; o.Snippets != nil && c.bytes > 0 {
			if e, ok := c.cut(o.Snippets); ok {
				return e, true
			}
		}
		c.bytes = o.Bytes - noted
		if e, ok := c.cut(nil); ok {
			return e, true
		}
	}
	head := prefixEnd(text, o.Bytes, c.maxLines)
	return Excerpt{Text: text[:head], Head: head, CutBytes: len(text) - head, CutLines: lines - CountLines(text[:head])}, len(text) > o.Bytes
}

type cutter struct {
	text         string
	o            Options
	maxLines     int
	eol          string
	bytes, lines int // available beside the first marker
	marker       int // bytes of each further one
}

// leastLines are a line and its marker.
const leastLines = 2

// cut tries to make an excerpt, and returns false if it isn't within the limits. The snippets are placed first,
// at least one; the beginning and the end share the rest.
func (c *cutter) cut(s *Snippets) (Excerpt, bool) {
	h, t := c.o.Head, c.o.Tail
	bytes, lines := c.bytes, c.lines
	room := chooser{text: c.text, marker: c.marker, spend: c.o.Spend}
	var groups []hits
	if s != nil && h+t < 1 {
		room.bytes = max(share(c.bytes, 1-h-t), min(c.bytes/2, c.marker+lineBytes))
		room.lines = max(share(c.lines, 1-h-t), min(c.lines, leastLines))
		bytes, lines = bytes-room.bytes, lines-room.lines
		room.within = c.between(c.split(bytes, lines, h, t))
		groups = find(c.text, room.within.from, room.within.to, s, c.o.Spend)
		room.choose(s, groups)
		bytes, lines = bytes+room.bytes, lines+room.lines
	}
	if h+t == 0 {
		t = 1
		if len(room.chosen) > 0 {
			bytes = 0
		}
	}
	head, tail := c.split(bytes, lines, h, t)
	e := c.join(append(append([]span{{0, head}}, room.chosen...), span{tail, len(c.text)}))
	for i, g := range groups {
		k := Kept{Name: s.groups[i].Name, Found: g.count}
		for _, list := range [][]hit{g.unlike, g.alike} {
			for _, h := range list {
				if h.at < head || h.at >= tail || room.covers(h.at) {
					k.Kept++
				}
			}
		}
		e.Snippets = append(e.Snippets, k)
	}
	return e, len(e.Text) <= c.o.Bytes && len(e.Text) < len(c.text) && CountLines(e.Text) <= c.maxLines
}

// between returns where to look for snippets. If a line is cut, that includes a little of the beginning and of
// the end: text at the cut would be halved otherwise.
func (c *cutter) between(head, tail int) span {
	if head > 0 && c.text[head-1] != '\n' {
		head = runeStart(c.text, head-bytesAfter)
	}
	if tail < len(c.text) && tail > 0 && c.text[tail-1] != '\n' {
		tail = runeEnd(c.text, tail+bytesBefore)
	}
	return span{head, tail}
}

func share(n int, of float64) int { return int(float64(n)*of + 1e-6) }

// split divides the available space between the beginning and the end, and returns where the one ends and the
// other begins.
func (c *cutter) split(bytes, lines int, h, t float64) (head, tail int) {
	if h+t > 0 {
		h, t = h/(h+t), t/(h+t)
	}
	head = prefixEnd(c.text, share(bytes, h), share(lines, h))
	tail = suffixStart(c.text, share(bytes, t), share(lines, t))
	return head, max(head, tail)
}

// join writes the parts with markers between them. A gap that is shorter than its marker is kept.
func (c *cutter) join(parts []span) Excerpt {
	merged := parts[:1]
	for _, p := range parts[1:] {
		last := &merged[len(merged)-1]
		if p.to <= last.to {
			continue
		}
		if gap := p.from - last.to; gap <= 0 || (gap < c.marker-2*len(c.eol) && strings.Count(c.text[last.to:p.from], "\n") <= 1) {
			last.to = p.to
			continue
		}
		merged = append(merged, p)
	}
	var e Excerpt
	var out strings.Builder
	out.Grow(min(c.o.Bytes, len(c.text)))
	end := 0
	gap := func(to int) {
		if to == end {
			return
		}
		if s := out.String(); s != "" && s[len(s)-1] != '\n' {
			out.WriteString(c.eol)
		}
		note := ""
		if !e.Noted {
			note, e.Noted = c.o.Note, true
		}
		lines := strings.Count(c.text[end:to], "\n")
		out.WriteString(marker(lines, to-end, note))
		if to < len(c.text) || c.text[to-1] == '\n' {
			out.WriteString(c.eol)
		}
		e.CutBytes += to - end
		e.CutLines += lines
	}
	for _, p := range merged {
		gap(p.from)
		out.WriteString(c.text[p.from:p.to])
		end = p.to
	}
	gap(len(c.text))
	e.Noted = e.Noted && c.o.Note != ""
	if merged[0].from == 0 {
		e.Head = merged[0].to
	}
	if last := merged[len(merged)-1]; last.to == len(c.text) {
		e.Tail = last.to - last.from
	}
	e.Text = out.String()
	return e
}

// marker returns the line that replaces what was cut.
func marker(lines, bytes int, note string) string {
	if note != "" {
		note = "; " + note
	}
	switch lines {
	case 0:
		return fmt.Sprintf("[... %s bytes cut%s ...]", grouped(bytes), note)
	case 1:
		return fmt.Sprintf("[... 1 line (%s bytes) cut%s ...]", grouped(bytes), note)
	}
	return fmt.Sprintf("[... %s lines (%s bytes) cut%s ...]", grouped(lines), grouped(bytes), note)
}

// grouped writes 5000000 as 5,000,000.
func grouped(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// Beginning is the beginning of a text, at most so many bytes, that doesn't end inside a character.
func Beginning(text string, most int) string {
	if most >= len(text) {
		return text
	}
	for back := most; back > most-utf8.UTFMax && back >= 0; back-- {
		if utf8.RuneStart(text[back]) {
			return text[:back]
		}
	}
	return text[:most] // no UTF-8: there is no border to keep
}

// runeStart returns i, or a little less if i is inside a character or a line end.
func runeStart(s string, i int) int {
	if i <= 0 || i >= len(s) {
		return max(0, min(i, len(s)))
	}
	if s[i] == '\n' && s[i-1] == '\r' {
		return i - 1
	}
	for j := i; j > i-utf8.UTFMax && j >= 0; j-- {
		if utf8.RuneStart(s[j]) {
			if _, width := utf8.DecodeRuneInString(s[j:]); j+width > i {
				return j
			}
			break
		}
	}
	return i
}

// runeEnd returns i, or a little more if i is inside a character or a line end.
func runeEnd(s string, i int) int {
	if i <= 0 || i >= len(s) {
		return max(0, min(i, len(s)))
	}
	at := runeStart(s, i)
	if at == i {
		return i
	}
	_, width := utf8.DecodeRuneInString(s[at:])
	if s[at] == '\r' {
		width = 2
	}
	return at + width
}

// CountLines counts the lines of a text; text after the last line end is one.
func CountLines(s string) int {
	n := strings.Count(s, "\n")
	if s != "" && s[len(s)-1] != '\n' {
		n++
	}
	return n
}

// prefixEnd returns where to end a beginning of the text with at most so many bytes and lines. It ends with a
// line, unless that would waste much space.
func prefixEnd(s string, bytes, lines int) int {
	limit := max(0, min(bytes, len(s)))
	end := 0
	for range lines {
		i := strings.IndexByte(s[end:limit], '\n')
		if i < 0 {
			if limit == len(s) || end == 0 || wasteful(limit-end, bytes) {
				return runeStart(s, limit)
			}
			return end
		}
		end += i + 1
		if end == limit {
			break
		}
	}
	return end
}

// suffixStart returns where to begin an end of the text, in the same way.
func suffixStart(s string, bytes, lines int) int {
	limit := max(0, len(s)-max(0, bytes))
	start := len(s)
	for range lines {
		if start == limit {
			break
		}
		i := strings.LastIndexByte(s[limit:start-1], '\n')
		if i < 0 {
			if limit == 0 || s[limit-1] == '\n' || start == len(s) || wasteful(start-limit, bytes) {
				return runeEnd(s, limit)
			}
			return start
		}
		start = limit + i + 1
	}
	return start
}

// wasteful reports whether a part of a line is too long to be dropped just to cut between lines.
func wasteful(part, room int) bool { return part > 500 || part > room/2 }

// span is a part of the text.
type span struct{ from, to int }

// Kept describes what a group found between the beginning and the end that are kept.
type Kept struct {
	Name  string
	Found int // lines, up to 1000
	Kept  int // of them, at least
}

// lineBytes is the longest line that is kept whole.
const lineBytes = 600

// The bytes of a longer line that are kept around the match.
const (
	bytesBefore = 150
	bytesAfter  = 350
)

// chooser chooses the snippets for which there is space.
type chooser struct {
	text         string
	within       span
	bytes, lines int    // space that is left
	floor        int    // bytes of it that the group can't use
	floorLines   int    // lines, likewise
	piece        int    // bytes of a long line that are kept
	marker       int    // bytes of one
	chosen       []span // sorted, without overlap
	spend        func(units int)
}

// choose gives each group in turn up to half of the space that is left, first for matches with their
// surroundings. The rest goes to single lines, and last to those that resemble another one.
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

// fromEnds yields hits alternately from the first and from the last one. If there isn't space for all, the cause
// and the consequence say most.
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

// leastPiece is the shortest piece of a long line that is worth keeping.
const leastPiece = 60

// full reports whether there is no space for a line.
func (c *chooser) full() bool {
	return c.bytes-c.floor <= c.marker || c.lines-c.floorLines < leastLines
}

// share returns how much of a long line to keep if n lines want space: the more lines, the less.
func (c *chooser) share(n int) {
	c.piece = max(bytesAfter/2, min(lineBytes, (c.bytes-c.floor)/max(n, 1)-c.marker))
}

// addLine adds the line of a hit, or as much of it as there is space for.
func (c *chooser) addLine(h hit) {
	p := c.line(h)
	if room := c.bytes - c.floor - c.marker; p.to-p.from > room && room >= leastPiece {
		p = c.around(h, p, room)
	}
	c.add(p)
}

// around returns the text around the place of a hit, at most room bytes.
func (c *chooser) around(h hit, p span, room int) span {
	room -= 2 * 4 // characters at the ends aren't cut
	if from := h.at - room*bytesBefore/(bytesBefore+bytesAfter); from > p.from {
		p.from = runeStart(c.text, from)
	}
	if to := p.from + room; to < p.to {
		p.to = runeEnd(c.text, to)
	}
	return p
}

// search returns the index of the first chosen span that ends after at.
func (c *chooser) search(at int) int {
	return sort.Search(len(c.chosen), func(i int) bool { return c.chosen[i].to > at })
}

func (c *chooser) covers(at int) bool {
	i := c.search(at)
	return i < len(c.chosen) && c.chosen[i].from <= at
}

// add adds a span if there is space for it, without what other spans already have.
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

// line returns the line of a hit with its end, or the piece of a long line around the match.
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

// block returns the line of a hit and the surroundings that its group wants, as long as the lines there are not
// long.
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

// follow returns where the lines after a hit end.
func (c *chooser) follow(g *group, at int) int {
	end := at // of the last line that isn't blank
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
