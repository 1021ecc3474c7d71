package serve

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

const documentPath = "../../../../docs/openapi.yaml"

// document is docs/openapi.yaml.
type document struct {
	root     map[string]any
	compiler *jsonschema.Compiler
}

func openDocument(t *testing.T) *document {
	t.Helper()
	text, err := os.ReadFile(documentPath)
	if err != nil {
		t.Fatal(err)
	}
	asJSON, err := yaml.YAMLToJSON(text)
	if err != nil {
		t.Fatal(err)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(documentPath, v); err != nil {
		t.Fatal(err)
	}
	return &document{v.(map[string]any), c}
}

// at follows keys, and references on the way; it returns the place as a JSON pointer, too. nil: there is none.
func (d *document) at(keys ...string) (v any, pointer string) {
	v = d.root
	for _, key := range keys {
		object, _ := v.(map[string]any)
		v = object[key]
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		object, _ = v.(map[string]any)
		if target, ok := object["$ref"].(string); ok && strings.HasPrefix(target, "#") {
			v, pointer = d.at(strings.Split(strings.TrimPrefix(target, "#/"), "/")...)
		}
	}
	return v, pointer
}

// keys lists what an object has, in order.
func (d *document) keys(of ...string) []string {
	v, _ := d.at(of...)
	object, _ := v.(map[string]any)
	return slices.Sorted(maps.Keys(object))
}

// valid holds JSON against the schema at a place.
func (d *document) valid(body string, at ...string) error {
	_, pointer := d.at(at...)
	schema, err := d.compiler.Compile(documentPath + "#" + (&url.URL{Path: pointer}).EscapedPath())
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// TestDocument has each status of each path in the document come from the handlers, holds what they write against the
// schemas, and finds what the document leaves out.
func TestDocument(t *testing.T) {
	d := openDocument(t)
	e := newEngine(t, noRm)
	if _, err := e.RegisterHook("wait.forever", hooks.Options{}, func(ctx context.Context, _ *hooks.Context) (*hooks.Result, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}); err != nil {
		t.Fatal(err)
	}
	usual := newServer(t, e, nil)
	guarded := newServer(t, e, func(o *Options) { o.Token = "secret" })
	full := newServer(t, e, nil)
	full.room.Store(0)
	stopping := newServer(t, e, nil)
	stopping.draining.Store(true)
	broken := newServer(t, nil, nil)
	closed, err := engine.New(engine.WithoutBuiltins())
	if err != nil {
		t.Fatal(err)
	}
	if err := closed.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	tooLarge := bash(strings.Repeat("x", hooks.MaxEventBytes))
	evil := []string{"Host", "evil.example"}

	seen := map[string]bool{}
	for _, x := range []struct {
		server  *Server
		method  string
		path    string // of the document
		url     string // where that is another one
		body    string
		status  int
		headers []string
	}{
		{server: usual, method: "post", path: "/v1/fire", body: bash("rm -r x"), status: 200},
		{server: usual, method: "post", path: "/v1/fire", body: bash("ask"), status: 200},
		{server: usual, method: "post", path: "/v1/fire", body: bash("ll"), status: 200},
		{server: usual, method: "post", path: "/v1/fire", body: `{"event":"stop"}`, status: 200},
		{server: usual, method: "post", path: "/v1/fire", body: `{"event":"post_tool_call","tool_call":{"name":"bash","input":{},"output":"x"}}`, status: 200},
		{server: usual, method: "post", path: "/v1/fire", body: `{"event":`, status: 400},
		{server: usual, method: "post", path: "/v1/fire", body: `[]`, status: 400},
		{server: usual, method: "post", path: "/v1/fire", body: `{"event":"post_response","cwd":7}`, status: 400},
		{server: guarded, method: "post", path: "/v1/fire", body: bash("ls"), status: 401},
		{server: usual, method: "post", path: "/v1/fire", body: bash("ls"), status: 403, headers: evil},
		{server: usual, method: "put", path: "/v1/fire", status: 405},
		{server: usual, method: "post", path: "/v1/fire", body: tooLarge, status: 413},
		{server: usual, method: "post", path: "/v1/fire", body: bash("ls"), status: 415, headers: []string{"Content-Type", "text/plain"}},
		{server: broken, method: "post", path: "/v1/fire", body: bash("ls"), status: 500},
		{server: full, method: "post", path: "/v1/fire", body: bash("ls"), status: 503},
		{server: newServer(t, closed, nil), method: "post", path: "/v1/fire", body: `{"event":"a.b"}`, status: 503},
		{server: usual, method: "post", path: "/v1/fire", body: `{"event":"wait.forever"}`, status: 504, headers: []string{timeoutHeader, "1ms"}},

		{server: usual, method: "post", path: "/v1/agents/{agent}", url: "/v1/agents/claude", body: claudeBash("rm"), status: 200},
		{server: usual, method: "post", path: "/v1/agents/{agent}", url: "/v1/agents/claude", body: claudeBash("ls"), status: 200},
		{server: usual, method: "post", path: "/v1/agents/{agent}", url: "/v1/agents/claude", body: "nonsense", status: 200},
		{server: full, method: "post", path: "/v1/agents/{agent}", url: "/v1/agents/claude", body: claudeBash("ls"), status: 200},
		{server: usual, method: "post", path: "/v1/agents/{agent}", url: "/v1/agents/nobody", body: claudeBash("ls"), status: 404},
		{server: usual, method: "get", path: "/v1/agents/{agent}", url: "/v1/agents/claude", status: 405},
		{server: usual, method: "post", path: "/v1/agents/{agent}", url: "/v1/agents/claude", body: `{"hook_event_name":"TeammateIdle","session_id":"s"}`, status: 501},

		{server: usual, method: "get", path: "/v1/events", status: 200},
		{server: guarded, method: "get", path: "/v1/events", status: 401},
		{server: usual, method: "get", path: "/v1/events", status: 403, headers: evil},
		{server: usual, method: "post", path: "/v1/events", status: 405},
		{server: guarded, method: "get", path: "/healthz", status: 200},
		{server: usual, method: "get", path: "/healthz", status: 403, headers: evil},
		{server: usual, method: "delete", path: "/healthz", status: 405},
		{server: guarded, method: "get", path: "/readyz", status: 200},
		{server: usual, method: "get", path: "/readyz", status: 403, headers: evil},
		{server: usual, method: "delete", path: "/readyz", status: 405},
		{server: stopping, method: "get", path: "/readyz", status: 503},
		{server: usual, method: "get", path: "/metrics", status: 200},
		{server: guarded, method: "get", path: "/metrics", status: 401},
		{server: usual, method: "get", path: "/metrics", status: 403, headers: evil},
		{server: usual, method: "post", path: "/metrics", status: 405},
	} {
		asked, status := x.path, fmt.Sprint(x.status)
		if x.url != "" {
			asked = x.url
		}
		name := strings.ToUpper(x.method) + " " + asked + " " + status
		got := send(x.server, strings.ToUpper(x.method), asked, x.body, x.headers...)
		body := text(t, got)
		if got.StatusCode != x.status {
			t.Errorf("%s: status %d: %.200s", name, got.StatusCode, body)
			continue
		}
		// 405 is the answer of a path to a method that the document doesn't have.
		method := x.method
		if x.status == http.StatusMethodNotAllowed {
			for _, m := range d.keys("paths", x.path) {
				method = m
			}
		}
		seen[method+" "+x.path+" "+status] = true
		where := []string{"paths", x.path, method, "responses", status}
		if v, _ := d.at(where...); v == nil {
			t.Errorf("%s isn't in the document", name)
			continue
		}
		for _, header := range d.keys(append(where, "headers")...) {
			h, _ := d.at(append(where, "headers", header)...)
			if value := got.Header.Get(header); value == "" && h.(map[string]any)["required"] == true {
				t.Errorf("%s has no %s", name, header)
			}
		}
		if body == "" {
			continue
		}
		kind, _, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
		if err != nil || !slices.Contains(d.keys(append(where, "content")...), kind) {
			t.Errorf("%s: Content-Type %q isn't in the document", name, got.Header.Get("Content-Type"))
			continue
		}
		if strings.HasSuffix(kind, "json") {
			if err := d.valid(body, append(where, "content", kind, "schema")...); err != nil {
				t.Errorf("%s: %v\n%.300s", name, err, body)
			}
		}
		if x.status == http.StatusOK && method == "post" && x.body != "nonsense" {
			if err := d.valid(x.body, "paths", x.path, method, "requestBody", "content", "application/json", "schema"); err != nil {
				t.Errorf("%s: the request: %v", name, err)
			}
		}
	}

	events, _ := d.at("components", "schemas", "Event", "anyOf")
	for _, info := range hooks.Events() {
		if ref := "schemas/event." + string(info.Name) + ".json"; !slices.ContainsFunc(events.([]any), func(v any) bool { return v.(map[string]any)["$ref"] == ref }) {
			t.Errorf("the events of the document don't have %s", ref)
		}
	}
	for body, want := range map[string]bool{
		bash("ls"): true, `{"event":"my.own","x":1}`: true, `{"event":"Stop"}`: true,
		`{"event":"pre_tool_call"}`: false, `{"event":"nothing"}`: false, `{}`: false,
	} {
		if err := d.valid(body, "components", "schemas", "Event"); want != (err == nil) {
			t.Errorf("%s is an event: %v", body, err)
		}
	}
	var documented, handled []string
	for _, path := range d.keys("paths") {
		for _, method := range d.keys("paths", path) {
			documented = append(documented, strings.ToUpper(method)+" "+path)
			for _, status := range d.keys("paths", path, method, "responses") {
				if !seen[method+" "+path+" "+status] {
					t.Errorf("%s %s: nothing has given the status %s", method, path, status)
				}
			}
		}
	}
	for _, r := range routes() {
		handled = append(handled, r.method+" "+r.path)
	}
	slices.Sort(documented)
	slices.Sort(handled)
	if !slices.Equal(documented, handled) {
		t.Errorf("the document has\n%v, the handlers are\n%v", documented, handled)
	}
}
