package uitest

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestSessionPanel shows records beside a session by the keyboard, and comes back to where it was.
func TestSessionPanel(t *testing.T) {
	s := serve(t, "log")
	p := open(t, s).visit("session?id=" + reviewed)
	p.eventually("the first mark can be reached", `document.querySelector("svg.wide a.mark[tabindex='0']") !== null`)
	ask[bool](p, `document.querySelector("svg.wide a.mark[tabindex='0']").focus(), true`)
	at := func() string {
		return ask[string](p, `document.activeElement.querySelector?.("title")?.textContent ?? ""`)
	}
	if first := at(); first == "" {
		t.Fatal("no mark has the focus")
	}
	p.press(kb.ArrowRight, kb.ArrowRight, kb.ArrowDown)
	there := at()
	p.shows(there) // as a text, too
	if n := ask[int](p, `document.querySelectorAll("svg.wide a.mark[tabindex='0']").length`); n != 1 {
		t.Errorf("%d marks are stops of the tabulator, want one", n)
	}
	p.press(kb.Enter)
	p.eventually("the record is shown", `document.activeElement.matches(".panel")`)
	p.shows("The record as it stands in the log")
	if href := ask[string](p, "location.search"); href != "?id="+reviewed {
		t.Errorf("the page is another one: %s", href)
	}
	p.press(kb.Escape)
	p.eventually("it is closed", `document.querySelector(".panel") === null`)
	if back := at(); back != there {
		t.Errorf("the focus is at %q, want %q", back, there)
	}
	p.press(kb.End)
	p.press(kb.Home)
	ask[bool](p, `document.querySelectorAll(".row .what")[5].click(), true`)
	p.eventually("a record of the list is shown", `document.querySelector(".panel h2 a") !== null`)
	ask[bool](p, `document.querySelector(".panel .close").click(), true`)
	p.eventually("it is closed", `document.querySelector(".panel") === null && document.activeElement.matches(".row .what")`)
}
