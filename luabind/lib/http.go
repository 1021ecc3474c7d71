package lib

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	lua "github.com/yuin/gopher-lua"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/lib/internal/hostgrant"
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
	const rules = "; an answer of any status is one, with headers by their names in small letters. " +
		"It gives nil and a message without an answer: no connection, a redirect to a host that isn't granted, " +
		"a body of more than max bytes (1 MiB by default, at most 8 MiB), no end after timeout (default: that of the run)"
	return module("http", "requests to hosts that are granted: host, *.host (its subdomains) or host:port. Without a port only the standard ports are granted. "+
		"A host name leads to public addresses, with its port also to private networks; localhost and addresses need grants of their own. "+
		"No proxies, no cookies",
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
			"request", "(request: {url: string, method: string?, headers: table?, body: string?, max: integer?, timeout: string?}): " + answer,
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

// sender sends requests. All states share one; it keeps nothing between two calls. What
// it has is for tests.
type sender struct {
	roots    *x509.CertPool // nil: the system's
	resolver *net.Resolver  // nil: the system's
	dial     func(ctx context.Context, network, address string) (net.Conn, error)
}

// send sends a request, follows redirects within what is granted, and returns the answer.
func (s *sender) send(c call, granted []string, r outgoing) int {
	if _, err := hostgrant.Of(granted, r.url); err != nil {
		var host hostgrant.NotGranted
		if errors.As(err, &host) {
			c.need(false, "http: ["+string(host)+"]")
		}
		c.fail(err.Error())
	}
	luabind.Spend(c.LState, 2000) // a connection takes about so long, beside the waiting
	got := doOnce(c, r.given(), received.size, func() (none received, dropped bool) { return none, !c.usesResult() }, func() received {
		if got, ok := c.sendStandIn(r); ok {
			return got
		}
		return s.exchange(c, granted, r)
	})
	if got.err != nil {
		return c.failed(got.err)
	}
	if got.url == nil { // it is not looked at
		return 0
	}
	return c.giveAnswer(got)
}

// exchange sends a request, follows redirects, and gives what has come in the end.
func (s *sender) exchange(c call, granted []string, r outgoing) received {
	ctx, cancel := luabind.Context(c.LState)
	defer cancel()
	if r.timeout > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, r.timeout, fmt.Errorf("no end after its timeout of %s", r.timeout))
		defer cancel()
	}
	for hops := 0; ; hops++ {
		next, got, err := s.hop(ctx, c, granted, r)
		switch {
		case err != nil:
			return received{err: fmt.Errorf("%s: %w", shownURL(r.url), plainError(ctx, err))}
		case next == nil:
			return got
		case hops == maxRedirects:
			return received{err: fmt.Errorf("%s: more than %d redirects", shownURL(r.url), maxRedirects)}
		}
		r = *next
	}
}

// received is an answer.
type received struct {
	status int
	header http.Header
	url    *url.URL
	body   string
	err    error // there is none
}

func (r received) size() int {
	size := len(r.body)
	for name, values := range r.header {
		size += len(name) + len(strings.Join(values, ", "))
	}
	return size
}

// given is all of a request that matters for its answer.
func (r *outgoing) given() []string {
	given := []string{r.method, r.url.String(), r.body, strconv.Itoa(r.max), r.timeout.String()}
	for _, name := range slices.Sorted(maps.Keys(r.headers)) {
		given = append(given, name, strings.Join(r.headers[name], ", "))
	}
	return given
}

// hop sends one request. Where the answer is a redirect, next is what is to be sent then.
func (s *sender) hop(ctx context.Context, c call, granted []string, r outgoing) (next *outgoing, got received, err error) {
	t, err := hostgrant.Of(granted, r.url)
	if err != nil {
		return nil, got, err
	}
	transport := s.transport(t)
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(ctx, r.method, r.url.String(), strings.NewReader(r.body))
	if err != nil {
		return nil, got, err
	}
	request.Header = r.headers
	answer, err := transport.RoundTrip(request)
	if err != nil {
		return nil, got, err
	}
	defer func() { _ = answer.Body.Close() }()
	if next, err := r.redirected(answer, granted); err != nil || next != nil {
		return next, got, err
	}
	body, err := readBody(c, answer, r.max)
	if err != nil {
		return nil, got, err
	}
	return nil, received{status: answer.StatusCode, header: answer.Header, url: r.url, body: body}, nil
}

// transport makes connections to one target only, for one request.
func (s *sender) transport(t hostgrant.Target) *http.Transport {
	dialer := &net.Dialer{
		Resolver: s.resolver,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			if err := t.CheckAddress(address); err != nil {
				return refusedAddress{err}
			}
			return nil
		},
	}
	dial := dialer.DialContext
	if s.dial != nil {
		dial = s.dial
	}
	return &http.Transport{
		Proxy:                  nil, // none, whatever the environment says
		DialContext:            dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: s.roots},
		DisableKeepAlives:      true,
		MaxResponseHeaderBytes: maxHeaderBytes,
	}
}

// refusedAddress is an address that the grant doesn't cover.
type refusedAddress struct{ error }

// redirected is the request that follows from an answer; nil where it is none.
func (r outgoing) redirected(answer *http.Response, granted []string) (*outgoing, error) {
	switch answer.StatusCode {
	case 301, 302, 303, 307, 308:
	default:
		return nil, nil
	}
	location := answer.Header.Get("Location")
	if location == "" {
		return nil, nil
	}
	to, err := r.url.Parse(location)
	if err == nil && len(location) > maxURL {
		err = errors.New("it is too long")
	}
	if err == nil {
		err = checkURL(to)
	}
	if err != nil {
		return nil, fmt.Errorf("it redirects to an address that isn't followed: %w", err)
	}
	if _, err := hostgrant.Of(granted, to); err != nil {
		return nil, fmt.Errorf("it redirects to %s, and %w", shownURL(to), err)
	}
	if r.url.Scheme == "https" && to.Scheme == "http" {
		return nil, fmt.Errorf("it redirects to %s, from https to http", shownURL(to))
	}
	next := r
	next.url, next.headers = to, r.headers.Clone()
	to.Fragment, to.RawFragment = "", ""
	if answer.StatusCode < 307 && r.method != "GET" && r.method != "HEAD" {
		next.method, next.body = "GET", ""
		next.headers.Del("Content-Type")
	}
	if to.Scheme != r.url.Scheme || !strings.EqualFold(to.Host, r.url.Host) { // what was for the one is not for the other
		for name := range next.headers {
			switch name {
			case "Accept", "Accept-Language", "Content-Type", "User-Agent":
			default:
				next.headers.Del(name)
			}
		}
	}
	return &next, nil
}

// readBody reads an answer, piece by piece, each paid for before.
func readBody(c call, answer *http.Response, most int) (string, error) {
	if answer.ContentLength > int64(most) && answer.Request.Method != http.MethodHead {
		return "", tooLongAnswer(most)
	}
	var body []byte
	piece := make([]byte, 16<<10)
	for {
		n, err := answer.Body.Read(piece)
		if len(body)+n > most {
			return "", tooLongAnswer(most)
		}
		c.charge(n)
		if len(body)+n > cap(body) {
			room := min(max(2*cap(body), len(body)+n, int(answer.ContentLength)), most)
			c.allocate(room)
			body = append(make([]byte, 0, room), body...)
		}
		body = append(body, piece[:n]...)
		if err == io.EOF {
			c.allocate(len(body))
			return string(body), nil
		}
		if err != nil {
			return "", err
		}
	}
}

func tooLongAnswer(most int) error {
	return fmt.Errorf("the answer has more than %d bytes (max: up to %d)", most, maxBody)
}

func (c call) giveAnswer(got received) int {
	headers := c.object(len(got.header))
	meter := luabind.Meter{L: c.LState}
	for name, values := range got.header {
		text := strings.Join(values, ", ")
		meter.Add(4+len(text)/16, len(name)+len(text))
		headers.RawSetString(strings.ToLower(name), lua.LString(text))
	}
	meter.Flush()
	t := c.object(4)
	t.RawSetString("status", lua.LNumber(got.status))
	t.RawSetString("headers", headers)
	t.RawSetString("body", lua.LString(got.body))
	t.RawSetString("url", lua.LString(got.url.String()))
	return c.give(t)
}

// shownURL is an address as messages have it: parameters may be secrets.
func shownURL(u *url.URL) string {
	short := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	return cut(short.String(), 300)
}

// plainError says why there is no answer, without what net puts around it.
func plainError(ctx context.Context, err error) error {
	var refused refusedAddress
	var unknown *net.DNSError
	var op *net.OpError
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, &refused):
		return refused.error
	case errors.As(err, &unknown):
		return fmt.Errorf("the host's address isn't found: %s", unknown.Err)
	case errors.As(err, &op) && op.Op == "dial":
		return fmt.Errorf("no connection: %w", op.Err)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return errors.New("the connection ended before the answer did")
	}
	return err
}
