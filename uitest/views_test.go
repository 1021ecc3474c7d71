package uitest

import (
	"net/url"
	"strings"
	"testing"
)

// Sessions of the fixture.
const (
	reviewed = "019d2c77-50f2-7a81-b3c4-6e1b0a7d9f25" // with three subagents at once
	halted   = "b04d7e32-91c8-4f6a-8d15-c0a2b9f3e871"
)

// view is a page of luahook ui over the fixture.
type view struct {
	name    string
	path    string   // below the token; of record: of a list that has it first
	heading string   // of level 1; "": it is not told
	shows   []string // what a reader sees
	links   []string // to other views

	prepare func(*tab) // for its picture; or nil
}

// views are all views, for the tests that hold for each: a new view has a row here.
var views = []view{
	{name: "now", path: "now", heading: "Now", shows: []string{
		"352 records", "6 May 2026", "deny", "safety-guard", `psql shop -c "DELETE FROM vouchers"`, "ask", "Older records"},
		links: []string{"Sessions", "Overview", "Hooks", "Playground"}},
	{name: "record", path: "now?text=push+--force+origin", heading: "pre_tool_call", shows: []string{
		"git push --force origin fix/rounding", "safety-guard", "git.push-force", "Together", "claude", "4 May 2026"},
		links: []string{"Now"}},
	{name: "sessions", path: "sessions", heading: "Sessions", shows: []string{"codex", "gemini", "claude", "ticket-8812"}},
	{name: "session", path: "session?id=" + reviewed, shows: []string{"a-logic", "a-sql", "a-web", "terraform"}},
	{name: "overview", path: "overview", heading: "Overview", shows: []string{"safety-guard", "cost-tracker", "$"}},
	{name: "hooks", path: "hooks", heading: "Hooks", shows: []string{"deploy-eu", "pnpm", "safety-guard", "pre_tool_call", ".hooks/release.lua"}},
	{name: "playground", path: "playground", heading: "Playground", shows: []string{
		"Command, or file", "as JSON", "What would have been", "project: .hooks/release.lua", "The last"},
		prepare: func(p *tab) {
			tries(p, "curl https://example.net/list", banning)
			ask[string](p, `(scrollTo(0, 320), "")`) // to the answer
		}},
}

// at opens a view.
func (v view) at(p *tab) *tab {
	p.t.Helper()
	p.visit(v.path)
	if v.name == "record" {
		p.visit(recordsOf(p)[0])
	}
	return p
}

// recordsOf are the paths of the records that a list of now has, as they stand there.
func recordsOf(p *tab) []string {
	p.t.Helper()
	var paths []string
	for _, link := range ask[[]string](p, `[...document.querySelectorAll("main a")].map(a => a.href).filter(h => new URL(h).pathname.includes("/record"))`) {
		paths = append(paths, strings.TrimPrefix(link, p.s.link))
	}
	if len(paths) == 0 {
		p.t.Fatalf("no record at %s; the page says:\n%.2000s", ask[string](p, "location.href"), p.text())
	}
	return paths
}

// TestViews opens each view, and looks for what it is for.
func TestViews(t *testing.T) {
	s := serve(t, "log")
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			p := v.at(open(t, s))
			if v.heading != "" && len(p.all("heading", v.heading)) == 0 {
				t.Errorf("no heading %q", v.heading)
			}
			if n := ask[int](p, `document.querySelectorAll("h1").length`); n != 1 {
				t.Errorf("%d headings of level 1, want one", n)
			}
			if title := ask[string](p, "document.title"); !strings.Contains(title, "luahook") {
				t.Errorf("the title is %q, want one with luahook", title)
			}
			for _, landmark := range []string{"main", "navigation"} {
				if n := len(p.all(landmark, "")); n == 0 {
					t.Errorf("no %s", landmark)
				}
			}
			all := p.whole()
			for _, text := range v.shows {
				if !strings.Contains(all, text) {
					t.Errorf("%q isn't on the page", text)
				}
			}
			for _, name := range v.links {
				if len(p.all("link", name)) == 0 {
					t.Errorf("no link %q", name)
				}
			}
			if t.Failed() {
				t.Logf("the page says:\n%.3000s", all)
			}
			if n := ask[int](p, `document.querySelectorAll("[style], style, script:not([src]), [onclick], [onload], [onerror]").length`); n > 0 {
				t.Errorf("%d inline scripts or styles", n)
			}
		})
	}
}

// whole is the text of the page, with what is in closed parts of it.
func (p *tab) whole() string {
	p.t.Helper()
	return ask[string](p, `(() => {
		for (const d of document.querySelectorAll("details")) d.open = true;
		return (document.querySelector("main") || document.body).innerText;
	})()`)
}

// TestNavigation goes from view to view by the links, and back.
func TestNavigation(t *testing.T) {
	p := open(t, serve(t, "log")).visit("")
	if at := ask[string](p, "location.href"); at != p.s.link+"now" {
		t.Errorf("the link leads to %s, want now", at)
	}
	for _, name := range []string{"Sessions", "Overview", "Hooks", "Playground", "Now"} {
		p.follow(name, p.the("link", name).click)
		if got := ask[string](p, `document.querySelector("[aria-current=page]").innerText`); got != name {
			t.Errorf("%s: the navigation says that this is %q", name, got)
		}
	}
	p.follow("a record", func() { p.visit(recordsOf(p)[0]) })
	p.follow("back", func() { ask[bool](p, "history.back() || true") })
	p.shows("352 records")
}

// TestStrangers have no token, and see nothing.
func TestStrangers(t *testing.T) {
	s := serve(t, "log")
	link, err := url.Parse(s.link)
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"", "/", "/now", "/wrong/now", "/static/ui.js", strings.ToLower(link.Path) + "now"} {
		if status, text := s.get(link.Scheme + "://" + link.Host + path); status != 401 || strings.Contains(text, "safety-guard") || strings.Contains(text, link.Path) {
			t.Errorf("%s is answered with %d, want 401, and no word of the log: %.300s", path, status, text)
		}
	}
}
