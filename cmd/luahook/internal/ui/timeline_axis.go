package ui

import (
	"math"
	"slices"
	"sort"
)

// Measures of the axis, in pixels of a drawing.
const (
	breakWidth = 46  // of a stretch that was left out
	perEvent   = 54  // that the axis has for an event, in the mean
	leastAxis  = 700 // that it has for all
	leastScale = .05 // milliseconds in a pixel: times are no finer than one
)

// knot is a moment at which something begins or ends.
type knot struct {
	at      place
	x       float64
	skipped bool // the time before it was left out: nothing happened
}

// axis tells where on a line a moment is. Equal times are equally long on it, but for breaks.
type axis struct {
	knots []knot
	scale float64 // milliseconds in a pixel
}

func (a *axis) width() float64 { return a.knots[len(a.knots)-1].x }

// x is where a moment is; one outside of the axis is at its nearer end.
func (a *axis) x(p place) float64 {
	i := sort.Search(len(a.knots), func(i int) bool { return a.knots[i].at.compare(p) >= 0 })
	switch {
	case i == len(a.knots):
		return a.width()
	case i == 0 || a.knots[i].at == p:
		return a.knots[i].x
	}
	before, after := a.knots[i-1], a.knots[i]
	if before.at.epoch != after.at.epoch {
		return (before.x + after.x) / 2
	}
	return before.x + (after.x-before.x)*float64(p.ms-before.at.ms)/float64(after.at.ms-before.at.ms)
}

// setAxes gives each turn its axis. All have one scale, by which the page has as much room as it has events. Where nothing happens for long, as measured by how fast things happen otherwise, the axis has a break.
func setAxes(turns []*turn, events int) {
	var gaps []int64
	for _, t := range turns {
		t.axis = &axis{}
		places := []place{}
		add := func(p place) {
			if p.compare(t.first()) >= 0 && p.compare(t.last()) <= 0 {
				places = append(places, p)
			}
		}
		for _, e := range t.events {
			add(e.at)
		}
		for _, it := range t.items {
			add(it.from)
			add(it.to)
		}
		slices.SortFunc(places, place.compare)
		for i, p := range slices.Compact(places) {
			t.axis.knots = append(t.axis.knots, knot{at: p})
			if i > 0 && t.axis.knots[i-1].at.epoch == p.epoch {
				gaps = append(gaps, p.ms-t.axis.knots[i-1].at.ms)
			}
		}
	}
	idle := idleAfter(gaps)
	drawn, breaks := 0.0, 0.0
	for _, gap := range gaps {
		if gap > idle {
			breaks += breakWidth
		} else {
			drawn += float64(gap)
		}
	}
	room := max(leastAxis, float64(perEvent*events))
	scale := max(leastScale, drawn/max(room-breaks, room/2))
	for _, t := range turns {
		t.axis.set(scale, idle)
	}
}

// idleAfter is the time in milliseconds that is longer than nearly all between two events.
func idleAfter(gaps []int64) int64 {
	if len(gaps) == 0 {
		return math.MaxInt64
	}
	sorted := slices.Sorted(slices.Values(gaps))
	typical := sorted[len(sorted)*9/10]
	return max(2000, min(typical, math.MaxInt64/8)*6)
}

func (a *axis) set(scale float64, idle int64) {
	a.scale = scale
	for i := 1; i < len(a.knots); i++ {
		before, k := a.knots[i-1], &a.knots[i]
		gap := k.at.ms - before.at.ms
		if k.skipped = before.at.epoch != k.at.epoch || gap > idle; k.skipped {
			k.x = before.x + breakWidth
		} else {
			k.x = before.x + float64(gap)/scale
		}
	}
}

// segment is the part of a turn that stands on one line of the drawing.
type segment struct {
	turn   *turn
	x0, x1 float64 // of the axis
	left   float64 // where it begins on the line
	last   bool    // of its turn
}

// on says whether a part of the axis is on the segment, and where on the line.
func (s *segment) on(from, to float64) (left, right float64, is bool) {
	if from >= s.x1 && !(s.last && from <= s.x1) || to < s.x0 || to == s.x0 && from < s.x0 {
		return 0, 0, false
	}
	return s.left + max(from, s.x0) - s.x0, s.left + min(to, s.x1) - s.x0, true
}

// Measures of lines.
const (
	leastSegment = 150 // so that its title has room
	turnGap      = 26  // two turns on one line
)

// linesOf sets turns on lines of a width, as words are set: a turn that fits goes on the line, a longer one begins a
// line and goes on on further ones.
func linesOf(turns []*turn, width float64) [][]segment {
	var lines [][]segment
	free := 0.0 // on the last line
	for _, t := range turns {
		whole := t.axis.width()
		if needs := max(whole, leastSegment); needs+turnGap <= free {
			line := &lines[len(lines)-1]
			*line = append(*line, segment{turn: t, x1: whole, left: width - free + turnGap, last: true})
			free -= needs + turnGap
			continue
		}
		for x := 0.0; ; {
			end := t.axis.cut(x, x+width)
			lines = append(lines, []segment{{turn: t, x0: x, x1: end, last: end >= whole}})
			if end >= whole {
				free = width - max(end-x, leastSegment)
				break
			}
			x = end
		}
	}
	return lines
}

// cut is where a line that begins at x ends: at most at end, and not within a break.
func (a *axis) cut(x, end float64) float64 {
	if a.width() <= end {
		return a.width()
	}
	i := sort.Search(len(a.knots), func(i int) bool { return a.knots[i].x > end })
	if a.knots[i].skipped && a.knots[i-1].x > x {
		return a.knots[i-1].x
	}
	return end
}
