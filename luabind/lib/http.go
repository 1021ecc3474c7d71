package lib

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
)

// Bounds of http.
const (
	maxBody        = 8 << 20 // bytes of an answer, as they come out of decompression
	defaultBody    = 1 << 20
	maxHeaders     = 100
	maxHeaderBytes = 64 << 10
	maxRedirects   = 5
	maxURL         = 8 << 10
)

func httpModule(s *sender) luabind.Module {
	const answer = "{status: integer, headers: table, body: string, url: string}|nil, string?"
	const rules = "; an answer of any status is one, with headers by their names in small letters; " +
		"nil and a message where there is none: no connection, a redirect to a host that isn't granted, a body of more than max bytes (1 MiB, or what you say, up to 8 MiB), no end after timeout (default: that of the run)"
	return module("http", "requests to hosts that are granted: host, *.host (what is under it) or host:port; without a port the standard ports only; a host name leads to public addresses, with its port to private networks, too; localhost and addresses are granted by themselves; no proxies, no cookies",
		function{
			"get", "(url: string, options?: {headers: table, max: integer, timeout: string}): " + answer,
			"gets what is at an address" + rules,
			`local answer, problem = http.get("https://api.example.com/freeze", { timeout = "500ms" })
assert(answer and answer.status == 200, problem)
assert(json.decode(answer.body).freeze == false and answer.headers["content-type"] == "application/json")`,
			s.get,
		},
		function{
			"post", "(url: string, body: string, options?: {headers: table, max: integer, timeout: string}): " + answer,
			"posts a body to an address" + rules,
			`local answer = http.post("https://api.example.com/log", json.encode({ tool = "bash" }), { headers = { ["Content-Type"] = "application/json" } })
assert(answer and answer.status == 201)`,
			s.post,
		},
		function{
			"request", "(request: {url: string, method: string, headers: table, body: string, max: integer, timeout: string}): " + answer,
			"any request; method is GET, HEAD, POST, PUT, PATCH, DELETE or OPTIONS, default GET" + rules,
			`local answer = http.request{ method = "DELETE", url = "https://api.example.com/lock" }
assert(answer and answer.status == 204 and answer.body == "")`,
			s.request,
		})
}

// outgoing is a request that has been read and checked, but for whether its host is
// granted.
type outgoing struct {
	method  string
	url     *url.URL
	headers http.Header
	body    string
	max     int
	timeout time.Duration // 0: that of the run
}

func (c call) grantedHosts() []string {
	granted := luabind.GrantsOf(c.LState).HTTP
	c.need(len(granted) > 0, "http: [HOST]")
	return granted
}

func (s *sender) get(c call) int {
	granted := c.grantedHosts()
	r := outgoing{method: "GET", url: c.url(1, c.text(1))}
	r.take(c.options(2, "headers", "max", "timeout"))
	return s.send(c, granted, r)
}

func (s *sender) post(c call) int {
	granted := c.grantedHosts()
	r := outgoing{method: "POST", url: c.url(1, c.text(1)), body: c.text(2)}
	r.take(c.options(3, "headers", "max", "timeout"))
	return s.send(c, granted, r)
}

func (s *sender) request(c call) int {
	granted := c.grantedHosts()
	if c.Get(1) == lua.LNil {
		c.wrongType(1, "table")
	}
	o := c.options(1, "url", "method", "headers", "body", "max", "timeout")
	address, given := o.text("url")
	if !given {
		c.bad(1, "url: string expected, got nil")
	}
	r := outgoing{method: "GET", url: c.url(1, address)}
	if method, given := o.text("method"); given {
		r.method = strings.ToUpper(cut(method, 20))
		methods := []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}
		if !slices.Contains(methods, r.method) {
			c.bad(1, fmt.Sprintf("method: one of %s expected, got %q", strings.Join(methods, ", "), cut(method, 100)))
		}
	}
	r.body, _ = o.text("body")
	r.take(o)
	return s.send(c, granted, r)
}

// url reads an address.
func (c call) url(n int, text string) *url.URL {
	if len(text) > maxURL {
		c.bad(n, fmt.Sprintf("an address of more than %d bytes", maxURL))
	}
	luabind.Spend(c.LState, 50+len(text)/4)
	c.allocate(4 * len(text))
	u, err := url.Parse(text)
	if err == nil {
		err = checkURL(u)
	}
	if err != nil {
		c.bad(n, "url: "+strings.TrimPrefix(err.Error(), "parse "))
	}
	u.Fragment, u.RawFragment = "", ""
	return u
}

func checkURL(u *url.URL) error {
	host := u.Hostname()
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return fmt.Errorf("an address that begins with https:// or http:// expected, got %q", cut(u.Scheme, 50))
	case u.User != nil:
		return fmt.Errorf("an address without user and password expected; put them into a header")
	case host == "" || u.Opaque != "":
		return fmt.Errorf("an address with a host expected")
	case strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r > '~' || r == '%' }):
		return fmt.Errorf("a host in ASCII without a zone expected (xn--... for others), got %q", cut(host, 100))
	case strings.HasSuffix(u.Host, ":"):
		return fmt.Errorf("there is no port behind the colon of the host")
	}
	return nil
}

// take reads the options that all requests have.
func (r *outgoing) take(o options) {
	r.max = o.whole("max", defaultBody, maxBody)
	r.timeout, _ = o.duration("timeout")
	r.headers = http.Header{"User-Agent": {"luahook"}}
	all, size := o.texts("headers"), 0
	for name, value := range all {
		size += len(name) + len(value)
	}
	if len(all) > maxHeaders || size > maxHeaderBytes { // before each is looked at
		o.c.bad(o.n, fmt.Sprintf("more than %d headers, or %d bytes of them", maxHeaders, maxHeaderBytes))
	}
	for name, value := range all {
		if err := checkHeader(name, value); err != nil {
			o.c.bad(o.n, fmt.Sprintf("headers.%s: %s", cut(name, 100), err))
		}
		r.headers.Set(name, value)
	}
	o.c.charge(size + len(r.body))
	o.c.allocate(2 * size)
}

func checkHeader(name, value string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || strings.ContainsRune("!#$%&'*+-.^_`|~", r))
	}) {
		return fmt.Errorf("no name of a header")
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return fmt.Errorf("a line end or another control character in it")
	}
	switch n := http.CanonicalHeaderKey(name); n {
	case "Host", "Content-Length", "Transfer-Encoding", "Connection", "Keep-Alive", "Upgrade", "Te", "Trailer", "Expect", "Accept-Encoding":
		return fmt.Errorf("it is set by luahook")
	default:
		if strings.HasPrefix(n, "Proxy-") {
			return fmt.Errorf("there are no proxies")
		}
	}
	return nil
}
