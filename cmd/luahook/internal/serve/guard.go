package serve

import (
	"errors"
	"fmt"
	"mime"
	"net/http"
	"strings"

	"github.com/luahook/luahook/cmd/luahook/internal/access"
)

// check says why a request may not be asked: a page that a stranger has put into a browser must reach nothing, and
// where there is a token, nobody without it.
func (s *Server) check(r *http.Request, at route) *refusal {
	if !s.address.KnowsHost(r) {
		return &refusal{causeHost, http.StatusForbidden, fmt.Errorf("the request is for the host %.100q, which this isn't; use localhost, 127.0.0.1 or the address that luahook serve listens on", r.Host)}
	}
	if !access.SameOrigin(r) {
		return &refusal{causeOrigin, http.StatusForbidden, errors.New("the request comes from a page in a browser (Origin or Sec-Fetch-Site); none may ask here")}
	}
	if at.method != "" && r.Method != at.method && (at.method != http.MethodGet || r.Method != http.MethodHead) {
		return &refusal{causeMethod, http.StatusMethodNotAllowed, fmt.Errorf("%.20q isn't for %s; use %s", r.Method, r.URL.Path, at.method)}
	}
	if s.needToken && !at.open && !s.token.Carried(r) {
		return &refusal{causeToken, http.StatusUnauthorized, errors.New("the token is missing or wrong; send it as Authorization: Bearer TOKEN")}
	}
	if at.method == http.MethodPost && !isJSON(r) {
		return &refusal{causeContentType, http.StatusUnsupportedMediaType, errors.New("want Content-Type: application/json, in UTF-8 and not compressed")}
	}
	return nil
}

// isJSON reports whether a request says that it is JSON. A browser sends that from another origin only after it has
// asked, which is refused.
func isJSON(r *http.Request) bool {
	kind, parameters, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	charset, encoding := parameters["charset"], r.Header.Get("Content-Encoding")
	return err == nil && kind == "application/json" && (charset == "" || strings.EqualFold(charset, "utf-8")) &&
		(encoding == "" || strings.EqualFold(encoding, "identity"))
}
