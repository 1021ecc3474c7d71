package ui

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/luahook/luahook/builtins"
	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine"
)

// Bounds of a page of source.
const (
	pageLines   = 2000
	maxLine     = 1000 // bytes of a line that are shown
	maxColoured = 20_000
	maxMarked   = 20 // hooks that are marked at one line
)

// sourceText is a file with its text.
type sourceText struct {
	engine.SourceFile
	key  string
	with []sourceText // of a built-in: the files that it can require
}

// source shows a file that hooks come from as it was read, with the hooks and how they fared at their lines. The
// address names it by its key, which stands for one of the files in force, or of the built-ins.
func (s *Server) source(w http.ResponseWriter, r *http.Request) error {
	values := r.URL.Query()
	p, err := s.hooksPage(r)
	if err != nil {
		return err
	}
	from, err := strconv.Atoi(values.Get("from"))
	if values.Get("from") == "" {
		from = 1
	} else if err != nil || from < 1 {
		return refuse(http.StatusBadRequest, "from is the number of the first line, from 1.")
	}
	f, ok := s.findText(values.Get("hook"))
	if !ok {
		return refuse(http.StatusNotFound, "No hook in force comes from this file, or not any more.")
	}
	marks := map[int][]show.ListedHook{}
	for _, h := range slices.Concat(p.list.Hooks, p.list.Left) {
		if name, line := show.Place(h.Source); p.fileKey(h.Scope, name) == f.key {
			marks[line] = append(marks[line], h)
		}
	}
	var facts []string
	for _, fact := range []string{string(f.Scope), f.Path} {
		if fact != "" && fact != f.Name {
			facts = append(facts, shortened(fact, maxError))
		}
	}
	facts = append(facts, plural(lineCount(f.Text), "line"), "as it is in force")
	return s.write(w, page{in: "hooks", title: shortened(f.Name, maxWord), body: Group(
		El("p", El("a", Attr("href", s.path("hooks", "range", p.asked.name)), Text("← all hooks"))),
		El("div", Class("head"), El("h1", Text(shortened(f.Name, maxWord))), El("p", Class("state"), Text(strings.Join(facts, ", "))), s.editLink(f)),
		p.rangeLinks("hooks/source", "hook", f.key, "from", values.Get("from")),
		p.withSection(f),
		p.lines(f, from, marks),
	)})
}

// sourcePath leads to a line of a file; 0 is its beginning.
func (s *Server) sourcePath(key string, line int, span string) string {
	from := ""
	if line > pageLines {
		from = fmt.Sprint((line-1)/pageLines*pageLines + 1)
	}
	path := s.path("hooks/source", "hook", key, "from", from, "range", span)
	if line > 0 {
		path += fmt.Sprintf("#L%d", line)
	}
	return path
}

// findText finds the file of a key among those in force and the built-ins.
func (s *Server) findText(key string) (f sourceText, ok bool) {
	for _, f := range s.Hooks.Engine.Files() {
		if keyOfFile(f) == key {
			return sourceText{SourceFile: f, key: key}, true
		}
	}
	return builtinText(key)
}

// builtinText finds the file of a key among the built-ins.
func builtinText(key string) (f sourceText, ok bool) {
	for _, name := range builtins.Names() {
		top := "builtin:" + name
		libraries := builtins.Files(name)
		if fileKey(top) == key {
			text, _ := builtins.Source(name)
			f := sourceText{SourceFile: engine.SourceFile{Name: top, Text: text}, key: key}
			for library := range libraries {
				name := top + "/" + library
				f.with = append(f.with, sourceText{SourceFile: engine.SourceFile{Name: name, Library: library}, key: fileKey(name)})
			}
			slices.SortFunc(f.with, func(a, b sourceText) int { return strings.Compare(a.Library, b.Library) })
			return f, true
		}
		for library, file := range libraries {
			if name := top + "/" + library; fileKey(name) == key {
				return sourceText{SourceFile: engine.SourceFile{Name: name, Library: library, Text: file.Source()}, key: key}, true
			}
		}
	}
	return sourceText{}, false
}

// withSection are the files that a built-in can require.
func (p *hooksPage) withSection(f sourceText) Node {
	if len(f.with) == 0 {
		return Node{}
	}
	return El("details", Class("modules"), El("summary", Text(plural(len(f.with), "module")+" that it can require")),
		El("ul", Class("modules"), Each(f.with, func(m sourceText) Node {
			return El("li", El("a", Attr("href", p.server.sourcePath(m.key, 0, p.asked.name)), Text(m.Library)))
		})))
}

func lineCount(text string) int {
	n := strings.Count(text, "\n")
	if text != "" && !strings.HasSuffix(text, "\n") {
		n++
	}
	return n
}

// lines shows a page of lines, each an anchor.
func (p *hooksPage) lines(f sourceText, from int, marks map[int][]show.ListedHook) Node {
	all := lineCount(f.Text)
	if from > all && all > 0 {
		return El("p", Textf("The file has %s.", plural(all, "line")))
	}
	to := min(all, from-1+pageLines)
	coloured := sourceLines(f, from, to)
	rows := make([]Node, 0, len(coloured))
	for i, line := range coloured {
		number := from + i
		class := "line"
		if len(marks[number]) > 0 {
			class += " marked"
		}
		rows = append(rows, El("span", Class(class), Attrf("id", "L%d", number), El("span", Class("n"), Textf("%d", number)), El("span", Class("text"), line, Text("\n")), p.marksAt(marks[number])))
	}
	link := func(text string, line int) Node {
		return El("a", Attr("href", p.server.path("hooks/source", "hook", f.key, "from", fmt.Sprint(line), "range", p.asked.name)), Text(text))
	}
	var around []Node
	if from > 1 {
		around = append(around, link(fmt.Sprintf("Lines before %d", from), max(1, from-pageLines)), Text(" "))
	}
	if to < all {
		around = append(around, link(fmt.Sprintf("Lines from %d", to+1), to+1))
	}
	return Group(El("pre", Class("source"), El("code", Group(rows...))), If(len(around) > 0, El("p", Class("more"), Group(around...))))
}

// marksAt are the hooks that are registered in a line, and how they fared.
func (p *hooksPage) marksAt(list []show.ListedHook) Node {
	if len(list) == 0 {
		return Node{}
	}
	shown := list[:min(len(list), maxMarked)]
	return El("span", Class("marks"), Each(shown, func(h show.ListedHook) Node {
		k := keyOf(&h)
		about := []Node{El("strong", Text(shortened(h.Name, maxWord))), Text(" on " + shortened(string(h.Event), maxWord))}
		if h.Left != "" {
			about = append(about, Text(" · left out: "+shortened(h.Left, maxWord)))
		}
		switch t := p.counted.hooks[k]; {
		case t != nil:
			text := ""
			for _, part := range []struct {
				n    int
				what string
			}{{t.denied, "denied"}, {t.asked, "asked"}, {t.allowed, "allowed"}, {t.rewrote, "rewrote"}, {t.failed, "failed"}} {
				if part.n > 0 {
					text += fmt.Sprintf(", %s %s", grouped(part.n), part.what)
				}
			}
			about = append(about, Text(" · "), El("a", Attr("href", p.records(k, "")), Text(plural(t.runs, "run"))), Text(fmt.Sprintf("%s, p50 %s, p99 %s", text, someTime(t.p50), someTime(t.p99))))
		case h.Left == "":
			about = append(about, Text(" · "+p.never(k)))
		}
		if p.inForce[k] > 1 {
			about = append(about, Text(" · together with others of its name in this file"))
		}
		return El("span", Class("mark"), Group(about...))
	}), If(len(list) > len(shown), El("span", Class("mark"), Textf("and %s", plural(len(list)-len(shown), "further hook")))))
}

// sourceLines are the lines of a file from one to another, in colours where it is Lua.
func sourceLines(f sourceText, from, to int) []Node {
	lines := make([][]Node, max(0, to-from+1))
	number, width, spans := 1, 0, 0
	put := func(class, text string) {
		if number < from || number > to || text == "" {
			return
		}
		room := maxLine - width
		width += len(text)
		var cut Node
		if len(text) > room {
			if room < 0 {
				return
			}
			for room > 0 && text[room]&0xc0 == 0x80 { // within a character
				room--
			}
			cut, text = El("span", Class("cut"), Text("… the line is longer")), text[:room]
		}
		node := Text(text)
		if spans < maxColoured && class != "" {
			spans++
			node = El("span", Class(class), node)
		}
		lines[number-from] = append(lines[number-from], node, cut)
	}
	emit := func(class, text string) {
		for {
			line, rest, more := strings.Cut(text, "\n")
			put(class, line)
			if !more {
				return
			}
			text, width = rest, 0
			number++
		}
	}
	lex := lexLua
	if f.Path != "" && !strings.HasSuffix(f.Path, ".lua") {
		lex = lexYAML
	}
	lex(strings.ReplaceAll(f.Text, "\r\n", "\n"), emit)
	nodes := make([]Node, len(lines))
	for i, line := range lines {
		nodes[i] = Group(line...)
	}
	return nodes
}
