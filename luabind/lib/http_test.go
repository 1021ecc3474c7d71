package lib

import (
	"compress/gzip"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/luabind"
)

func mayReach(hosts ...string) hooks.Grants { return hooks.Grants{HTTP: hosts} }

// serve answers on the loopback, under the address that is returned: host:port.
func serve(t *testing.T, handler http.HandlerFunc) (server *httptest.Server, address string) {
	t.Helper()
	server = httptest.NewServer(handler)
	t.Cleanup(server.Close)
	return server, server.Listener.Addr().String()
}

// everything is a server that does what its paths say.
func everything(w http.ResponseWriter, r *http.Request) {
	switch path, arg, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/"); path {
	case "hello":
		w.Header().Set("X-Two", "one")
		w.Header().Add("X-Two", "two")
		_, _ = io.WriteString(w, "hello")
	case "echo":
		body, _ := io.ReadAll(r.Body)
		_, _ = fmt.Fprintf(w, "%s %s %s|%s|%s|%s", r.Method, r.URL.RequestURI(), body, r.Header.Get("X-Own"), r.Header.Get("Content-Type"), r.Header.Get("User-Agent"))
	case "sent":
		_, _ = fmt.Fprintf(w, "%s|%s|%s", r.Header.Get("Authorization"), r.Header.Get("Cookie"), r.Header.Get("X-Api-Key"))
	case "status":
		code := 0
		_, _ = fmt.Sscan(arg, &code)
		w.WriteHeader(code)
	case "size":
		n := 0
		_, _ = fmt.Sscan(arg, &n)
		_, _ = io.WriteString(w, strings.Repeat("x", n))
	case "stream": // without a Content-Length
		for range 1000 {
			_, _ = io.WriteString(w, strings.Repeat("x", 10_000))
		}
	case "zip":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		for range 1000 {
			_, _ = io.WriteString(z, strings.Repeat("x", 10_000))
		}
		_ = z.Close()
	case "small-zip":
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = io.WriteString(z, "unpacked")
		_ = z.Close()
	case "cookie":
		http.SetCookie(w, &http.Cookie{Name: "a", Value: "b"})
		w.Header().Set("Location", "/sent")
		w.WriteHeader(http.StatusFound)
	case "headers":
		for i := range 2000 {
			w.Header().Set(fmt.Sprintf("X-%d", i), strings.Repeat("x", 100))
		}
	case "to": // /to/CODE?URL
		code := 0
		_, _ = fmt.Sscan(arg, &code)
		w.Header().Set("Location", r.URL.RawQuery)
		w.WriteHeader(code)
	case "loop":
		w.Header().Set("Location", r.URL.Path+"x")
		w.WriteHeader(http.StatusFound)
	case "count":
		if len(arg) < 5 {
			w.Header().Set("Location", r.URL.Path+"x")
			w.WriteHeader(http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "arrived")
	case "short":
		w.Header().Set("Content-Length", "100")
		_, _ = io.WriteString(w, "x")
	case "hang":
		w.(http.Flusher).Flush()
		<-r.Context().Done()
	case "silent":
		<-r.Context().Done()
	default:
		http.NotFound(w, r)
	}
}

func TestHTTP(t *testing.T) {
	for _, name := range []string{"HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "ALL_PROXY"} {
		t.Setenv(name, "http://127.0.0.1:1") // nobody is there
	}
	_, at := serve(t, everything)
	other, elsewhere := serve(t, everything)
	_ = other
	_, port, err := net.SplitHostPort(at)
	if err != nil {
		t.Fatal(err)
	}
	base := "http://" + at
	u := `local u = "` + base + `" `
	checkIn(t, "", mayReach(at, "localhost:"+port), []script{
		{"get", u + `local a = http.get(u .. "/hello") same(a.status, 200) same(a.body, "hello") same(a.headers["x-two"], "one, two") same(a.url, u .. "/hello")`, ""},
		{"a name of this machine", `same(http.get("http://LOCALHOST:` + port + `/hello").body, "hello")`, ""},
		{"parameters", u + `same(http.get(u .. "/echo?a=b&c#d").body, "GET /echo?a=b&c |||luahook")`, ""},
		{"headers", u + `same(http.get(u .. "/echo", { headers = { ["x-own"] = "1", ["User-Agent"] = "me" } }).body, "GET /echo |1||me")`, ""},
		{"post", u + `same(http.post(u .. "/echo", "data", { headers = { ["Content-Type"] = "text/plain" } }).body, "POST /echo data||text/plain|luahook")`, ""},
		{"request", u + `same(http.request{ url = u .. "/echo", method = "put", body = "b" }.body, "PUT /echo b|||luahook")`, ""},
		{"head", u + `local a = http.request{ url = u .. "/size/50", method = "HEAD", max = 10 } same(a.body, "") same(a.headers["content-length"], "50")`, ""},
		{"a status is an answer", u + `same(http.get(u .. "/status/503").status, 503) same(http.get(u .. "/none").status, 404)`, ""},
		{"no body", u + `same(http.get(u .. "/status/204").body, "")`, ""},
		{"long enough", u + `same(#http.get(u .. "/size/1048576").body, 1048576)`, ""},
		{"too long", u + `local a, problem = http.get(u .. "/size/1048577") same(a, nil) same(problem, u .. "/size/1048577: the answer has more than 1048576 bytes (max: up to 8388608)")`, ""},
		{"a longer max", u + `same(#http.get(u .. "/size/2000000", { max = 2000000 }).body, 2000000)`, ""},
		{"too long without a length", u + `local a, problem = http.get(u .. "/stream") same(a, nil) assert(text.contains(problem, "more than 1048576 bytes"), problem)`, ""},
		{"decompressed", u + `local a = http.get(u .. "/small-zip") same(a.body, "unpacked")`, ""},
		{"too long when decompressed", u + `local a, problem = http.get(u .. "/zip") same(a, nil) assert(text.contains(problem, "more than 1048576 bytes"), problem)`, ""},
		{"too many headers", u + `local a, problem = http.get(u .. "/headers") same(a, nil) assert(text.contains(problem, "header"), problem)`, ""},
		{"an answer that ends early", u + `local a, problem = http.get(u .. "/short") same(a, nil) assert(text.contains(problem, "ended before the answer"), problem)`, ""},
		{"timeout", u + `local a, problem = http.get(u .. "/silent?token=t", { timeout = "20ms" }) same(a, nil) same(problem, u .. "/silent: no end after its timeout of 20ms")`, ""},
		{"timeout in the body", u + `local a, problem = http.get(u .. "/hang", { timeout = "100ms" }) same(a, nil) assert(text.contains(problem, "no end after its timeout"), problem)`, ""},
		{"no cookies", u + `local a = http.get(u .. "/cookie") same(a.body, "||")`, ""},

		{"a redirect", u + `local a = http.get(u .. "/to/302?/hello") same(a.body, "hello") same(a.url, u .. "/hello")`, ""},
		{"five redirects", u + `same(http.get(u .. "/count/").body, "arrived")`, ""},
		{"redirects for ever", u + `local a, problem = http.get(u .. "/loop/") same(a, nil) assert(text.contains(problem, "more than 5 redirects"), problem)`, ""},
		{"a redirect of a post", u + `same(http.post(u .. "/to/303?/echo", "x", { headers = { ["Content-Type"] = "text/plain" } }).body, "GET /echo |||luahook")`, ""},
		{"a redirect that keeps it", u + `same(http.post(u .. "/to/307?/echo", "x").body, "POST /echo x|||luahook")`, ""},
		{"a redirect to nowhere", u + `same(http.get(u .. "/status/302").status, 302)`, ""},
		{"a redirect to another host", u + `local a, problem = http.get(u .. "/to/302?http://` + elsewhere + `/hello") same(a, nil) same(problem, u .. "/to/302: it redirects to http://` + elsewhere + `/hello, and ` + elsewhere + ` is not granted")`, ""},
		{"a redirect to a file", u + `local a, problem = http.get(u .. "/to/302?file:///etc/passwd") same(a, nil) assert(text.contains(problem, "isn't followed"), problem)`, ""},
		{"a redirect with a user", u + `local a, problem = http.get(u .. "/to/302?http://a:b@` + at + `/hello") same(a, nil) assert(text.contains(problem, "without user and password") and not text.contains(problem, "a:b"), problem)`, ""},
		{"headers stay with the host", u + `same(http.get(u .. "/to/302?/sent", { headers = { Authorization = "s", Cookie = "c", ["X-Api-Key"] = "k" } }).body, "s|c|k")`, ""},
		{"headers go no further", u + `same(http.get(u .. "/to/302?http://localhost:` + port + `/sent", { headers = { Authorization = "s", Cookie = "c", ["X-Api-Key"] = "k" } }).body, "||")`, ""},

		{"another port", `http.get("http://` + elsewhere + `/hello")`, `http.get: not granted; give this script "grant: {http: [` + elsewhere + `]}"`},
		{"another host", `http.get("https://example.com/")`, `grant: {http: [example.com]}`},
		{"another scheme", `http.get("ftp://` + at + `/")`, "begins with https:// or http://"},
		{"no scheme", `http.get("` + at + `/")`, "bad argument #1 to get (url: "},
		{"a path alone", `http.get("/x")`, "bad argument #1 to get (url: "},
		{"a user", `http.get("http://a:b@` + at + `/")`, "without user and password"},
		{"no host", `http.get("http:///x")`, "an address with a host expected"},
		{"a host that isn't ASCII", `http.get("http://ex\195\164mple.com/")`, "a host in ASCII"},
		{"a zone", `http.get("http://[fe80::1%25eth0]/")`, "a host in ASCII without a zone"},
		{"blanks", `http.get("http://exa mple.com/")`, "bad argument #1"},
		{"a line end", `http.get("http://` + at + `/x\r\nHost: y")`, "bad argument #1"},
		{"a long address", `http.get("http://` + at + `/" .. ("x"):rep(9000))`, "an address of more than 8192 bytes"},
		{"a method", u + `http.request{ url = u, method = "CONNECT" }`, "method: one of GET, HEAD"},
		{"no url", `http.request{}`, "bad argument #1 to request (url: string expected, got nil)"},
		{"unknown key", `http.request{ uri = "x" }`, `unknown option uri; did you mean "url"?`},
		{"a timeout that is none", u + `http.get(u, { timeout = "-1s" })`, "a time such as"},
		{"a number as timeout", u + `http.get(u, { timeout = 5 })`, "a time such as"},
		{"headers are no list", u + `http.get(u, { headers = { "x" } })`, "a name expected as key"},
		{"a line end in a header", u + `http.get(u, { headers = { X = "a\r\nY: b" } })`, "headers.X: a line end or another control character"},
		{"a line end in a name", u + `http.get(u, { headers = { ["X\n"] = "a" } })`, "no name of a header"},
		{"Host", u + `http.get(u, { headers = { hOST = "other" } })`, "headers.hOST: it is set by luahook"},
		{"Content-Length", u + `http.post(u, "", { headers = { ["Content-Length"] = "5" } })`, "it is set by luahook"},
		{"Transfer-Encoding", u + `http.post(u, "", { headers = { ["transfer-encoding"] = "chunked" } })`, "it is set by luahook"},
		{"Proxy-Authorization", u + `http.get(u, { headers = { ["Proxy-Authorization"] = "x" } })`, "there are no proxies"},
		{"too much to be looked at", u + `http.get(u, { headers = { X = ("x"):rep(2000000) .. "\n" } })`, "more than 100 headers, or"},
		{"many headers", u + `local h = {} for i = 1, 101 do h["X" .. i] = "x" end http.get(u, { headers = h })`, "more than 100 headers"},
		{"large headers", u + `http.get(u, { headers = { X = ("x"):rep(70000) } })`, "65536 bytes"},
	})
}

func TestNobodyAnswers(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	at := l.Addr().String()
	_ = l.Close()
	checkIn(t, "", mayReach(at), []script{
		{"refused", `local a, problem = http.get("http://` + at + `/") same(a, nil) assert(text.contains(problem, "no connection"), problem)`, ""},
	})
}

// TestHTTPEndsWithTheRun: nothing of a request outlives it.
func TestHTTPEndsWithTheRun(t *testing.T) {
	server, at := serve(t, everything)
	ignore := goleak.IgnoreCurrent()
	for _, path := range []string{"silent", "hang"} {
		env := luabind.Environment{Modules: Modules(), Grants: mayReach(at), Limits: luabind.Limits{Timeout: 100 * time.Millisecond}}
		err := runWith(t, env, `pcall(http.get, "http://`+at+`/`+path+`") while true do end`)
		wantError(t, err, "it ran longer than its")
	}
	server.CloseClientConnections()
	goleak.VerifyNone(t, ignore, goleak.IgnoreTopFunction("net/http.(*connReader).backgroundRead"))
}

func TestHTTPIsPaidFor(t *testing.T) {
	_, at := serve(t, everything)
	for name, lua := range map[string]string{"one": `http.get(u .. "/size/900000")`, "many": `for i = 1, 100 do http.get(u .. "/size/100000") end`} {
		t.Run(name, func(t *testing.T) {
			env := luabind.Environment{Modules: Modules(), Grants: mayReach(at), Limits: luabind.Limits{Memory: 2 << 20, Timeout: time.Minute}}
			wantError(t, runWith(t, env, `local u = "http://`+at+`" `+lua), "limits.memory")
		})
	}
}

// TestTLS verifies: without the right roots, for another name, and with an old version
// there is no answer.
func TestTLS(t *testing.T) {
	good := exampleServer(t)
	answer := `same(http.get("https://api.example.com/freeze").status, 200)`
	refused := func(want string) string {
		return `local a, problem = http.get("https://api.example.com/freeze") same(a, nil) assert(text.contains(problem, "` + want + `"), problem)`
	}
	env := func(s *sender) luabind.Environment {
		return luabind.Environment{Modules: modules(s), Grants: mayReach("*.example.com", "other.org"), Limits: wide}
	}
	wantError(t, runWith(t, env(good), answer), "")
	wantError(t, runWith(t, env(&sender{dial: good.dial}), refused("certificate")), "")
	wantError(t, runWith(t, env(good), `local a, problem = http.get("https://other.org/freeze") same(a, nil) assert(text.contains(problem, "certificate"), problem)`), "")

	old := httptest.NewUnstartedServer(http.HandlerFunc(everything))
	old.TLS = &tls.Config{MaxVersion: tls.VersionTLS11, MinVersion: tls.VersionTLS10}
	old.Config.ErrorLog = nil
	old.StartTLS()
	defer old.Close()
	s := &sender{roots: good.roots, dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, old.Listener.Addr().String())
	}}
	wantError(t, runWith(t, env(s), refused("protocol version")), "")

	// From https to http, on the same host.
	down := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://api.example.com/freeze")
		w.WriteHeader(http.StatusFound)
	}))
	defer down.Close()
	s = &sender{roots: good.roots, dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, network, down.Listener.Addr().String())
	}}
	wantError(t, runWith(t, env(s), refused("it redirects to http://api.example.com/freeze, from https to http")), "")
}

// nameServer answers every question of the domain system with one address.
func nameServer(t *testing.T, answer string) *net.Resolver {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	addr := netip.MustParseAddr(answer)
	go func() {
		for b := make([]byte, 1500); ; {
			n, from, err := conn.ReadFrom(b)
			if err != nil {
				return
			}
			if n < 17 {
				continue
			}
			end := 12
			for end < n && b[end] != 0 {
				end += int(b[end]) + 1
			}
			question := b[12 : end+5]
			kind := binary.BigEndian.Uint16(question[len(question)-4:])
			reply := append([]byte{b[0], b[1], 0x81, 0x80, 0, 1, 0, 0, 0, 0, 0, 0}, question...)
			if kind == 1 && addr.Is4() || kind == 28 && addr.Is6() {
				reply[7] = 1
				reply = append(reply, 0xc0, 12, byte(kind>>8), byte(kind), 0, 1, 0, 0, 0, 0, 0, byte(len(addr.AsSlice())))
				reply = append(reply, addr.AsSlice()...)
			}
			_, _ = conn.WriteTo(reply, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", conn.LocalAddr().String())
	}}
}

// TestNamesThatLeadInside resolves names of the internet to addresses of this machine
// and of private networks: nothing is dialled.
func TestNamesThatLeadInside(t *testing.T) {
	reached := make(chan struct{}, 100)
	_, at := serve(t, func(http.ResponseWriter, *http.Request) { reached <- struct{}{} })
	_, port, err := net.SplitHostPort(at)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ answer, granted, url, want string }{
		{"127.0.0.1", "hook.example.com:" + port, "http://hook.example.com:" + port, "hook.example.com leads to 127.0.0.1, which is no public address"},
		{"127.0.0.1", "*.example.com", "http://hook.example.com", "hook.example.com leads to 127.0.0.1, which is no public address"},
		{"::ffff:127.0.0.1", "hook.example.com", "http://hook.example.com", "leads to 127.0.0.1, which is no public address"},
		{"10.0.0.1", "hook.example.com", "http://hook.example.com", "leads to 10.0.0.1, an address of a private network; grant it with its port, hook.example.com:80, if that is meant"},
		{"169.254.169.254", "hook.example.com:80", "http://hook.example.com", "leads to 169.254.169.254, which is no public address"},
		{"0.0.0.0", "hook.example.com:80", "http://hook.example.com", "leads to 0.0.0.0, which is no public address"},
	} {
		env := luabind.Environment{Modules: modules(&sender{resolver: nameServer(t, tt.answer)}), Grants: mayReach(tt.granted), Limits: wide, With: map[string]any{"url": tt.url, "want": tt.want}}
		wantError(t, runWith(t, env, `local with = ... local a, problem = http.get(with.url) same(a, nil) assert(text.contains(problem, with.want), problem)`), "")
	}
	if len(reached) > 0 {
		t.Error("the server was reached")
	}
}
