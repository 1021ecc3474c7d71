package chart

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestScale(t *testing.T) {
	for _, test := range []struct {
		top   float64
		whole bool
		want  []float64
	}{
		{0, true, []float64{0, 1}}, {1, true, []float64{0, 1}}, {3, true, []float64{0, 1, 2, 3}}, {4, true, []float64{0, 1, 2, 3, 4}},
		{7, true, []float64{0, 2, 4, 6, 8}}, {58, true, []float64{0, 20, 40, 60}}, {100, true, []float64{0, 50, 100}},
		{1_000_000, true, []float64{0, 500_000, 1_000_000}}, {.02, false, []float64{0, .005, .01, .015, .02}}, {1, false, []float64{0, .5, 1}},
		{-3, false, []float64{0, .5, 1}}, {math.NaN(), true, []float64{0, 1}}, {math.Inf(1), true, []float64{0, 1}},
	} {
		got := Scale(test.top, test.whole)
		if !slices.EqualFunc(got, test.want, func(a, b float64) bool { return math.Abs(a-b) < 1e-9 }) {
			t.Errorf("up to %v: %v, want %v", test.top, got, test.want)
		}
	}
	for top := 1e-9; top < 1e15; top *= 1.37 {
		if got := Scale(top, false); len(got) < 3 || len(got) > 6 || got[len(got)-1] < top*.999 {
			t.Errorf("up to %v: %v", top, got)
		}
	}
}

func TestShort(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 950: "950", 1000: "1k", 12_340: "12.3k", 1_500_000: "1.5M", 2e9: "2G", 3e12: "3T", .25: "0.25", -1500: "-1.5k"} {
		if got := Short(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0: "$0", .002: "$0.002", .5: "$0.5", 2500: "$2.5k"} {
		if got := Dollars(v); got != want {
			t.Errorf("%v is %q, want %q", v, got, want)
		}
	}
}

// heights are those of marks of a class.
func heights(drawing, class string) (list []float64) {
	for _, m := range regexp.MustCompile(`<rect class="mark `+class+`"[^>]* height="([\d.]+)"`).FindAllStringSubmatch(drawing, -1) {
		h, _ := strconv.ParseFloat(m[1], 64)
		list = append(list, h)
	}
	return list
}

func columns(values ...[]int) string {
	c := &Columns{Frame: Frame{ID: "c", Title: "T<b>", Description: `"D"`, Unit: Short, Ticks: []Tick{{At: 0, Label: "<i>"}, {At: .5, Label: "m", Minor: true}, {At: 1, Label: "z"}}},
		Series: []Series{{Class: "deny"}, {Class: "ask", Pattern: Slanted}}}
	for i, v := range values {
		c.Columns = append(c.Columns, Column{Label: fmt.Sprintf("<%d>", i), Link: fmt.Sprintf("/t/now?since=%d", i), Values: v})
	}
	return c.Node().String()
}

// Columns are as high as their values, those that nobody would see a little higher, and lead to what they count.
func TestColumns(t *testing.T) {
	drawing := columns([]int{100, 100}, []int{50, 0}, []int{0, 0}, []int{0, 1})
	whole := float64(plotHeight - topSpace)
	if got, want := heights(drawing, "deny"), []float64{whole / 2, whole / 4}; !slices.Equal(got, want) {
		t.Errorf("heights of the first series: %v, want %v", got, want)
	}
	if got := heights(drawing, "ask"); len(got) != 2 || got[1] != leastHeight {
		t.Errorf("heights of the second series: %v", got)
	}
	for text, want := range map[string]int{
		`<a href="/t/now?since=`: 3, `<title>&lt;1&gt;</title>`: 1, `T&lt;b&gt;`: 1, `&#34;D&#34;`: 1, `&lt;i&gt;`: 1, `role="group"`: 1, `aria-labelledby="c-title"`: 1, `id="c-title"`: 1, `id="c-desc"`: 1,
		`class="tick minor"`: 1, `url(#c-slanted)`: 2, `id="c-slanted"`: 1, `<i>`: 0, "NaN": 0,
	} {
		if got := strings.Count(drawing, text); got != want {
			t.Errorf("%s is there %d times, want %d", text, got, want)
		}
	}
	if drawing := columns(); strings.Contains(drawing, "NaN") || !strings.Contains(drawing, `role="img"`) {
		t.Errorf("no columns: %s", drawing)
	}
}

// A line stays inside of its frame, whatever the values are.
func TestLine(t *testing.T) {
	for _, values := range [][]float64{nil, {0}, {5}, {0, 1, 3, 3}, {math.NaN(), -4, math.Inf(1), 2}} {
		drawing := (&Line{Frame: Frame{ID: "l", Title: "T", Unit: Dollars}, Values: values}).Node().String()
		if strings.Contains(drawing, "NaN") || strings.Contains(drawing, "Inf") {
			t.Errorf("%v: %s", values, drawing)
		}
		for _, m := range regexp.MustCompile(`[ML][\d.]+ (-?[\d.]+)`).FindAllStringSubmatch(drawing, -1) {
			if y, _ := strconv.ParseFloat(m[1], 64); y < 0 || y > plotHeight {
				t.Errorf("%v: a point is at %s", values, m[1])
			}
		}
	}
	if drawing := (&Line{Frame: Frame{ID: "l", Unit: Short}, Values: []float64{0, 1, 2}}).Node().String(); !strings.Contains(drawing, `d="M0.0 150.0L500.0 79.0L1000.0 8.0"`) {
		t.Errorf("0, 1, 2: %s", drawing)
	}
}

func TestSmall(t *testing.T) {
	for _, test := range []struct {
		whole int64
		parts []Share
		want  string
	}{
		{100, []Share{{"a", 25}, {"b", 50}}, "0.00+25.00 25.00+50.00"}, {1000, []Share{{"a", 1}, {"b", 0}, {"c", 999}}, "0.00+1.00 1.00+99.00"},
		{0, []Share{{"a", 1}}, ""}, {10, []Share{{"a", 1 << 60}, {"b", 5}}, "0.00+100.00"}, {10, []Share{{"a", -1}}, ""},
	} {
		var got []string
		for _, m := range regexp.MustCompile(`x="([\d.]+)" width="([\d.]+)"`).FindAllStringSubmatch(Bar(test.whole, test.parts...).String(), -1) {
			got = append(got, m[1]+"+"+m[2])
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%v of %d: %v, want %s", test.parts, test.whole, got, test.want)
		}
	}
	if got := heights(Histogram("T", "<d>", []int{0, 1, 1000, 500}).String(), "accent"); !slices.Equal(got, []float64{2, 28, 14}) {
		t.Errorf("heights: %v", got)
	}
	if text := Histogram("T", "<d>", nil).String(); !strings.Contains(text, `aria-label="T: &lt;d&gt;"`) {
		t.Error(text)
	}
}
