package ui

import (
	"cmp"
	"net/http"
	"net/url"
	"time"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// timeRange is a part of the log that can be asked for.
type timeRange struct {
	name   string
	length time.Duration // up to the newest record; 0: all
}

var ranges = []timeRange{{"hour", time.Hour}, {"day", 24 * time.Hour}, {"week", 7 * 24 * time.Hour}, {"all", 0}}

// rangeNamed is a range by its name; all of the log where there is no name.
func rangeNamed(name string) (timeRange, error) {
	for _, r := range ranges {
		if r.name == cmp.Or(name, "all") {
			return r, nil
		}
	}
	return timeRange{}, refuse(http.StatusBadRequest, "There is no range %q: want hour, day, week or all.", name)
}

func rangeOf(values url.Values) (timeRange, error) { return rangeNamed(values.Get("range")) }

// rangeLinks lead to the same page over other parts of the log. about says what is shown.
func rangeLinks(asked timeRange, link func(r timeRange) string, about string) Node {
	return El("nav", Class("spans"), Attr("aria-label", "Part of the log"), El("ul", Each(ranges, func(r timeRange) Node {
		return El("li", El("a", Attr("href", link(r)), If(r == asked, Attr("aria-current", "true")), Text(r.name)))
	})), El("p", Class("faint"), Text(about)))
}
