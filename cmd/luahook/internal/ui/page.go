package ui

import (
	"net/http"
	"net/url"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
)

// view is one of the pages that the navigation has.
type view struct{ path, title string }

var views = []view{{"now", "Now"}, {"sessions", "Sessions"}, {"overview", "Overview"}, {"hooks", "Hooks"}, {"playground", "Playground"}}

// page is what is written for a request.
type page struct {
	in    string // path of the view that it belongs to
	title string
	body  Node
}

// write writes a page.
func (s *Server) write(w http.ResponseWriter, p page) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	_, _ = w.Write([]byte(Page(s.layout(p)))) // an error: nobody reads it any more
	return nil
}

// layout is what all pages have.
func (s *Server) layout(p page) Node {
	links := Each(views, func(v view) Node {
		current := Attribute{}
		if v.path == p.in {
			current = Attr("aria-current", "page")
		}
		return El("li", El("a", Attr("href", s.path(v.path)), current, Text(v.title)))
	})
	return El("html", Attr("lang", "en"),
		El("head",
			El("meta", Attr("charset", "utf-8")),
			El("meta", Attr("name", "viewport"), Attr("content", "width=device-width, initial-scale=1")),
			El("meta", Attr("name", "color-scheme"), Attr("content", "light dark")),
			El("title", Text(p.title+" · luahook")),
			El("link", Attr("rel", "icon"), Attr("href", s.path("static/icon.svg"))),
			El("link", Attr("rel", "stylesheet"), Attr("href", s.path("static/ui.css"))),
			El("script", Attr("src", s.path("static/ui.js")), Has("defer", true)),
		),
		El("body",
			El("a", Class("skip"), Attr("href", "#main"), Text("Skip to content")),
			El("header", Class("top"),
				El("span", Class("brand"), El("img", Attr("src", s.path("static/icon.svg")), Attr("alt", "")), Text("luahook")),
				El("nav", Attr("aria-label", "Views"), El("ul", links)),
			),
			El("main", Attr("id", "main"), Attr("tabindex", "-1"), p.body),
			El("footer", Class("bottom"), Text(s.LogName), Text(" · luahook "+s.Version), Text(" · it reads, and changes nothing")),
		),
	)
}

// path is an address of this server: of a view, with pairs of names and values for it. Empty values are left out.
func (s *Server) path(view string, query ...string) string {
	values := url.Values{}
	for i := 0; i+1 < len(query); i += 2 {
		if query[i+1] != "" {
			values.Set(query[i], query[i+1])
		}
	}
	address := s.base + "/" + view
	if len(values) > 0 {
		address += "?" + values.Encode()
	}
	return address
}
