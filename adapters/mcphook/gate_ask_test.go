package mcphook_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// asksFor is the id of the question that a message puts.
func asksFor(t *testing.T, message string) string {
	t.Helper()
	var m struct {
		ID     string
		Method string
		Params struct{ Message string }
	}
	if err := json.Unmarshal([]byte(message), &m); err != nil || m.Method != "elicitation/create" ||
		!strings.Contains(m.Params.Message, "needs a person") || !strings.Contains(m.Params.Message, `mcp__shop__approve {"n":1}`) {
		t.Fatalf("the question is %s (%v)", message, err)
	}
	return m.ID
}

func TestGateAsksByElicitation(t *testing.T) {
	g := tryGate(t, policy)
	for i, c := range []struct{ answer, want string }{
		{`"result":{"action":"accept","content":{}}`, ""},
		{`"result":{"action":"decline"}`, "a person was asked and said no: needs a person"},
		{`"result":{"action":"cancel"}`, "the question was dismissed"},
		{`"result":{"action":"Accept"}`, "the question was dismissed"},
		{`"result":5`, "the client's answer can't be read"},
		{`"error":{"code":-1,"message":"no window"}`, "no window"},
	} {
		id := fmt.Sprint(i)
		g.client.say(toolCall(id, "approve", `{"n":1}`))
		question := asksFor(t, g.client.next())
		// Answers that have made up their id are the server's business, but for those like ours.
		g.client.say(`{"jsonrpc":"2.0","id":"luahook-guessed","result":{"action":"accept"}}`)
		g.client.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,%s}`, question, c.answer))
		if c.want == "" {
			g.server.want(toolCall(id, "approve", `{"n":1}`)) // and no answer to a question before
			g.server.say(textResult(id, "done"))
			g.client.want(textResult(id, "done"))
		} else {
			g.client.wantParts(`"id":`+id, `"isError":true`, c.want)
		}
		g.client.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%q,"result":{"action":"accept"}}`, question)) // once more
		g.server.wantNothing(g.client)
	}
	if asked, denied := len(g.of(hooks.PermissionRequest)), len(g.of(hooks.PermissionDenied)); asked != 6 || denied != 5 {
		t.Errorf("6 questions have %d permission_request and %d permission_denied", asked, denied)
	}
}

func TestGateStopsAsking(t *testing.T) {
	g := tryGate(t, policy)
	g.client.say(toolCall(`1`, "approve", `{"n":1}`))
	question := asksFor(t, g.client.next())
	g.client.say(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
	g.client.wantParts(`"method":"notifications/cancelled"`, question)
	g.server.wantNothing(g.client)
	g.client.say(toolCall(`2`, "approve", `{"n":1}`))
	asksFor(t, g.client.next())
	if err := g.end(); err != nil { // with a question that nobody answers
		t.Error(err)
	}
	if ends := g.of(hooks.PostToolCall); len(ends) != 2 || ends[0].ToolCall.Outcome != hooks.OutcomeDenied || ends[1].ToolCall.Outcome != hooks.OutcomeDenied {
		t.Errorf("the calls ended as %+v", ends)
	}
}

func TestGateAsksNobodyWhoCannot(t *testing.T) {
	for _, capabilities := range []string{`{}`, `{"elicitation":{"url":{}}}`} {
		g := newGateTrial(t, policy)
		g.start()
		g.introduce("2025-11-25", capabilities)
		g.client.say(toolCall(`1`, "approve", `{"n":1}`))
		g.client.wantParts(`"isError":true`, "there is nobody to ask", "needs a person")
		g.server.wantNothing(g.client)
	}
}

// meta is what a request says of its client since protocol 2026-07-28.
const meta = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"tester","version":"1"},"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}}`

var stateInResult = regexp.MustCompile(`"requestState":"([^"]*)"`)

func TestGateAsksByInputRequired(t *testing.T) {
	g := newGateTrial(t, policy)
	g.start()
	call := func(id, more, arguments string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{%s,"name":"approve","arguments":%s%s}}`, id, meta, arguments, more)
	}
	ask := func(id, more, arguments string) string {
		t.Helper()
		g.client.say(call(id, more, arguments))
		got := g.client.wantParts(`"resultType":"input_required"`, `"luahook_approval":{"method":"elicitation/create"`, "needs a person")
		return stateInResult.FindStringSubmatch(got)[1]
	}
	yes := func(state string) string {
		return fmt.Sprintf(`,"inputResponses":{"luahook_approval":{"action":"accept","content":{}}},"requestState":%q`, state)
	}
	state := ask(`1`, "", `{"n":1}`)
	g.server.wantNothing(g.client)
	g.client.say(call(`2`, yes(state), `{"n":1}`))
	g.server.want(call(`2`, "", `{"n":1}`)) // nothing of ours
	g.server.say(textResult(`2`, "done"))
	g.client.want(textResult(`2`, "done"))

	ask(`3`, yes(state), `{"n":1}`)                   // a yes counts once
	ask(`4`, yes("luahook:guessed:"), `{"n":1}`)      // none that was made up does
	ask(`5`, yes(ask(`6`, "", `{"n":1}`)), `{"n":2}`) // nor one to another call
	ask(`7`, `,"inputResponses":{"luahook_approval":{"action":"accept"}}`, `{"n":1}`)
	state = ask(`8`, "", `{"n":1}`)
	g.client.say(call(`9`, strings.Replace(yes(state), "accept", "decline", 1), `{"n":1}`))
	g.client.wantParts(`"id":9`, `"isError":true`, "a person was asked and said no")
	g.server.wantNothing(g.client)

	// The server itself asks for input, after the yes and twice: the person is asked once, and the
	// server gets its own state back.
	state = ask(`10`, "", `{"n":1,"m":2}`)
	g.client.say(call(`11`, yes(state), `{"m":2,"n":1}`))
	g.server.want(call(`11`, "", `{"m":2,"n":1}`))
	for i, inner := range []string{"of: the \\\"server\\\"", "more"} {
		id := 11 + i
		g.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"resultType":"input_required","content":[{"type":"text","text":"unseen"}],"inputRequests":{"own":{"method":"roots/list"}},"requestState":"%s"}}`, id, inner))
		got := g.client.wantParts(`"own":{"method":"roots/list"}`)
		if strings.Contains(got, "unseen") {
			t.Errorf("content that no hook has seen passes: %s", got)
		}
		var answer struct{ Result struct{ RequestState string } }
		if err := json.Unmarshal([]byte(got), &answer); err != nil {
			t.Fatal(err)
		}
		wrapped, _ := json.Marshal(answer.Result.RequestState)
		g.client.say(call(fmt.Sprint(id+1), `,"inputResponses":{"own":{"roots":[]}},"requestState":`+string(wrapped), `{"n":1,"m":2}`))
		g.server.wantParts(fmt.Sprintf(`"inputResponses":{"own":{"roots":[]}},"requestState":"%s"}`, inner))
	}
	g.server.say(textResult(`13`, "done"))
	g.client.want(textResult(`13`, "done"))

	resumed := 0
	for _, c := range g.of(hooks.PreToolCall) {
		if c.ToolCall.Resumed {
			resumed++
		}
	}
	if ends := len(g.of(hooks.PostToolCall)); resumed != 5 || ends != 3 {
		t.Errorf("%d calls were resumed and %d have ended, want 5 and 3", resumed, ends)
	}
}

func TestGateSelectsTools(t *testing.T) {
	const tools = `{"tools":[{"name":"echo","description":"says it","inputSchema":{"type":"object","z":1,"a":1.0},"x":5},{"name":"danger","inputSchema":{"type":"object"}},{"name":"old","title":"Old","description":"a","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[]}],"nextCursor":"2","_meta":{"k":1.0}}`
	list := func(t *testing.T, script, result, want string) *gateTrial {
		t.Helper()
		g := tryGate(t, script)
		g.client.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"1"}}`)
		g.server.want(`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":"1"}}`)
		g.server.say(`{"jsonrpc":"2.0","id":1,"result":` + result + `}`)
		g.client.wantParts(`{"jsonrpc":"2.0","id":1,` + want)
		return g
	}
	t.Run("alone", func(t *testing.T) {
		g := list(t, ``, tools, `"result":`+tools+`}`)
		seen := g.of(hooks.PreToolSelection)
		if len(seen) != 1 {
			t.Fatalf("there are %d events", len(seen))
		}
		first, _ := hooks.EncodeJSON(seen[0].Fields["tools"].([]any)[2])
		if want := `{"annotations":{"idempotentHint":false,"readOnlyHint":true},"description":"a","input_schema":{"type":"object"},"name":"mcp__shop__old","output_schema":{"type":"object"},"title":"Old"}`; string(first) != want {
			t.Errorf("hooks see %s", first)
		}
	})
	t.Run("rewritten", func(t *testing.T) {
		list(t, `on("pre_tool_selection", function(event)
			local left = {}
			for _, tool in ipairs(event.tools) do
				if tool.name ~= "mcp__shop__danger" then left[#left + 1] = tool end
				if tool.name == "mcp__shop__old" then tool.description = "b" end
			end
			return replace({ tools = left })
		end)`, tools, `"result":{"tools":[{"name":"echo","description":"says it","inputSchema":{"type":"object","z":1,"a":1.0},"x":5},{"name":"old","title":"Old","description":"b","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true},"icons":[]}],"nextCursor":"2","_meta":{"k":1.0}}}`)
	})
	t.Run("denied", func(t *testing.T) {
		g := list(t, `on("pre_tool_selection", function(event) return deny("no tools today") end)`, tools, `"result":{"tools":[],"_meta":{"k":1.0}}}`)
		if !g.warned("no tools today") {
			t.Error("nobody was told")
		}
	})
	for name, result := range map[string]string{
		"a number": `5`, "no list": `{"tools":{}}`, "no tools": `{}`, "a tool that is none": `{"tools":["x"]}`, "a doubled name": `{"tools":[{"name":"a","name":"b"}]}`,
		"another list in capitals": `{"tools":[],"Tools":[{"name":"a","inputSchema":{"type":"object"}}]}`,
	} {
		t.Run(name, func(t *testing.T) { list(t, ``, result, `"error":`) })
	}
	t.Run("an error", func(t *testing.T) {
		g := tryGate(t, ``)
		g.client.say(`{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)
		g.server.next()
		g.server.say(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no tools"}}`)
		g.client.want(`{"jsonrpc":"2.0","id":1,"error":{"code":-32601,"message":"no tools"}}`)
	})
}

func TestGateJudgesTasks(t *testing.T) {
	g := tryGate(t, policy)
	start := func(id, tool, task string) {
		t.Helper()
		call := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tools/call","params":{"name":%q,"arguments":{},"task":{"ttl":60000}}}`, id, tool)
		g.client.say(call)
		g.server.want(call)
		g.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"task":{"taskId":%q,"status":"working"}}}`, id, task))
		g.client.want(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"task":{"taskId":%q,"status":"working"}}}`, id, task))
	}
	fetch := func(id, task, result string) {
		t.Helper()
		ask := fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"tasks/result","params":{"taskId":%q}}`, id, task)
		g.client.say(ask)
		g.server.want(ask)
		g.server.say(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,%s}`, id, result))
	}
	start(`1`, "secret", "a")
	start(`2`, "echo", "b")
	if n := len(g.of(hooks.PostToolCall)); n != 0 {
		t.Errorf("%d calls have ended before their tasks", n)
	}
	fetch(`3`, "a", `"result":{"content":[{"type":"text","text":"hunter2"}]}`)
	g.client.want(textResult(`3`, "***"))
	fetch(`4`, "a", `"result":{"content":[{"type":"text","text":"hunter2"}]}`)
	g.client.want(textResult(`4`, "***"))
	fetch(`5`, "a", `"result":{"content":[{"type":"text","text":"hunter3"}]}`)
	g.client.wantParts(`"error"`, "isn't the one that was judged")
	fetch(`6`, "unknown", `"result":{"content":[{"type":"text","text":"hunter2"}]}`)
	g.client.wantParts(`"error"`, "doesn't know its call")
	if n := len(g.of(hooks.PostToolCall)); n != 1 {
		t.Errorf("%d calls have ended, want 1", n)
	}

	// A refused one is an error, because the client reads nothing but a task.
	g.client.say(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"danger","arguments":{},"task":{}}}`)
	g.client.wantParts(`"id":7`, `"error"`, "use echo")

	// A server that isn't asked for a task must not make one: nobody would judge its result.
	g.client.say(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"io.modelcontextprotocol/tasks":{},"x":{}}}}}}`)
	g.server.want(`{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"echo","_meta":{"io.modelcontextprotocol/clientCapabilities":{"extensions":{"x":{}}}}}}`)
	g.server.say(textResult(`8`, "done"))
	g.client.want(textResult(`8`, "done"))

	if err := g.end(); err != nil {
		t.Fatal(err)
	}
	ends := map[string]int{}
	for _, c := range g.of(hooks.PostToolCall) {
		ends[c.ToolCall.Name+" "+string(c.ToolCall.Outcome)]++
	}
	want := map[string]int{"mcp__shop__secret ok": 1, "mcp__shop__danger denied": 1, "mcp__shop__echo ok": 1, "mcp__shop__echo error": 1}
	if fmt.Sprint(ends) != fmt.Sprint(want) {
		t.Errorf("the calls ended as %v, want %v", ends, want)
	}
}
