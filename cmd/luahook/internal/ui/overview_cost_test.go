package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
)

// What was used is what running totals have grown by.
func TestCosts(t *testing.T) {
	row := func(n int, session logindex.ID, usd float64, tokens int64, passes bool) costRow {
		return costRow{row: n, session: session, project: 9, time: int64(n), Cost: logindex.Cost{USD: usd, Tokens: tokens}, passes: passes}
	}
	for name, test := range map[string]struct {
		rows   []costRow
		usd    float64
		tokens int64
		each   []int64 // tokens of sessions, the most expensive first
	}{
		"two sessions":               {[]costRow{row(0, 1, 1, 100, true), row(1, 2, 5, 10, true), row(2, 1, 2, 250, true)}, 7, 260, []int64{10, 250}},
		"only what is in the time":   {[]costRow{row(0, 1, 1, 100, false), row(1, 1, 3, 300, true), row(2, 1, 9, 900, false)}, 2, 200, []int64{200}},
		"written late":               {[]costRow{row(0, 1, 2, 200, true), row(1, 1, 1, 100, true), row(2, 1, 3, 300, true)}, 3, 300, []int64{300}},
		"sessions without a name":    {[]costRow{row(0, 0, 2, 200, true), row(1, 0, 1, 100, true), row(2, 0, 3, 300, true)}, 5, 500, []int64{300, 200}},
		"what others use in between": {[]costRow{row(0, 1, 1, 100, true), row(1, 1, 2, 200, false), row(2, 1, 3, 300, true)}, 2, 200, []int64{200}},
		"nothing":                    {nil, 0, 0, nil},
	} {
		c := costsOf(test.rows)
		var each []int64
		for _, s := range c.sessions {
			each = append(each, s.Tokens)
		}
		if c.USD != test.usd || c.Tokens != test.tokens || fmt.Sprint(each) != fmt.Sprint(test.each) {
			t.Errorf("%s: %v, sessions %v", name, c.Cost, each)
		}
	}
}

// Models are told apart by the records of sessions; what a session had used before a time doesn't count in it.
func TestModels(t *testing.T) {
	line := func(at string, usd, tokens, calls int, models string) string {
		return fmt.Sprintf(`{"time":"2026-05-07T%sZ","v":1,"kind":"decision","event":"post_model_call","session":"s","data":{"cost":{"session_usd":%d,"session_tokens":%d,"calls":%d,"models":%s}}}`, at, usd, tokens, calls, models)
	}
	s := newServer(t, written(t,
		line("08:00:00", 1, 1000, 1, `{"large":{"usd":1,"tokens":1000,"calls":1}}`),
		line("11:30:00", 4, 4000, 3, `{"large":{"usd":3,"tokens":3000,"calls":2},"small":{"usd":1,"tokens":1000,"calls":1}}`),
		line("12:00:00", 5, 5000, 4, `{"large":{"usd":3,"tokens":3000,"calls":2},"small":{"usd":2,"tokens":2000,"calls":2}}`),
	), "")
	contains(t, textOf(get(t, s, "overview")), "Tokens 5,000 1 session Money $5.00", "large 2 3,000 $3.00", "small 2 2,000 $2.00")
	contains(t, textOf(get(t, s, "overview?range=hour")), "Tokens 4,000 1 session Money $4.00", "large 1 2,000 $2.00", "small 2 2,000 $2.00")
}

// Costs that nobody can have are bounded, and what is no number counts for nothing.
func TestImpossibleCosts(t *testing.T) {
	line := func(session, usd, tokens, models string) string {
		return fmt.Sprintf(`{"time":"2026-05-07T12:00:00Z","v":1,"kind":"decision","event":"stop","session":%q,"data":{"cost":{"session_usd":%s,"session_tokens":%s,"models":%s}}}`, session, usd, tokens, models)
	}
	lines := []string{
		line("a", "1e999", "99999999999999999999999", `{"m":{"usd":1e999,"tokens":1e400,"calls":-1}}`), line("b", "-5", "-7", `[]`),
		line("c", "1", "1", `{"m":"x","n":{"usd":[],"tokens":{}}}`), line("d", "1e308", "9223372036854775807", `null`), line("e", "0.5", "2.5", `{"<b>":{"usd":0.5,"tokens":2.5}}`),
	}
	for i := range 100 {
		lines = append(lines, line(fmt.Sprintf("s%d", i), "1e300", "9223372036854775807", `{"m":{"usd":1e300,"tokens":9223372036854775807}}`))
	}
	page := textOf(get(t, newServer(t, written(t, lines...), ""), "overview"))
	contains(t, page, "By model", "further sessions")
	for _, word := range []string{"Inf", "NaN", "-1", "$-"} {
		if i := indexOf(page, word); i != "" {
			t.Errorf("the page has %q", i)
		}
	}
}

// indexOf is where a text stands, with what is around it.
func indexOf(page, text string) string {
	if i := strings.Index(page, text); i >= 0 {
		return page[max(0, i-30):min(len(page), i+30)]
	}
	return ""
}
