package redact

import "strings"

const privateKey = "private key"

const (
	pemBegin = "-----BEGIN "
	pemEnd   = "-----END "
)

// dashes looks at the text that a - begins: a block of PEM, a flag with a secret, or a short flag of a program
// that takes one.
func (x *scan) dashes(i int) (secret, bool) {
	if i > x.last && x.s[i-1] == '-' {
		return secret{}, false
	}
	end := i
	for end < len(x.s) && x.s[end] == '-' {
		end++
	}
	switch n := end - i; {
	case n >= 5 && strings.HasPrefix(x.s[end-5:], pemBegin): // a sixth is the sign of a diff
		return x.pem(end - 5)
	case n == 1:
		return x.short(i)
	case n == 2:
		return x.flag(end)
	default:
		return secret{to: end}, true
	}
}

// pem finds a block with a private key, up to its end mark or the end of its lines.
func (x *scan) pem(i int) (secret, bool) {
	head := i + len(pemBegin)
	to := head
	for to < len(x.s) && to-head < 40 && (x.s[to] == ' ' || x.s[to] >= 'A' && x.s[to] <= 'Z' || x.s[to] >= '0' && x.s[to] <= '9') {
		to++
	}
	name := x.s[head:to]
	if !strings.HasPrefix(x.s[to:], "-----") || !strings.HasSuffix(name, "PRIVATE KEY") && !strings.HasSuffix(name, "PRIVATE KEY BLOCK") {
		return secret{}, false
	}
	to, ok := pemBody(x.s, to+5)
	if !ok {
		return secret{}, false
	}
	return secret{i, to, privateKey}, true
}

// pemBody returns where the lines of a key end that begin at i. They may follow the signs of a diff, a quotation
// or line numbers, and may be one line with \n as line ends.
func pemBody(s string, i int) (end int, ok bool) {
	end = i
	for i < len(s) {
		line, next := pemLine(s, i)
		content := trimPem(line)
		switch {
		case strings.HasPrefix(content, pemEnd):
			at := i + strings.Index(line, pemEnd) + len(pemEnd)
			for at < len(s) && (s[at] == ' ' || s[at] >= 'A' && s[at] <= 'Z') {
				at++
			}
			for n := 0; n < 5 && at < len(s) && s[at] == '-'; n++ {
				at++
			}
			return at, ok
		case content == "" || pemHeader(content):
		case pemText(content):
			// Without an end mark the key extends to here.
			end, ok = i+strings.Index(line, content)+len(content), true
		default:
			if n := pemPrefix(content); n >= 16 { // cut off, and followed by other text
				return i + strings.Index(line, content) + n, true
			}
			return end, ok
		}
		i = next
	}
	return end, ok
}

// pemLine returns the line at i without its end, which may be written \n, or be a blank if a key was put on one
// line; next is where the next line begins.
func pemLine(s string, i int) (line string, next int) {
	blank := false
	for at := i; at < len(s); at++ {
		switch {
		case s[at] == '\n':
			return s[i:at], at + 1
		case s[at] == '\\' && at+1 < len(s) && (s[at+1] == 'n' || s[at+1] == 'r'):
			return s[i:at], at + 2
		case s[at] == ' ' && at-i >= 16 && !blank:
			if pemText(s[i:at]) {
				return s[i:at], at + 1
			}
			blank = true
		case at-i > 8 && strings.HasPrefix(s[at:], pemEnd):
			return s[i:at], at
		case at-i > 8 && strings.HasPrefix(s[at:], pemBegin):
			return s[i:at], at
		}
	}
	return s[i:], len(s)
}

// trimPem removes what a line of a key may have around it.
func trimPem(line string) string {
	line = strings.TrimRight(line, " \t\r\\\"',+;")
	numbered := strings.TrimLeft(line, " 0123456789")
	if rest := strings.TrimLeft(numbered, "\t|:→"); rest != numbered {
		line = rest
	}
	trimmed := strings.TrimLeft(line, " \t>|#*\"'`")
	if rest, ok := strings.CutPrefix(trimmed, "-"); ok && !strings.HasPrefix(rest, "-") {
		trimmed = rest
	} else if ok && strings.HasPrefix(rest, pemEnd) {
		trimmed = rest
	}
	return strings.TrimLeft(strings.TrimPrefix(trimmed, "+"), " \t\"'`")
}

// putty finds the private lines of a PuTTY key, and its checksum.
func (x *scan) putty(i int) (secret, bool) {
	if rest, ok := strings.CutPrefix(x.s[i:], "Private-MAC: "); ok {
		from := len(x.s) - len(rest)
		to := x.run(letters, from)
		return secret{from, to, privateKey}, to-from >= 32
	}
	if !strings.HasPrefix(x.s[i:], "Private-Lines: ") {
		return secret{}, false
	}
	at := i + len("Private-Lines: ")
	for at < len(x.s) && kindOf(x.s[at]) == 1 {
		at++
	}
	to, ok := pemBody(x.s, at)
	for at < to && (isBlank(x.s[at]) || strings.IndexByte("\r\n\\", x.s[at]) >= 0) {
		at++
		if x.s[at-1] == '\\' && at < to {
			at++
		}
	}
	return secret{at, to, privateKey}, ok && to > at
}

func pemHeader(content string) bool {
	for _, name := range []string{"Proc-Type: ", "DEK-Info: ", "Version: ", "Comment: "} {
		if strings.HasPrefix(content, name) {
			return true
		}
	}
	return false
}

// pemText reports whether the text is a line of base64 or the checksum of PGP.
func pemText(content string) bool { return pemPrefix(content) == len(content) }

func pemPrefix(content string) int {
	n := 0
	if strings.HasPrefix(content, "=") {
		n = 1
	}
	for n < len(content) && classOf[content[n]]&(1<<base64s) != 0 {
		n++
	}
	for n < len(content) && content[n] == '=' {
		n++
	}
	return n
}

// address looks for user:password@host after a scheme whose :// is at i. The user, the host and the rest of the
// address stay.
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
		at = max(at, x.farAt(from, end)-from) // text like a host may be a piece of the password
	}
	if at < 0 {
		return secret{}, false
	}
	return x.behindUser(from, from+at, ":")
}

// host reports whether a host may begin at i.
func (x *scan) host(i int) bool {
	s := x.s
	return i < len(s) && (isLetterOrDigit(s[i]) || s[i] == '[' || s[i] == '$' || s[i] == '{' || s[i] == '<') && markAt(s[i:]) == 0
}

// farAt returns the @ after a password with characters that an address should not have there (/ ? # and others),
// or -1. end is where the first of them is.
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
		return -1 // a host and something that isn't a port
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

// behindUser finds the password in user:password.
func (x *scan) behindUser(from, to int, sign string) (secret, bool) {
	user, word, ok := strings.Cut(x.s[from:to], sign)
	if !ok || begins(word) || oneByte(word) || placeholders()[strings.ToLower(word)] {
		return secret{}, false
	}
	return secret{from + len(user) + 1, to, password}, true
}

// userPassword finds the password in a command's word user:password; some programs have another sign than the
// colon.
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
