// Package ui is a local page over the decision log and the hooks in force: what was decided, why, and how fast.
//
// A request comes in by [Server.ServeHTTP], which says who may ask; each view is a file of its own. Pages are whole
// without a script; static/ui.js makes them live. Nothing here changes anything: what needs a person's word stays on
// the terminal.
package ui

import (
	"context"
	"crypto/rand"
	"embed"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
	"github.com/luahook/luahook/cmd/luahook/internal/logindex"
	"github.com/luahook/luahook/cmd/luahook/internal/markup"
)

//go:embed static/ui.css static/ui.js static/icon.svg
var static embed.FS

// Options say what a [Server] shows.
type Options struct {
	Index   *logindex.Index // of the log; its owner runs it
	LogName string          // of the log, for people
	Hooks   Hooks           // in force
	Address access.Address  // that is listened on
	Token   string          // that the path of every request begins with
	Version string          // of luahook
	Logger  *slog.Logger
}

// Server answers requests as an [http.Handler]. Make one with [New].
type Server struct {
	Options
	token  access.Token
	base   string // of all paths: "/TOKEN"
	routes map[string]route
	ended  context.Context // is done when the server has to end
	end    context.CancelFunc
	today  *today
	sums   sessionSums
	turn   chan struct{} // is held by what the playground does; one thing at a time
	fared  fared
	trust  trustSeen
	once   atomic.Pointer[access.Token] // that opens the page one time; nil: it has

	overviews overviews
}

// New makes a server. The token may not be empty, and stands in paths as it is.
func New(o Options) (*Server, error) {
	if o.Token == "" || strings.ContainsAny(o.Token, "/?#%") {
		return nil, errors.New("the token of the page can't stand in a link: want letters and digits")
	}
	s := &Server{Options: o, token: access.NewToken(o.Token), base: "/" + o.Token, today: &today{hooks: o.Hooks}, turn: make(chan struct{}, 1)}
	s.ended, s.end = context.WithCancel(context.Background())
	s.routes = s.allRoutes()
	return s, nil
}

// OpenOnce is a path that leads to the page the first time that somebody asks for it.
func (s *Server) OpenOnce() string {
	code := rand.Text()
	token := access.NewToken(code)
	s.once.Store(&token)
	return "/" + code
}

// Serve answers the requests that come in on l until ctx is done, and closes l and what the pages have
// opened. Call it once.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	err := access.Serve(ctx, l, s, s.Logger, s.end)
	return errors.Join(err, s.today.close(context.WithoutCancel(ctx)))
}

// route is what is done at a path.
type route struct {
	method string
	answer func(w http.ResponseWriter, r *http.Request) error
}

// allRoutes are all paths below the token's.
func (s *Server) allRoutes() map[string]route {
	get := func(answer func(http.ResponseWriter, *http.Request) error) route {
		return route{http.MethodGet, answer}
	}
	post := func(answer func(http.ResponseWriter, *http.Request) error) route {
		return route{http.MethodPost, answer}
	}
	return map[string]route{
		"":                  get(func(w http.ResponseWriter, r *http.Request) error { return s.redirect(w, "/now") }),
		"now":               get(s.now),
		"now/stream":        get(s.stream),
		"record":            get(s.record),
		"sessions":          get(s.sessions),
		"session":           get(s.session),
		"overview":          get(s.overview),
		"hooks":             get(s.hooksInForce),
		"hooks/source":      get(s.source),
		"playground":        get(s.playground),
		"playground/fire":   post(s.playgroundFire),
		"playground/replay": post(s.playgroundReplay),
		"static/ui.css":     get(func(w http.ResponseWriter, _ *http.Request) error { return s.static(w, "text/css", "ui.css") }),
		"static/icon.svg":   get(func(w http.ResponseWriter, _ *http.Request) error { return s.static(w, "image/svg+xml", "icon.svg") }),
		"static/ui.js":      get(func(w http.ResponseWriter, _ *http.Request) error { return s.static(w, "text/javascript", "ui.js") }),
	}
}

// refusal is an error with a status, which a page tells.
type refusal struct {
	status int
	text   string
}

func (r *refusal) Error() string { return r.text }

func refuse(status int, format string, values ...any) error {
	return &refusal{status, fmt.Sprintf(format, values...)}
}

// contentSecurityPolicy has a browser run and load nothing but what luahook itself has. Texts from the log reach the
// page by luahook's own markup alone, for which the script has the one policy of trusted types.
const contentSecurityPolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types luahook"

// Bounds of requests.
const (
	maxBody   = 4 << 20
	bodyTime  = 30 * time.Second
	writeTime = 30 * time.Second
)

// ServeHTTP implements [http.Handler].
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Content-Security-Policy", contentSecurityPolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "same-origin") // the address has the token; with no-referrer, forms would be sent with the origin "null"
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Cache-Control", "no-store")
	c := http.NewResponseController(w)
	_ = c.SetReadDeadline(time.Now().Add(bodyTime)) // an error: this isn't a connection
	_ = c.SetWriteDeadline(time.Now().Add(writeTime))
	r.Body = http.MaxBytesReader(w, r.Body, maxBody)
	err := s.answer(w, r)
	if err == nil || r.Context().Err() != nil {
		return
	}
	var known *refusal
	if !errors.As(err, &known) {
		s.Logger.Warn(fmt.Sprintf("a page failed: %v", err))
		known = &refusal{http.StatusInternalServerError, err.Error()}
	}
	if _, stranger := s.mayAsk(r); stranger == nil {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(known.status)
		_ = s.write(w, page{title: http.StatusText(known.status), body: markup.Group(
			markup.El("h1", markup.Text(http.StatusText(known.status))), markup.El("p", markup.Text(known.text)))}) // which has no error
		return
	}
	s.writeRefusal(w, known)
}

// answer answers a request, if it may be asked. A panic is an error.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	path, err := s.mayAsk(r)
	if err != nil {
		return err
	}
	if path == opening {
		return s.redirect(w, "/now")
	}
	at, ok := s.routes[path]
	if !ok {
		return refuse(http.StatusNotFound, "There is no such page.")
	}
	if r.Method != at.method && (r.Method != http.MethodHead || at.method != http.MethodGet) {
		w.Header().Set("Allow", at.method)
		return refuse(http.StatusMethodNotAllowed, "This page is for %s.", at.method)
	}
	return at.answer(w, r)
}

// mayAsk says why a request is refused, or which page it is for: a page that a stranger has put into a browser must
// reach nothing, and nobody who doesn't know the token.
func (s *Server) mayAsk(r *http.Request) (path string, err error) {
	switch {
	case !s.Address.KnowsHost(r):
		return "", refuse(http.StatusForbidden, "The request is for another host. Open the link as luahook ui has printed it.")
	case !access.SameOrigin(r):
		return "", refuse(http.StatusForbidden, "The request comes from another page. Type or paste the link of luahook ui into the address bar.")
	case len(r.URL.RawQuery) > maxQuery:
		return "", refuse(http.StatusRequestURITooLong, "The address is too long.")
	}
	token, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if once := s.once.Load(); once != nil && once.Is(token) && r.Method == http.MethodGet && s.once.CompareAndSwap(once, nil) {
		return opening, nil
	}
	if !s.token.Is(token) {
		return "", refuse(http.StatusUnauthorized, "The link isn't whole, or is that of an earlier luahook ui. Each has a token of its own, so that nobody else on this machine can read your log.")
	}
	return path, nil
}

// opening stands for the page that a path of [Server.OpenOnce] leads to; no path has it.
const opening = "//"

// maxQuery bounds what an address may ask for, in bytes.
const maxQuery = 8 << 10

func (s *Server) redirect(w http.ResponseWriter, path string) error {
	w.Header().Set("Location", s.base+path)
	w.WriteHeader(http.StatusSeeOther)
	return nil
}

func (s *Server) static(w http.ResponseWriter, kind, name string) error {
	text, err := static.ReadFile("static/" + name)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", kind+"; charset=utf-8")
	_, _ = w.Write(text) // an error: nobody reads it any more
	return nil
}

// writeRefusal writes a page for who may not ask. It has no links, as those have the token.
func (s *Server) writeRefusal(w http.ResponseWriter, why *refusal) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(why.status)
	title := fmt.Sprintf("%d %s", why.status, http.StatusText(why.status))
	_, _ = w.Write([]byte(markup.Page(markup.El("html", markup.Attr("lang", "en"),
		markup.El("head", markup.El("meta", markup.Attr("charset", "utf-8")), markup.El("title", markup.Text(title+" · luahook"))),
		markup.El("body", markup.El("h1", markup.Text(title)), markup.El("p", markup.Text(why.text))))))) // an error: nobody reads it any more
}
