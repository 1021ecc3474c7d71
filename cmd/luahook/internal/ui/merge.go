package ui

import (
	"fmt"
	"slices"
	"strings"

	"github.com/luahook/luahook/engine/audit"
	"github.com/luahook/luahook/hooks"
)

// mergeStep is what one run makes of the decision so far.
type mergeStep struct {
	run   *audit.Run
	said  string // its answer, as a name in marks
	so    string // the decision after it
	why   string // the rule by which it is so
	moved bool   // the decision is another one than before
}

// rank orders decisions: the strictest counts.
func rank(decision string) int { return slices.Index([]string{"", "allow", "ask", "deny"}, decision) }

// mergeSteps says how the runs of a record come to its decision, one after another, by the rules of [hooks.Merge].
func mergeSteps(r *audit.Record) []mergeStep {
	so, by := "", ""
	var steps []mergeStep
	for i := range r.Runs {
		run := &r.Runs[i]
		step := mergeStep{run: run, said: run.Status}
		said := run.Decision
		switch hooks.Status(run.Status) {
		case hooks.StatusBlocked:
			said = "deny"
		case hooks.StatusCompleted:
			step.said = map[string]string{"ask": "asked", "allow": "allowed", "deny": "blocked"}[said]
			if step.said == "" {
				step.said = run.Status
			}
		}
		switch {
		case hooks.Status(run.Status) == hooks.StatusQueued:
			step.why = "it runs in the background, and decides nothing"
		case hooks.Status(run.Status) == hooks.StatusSkipped:
			step.why = "it didn't run"
		case hooks.Status(run.Status) == hooks.StatusUncounted:
			step.why = "its answer doesn't count: another hook had denied by then"
		case hooks.Status(run.Status) == hooks.StatusFailed && said == "":
			said, step.why = failureCounts(run)
		case said == "" && run.Modified:
			step.why = "it rewrote the event, and doesn't decide"
		case said == "":
			step.why = "no objection leaves the decision as it is"
		case rank(said) > rank(so) && so == "":
			step.why = fmt.Sprintf("the first answer that decides: %s", said)
		case rank(said) > rank(so):
			step.why = fmt.Sprintf("%s is stricter than the %s of %s", said, so, by)
		case rank(said) == rank(so):
			step.why = fmt.Sprintf("as %s has said already, whose reason comes first", by)
		default:
			step.why = fmt.Sprintf("the %s of %s is stricter", so, by)
		}
		if rank(said) > rank(so) {
			so, by, step.moved = said, run.Hook, true
		}
		step.so = so
		steps = append(steps, step)
	}
	return steps
}

// failureCounts is what the failure of a hook decides, as the engine has noted it with the run.
func failureCounts(run *audit.Run) (decides, why string) {
	for _, e := range run.Entries {
		if e.Kind == hooks.EntryError && strings.HasPrefix(e.Text, "blocked: ") {
			return "deny", "it failed, and that blocks: " + strings.TrimPrefix(e.Text, "blocked: ")
		}
	}
	return "", "it failed, and its on_failure lets the others decide"
}
