package hooks

import "time"

// Task is a piece of work that somebody should do, as an issue tracker keeps it. JSON
// leaves out what is empty.
type Task struct {
	ID       string        `json:"id"`      // the tracker's own
	Title    string        `json:"title"`   // one line
	Status   string        `json:"status"`  // "open", "closed", or another word of the tracker's
	Created  time.Time     `json:"created"` // zero: the tracker doesn't say
	Body     string        `json:"body,omitempty"`
	Kind     string        `json:"kind,omitempty"`     // "task", "bug" ...
	Priority *int          `json:"priority,omitempty"` // 0, the most urgent, to [LeastPriority]; nil: nobody has said
	Parent   string        `json:"parent,omitempty"`   // id of the task that it is a part of, or that it came out of
	Labels   []string      `json:"labels,omitempty"`
	Source   string        `json:"source,omitempty"` // where it was found: a hook, a file with its line
	Key      string        `json:"key,omitempty"`    // what whoever made it knows it by: there is one task of a key
	Links    []TaskLink    `json:"links,omitempty"`
	Comments []TaskComment `json:"comments,omitempty"` // the oldest first; a tracker may leave them out of lists
}

// LeastPriority is the priority of what has time.
const LeastPriority = 4

// TaskChange says what is to be another in a task. What is nil stays.
type TaskChange struct {
	Priority *int
}

// TaskLink is how a task stands to another.
type TaskLink struct {
	ID   string `json:"id"`   // of the other
	Kind string `json:"kind"` // "related", "blocks" ...
}

// TaskComment is what somebody has noted about a task.
type TaskComment struct {
	At   time.Time `json:"at"`
	Text string    `json:"text"`
}

// Statuses of tasks that every tracker has.
const (
	TaskOpen   = "open"
	TaskClosed = "closed"
)

// TaskQuery says which tasks are wanted. What is empty narrows nothing down.
type TaskQuery struct {
	Parent string // those with this parent
	Issue  string // what concerns this issue: itself, those with it as parent, those that it links or that link it
	Status string // those of a status; "": all that aren't closed; "all": whatever theirs is
	Label  string // those that have it
	Limit  int    // at most so many, the newest; 0: the tracker's own limit
}

// AnyStatus is the status of a query for tasks whatever their status is.
const AnyStatus = "all"
