package ui

import (
	"fmt"
	"regexp"
	"slices"
	"sync"

	. "github.com/luahook/luahook/cmd/luahook/internal/markup"
	"github.com/luahook/luahook/cmd/luahook/internal/show"
	"github.com/luahook/luahook/engine"
)

// trustSeen remembers how far the project is trusted, as looking at it takes a moment. Several goroutines may use it.
type trustSeen struct {
	mu      sync.Mutex
	of      string // the hooks that it was looked at with
	surveys []*engine.Survey
	err     error
}

// look looks at the project again where the hooks have changed since: they are read again when trust changes.
func (t *trustSeen) look(h Hooks) ([]*engine.Survey, error) {
	if h.Surveys == nil {
		return nil, nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	of := fmt.Sprint(h.Engine.Generation(), h.Engine.LoadErrors())
	if t.of != of {
		t.of = of
		t.surveys, t.err = h.Surveys()
	}
	return t.surveys, t.err
}

// maxChanged bounds the files that are named as changed.
const maxChanged = 50

// Bounds of what is said of trust.
const (
	maxSurveys = 10
	maxReasons = 10
)

// trustSection says how far the project's hooks are trusted, and what to type to change that.
func (p *hooksPage) trustSection() Node {
	surveys, err := p.server.trust.look(p.server.Hooks)
	var parts []Node
	if err != nil {
		parts = append(parts, El("p", Text("How far the project is trusted can't be said:"), problem(err)))
	}
	for i, survey := range surveys {
		if i == maxSurveys {
			parts = append(parts, El("p", Class("faint"), Textf("%s around it left out.", plural(len(surveys)-i, "further project"))))
			break
		}
		parts = append(parts, standing(survey))
	}
	var reasons []string
	for _, h := range p.list.Hooks {
		if h.Limited != "" && !slices.Contains(reasons, h.Limited) && len(reasons) < maxReasons {
			reasons = append(reasons, h.Limited)
		}
	}
	for _, why := range reasons {
		parts = append(parts, El("p", badge("limited"), Text(" Some hooks may only deny, ask and inform: "+shortened(why, maxError))))
	}
	if len(parts) == 0 {
		return Node{}
	}
	return El("section", Class("trust"), Attr("id", "trust"), El("h2", Class("hidden"), Text("Trust")), Group(parts...))
}

// standing says how far one project is trusted.
func standing(survey *engine.Survey) Node {
	trusted := survey.State == engine.ProjectTrusted || survey.State == engine.ProjectFolderTrusted
	verb, next := "luahook trust", "See what they are and what they ask for, and trust them if you want to"
	if trusted {
		verb, next = "luahook trust --revoke", "To take that back"
	}
	if plainPath().MatchString(survey.Root) {
		verb += " " + survey.Root
	} else {
		next += ", in the project's folder"
	}
	var changed []Node
	for _, f := range survey.Files {
		if survey.State == engine.ProjectChanged && f.State != engine.FileSame {
			changed = append(changed, El("li", El("span", Class("kind"), Text(string(f.State)+" ")), El("code", Text(shortened(f.Path, maxWord)))))
		}
	}
	var more Node
	if n := len(changed) - maxChanged; n > 0 {
		changed, more = changed[:maxChanged], El("p", Class("faint"), Textf("%s with a change.", plural(n, "further file")))
	}
	return Group(
		El("p", badge(string(survey.State)), Text(" "), El("strong", Text(shortened(show.ProjectName(survey.Root, survey.Hooks), maxError))), Text(": "+show.Standing(survey))),
		If(survey.Disabled, El("p", Text("Its hooks.yaml switches all of its hooks off."))),
		If(len(changed) > 0, El("ul", Class("plain"), Group(changed...))), more,
		If(!trusted, El("p", Text("Until it is trusted, its hooks may only deny, ask and inform, have nothing of what hooks.yaml grants them, and its commands don't run."))),
		If(survey.Unfit != nil, El("p", problem(survey.Unfit))),
		El("p", Class("faint"), Text(next+": "), command(verb)),
	)
}

// plainPath are paths that a shell reads as they stand.
func plainPath() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9_./+@][A-Za-z0-9_./+@~-]*$`) }
