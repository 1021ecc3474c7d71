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
	"net/url"
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

// TestTargets holds addresses against grants.
func TestTargets(t *testing.T) {
	for _, tt := range []struct {
		granted, url string
		reach        reach
		refused      string
	}{
		{"api.example.com", "https://api.example.com/x", reachPublic, ""},
		{"api.example.com", "http://api.example.com", reachPublic, ""},
		{"api.example.com", "https://API.Example.COM.:443/", reachPublic, ""},
		{"API.example.com", "https://api.example.com", reachPublic, ""},
		{"api.example.com", "https://api.example.com:8443", 0, "api.example.com:8443"},
		{"api.example.com", "https://api.example.com:80", 0, "api.example.com:80"},
		{"api.example.com", "https://example.com", 0, "example.com"},
		{"api.example.com", "https://xapi.example.com", 0, "xapi.example.com"},
		{"api.example.com", "https://api.example.com.evil.org", 0, "api.example.com.evil.org"},
		{"api.example.com", "https://evil.org/api.example.com", 0, "evil.org"},
		{"api.example.com", "https://evil.org#@api.example.com", 0, "evil.org"},
		{"api.example.com:8443", "https://api.example.com:8443", reachPrivate, ""},
		{"api.example.com:8443", "https://api.example.com", 0, "api.example.com"},
		{"api.example.com:443", "https://api.example.com", reachPrivate, ""},
		{"api.example.com:443", "http://api.example.com:443", reachPrivate, ""},
		{"*.example.com", "https://a.b.example.com", reachPublic, ""},
		{"*.example.com", "https://example.com", 0, "example.com"},
		{"*.example.com", "https://badexample.com", 0, "badexample.com"},
		{"*.example.com:8443", "https://a.example.com:8443", reachPublic, ""},
		{"*", "https://example.com", 0, "example.com"},
		{"*.", "https://example.com", 0, "example.com"},
		{"", "https://example.com", 0, "example.com"},
		{"*.0.0.1", "http://127.0.0.1", 0, "127.0.0.1"},
		{"localhost", "http://localhost", reachLoopback, ""},
		{"localhost:3000", "http://localhost:3000", reachLoopback, ""},
		{"localhost", "http://localhost:3000", 0, "localhost:3000"},
		{"localhost", "http://127.0.0.1", 0, "127.0.0.1"},
		{"*.localhost", "http://a.localhost", reachPublic, ""},
		{"127.0.0.1", "http://127.0.0.1", reachOne, ""},
		{"127.0.0.1:8080", "http://127.0.0.1:8080", reachOne, ""},
		{"127.0.0.1:8080", "http://127.0.0.1", 0, "127.0.0.1"},
		{"127.0.0.1", "http://127.1", 0, "127.1"},
		{"127.0.0.1", "http://2130706433", 0, "2130706433"},
		{"[::1]:8080", "http://[::1]:8080", reachOne, ""},
		{"[::1]", "http://[0:0::1]", reachOne, ""},
		{"::1", "http://[::1]", reachOne, ""},
		{"[::1]", "http://[::2]:80", 0, "[::2]"},
		{"https://example.com", "https://example.com", 0, "example.com"},
	} {
		u, err := url.Parse(tt.url)
		if err != nil {
			t.Fatal(err)
		}
		got, err := targetOf([]string{"unrelated.org", tt.granted}, u)
		switch {
		case tt.refused != "" && (err == nil || err.Error() != tt.refused+" is not granted"):
			t.Errorf("%s for %s: got %v, want %s refused", tt.granted, tt.url, err, tt.refused)
		case tt.refused == "" && (err != nil || got.reach != tt.reach):
			t.Errorf("%s for %s: got %v %v, want %v", tt.granted, tt.url, got.reach, err, tt.reach)
		}
	}
	u, _ := url.Parse("https://a.example.com:443")
	if got, err := targetOf([]string{"*.example.com", "a.example.com:443", "a.example.com"}, u); err != nil || got.reach != reachPrivate {
		t.Errorf("of several grants the widest counts: %v %v", got.reach, err)
	}
}

// TestAddresses asks for each kind of address under each kind of grant.
func TestAddresses(t *testing.T) {
	for kind, list := range map[addressKind][]string{
		kindPublic:   {"8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "64:ff9b::808:808", "2002:808:808::1"},
		kindPrivate:  {"10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "100.127.255.255", "fd12:3456::1", "::ffff:10.0.0.1", "64:ff9b::a00:1"},
		kindLoopback: {"127.0.0.1", "127.255.0.1", "::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1"},
		kindOther: {
			"0.0.0.0", "0.1.2.3", "169.254.169.254", "224.0.0.1", "239.255.255.255", "240.0.0.1", "255.255.255.255", "192.0.0.1", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1",
			"::", "::10.0.0.1", "fe80::1", "fe80::1%eth0", "ff02::1", "fec0::1", "2001::1", "2001:db8::1", "2002:a00:1::1", "2002:7f00:1::1", "fd00:ec2::254", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "::ffff:169.254.169.254", "100::1", "4000::1",
		},
	} {
		for _, text := range list {
			addr := netip.MustParseAddr(text)
			if got := kindOf(addr); got != kind {
				t.Errorf("%s is of kind %d, want %d", text, got, kind)
			}
			address := netip.AddrPortFrom(addr, 443).String()
			for r, want := range map[reach]bool{reachPublic: kind == kindPublic, reachPrivate: kind == kindPublic || kind == kindPrivate, reachLoopback: kind == kindLoopback} {
				err := target{host: "h", port: "443", reach: r}.checkAddress(address)
				if (err == nil) != want {
					t.Errorf("%s under reach %d: %v", text, r, err)
				}
			}
			if err := (target{host: "h", port: "443", reach: reachOne, addr: netip.MustParseAddr("9.9.9.9")}).checkAddress(address); err == nil {
				t.Errorf("%s in the place of another address", text)
			}
		}
	}
	one := target{host: "169.254.169.254", port: "80", reach: reachOne, addr: netip.MustParseAddr("169.254.169.254")}
	if err := one.checkAddress("169.254.169.254:80"); err != nil {
		t.Error(err)
	}
	if one.checkAddress("169.254.169.254:81") == nil || one.checkAddress("garbage") == nil {
		t.Error("another port, or garbage")
	}
	nowhere := target{host: "0.0.0.0", port: "80", reach: reachOne, addr: netip.MustParseAddr("0.0.0.0")}
	if nowhere.checkAddress("0.0.0.0:80") == nil {
		t.Error("0.0.0.0 is this machine")
	}
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

func FuzzURL(f *testing.F) {
	for _, s := range []string{"https://api.example.com/x", "http://[::1]:80/", "https://a@b", "http://api.example.com:", "https:opaque", "http://\x00", "https://api.example.com%2f@evil.org/"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		u, err := url.Parse(s)
		if err != nil || checkURL(u) != nil {
			return
		}
		if _, err := targetOf([]string{"api.example.com"}, u); err == nil {
			// What is granted is what would be dialled.
			r, err := http.NewRequest("GET", u.String(), nil)
			if err != nil {
				return
			}
			if h := strings.TrimSuffix(strings.ToLower(r.URL.Hostname()), "."); h != "api.example.com" {
				t.Errorf("%q is let through for %q", s, h)
			}
		}
	})
}
