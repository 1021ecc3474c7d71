package redact

import (
	"encoding/base64"
	"strings"
)

const (
	awsKey    = "aws key"
	awsSecret = "aws secret"
)

// exact wants a body of just so many bytes, with nothing like it behind.
func (x *scan) exact(i int, f *format) (secret, bool) {
	hit, ok := f.token(x, i)
	if !ok || hit.to-i-len(f.prefix) != f.least || hit.to < len(x.s) && isWord(x.s[hit.to]) {
		return secret{}, false
	}
	return hit, true
}

// amazonID finds the id of a key, and a secret that stands near it without a name, as in
// a table of both.
func (x *scan) amazonID(i int, f *format) (secret, bool) {
	from := i + len(f.prefix)
	to := x.run(f.body, from)
	if to-from != f.least || to < len(x.s) && isWord(x.s[to]) || oneByte(x.s[from:to]) {
		return secret{}, false
	}
	if x.near.to == 0 {
		x.near = awsSecretNear(x.s, to)
	}
	return secret{i, to, awsKey}, true
}

const nearby = 160

// awsSecretNear finds 40 bytes of mixed base64.
func awsSecretNear(s string, from int) secret {
	end := min(len(s), from+nearby)
	for i := from; i < end; {
		to := i
		for to < len(s) && to-i <= 41 && classOf[s[to]]&(1<<base64s) != 0 {
			to++
		}
		if to-i == 40 && (to == len(s) || !isWord(s[to]) && s[to] != '=') && isRandom(s[i:to]) &&
			strings.ContainsAny(s[i:to], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") && strings.ContainsAny(s[i:to], "ghijklmnopqrstuvwxyz") {
			return secret{i, to, awsSecret}
		}
		i = to + 1
		for i < end && classOf[s[i-1]]&(1<<base64s) != 0 { // the rest of a longer run
			i++
		}
	}
	return secret{}
}

func (x *scan) sendgrid(i int, f *format) (secret, bool) {
	dot := x.run(url64, i+len(f.prefix))
	if dot-i-len(f.prefix) < f.least || dot == len(x.s) || x.s[dot] != '.' {
		return secret{}, false
	}
	to := x.run(url64, dot+1)
	if to-dot-1 < 16 || !hasDigit(x.s[dot+1:min(to, dot+looked)]) {
		return secret{}, false
	}
	return secret{i, to, f.what}, true
}

// jwt is two texts of JSON in base64 and a signature, which may be missing.
func (x *scan) jwt(i int, f *format) (secret, bool) {
	dot := x.run(url64, i)
	if dot-i < f.least || dot+3 >= len(x.s) || x.s[dot:dot+3] != ".ey" {
		return secret{}, false
	}
	to := x.run(url64, dot+1)
	if to-dot-1 < f.least {
		return secret{}, false
	}
	if to+1 < len(x.s) && x.s[to] == '.' {
		if end := x.run(url64, to+1); end-to-1 >= 8 {
			to = end
		}
	}
	return secret{i, to, f.what}, true
}

// bearer is what stands behind the word.
func (x *scan) bearer(i int, f *format) (secret, bool) {
	from := i + len(f.prefix)
	to := x.run(f.body, from)
	if to-from < f.least || oneByte(x.s[from:min(to, from+looked)]) || !hasDigit(x.s[from:min(to, from+looked)]) {
		return secret{}, false
	}
	if known, ok := x.formatAt(from); ok && known.to >= to {
		return secret{from, to, known.what}, true
	}
	return secret{from, to, f.what}, true
}

// basic wants what decodes to user:password.
func (x *scan) basic(i int, f *format) (secret, bool) {
	from := i + len(f.prefix)
	to := x.run(f.body, from)
	if to-from < f.least {
		return secret{}, false
	}
	start, err := base64.StdEncoding.DecodeString(x.s[from : from+12])
	if err != nil || strings.ContainsFunc(string(start), func(r rune) bool { return r < ' ' || r > '~' }) {
		return secret{}, false
	}
	n := min(to-from, 128)
	head, err := base64.RawStdEncoding.DecodeString(x.s[from : from+n-n%4])
	if err != nil || !strings.Contains(string(head), ":") {
		return secret{}, false
	}
	for to < len(x.s) && x.s[to] == '=' {
		to++
	}
	return secret{from, to, f.what}, true
}
