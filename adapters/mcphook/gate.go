package mcphook

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/engine/adapter"
	"github.com/luahook/luahook/hooks"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Limits of a gate.
const (
	maxPending = 1024                // requests of the client that are under way, and tasks
	maxHeld    = 64 << 20            // bytes of their tool calls, all together
	maxJudged  = 16                  // results that are judged at the same time
	maxMessage = hooks.MaxEventBytes // of a call, and of a result that is judged
	lastWords  = 10 * time.Second    // for what is under way when the client has said its last word
)

// Gate stands between a client and a server, and passes on what they say to each other until one
// of them ends the connection, or ctx does. It is for agents that have no hooks: they are given
// the gate in the server's place. Messages pass as they are, but for white space between their
// parts, with these exceptions:
//
//   - tools/call fires pre_tool_call and post_tool_call for mcp__NAME__TOOL. A refused call never
//     reaches the server; the client gets a result with isError and the reason. A result that hooks
//     leave alone passes as it is. Of a call that is run as a task the result is judged that
//     tasks/result gives.
//   - tools/list fires pre_tool_selection, once for each page.
//   - The first request but ping fires session_start, whose deny refuses all requests of the
//     session. What its hooks add for the model joins the server's instructions. session_end
//     follows when the connection has ended.
//
// name is that of the server, as hooks see it; "" stands for what the server says of itself. In
// both, what is no letter, digit, - or _ becomes _.
//
// Where a hook asks, the client asks its user (elicitation). If the client can't, the function of
// [engine.WithAsk] is asked, and without one the call is refused.
//
// 1024 requests of the client may be under way at a time, with 64 MiB of tool calls; a call or a
// result of more than 16 MiB isn't judged. What is beyond that gets an error. A call that has no
// id, a request with the id of another that is under way, and an answer to no request don't pass.
// [WithMessages] is warned of them.
//
// Gate connects both transports, the server's first, and closes them. The error is nil where the
// client has ended the connection; [ErrServerEnded] says that the server did.
func Gate(ctx context.Context, e *engine.Engine, name string, client, server mcp.Transport, o ...Option) error {
	g := &gate{
		adapter: adapter.New(e, o...), session: rand.Text(), fixedName: plainName(name), started: time.Now(),
		judged: make(chan struct{}, maxJudged), leaving: make(chan struct{}), idle: make(chan struct{}, 1),
		pending: map[jsonrpc.ID]*request{}, asks: map[string]chan *jsonrpc.Response{}, tasks: map[string]*task{}, waiting: map[string]waiting{},
	}
	var err error
	if g.server, err = server.Connect(ctx); err != nil {
		return fmt.Errorf("the server can't be reached: %w", err)
	}
	if g.client, err = client.Connect(ctx); err != nil {
		return errors.Join(fmt.Errorf("the client can't be reached: %w", err), g.server.Close())
	}
	return g.run(ctx)
}

// ErrServerEnded is the error of a gate whose server has ended the connection.
var ErrServerEnded = errors.New("the server has ended the connection")

// gate is one connection.
type gate struct {
	adapter        *adapter.Adapter
	client, server mcp.Connection
	session        string // its id
	fixedName      string // of the server; "": what it says
	started        time.Time

	begin  sync.Once
	begun  bool
	denied error  // by session_start
	added  string // by session_start, for the model

	work    sync.WaitGroup // a goroutine for each request that is judged
	judged  chan struct{}  // holds one for each result that is judged
	leaving chan struct{}  // closed when one side has ended the connection
	idle    chan struct{}  // told when no request is under way any more

	mu      sync.Mutex
	peer    peer
	named   string // what the server calls itself
	pending map[jsonrpc.ID]*request
	held    int
	telling int                               // answers that are being written to the client
	asks    map[string]chan *jsonrpc.Response // of our own
	tasks   map[string]*task
	waiting map[string]waiting // calls that the client makes again, by their token
	order   []string           // of the tokens
	ended   []string           // the tasks whose call is over
}

// request is a request of the client that is under way.
type request struct {
	method string
	size   int                    // of what is held of it
	answer chan *jsonrpc.Response // nil: the answer passes as it is
	cancel context.CancelFunc     // nil: as answer

	sending sync.Mutex // held while it is written to the server
	sent    bool
	over    bool // the client has cancelled it, and wants no answer

	answered bool // guarded by the gate, as is the next
	counted  bool // its answer is one of those that are judged
}

// run passes messages on until one side ends.
func (g *gate) run(ctx context.Context) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	fromServer, fromClient := make(chan error, 1), make(chan error, 1)
	var pumps sync.WaitGroup
	pumps.Go(func() { fromServer <- g.pump(ctx, g.server, g.fromServer) })
	pumps.Go(func() { fromClient <- g.pump(ctx, g.client, g.fromClient) })
	var err error
	select {
	case err = <-fromClient:
		close(g.leaving)
		if !g.settle(fromServer) && err == nil {
			err = ErrServerEnded
			g.refusePassing(ctx)
			g.settle(nil)
		}
	case err = <-fromServer:
		close(g.leaving)
		err = errors.Join(ErrServerEnded, err)
		g.refusePassing(ctx)
		g.settle(nil)
	}
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	stop(ErrServerEnded)
	closing := errors.Join(g.server.Close(), g.client.Close())
	pumps.Wait()
	g.work.Wait()
	g.endSession(err, closing)
	return err
}

// pump takes what one side says until it ends.
func (g *gate) pump(ctx context.Context, from mcp.Connection, take func(context.Context, jsonrpc.Message)) error {
	for {
		m, err := from.Read(ctx)
		switch {
		case err == nil:
			take(ctx, m)
		case errors.Is(err, io.EOF), ctx.Err() != nil:
			return nil
		default:
			return err
		}
	}
}

// settle waits until no request is under way, some time at most. It reports false where the server
// ends before.
func (g *gate) settle(fromServer <-chan error) bool {
	over := time.NewTimer(lastWords)
	defer over.Stop()
	for {
		g.mu.Lock()
		left := len(g.pending) + g.telling
		g.mu.Unlock()
		if left == 0 {
			return true
		}
		select {
		case <-g.idle:
		case <-fromServer:
			return false
		case <-over.C:
			return true
		}
	}
}

// fromClient is one message of the client.
func (g *gate) fromClient(ctx context.Context, m jsonrpc.Message) {
	switch m := m.(type) {
	case *jsonrpc.Response:
		if !g.answersAsk(m) {
			g.toServer(ctx, m)
		}
	case *jsonrpc.Request:
		switch {
		case m.IsCall():
			g.request(ctx, m)
		case m.Method == methodCall:
			g.warn(ctx, "a tools/call without an id was dropped: nobody could be told what hooks say of it")
		case m.Method == "notifications/cancelled":
			g.cancel(ctx, m)
		default:
			g.toServer(ctx, m)
		}
	}
}

// fromServer is one message of the server.
func (g *gate) fromServer(ctx context.Context, m jsonrpc.Message) {
	answer, ok := m.(*jsonrpc.Response)
	if !ok {
		g.toClient(ctx, m)
		return
	}
	g.mu.Lock()
	r := g.pending[answer.ID]
	if r == nil || r.answered {
		g.mu.Unlock()
		g.warn(ctx, "an answer of the server was dropped: no request %v is under way", answer.ID.Raw())
		return
	}
	r.answered = true
	g.mu.Unlock()
	if r.answer == nil {
		answer = g.learn(r, answer)
		g.tell(ctx, r, answer)
		return
	}
	select {
	case g.judged <- struct{}{}:
	case <-ctx.Done():
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if r.counted = g.pending[answer.ID] == r; r.counted {
		r.answer <- answer
	} else { // nobody waits for it any more
		<-g.judged
	}
}

// request is a request of the client.
func (g *gate) request(ctx context.Context, m *jsonrpc.Request) {
	if m.Method != methodPing {
		g.begin.Do(func() { g.startSession(ctx, m) })
		if g.denied != nil {
			g.toClient(ctx, failed(m.ID, jsonrpc.CodeInvalidRequest, g.denied.Error()))
			return
		}
	}
	if m.Method == methodInitialize {
		g.mu.Lock()
		g.peer, _ = peerOf(m)
		g.mu.Unlock()
	}
	r := &request{method: m.Method}
	var judge func(ctx context.Context, m *jsonrpc.Request, r *request) *jsonrpc.Response
	switch m.Method {
	case methodCall:
		r.size, judge = len(m.Params), g.call
	case methodList:
		judge = g.list
	case methodTaskResult:
		judge = g.taskResult
	}
	if judge != nil {
		r.answer = make(chan *jsonrpc.Response, 1)
		ctx, r.cancel = context.WithCancel(g.context(ctx))
	}
	if err := g.register(m.ID, r); err != nil {
		if r.cancel != nil {
			r.cancel()
		}
		g.toClient(ctx, failed(m.ID, jsonrpc.CodeInvalidRequest, err.Error()))
		return
	}
	if judge == nil || m.Method != methodCall { // in its turn
		if err := g.send(ctx, m, r); err != nil {
			g.tell(ctx, r, failed(m.ID, jsonrpc.CodeInternalError, err.Error()))
			return
		}
	}
	if judge != nil {
		g.work.Go(func() {
			defer r.cancel()
			g.reply(ctx, m.ID, r, judge(ctx, m, r))
		})
	}
}

// register puts a request down as under way.
func (g *gate) register(id jsonrpc.ID, r *request) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	switch {
	case g.pending[id] != nil:
		return fmt.Errorf("another request with the id %v is under way", id.Raw())
	case len(g.pending)+len(g.tasks) >= maxPending:
		return fmt.Errorf("more than %d requests are under way", maxPending)
	case g.held+r.size > maxHeld:
		return errors.New("the calls that are under way are larger than 64 MiB")
	}
	g.pending[id] = r
	g.held += r.size
	return nil
}

// forget is the end of a request. Of one that has ended it does nothing.
func (g *gate) forget(id jsonrpc.ID, r *request) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.pending[id] != r {
		return
	}
	delete(g.pending, id)
	g.held -= r.size
	if r.counted {
		<-g.judged
	}
	g.noteIdle()
}

// noteIdle tells who waits that nothing is under way any more.
func (g *gate) noteIdle() {
	if len(g.pending)+g.telling == 0 {
		select {
		case g.idle <- struct{}{}:
		default:
		}
	}
}

// tell ends a request and answers it: a client may use an id again once it has the answer.
func (g *gate) tell(ctx context.Context, r *request, answer *jsonrpc.Response) {
	g.mu.Lock()
	g.telling++
	g.mu.Unlock()
	g.forget(answer.ID, r)
	g.toClient(ctx, answer)
	g.mu.Lock()
	defer g.mu.Unlock()
	g.telling--
	g.noteIdle()
}

// reply ends a request that was judged, and answers it unless the client has cancelled it. nil is
// no answer.
func (g *gate) reply(ctx context.Context, id jsonrpc.ID, r *request, answer *jsonrpc.Response) {
	r.sending.Lock()
	over := r.over
	r.sending.Unlock()
	if answer == nil || over {
		g.forget(id, r)
		return
	}
	g.tell(ctx, r, answer)
}

// Why a call doesn't go on.
var (
	errCancelled = errors.New("the client has cancelled it")
	errLeaving   = errors.New("the connection has ended")
)

// send writes a request to the server, unless the client has cancelled it.
func (g *gate) send(ctx context.Context, m *jsonrpc.Request, r *request) error {
	r.sending.Lock()
	defer r.sending.Unlock()
	if r.over {
		return errCancelled
	}
	err := g.server.Write(ctx, m)
	if r.sent = err == nil; !r.sent {
		return fmt.Errorf("the server can't be reached: %w", err)
	}
	return nil
}

// await is the server's answer to a request that was sent.
func (g *gate) await(ctx context.Context, r *request) (*jsonrpc.Response, error) {
	select {
	case answer := <-r.answer:
		return answer, nil
	case <-ctx.Done():
		r.sending.Lock()
		defer r.sending.Unlock()
		if r.over {
			return nil, errCancelled
		}
		select {
		case <-g.leaving:
			return nil, errLeaving
		default:
			return nil, context.Cause(ctx)
		}
	}
}

// cancel passes the end of a request on to a server that knows of it.
func (g *gate) cancel(ctx context.Context, m *jsonrpc.Request) {
	id, err := cancelledID(m)
	g.mu.Lock()
	r := g.pending[id]
	g.mu.Unlock()
	if err != nil || r == nil {
		g.toServer(ctx, m)
		return
	}
	r.sending.Lock()
	r.over = true
	sent := r.sent
	r.sending.Unlock()
	if sent {
		g.toServer(ctx, m)
	}
	if r.cancel != nil {
		r.cancel()
	} else {
		g.forget(id, r)
	}
}

// refusePassing answers what the server hasn't, and what nobody judges.
func (g *gate) refusePassing(ctx context.Context) {
	g.mu.Lock()
	var passing []jsonrpc.ID
	for id, r := range g.pending {
		if r.answer == nil {
			passing = append(passing, id)
			delete(g.pending, id)
		} else {
			r.cancel()
		}
	}
	g.mu.Unlock()
	for _, id := range passing {
		g.toClient(ctx, failed(id, jsonrpc.CodeInternalError, errLeaving.Error()))
	}
}

// toClient writes to the client. That it is gone is seen by who reads from it.
func (g *gate) toClient(ctx context.Context, m jsonrpc.Message) {
	if err := g.client.Write(context.WithoutCancel(ctx), m); err != nil {
		g.warn(ctx, "the client couldn't be told something: %v", err)
	}
}

// toServer writes to the server what wants no answer.
func (g *gate) toServer(ctx context.Context, m jsonrpc.Message) {
	if err := g.server.Write(ctx, m); err != nil {
		g.warn(ctx, "the server couldn't be told something: %v", err)
	}
}

func (g *gate) warn(ctx context.Context, format string, args ...any) {
	g.adapter.Warn(ctx, hooks.PreToolCall, format, args...)
}

// failed is an error as an answer.
func failed(id jsonrpc.ID, code int64, message string) *jsonrpc.Response {
	return &jsonrpc.Response{ID: id, Error: &jsonrpc.Error{Code: code, Message: message}}
}
