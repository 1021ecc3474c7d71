package ui

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// script makes events of lines: a time in seconds, a name, and keys with values: lane agent, id, tool, own (in
// milliseconds), deny.
func script(lines string) []*sessionEvent {
	var events []*sessionEvent
	for line := range strings.Lines(lines) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		e := &sessionEvent{kind: audit.KindDecision, name: hooks.Event(words[1]), tool: "bash", duration: -1}
		var seconds float64
		fmt.Sscan(words[0], &seconds)
		e.at.ms = int64(seconds * 1000)
		for _, word := range words[2:] {
			key, value, _ := strings.Cut(word, "=")
			switch key {
			case "agent":
				e.agent = value
			case "id":
				e.callID = value
			case "tool":
				e.tool = value
			case "turn":
				e.turn = value
			case "own":
				fmt.Sscan(value, &e.ownMS)
			case "deny":
				e.said = "deny"
			}
		}
		events = append(events, e)
	}
	inTime(events)
	return events
}

// told says which items events make: kind, lane, and when each begins and ends.
func told(events []*sessionEvent) string {
	lanesOf(events, "")
	var b strings.Builder
	for _, it := range pairs(events) {
		kind := []string{"tool", "model", "agent", "compact", "turn"}[it.kind]
		end := "…"
		if !it.open() {
			end = fmt.Sprint(float64(it.to.ms) / 1000)
		}
		begin := fmt.Sprint(float64(it.from.ms) / 1000)
		if it.begin == nil {
			begin = "(" + begin + ")"
		}
		fmt.Fprintf(&b, "%s/%d %s-%s; ", kind, it.lane, begin, end)
	}
	return strings.TrimSuffix(b.String(), "; ")
}

func TestPairs(t *testing.T) {
	for _, test := range []struct{ name, events, want string }{
		{"by id, overlapping", "1 pre_tool_call id=a\n2 pre_tool_call id=b\n3 post_tool_call id=a\n4 post_tool_call id=b", "tool/0 1-3; tool/0 2-4"},
		{"by id, the other way round", "1 pre_tool_call id=a\n2 pre_tool_call id=b\n3 post_tool_call id=b\n4 post_tool_call id=a", "tool/0 1-4; tool/0 2-3"},
		{"one id many times", "1 pre_tool_call id=a\n2 post_tool_call id=a\n3 pre_tool_call id=a\n4 pre_tool_call id=a\n5 post_tool_call id=a\n6 post_tool_call id=a", "tool/0 1-2; tool/0 3-5; tool/0 4-6"},
		{"no ids", "1 pre_tool_call\n2 pre_tool_call tool=read\n3 post_tool_call tool=read\n4 post_tool_call", "tool/0 1-4; tool/0 2-3"},
		{"an id at one side", "1 pre_tool_call\n3 post_tool_call id=a\n4 pre_tool_call id=b\n5 post_tool_call", "tool/0 1-3; tool/0 4-5"},
		{"other ids aren't its own", "1 pre_tool_call id=a\n3 post_tool_call id=b", "tool/0 1-…; tool/0 (3)-3"},
		{"no end", "1 pre_tool_call id=a\n2 pre_prompt", "tool/0 1-…; turn/0 2-…"},
		{"denied", "1 pre_tool_call deny\n2 pre_tool_call\n3 post_tool_call", "tool/0 1-…; tool/0 2-3"},
		{"denied, and the host tells of its end", "1 pre_tool_call id=a deny\n2 post_tool_call id=a", "tool/0 1-2"},
		{"refused by the user", "1 pre_tool_call id=a\n2 permission_denied id=a", "tool/0 1-2"},
		{"no beginning", "5 post_tool_call own=2000", "tool/0 (3)-5"},
		{"models", "1 pre_model_call\n3 post_model_call\n9 post_model_call own=4000", "model/0 1-3; model/0 (5)-9"},
		{"lanes are apart", "1 pre_tool_call\n2 pre_tool_call agent=x\n3 post_tool_call agent=x\n4 post_tool_call", "tool/0 1-4; tool/1 2-3"},
		{"turns", "1 pre_prompt\n2 stop\n3 stop\n5 pre_prompt\n6 interrupt", "turn/0 1-3; turn/0 5-6"},
		{"a stop is denied and the sub-agent goes on", "1 subagent_start agent=x\n2 subagent_stop agent=x deny\n4 subagent_stop agent=x\n5 stop", "agent/1 1-4"},
		{"compaction", "1 pre_compact\n7 post_compact", "compact/0 1-7"},
	} {
		if got := told(script(test.events)); got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

// Records that were written late, as their hooks took long, are put into order; when the clock was set back, they stay.
func TestInTime(t *testing.T) {
	events := script("10 a\n12 b\n11 c\n5000 d\n20 e\n21 f")
	var got []string
	for _, e := range events {
		got = append(got, fmt.Sprintf("%s%d", e.name, e.at.epoch))
	}
	if want := "a0 c0 b0 d0 e1 f1"; strings.Join(got, " ") != want {
		t.Errorf("%q, want %s", got, want)
	}
}

func TestTurns(t *testing.T) {
	for _, test := range []struct{ name, events, want string }{
		{"what is before the first prompt belongs to it", "1 session_start\n2 pre_prompt\n3 stop\n9 pre_prompt\n10 stop\n11 session_end", "1:3 2:3"},
		{"prompts of sub-agents begin none", "1 pre_prompt\n2 pre_prompt agent=x\n3 stop", "1:3"},
		{"no prompt at all", "1 pre_tool_call\n2 post_tool_call", "0:2"},
		{"no prompt, but the host names turns", "1 session_start\n2 pre_tool_call turn=a\n3 post_tool_call turn=a\n4 stop turn=b\n5 note agent=x turn=c", "0:3 0:2"},
	} {
		events := script(test.events)
		lanesOf(events, "")
		var got []string
		for _, turn := range turnsOf(events, pairs(events), 0) {
			got = append(got, fmt.Sprintf("%d:%d", turn.number, len(turn.events)))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %s", test.name, got, test.want)
		}
	}
}

// Whatever the times are, an axis goes forward, equal times are equally long outside of breaks, lines hold each part
// of it once, and the drawing doesn't get out of hand.
func TestAxis(t *testing.T) {
	s := newServer(t, "log", "")
	names := []hooks.Event{hooks.PrePrompt, hooks.PreToolCall, hooks.PostToolCall, hooks.PreModelCall, hooks.PostModelCall, hooks.Stop, hooks.SubagentStart, hooks.SubagentStop, "x.y", ""}
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		var events []*sessionEvent
		at := int64(1_780_000_000_000)
		for range 1 + r.IntN(300) {
			switch steps := r.IntN(100); {
			case steps < 60:
				at += r.Int64N(5000)
			case steps < 80 && seed%3 == 0:
				at += r.Int64N(1 << (10 + r.IntN(35)))
			case steps < 84 && seed%5 == 0:
				at -= r.Int64N(1 << 42)
			case steps < 86 && seed%7 == 0:
				at = []int64{-62_135_596_800_000, 253_402_300_799_999}[r.IntN(2)]
			}
			e := &sessionEvent{kind: audit.KindDecision, name: names[r.IntN(len(names))], at: place{ms: at}, tool: "bash", duration: -1, hookUS: r.Int64N(1 << 40), ownMS: float64(r.Int64N(1 << 40))}
			if r.IntN(3) > 0 {
				e.agent = fmt.Sprint(r.IntN(1 + int(seed)))
			}
			if r.IntN(2) == 0 {
				e.callID = fmt.Sprint(r.IntN(9))
			}
			e.said = []string{"", "", "deny", "ask", "allow", "failed"}[r.IntN(6)]
			events = append(events, e)
		}
		inTime(events)
		lanes := lanesOf(events, "0")
		if len(lanes) > maxLanes+1 {
			t.Fatalf("seed %d: %d lanes", seed, len(lanes))
		}
		items := pairs(events)
		measure(items)
		turns := turnsOf(events, items, 0)
		setAxes(turns, len(events))
		all := 0.0
		for _, turn := range turns {
			a := turn.axis
			for i := 1; i < len(a.knots); i++ {
				before, k := a.knots[i-1], a.knots[i]
				if k.x < before.x || k.at.compare(before.at) <= 0 {
					t.Fatalf("seed %d: the axis goes back: %v, %v", seed, before, k)
				}
				if length := float64(k.at.ms-before.at.ms) / a.scale; !k.skipped && (length-(k.x-before.x) > .01 || length-(k.x-before.x) < -.01) {
					t.Fatalf("seed %d: %d ms are %g long", seed, k.at.ms-before.at.ms, k.x-before.x)
				}
			}
			all += a.width()
		}
		if all > float64(max(leastAxis, perEvent*len(events)))+float64(breakWidth*len(events)) {
			t.Errorf("seed %d: %d events are %g long", seed, len(events), all)
		}
		for _, width := range []float64{wideDrawing, narrowDrawing} {
			on := map[*turn]float64{}
			for _, line := range linesOf(turns, width) {
				for _, seg := range line {
					if seg.x0 != on[seg.turn] || seg.left+seg.x1-seg.x0 > width+.01 {
						t.Fatalf("seed %d: a segment from %g to %g at %g, after %g", seed, seg.x0, seg.x1, seg.left, on[seg.turn])
					}
					on[seg.turn] = seg.x1
				}
			}
			for _, turn := range turns {
				if on[turn] != turn.axis.width() {
					t.Fatalf("seed %d: the lines end at %g of %g", seed, on[turn], turn.axis.width())
				}
			}
			svg := s.draw(turns, lanes, events, width, "").String()
			if most := 4000 + 4000*len(events); len(svg) > most {
				t.Errorf("seed %d: %d events are drawn with %d bytes", seed, len(events), len(svg))
			}
			if strings.Contains(svg, "NaN") || strings.Contains(svg, "Inf") || strings.Contains(svg, "e+") {
				t.Fatalf("seed %d: a coordinate is no number", seed)
			}
			for n, e := range events {
				if !strings.Contains(svg, fmt.Sprintf(`data-n="%d"`, n)) {
					t.Fatalf("seed %d: event %d (%s) has no mark", seed, n, e.name)
				}
			}
		}
	}
}

// A page has a bounded number of lanes, and says how many agents share the last.
func TestLanes(t *testing.T) {
	var lines []string
	for i := range 900 {
		lines = append(lines, fmt.Sprintf(`"event":"subagent_start","session":"s","agent":"agent-%d"`, i))
	}
	s, _ := serverOf(t, lines)
	page := get(t, s, "session?id=s")
	if got := slices.Compact(found(page, `<text class="lane"[^>]*>([^<]*)<`)); !slices.Contains(got, "others (890)") {
		t.Errorf("the lanes are %q", got)
	}
	contains(t, page, "899 sub-agents")
}
