package hooks

import "time"

// Task is a piece of work to be done, as an issue tracker keeps it. JSON leaves out empty fields.
type Task struct {
	ID       string        `json:"id"`      // the tracker's own
	Title    string        `json:"title"`   // one line
	Status   string        `json:"status"`  // "open", "closed", or another word of the tracker
	Created  time.Time     `json:"created"` // zero: the tracker doesn't say
	Body     string        `json:"body,omitempty"`
	Kind     string        `json:"kind,omitempty"`     // "task", "bug" ...
	Priority *int          `json:"priority,omitempty"` // 0, the most urgent, to [LeastPriority]; nil: not set
	Parent   string        `json:"parent,omitempty"`   // id of the task that it is part of, or that it came out of
	Labels   []string      `json:"labels,omitempty"`
	Source   string        `json:"source,omitempty"` // where the work was found: a hook, a file with its line
	Key      string        `json:"key,omitempty"`    // chosen by the creator; there is only one task with a key
	Links    []TaskLink    `json:"links,omitempty"`
	Comments []TaskComment `json:"comments,omitempty"` // oldest first; a tracker may leave them out of lists
}

// LeastPriority is the priority of the least urgent tasks.
const LeastPriority = 4

// TaskChange describes a change of a task. A nil field stays as it is.
type TaskChange struct {
	Priority *int
}

// TaskLink is a task's relation to another.
type TaskLink struct {
	ID   string `json:"id"`   // of the other task
	Kind string `json:"kind"` // "related", "blocks" ...
}

// TaskComment is a note on a task.
type TaskComment struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// These statuses exist in every tracker.
const (
	TaskOpen   = "open"
	TaskClosed = "closed"
)

// TaskQuery selects tasks. An empty field doesn't restrict the selection.
type TaskQuery struct {
	Parent string // tasks with this parent
	// tasks about this issue: the issue itself, tasks with it as parent, tasks that it links to or that link to it
	Issue  string
	Status string // tasks with this status; "": all that aren't closed; "all": any status
	Label  string // tasks that have it
	Limit  int    // at most this many, the newest; 0: the tracker's own limit
}

// AnyStatus is the status of a query for tasks of any status.
const AnyStatus = "all"
