package uitest

import (
	"strings"
	"testing"
)

// TestWithoutScripts has all of each view in a browser that runs no scripts.
func TestWithoutScripts(t *testing.T) {
	s := serve(t, "log")
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			p := v.at(open(t, s).withoutScripts())
			all := p.whole()
			for _, text := range v.shows {
				if !strings.Contains(all, text) {
					t.Errorf("%q isn't on the page:\n%.2000s", text, all)
				}
			}
		})
	}
	t.Run("filter", func(t *testing.T) {
		p := open(t, s).withoutScripts().visit("now")
		p.the("combobox", "Decision").choose("deny")
		p.the("searchbox", "Text").write("vouchers")
		p.follow("the button", p.the("button", "Filter").click)
		list := ask[string](p, `document.querySelector("main ol").innerText`)
		if !strings.Contains(list, "DELETE FROM vouchers") || strings.Contains(list, "git push") {
			t.Errorf("want what was denied about vouchers:\n%.1500s", list)
		}
	})
	t.Run("older", func(t *testing.T) {
		p := open(t, s).withoutScripts().visit("now")
		for n := 0; ; n++ {
			if len(p.all("link", "Older records")) == 0 {
				break
			}
			if n > 10 {
				t.Fatal("there is no end to older records")
			}
			p.follow("older records", p.the("link", "Older records").click)
		}
		p.shows("session_start")
		p.shows("Monday, 4 May 2026")
	})
}
