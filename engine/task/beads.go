package task

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/luahook/luahook/hooks"
)

// Beads is the issue tracker beads (https://github.com/gastownhall/beads), used by its command bd, 0.40 or
// later, which runs in a project's root. It needs a database there, which bd init makes. A call takes as long as
// bd, often some tenths of a second: hooks that use it should have a timeout of several seconds.
//
// bd is searched for in PATH, but not inside the project. Nothing goes through a shell, and no text becomes a
// flag. Nothing is changed if the project has programs that bd would then run, such as .beads/hooks/on_create.
// What else bd does because of a repository's .beads is up to bd.
//
// A task's Key is kept as external reference and label, its Source at the end of the description, and a Kind
// that beads doesn't have as a label. bd decides which tasks a limit leaves. Two processes that create a task
// with the same key at the same moment may make two.
type Beads struct {
	root string
}

// NewBeads returns the tracker of the project at root, an absolute path. It runs nothing yet.
func NewBeads(root string) *Beads { return &Beads{root} }

// beadsKinds are the types of issues that every beads database has.
var beadsKinds = []string{"bug", "feature", "task", "epic", "chore"}

// Create implements engine.TaskSink.
func (b *Beads) Create(ctx context.Context, t hooks.Task) (made hooks.Task, fresh bool, err error) {
	if err := checkPriority(t.Priority); err != nil {
		return made, false, err
	}
	args := []string{"create", "--json"}
	labels := slices.Clone(t.Labels)
	if t.Key != "" {
		ref, label := keyMarks(t.Key)
		if made, found, err := b.keyed(ctx, ref, label); found || err != nil {
			return made, false, err
		}
		args = append(args, "--external-ref="+ref)
		labels = append(labels, label)
	}
	switch {
	case slices.Contains(beadsKinds, t.Kind):
		args = append(args, "--type="+t.Kind)
	case t.Kind != "":
		labels = append(labels, strings.ReplaceAll(t.Kind, ",", " "))
	}
	if t.Priority != nil {
		args = append(args, "--priority="+strconv.Itoa(*t.Priority))
	}
	if t.Parent != "" {
		if err := checkID(t.Parent); err != nil {
			return made, false, err
		}
		args = append(args, "--parent="+t.Parent)
	}
	if len(labels) > 0 {
		args = append(args, "--labels="+asList(labels))
	}
	body := t.Body
	if t.Source != "" {
		body = strings.TrimLeft(body+"\n\nFound in: "+t.Source, "\n")
	}
	if body != "" {
		args = append(args, "--description="+notDash(body))
	}
	answer, err := b.change(ctx, append(args, "--", notDash(t.Title)))
	if err != nil {
		return made, false, err
	}
	issues, err := decode(answer)
	if err != nil {
		return made, false, err
	}
	if len(issues) != 1 || issues[0].ID == "" {
		return made, false, errors.New("bd create did not report the task that it made")
	}
	made = issues[0].task()
	made.Key, made.Source = t.Key, t.Source
	made.Parent = cmp.Or(made.Parent, t.Parent)
	if len(made.Labels) == 0 {
		made.Labels = labels
	}
	return made, true, nil
}

// keyMarks returns the marks by which beads finds the task with a key.
func keyMarks(key string) (ref, label string) {
	sum := sha256.Sum256([]byte(key))
	mark := hex.EncodeToString(sum[:8])
	return "luahook:" + mark, "luahook-" + mark
}

// keyed finds the task with a key. The label alone isn't enough, as it may be inherited.
func (b *Beads) keyed(ctx context.Context, ref, label string) (t hooks.Task, found bool, err error) {
	issues, err := b.issues(ctx, []string{"list", "--json", "--all", "--label=" + label})
	if err != nil {
		return t, false, err
	}
	for _, i := range issues {
		if i.ExternalRef == ref {
			return i.task(), true, nil
		}
	}
	return t, false, nil
}

// List implements engine.TaskSink.
func (b *Beads) List(ctx context.Context, q hooks.TaskQuery) (list []hooks.Task, err error) {
	limit := cmp.Or(q.Limit, maxListed)
	if q.Issue != "" {
		list, err = b.about(ctx, q.Issue)
	} else {
		list, err = b.list(ctx, q, limit)
	}
	if err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(t hooks.Task) bool {
		return q.Status == "" && t.Status == hooks.TaskClosed ||
			q.Status != "" && q.Status != hooks.AnyStatus && t.Status != q.Status ||
			q.Issue != "" && (q.Parent != "" && t.Parent != q.Parent || q.Label != "" && !slices.Contains(t.Labels, q.Label))
	})
	slices.SortStableFunc(list, func(a, b hooks.Task) int { return b.Created.Compare(a.Created) })
	return list[:min(len(list), limit)], nil
}

func (b *Beads) list(ctx context.Context, q hooks.TaskQuery, limit int) ([]hooks.Task, error) {
	args := []string{"list", "--json", "--limit=" + strconv.Itoa(limit)}
	switch q.Status {
	case "":
	case hooks.AnyStatus:
		args = append(args, "--all")
	default:
		args = append(args, "--status="+q.Status)
	}
	if q.Parent != "" {
		if err := checkID(q.Parent); err != nil {
			return nil, err
		}
		args = append(args, "--parent="+q.Parent)
	}
	if q.Label != "" {
		args = append(args, "--label="+asList([]string{q.Label}))
	}
	issues, err := b.issues(ctx, args)
	return tasks(issues), err
}

// about returns an issue with those that belong to it or are linked; none if beads doesn't have it.
func (b *Beads) about(ctx context.Context, id string) ([]hooks.Task, error) {
	if checkID(id) != nil {
		return nil, nil // an issue of another tracker
	}
	issues, err := b.issues(ctx, []string{"show", "--json", "--", id})
	var refused *refusedError
	if errors.As(err, &refused) && notFound().MatchString(refused.message) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []hooks.Task
	for _, i := range issues {
		list = append(list, i.task())
		for _, other := range slices.Concat(i.Dependencies, i.Dependents) {
			if other.ID != "" && !slices.ContainsFunc(list, func(t hooks.Task) bool { return t.ID == other.ID }) {
				t := other.task()
				if slices.ContainsFunc(i.Dependents, func(d issue) bool { return d.ID == other.ID && d.DependencyType == parentChild }) {
					t.Parent = i.ID
				}
				list = append(list, t)
			}
		}
	}
	return list, nil
}

var notFound = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)not found|no issues? found`) })

// Link implements engine.TaskSink. "blocks" means that other waits for id, "blocked-by" the reverse; any other
// kind must be one of beads.
func (b *Beads) Link(ctx context.Context, id, other, kind string) error {
	if err := cmp.Or(checkID(id), checkID(other)); err != nil {
		return err
	}
	switch kind {
	case "blocks": // the second of beads' two ids is the one that blocks
		id, other = other, id
	case "blocked-by":
		kind = "blocks"
	}
	_, err := b.change(ctx, []string{"dep", "add", "--json", "--type=" + kind, "--", id, other})
	return err
}

// Comment implements engine.TaskSink.
func (b *Beads) Comment(ctx context.Context, id, text string) error {
	if err := checkID(id); err != nil {
		return err
	}
	_, err := b.change(ctx, []string{"comments", "add", "--json", "--", id, notDash(text)})
	return err
}

// Update implements engine.TaskUpdater.
func (b *Beads) Update(ctx context.Context, id string, change hooks.TaskChange) error {
	if err := cmp.Or(checkID(id), checkPriority(change.Priority)); err != nil || change.Priority == nil {
		return err
	}
	_, err := b.change(ctx, []string{"update", "--json", "--priority=" + strconv.Itoa(*change.Priority), "--", id})
	return err
}

// SetStatus sets the status of an issue, for instance to [hooks.TaskClosed]. Scripts can't do that.
func (b *Beads) SetStatus(ctx context.Context, id, status string) error {
	if err := checkID(id); err != nil {
		return err
	}
	if strings.TrimSpace(status) == "" {
		return errNoStatus
	}
	_, err := b.change(ctx, []string{"update", "--json", "--status=" + status, "--", id})
	return err
}

// beadsID matches ids; those of other projects have colons.
var beadsID = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._:-]*$`) })

func checkID(id string) error {
	if !beadsID().MatchString(id) {
		return fmt.Errorf("%.100q is not the id of a beads issue", id)
	}
	return nil
}

// asList writes a list for a flag, which reads it as a line of CSV.
func asList(list []string) string {
	var line strings.Builder
	w := csv.NewWriter(&line)
	_ = w.Write(list) // a Builder never fails
	w.Flush()
	return strings.TrimSuffix(line.String(), "\n")
}

// notDash changes a text that is just -, which would stand for standard input.
func notDash(text string) string {
	if text == "-" {
		return "(-)"
	}
	return text
}
