package hooks

// Event is the canonical name of a moment in an agent's life, in snake_case.
// Names with a dot in them ("deploy.requested") belong to embedders and need no
// row in the catalogue.
type Event string

// These are the events of the catalogue; [Lookup] returns what each one carries.
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
	// BlockNever: the moment has passed or can't be held up; every decision is an error.
	BlockNever Blocking = "no"
	// BlockAction: the pending action doesn't happen. allow, ask and deny are
	// understood, and halt denies as well.
	BlockAction Blocking = "yes"
	// BlockFeedback: the agent goes on with the reason. allow and deny are understood; ask is an error.
	BlockFeedback Blocking = "feedback"
)

// EventInfo is a row of the catalogue. Rows are shared: don't change one.
type EventInfo struct {
	Name      Event    `json:"name"`
	Aliases   []string `json:"aliases,omitempty"` // other spellings, as their hosts write them
	Help      string   `json:"help"`              // one line
	Blocking  Blocking `json:"can_block"`
	OnFailure Policy   `json:"on_failure"`          // what a failed hook means by default
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

// field and required make fields for the rows below.
func field(name string, t Type, help, example string) Field {
	return Field{Name: name, Type: t, Help: help, Example: example}
}

func required(name string, t Type, help, example string) Field {
	return Field{Name: name, Type: t, Help: help, Example: example, Required: true}
}

// commonFields may be present in every event; a row repeats those that its event is about.
var commonFields = []Field{
	field("event", String, "the event, as the hook spells it when it registers", ""),
	field("canonical_event", String, "the event's name in this catalogue", ""),
	field("session_id", String, "the agent session", `"s-1"`),
	field("run_id", String, "the run that the session belongs to", ""),
	field("issue_id", String, "the issue or ticket being worked on", ""),
	field("agent_id", String, "the agent that speaks", ""),
	field("parent_agent_id", String, "the agent that started it", ""),
	field("agent_depth", Integer, "0 for the top agent, 1 for its subagents, and so on", ""),
	field("agent_name", String, "the agent's name or type", ""),
	field("cwd", String, "the agent's working folder", `"/work/shop"`),
	field("root", String, "the project's root, where relative patterns of paths start; set by luahook", ""),
	field("model", String, "the model's name", ""),
	field("prompt", String, "what the user or the parent agent asked", ""),
	field("response", String, "what the model or the agent answered last", ""),
	field("tool_call", Record, "the tool call", ""),
	field("error", Record, "what went wrong: message, kind, is_retryable; of a hook also hook, source, event", ""),
	field("usage", Record, "tokens and cost: input_tokens, output_tokens, cache_tokens, cost_usd", ""),
	field("loop_count", Integer, "how often a hook has kept this agent from stopping", ""),
	field("metadata", Object, "everything else the host said", ""),
	field("judging", Boolean, "true while the hook judges what later hooks rewrote", ""),
}

var (
	toolCall     = required("tool_call", Record, "the call that is about to run", `{"id":"call_1","name":"bash","input":{"command":"go test ./..."}}`)
	toolResult   = required("tool_call", Record, "the call with its output and outcome", `{"id":"call_1","name":"bash","input":{"command":"go test ./..."},"output":"ok  \tshop/cart\t0.41s\n","outcome":"ok","duration_ms":812}`)
	failure      = field("error", Record, "message, kind and is_retryable", `{"message":"connection reset by peer","kind":"network","is_retryable":true}`)
	prompt       = field("prompt", String, "the prompt", `"Fix the rounding in cart.Total"`)
	response     = field("response", String, "the answer", `"Fixed; all tests pass."`)
	model        = field("model", String, "the model's name", `"sonnet-5"`)
	usage        = field("usage", Record, "tokens and cost", `{"input_tokens":5120,"output_tokens":640,"cache_tokens":4096,"cost_usd":0.031}`)
	messages     = field("messages", List, "the conversation, each {role, content}", `[{"role":"user","content":"Fix the rounding"}]`)
	tools        = field("tools", List, "the tools offered to the model", `["bash","read","edit"]`)
	agentName    = field("agent_name", String, "the agent's name or type", `"reviewer"`)
	result       = field("result", Any, "what the agent came back with", `"no problems found"`)
	anyFailure   = field("error", Record, "message, kind and is_retryable; if luahook reports a failed hook, kind is hook, and hook, source and event say which hook failed and under what", `{"message":"connection reset by peer","kind":"network","is_retryable":true}`)
	duration     = field("duration", Number, "how long it took, in seconds", `92.5`)
	reason       = field("reason", String, "why", `"user"`)
	trigger      = field("trigger", String, "manual or auto", `"auto"`)
	tokenCount   = field("token_count", Integer, "tokens in the context before", `182000`)
	message      = field("message", Any, "the message: text, or the host's object", `"The build is green."`)
	platform     = field("platform", String, "the messaging platform", `"slack"`)
	channel      = field("channel", String, "where the message goes or comes from", `"#builds"`)
	issueID      = field("issue_id", String, "the issue", `"SHOP-41"`)
	title        = field("title", String, "its title", `"Round totals half to even"`)
	programName  = field("program_name", String, "the program or workflow", `"nightly-report"`)
	systemPrompt = field("system_prompt", String, "the system prompt", `"You are a careful engineer."`)
	temperature  = field("temperature", Number, "the sampling temperature", `0.2`)
	maxTokens    = field("max_tokens", Integer, "the most tokens the answer may have", `4096`)
	taskID       = field("task_id", String, "the task", `"t-7"`)
	attempt      = field("attempt", Integer, "which try this is, from 1", `2`)
)

// catalogue is the one table of events.
var catalogue = []EventInfo{
	{Name: Setup, Aliases: []string{"Setup", "on_init"}, Help: "a one-off preparation of the host: first start, maintenance",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "trigger", Fields: []Field{field("trigger", String, "init or maintenance", `"init"`)}},
	{Name: RunStart, Aliases: []string{"on_run_start"}, Help: "a run (a program, a workflow) is about to start",
		Blocking: BlockAction, OnFailure: Warn, MatchOn: "program_name", Fields: []Field{programName, field("inputs", Object, "what the run was given", `{"branch":"main"}`)}},
	{Name: RunEnd, Aliases: []string{"on_run_end"}, Help: "a run has ended",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "program_name", Fields: []Field{programName, field("success", Boolean, "whether the run did what it was for", `true`), field("outputs", Object, "what the run produced", `{"report":"report.md"}`), duration, failure, usage}},
	{Name: SessionStart, Aliases: []string{"SessionStart", "on_session_start", "TaskStart", "agentSpawn"}, Help: "an agent session starts or is resumed",
		Blocking: BlockAction, OnFailure: Warn, MatchOn: "source", Fields: []Field{field("source", String, "startup, resume, clear, compact or fork", `"startup"`), model, agentName}},
	{Name: SessionEnd, Aliases: []string{"SessionEnd", "on_session_end"}, Help: "an agent session has ended",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "reason", Fields: []Field{reason, duration, usage, model, agentName}},
	{Name: PrePrompt, Aliases: []string{"pre-prompt", "PrePrompt", "user_prompt_submit", "UserPromptSubmit", "userPromptSubmitted", "before_prompt", "beforeSubmitPrompt", "pre_user_prompt", "BeforeAgent"}, Help: "a prompt is about to be given to the agent",
		Blocking: BlockAction, OnFailure: Warn, Fields: []Field{prompt}, Modify: []string{"prompt"}},
	{Name: PostResponse, Aliases: []string{"post-response", "PostResponse", "after_response", "afterAgentResponse"}, Help: "the agent has answered",
		Blocking: BlockNever, OnFailure: Warn, Fields: []Field{response, prompt, model, usage}},
	{Name: PreAgent, Aliases: []string{"before_agent"}, Help: "an agent is about to run",
		Blocking: BlockAction, OnFailure: Warn, MatchOn: "agent_name", Fields: []Field{agentName, prompt, tools}},
	{Name: PostAgent, Aliases: []string{"after_agent"}, Help: "an agent has run",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "agent_name", Fields: []Field{agentName, prompt, result, response, duration, usage}},
	{Name: PreModelCall, Aliases: []string{"before_llm", "BeforeModel"}, Help: "a request is about to go to the model",
		Blocking: BlockAction, OnFailure: Block, MatchOn: "model", Fields: []Field{model, messages, tools, systemPrompt, temperature, maxTokens}, Modify: []string{"model", "messages", "tools", "system_prompt", "temperature", "max_tokens"}},
	{Name: PostModelCall, Aliases: []string{"after_llm", "AfterModel"}, Help: "the model has answered a request",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "model", Fields: []Field{model, messages, response, usage, duration, field("finish_reason", String, "why the model stopped", `"end_turn"`)}},
	{Name: PreToolSelection, Aliases: []string{"BeforeToolSelection", "before_tool_definitions"}, Help: "the tools that the model may choose from are being put together",
		Blocking: BlockAction, OnFailure: Warn, MatchOn: "model", Fields: []Field{tools, model, messages}, Modify: []string{"tools"}},
	{Name: PreToolCall, Aliases: []string{"pre-tool-call", "before_tool", "PreToolUse", "pre_tool_use", "BeforeTool", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile", "pre_run_command", "pre_read_code", "pre_write_code", "pre_mcp_tool_use"}, Help: "a tool is about to be called",
		Blocking: BlockAction, OnFailure: Block, Guards: true, MatchOn: "tool_call", Fields: []Field{toolCall}, Modify: []string{"tool_call"}},
	{Name: PostToolCall, Aliases: []string{"post-tool-call", "after_tool", "PostToolUse", "post_tool_use", "AfterTool", "PostToolUseFailure", "postToolUseFailure", "afterShellExecution", "afterMCPExecution", "afterFileEdit", "post_run_command", "post_read_code", "post_write_code", "post_mcp_tool_use"}, Help: "a tool call is over: ok, error, denied or timeout; exactly one follows each pre_tool_call",
		Blocking: BlockFeedback, OnFailure: Warn, MatchOn: "tool_call", Fields: []Field{toolResult, failure}, Output: "tool_call.output"},
	{Name: PostToolBatch, Aliases: []string{"PostToolBatch"}, Help: "all tool calls of one model answer are over",
		Blocking: BlockFeedback, OnFailure: Warn, Fields: []Field{field("tool_calls", List, "the calls, each like tool_call", `[{"name":"read","input":{"file_path":"cart.go"},"outcome":"ok"}]`)}},
	{Name: ToolResultPersist, Aliases: []string{"TOOL_RESULT_PERSIST"}, Help: "a tool's result is about to be stored in the conversation",
		Blocking: BlockAction, OnFailure: Block, MatchOn: "tool_call", Fields: []Field{toolResult}, Output: "tool_call.output"},
	{Name: PermissionRequest, Aliases: []string{"PermissionRequest", "on_permission_ask"}, Help: "the host is about to ask the user whether a tool may run",
		Blocking: BlockAction, OnFailure: Block, Guards: true, MatchOn: "tool_call", Fields: []Field{toolCall, reason}, Modify: []string{"tool_call"}},
	{Name: PermissionDenied, Aliases: []string{"PermissionDenied"}, Help: "a tool was not allowed to run",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "tool_call", Fields: []Field{toolCall, reason}},
	{Name: Stop, Aliases: []string{"Stop", "agentStop", "AfterAgent"}, Help: "the agent wants to end its turn; a deny keeps it going with the reason",
		Blocking: BlockFeedback, Continues: true, OnFailure: Warn, Fields: []Field{response, field("loop_count", Integer, "how often a hook has kept it going", `0`), reason}},
	{Name: StopFailure, Aliases: []string{"StopFailure"}, Help: "the turn ended with an error",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "error.kind", Fields: []Field{failure, response}},
	{Name: Interrupt, Aliases: []string{"Interrupt"}, Help: "the user broke off the turn",
		Blocking: BlockNever, OnFailure: Warn, Fields: []Field{reason}},
	{Name: SubagentStart, Aliases: []string{"SubagentStart"}, Help: "a subagent is about to start",
		Blocking: BlockAction, OnFailure: Warn, MatchOn: "agent_name", Fields: []Field{agentName, prompt}},
	{Name: SubagentStop, Aliases: []string{"SubagentStop"}, Help: "a subagent wants to end; a deny keeps it going with the reason",
		Blocking: BlockFeedback, Continues: true, OnFailure: Warn, MatchOn: "agent_name", Fields: []Field{agentName, result, response, usage}},
	{Name: PreCompact, Aliases: []string{"PreCompact", "PreCompress", "before_compaction", "context_compact"}, Help: "the conversation is about to be compacted",
		Blocking: BlockAction, OnFailure: Warn, MatchOn: "trigger", Fields: []Field{trigger, tokenCount, field("message_count", Integer, "messages before", `240`)}},
	{Name: PostCompact, Aliases: []string{"after_compaction", "PostCompact"}, Help: "the conversation has been compacted",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "trigger", Fields: []Field{trigger, tokenCount, field("new_token_count", Integer, "tokens after", `31000`), field("summary", String, "what the conversation became", `"Totals are rounded half to even; tests pass."`)}},
	{Name: OnError, Aliases: []string{"on-error", "ON_ERROR", "errorOccurred"}, Help: "something went wrong: a tool, the model, the agent, a hook",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "error.kind", Fields: []Field{anyFailure, agentName, attempt}},
	{Name: OnRetry, Aliases: []string{"ON_RETRY"}, Help: "a failed step is about to be tried again",
		Blocking: BlockAction, OnFailure: Warn, MatchOn: "error.kind", Fields: []Field{attempt, field("max_retries", Integer, "how many tries there will be", `5`), field("tool_name", String, "the tool that is tried again, if it is one", `"web"`), failure, field("delay", Number, "seconds until the next try", `4`), agentName}},
	{Name: OnClaim, Aliases: []string{"on-claim"}, Help: "an agent is about to take an issue",
		Blocking: BlockAction, OnFailure: Warn, Fields: []Field{issueID, title}},
	{Name: PreClose, Aliases: []string{"pre-close"}, Help: "an issue is about to be closed",
		Blocking: BlockAction, OnFailure: Block, Fields: []Field{issueID, title, reason}},
	{Name: OnBlock, Aliases: []string{"on-block"}, Help: "an issue was marked as blocked",
		Blocking: BlockNever, OnFailure: Warn, Fields: []Field{issueID, title, reason}},
	{Name: TaskCreated, Aliases: []string{"TaskCreated"}, Help: "a task is about to be added to the list",
		Blocking: BlockAction, OnFailure: Warn, Fields: []Field{taskID, title, field("description", String, "what is to be done", `"Use banker's rounding"`)}},
	{Name: TaskCompleted, Aliases: []string{"TaskCompleted"}, Help: "a task is about to be ticked off",
		Blocking: BlockAction, OnFailure: Warn, Fields: []Field{taskID, title, field("description", String, "what was to be done", `"Use banker's rounding"`)}},
	{Name: ParallelJoin, Aliases: []string{"on_parallel_join"}, Help: "parallel branches of a run have come together",
		Blocking: BlockNever, OnFailure: Warn, Fields: []Field{field("branches", List, "the branches, each {name, success, result}", `[{"name":"lint","success":true},{"name":"test","success":false}]`), duration}},
	{Name: Notification, Aliases: []string{"Notification"}, Help: "the host tells the user something",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "type", Fields: []Field{field("type", String, "what kind of notification", `"idle_prompt"`), field("message", Any, "the text", `"The agent is waiting for you"`), title}},
	{Name: MessageReceived, Aliases: []string{"MESSAGE_RECEIVED"}, Help: "a message came in over a channel",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "channel", Fields: []Field{message, platform, channel, field("sender", String, "who wrote it", `"ana"`)}},
	{Name: MessageSending, Aliases: []string{"MESSAGE_SENDING"}, Help: "a message is about to go out over a channel",
		Blocking: BlockAction, OnFailure: Block, MatchOn: "channel", Fields: []Field{message, platform, channel, field("recipient", String, "who gets it", `"ana"`)}, Modify: []string{"message"}},
	{Name: MessageSent, Aliases: []string{"MESSAGE_SENT"}, Help: "a message has gone out over a channel",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "channel", Fields: []Field{message, platform, channel, field("recipient", String, "who got it", `"ana"`)}},
	{Name: GatewayStart, Aliases: []string{"GATEWAY_START"}, Help: "a messaging gateway has started",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "channel", Fields: []Field{platform, channel}},
	{Name: GatewayStop, Aliases: []string{"GATEWAY_STOP"}, Help: "a messaging gateway has stopped",
		Blocking: BlockNever, OnFailure: Warn, MatchOn: "channel", Fields: []Field{platform, channel, reason}},
}
