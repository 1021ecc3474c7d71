// Package chart draws the few marks that luahook's page has, as SVG: columns over time, a line, bars and a histogram.
// Colours are classes of the page's style sheet. What a drawing says must also stand beside it as text or as a table.
//
// A drawing is as wide as what it stands in: places across are percentages, heights are pixels, so that texts keep
// their size in a narrow window.
package chart

import (
	"fmt"
	"math"
	"strconv"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// Tick is a text on the axis below a drawing.
type Tick struct {
	At    float64 // from 0, the left end, to 1
	Label string
	Minor bool // it is left out in a narrow window
}

// Frame is what drawings with axes have in common.
type Frame struct {
	ID          string // tells the drawing from others of the page
	Title       string
	Description string // what it shows, with its most important numbers
	Ticks       []Tick
	Whole       bool // values are counts, so that parts of one get no line
	Unit        func(v float64) string
}

// Sizes of drawings, in pixels.
const (
	plotHeight = 150
	axisHeight = 22
	topSpace   = 8
)

// draw puts marks between axes. Top is the highest value that has to have a place; y tells marks where a value is.
func (f *Frame) draw(role string, top float64, marks func(y func(v float64) float64) Node) Node {
	lines := Scale(top, f.Whole)
	highest := lines[len(lines)-1]
	y := func(v float64) float64 {
		return topSpace + (plotHeight-topSpace)*(1-min(max(v/highest, 0), 1))
	}
	grid := Each(lines, func(v float64) Node {
		class := "grid"
		if v == 0 {
			class = "grid zero"
		}
		return El("line", Class(class), Attr("x1", "0"), Attr("x2", "100%"), Attrf("y1", "%.1f", y(v)), Attrf("y2", "%.1f", y(v)))
	})
	return El("div", Class("chart"),
		El("svg", Class("axis"), Attr("width", "100%"), Attrf("height", "%d", plotHeight+axisHeight), Attr("aria-hidden", "true"),
			Each(lines, func(v float64) Node {
				return El("text", Attr("x", "100%"), Attrf("y", "%.1f", y(v)+3.5), Attr("text-anchor", "end"), Text(f.Unit(v)))
			})),
		El("svg", Class("plot"), Attr("width", "100%"), Attrf("height", "%d", plotHeight+axisHeight), Attr("role", role),
			Attr("aria-labelledby", f.ID+"-title"), Attr("aria-describedby", f.ID+"-desc"),
			El("title", Attr("id", f.ID+"-title"), Text(f.Title)), El("desc", Attr("id", f.ID+"-desc"), Text(f.Description)),
			grid, marks(y), f.across()))
}

// across is the axis below.
func (f *Frame) across() Node {
	return El("g", Attr("aria-hidden", "true"), Each(f.Ticks, func(t Tick) Node {
		at := min(max(t.At, 0), 1)
		anchor := "middle"
		switch {
		case at < .04:
			anchor = "start"
		case at > .96:
			anchor = "end"
		}
		class := "tick"
		if t.Minor {
			class = "tick minor"
		}
		return El("g", Class(class),
			El("line", Class("grid"), Attr("x1", percent(at)), Attr("x2", percent(at)), Attrf("y1", "%d", plotHeight), Attrf("y2", "%d", plotHeight+4)),
			El("text", Attr("x", percent(at)), Attrf("y", "%d", plotHeight+16), Attr("text-anchor", anchor), Text(t.Label)))
	}))
}

// percent is a part of the width.
func percent(part float64) string {
	return strconv.FormatFloat(part*100, 'f', 3, 64) + "%"
}

// Scale are round values from 0 to at least top, three to six of them. If they are to be whole, none has a fraction.
func Scale(top float64, whole bool) []float64 {
	if !(top > 0) || math.IsInf(top, 1) { // or not a number
		top = 1
	}
	step := math.Pow(10, math.Floor(math.Log10(top/4)))
	for _, times := range []float64{1, 2, 5, 10} {
		if step*times*4.0001 >= top {
			step *= times
			break
		}
	}
	if whole {
		step = max(1, math.Round(step))
	}
	lines := []float64{0}
	for n := 1.; lines[len(lines)-1] < top*.9999; n++ {
		lines = append(lines, n*step)
	}
	return lines
}

// Short is a number in few characters: 950, 12k, 1.5M.
func Short(v float64) string {
	for _, unit := range []struct {
		size float64
		name string
	}{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}} {
		if math.Abs(v) >= unit.size {
			return strconv.FormatFloat(math.Round(v/unit.size*10)/10, 'f', -1, 64) + unit.name
		}
	}
	return strconv.FormatFloat(math.Round(v*100)/100, 'f', -1, 64)
}

// Dollars is [Short] of money.
func Dollars(v float64) string {
	if v != 0 && math.Abs(v) < .01 {
		return fmt.Sprintf("$%.3g", v)
	}
	return "$" + Short(v)
}
