package uitest

import "testing"

// tooWide says what of a page is wider than the window; "": nothing.
const tooWide = `(() => {
	const page = document.scrollingElement;
	if (page.scrollWidth <= innerWidth) return "";
	const out = [...document.querySelectorAll("body *")].filter(e => {
		const r = e.getBoundingClientRect();
		if (r.width === 0 || r.right <= innerWidth + 1) return false;
		const free = getComputedStyle(e).position === "absolute"; // what isn't positioned doesn't clip it
		for (let up = free ? e.offsetParent : e.parentElement; up; up = up.parentElement) if (getComputedStyle(up).overflowX !== "visible" && up !== page) return false;
		return true;
	}).slice(0, 3).map(e => e.outerHTML.slice(0, 120));
	return "the page is " + page.scrollWidth + " wide: " + out.join(" and ");
})()`

// TestNarrow has no view wider than the window of a telephone.
func TestNarrow(t *testing.T) {
	s := serve(t, "log")
	for _, v := range views {
		t.Run(v.name, func(t *testing.T) {
			p := v.at(open(t, s).size(390, 800))
			p.whole()
			for _, width := range []int64{390, 320} {
				if problem := ask[string](p.size(width, 800), tooWide); problem != "" {
					t.Errorf("%d wide: %s", width, problem)
				}
			}
		})
	}
}
