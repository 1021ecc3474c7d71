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
	if at < 0 {
		return secret{}, false
	}
	at += from
	if at+1 >= len(s) || !isLetterOrDigit(s[at+1]) && s[at+1] != '[' && s[at+1] != '$' && s[at+1] != '{' && s[at+1] != '<' || markAt(s[at+1:]) > 0 {
		return secret{}, false
	}
	return x.behindUser(from, at)
}

// behindUser is the password in user:password.
func (x *scan) behindUser(from, to int) (secret, bool) {
	user, word, ok := strings.Cut(x.s[from:to], ":")
	if !ok || begins(word) || oneByte(word) || placeholders()[strings.ToLower(word)] {
		return secret{}, false
	}
	return secret{from + len(user) + 1, to, password}, true
}

// userOfCurl looks at the -u of a line that calls curl.
func (x *scan) userOfCurl(i int) (secret, bool) {
	if !x.curl || !strings.HasPrefix(x.s[i:], "-u") {
		return secret{}, false
	}
	return x.userPassword(skipBlanks(x.s, i+2))
}

func (x *scan) userPassword(i int) (secret, bool) {
	from, to, quoted := x.quoted(i)
	if !quoted {
		from, to = i, x.run(plain, i)
	}
	if to-from > maxValue || markAt(x.s[to:]) > 0 || strings.Contains(x.s[from:to], opening) {
		return secret{}, false
	}
	return x.behindUser(from, to)
}
