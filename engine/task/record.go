package task

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/hooks"
)

// The operations of lines.
const (
	doCreate  = "create"
	doLink    = "link"
	doComment = "comment"
	doStatus  = "status"
	doUpdate  = "update"
)

// record is one line of the file. A line with an unknown operation is from a later version, and is skipped.
type record struct {
	Do string    `json:"do"`
	At time.Time `json:"at"`

	Project string      `json:"project,omitempty"` // of create
	Task    *hooks.Task `json:"task,omitempty"`    // of create

	ID       string `json:"id,omitempty"`       // of all others: the task
	Other    string `json:"other,omitempty"`    // of link
	Kind     string `json:"kind,omitempty"`     // of link
	Text     string `json:"text,omitempty"`     // of comment
	Status   string `json:"status,omitempty"`   // of status
	Priority *int   `json:"priority,omitempty"` // of update
}

func (r *record) encode() ([]byte, error) {
	line, err := hooks.EncodeJSON(r)
	return append(line, '\n'), err
}

// book is the state that the lines of the file add up to.
type book struct {
	project string
	tasks   []*hooks.Task // of the project, in the order of their creation
	byID    map[string]*hooks.Task
	last    int64 // the highest number of an id, in all projects
}

// read folds the lines.
func (f *File) read(text []byte) *book {
	b := &book{project: f.project, byID: map[string]*hooks.Task{}}
	for line := range bytes.Lines(text) {
		var r record
		if json.Unmarshal(line, &r) == nil {
			b.take(&r)
		}
	}
	return b
}

func (b *book) take(r *record) {
	if r.Do == doCreate {
		switch t := r.Task; {
		case t == nil || t.ID == "" || t.Title == "":
		case r.Project != b.project:
			b.last = max(b.last, idNumber(t.ID))
		case b.byID[t.ID] == nil:
			b.last = max(b.last, idNumber(t.ID))
			b.byID[t.ID] = t
			b.tasks = append(b.tasks, t)
		}
		return
	}
	t := b.byID[r.ID]
	if t == nil {
		return
	}
	switch r.Do {
	case doLink:
		if l := (hooks.TaskLink{ID: r.Other, Kind: r.Kind}); !slices.Contains(t.Links, l) {
			t.Links = append(t.Links, l)
		}
	case doComment:
		t.Comments = append(t.Comments, hooks.TaskComment{At: r.At, Text: r.Text})
	case doStatus:
		t.Status = r.Status
	case doUpdate:
		if checkPriority(r.Priority) == nil && r.Priority != nil {
			t.Priority = r.Priority
		}
	}
}

// checkPriority returns an error for an invalid priority.
func checkPriority(p *int) error {
	if p != nil && (*p < 0 || *p > hooks.LeastPriority) {
		return fmt.Errorf("a priority is a whole number from 0, the most urgent, to %d, not %d", hooks.LeastPriority, *p)
	}
	return nil
}

func (b *book) task(id string) (*hooks.Task, error) {
	if t := b.byID[id]; t != nil {
		return t, nil
	}
	return nil, noTask(id)
}

func noTask(id string) error { return fmt.Errorf("there is no task %.200s in this project", id) }

// list returns what a query selects, the newest first.
func (b *book) list(q hooks.TaskQuery) (list []hooks.Task) {
	most := maxListed
	if q.Limit > 0 {
		most = min(q.Limit, most)
	}
	for _, t := range slices.Backward(b.tasks) {
		if len(list) == most {
			break
		}
		if b.wanted(t, q) {
			list = append(list, *t)
		}
	}
	return list
}

// keyed returns the task with a key, nil if there is none.
func (b *book) keyed(key string) *hooks.Task {
	if key != "" {
		for _, t := range b.tasks {
			if t.Key == key {
				return t
			}
		}
	}
	return nil
}

// wanted reports whether a query selects a task.
func (b *book) wanted(t *hooks.Task, q hooks.TaskQuery) bool {
	switch q.Status {
	case "":
		if t.Status == hooks.TaskClosed {
			return false
		}
	case hooks.AnyStatus:
	default:
		if t.Status != q.Status {
			return false
		}
	}
	return (q.Parent == "" || t.Parent == q.Parent) &&
		(q.Label == "" || slices.Contains(t.Labels, q.Label)) &&
		(q.Issue == "" || b.isAbout(t, q.Issue))
}

// isAbout reports whether a task is the issue, belongs to it, or is linked to it in either direction.
func (b *book) isAbout(t *hooks.Task, issue string) bool {
	links := func(t *hooks.Task, id string) bool {
		return slices.ContainsFunc(t.Links, func(l hooks.TaskLink) bool { return l.ID == id })
	}
	if t.ID == issue || t.Parent == issue || links(t, issue) {
		return true
	}
	other := b.byID[issue]
	return other != nil && (other.Parent == t.ID || links(other, t.ID))
}

// idEpoch is where ids begin to count hundredths of a second.
var idEpoch = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

const (
	idPrefix = "t-"
	idDigits = "0123456789abcdefghjkmnpqrstvwxyz" // of Crockford's base 32, in the order of the characters
	idLength = 8                                  // enough until 2368
)

// freshID returns an id that sorts after all existing ones, so that ids sort by creation, whatever the clock
// does.
func (b *book) freshID(now time.Time) string {
	n := max(b.last+1, now.Sub(idEpoch).Milliseconds()/10)
	id := make([]byte, idLength)
	for i := range id {
		id[idLength-1-i] = idDigits[n&31]
		n >>= 5
	}
	return idPrefix + string(id)
}

// idNumber returns the number of an id, 0 if it isn't valid.
func idNumber(id string) (n int64) {
	digits, ours := strings.CutPrefix(id, idPrefix)
	if !ours || len(digits) != idLength {
		return 0
	}
	for i := range len(digits) {
		digit := strings.IndexByte(idDigits, digits[i])
		if digit < 0 {
			return 0
		}
		n = n<<5 | int64(digit)
	}
	return n
}
