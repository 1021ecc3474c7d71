package redact

import "strings"

// address looks at what stands behind a scheme, i is at its ://, for user:password@host.
// The user, the host and the rest of the address stay.
func (x *scan) address(i int) (secret, bool) {
	s := x.s
	if i == x.last || !isLetterOrDigit(s[i-1]) {
		return secret{}, false
	}
	from := i + len("://")
	end := x.run(authority, from)
	at := strings.LastIndexByte(s[from:end], '@')
	if at < 0 || !x.host(from+at+1) || strings.IndexByte(s[from:from+at], ':') < 0 {
		at = x.farAt(from, end) - from
	} else if host := s[from+at+1 : end]; !strings.ContainsAny(host, ".:[$%{") && host != "localhost" {
		at = max(at, x.farAt(from, end)-from) // what looks like a host may be a piece of the password
	}
	if at < 0 {
		return secret{}, false
	}
	return x.behindUser(from, from+at, ":")
}

// host tells whether a host may begin at i.
func (x *scan) host(i int) bool {
	s := x.s
	return i < len(s) && (isLetterOrDigit(s[i]) || s[i] == '[' || s[i] == '$' || s[i] == '{' || s[i] == '<') && markAt(s[i:]) == 0
}

// farAt is the @ behind a password that has signs in it which an address should not have
// there: / ? # and others; -1 where there is none. end is where the first of them stands.
func (x *scan) farAt(from, end int) int {
	s := x.s
	colon := strings.IndexByte(s[from:end], ':')
	if colon < 0 || end == len(s) || strings.IndexByte("/?#(),;|", s[end]) < 0 {
		return -1
	}
	colon += from
	if colon+1 < end && allDigits(s[colon+1:end]) || colon == from && s[end] == '/' && end == colon+1 {
		return -1 // a port
	}
	http := strings.HasSuffix(s[:from], "http://") || strings.HasSuffix(s[:from], "https://")
	if user := s[from:colon]; http && strings.IndexByte(user, '.') >= 0 && strings.IndexByte(user, '@') < 0 {
		return -1 // a host and what is no port
	}
	to := max(end, x.noAt)
	for to < len(s) && to-end < looked && (classOf[s[to]]&(1<<authority) != 0 || strings.IndexByte("/?#(),;|", s[to]) >= 0) {
		to++
	}
	x.again += to - max(end, x.noAt)
	at := strings.LastIndexByte(s[end:to], '@')
	if at < 0 {
		x.noAt = to
	}
	if at < 0 || !x.host(end+at+1) {
		return -1
	}
	at += end
	rest := s[at+1 : to]
	if stop := strings.IndexAny(rest, "/?#:"); stop >= 0 {
		rest = rest[:stop]
	}
	if strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._") != "" {
		return -1
	}
	return at
}

// behindUser is the password in user:password.
func (x *scan) behindUser(from, to int, sign string) (secret, bool) {
	user, word, ok := strings.Cut(x.s[from:to], sign)
	if !ok || begins(word) || oneByte(word) || placeholders()[strings.ToLower(word)] {
		return secret{}, false
	}
	return secret{from + len(user) + 1, to, password}, true
}

// userPassword is the password in a word of a command that is user:password, with another
// sign than the colon for some programs.
func (x *scan) userPassword(i int, sign string) (secret, bool) {
	from, to, quoted := x.quoted(i)
	if !quoted {
		from, to = i, x.run(plain, i)
		if sign == "," {
			for to < len(x.s) && to-i < looked && !isBlank(x.s[to]) && strings.IndexByte("\n\"'", x.s[to]) < 0 {
				to++
			}
		}
	}
	if to-from > maxValue || markAt(x.s[to:]) > 0 || strings.Contains(x.s[from:to], opening) {
		return secret{}, false
	}
	return x.behindUser(from, to, sign)
}
