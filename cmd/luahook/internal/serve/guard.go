package serve

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// check says why a request may not be asked: a page that a stranger has put into a browser must reach nothing, and
// where there is a token, nobody without it.
func (s *Server) check(r *http.Request, at route) *refusal {
	if !s.knowsHost(r) {
		return &refusal{causeHost, http.StatusForbidden, fmt.Errorf("the request is for the host %.100q, which this isn't; use localhost, 127.0.0.1 or the address that luahook serve listens on", r.Host)}
	}
	if !sameOrigin(r) {
		return &refusal{causeOrigin, http.StatusForbidden, errors.New("the request comes from a page in a browser (Origin or Sec-Fetch-Site); none may ask here")}
	}
	if at.method != "" && r.Method != at.method && (at.method != http.MethodGet || r.Method != http.MethodHead) {
		return &refusal{causeMethod, http.StatusMethodNotAllowed, fmt.Errorf("%.20q isn't for %s; use %s", r.Method, r.URL.Path, at.method)}
	}
	if s.needToken && !at.open && !s.hasToken(r) {
		return &refusal{causeToken, http.StatusUnauthorized, errors.New("the token is missing or wrong; send it as Authorization: Bearer TOKEN")}
	}
	if at.method == http.MethodPost && !isJSON(r) {
		return &refusal{causeContentType, http.StatusUnsupportedMediaType, errors.New("want Content-Type: application/json, in UTF-8 and not compressed")}
	}
	return nil
}

// knowsHost reports whether the request is addressed to this machine in a way that no stranger's name can be: a page
// may have its own name resolved to 127.0.0.1. No page knows the path of a Unix socket. All addresses of a machine
// are served only with a token, which none knows either, and go by names that aren't known here.
func (s *Server) knowsHost(r *http.Request) bool {
	if s.address.network == "unix" || s.address.everywhere() {
		return true
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || host == strings.ToLower(s.address.host) {
		return true
	}
	given, err := netip.ParseAddr(host)
	own, bad := netip.ParseAddr(s.address.host)
	return err == nil && (given.IsLoopback() || bad == nil && given == own)
}

// sameOrigin reports whether no page of another origin has sent the request, by what browsers say of it.
func sameOrigin(r *http.Request) bool {
	for _, origin := range r.Header.Values("Origin") {
		if !strings.EqualFold(origin, "http://"+r.Host) {
			return false
		}
	}
	for _, from := range r.Header.Values("Sec-Fetch-Site") {
		if from != "same-origin" && from != "none" { // none: a person has typed the address
			return false
		}
	}
	return true
}

// hasToken reports whether a request carries the token, in a time that doesn't depend on how much of it is right.
func (s *Server) hasToken(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given := sha256.Sum256([]byte(strings.TrimSpace(token)))
	return subtle.ConstantTimeCompare(given[:], s.token[:]) == 1 && strings.EqualFold(scheme, "Bearer")
}

// isJSON reports whether a request says that it is JSON. A browser sends that from another origin only after it has
// asked, which is refused.
func isJSON(r *http.Request) bool {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset, encoding := parameters["charset"], r.Header.Get("Content-Encoding")
	return err == nil && kind == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8")) &&
		(encoding == "" || strings.EqualFold(encoding, "identity"))
}
