package access

import (
	"crypto/sha256"
	"crypto/subtle"
	"net"
	"net/http"
	"net/netip"
	"strings"
)

// KnowsHost reports whether a request is addressed to this machine in a way that no stranger's name can be: a page may
// have its own name resolved to 127.0.0.1. No page knows the path of a Unix socket. All addresses of a machine are
// served only with a token, which none knows either, and go by names that aren't known here.
func (a Address) KnowsHost(r *http.Request) bool {
	if a.network == "unix" || a.everywhere() {
		return true
	}
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.Trim(host, "[]"))
	if host == "localhost" || host == a.host {
		return true
	}
	given, err := netip.ParseAddr(host)
	own, bad := netip.ParseAddr(a.host)
	return err == nil && (given.IsLoopback() || bad == nil && given == own)
}

// SameOrigin reports whether no page of another origin has sent a request, by what browsers say of it.
func SameOrigin(r *http.Request) bool {
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

// Token is what those must know who may ask. The zero Token is known to nobody.
type Token struct {
	sum   [sha256.Size]byte
	given bool
}

// NewToken is a token by its text; the text may not be empty.
func NewToken(text string) Token { return Token{sha256.Sum256([]byte(text)), text != ""} }

// Is reports whether a text is the token, in a time that doesn't depend on how much of it is right.
func (t Token) Is(text string) bool {
	sum := sha256.Sum256([]byte(text))
	return subtle.ConstantTimeCompare(sum[:], t.sum[:]) == 1 && t.given
}

// Carried reports whether a request carries the token as Authorization: Bearer TOKEN.
func (t Token) Carried(r *http.Request) bool {
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	return t.Is(strings.TrimSpace(token)) && strings.EqualFold(scheme, "Bearer")
}
