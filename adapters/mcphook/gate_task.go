package mcphook

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// methodTaskResult asks for the result of a task.
const methodTaskResult = "tasks/result"

// tasksExtension has a server answer a call with a task when it wants to. Its results come in
// ways that nobody here judges.
const tasksExtension = "io.modelcontextprotocol/tasks"

// maxJudgedTasks is how many tasks are remembered whose result was judged.
const maxJudgedTasks = 64

// task is a call that the server runs as a task. The result that the client asks for is judged
// with the call, once: where the server gives another one later, it doesn't pass.
type task struct {
	given  chan *jsonrpc.Response // by the server, for the call
	digest []byte                 // of what was given; guarded by the gate
	judged chan struct{}          // closed when the call is over
	answer *jsonrpc.Response      // what has become of it, set before that
}

// taskID is that of the task that a result is about; "": there is none.
func taskID(answer *jsonrpc.Response) string {
	o, err := parseObject(answer.Result)
	if err != nil {
		return ""
	}
	t, err := parseObject(o.get("task"))
	if err != nil {
		return ""
	}
	id, _ := t.text("taskId")
	return id
}

// runTask tells the client of the task, which is the answer to its call, and waits until it has
// asked for the task's result.
func (g *gate) runTask(ctx context.Context, id string, r *request, answer *jsonrpc.Response) (*task, *jsonrpc.Response, error) {
	t := &task{given: make(chan *jsonrpc.Response, 1), judged: make(chan struct{})}
	g.mu.Lock()
	twice := g.tasks[id] != nil
	if !twice {
		g.tasks[id] = t
	}
	g.mu.Unlock()
	if twice {
		return nil, nil, fmt.Errorf("the server has given the task %q to another call before", id)
	}
	g.reply(ctx, answer.ID, r, answer)
	select {
	case given := <-t.given:
		return t, given, nil
	case <-ctx.Done():
		return t, nil, errors.New("the connection ended before the task's result was asked for")
	}
}

// endTask is the end of a task's call. Some that have ended are kept, for clients that ask again.
func (g *gate) endTask(id string, t *task, answer *jsonrpc.Response) {
	t.answer = answer
	close(t.judged)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.ended = append(g.ended, id); len(g.ended) > maxJudgedTasks {
		delete(g.tasks, g.ended[0])
		g.ended = g.ended[1:]
	}
}

// taskResult judges the answer to a tasks/result, with the call that the task belongs to.
func (g *gate) taskResult(ctx context.Context, m *jsonrpc.Request, r *request) *jsonrpc.Response {
	answer, err := g.await(ctx, r)
	if err != nil {
		return failed(m.ID, jsonrpc.CodeInternalError, err.Error())
	}
	id := ""
	if params, err := parseObject(m.Params); err == nil {
		id, _ = params.text("taskId")
	}
	digest := sha256.New()
	fmt.Fprintf(digest, "%s %v", answer.Result, answer.Error)
	sum := digest.Sum(nil)
	g.mu.Lock()
	t := g.tasks[id]
	first := t != nil && t.digest == nil
	if first {
		t.digest = sum
	}
	g.mu.Unlock()
	switch {
	case t == nil:
		return failed(m.ID, jsonrpc.CodeInvalidParams, fmt.Sprintf("the result of the task %q can't be judged: luahook doesn't know its call", id))
	case first:
		t.given <- answer
	case !bytes.Equal(t.digest, sum):
		return failed(m.ID, jsonrpc.CodeInternalError, fmt.Sprintf("the result of the task %q isn't the one that was judged", id))
	}
	select {
	case <-t.judged:
		return &jsonrpc.Response{ID: m.ID, Result: t.answer.Result, Error: t.answer.Error}
	case <-ctx.Done():
		return failed(m.ID, jsonrpc.CodeInternalError, "the task's result was not judged in time")
	}
}

// withoutTasks is a call whose client doesn't know the extension of tasks.
func withoutTasks(params object) object {
	const capabilities = "io.modelcontextprotocol/clientCapabilities"
	meta, err := parseObject(params.get("_meta"))
	if err != nil {
		return params
	}
	can, err := parseObject(meta.get(capabilities))
	if err != nil {
		return params
	}
	extensions, err := parseObject(can.get("extensions"))
	if err != nil || extensions.get(tasksExtension) == nil {
		return params
	}
	can = can.with("extensions", extensions.without(tasksExtension).encode())
	return params.with("_meta", meta.with(capabilities, can.encode()).encode())
}
