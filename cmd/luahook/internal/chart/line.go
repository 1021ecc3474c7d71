package chart

import (
	"fmt"
	"math"
	"strings"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// Line is a value over time, at places of equal distance from the left end to the right.
type Line struct {
	Frame
	Values []float64
}

// Node draws it. What isn't a number counts as 0.
func (l *Line) Node() Node {
	top := 0.
	for _, v := range l.Values {
		if v > top {
			top = v
		}
	}
	return l.draw("img", top, func(y func(float64) float64) Node {
		if len(l.Values) == 0 {
			return Node{}
		}
		// A path knows no percentages, so it is drawn 1000 wide and stretched.
		var path strings.Builder
		last := len(l.Values) - 1
		for i, v := range l.Values {
			if math.IsNaN(v) {
				v = 0
			}
			x := 0.
			if last > 0 {
				x = 1000 * float64(i) / float64(last)
			}
			if i == 0 {
				fmt.Fprintf(&path, "M%.1f %.1f", x, y(v))
			} else {
				fmt.Fprintf(&path, "L%.1f %.1f", x, y(v))
			}
			if last == 0 {
				fmt.Fprintf(&path, "L1000 %.1f", y(v))
			}
		}
		return El("svg", Attr("width", "100%"), Attrf("height", "%d", plotHeight), Attrf("viewBox", "0 0 1000 %d", plotHeight), Attr("preserveAspectRatio", "none"),
			El("path", Class("area"), Attr("d", path.String()+fmt.Sprintf("L1000 %.1fL0 %.1fZ", y(0), y(0)))),
			El("path", Class("line"), Attr("d", path.String()), Attr("vector-effect", "non-scaling-stroke")))
	})
}
