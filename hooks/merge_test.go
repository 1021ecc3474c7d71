package hooks_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/luahook/luahook/hooks"
)

// merge folds the answers of hooks "1", "2", ... in order.
func merge(answers ...*hooks.Result) *hooks.Result {
	into := &hooks.Result{}
	for i, a := range answers {
		hooks.Merge(into, string(rune('1'+i)), a)
	}
	return into
}

type result = hooks.Result

func TestMerge(t *testing.T) {
	contexts := []hooks.ContextEntry{{Hook: "1", Text: "a"}, {Hook: "2", Text: "b\nc"}}
	for _, c := range []struct {
		about   string
		answers []*result
		want    result
	}{
		{"ask is stronger than allow", []*result{{Decision: "allow", Reason: "fine"}, {Decision: "ask", Reason: "sure?"}}, result{Decision: "ask", Reason: "sure?"}},
		{"in either order", []*result{{Decision: "ask", Reason: "sure?"}, {Decision: "allow", Reason: "fine"}}, result{Decision: "ask", Reason: "sure?"}},
		{"deny is stronger than ask", []*result{{Decision: "ask", Reason: "sure?"}, {Decision: "deny", Reason: "no"}}, result{Decision: "deny", Block: true, Reason: "no"}},
		{"and stays", []*result{{Decision: "deny", Reason: "no"}, {Decision: "allow", Reason: "fine"}, {Decision: "ask"}}, result{Decision: "deny", Block: true, Reason: "no"}},
		{"a stronger decision brings its reason, even none", []*result{{Decision: "allow", Reason: "fine"}, {Decision: "deny"}}, result{Decision: "deny", Block: true}},
		{"of two equal ones the first that gives a reason keeps it", []*result{{Decision: "deny", Reason: "first"}, {Decision: "deny", Reason: "second"}}, result{Decision: "deny", Block: true, Reason: "first"}},
		{"which may be the second", []*result{{Decision: "ask"}, {Decision: "ask", Reason: "second"}, {Decision: "ask", Reason: "third"}}, result{Decision: "ask", Reason: "second"}},
		{"a reason without a decision says nothing", []*result{{Reason: "note"}}, result{}},
		{"the later input replaces", []*result{{Input: object{"a": 1, "b": 1}}, {Input: object{"a": 2}}}, result{Modified: true, Input: object{"a": 2}}},
		{"the later output replaces", []*result{{Output: "x"}, {Output: false}}, result{Modified: true, Output: false}},
		{"input and output keep one another", []*result{{Input: object{"a": 1}}, {Output: "x"}}, result{Modified: true, Input: object{"a": 1}, Output: "x"}},
		{"modified stays", []*result{{Modified: true, NewContext: "a"}, {}}, result{Modified: true, NewContext: "a", Contexts: contexts[:1]}},
		{"contexts append, tagged and joined", []*result{{NewContext: "a"}, {NewContext: "b\nc"}}, result{NewContext: "a\nb\nc", Contexts: contexts}},
		{"contexts that are tagged already keep their hooks", []*result{{NewContext: "a\nb\nc", Contexts: contexts}, nil}, result{NewContext: "a\nb\nc", Contexts: contexts}},
		{"data merges key by key, the later wins", []*result{{Data: object{"a": 1, "b": object{"x": 1}}}, {Data: object{"b": object{"y": 2}, "c": nil}}}, result{Data: object{"a": 1, "b": object{"y": 2}, "c": nil}}},
		{"halt stays with the reason of the first", []*result{{Halt: true, StopReason: "budget"}, {Halt: true, StopReason: "other"}}, result{Halt: true, StopReason: "budget"}},
		{"even where the first gave none", []*result{{Halt: true}, {Halt: true, StopReason: "other"}}, result{Halt: true}},
		{"messages are joined", []*result{{SystemMessage: "a"}, {SystemMessage: "b"}}, result{SystemMessage: "a\nb"}},
		{"suppressing stays", []*result{{SuppressOutput: true}, {}}, result{SuppressOutput: true}},
		{"warnings append", []*result{{Warnings: []string{"a"}}, {Warnings: []string{"b", "c"}}}, result{Warnings: []string{"a", "b", "c"}}},
		{"nothing at all", []*result{nil, {}}, result{}},
	} {
		if diff := cmp.Diff(&c.want, merge(c.answers...)); diff != "" {
			t.Errorf("%s: %s", c.about, diff)
		}
	}
}

func TestMergeLeavesSummaryAndAnswersAlone(t *testing.T) {
	summary := &hooks.RunSummary{Event: "stop"}
	into := &result{Summary: summary}
	first, second := &result{Data: object{"a": 1}, Summary: &hooks.RunSummary{}}, &result{Data: object{"a": 2}}
	hooks.Merge(into, "1", first)
	hooks.Merge(into, "2", second)
	if into.Summary != summary {
		t.Error("Merge replaced the summary")
	}
	if first.Data["a"] != 1 || second.Data["a"] != 2 || into.Data["a"] != 2 {
		t.Errorf("Merge wrote into an answer: %v %v", first.Data, second.Data)
	}
}

// Every chain of up to three of these answers gives the same result wherever
// hooks without an opinion stand in it.
func TestSilenceNeverErases(t *testing.T) {
	answers := []*result{
		{Decision: "allow", Reason: "fine"}, {Decision: "ask", Reason: "sure?"}, {Decision: "deny", Reason: "no"}, {Decision: "deny"},
		{Input: object{"a": 1}, Modified: true}, {Output: "x"}, {NewContext: "c"}, {Halt: true, StopReason: "h"}, {Halt: true},
		{SystemMessage: "m", SuppressOutput: true}, {Data: object{"k": 1}}, {Warnings: []string{"w"}},
	}
	var chains [][]*result
	for _, a := range answers {
		chains = append(chains, []*result{a})
		for _, b := range answers {
			chains = append(chains, []*result{a, b})
			for _, c := range answers {
				chains = append(chains, []*result{a, b, c})
			}
		}
	}
	fold := func(chain []*result, silentAt int, silence *result) string {
		into := &result{}
		for i, a := range chain {
			if i == silentAt {
				hooks.Merge(into, "silent", silence)
			}
			hooks.Merge(into, "hook", a)
		}
		if silentAt == len(chain) {
			hooks.Merge(into, "silent", silence)
		}
		text, err := json.Marshal(into)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for _, chain := range chains {
		want := fold(chain, -1, nil)
		for at := 0; at <= len(chain); at++ {
			for _, silence := range []*result{nil, {}} {
				if got := fold(chain, at, silence); got != want {
					t.Fatalf("silence at %d of %d changes the result:\n%s\n%s", at, len(chain), want, got)
				}
			}
		}
	}
}
