package ui

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"time"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// Measures of the drawing, in pixels.
const (
	wideDrawing   = 960
	narrowDrawing = 340
	margin        = 12 // left and right of a line
	titleHeight   = 20
	clockHeight   = 18
	labelHeight   = 15
	signHeight    = 20
	barHeight     = 9
	barStep       = 13
	lineGap       = 16
	maxRows       = 4   // of bars of a lane beside one another
	letter        = 5.9 // the mean width of one
)

// drawing is the timeline as it is drawn.
type drawing struct {
	s     *Server
	lanes []*lane
	order map[*sessionEvent]int // of events, in which the keyboard goes through them
	width float64
	y     float64
	nodes []Node
}

// draw draws turns on lines of a width.
func (s *Server) draw(turns []*turn, lanes []*lane, events []*sessionEvent, width float64, class string) Node {
	d := &drawing{s: s, lanes: lanes, order: make(map[*sessionEvent]int, len(events)), width: width}
	for i, e := range events {
		d.order[e] = i
	}
	for _, line := range linesOf(turns, width-2*margin) {
		d.line(line)
	}
	return El("svg", Class("timeline "+class), Attr("viewBox", fmt.Sprintf("0 0 %g %g", width, d.y)), Attr("role", "group"), Attr("aria-label", "Timeline of the session. The list below says the same."), Group(d.nodes...))
}

func (d *drawing) add(nodes ...Node) { d.nodes = append(d.nodes, nodes...) }

// px is a coordinate.
func px(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

func rect(class string, x, y, width, height float64) Node {
	return El("rect", Class(class), Attr("x", px(x)), Attr("y", px(y)), Attr("width", px(max(0, width))), Attr("height", px(height)))
}

func stroke(class string, x1, y1, x2, y2 float64) Node {
	return El("line", Class(class), Attr("x1", px(x1)), Attr("y1", px(y1)), Attr("x2", px(x2)), Attr("y2", px(y2)))
}

func drawnText(class string, x, y float64, text string) Node {
	return El("text", Class(class), Attr("x", px(x)), Attr("y", px(y)), Text(text))
}

// mark is a link to the record of an event. It has a title, and a place among the marks.
func (d *drawing) mark(e *sessionEvent, class string, nodes ...Node) Node {
	return El("a", Class("mark "+class), Attr("href", d.s.path("record", "ref", string(e.ref))), Attr("tabindex", "-1"), Attr("data-n", strconv.Itoa(d.order[e])),
		El("title", Text(e.title())), Group(nodes...))
}

// line draws one line: titles of turns, the clock, and below them the lanes in which something happens.
func (d *drawing) line(segments []segment) {
	for _, seg := range segments {
		d.add(drawnText("turn", margin+seg.left, d.y+14, fitting(turnTitle(seg.turn, seg.x0 > 0), max(seg.x1-seg.x0, leastSegment))))
	}
	d.y += titleHeight
	top := d.y
	d.y += clockHeight
	behind := len(d.nodes)
	for n := range d.lanes {
		d.lane(n, segments)
	}
	clock := &drawing{}
	for i := range segments {
		clock.clock(&segments[i], top, d.y)
	}
	d.nodes = slices.Insert(d.nodes, behind, clock.nodes...)
	d.y += lineGap
}

func turnTitle(t *turn, on bool) string {
	text := "Before the first prompt"
	switch {
	case t.number > 0:
		text = "Turn " + grouped(t.number)
	case t.name != "":
		text = "Turn " + shortID(t.name)
	case t.alone:
		text = "No prompt"
	}
	if on || t.number > 0 && !t.begun {
		return text + ", continued"
	}
	if t.pause > 0 {
		text += " · after " + span(t.pause)
	}
	return text
}

// fitting is as much of a text as has room in a width.
func fitting(text string, width float64) string {
	used := 0.0
	for at, r := range text {
		if used += letter; r > 0x1100 {
			used += letter
		}
		if used > width {
			if at == 0 {
				return ""
			}
			return text[:at] + "…"
		}
	}
	return text
}

// lane draws what happens in one lane on one line. Where nothing does, the line hasn't the lane.
func (d *drawing) lane(n int, segments []segment) {
	top := d.y
	var points, models, tools []Node
	rows := &barRows{}
	hasModel := false
	type pin struct {
		e *sessionEvent
		x float64
	}
	var pins []pin
	var agents []placed
	for i := range segments {
		seg := &segments[i]
		a := seg.turn.axis
		for _, it := range seg.turn.items {
			if it.lane == n && (it.kind == modelItem || it.kind == compactItem) {
				_, _, is := seg.on(a.x(it.from), a.x(it.to))
				hasModel = hasModel || is
			}
		}
		for _, e := range seg.turn.events {
			if e.lane != n {
				continue
			}
			x := a.x(e.at)
			if left, _, is := seg.on(x, x); is && (len(e.signs()) > 0 || e.item == nil || e.item.kind == agentItem || e.item.kind == turnItem) {
				pins = append(pins, pin{e, left})
			}
		}
	}
	barTop := top + signHeight
	if len(d.lanes) > 1 {
		barTop += labelHeight
	}
	toolTop := barTop
	if hasModel {
		toolTop += barStep
	}
	for i := range segments {
		seg := &segments[i]
		a := seg.turn.axis
		var calls []placed
		for _, it := range seg.turn.items {
			if it.lane != n {
				continue
			}
			from, to := a.x(it.from), a.x(it.to)
			if it.open() && it.kind == turnItem {
				to = a.width()
			}
			left, right, is := seg.on(from, to)
			if !is {
				continue
			}
			p := placed{it: it, left: margin + left, right: margin + right, begins: from >= seg.x0 && it.from.compare(seg.turn.first()) >= 0, ends: !it.open() && to <= seg.x1 && it.to.compare(seg.turn.last()) <= 0}
			switch it.kind {
			case toolItem:
				calls = append(calls, p)
			case modelItem, compactItem:
				models = append(models, d.bar(&p, barTop, seg))
			case agentItem:
				agents = append(agents, p)
			case turnItem:
				points = append(points, stroke("turn-span", p.left, top+1, p.right, top+1))
			}
		}
		slices.SortStableFunc(calls, func(a, b placed) int { return cmp.Compare(a.left, b.left) })
		for k := range calls {
			calls[k].row = rows.take(calls[k].left, calls[k].drawnTo())
		}
		for k := range calls {
			p := &calls[k]
			y := toolTop + float64(p.row)*barStep
			tools = append(tools, d.bar(p, y, seg))
			room := margin + seg.left + max(seg.x1-seg.x0, leastSegment)
			for _, next := range calls[k+1:] {
				if next.row == p.row {
					room = next.left
					break
				}
			}
			x := p.drawnTo() + 4
			if p.ends && p.it.failed() {
				x += 4
			}
			if p.begins && p.it.begin != nil && room-x > 5*letter {
				tools = append(tools, drawnText("what", x, y+barHeight-1, fitting(p.it.begin.brief, room-x-8)))
			}
		}
	}
	if len(pins)+len(models)+len(tools)+len(agents) == 0 {
		return
	}
	bottom := toolTop + float64(rows.used())*barStep + 3
	if len(d.lanes) > 1 {
		d.add(stroke("lane-line", 0, top, d.width, top))
	}
	for _, p := range agents {
		d.add(rect("agent-span", p.left, top+2, p.right-p.left, bottom-top-4))
	}
	if len(d.lanes) > 1 {
		d.add(drawnText("lane", margin, top+11, d.lanes[n].label()))
	}
	d.add(points...)
	d.add(models...)
	d.add(tools...)
	y := barTop - signHeight/2
	taken := -1e9
	for _, p := range pins {
		x := margin + p.x
		at, signs := x, p.e.signs()
		size := 9.0 * float64(max(1, len(signs)))
		if len(signs) > 0 {
			size = 15 * float64(len(signs))
		}
		if at-size/2 < taken && taken < at+40 {
			at = taken + size/2
		}
		at = max(at, size/2)
		taken = at + size/2 + 1
		d.add(d.pin(p.e, signs, x, at, y, barTop))
	}
	d.y = bottom
}

// pin draws an event that has no length, or how hooks stood in the way of one, above its place on the axis.
func (d *drawing) pin(e *sessionEvent, signs []string, x, at, y, down float64) Node {
	if len(signs) == 0 {
		return d.mark(e, "point "+pointClass(e), rect("hit", at-6, y-9, 12, 18), pointShape(e, at, y))
	}
	nodes := []Node{stroke("pin", at, y+6, x, down)}
	left := at - 7.5*float64(len(signs)-1)
	for i, sign := range signs {
		cx := left + 15*float64(i)
		nodes = append(nodes, El("circle", Class("sign "+markOf(sign).class), Attr("cx", px(cx)), Attr("cy", px(y)), Attr("r", "7")),
			drawnText("sign-text "+markOf(sign).class, cx, y+3.8, markOf(sign).sign))
	}
	return d.mark(e, "signs", nodes...)
}

func pointClass(e *sessionEvent) string {
	switch e.kind {
	case audit.KindNote:
		return "of-note"
	case audit.KindRun:
		return "of-run"
	}
	return "of-event"
}

// pointShape is the shape of an event: a triangle begins something, a square ends it, a diamond is a note, a ring an
// async run, and a dot everything else.
func pointShape(e *sessionEvent, x, y float64) Node {
	path := func(format string, values ...any) Node {
		return El("path", Attr("d", fmt.Sprintf(format, values...)))
	}
	switch {
	case e.kind == audit.KindNote:
		return path("M%.1f %.1fl4 4l-4 4l-4 -4z", x, y-4)
	case e.kind == audit.KindRun:
		return El("circle", Class("ring"), Attr("cx", px(x)), Attr("cy", px(y)), Attr("r", "3"))
	case e.name == hooks.PrePrompt, e.name == hooks.SessionStart, e.name == hooks.SubagentStart, e.name == hooks.PreAgent, e.name == hooks.RunStart:
		return path("M%.1f %.1fl8 5l-8 5z", x-3, y-5)
	case e.name == hooks.Stop, e.name == hooks.SessionEnd, e.name == hooks.SubagentStop, e.name == hooks.PostAgent, e.name == hooks.RunEnd, e.name == hooks.StopFailure, e.name == hooks.Interrupt:
		return path("M%.1f %.1fh7v7h-7z", x-3.5, y-3.5)
	}
	return El("circle", Attr("cx", px(x)), Attr("cy", px(y)), Attr("r", "3"))
}

// placed is an item on a line.
type placed struct {
	it           *item
	left, right  float64
	begins, ends bool // on this line
	row          int
}

const (
	leastBar = 4  // so that it can be seen
	openBar  = 22 // of what has no known end
)

// drawnTo is where its bar ends.
func (p *placed) drawnTo() float64 {
	if p.it.open() {
		if p.it.begin.denied() {
			return p.left + leastBar
		}
		return p.left + openBar
	}
	return max(p.right, p.left+leastBar)
}

func itemClass(kind itemKind) string {
	switch kind {
	case toolItem:
		return "tool"
	case modelItem:
		return "model"
	case compactItem:
		return "compact"
	}
	return ""
}

// bar draws an item as long as it took: what its hooks took is dark at either end, and where a call waited, for a
// person's word perhaps, before it ran, it is hollow.
func (d *drawing) bar(p *placed, y float64, seg *segment) Node {
	it, scale := p.it, seg.turn.axis.scale
	right := p.drawnTo()
	class := itemClass(it.kind)
	if it.open() {
		if it.begin.denied() {
			return d.mark(it.begin, "bar never "+class, rect("hit", p.left-3, y-2, 10, barStep), stroke("stump", p.left+1, y, p.left+1, y+barHeight))
		}
		return d.mark(it.begin, "bar open "+class, rect("hit", p.left, y-2, openBar, barStep), rect("hollow", p.left, y+.5, openBar-6, barHeight-1),
			El("path", Class("arrow"), Attr("d", fmt.Sprintf("M%.1f %.1fl4 %.1fl-4 %.1f", right-5, y+1, barHeight/2.-1, barHeight/2.-1))))
	}
	nodes := []Node{rect("hit", p.left-2, y-2, right-p.left+4, barStep)}
	solid := p.left
	if ran := it.ran(); it.begin != nil && ran >= 0 && it.length()-ran >= noticed {
		from := seg.turn.axis.x(place{it.to.epoch, it.to.ms - ran})
		if left, _, is := seg.on(from, max(from, seg.x1)); is && margin+left > p.left {
			solid = min(margin+left, right-leastBar/2)
			nodes = append(nodes, rect("hollow", p.left+.5, y+.5, solid-p.left, barHeight-1))
		} else if from > seg.x1 {
			solid = right
			nodes = append(nodes, rect("hollow", p.left+.5, y+.5, right-p.left, barHeight-1))
		}
	}
	if solid < right {
		nodes = append(nodes, rect("solid", solid, y, right-solid, barHeight))
	}
	if p.begins && it.begin != nil {
		nodes = append(nodes, rect("hook-time", p.left, y, min(max(1.5, float64(it.begin.hookUS)/1000/scale), right-p.left), barHeight))
	}
	bar := d.mark(it.event(), "bar "+class, nodes...)
	if !p.ends || it.begin == nil {
		return bar
	}
	end := []Node{rect("hit", right-3, y-2, 8, barStep), rect("hook-time", right, y, min(max(1.5, float64(it.end.hookUS)/1000/scale), 200), barHeight)}
	if it.failed() {
		end = append(end, El("path", Class("bad"), Attr("d", fmt.Sprintf("M%.1f %.1fl6 6m0 -6l-6 6", right-2, y+1.5))))
	}
	return Group(bar, d.mark(it.end, "end", end...))
}

// barRows are the rows of bars that overlap: where the last bar of each ends.
type barRows struct{ ends []float64 }

// take finds a row that is free from left on, and takes it up to right. When all are taken, bars cover one another.
func (r *barRows) take(left, right float64) int {
	for i, end := range r.ends {
		if end <= left {
			r.ends[i] = right
			return i
		}
	}
	if len(r.ends) < maxRows {
		r.ends = append(r.ends, right)
		return len(r.ends) - 1
	}
	r.ends[maxRows-1] = max(r.ends[maxRows-1], right)
	return maxRows - 1
}

func (r *barRows) used() int { return len(r.ends) }

// clockSteps are the distances of lines in the time, in milliseconds; above the last its multiples by ten.
var clockSteps = []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10_000, 15_000, 30_000, 60_000, 120_000, 300_000, 600_000, 900_000, 1_800_000, 3_600_000, 7_200_000, 21_600_000, 43_200_000, 86_400_000}

const clockWidth = 62 // of a time

// clock draws the times of a segment, and where time was left out.
func (d *drawing) clock(seg *segment, top, bottom float64) {
	a := seg.turn.axis
	step := clockSteps[len(clockSteps)-1]
	for _, step = range clockSteps {
		if float64(step)/a.scale >= clockWidth*1.4 {
			break
		}
	}
	for float64(step)/a.scale < clockWidth*1.4 {
		step *= 10
	}
	free := seg.left // from here on there is room for a time
	right := seg.left + max(seg.x1-seg.x0, leastSegment)
	until := make([]float64, len(a.knots)) // where the next time that was left out begins, from a knot on
	for i := len(until) - 1; i >= 0; i-- {
		switch {
		case i == len(until)-1:
			until[i] = right
		case a.knots[i+1].skipped:
			until[i] = min(right, seg.left+a.knots[i].x-seg.x0)
		default:
			until[i] = until[i+1]
		}
	}
	tell := func(x float64, ms int64, exact bool, right float64) {
		d.add(stroke("grid", margin+x, top+clockHeight-3, margin+x, bottom))
		if x >= free && x+clockWidth-12 <= right {
			format := "15:04:05"
			if step < 1000 {
				format = "15:04:05.000"
			} else if step%60_000 == 0 && !exact {
				format = "15:04"
			}
			if step >= 86_400_000 {
				format = "2 Jan 2006"
			}
			d.add(drawnText("clock", margin+x+2, top+11, time.UnixMilli(ms).Local().Format(format)))
			free = x + clockWidth
			if step < 1000 {
				free += 22
			}
		}
	}
	for i, k := range a.knots {
		if i == 0 {
			if seg.x0 == 0 {
				tell(seg.left, k.at.ms, true, until[i])
			}
			continue
		}
		before := a.knots[i-1]
		left, end, is := seg.on(before.x, k.x)
		if !is || k.x == before.x {
			continue
		}
		if k.skipped {
			d.pause(margin+left, margin+end, top, bottom, before.at, k.at)
			free = max(free, end)
			tell(end, k.at.ms, true, until[i])
			continue
		}
		first := before.at.ms
		if before.x < seg.x0 {
			first += int64((seg.x0 - before.x) * a.scale)
		}
		for at := (first/step + 1) * step; at < k.at.ms; at += step {
			x := before.x + float64(at-before.at.ms)/a.scale
			if x >= seg.x1 {
				break
			}
			tell(seg.left+x-seg.x0, at, false, until[i])
		}
	}
}

// roughly is a long time in its largest unit, in milliseconds.
func roughly(ms int64) string {
	for _, unit := range []struct {
		ms   int64
		name string
	}{{86_400_000, "d"}, {3_600_000, "h"}, {60_000, "min"}} {
		if ms >= 2*unit.ms {
			return grouped(ms/unit.ms) + " " + unit.name
		}
	}
	return span(ms)
}

// pause draws a stretch of time that was left out, and says how long it was.
func (d *drawing) pause(left, right, top, bottom float64, from, to place) {
	text := span(to.ms - from.ms)
	short := fitting(roughly(to.ms-from.ms), right-left)
	if from.epoch != to.epoch {
		short = "back"
	}
	title := "No event for " + text + ": the drawing leaves this time out."
	if from.epoch != to.epoch {
		title = "The clock was set back by " + span(from.ms-to.ms) + "."
	}
	d.add(El("g", Class("pause"), El("title", Text(title)), rect("pause-area", left, top, right-left, bottom-top),
		stroke("pause-line", left+1, top, left+1, bottom), stroke("pause-line", right-1, top, right-1, bottom),
		drawnText("pause-text", (left+right)/2, top+11, short)))
}
