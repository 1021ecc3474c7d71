// Package einohook puts agents of CloudWeGo's Eino under luahook: their tools, their models, the
// agents themselves and their runs.
//
//	Handlers: []adk.ChatModelAgentMiddleware{einohook.Handler(e)}
//
// [Handler] goes to an agent, as the last of its Handlers, [ToolMiddleware] to a ToolsNode in a
// graph without an agent. [Run] and [Resume] are Runner.Run and Runner.ResumeWithParams with the
// events of a run around them.
//
// A hook's deny is what the model reads, never an error of the run. A hook's ask interrupts the
// run with a [Question], which is answered by resuming it with an [Approval].
package einohook

import (
	"context"

	"github.com/cloudwego/eino/adk"
	"github.com/cloudwego/eino/compose"
	"github.com/cloudwego/eino/schema"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
)

// Option is a setting of [Handler], [ToolMiddleware] and, by way of [RunOptions], of [Run].
type Option = adapter.Option

// Message is what hooks say to people.
type Message = adapter.Message

// WithCaller says of the caller what Eino doesn't know: the session, the working folder, the
// model. What [engine.WithCaller] says in the context of one run comes first.
func WithCaller(c engine.Caller) Option { return adapter.WithCaller(c) }

// WithBlockingAsk has the function of [engine.WithAsk] or [engine.AskWith] answer where a hook
// asks, while the call waits, in place of an interrupt.
func WithBlockingAsk() Option { return adapter.WithBlockingAsk() }

// WithoutModelEvents fires no event for calls of the model.
func WithoutModelEvents() Option { return adapter.WithoutModelEvents() }

// WithStreamsPassedThrough hands on what a streaming tool says while it speaks. Hooks of
// post_tool_call see it when it is over, and can't replace it any more.
func WithStreamsPassedThrough() Option { return adapter.WithStreamsPassedThrough() }

// WithToolKinds says by name what tools do that luahook's table of names doesn't know.
func WithToolKinds(kinds map[string]hooks.Kind) Option { return adapter.WithToolKinds(kinds) }

// WithMessages hands over what hooks say to the user, and warnings. tell may be called from
// several goroutines at once, and must return soon.
func WithMessages(tell func(ctx context.Context, m Message)) Option {
	return adapter.WithMessages(tell)
}

// RunOptions gives options to [Run] and [Resume].
func RunOptions(o ...Option) adk.AgentRunOption {
	return adk.WrapImplSpecificOptFn(func(s *runSettings) { s.options = append(s.options, o...) })
}

type runSettings struct{ options []Option }

// Handler puts an agent under the engine's hooks. It goes last into Handlers of
// [adk.ChatModelAgentConfig], so that hooks see what the tool and the model will really get, and
// what they said before others change it. Eino doesn't hand it on to other agents: agents that
// are tools or sub-agents of this one need it, too. One value may serve any number of agents.
//
// A halt ends the turn: the model isn't asked any more, and the agent's last message says why.
// A tool that fails ends the run with its error, as it does without hooks, unless a hook of
// post_tool_call has put something in the place of its output.
func Handler(e *engine.Engine, o ...Option) adk.ChatModelAgentMiddleware {
	return &handler{hook: &hook{adapter.New(e, o...)}}
}

// ToolMiddleware puts the tools of a [compose.ToolsNode] under the engine's hooks, whatever their
// kind. It goes last into ToolCallMiddlewares. Where an agent has [Handler], leave it out: tools
// would be judged twice. There is no turn here that could be ended: a halt is the error of the
// node, an [*engine.ToolError].
func ToolMiddleware(e *engine.Engine, o ...Option) compose.ToolMiddleware {
	return (&hook{adapter.New(e, o...)}).middleware()
}

// hook is what the ways in share.
type hook struct{ adapter *adapter.Adapter }

// Question is the Info of the interrupt by which a hook asks a person.
type Question struct {
	CallID string
	Tool   string
	Input  string // JSON, as hooks have left it
	Reason string // why a hook asks
}

// Approval is the answer to a [Question]: the value for its id in Targets of [adk.ResumeParams].
// Without one for its id the run asks again.
type Approval struct {
	Approved bool
	Comment  string // what the model reads of a no
}

// progress is what luahook leaves in the checkpoint with a call that waits.
type progress struct {
	Granted bool // a person has said yes to it
}

func init() {
	schema.RegisterName[*Question]("luahook_question")
	schema.RegisterName[*Approval]("luahook_approval")
	schema.RegisterName[*progress]("luahook_progress")
}
