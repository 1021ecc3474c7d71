//lint:file-ignore SA1019 the servers use what newer protocols no longer have

package mcphook_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/luahook/luahook/adapters/mcphook"
	"github.com/luahook/luahook/engine"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// serversVariable names a folder in which these were installed:
//
//	npm install @modelcontextprotocol/server-everything @modelcontextprotocol/server-filesystem
const serversVariable = "LUAHOOK_MCP_SERVERS"

// installed is the path of a server's program.
func installed(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv(serversVariable)
	if dir == "" {
		t.Skipf("%s names no folder with MCP servers", serversVariable)
	}
	return filepath.Join(dir, "node_modules", ".bin", name)
}

// recorder is a transport that notes what the client reads, and what it writes.
type recorder struct {
	mcp.Transport
	mu      sync.Mutex
	read    []string
	written []string
}

type recorderConn struct {
	mcp.Connection
	recorder *recorder
}

func (r *recorder) Connect(ctx context.Context) (mcp.Connection, error) {
	c, err := r.Transport.Connect(ctx)
	return &recorderConn{c, r}, err
}

func (c *recorderConn) note(list *[]string, m jsonrpc.Message) {
	if text, err := jsonrpc.EncodeMessage(m); err == nil {
		c.recorder.mu.Lock()
		defer c.recorder.mu.Unlock()
		*list = append(*list, string(text))
	}
}

func (c *recorderConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if err == nil {
		c.note(&c.recorder.read, m)
	}
	return m, err
}

func (c *recorderConn) Write(ctx context.Context, m jsonrpc.Message) error {
	c.note(&c.recorder.written, m)
	return c.Connection.Write(ctx, m)
}

// connection is a client of a server.
type connection struct {
	*mcp.ClientSession
	recorder *recorder
	server   *recorder // what the server reads is what is written here
}

// connectServer starts a server, with a gate before it if there is an engine.
func connectServer(t testing.TB, e *engine.Engine, command ...string) *connection {
	t.Helper()
	cmd := exec.Command(command[0], command[1:]...)
	c := &connection{server: &recorder{Transport: &mcp.CommandTransport{Command: cmd, TerminateDuration: time.Second}}}
	c.recorder = &recorder{Transport: c.server}
	if e != nil {
		ours, theirs := mcp.NewInMemoryTransports()
		c.recorder.Transport = ours
		ended := make(chan error, 1)
		go func() { ended <- mcphook.Gate(context.Background(), e, "real", theirs, c.server) }()
		t.Cleanup(func() {
			if err := <-ended; err != nil {
				t.Errorf("the gate ended with %v", err)
			}
		})
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, &mcp.ClientOptions{
		CreateMessageHandler: func(context.Context, *mcp.CreateMessageRequest) (*mcp.CreateMessageResult, error) {
			return &mcp.CreateMessageResult{Model: "m", Role: "assistant", Content: &mcp.TextContent{Text: "sampled"}}, nil
		},
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "decline"}, nil
		},
	})
	client.AddRoots(&mcp.Root{URI: "file:///nowhere", Name: "nowhere"})
	session, err := client.Connect(t.Context(), c.recorder, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	c.ClientSession = session
	return c
}

// passive is an engine whose hooks listen to all, and object to nothing.
func passive(t testing.TB, o ...engine.Option) *engine.Engine {
	t.Helper()
	e, err := engine.New(append(o, engine.WithScript("passive.lua", `
		on("pre_tool_call", function(event) if event.tool_call.name == "mcp__real__write_file" then return deny("no writing") end end)
		on("post_tool_call", function(event) end)
		on("pre_tool_selection", function(event) end)
	`))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close(context.Background()) })
	return e
}

var changing = []struct {
	what *regexp.Regexp
	with string
}{
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT[\d:.]+Z`), "TIME"}, {regexp.MustCompile(`\d{1,2}:\d\d:\d\d [AP]M`), "TIME"},
	{regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}`), "UUID"}, {regexp.MustCompile(`\b[0-9a-f]{32}\b`), "ID"},
	{regexp.MustCompile(`(Mon|Tue|Wed|Thu|Fri|Sat|Sun) [A-Z][a-z]{2} \d+ \d{4} [^"\\]*`), "TIME"},
	{regexp.MustCompile(`/tmp/[^"\\ ]*/(direct|gated)`), "DIR"},
	{regexp.MustCompile(`\d+(\.\d+)? ?ms`), "DURATION"},
}

// answers are what the client was told in answer to its requests, and the requests of the server,
// without what differs each time.
func (c *connection) answers() []string {
	c.recorder.mu.Lock()
	defer c.recorder.mu.Unlock()
	var all []string
	for _, text := range c.recorder.read {
		if strings.Contains(text, `"method":"notifications/message"`) { // which come at any time
			continue
		}
		for _, c := range changing {
			text = c.what.ReplaceAllString(text, c.with)
		}
		all = append(all, text)
	}
	slices.Sort(all)
	return all
}

// compareServers does the same with a server and with one behind a gate.
func compareServers(t *testing.T, command func(dir string) []string, use func(t *testing.T, c *connection, dir string)) (direct, gated *connection, gatedDir string) {
	base := t.TempDir()
	var all [2]*connection
	for i, name := range []string{"direct", "gated"} {
		dir := filepath.Join(base, name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		var e *engine.Engine
		if name == "gated" {
			e = passive(t)
		}
		all[i] = connectServer(t, e, command(dir)...)
		use(t, all[i], dir)
		gatedDir = dir
	}
	want, got := all[0].answers(), all[1].answers()
	for _, text := range want {
		if !slices.Contains(got, text) {
			t.Errorf("without a gate the client is told, and with it isn't:\n%.2000s", text)
		}
	}
	for _, text := range got {
		if !slices.Contains(want, text) {
			t.Errorf("through the gate alone the client is told:\n%.2000s", text)
		}
	}
	if len(want) != len(got) {
		t.Errorf("the client gets %d messages, and through the gate %d", len(want), len(got))
	}
	t.Logf("%d messages are the same", len(want))
	return all[0], all[1], gatedDir
}

func TestGateBeforeServerEverything(t *testing.T) {
	program := installed(t, "mcp-server-everything")
	compareServers(t, func(string) []string { return []string{program, "stdio"} }, func(t *testing.T, c *connection, _ string) {
		ctx := t.Context()
		check := func(what string, err error) {
			t.Helper()
			if err != nil {
				t.Logf("%s: %v", what, err) // of both; the answers are compared
			}
		}
		check("ping", c.Ping(ctx, nil))
		tools, err := c.ListTools(ctx, nil)
		if err != nil {
			t.Fatal(err)
		}
		arguments := map[string]map[string]any{
			"echo": {"message": "hello <&> \u2028 \U0001F600"}, "add": {"a": 1, "b": 2}, "get-sum": {"a": 1.5, "b": 2},
			"trigger-long-running-operation": {"duration": 1, "steps": 3}, "longRunningOperation": {"duration": 1, "steps": 3},
			"get-annotated-message": {"messageType": "error", "includeImage": true}, "get-structured-content": {"location": "New York"},
			"get-resource-reference": {"resourceType": "Text", "resourceId": 1}, "get-resource-links": {"count": 3},
			"trigger-sampling-request": {"prompt": "hi", "maxTokens": 5}, "gzip-file-as-resource": {"name": "x.gz", "data": "data:text/plain,hi", "outputType": "resource"},
		}
		called := 0
		for _, tool := range tools.Tools {
			if tool.Name == "get-env" || strings.HasPrefix(tool.Name, "toggle") || strings.Contains(tool.Name, "research") || strings.Contains(tool.Name, "async") {
				continue // of another environment; that send what they will; that run as tasks
			}
			p := &mcp.CallToolParams{Name: tool.Name, Arguments: map[string]any{}}
			if given := arguments[tool.Name]; given != nil {
				p.Arguments = given
			}
			p.SetProgressToken("progress of " + tool.Name)
			_, err := c.CallTool(ctx, p)
			check(tool.Name, err)
			called++
		}
		_, err = c.CallTool(ctx, &mcp.CallToolParams{Name: "nosuch"})
		check("nosuch", err)
		prompts, err := c.ListPrompts(ctx, nil)
		check("prompts", err)
		for _, p := range prompts.Prompts {
			_, err := c.GetPrompt(ctx, &mcp.GetPromptParams{Name: p.Name, Arguments: map[string]string{"city": "Rome", "state": "x", "temperature": "1", "style": "y", "resourceId": "1", "resourceType": "Text", "department": "Engineering", "name": "Alice"}})
			check(p.Name, err)
		}
		resources, err := c.ListResources(ctx, nil)
		check("resources", err)
		for _, r := range resources.Resources[:min(3, len(resources.Resources))] {
			_, err := c.ReadResource(ctx, &mcp.ReadResourceParams{URI: r.URI})
			check(r.URI, err)
			check("subscribe", c.Subscribe(ctx, &mcp.SubscribeParams{URI: r.URI}))
			check("unsubscribe", c.Unsubscribe(ctx, &mcp.UnsubscribeParams{URI: r.URI}))
		}
		_, err = c.ReadResource(ctx, &mcp.ReadResourceParams{URI: "nosuch://x"})
		check("nosuch://x", err)
		_, err = c.ListResourceTemplates(ctx, nil)
		check("templates", err)
		for _, p := range prompts.Prompts {
			for _, a := range p.Arguments {
				_, err = c.Complete(ctx, &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: p.Name}, Argument: mcp.CompleteParamsArgument{Name: a.Name, Value: ""}})
				check("complete "+a.Name, err)
			}
		}
		check("level", c.SetLoggingLevel(ctx, &mcp.SetLoggingLevelParams{Level: "debug"}))
		short, cancel := context.WithTimeout(ctx, 300*time.Millisecond)
		defer cancel()
		if _, err := c.CallTool(short, &mcp.CallToolParams{Name: "trigger-long-running-operation", Arguments: map[string]any{"duration": 5, "steps": 5}}); err == nil {
			t.Error("a call that was cancelled has ended")
		}
		check("ping", c.Ping(ctx, nil))
		t.Logf("%d tools, %d prompts, %d resources", called, len(prompts.Prompts), len(resources.Resources))
	})
}

func TestGateBeforeServerFilesystem(t *testing.T) {
	program := installed(t, "mcp-server-filesystem")
	_, gated, dir := compareServers(t, func(dir string) []string { return []string{program, dir} }, func(t *testing.T, c *connection, dir string) {
		for _, name := range []string{"a.txt", "b.txt"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte("one\ntwo\n"), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := c.ListTools(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		at := func(name string) string { return filepath.Join(dir, name) }
		for _, p := range []*mcp.CallToolParams{
			{Name: "list_allowed_directories"}, {Name: "read_text_file", Arguments: map[string]any{"path": at("a.txt")}},
			{Name: "read_multiple_files", Arguments: map[string]any{"paths": []string{at("a.txt"), at("b.txt"), at("none")}}},
			{Name: "edit_file", Arguments: map[string]any{"path": at("a.txt"), "edits": []map[string]any{{"oldText": "one", "newText": "1"}}}},
			{Name: "create_directory", Arguments: map[string]any{"path": at("sub")}}, {Name: "list_directory", Arguments: map[string]any{"path": dir}},
			{Name: "list_directory_with_sizes", Arguments: map[string]any{"path": dir}}, {Name: "directory_tree", Arguments: map[string]any{"path": dir}},
			{Name: "move_file", Arguments: map[string]any{"source": at("b.txt"), "destination": at("sub/c.txt")}},
			{Name: "search_files", Arguments: map[string]any{"path": dir, "pattern": "**/*.txt"}}, {Name: "read_media_file", Arguments: map[string]any{"path": at("a.txt")}},
			{Name: "read_text_file", Arguments: map[string]any{"path": "/etc/passwd"}},
		} {
			if _, err := c.CallTool(t.Context(), p); err != nil {
				t.Errorf("%s: %v", p.Name, err)
			}
		}
	})
	res, err := gated.CallTool(t.Context(), &mcp.CallToolParams{Name: "write_file", Arguments: map[string]any{"path": filepath.Join(dir, "new.txt"), "content": "x"}})
	if err != nil || !res.IsError {
		t.Errorf("a denied call gives %+v, %v", res, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "new.txt")); err == nil {
		t.Error("the server has written what a hook denied")
	}
	gated.server.mu.Lock()
	defer gated.server.mu.Unlock()
	for _, text := range gated.server.written {
		if strings.Contains(text, "write_file") {
			t.Errorf("the server was asked %s", text)
		}
	}
}

// TestGateLatency says what a gate adds to a call of a real server.
func TestGateLatency(t *testing.T) {
	program := installed(t, "mcp-server-everything")
	const calls = 300
	direct := connectServer(t, nil, program, "stdio")
	gated := connectServer(t, passive(t), program, "stdio")
	var times [2][]time.Duration
	for i := range calls + 20 {
		for side, c := range []*connection{direct, gated} {
			began := time.Now()
			if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo", Arguments: map[string]any{"message": fmt.Sprint(i)}}); err != nil {
				t.Fatal(err)
			}
			if i >= 20 { // when all is warm
				times[side] = append(times[side], time.Since(began))
			}
		}
	}
	var added []time.Duration
	for i := range times[0] {
		added = append(added, times[1][i]-times[0][i])
	}
	for _, l := range [][]time.Duration{times[0], times[1], added} {
		slices.Sort(l)
	}
	at := func(l []time.Duration, share int) time.Duration { return l[len(l)*share/100].Round(time.Microsecond) }
	t.Logf("%d pairs: direct p50 %v p95 %v, gated p50 %v p95 %v, added per pair p50 %v p95 %v",
		calls, at(times[0], 50), at(times[0], 95), at(times[1], 50), at(times[1], 95), at(added, 50), at(added, 95))
}
