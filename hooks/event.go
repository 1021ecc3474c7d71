package hooks

// Event is the canonical name of a moment in an agent's life, in snake_case.
// Names with a dot in them ("deploy.requested") belong to embedders and need no
// row in the catalogue.
type Event string

// The events of the catalogue; [Lookup] gives what each one carries.
const (
	Setup             Event = "setup"
	RunStart          Event = "run_start"
	RunEnd            Event = "run_end"
	SessionStart      Event = "session_start"
	SessionEnd        Event = "session_end"
	PrePrompt         Event = "pre_prompt"
	PostResponse      Event = "post_response"
	PreAgent          Event = "pre_agent"
	PostAgent         Event = "post_agent"
	PreModelCall      Event = "pre_model_call"
	PostModelCall     Event = "post_model_call"
	PreToolSelection  Event = "pre_tool_selection"
	PreToolCall       Event = "pre_tool_call"
	PostToolCall      Event = "post_tool_call"
	PostToolBatch     Event = "post_tool_batch"
	ToolResultPersist Event = "tool_result_persist"
	PermissionRequest Event = "permission_request"
	PermissionDenied  Event = "permission_denied"
	Stop              Event = "stop"
	StopFailure       Event = "stop_failure"
	Interrupt         Event = "interrupt"
	SubagentStart     Event = "subagent_start"
	SubagentStop      Event = "subagent_stop"
	PreCompact        Event = "pre_compact"
	PostCompact       Event = "post_compact"
	OnError           Event = "on_error"
	OnRetry           Event = "on_retry"
	OnClaim           Event = "on_claim"
	PreClose          Event = "pre_close"
	OnBlock           Event = "on_block"
	TaskCreated       Event = "task_created"
	TaskCompleted     Event = "task_completed"
	ParallelJoin      Event = "parallel_join"
	Notification      Event = "notification"
	MessageReceived   Event = "message_received"
	MessageSending    Event = "message_sending"
	MessageSent       Event = "message_sent"
	GatewayStart      Event = "gateway_start"
	GatewayStop       Event = "gateway_stop"
)

// Blocking says what a deny means for an event.
type Blocking string

const (
	// BlockNever: the moment has passed or can't be held up; every decision is
	// an error there.
	BlockNever Blocking = "no"
	// BlockAction: the pending action doesn't happen. allow, ask and deny are
	// understood, and halt denies as well.
	BlockAction Blocking = "yes"
	// BlockFeedback: the reason is what the agent goes on with. allow and deny
	// are understood; ask is an error.
	BlockFeedback Blocking = "feedback"
)

// EventInfo is a row of the catalogue. Rows are shared: don't change one.
type EventInfo struct {
	Name      Event    `json:"name"`
	Aliases   []string `json:"aliases,omitempty"` // other spellings, as their hosts write them
	Help      string   `json:"help"`              // one line
	Blocking  Blocking `json:"can_block"`
	OnFailure Policy   `json:"on_failure"`          // what a failed hook means unless it says otherwise
	Guards    bool     `json:"guards,omitempty"`    // a script that doesn't load blocks this event, and a bare string denies
	Continues bool     `json:"continues,omitempty"` // a deny keeps the agent going with its reason: it needs one, and a failed hook never denies
	MatchOn   string   `json:"match,omitempty"`     // the field that match = "..." looks at; empty: such a matcher is an error
	Fields    []Field  `json:"fields"`              // what the event carries, common fields included
	Modify    []string `json:"modify,omitempty"`    // the fields that modify and replace change; empty: they are errors
	Output    string   `json:"output,omitempty"`    // the field that output replaces; empty: it is an error
}

// Type is the JSON type of a field.
type Type string

// The types of fields. A record is an object whose keys are known: tool_call,
// error and usage.
const (
	String  Type = "string"
	Integer Type = "integer"
	Number  Type = "number"
	Boolean Type = "boolean"
	Object  Type = "object"
	List    Type = "list"
	Record  Type = "record"
	Any     Type = "any"
)

// Field is one key of an event.
type Field struct {
	Name     string `json:"name"`
	Type     Type   `json:"type"`
	Required bool   `json:"required,omitempty"` // the event is refused without it
	Help     string `json:"help"`
	Example  string `json:"-"` // a JSON value, used in samples
}
