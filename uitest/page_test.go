package uitest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// browser is the one that all tests share; each test has a tab with storage of its own.
var browser struct {
	once    sync.Once
	context context.Context
	skip    string
	err     error
	end     context.CancelFunc
}

// programs are the names of Chromium.
var programs = []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}

func openBrowser() {
	var program string
	for _, name := range programs {
		if path, err := exec.LookPath(name); err == nil {
			program = path
			break
		}
	}
	if program == "" {
		browser.skip = "there is no Chromium in the PATH"
		return
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.WindowSize(1280, 800),
		chromedp.Flag("headless", "new"), chromedp.Flag("force-device-scale-factor", "1"), chromedp.Flag("font-render-hinting", "none"),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("no-pings", true), chromedp.Flag("lang", "en-GB"),
		chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"), // nothing but this machine
	)
	if os.Getuid() == 0 {
		options = append(options, chromedp.NoSandbox) // root has none
	}
	ctx, end := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(ctx)
	browser.context, browser.end = ctx, func() { cancel(); end() }
	browser.err = chromedp.Do(ctx)
}

func closeBrowser() {
	if browser.end != nil {
		browser.end()
	}
}

// tab is a tab of the browser with a page of a site. What goes wrong in it fails the test.
type tab struct {
	t   *testing.T
	s   *site
	ctx context.Context

	mu       sync.Mutex
	problems []string
}

// open opens a tab, 1280 by 800. It is closed with the test, which fails if something has gone wrong in it.
func open(t *testing.T, s *site) *tab {
	browser.once.Do(openBrowser)
	if browser.skip != "" {
		t.Skip(browser.skip)
	}
	if browser.err != nil {
		t.Fatalf("Chromium doesn't start: %v", browser.err)
	}
	p := &tab{t: t, s: s}
	ctx, cancel := chromedp.NewContext(browser.context, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.notice))
	t.Cleanup(cancel)
	p.ctx = ctx
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("no tab: %v", err)
	}
	p.run("a tab", step(page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `addEventListener("securitypolicyviolation", e => console.error("CSP: " + e.violatedDirective + " " + e.blockedURI + " " + e.sample))`,
	}))
	p.size(1280, 800)
	t.Cleanup(p.judge)
	return p
}

// judge fails the test for what has gone wrong so far.
func (p *tab) judge() {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, problem := range p.problems {
		p.t.Error(problem)
	}
	p.problems = nil
}

// notice is told of each event of the tab.
func (p *tab) notice(event any) {
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			text += " " + e.ExceptionDetails.Exception.Description
		}
		p.wrong("a script failed: %s", text)
	case *runtime.EventConsoleAPICalled:
		if e.Type == "error" || e.Type == "warning" || e.Type == "assert" {
			var texts []string
			for _, a := range e.Args {
				texts = append(texts, string(a.Value)+a.Description)
			}
			p.wrong("console.%s: %s", e.Type, strings.Join(texts, " "))
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == "error" {
			p.wrong("the browser reports: %s %s", e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, p.s.link) {
			p.wrong("a request to %.200s", url)
		}
	case *page.EventJavascriptDialogOpening:
		p.wrong("a dialog opens: %s", e.Message)
		go chromedp.Do(p.ctx, step(page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{}))
	}
}

func (p *tab) wrong(format string, values ...any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.problems) < 20 {
		p.problems = append(p.problems, fmt.Sprintf(format, values...))
	}
}

// step is a command of the browser's protocol whose result doesn't matter.
func step[P, R any](command cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, command, params)
		return err
	})
}

// within runs an action of the tab within the time that there is.
func within[T any](p *tab, action chromedp.Action[T]) (T, error) {
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	return chromedp.Run(ctx, action)
}

// run runs actions, and ends the test if one fails.
func (p *tab) run(what string, actions ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	if _, err := within(p, chromedp.Steps(actions...)); err != nil {
		p.t.Fatalf("%s: %v", what, err)
	}
}

// ask is the value of an expression in the page.
func ask[T any](p *tab, expression string) T {
	p.t.Helper()
	v, err := within(p, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		p.t.Fatalf("%.300s: %v", expression, err)
	}
	return v
}

// visit opens a page of the site by its path below the token.
func (p *tab) visit(path string) *tab {
	p.t.Helper()
	p.run("opening "+path, chromedp.Navigate(p.s.link+path))
	return p
}

func (p *tab) size(width, height int64) *tab {
	p.run("the window's size", step(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: width, Height: height, DeviceScaleFactor: 1}))
	return p
}

// colours are "light" or "dark".
func (p *tab) colours(scheme string) *tab {
	p.run("the colour scheme", step(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
		{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}}))
	return p
}

func (p *tab) withoutScripts() *tab {
	p.run("switching scripts off", step(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	return p
}

// text is what a reader sees of the page's content.
func (p *tab) text() string {
	p.t.Helper()
	return ask[string](p, `(document.querySelector("main") || document.body).innerText`)
}

// eventually waits until an expression in the page is true.
func (p *tab) eventually(what, expression string) {
	p.t.Helper()
	if err := p.comesTrue(expression, patience); err != nil {
		p.t.Fatalf("%s: not within %v (%v); the page says:\n%.3000s", what, patience, err, p.text())
	}
}

func (p *tab) comesTrue(expression string, within time.Duration) error {
	ctx, cancel := context.WithTimeout(p.ctx, within)
	defer cancel()
	var last error
	for {
		is, err := p.holds(ctx, expression)
		if is {
			return nil
		}
		if err != nil && ctx.Err() == nil { // the page isn't whole yet, or goes away
			last = err
		}
		select {
		case <-ctx.Done():
			return errors.Join(ctx.Err(), last)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// holds reports whether an expression is true now. A page that goes away in this moment may never answer.
func (p *tab) holds(ctx context.Context, expression string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	return chromedp.Run(ctx, chromedp.Evaluate[bool]("!!(document.documentElement && ("+expression+"))"))
}

// quoted is a text as JavaScript has it.
func quoted(text string) string {
	q, err := json.Marshal(text)
	if err != nil {
		panic(err) // any text is JSON
	}
	return string(q)
}

// shows waits until the page has a text.
func (p *tab) shows(text string) {
	p.t.Helper()
	p.eventually(fmt.Sprintf("%q on the page", text), `(document.querySelector("main") || document.body).innerText.includes(`+quoted(text)+`)`)
}

// element is one that people and their tools find by its role and its name.
type element struct {
	p  *tab
	id cdp.BackendNodeID
}

// all are the elements of a role, in the order of the page; with a name, those that are called so.
func (p *tab) all(role, name string) []element {
	p.t.Helper()
	list, err := within(p, func(ctx context.Context, t *chromedp.Target) ([]element, error) {
		root, err := chromedp.Evaluate[*runtime.RemoteObject]("document")(ctx, t)
		if err != nil {
			return nil, err
		}
		found, err := cdp.Call(ctx, t, accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: root.ObjectID, Role: role, AccessibleName: name})
		if err != nil {
			return nil, err
		}
		var list []element
		for _, n := range found.Nodes {
			if !n.Ignored && n.BackendDOMNodeID != 0 {
				list = append(list, element{p, n.BackendDOMNodeID})
			}
		}
		return list, nil
	})
	if err != nil {
		p.t.Fatalf("looking for each %s %q: %v", role, name, err)
	}
	return list
}

// the is the first element of a role and a name.
func (p *tab) the(role, name string) element {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	for {
		if list := p.all(role, name); len(list) > 0 {
			return list[0]
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("the page has no %s %q; it says:\n%.3000s", role, name, p.text())
		}
	}
}

// apply calls a function of the page with an element as this.
func apply[T any](e element, function string) T {
	e.p.t.Helper()
	v, err := within(e.p, func(ctx context.Context, t *chromedp.Target) (v T, err error) {
		object, err := cdp.Call(ctx, t, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.id})
		if err != nil {
			return v, err
		}
		yes := true
		r, err := cdp.Call(ctx, t, runtime.CallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: function, ObjectID: object.Object.ObjectID, ReturnByValue: &yes})
		if err != nil {
			return v, err
		}
		if r.ExceptionDetails != nil {
			return v, fmt.Errorf("%s", r.ExceptionDetails.Text)
		}
		if len(r.Result.Value) == 0 {
			return v, nil
		}
		return v, json.Unmarshal(r.Result.Value, &v)
	})
	if err != nil {
		e.p.t.Fatalf("%.200s: %v", function, err)
	}
	return v
}

// click clicks on the middle of the element.
func (e element) click() {
	e.p.t.Helper()
	e.p.run("a click", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if _, err := cdp.Call(ctx, t, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: e.id}); err != nil {
			return err
		}
		quads, err := cdp.Call(ctx, t, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: e.id})
		if err != nil {
			return err
		}
		if len(quads.Quads) == 0 {
			return errors.New("it can't be seen")
		}
		q := quads.Quads[0]
		_, err = chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2)(ctx, t)
		return err
	}))
}

// follow does what leads to another page, and waits until that is there.
func (p *tab) follow(what string, does func()) {
	p.t.Helper()
	ask[string](p, `document.documentElement.dataset.left = "soon"`)
	does()
	p.eventually(what+" leads to another page", `!document.documentElement.dataset.left && document.readyState === "complete"`)
}

// write puts a text into a field, in the place of what is there.
func (e element) write(text string) {
	e.p.t.Helper()
	apply[bool](e, `function() { this.focus(); if (this.select) this.select(); return true }`)
	e.p.run("typing", step(input.InsertText, input.InsertTextParams{Text: text}))
}

// choose picks an entry of a list by its text.
func (e element) choose(text string) {
	e.p.t.Helper()
	ok := apply[bool](e, `function() {
		const o = [...this.options].find(o => o.text.trim() === `+quoted(text)+`);
		if (!o) return false;
		o.selected = true;
		this.dispatchEvent(new Event("input", {bubbles: true}));
		this.dispatchEvent(new Event("change", {bubbles: true}));
		return true;
	}`)
	if !ok {
		e.p.t.Fatalf("the list has no entry %q; it has %q", text, apply[[]string](e, `function() { return [...this.options].map(o => o.text) }`))
	}
}

// press presses keys, one after another, as a keyboard does: what a key types comes of its going down.
func (p *tab) press(keys ...string) {
	p.t.Helper()
	for _, key := range keys {
		events := kb.Encode([]rune(key)[0])
		down, up := events[0], events[len(events)-1]
		for _, e := range events {
			if e.Type == kb.KeyChar {
				down.Type, down.Text, down.UnmodifiedText = kb.KeyDown, e.Text, e.UnmodifiedText
			}
		}
		p.run("a key", step(input.DispatchKeyEvent, *down), step(input.DispatchKeyEvent, *up))
	}
}
