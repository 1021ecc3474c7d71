package mcphook_test

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// policy is what the hooks of most tests do.
const policy = `
on("pre_tool_call", { match = "mcp__shop__danger" }, function(event) return deny("use echo") end)
on("pre_tool_call", { match = "mcp__shop__rewrite" }, function(event)
	return modify({ text = event.tool_call.input.text .. "!", n = 1 })
end)
on("pre_tool_call", { match = "mcp__shop__approve" }, function(event) return ask("needs a person") end)
on("pre_tool_call", { match = "mcp__shop__cached" }, function(event) return respond({ said = "from the cache" }) end)
on("post_tool_call", { match = "mcp__shop__secret" }, function(event) return output("***") end)
on("post_tool_call", { match = "mcp__shop__hint", name = "guide" }, function(event) return context("see the guide") end)
on("post_tool_call", { match = "mcp__shop__bad" }, function(event) return deny("that was not wanted") end)
`

func TestGatePassesOtherMessagesOn(t *testing.T) {
	g := tryGate(t, policy)
	fromClient := []string{
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"<&>\u2028","_meta":{"progressToken":7}}}`,
		`{"jsonrpc":"2.0","id":"1","method":"resources/read","params":{"uri":"file:///a","uri2":1.0e2}}`,
		`{"jsonrpc":"2.0","id":2,"method":"prompts/get","params":{"name":"p","arguments":{"b":1,"a":2}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"completion/complete","params":[1,2]}`,
		`{"jsonrpc":"2.0","id":4,"method":"logging/setLevel","params":{"level":"debug"}}`,
		`{"jsonrpc":"2.0","id":5,"method":"resources/subscribe","params":{"uri":"x"}}`,
		`{"jsonrpc":"2.0","id":6,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":7,"method":"acme/unknown","params":{"twice":1,"twice":2}}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.50}}`,
		`{"jsonrpc":"2.0","method":"notifications/roots/list_changed"}`,
		`{"jsonrpc":"2.0","id":"of-the-server","result":{"roots":[]}}`,
		`{"jsonrpc":"2.0","id":99,"error":{"code":-1,"message":"no","data":{"z":1,"a":[]}}}`,
	}
	for _, m := range fromClient {
		g.client.say(m)
		g.server.want(m)
	}
	fromServer := []string{
		`{"jsonrpc":"2.0","id":1,"result":{"resources":[{"uri":"a","name":"<b>"}],"x":1.0}}`,
		`{"jsonrpc":"2.0","id":1,"method":"sampling/createMessage","params":{"messages":[]}}`,
		`{"jsonrpc":"2.0","id":"s","method":"elicitation/create","params":{"message":"?"}}`,
		`{"jsonrpc":"2.0","id":9,"method":"roots/list"}`,
		`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":null}}`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"s"}}`,
		`{"jsonrpc":"2.0","id":"1","error":{"code":-32002,"message":"not found","data":{"uri":"file:///a"}}}`,
		`{"jsonrpc":"2.0","id":7,"result":{"twice":1,"twice":2}}`,
	}
	for _, m := range fromServer {
		g.server.say(m)
		g.client.want(m)
	}
	// A cancelled request is over: a late answer is none.
	g.client.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"late"}}`)
	g.server.want(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"late"}}`)
	g.server.say(`{"jsonrpc":"2.0","id":2,"result":{}}`)
	g.client.wantNothing(g.server)
}

func TestGateJudgesCalls(t *testing.T) {
	g := tryGate(t, policy)
	exchange := func(id, tool, arguments, arrives, answer, want string) {
		t.Helper()
		g.client.say(toolCall(id, tool, arguments))
		if arrives != "" {
			g.server.want(toolCall(id, tool, arrives))
			g.server.say(answer)
		}
		g.client.want(want)
	}
	plain := `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"k":[1.0]},"content":[{"type":"text","text":"<hi>","new":1}],"unheard":{"b":1,"a":2}}}`
	exchange(`1`, "echo", `{"z":1.0,"a":"\u003c"}`, `{"z":1.0,"a":"\u003c"}`, plain, plain)

	exchange(`2`, "danger", `{}`, "", "", `{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"use echo"}],"isError":true}}`)
	g.server.wantNothing(g.client)

	exchange(`"three"`, "rewrite", `{"text":"hi"}`, `{"n":1,"text":"hi!"}`, textResult(`"three"`, "done"), textResult(`"three"`, "done"))

	exchange(`4`, "secret", `{}`, `{}`, `{"jsonrpc":"2.0","id":4,"result":{"_meta":{"password":"hunter2"},"content":[{"type":"text","text":"hunter2"},{"type":"image","data":"aHVudGVyMg==","mimeType":"image/png"}]}}`,
		textResult(`4`, "***"))

	got := func() string {
		g.client.say(toolCall(`5`, "secret", `{}`))
		g.server.next()
		g.server.say(`{"jsonrpc":"2.0","id":5,"result":{"content":[],"structuredContent":{"password":"hunter2"}}}`)
		return g.client.next()
	}()
	if strings.Contains(got, "hunter2") || !strings.Contains(got, "***") {
		t.Errorf("of structured content comes %s", got)
	}

	exchange(`6`, "hint", `{}`, `{}`, `{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"a","x":1}],"structuredContent":{"y":1.0},"z":2}}`,
		`{"jsonrpc":"2.0","id":6,"result":{"content":[{"type":"text","text":"a","x":1},{"type":"text","text":"[hook guide] see the guide"}],"structuredContent":{"y":1.0},"z":2}}`)

	exchange(`7`, "bad", `{}`, `{}`, textResult(`7`, "done"),
		`{"jsonrpc":"2.0","id":7,"result":{"content":[{"type":"text","text":"done"},{"type":"text","text":"[hook] that was not wanted"}]}}`)

	exchange(`8`, "cached", `{}`, "", "", `{"jsonrpc":"2.0","id":8,"result":{"content":[{"type":"text","text":"{\"said\":\"from the cache\"}"}],"structuredContent":{"said":"from the cache"}}}`)
	g.server.wantNothing(g.client)

	refusal := `{"jsonrpc":"2.0","id":9,"error":{"code":-32602,"message":"no such tool","data":{"b":1,"a":2}}}`
	exchange(`9`, "echo", `{}`, `{}`, refusal, refusal)

	ends := g.of(hooks.PostToolCall)
	if len(ends) != 9 || len(g.of(hooks.PreToolCall)) != 9 {
		t.Errorf("9 calls have %d pre_tool_call and %d post_tool_call", len(g.of(hooks.PreToolCall)), len(ends))
	}
	for _, c := range ends {
		if c.AgentName != "tester" || c.SessionID == "" {
			t.Errorf("%s is of agent %q in session %q", c.ToolCall.Name, c.AgentName, c.SessionID)
		}
	}
	if first := ends[0].ToolCall; first.Name != "mcp__shop__echo" || first.Output != "<hi>" || first.Outcome != hooks.OutcomeOK {
		t.Errorf("the first call ended as %+v", first)
	}
}

func TestGateRunsCallsAtOnce(t *testing.T) {
	g := tryGate(t, policy)
	const calls = 200
	for i := range calls {
		g.client.say(toolCall(fmt.Sprint(i), "rewrite", fmt.Sprintf(`{"text":"%d"}`, i)))
	}
	var asked []string
	for range calls { // before any is answered
		asked = append(asked, g.server.next())
	}
	for i := range calls {
		if want := toolCall(fmt.Sprint(i), "rewrite", fmt.Sprintf(`{"n":1,"text":"%d!"}`, i)); !contains(asked, want) {
			t.Fatalf("the server hasn't got %s", want)
		}
		g.server.say(textResult(fmt.Sprint(i), fmt.Sprint("answer ", i)))
	}
	answers := map[string]bool{}
	for range calls {
		answers[g.client.next()] = true
	}
	for i := range calls {
		if !answers[textResult(fmt.Sprint(i), fmt.Sprint("answer ", i))] {
			t.Errorf("call %d has no answer of its own", i)
		}
	}
}

func contains(all []string, text string) bool {
	for _, s := range all {
		if s == text {
			return true
		}
	}
	return false
}

func TestGateCancelsCalls(t *testing.T) {
	held := make(chan struct{})
	g := newGateTrial(t, policy)
	var once sync.Once
	_, err := g.engine.RegisterHook(hooks.PreToolCall, hooks.Options{Name: "holder", Match: hooks.MustMatch("mcp__shop__held"), Timeout: patience}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		once.Do(func() { close(held) })
		<-ctx.Done()
		return nil, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g.start()
	g.introduce("2025-11-25", `{}`)

	g.client.say(toolCall(`1`, "echo", `{}`))
	g.server.next()
	const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%d,"reason":"no"}}`
	g.client.say(fmt.Sprintf(cancelled, 1))
	g.server.want(fmt.Sprintf(cancelled, 1)) // while the call is under way
	g.server.say(textResult(`1`, "too late"))

	g.client.say(toolCall(`2`, "held", `{}`))
	<-held
	g.client.say(fmt.Sprintf(cancelled, 2))
	g.client.say(toolCall(`3`, "echo", `{}`))
	g.server.want(toolCall(`3`, "echo", `{}`)) // of the second call the server hears nothing
	g.server.say(textResult(`3`, "ok"))
	g.client.want(textResult(`3`, "ok")) // nor the client of the two
	if err := g.end(); err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for _, c := range g.of(hooks.PostToolCall) {
		ends[c.ToolCall.Name]++
	}
	if want := (map[string]int{"mcp__shop__echo": 2, "mcp__shop__held": 1}); fmt.Sprint(ends) != fmt.Sprint(want) {
		t.Errorf("the calls ended as %v, want %v", ends, want)
	}
}

func TestGateAgainstHostileClients(t *testing.T) {
	g := tryGate(t, policy)
	refused := func(name, text string) {
		t.Helper()
		g.client.say(text)
		if got := g.client.next(); !strings.Contains(got, `"error":{"code":-326`) && !strings.Contains(got, `"isError":true`) {
			t.Errorf("%s: the answer is %s", name, got)
		}
		g.server.wantNothing(g.client)
	}
	call := func(params string) string {
		return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
	}
	refused("two arguments", call(`{"name":"echo","arguments":{"a":1},"arguments":{"b":2}}`))
	refused("two names", call(`{"name":"echo","name":"danger","arguments":{}}`))
	refused("an escaped second name", call(`{"name":"echo","\u006eame":"danger","arguments":{}}`))
	refused("a name in capitals", call(`{"name":"echo","Name":"danger","arguments":{}}`))
	refused("arguments in capitals", call(`{"name":"echo","arguments":{},"ARGUMENTS":{"b":2}}`))
	refused("a Kelvin sign", call(`{"name":"echo","_meta":{},"ta\u017fk":{}}`))
	refused("a doubled key in arguments", call(`{"name":"echo","arguments":{"a":{"x":1,"x":2}}}`))
	refused("arguments that are a list", call(`{"name":"echo","arguments":[]}`))
	refused("arguments that are a text", call(`{"name":"echo","arguments":"{}"}`))
	refused("no name", call(`{"arguments":{}}`))
	refused("a name that is a number", call(`{"name":5,"arguments":{}}`))
	refused("a name that is null", call(`{"name":null,"arguments":{}}`))
	refused("params that are a list", call(`["echo",{}]`))
	refused("no params", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`)
	refused("too many values", call(`{"name":"echo","arguments":{"a":[`+strings.Repeat("1,", 250_000)+`1]}}`))

	for _, m := range []string{
		`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{}}}`,
		`{"jsonrpc":"2.0","id":null,"method":"tools/call","params":{"name":"echo","arguments":{}}}`,
	} {
		g.client.say(m)
		g.server.wantNothing(g.client)
	}
	if !g.warned("without an id") {
		t.Error("nobody was told of the call without an id")
	}

	// Half a surrogate reads otherwise elsewhere: what is sent is what was judged.
	g.client.say(toolCall(`2`, "echo", `{"a":"x\ud83d","b":"\ud83d\ude00"}`))
	g.server.want("{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"arguments\":{\"a\":\"x\uFFFD\",\"b\":\"\U0001F600\"},\"name\":\"echo\"}}")
	g.client.say(toolCall(`3`, "echo", `{"b":"\ud83d\ude00\\ud83d"}`))
	g.server.want(toolCall(`3`, "echo", `{"b":"\ud83d\ude00\\ud83d"}`))

	// The second request with an id is refused, whatever it is, and the first goes on.
	refused("an id for the second time", toolCall(`2`, "echo", `{}`))
	refused("an id for the second time", `{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{}}`)
	g.server.say(textResult(`2`, "first"))
	g.client.want(textResult(`2`, "first"))
	g.client.say(toolCall(`2`, "echo", `{}`)) // it is free again
	g.server.want(toolCall(`2`, "echo", `{}`))

	// Odd names are judged as they are.
	for i, name := range []string{"a b", "ünï", "x__y", `q"uote`, "../..", ""} {
		id := fmt.Sprint(100 + i)
		g.client.say(toolCall(id, name, `{}`))
		if got := g.server.next(); got != toolCall(id, name, `{}`) {
			t.Errorf("of the tool %q comes %s", name, got)
		}
		var seen []string
		for _, c := range g.of(hooks.PreToolCall) {
			seen = append(seen, c.ToolCall.HostName)
		}
		if !contains(seen, "mcp__shop__"+name) {
			t.Errorf("no hook has seen %q: %q", name, seen)
		}
	}
}

func TestGateAgainstHostileServers(t *testing.T) {
	g := tryGate(t, policy)
	for name, result := range map[string]string{
		"a number": `5`, "a text": `"hi"`, "null": `null`, "a list": `[]`, "doubled content": `{"content":[],"content":[{"type":"text","text":"secret"}]}`,
		"content in capitals": `{"content":[],"Content":[{"type":"text","text":"secret"}]}`, "content that is none": `{"content":"secret"}`,
		"a block that is none": `{"content":[5]}`, "an unknown block": `{"content":[{"type":"hologram","data":"secret"}]}`, "null in content": `{"content":[null]}`,
		"an unknown type": `{"resultType":"other","taskId":"secret"}`, "a task unasked": `{"task":{"taskId":"secret"}}`, "the old result": `{"toolResult":"secret"}`,
		"a doubled key inside": `{"content":[{"type":"text","text":"ok","text":"secret"}]}`, "isError that is a text": `{"content":[],"isError":"secret"}`,
		"too many values": `{"content":[],"structuredContent":{"a":[` + strings.Repeat("1,", 250_000) + `"secret"]}}`,
	} {
		g.client.say(toolCall(`1`, "echo", `{}`))
		g.server.next()
		g.server.say(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)
		if got := g.client.next(); strings.Contains(got, "secret") || !strings.Contains(got, `"error"`) && !strings.Contains(got, `"isError":true`) {
			t.Errorf("%s: the client gets %s", name, got)
		}
	}
	// Answers to nothing, and second answers, don't pass.
	g.server.say(textResult(`77`, "unasked"))
	g.server.say(textResult(`"1"`, "unasked"))
	g.client.wantNothing(g.server)
	g.client.say(toolCall(`2`, "secret", `{}`))
	g.server.next()
	g.server.say(textResult(`2`, "hunter2"))
	g.server.say(textResult(`2`, "hunter2"))
	g.client.want(textResult(`2`, "***"))
	g.client.wantNothing(g.server)
	if !g.warned("no request 77 is under way") {
		t.Error("nobody was told of the answer to nothing")
	}
	// Neither result nor error.
	g.client.say(toolCall(`3`, "echo", `{}`))
	g.server.next()
	g.server.say(`{"jsonrpc":"2.0","id":3}`)
	g.client.wantParts(`"id":3`, `"error"`)
	// A large answer.
	g.client.say(toolCall(`4`, "echo", `{}`))
	g.server.next()
	g.server.say(textResult(`4`, strings.Repeat("hunter2 ", 2<<20+1)))
	g.client.wantParts(`"id":4`, "16 MiB")
}

func TestGateHasLimits(t *testing.T) {
	g := tryGate(t, policy)
	for i := range 1024 {
		g.client.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"resources/list"}`, i))
		g.server.next()
	}
	g.client.say(toolCall(`5000`, "echo", `{}`))
	g.client.wantParts(`"id":5000`, "more than 1024 requests are under way")
	g.server.say(`{"jsonrpc":"2.0","id":7,"result":{}}`)
	g.client.next()
	g.client.say(toolCall(`5000`, "echo", `{}`))
	g.server.want(toolCall(`5000`, "echo", `{}`))
	g.server.say(`{"jsonrpc":"2.0","id":8,"result":{}}`)
	g.client.next()
	large := strings.Repeat("x", 16<<20)
	g.client.say(toolCall(`5001`, "echo", `{"a":"`+large+`"}`))
	g.client.wantParts(`"id":5001`, "larger than 16 MiB")
	g.client.say(`{"jsonrpc":"2.0","id":5002,"method":"tools/call","params":{"name":"echo","arguments":{},"_meta":{"a":"` + large + `"}}}`)
	g.client.wantParts(`"id":5002`, "larger than 16 MiB")
}

// What is under way may be so large together, and what has ended counts no more.
func TestGateHoldsSoMuchOfCalls(t *testing.T) {
	g := tryGate(t, policy)
	large := `{"a":"` + strings.Repeat("x", 15<<20) + `"}`
	for i := range 4 {
		g.client.say(toolCall(strconv.Itoa(i), "echo", large))
		g.server.next()
	}
	g.client.say(toolCall(`4`, "echo", large))
	g.client.wantParts(`"id":4`, "larger than 64 MiB")
	g.server.say(`{"jsonrpc":"2.0","id":2,"result":{"content":[]}}`)
	g.client.wantParts(`"id":2`, "content")
	g.client.say(toolCall(`4`, "echo", `{}`))
	g.server.want(toolCall(`4`, "echo", `{}`))
}

func TestGateSessions(t *testing.T) {
	g := newGateTrial(t, `on("session_start", function(event) return context("be nice") end)`)
	g.start()
	g.client.say(`{"jsonrpc":"2.0","id":0,"method":"ping"}`)
	g.server.next()
	g.server.say(`{"jsonrpc":"2.0","id":0,"result":{}}`)
	g.client.next()
	if n := len(g.of(hooks.SessionStart)); n != 0 {
		t.Errorf("a ping has started %d sessions", n)
	}
	g.client.say(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"tester","version":"1"}}}`)
	g.server.next()
	g.server.say(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","instructions":"we sell","x":1.0}}`)
	g.client.want(`{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-06-18","instructions":"we sell\n\nbe nice","x":1.0}}`)
	if err := g.end(); err != nil {
		t.Errorf("the client has ended it, and the error is %v", err)
	}
	starts, ends := g.of(hooks.SessionStart), g.of(hooks.SessionEnd)
	if len(starts) != 1 || len(ends) != 1 || starts[0].SessionID == "" || starts[0].SessionID != ends[0].SessionID || starts[0].AgentName != "tester" {
		t.Errorf("the session starts as %+v and ends as %+v", starts, ends)
	}
}

func TestGateRefusesSessions(t *testing.T) {
	g := newGateTrial(t, `on("session_start", function(event) return deny("not today") end)`)
	g.start()
	for _, method := range []string{"initialize", "tools/list", "resources/list"} {
		g.client.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{}}`, method))
		g.client.wantParts(`"id":1`, `"error"`, "not today")
	}
	g.client.say(toolCall(`2`, "echo", `{}`))
	g.client.wantParts(`"id":2`, `"error"`, "not today")
	g.server.wantNothing(g.client)
	if _ = g.end(); len(g.of(hooks.SessionEnd)) != 0 {
		t.Error("a session that was refused has ended")
	}
}

func TestGateAfterTheServer(t *testing.T) {
	g := tryGate(t, policy)
	g.client.say(toolCall(`1`, "echo", `{}`))
	g.server.next()
	g.client.say(`{"jsonrpc":"2.0","id":2,"method":"resources/list"}`)
	g.server.next()
	_ = g.server.Close()
	answers := g.client.next() + g.client.next()
	for _, part := range []string{`"id":1`, `"id":2`, "the connection has ended"} {
		if !strings.Contains(answers, part) {
			t.Errorf("the answers are %s, without %s", answers, part)
		}
	}
	if err := g.end(); !errors.Is(err, mcphook.ErrServerEnded) {
		t.Errorf("the error is %v", err)
	}
	if ends := g.of(hooks.PostToolCall); len(ends) != 1 || ends[0].ToolCall.Outcome != hooks.OutcomeError {
		t.Errorf("the call ended as %+v", ends)
	}
}

// A client that says its last word still gets the answers that come soon.
func TestGateAfterTheClient(t *testing.T) {
	g := tryGate(t, policy)
	g.client.say(toolCall(`1`, "echo", `{}`))
	g.server.next()
	over := make(chan struct{})
	go func() {
		defer close(over)
		_ = g.end()
	}()
	<-g.client.closed
	g.server.say(textResult(`1`, "late"))
	<-over
	if ends := g.of(hooks.PostToolCall); len(ends) != 1 || ends[0].ToolCall.Outcome != hooks.OutcomeOK || ends[0].ToolCall.Output != "late" {
		t.Errorf("the call ended as %+v", ends)
	}
}

func TestGateWithoutAnEngine(t *testing.T) {
	g := newGateTrial(t, "")
	g.engine = (*engine.Engine)(nil)
	g.start()
	g.client.say(toolCall(`1`, "echo", `{}`))
	g.client.wantParts(`"id":1`, `"error"`)
	g.server.wantNothing(g.client)
}

// While hooks look at an answer, the server can send it as often as it likes.
func TestGateTakesOneAnswer(t *testing.T) {
	g := newGateTrial(t, "")
	looking, free := make(chan struct{}), make(chan struct{})
	_, err := g.engine.RegisterHook(hooks.PostToolCall, hooks.Options{Name: "slow", Timeout: patience}, func(context.Context, *hooks.Context) (*hooks.Result, error) {
		close(looking)
		<-free
		return &hooks.Result{Output: "***"}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	g.start()
	g.client.say(toolCall(`1`, "echo", `{}`))
	g.server.next()
	g.server.say(textResult(`1`, "hunter2"))
	<-looking
	for range 5 {
		g.server.say(textResult(`1`, "hunter2"))
	}
	g.client.wantNothing(g.server)
	close(free)
	g.client.want(textResult(`1`, "***"))
}
