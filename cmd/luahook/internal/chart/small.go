package chart

import (
	"fmt"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// Share is a part of a [Bar].
type Share struct {
	Class string
	Value int64
}

// Bar shows parts of a whole from left to right. It says nothing that doesn't stand beside it, and is hidden from who
// doesn't see it.
func Bar(whole int64, parts ...Share) Node {
	at := 0.
	var marks []Node
	for _, p := range parts {
		if p.Value <= 0 || whole <= 0 || at >= 100 {
			continue
		}
		width := min(max(float64(p.Value)*100/float64(whole), 1), 100-at)
		marks = append(marks, El("rect", Class("mark "+p.Class), Attrf("x", "%.2f", at), Attrf("width", "%.2f", width), Attr("height", "8")))
		at += width
	}
	return El("svg", Class("hbar"), Attr("viewBox", "0 0 100 8"), Attr("preserveAspectRatio", "none"), Attr("aria-hidden", "true"),
		El("rect", Class("hbar-all"), Attr("width", "100"), Attr("height", "8")), Group(marks...))
}

// Histogram shows how many values there are in each of a row of classes.
func Histogram(title, description string, counts []int) Node {
	highest := 1
	for _, n := range counts {
		highest = max(highest, n)
	}
	const height = 28
	var marks []Node
	for i, n := range counts {
		if n <= 0 {
			continue
		}
		h := max(2, float64(n)*height/float64(highest))
		marks = append(marks, El("rect", Class("mark accent"), Attrf("x", "%d", i*10+1), Attrf("y", "%.1f", height-h), Attr("width", "8"), Attrf("height", "%.1f", h)))
	}
	return El("svg", Class("histogram"), Attr("viewBox", fmt.Sprintf("0 0 %d %d", max(len(counts), 1)*10, height+1)), Attr("preserveAspectRatio", "none"), Attr("role", "img"), Attr("aria-label", title+": "+description),
		El("title", Text(title+": "+description)), Group(marks...),
		El("rect", Class("base"), Attrf("y", "%d", height), Attrf("width", "%d", max(len(counts), 1)*10), Attr("height", "1")))
}
