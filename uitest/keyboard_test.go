package uitest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// focused describes the element that has the focus, and how it shows.
type focused struct {
	Name    string // what it is, and its text
	Marked  bool   // it looks different from one without the focus
	Visible bool   // it is on the screen, and nothing covers it
	Key     string // tells it from others
}

// looks is what of an element's style, or of the drawing in it, can say that it has the focus.
const looks = `(e => [e, ...[...e.querySelectorAll("*")].slice(0, 10)].map(e => {
	const s = getComputedStyle(e);
	return [s.outlineStyle, s.outlineWidth, s.outlineColor, s.boxShadow, s.borderColor, s.backgroundColor, s.textDecorationLine, s.textDecorationThickness, s.stroke, s.strokeWidth, s.fill, s.filter].join("|");
}).join("/"))`

func (p *tab) focused() focused {
	p.t.Helper()
	return ask[focused](p, `(() => {
		const e = document.activeElement, looks = `+looks+`;
		if (!e || e === document.body) return {Name: "", Key: ""};
		const r = [...e.getClientRects()].find(r => r.width > 0 && r.height > 0) || e.getBoundingClientRect();
		const x = r.x + Math.min(r.width / 2, 8), y = r.y + r.height / 2;
		const on = document.elementFromPoint(x, y);
		const marked = looks(e);
		const all = [...document.querySelectorAll("*")];
		e.blur();
		const plain = looks(e);
		e.focus({preventScroll: true, focusVisible: true});
		return {
			Name: e.tagName.toLowerCase() + " " + (e.innerText || e.getAttribute("aria-label") || e.name || "").trim().slice(0, 40),
			Marked: marked !== plain,
			Visible: r.width > 0 && x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && !!on && (on === e || e.contains(on) || on.contains(e)),
			Key: String(all.indexOf(e)),
		};
	})()`)
}

// focusable counts what a reader may have to reach.
const focusable = `[...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")].filter(e => !e.disabled && e.tabIndex >= 0 && e.checkVisibility({visibilityProperty: true}) && e.type !== "hidden" && !(e.type === "radio" && !e.checked && e.form && e.form.querySelector("[name='" + e.name + "']:checked"))).map(e => String([...document.querySelectorAll("*")].indexOf(e)))`

// TestKeyboard reaches everything in each view with the tabulator alone, in the order of the page, and sees where it is.
func TestKeyboard(t *testing.T) {
	s := serve(t, "log")
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			p := v.at(open(t, s))
			if v.name == "now" { // whose list is long
				p.visit("now?decision=ask")
			}
			p.eventually("that the page is whole", `document.readyState === "complete"`)
			must := ask[[]string](p, focusable)
			var order []string
			for range len(must) + 20 {
				p.press(kb.Tab)
				f := p.focused()
				if f.Key == "" || slices.Contains(order, f.Key) {
					break
				}
				order = append(order, f.Key)
				if !f.Marked {
					t.Errorf("nothing shows that %s has the focus", f.Name)
				}
				if !f.Visible {
					t.Errorf("%s has the focus and isn't to be seen", f.Name)
				}
			}
			for _, key := range must {
				if !slices.Contains(order, key) {
					t.Errorf("the keyboard doesn't reach %s", ask[string](p, `document.querySelectorAll("*")[`+key+`].outerHTML.slice(0, 200)`))
				}
			}
			if t.Failed() {
				t.Logf("%d of %d are reached", len(order), len(must))
			}
		})
	}
}

// TestSkip goes past the navigation.
func TestSkip(t *testing.T) {
	p := open(t, serve(t, "log")).visit("now")
	p.press(kb.Tab)
	if f := p.focused(); !strings.Contains(f.Name, "Skip to content") || !f.Visible {
		t.Errorf("the first stop is %+v, want a link past the navigation, which is to be seen", f)
	}
	p.press(kb.Enter, kb.Tab)
	if in := ask[bool](p, `document.querySelector("main").contains(document.activeElement)`); !in {
		t.Errorf("after the link, the focus is at %s, want one in main", p.focused().Name)
	}
}

// TestKeys goes through the list by the keys of the page.
func TestKeys(t *testing.T) {
	p := open(t, serve(t, "log")).visit("now?decision=deny")
	at := func() int {
		return ask[int](p, `[...document.querySelectorAll("main ol a")].filter(a => new URL(a.href).pathname.includes("/record")).indexOf(document.activeElement)`)
	}
	p.press("j") // which is a key of the list alone
	if at() >= 0 {
		t.Error("j moves the focus from elsewhere into the list")
	}
	ask[any](p, `document.querySelector("main ol a").focus()`)
	for i, key := range []string{"", "j", kb.ArrowDown, kb.ArrowUp, "k"} {
		if key != "" {
			p.press(key)
		}
		if want := []int{0, 1, 2, 1, 0}[i]; at() != want {
			t.Errorf("key %d: the focus is at record %d, want %d", i+1, at(), want)
		}
	}
	ask[any](p, `document.querySelector("main ol a").focus()`)
	want := ask[string](p, `document.activeElement.href`)
	p.follow("Enter", func() { p.press(kb.Enter) })
	if got := ask[string](p, "location.href"); got != want {
		t.Errorf("Enter leads to %s, want %s", got, want)
	}
	p.shows("DELETE FROM vouchers")
}

// TestFilterByKeyboard filters without a mouse.
func TestFilterByKeyboard(t *testing.T) {
	p := open(t, serve(t, "log")).visit("now")
	for range 20 {
		if ask[string](p, `document.activeElement.name || ""`) == "text" {
			break
		}
		p.press(kb.Tab)
	}
	p.press("t", "e", "r", "r", "a")
	p.follow("Enter", func() { p.press(kb.Enter) })
	p.shows("terraform")
	if rows := ask[int](p, `document.querySelectorAll("main ol li a code").length`); rows > 10 {
		t.Errorf("%s records pass the filter, want a few", fmt.Sprint(rows))
	}
}
