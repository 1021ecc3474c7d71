package ui

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Bounds of an answer.
const (
	maxPrinted = 32 << 10 // bytes of what scripts print
	maxText    = 4000     // bytes of one text that a hook answers with
	maxEntries = 50       // of one run
	maxFaults  = 20
	maxJSON    = 32 << 10 // bytes of a rewritten input
)

// fired is what came of an event that was fired at hooks with a draft's text.
type fired struct {
	problem string            // why there is no answer
	event   *hooks.Context    // complete
	x       *show.Explanation // nil where there is a problem
	faults  []fault
	refused []string // what hooks wanted and didn't get, as nothing is done
	printed printed
}

// fault is an error of a hook, or of a file that can't be used.
type fault struct {
	source, message, snippet string
}

// printed keeps what is written to it, up to a bound.
type printed struct {
	mu   sync.Mutex
	text bytes.Buffer
	left int // lines that are too many
}

// Write takes a line.
func (p *printed) Write(line []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.left > 0 || p.text.Len()+len(line) > maxPrinted {
		if p.left++; p.left == 1 { // of a long line, its beginning
			p.text.WriteString(strings.ToValidUTF8(string(line[:min(len(line), maxPrinted-p.text.Len())]), "") + "\n")
		}
		return len(line), nil
	}
	return p.text.Write(line)
}

// fire fires the event of a draft. The error is ctx's where the request has ended, or one of ours.
func (s *Server) fire(ctx context.Context, d *draft) (*fired, error) {
	f := &fired{}
	if strings.TrimSpace(d.event) == "" {
		f.problem = "There is no event. Fire a call or a sample, or write one as JSON."
		return f, nil
	}
	c, err := hooks.DecodeContext([]byte(d.event), "")
	if err == nil {
		c.CWD = cmp.Or(c.CWD, s.Hooks.Root)
		f.event, err = c.Complete()
	}
	if err != nil {
		f.problem = "The event can't be fired: " + shortened(strings.TrimPrefix(err.Error(), "luahook: "), maxText)
		return f, nil
	}
	f.x = show.NewExplanation()
	e, judge, err := s.Hooks.Rehearse(Rehearsal{Observer: f.x, Edited: d.edited(), Printed: &f.printed})
	if err != nil {
		return nil, err
	}
	defer closeSoon(ctx, e)
	judge.Refusals.Take()               // of loading
	within, _ := engine.Delivering(ctx) // and nothing is noted, as nobody gets the answer
	result, err := e.Fire(within, f.event)
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		f.problem, f.x = fmt.Sprintf("It was stopped: the hooks of the event took more than %s together.", fireTime), nil
		return f, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		f.problem, f.x = "The event can't be judged: "+shortened(strings.TrimPrefix(err.Error(), "luahook: "), maxText), nil
		return f, nil
	}
	f.x.Fill(e, f.event, result)
	f.faults = faultsOf(e, f.x)
	f.refused = judge.Refusals.Take()
	return f, nil
}

// closeSoon closes an engine of the page's own. What of it doesn't end is left behind.
func closeSoon(ctx context.Context, e *engine.Engine) {
	within, cancel := context.WithTimeout(context.WithoutCancel(ctx), 2*time.Second)
	defer cancel()
	_ = e.Close(within) // nothing was to be done but what the answer says
}

// faultsOf are the errors of files and of runs, each once.
func faultsOf(e *engine.Engine, x *show.Explanation) (faults []fault) {
	seen := map[string]bool{}
	add := func(source, message, snippet string) {
		message = strings.TrimPrefix(message, source+": ")
		if key := source + " " + message; !seen[key] && len(faults) < maxFaults {
			seen[key] = true
			faults = append(faults, fault{source, shortened(message, maxText), shortened(snippet, maxText)})
		}
	}
	for _, err := range e.LoadErrors() {
		if bad := new(hooks.Error); errors.As(err, &bad) {
			add(bad.Source, bad.Message, bad.Snippet)
		} else {
			add("", err.Error(), "")
		}
	}
	for _, h := range x.Hooks {
		for _, run := range h.Runs {
			if bad := run.Error; bad != nil && bad.Kind != hooks.KindLoad && run.Status == hooks.StatusFailed {
				add(bad.Source, bad.Message, bad.Snippet)
			}
		}
	}
	return faults
}

// shortExplanation is an explanation of which no text is longer than a page takes.
func shortExplanation(x *show.Explanation) *show.Explanation {
	short := *x
	short.Hooks = make([]show.ExplainedHook, len(x.Hooks))
	for i, h := range x.Hooks {
		runs := h.Runs
		h.Runs = make([]hooks.Run, len(runs))
		for j, run := range runs {
			left := len(run.Entries) - maxEntries
			entries := make([]hooks.Entry, 0, min(len(run.Entries), maxEntries))
			for _, entry := range run.Entries[:min(len(run.Entries), maxEntries)] {
				entry.Text = shortened(entry.Text, maxText)
				entries = append(entries, entry)
			}
			if left > 0 {
				entries = append(entries, hooks.Entry{Kind: "left out", Text: fmt.Sprintf("%s more", grouped(left))})
			}
			run.Entries = entries
			if run.Error != nil {
				bad := *run.Error
				bad.Message = shortened(bad.Message, maxText)
				run.Error = &bad
			}
			h.Runs[j] = run
		}
		short.Hooks[i] = h
	}
	short.Errors = nil // which stand in a place of their own
	result := *x.Result
	result.Reason = shortened(result.Reason, maxText)
	if text := indented(result.Input); len(text) > maxJSON {
		result.Input = map[string]any{"…": fmt.Sprintf("it has %s bytes as JSON, too many to be shown", grouped(len(text)))}
	}
	short.Result = &result
	return &short
}

// answerNode shows what came of firing a draft's event.
func (s *Server) answerNode(d *draft, f *fired) Node {
	if f.problem != "" {
		return Group(El("h2", Text("Answer")), El("p", Class("problem"), Text(f.problem)), printedNode(&f.printed))
	}
	x := shortExplanation(f.x)
	r := f.x.Result
	with := "With the hooks as they are in force"
	if d.edited() != nil {
		with = "With " + d.file.name + " as it stands above, not saved"
	}
	reason := shortened(r.Reason, maxText)
	if len(f.faults) > 0 { // whose source lines stand below
		reason, _, _ = strings.Cut(reason, "\n")
	}
	rest := []struct{ name, text string }{{"the turn ends", r.StopReason}, {"message for the user", r.SystemMessage}}
	for _, c := range r.Contexts {
		rest = append(rest, struct{ name, text string }{"context from " + c.Hook, c.Text})
	}
	for _, w := range r.Warnings {
		if !strings.HasPrefix(w, "not loaded: ") {
			rest = append(rest, struct{ name, text string }{"warning", w})
		}
	}
	if r.Output != nil {
		rest = append(rest, struct{ name, text string }{"output", indented(r.Output)})
	}
	if len(r.Data) > 0 {
		rest = append(rest, struct{ name, text string }{"data", indented(r.Data)})
	}
	var also []Node
	for i, one := range rest {
		if i == maxEntries {
			also = append(also, El("li", Text(plural(len(rest)-i, "more")+" left out")))
			break
		}
		if one.text != "" {
			also = append(also, El("li", Class("entry"), El("span", Class("kind"), Text(one.name)), Text(" "+shortened(one.text, maxText))))
		}
	}
	return Group(
		El("h2", Text("Answer")),
		El("div", Class("answer "+markOf(string(r.Decision)).class), El("p", badge(string(r.Decision)), If(r.Halt, Text(" The turn ends.")), If(r.Modified, Group(Text(" "), badge("rewrote")))),
			If(reason != "", El("p", Text(reason))),
			El("p", Class("faint"), Text(with+". Nothing was done, and nothing recorded."))),
		faultsNode(d, f.faults),
		If(len(f.refused) > 0, El("p", Class("problem"), Text("A hook needed something that has effects, which isn't done here ("+f.refusedInWords()+"), so it may decide in another way."))),
		printedNode(&f.printed),
		rewrittenInput(x.Result),
		El("h3", Text("Hook by hook")),
		explainedHooks(x),
		If(len(also) > 0, El("ul", Group(also...))),
		commandSection(f.event),
	)
}

func (f *fired) refusedInWords() string {
	var list []string
	for _, what := range f.refused {
		if len(list) < maxFaults && !strings.Contains(strings.Join(list, ", "), what) {
			list = append(list, shortened(what, 200))
		}
	}
	return strings.Join(list, ", ")
}

// faultsNode lists errors. Those of the file that is edited lead to its line.
func faultsNode(d *draft, faults []fault) Node {
	if len(faults) == 0 {
		return Node{}
	}
	return Group(El("h3", Text("Errors")), El("ul", Class("faults"), Each(faults, func(f fault) Node {
		place := El("code", Text(f.source))
		if file, line := placeOf(f.source); line > 0 && d.file.path != "" && (file == d.file.name || d.file.fresh && strings.HasSuffix(file, freshName)) {
			place = El("a", Attr("href", "#text"), Attrf("data-line", "%d", line), Textf("line %d", line))
			if f.snippet == "" {
				if lines := strings.Split(d.text, "\n"); line <= len(lines) {
					f.snippet = fmt.Sprintf("%d | %s", line, shortened(lines[line-1], 300))
				}
			}
		}
		return El("li", El("p", Class("problem"), place, Text(" "+f.message)), If(f.snippet != "", El("pre", Text(f.snippet))))
	})))
}

// placeOf takes file:line, or file:line:column, apart; 0: there is no line.
func placeOf(source string) (file string, line int) {
	file, line = show.Place(source)
	if of, first := show.Place(file); first > 0 {
		return of, first
	}
	return file, line
}

// printedNode shows what scripts have printed.
func printedNode(p *printed) Node {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.text.Len() == 0 {
		return Node{}
	}
	return Group(El("h3", Text("Printed and logged")), El("pre", Class("printed"), Attr("tabindex", "0"), Text(p.text.String())),
		If(p.left > 0, El("p", Class("faint"), Text("and "+plural(p.left, "line")+" more, left out or cut"))))
}
