package uitest

import (
	"fmt"
	"strings"
	"testing"
)

// harmless fails the test if something of the log has been more than text on the page.
func (p *tab) harmless(where string) {
	p.t.Helper()
	if title := ask[string](p, "document.title"); strings.Contains(title, "owned") && !strings.Contains(title, "'owned'") {
		p.t.Errorf("%s: a script of the log has run: the title is %q", where, title)
	}
	problem := ask[string](p, `(() => {
		const bad = [];
		for (const e of document.querySelectorAll("main script, main iframe, main object, main embed, main base, main meta, main link, main style, main img, main [style]")) bad.push(e.outerHTML.slice(0, 100));
		for (const e of document.querySelectorAll("*")) for (const a of e.attributes) {
			if (/^on/i.test(a.name)) bad.push(a.name + " of " + e.outerHTML.slice(0, 100));
			if (/^(href|src|action|formaction|xlink:href)$/i.test(a.name) && !["http:"].includes(new URL(a.value, location.href).protocol)) bad.push(a.name + "=" + a.value.slice(0, 100));
			if (/^(href|src|action|formaction)$/i.test(a.name) && new URL(a.value, location.href).origin !== location.origin) bad.push("leads away: " + a.value.slice(0, 100));
		}
		return bad.slice(0, 3).join("; ");
	})()`)
	if problem != "" {
		p.t.Errorf("%s: texts of the log are on the page as more than text: %s", where, problem)
	}
	if problem := ask[string](p, tooWide); problem != "" {
		p.t.Errorf("%s: %s", where, problem)
	}
	p.judgeAt(where)
}

// judgeAt is judge, of one page of many.
func (p *tab) judgeAt(where string) {
	p.t.Helper()
	p.mu.Lock()
	for i := range p.problems {
		p.problems[i] = where + ": " + p.problems[i]
	}
	p.mu.Unlock()
	p.judge()
}

// TestHostile shows a log whose every text wants to be more than text: in all views, and record by record.
func TestHostile(t *testing.T) {
	s := serve(t, "hostile")
	p := open(t, s).size(390, 800)
	for _, v := range views {
		if v.name != "record" && v.name != "session" {
			p.visit(v.path)
			p.harmless(v.name)
		}
	}
	var records, links []string
	seen := map[string]bool{}
	for path := "now"; path != ""; {
		p.visit(path)
		p.harmless(path)
		for _, href := range ask[[]string](p, `[...document.querySelectorAll("main a")].map(a => a.href)`) {
			path := strings.TrimPrefix(href, s.link)
			switch {
			case seen[path] || path == href:
			case strings.HasPrefix(path, "record"):
				records = append(records, path)
			case strings.HasPrefix(path, "session?"):
				links = append(links, path)
			}
			seen[path] = true
		}
		_, text := s.get(s.link + path)
		path = next(text, s.link)
	}
	if len(records) < 80 {
		t.Fatalf("%d records, want 80 or more", len(records))
	}
	for i, path := range append(records, links...) {
		p.visit(path)
		p.harmless(fmt.Sprintf("page %d, %.60s", i+1, path))
		if len(p.all("main", "")) == 0 {
			t.Errorf("%.60s is no page of its own: %.300s", path, p.text())
		}
	}
}

// TestHostileLive has hostile records come while the page is open.
func TestHostileLive(t *testing.T) {
	s := serve(t, "log")
	p := open(t, s).size(390, 800).visit("now")
	lines := hostileLines(t)
	s.write(lines...)
	s.write(written(1, "make last"))
	p.eventually("the last record", `document.querySelector("main").innerText.includes("make last")`)
	p.harmless("the list, live")
}
