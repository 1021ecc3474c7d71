package chart

import (
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// Series is what one of the parts of each column stands for.
type Series struct {
	Class   string // of its colour
	Pattern Pattern
}

// Pattern tells a colour from others without the colour.
type Pattern int

// The patterns.
const (
	Solid Pattern = iota
	Slanted
	Level
)

var patternNames = []string{Slanted: "slanted", Level: "level"}

// Column is a bar of a [Columns].
type Column struct {
	Label  string // when it is, and its values, for people
	Link   string // where it leads; "": nowhere
	Values []int  // of each series, the lowest first
}

// Columns are stacked columns, each as wide as the others.
type Columns struct {
	Frame
	Series  []Series
	Columns []Column
}

// leastHeight is how high a part is at least, so that one among a million can be seen.
const leastHeight = 3

// Node draws them.
//
// Where columns lead somewhere that is for pointers alone: sixty more stops would be in the way of a keyboard. The
// table with the same numbers has the links for all.
func (c *Columns) Node() Node {
	top := 0
	for _, column := range c.Columns {
		sum := 0
		for _, v := range column.Values {
			sum += v
		}
		top = max(top, sum)
	}
	slot := 1 / float64(max(len(c.Columns), 1))
	role := "img"
	for _, column := range c.Columns {
		if column.Link != "" {
			role = "group"
		}
	}
	c.Whole = true
	return c.draw(role, float64(top), func(y func(float64) float64) Node {
		columns := make([]Node, 0, len(c.Columns))
		for i, column := range c.Columns {
			at := float64(i) * slot
			parts := []Node{El("title", Text(column.Label)), El("rect", Class("hit"), Attr("x", percent(at)), Attr("y", "0"), Attr("width", percent(slot)), Attrf("height", "%d", plotHeight))}
			low := y(0)
			sum := 0
			for k, v := range column.Values {
				if v <= 0 {
					continue
				}
				high := min(y(float64(v+sum)), low-leastHeight)
				sum += v
				parts = append(parts, El("rect", Class("mark "+c.Series[k].Class), c.fill(k), Attr("x", percent(at+slot*.1)), Attrf("y", "%.1f", high), Attr("width", percent(slot*.8)), Attrf("height", "%.1f", low-high)))
				low = high
			}
			if sum == 0 {
				continue
			}
			if column.Link == "" {
				columns = append(columns, El("g", Group(parts...)))
			} else {
				columns = append(columns, El("a", Attr("href", column.Link), Attr("tabindex", "-1"), Attr("aria-label", column.Label), Group(parts...)))
			}
		}
		return Group(El("defs", Each(c.Series, func(s Series) Node { return c.pattern(s) })), Group(columns...))
	})
}

func (c *Columns) fill(k int) Attribute {
	if s := c.Series[k]; s.Pattern != Solid {
		return Attr("fill", "url(#"+c.ID+"-"+patternNames[s.Pattern]+")")
	}
	return Attribute{}
}

// pattern is what a series is filled with.
func (c *Columns) pattern(s Series) Node { return patternOf(c.ID, s) }

func patternOf(id string, s Series) Node {
	if s.Pattern == Solid {
		return Node{}
	}
	turn := "rotate(45)"
	if s.Pattern == Level {
		turn = "rotate(0)"
	}
	return El("pattern", Attr("id", id+"-"+patternNames[s.Pattern]), Class(s.Class), Attr("width", "5"), Attr("height", "5"), Attr("patternUnits", "userSpaceOnUse"), Attr("patternTransform", turn),
		El("rect", Class("under"), Attr("width", "5"), Attr("height", "5")), El("rect", Class("over"), Attr("width", "5"), Attr("height", "3")))
}

// Swatch shows what a series looks like, for a legend. The id must be one that the page has nowhere else.
func Swatch(id string, s Series) Node {
	fill := Attribute{}
	if s.Pattern != Solid {
		fill = Attr("fill", "url(#"+id+"-"+patternNames[s.Pattern]+")")
	}
	return El("svg", Class("swatch"), Attr("width", "12"), Attr("height", "12"), Attr("aria-hidden", "true"),
		El("defs", patternOf(id, s)), El("rect", Class("mark "+s.Class), fill, Attr("width", "12"), Attr("height", "12")))
}
