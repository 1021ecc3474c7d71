package uitest

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// axeVariable names the file of axe-core, which finds what keeps people from using a page.
const axeVariable = "LUAHOOK_AXE"

// axe is the script, which tests without it do without.
func axe(t *testing.T) string {
	name := os.Getenv(axeVariable)
	if name == "" {
		t.Skip(axeVariable + " names no axe.min.js, as npm install axe-core has it")
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// barrier is something that axe-core has found.
type barrier struct {
	ID, Impact, Help string
	Nodes            []string
}

// barriers are what keeps people from using the page as it is now, by the rules of WCAG 2.2 A and AA.
func (p *tab) barriers(axe string) []barrier {
	p.t.Helper()
	p.run("axe-core", chromedp.Evaluate[chromedp.Void](axe)) // by the protocol, which no CSP is about
	return ask[[]barrier](p, `axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"], resultTypes: ["violations"]})
		.then(r => r.violations.map(v => ({ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.slice(0, 4).map(n => n.html.slice(0, 160) + " " + n.failureSummary.replace(/\s+/g, " ").slice(0, 240))})))`)
}

// TestAccessible has nothing in any view that keeps people from using it.
func TestAccessible(t *testing.T) {
	script := axe(t)
	s := serve(t, "log")
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			p := v.at(open(t, s))
			p.whole()
			for _, scheme := range []string{"light", "dark"} {
				for _, width := range []int64{1280, 390} {
					p.size(width, 800).colours(scheme)
					for _, b := range p.barriers(script) {
						text := fmt.Sprintf("%s, %d wide: %s (%s): %s\n  %s", scheme, width, b.ID, b.Impact, b.Help, strings.Join(b.Nodes, "\n  "))
						if b.Impact == "serious" || b.Impact == "critical" {
							t.Error(text)
						} else {
							t.Log(text)
						}
					}
				}
			}
		})
	}
}
