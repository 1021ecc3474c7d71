package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// shopServer is an MCP server on standard input and output, with which scripts try luahook mcp.
// Each call that reaches it is noted in the file called.
func shopServer() {
	fmt.Println("The shop is open.") // which is no message, as many servers write
	fmt.Fprintln(os.Stderr, "shop:", strings.Join(os.Args[1:], " "))
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		var m struct {
			ID     json.RawMessage
			Method string
			Params struct {
				Name      string
				Arguments json.RawMessage
			}
		}
		if json.Unmarshal(lines.Bytes(), &m) != nil || m.ID == nil {
			continue
		}
		answer := `{}`
		switch {
		case m.Method == "initialize":
			answer = `{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"shop","version":"1"}}`
		case m.Method == "tools/list":
			answer = `{"tools":[{"name":"echo","inputSchema":{"type":"object"}},{"name":"bash","inputSchema":{"type":"object"}}]}`
		case m.Method == "tools/call" && m.Params.Name == "leave":
			os.Exit(7)
		case m.Method == "tools/call":
			f, err := os.OpenFile("called", os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
			if err != nil {
				panic(err)
			}
			fmt.Fprintln(f, m.Params.Name, string(m.Params.Arguments))
			f.Close()
			answer = fmt.Sprintf(`{"content":[{"type":"text","text":%q}]}`, "you said "+string(m.Params.Arguments))
		}
		fmt.Printf(`{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, answer)
	}
}

// newShop is a server of the SDK with one tool.
func newShop() *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "shop", Version: "1"}, nil)
	type in struct {
		Command string `json:"command"`
	}
	mcp.AddTool(s, &mcp.Tool{Name: "bash"}, func(ctx context.Context, r *mcp.CallToolRequest, i in) (*mcp.CallToolResult, any, error) {
		if token := r.Params.GetProgressToken(); token != nil {
			_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: 1})
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "ran " + i.Command}}}, nil, nil
	})
	return s
}

// TestMCPOverHTTP has an SDK's client use an SDK's server, with luahook between them that listens and
// reaches the server by HTTP.
func TestMCPOverHTTP(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("SHOP_TOKEN", "sesame")
	t.Chdir(t.TempDir())
	shop := newShop()
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return shop }, nil)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer sesame" {
			http.Error(w, "no token", http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	defer server.Close()
	defer server.CloseClientConnections()

	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	_ = free.Close()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan int, 1)
	told := &heldNotes{}
	go func() {
		ended <- run(ctx, []string{"mcp", "--name", "shop", "--url", server.URL, "--header", "Authorization: Bearer ${SHOP_TOKEN}", "--listen", address, "--no-user"}, strings.NewReader(""), told, told)
	}()
	defer func() {
		stop()
		<-ended
	}()
	for deadline := time.Now().Add(20 * time.Second); ; {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			break
		} else if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}

	progress := make(chan struct{}, 10)
	client := mcp.NewClient(&mcp.Implementation{Name: "tester", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { progress <- struct{}{} },
	})
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: "http://" + address}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	call := func(command string) (string, bool) {
		t.Helper()
		p := &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": command}}
		p.SetProgressToken("p")
		res, err := session.CallTool(ctx, p)
		if err != nil {
			t.Fatal(err)
		}
		return res.Content[0].(*mcp.TextContent).Text, res.IsError
	}
	if text, failed := call("ls"); failed || text != "ran ls" {
		t.Errorf("ls gives %q", text)
	}
	if text, failed := call("rm -rf /"); !failed || !strings.Contains(text, "safety-guard") {
		t.Errorf("rm -rf / gives %q", text)
	}
	select {
	case <-progress:
	case <-time.After(20 * time.Second):
		t.Error("no progress comes")
	}

	for name, change := range map[string]func(r *http.Request){
		"of another site": func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") },
		"by another name": func(r *http.Request) { r.Host = "evil.example" },
		"without session": func(*http.Request) {},
	} {
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+address, strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bash"}}`))
		if err != nil {
			t.Fatal(err)
		}
		change(r)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode < 400 {
			t.Errorf("a request %s is answered with %d", name, answer.StatusCode)
		}
	}
	if _, err := os.Stat(filepath.Join(os.Getenv("HOME"), "called")); err == nil {
		t.Error("something was called")
	}
}
