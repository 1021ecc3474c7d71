package ui

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/builtins"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Bounds of the page. "luahook list" has all.
const (
	maxListed   = 1000 // hooks in force, and as many that are left out
	maxRest     = 200  // hooks that the log alone knows
	maxFiles    = 500
	maxProblems = 50
	maxWord     = 300 // bytes of a name or a match
	maxError    = 4000
)

// hooksPage is what the page of hooks is made from.
type hooksPage struct {
	server  *Server
	view    *logindex.View
	list    *show.HookList
	files   map[fileName]engine.SourceFile
	counted *counted
	inForce map[hookKey]int // how many hooks the log can't tell apart
	asked   timeRange
}

// fileName is what a file is called by the hooks of a scope.
type fileName struct {
	scope hooks.Scope
	name  string
}

// hooksInForce shows what is in force, from where, how far it is trusted, and how it fared.
func (s *Server) hooksInForce(w http.ResponseWriter, r *http.Request) error {
	p, err := s.hooksPage(r)
	if err != nil {
		return err
	}
	return s.write(w, page{in: "hooks", title: "Hooks", body: Group(
		El("div", Class("head"), El("h1", Text("Hooks")), El("p", Class("state"), Text(p.inAll()))),
		p.trustSection(),
		p.problems(),
		p.rangeLinks("hooks"),
		p.events(),
		p.left(),
		p.filesSection(),
		p.restSection(),
	)})
}

// hooksPage looks at the hooks in force and counts how they fared.
func (s *Server) hooksPage(r *http.Request) (*hooksPage, error) {
	p := &hooksPage{server: s, view: s.Index.View(), files: map[fileName]engine.SourceFile{}, inForce: map[hookKey]int{}}
	var err error
	if p.asked, err = rangeOf(r.URL.Query()); err != nil {
		return nil, err
	}
	if p.counted, err = s.fared.count(r.Context(), p.view, p.asked.length, s.Hooks.Root); err != nil {
		return nil, err
	}
	p.list = show.Hooks(s.Hooks.Engine, "")
	for _, f := range s.Hooks.Engine.Files() {
		p.files[fileName{f.Scope, f.Name}] = f
	}
	for _, h := range slices.Concat(p.list.Hooks, p.list.Left) {
		p.inForce[keyOf(&h)]++
	}
	return p, nil
}

// inAll counts what is there.
func (p *hooksPage) inAll() string {
	text := p.list.InAll()
	if n := len(p.list.Left); n > 0 {
		text += fmt.Sprintf("; %d left out", n)
	}
	if n := len(p.list.Errors); n > 0 {
		text += fmt.Sprintf("; %d not loaded", n)
	}
	return text
}

// problems are the files that can't be used, and why.
func (p *hooksPage) problems() Node {
	if len(p.list.Errors) == 0 {
		return Node{}
	}
	shown := p.list.Errors[:min(len(p.list.Errors), maxProblems)]
	return section("Not loaded", Each(shown, func(text string) Node { return El("pre", Class("problem"), Text(shortened(text, maxError))) }),
		leftOut(len(p.list.Errors)-len(shown), "problem"))
}

// leftOut says how many of something aren't on the page.
func leftOut(n int, thing string) Node {
	if n <= 0 {
		return Node{}
	}
	return El("p", Class("faint"), Text(plural(n, "further "+thing)), Text(" left out here; "), command("luahook list"), Text(" has all."))
}

// rangeLinks are those of the page at a path; query is what else its address has.
func (p *hooksPage) rangeLinks(path string, query ...string) Node {
	about := "There is no record yet."
	if c := p.counted; !c.until.IsZero() {
		about = "Counts of the whole log, whose newest record is of " + dateAndTime(c.until)
		if !c.since.IsZero() {
			about = fmt.Sprintf("Counts of the %s up to the newest record, of %s", p.asked.name, dateAndTime(c.until))
		}
		if done, total := p.view.Progress(); done < total {
			about += fmt.Sprintf("; the newest %d %% of the log so far", done*100/total)
		}
	}
	var notes []Node
	if n := p.counted.foreign; n > 0 {
		notes = append(notes, El("p", Class("faint"), Textf("%s of hooks of other projects are not among them.", plural(n, "run"))))
	}
	if n := p.counted.untold; n > 0 {
		notes = append(notes, El("p", Class("problem"), Textf("The log has more than %s hooks. %s of further ones are not counted.", grouped(maxTold), plural(n, "run"))))
	}
	return Group(rangeLinks(p.asked, func(r timeRange) string { return p.server.path(path, append(query, "range", r.name)...) }, about), Group(notes...))
}

// dateAndTime is a time on this machine, with its date.
func dateAndTime(t time.Time) string { return t.Local().Format("2 January 2006, 15:04:05") }

// events are the hooks in force, by event, in the order in which they run.
func (p *hooksPage) events() Node {
	list := p.list.Hooks
	shown := list[:min(len(list), maxListed)]
	var parts []Node
	for i := 0; i < len(shown); {
		event, from := shown[i].Event, i
		for i < len(shown) && shown[i].Event == event {
			i++
		}
		name := shortened(string(event), maxWord)
		came := "not in the log"
		if n := p.counted.events[string(event)]; n > 0 {
			came = "recorded " + times(n)
		}
		parts = append(parts, El("section", Class("by-event"),
			El("div", Class("event-head"), El("h2", Text(name)), El("p", Class("faint"), Text(came))),
			faredTable("Hooks of "+name+", in the order in which they run", Each(shown[from:i], func(h show.ListedHook) Node { return p.hookRow(&h) }))))
	}
	if len(list) == 0 {
		parts = append(parts, El("p", Text("No hook is in force.")))
	}
	return Group(Group(parts...), leftOut(len(list)-len(shown), "hook"))
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return grouped(n) + " times"
}

// faredTable is a table of hooks and how they fared.
func faredTable(caption string, rows Node) Node {
	number := func(text string) Node { return El("th", Attr("scope", "col"), Class("number"), Text(text)) }
	return El("div", Class("scroll"), Attr("tabindex", "0"), Attr("role", "region"), Attr("aria-label", caption),
		El("table", Class("fared"), El("caption", Class("hidden"), Text(caption)),
			El("thead", El("tr", El("th", Attr("scope", "col"), El("span", Class("hidden"), Text("Hook"))),
				number("runs"), number("denied"), number("asked"), number("allowed"), number("rewrote"), number("failed"), number("p50"), number("p99"), number("last run"))),
			El("tbody", rows)))
}

// hookRow is a hook in force, and how it fared.
func (p *hooksPage) hookRow(h *show.ListedHook) Node {
	may := strings.Join(h.Grants, "; ")
	switch {
	case may != "" && h.Limited != "":
		may = "asks for " + may + ", and hasn't got it"
	case may != "":
		may = "may use " + may
	}
	about := El("p", Class("about"), El("span", Text(string(h.Scope))), Text(" "), El("span", Text("match "), El("code", Text(shortened(h.Match, maxWord)))),
		Each([]string{h.Remarks(), "on failure: " + string(h.OnFailure), shortened(may, maxWord)}, func(word string) Node {
			if word == "" {
				return Node{}
			}
			return Group(Text(" "), El("span", Text(word)))
		}))
	return p.row(fmt.Sprint(h.Order), h.Name, h.Limited != "", p.sourceLink(h.Scope, h.Source), about, keyOf(h), h.Source)
}

// row is a hook with its numbers.
func (p *hooksPage) row(order, name string, limited bool, source, about Node, k hookKey, at string) Node {
	_, line := show.Place(at)
	t := p.counted.hooks[k]
	notes := p.notes(k, t, line)
	head := El("th", Attr("scope", "row"), Class("hook"),
		El("p", If(order != "", El("span", Class("order"), Text(order+" "))), El("strong", Text(shortened(name, maxWord))), Text(" "), If(limited, El("a", Class("why-limited"), Attr("href", "#trust"), badge("limited"))), Text(" "), source),
		about, notes)
	if t == nil {
		return El("tr", head, El("td", Class("never"), Attr("colspan", "9"), Text(p.never(k))))
	}
	number := func(n int, what, decision string) Node {
		if n == 0 {
			return El("td", Class("number zero"), Text("0"))
		}
		return El("td", Class("number"), El("a", Class(what), Attr("href", p.records(k, decision)), Text(grouped(n)), El("span", Class("hidden"), Text(" "+what+", "+shortened(k.name, maxWord)))))
	}
	return El("tr", head, number(t.runs, "runs", ""), number(t.denied, "denied", "deny"), number(t.asked, "asked", "ask"), number(t.allowed, "allowed", "allow"),
		number(t.rewrote, "rewrote", ""), number(t.failed, "failed", "failed"), timeCell(t.p50), timeCell(t.p99), p.lastRun(t))
}

func timeCell(d time.Duration) Node { return El("td", Class("number"), Text(someTime(d))) }

// lastRun is when a hook ran for the last time, with a link to that record.
func (p *hooksPage) lastRun(t *tally) Node {
	at := time.UnixMilli(p.view.Row(t.last).Time)
	return El("td", Class("number when"), El("a", Attr("href", p.server.path("record", "ref", string(p.view.Ref(t.last)))),
		El("time", Attr("datetime", stamp(at)), Text(at.Local().Format("2 Jan 2006, 15:04")))))
}

// records leads to the records of a hook's runs.
func (p *hooksPage) records(k hookKey, decision string) string {
	since := ""
	if !p.counted.since.IsZero() {
		since = fmt.Sprint(p.counted.since.UnixMilli())
	}
	return p.server.path("now", "hook", k.name, "event", k.event, "decision", decision, "since", since)
}

// never says that a hook isn't in the log, as far as that can be said.
func (p *hooksPage) never(k hookKey) string {
	n := p.counted.events[k.event]
	where := ""
	if k.bound() {
		n, where = p.counted.own[k.event], " in this project"
	}
	switch {
	case p.counted.untold > 0:
		return "no run was counted"
	case n == 0:
		return "its event never came" + where
	}
	return fmt.Sprintf("it never ran; its event came %s%s", times(n), where)
}

// notes say what of the numbers is of another line, or of other hooks as well.
func (p *hooksPage) notes(k hookKey, t *tally, line int) Node {
	n := p.inForce[k]
	switch {
	case n > 1:
		return El("p", Class("faint"), Textf("The log doesn't tell it from %s of its name in the same file: the numbers are those of all together.", plural(n-1, "other hook")))
	case t == nil || line == 0 || n == 0:
		return Node{}
	}
	elsewhere := t.elsewhere(line)
	if elsewhere == 0 {
		return Node{}
	}
	return El("p", Class("faint"), Textf("%s of these runs: when it stood in another line.", grouped(elsewhere)))
}

// left are the hooks that are there and never run.
func (p *hooksPage) left() Node {
	if len(p.list.Left) == 0 {
		return Node{}
	}
	shown := p.list.Left[:min(len(p.list.Left), maxListed)]
	return section("Left out", El("ul", Class("plain"), Each(shown, func(h show.ListedHook) Node {
		var ran Node
		if t := p.counted.hooks[keyOf(&h)]; t != nil {
			ran = El("p", Class("faint"), El("a", Attr("href", p.records(keyOf(&h), "")), Text("The log has "+plural(t.runs, "run"))), Text(" of when it ran."))
		}
		return El("li", El("p", El("strong", Text(shortened(strings.TrimSpace(string(h.Event)+" "+h.Name), maxWord))), Text(" "), El("span", Class("faint"), Text(string(h.Scope))), Text(" "), p.sourceLink(h.Scope, h.Source)),
			El("p", Text(shortened(h.Left, maxError)), If(strings.Contains(h.Left, "trust"), Group(Text(" ("), El("a", Attr("href", "#trust"), Text("what to do")), Text(")")))), ran)
	})), leftOut(len(p.list.Left)-len(shown), "hook"))
}

// restSection are the hooks that the log knows and that aren't in force.
func (p *hooksPage) restSection() Node {
	rest := p.counted.rest(p.inForce)
	if len(rest) == 0 {
		return Node{}
	}
	shown := rest[:min(len(rest), maxRest)]
	var more Node
	if n := len(rest) - len(shown); n > 0 {
		more = El("p", Class("faint"), Textf("%s left out, which ran less often.", plural(n, "further hook")))
	}
	return section("In the log, and not in force here", El("p", Class("faint"), Text("They were removed, renamed or switched off, or another configuration had them. Hooks of other projects are not among them.")),
		faredTable("Hooks that the log knows and that aren't in force", Each(shown, func(k hookKey) Node {
			about := El("p", Class("faint"), Text(shortened(strings.Join(slices.DeleteFunc([]string{k.event, k.scope, k.file}, func(s string) bool { return s == "" }), ", "), maxWord)))
			return p.row("", cmp.Or(k.name, "without a name"), false, Node{}, about, k, "")
		})), more)
}

// filesSection are the files that the hooks come from.
func (p *hooksPage) filesSection() Node {
	count := map[string]int{}
	var names []fileName
	from := map[fileName]bool{}
	for _, h := range p.list.Hooks {
		name, _ := show.Place(h.Source)
		count[p.fileKey(h.Scope, name)]++
		if at := (fileName{"", name}); isBuiltin(name) && !from[at] {
			from[at] = true
			names = append(names, at)
		}
	}
	var files []sourceText
	for _, f := range p.server.Hooks.Engine.Files() {
		files = append(files, sourceText{SourceFile: f, key: keyOfFile(f)})
	}
	for _, at := range names {
		if f, ok := builtinText(fileKey(at.name)); ok {
			files = append(files, f)
		}
	}
	if len(files) == 0 {
		return Node{}
	}
	shown := files[:min(len(files), maxFiles)]
	var more Node
	if n := len(files) - len(shown); n > 0 {
		more = El("p", Class("faint"), Textf("%s left out here.", plural(n, "further file")))
	}
	return section("Files", El("div", Class("scroll"), Attr("tabindex", "0"), Attr("role", "region"), Attr("aria-label", "Files"), El("table", El("caption", Class("hidden"), Text("Files that the hooks come from")),
		El("thead", El("tr", El("th", Attr("scope", "col"), Text("file")), El("th", Attr("scope", "col"), Text("scope")), El("th", Attr("scope", "col"), Class("number"), Text("hooks")), El("th", Attr("scope", "col"), Class("number"), Text("lines")), El("th", Attr("scope", "col"), El("span", Class("hidden"), Text("Playground"))))),
		El("tbody", Each(shown, func(f sourceText) Node {
			var what Node
			if f.Library != "" {
				what = El("span", Class("faint"), Text(" library "+shortened(f.Library, maxWord)))
			}
			return El("tr", El("th", Attr("scope", "row"), Class("file"), El("a", Attr("href", p.server.path("hooks/source", "hook", f.key, "range", p.asked.name)), Text(shortened(f.Name, maxWord))), what),
				El("td", Text(cmp.Or(string(f.Scope), "built in"))), El("td", Class("number"), Text(grouped(count[f.key]))), El("td", Class("number"), Text(grouped(lineCount(f.Text)))),
				El("td", p.server.editLink(f)))
		})))), more)
}

// editLink leads to the playground with a file, where that is one that can be edited.
func (s *Server) editLink(f sourceText) Node {
	if f.Path == "" || !strings.HasSuffix(f.Path, ".lua") {
		return Node{}
	}
	return El("a", Attr("href", s.path("playground", "file", f.key)), Text("edit in the playground"), El("span", Class("hidden"), Text(": "+shortened(f.Name, maxWord))))
}

// sourceLink leads to where a hook stands; it is its place alone where there is no text of it.
func (p *hooksPage) sourceLink(scope hooks.Scope, source string) Node {
	name, line := show.Place(source)
	key := p.fileKey(scope, name)
	if key == "" {
		return El("span", Class("faint"), Text(shortened(source, maxWord)))
	}
	return El("a", Class("source"), Attr("href", p.server.sourcePath(key, line, p.asked.name)), Text(shortened(source, maxWord)))
}

// fileKey is the key of the file of a hook; "": there is no text of it.
func (p *hooksPage) fileKey(scope hooks.Scope, name string) string {
	if f, ok := p.files[fileName{scope, name}]; ok {
		return keyOfFile(f)
	}
	if top, ok := strings.CutPrefix(name, "builtin:"); ok {
		if _, ok := builtins.Find(top); ok {
			return fileKey(name)
		}
	}
	return ""
}

func isBuiltin(name string) bool { return strings.HasPrefix(name, "builtin:") }

// fileKey stands for a file in an address: for its path, or for its name where it has none.
func fileKey(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}

func keyOfFile(f engine.SourceFile) string { return fileKey(cmp.Or(f.Path, f.Name)) }

// command is what to type in a terminal. The page's script puts a button to copy it beside it.
func command(text string) Node {
	return El("code", Class("command"), Attr("data-copy", ""), Text(text))
}
