package excerpt

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Options say how much may be left of a text.
type Options struct {
	Bytes    int       // at most; from 1
	Lines    int       // at most; 0: any number
	Head     float64   // the share of the beginning in what is left, 0 to 1
	Tail     float64   // the share of the end; what both leave is for snippets, at least for one, and theirs where there are none
	Snippets *Snippets // nil: none
	Note     string    // what the first marker says beside how much it stands for; a line
	Spend    func(units int)
}

// Excerpt is what is left of a text.
type Excerpt struct {
	Text     string
	Head     int // bytes of its beginning
	Tail     int // bytes of its end
	CutBytes int
	CutLines int // line ends in what was cut
	Snippets []Kept
	Noted    bool // there was room for the note
}

// Cut shortens a text that is longer than the options allow: it keeps the beginning, the
// end and snippets, in whole lines where these aren't long, and never a part of a
// character. Each gap has a line in brackets that says how much was cut. The result is
// within the limits and shorter than the text, false where the text is within the limits
// or has only lines too many and markers would be longer than what they stand for.
// Where there is no room for a marker, the beginning is what is left.
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
		if c.bytes = min(o.Bytes, len(text)-1) - noted; o.Snippets != nil && c.bytes > 0 { // so it is shorter for sure
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
	bytes, lines int // room beside the first marker
	marker       int // bytes of another one
}

// leastLines are a line and its marker.
const leastLines = 2

// cut tries to make an excerpt; false where it isn't within the limits. The snippets have
// their room first, which is enough for one at least; what they leave is the beginning's
// and the end's.
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

// between is where snippets are looked for. Where a line is cut, that is a little of the
// beginning and of the end, too: what stands at the cut would be halved.
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

// split gives the beginning and the end their shares of a room, and tells where the one
// ends and the other begins.
func (c *cutter) split(bytes, lines int, h, t float64) (head, tail int) {
	if h+t > 0 {
		h, t = h/(h+t), t/(h+t)
	}
	head = prefixEnd(c.text, share(bytes, h), share(lines, h))
	tail = suffixStart(c.text, share(bytes, t), share(lines, t))
	return head, max(head, tail)
}

// join writes the parts with markers between. A gap that is shorter than its marker is
// kept.
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

// marker stands for what was cut.
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
