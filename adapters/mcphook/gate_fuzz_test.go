package mcphook_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
)

// FuzzGateCall sends calls with any params. What reaches the server is what hooks have judged,
// however it is read: by the last of two keys, by the first, or whatever their case.
func FuzzGateCall(f *testing.F) {
	for _, params := range []string{
		`{"name":"echo","arguments":{"a":1}}`, `{"name":"echo","arguments":{"a":1},"arguments":{}}`, `{"Name":"x","name":"echo"}`,
		`{"name":"echo","arguments":null,"_meta":{"a":1}}`, `{"name":"\ud83d","arguments":{"\ud83d":"\udc00"}}`, `{"name":"a","arguments":{"x":1e400,"y":12345678901234567890}}`,
		`{"name":"echo","requestState":"luahook:a:b","inputResponses":{"luahook_approval":1}}`, `[]`, `5`, `{}`, `{"name":"echo","task":{}}`,
	} {
		f.Add(params)
	}
	g := newGateTrial(f, "")
	g.start()
	next := func() string { // what comes of a call, before the ping that follows it
		g.client.say(`{"jsonrpc":"2.0","method":"notifications/marker"}`)
		return g.server.next()
	}
	f.Fuzz(func(t *testing.T, params string) {
		g.client.t, g.server.t = t, t
		if !json.Valid([]byte(params)) || strings.ContainsAny(params, "\n\r") {
			t.Skip("no message holds this")
		}
		g.mu.Lock()
		g.events = nil
		g.mu.Unlock()
		g.client.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`)
		var got string
		select {
		case <-g.client.hears: // refused
			if got = next(); !strings.Contains(got, "marker") {
				t.Fatalf("a refused call reaches the server: %s", got)
			}
			return
		case m := <-g.server.hears:
			got = messageText(t, m)
		}
		g.server.say(`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`)
		g.client.next()
		pre := g.of(hooks.PreToolCall)
		if len(pre) != 1 {
			t.Fatalf("%d hooks have judged %s", len(pre), got)
		}
		judged := pre[0].ToolCall
		var sent struct {
			Params struct {
				Name      string
				Arguments any
			}
		}
		if err := json.Unmarshal([]byte(got), &sent); err != nil {
			t.Skip("no reader takes this: ", err)
		}
		if "mcp__shop__"+sent.Params.Name != judged.HostName {
			t.Errorf("%q was judged, and %q reaches the server", judged.HostName, sent.Params.Name)
		}
		want := any(judged.Input)
		if sent.Params.Arguments == nil && len(judged.Input) == 0 {
			return
		}
		if a, b := normal(t, sent.Params.Arguments), normal(t, want); !reflect.DeepEqual(a, b) {
			t.Errorf("%v was judged, and %v reaches the server", b, a)
		}
	})
}

// normal is a value as JSON has it, its numbers as float64.
func normal(t *testing.T, v any) (out any) {
	text, err := hooks.EncodeJSON(v)
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Skip("no reader takes this: ", err)
	}
	return out
}
