package redact

import (
	"encoding/base64"
	"strings"
)

const (
	awsKey    = "aws key"
	awsSecret = "aws secret"
)

// exact wants a body of exactly f's length, with nothing like it after it.
func (x *scan) exact(i int, f *format) (secret, bool) {
	hit, ok := f.token(x, i)
	if !ok || hit.to-i-len(f.prefix) != f.least || hit.to < len(x.s) && isWord(x.s[hit.to]) {
		return secret{}, false
	}
	return hit, true
}

// amazonID finds the id of a key, and a secret near it that has no name, as in a table of both.
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

// jwt finds two JSON texts in base64 and a signature, which may be missing.
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

// bearer finds the token after the word.
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

// basic wants a text that decodes to user:password.
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

// uuid wants a body that is one.
func (x *scan) uuid(i int, f *format) (secret, bool) {
	from := i + len(f.prefix)
	to := x.run(f.body, from)
	if to-from != f.least || !isUUID(x.s[from:to]) {
		return secret{}, false
	}
	return secret{i, to, f.what}, true
}

func isUUID(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if dash := i == 8 || i == 13 || i == 18 || i == 23; dash != (s[i] == '-') || !dash && !isHex(s[i]) {
			return false
		}
	}
	return true
}

// airtable finds an id and 64 hexadecimal digits after a dot.
func (x *scan) airtable(i int, f *format) (secret, bool) {
	dot := x.run(letters, i)
	if dot-i-len(f.prefix) != f.least || dot == len(x.s) || x.s[dot] != '.' {
		return secret{}, false
	}
	to := x.run(hexadecimal, dot+1)
	return secret{i, to, f.what}, to-dot-1 == 64
}

// discord finds the number of a bot in base64, a time and a checksum.
func (x *scan) discord(i int, f *format) (secret, bool) {
	first := x.run(url64, i)
	if n := first - i; n < 23 || n > 30 || first == len(x.s) || x.s[first] != '.' {
		return secret{}, false
	}
	second := x.run(url64, first+1)
	if n := second - first - 1; n < 6 || n > 7 || second == len(x.s) || x.s[second] != '.' {
		return secret{}, false
	}
	to := x.run(url64, second+1)
	if n := to - second - 1; n < 27 || n > 45 {
		return secret{}, false
	}
	return secret{i, to, f.what}, true
}

// salesforce finds the number of an organization, an exclamation mark and a session.
func (x *scan) salesforce(i int, f *format) (secret, bool) {
	mark := x.run(letters, i)
	if n := mark - i; n != 15 && n != 18 || mark == len(x.s) || x.s[mark] != '!' {
		return secret{}, false
	}
	to := x.run(bearer, mark+1)
	if to-mark-1 < 60 {
		return secret{}, false
	}
	return secret{i, to, f.what}, true
}

// encodedPEM finds base64 of a private key in PEM.
func (x *scan) encodedPEM(i int, f *format) (secret, bool) {
	to := x.run(base64s, i)
	n := min(to-i, 64)
	head, err := base64.RawStdEncoding.DecodeString(x.s[i : i+n-n%4])
	if err != nil || to-i < f.least || !strings.Contains(string(head), "PRIVATE KEY") {
		return secret{}, false
	}
	for to < len(x.s) && x.s[to] == '=' {
		to++
	}
	return secret{i, to, f.what}, true
}

// Signatures that Azure puts into its keys, with the number of base64 bytes before and after them.
var azureSignatures = []struct {
	sign           string
	before, behind int
}{
	{"AZDO", 76, 4}, {"JQQJ9", 52, 27}, {"AzFu", 44, 8}, {"AzSe", 42, 6}, {"AzCa", 33, 7}, {"ACDb", 76, 6}, {"+ASt", 76, 6}, {"+AEh", 33, 6}, {"+ASb", 33, 6}, {"+ARm", 33, 6}, {"AIoT", 33, 6},
}

// azure finds a key by the signature in its middle, which is at i.
func (x *scan) azure(i int) (secret, bool) {
	for _, a := range azureSignatures {
		if !strings.HasPrefix(x.s[i:], a.sign) {
			continue
		}
		from := i
		for from > x.last && i-from <= a.before && (classOf[x.s[from-1]]&(1<<base64s|1<<url64)) != 0 {
			from--
		}
		to := i + len(a.sign)
		for to < len(x.s) && to-i-len(a.sign) <= a.behind && (classOf[x.s[to]]&(1<<base64s|1<<url64)) != 0 {
			to++
		}
		if i-from != a.before || to-i-len(a.sign) < a.behind-4 || to-i-len(a.sign) > a.behind || !isRandom(x.s[from:to]) {
			continue
		}
		for to < len(x.s) && x.s[to] == '=' {
			to++
		}
		return secret{from, to, "azure key"}, true
	}
	return secret{}, false
}

// azureSecret finds the secret of an application by the Q~ in it.
func (x *scan) azureSecret(i int) (secret, bool) {
	from := i - 4
	if from < x.last || kindOf(x.s[i-1]) != 1 {
		return secret{}, false
	}
	for at := from; at < i; at++ {
		if !isWord(x.s[at]) && x.s[at] != '~' && x.s[at] != '.' {
			return secret{}, false
		}
	}
	to := x.run(bearer, i)
	if n := to - i - 2; n < 31 || n > 36 || strings.ContainsAny(x.s[i:to], "+/") {
		return secret{}, false
	}
	return secret{from, to, "azure secret"}, true
}

// bot finds tokens with a sign in the middle: those of Telegram's bots, whose number precedes the colon at i,
// and of Firebase.
func (x *scan) bot(i int) (secret, bool) {
	from := i
	if strings.HasPrefix(x.s[i:], ":APA91b") {
		for from > x.last && i-from < 12 && classOf[x.s[from-1]]&(1<<url64) != 0 {
			from--
		}
		if to := x.run(url64, i+1); i-from == 11 && to-i > 100 {
			return secret{from, to, "firebase key"}, true
		}
		return secret{}, false
	}
	if !strings.HasPrefix(x.s[i:], ":AA") {
		return secret{}, false
	}
	for from > x.last && i-from < 11 && kindOf(x.s[from-1]) == 1 {
		from--
	}
	if to := x.run(url64, i+1); i-from >= 8 && i-from <= 10 && to-i-1 == 35 {
		return secret{from, to, "telegram token"}, true
	}
	return secret{}, false
}

// mailchimp finds a key by the data centre at its end: the - of -us12 is at i.
func (x *scan) mailchimp(i int) (secret, bool) {
	if i < x.last+32 || i+3 >= len(x.s) || x.s[i+2] != 's' || kindOf(x.s[i+3]) != 1 {
		return secret{}, false
	}
	from := i - 32
	for at := from; at < i; at++ {
		if classOf[x.s[at]]&(1<<hexadecimal) == 0 {
			return secret{}, false
		}
	}
	to := i + 4
	if to < len(x.s) && kindOf(x.s[to]) == 1 {
		to++
	}
	if from > x.last && isWord(x.s[from-1]) || to < len(x.s) && isWord(x.s[to]) || !isRandom(x.s[from:i]) {
		return secret{}, false
	}
	return secret{from, to, "mailchimp key"}, true
}

// terraform finds a token by the .atlasv1. in it, which is at i.
func (x *scan) terraform(i int) (secret, bool) {
	from := i
	for from > x.last && i-from < 15 && isLetterOrDigit(x.s[from-1]) {
		from--
	}
	to := x.run(bearer, i)
	if i-from != 14 || to-i < 60 {
		return secret{}, false
	}
	return secret{from, to, "terraform token"}, true
}

// maxHead bounds the start tag of an element.
const maxHead = 120

// element looks at the text after the > at i, if it belongs to an XML element with the name of a secret.
func (x *scan) element(i int) (secret, bool) {
	s := x.s
	head := s[max(x.last, i-maxHead):i]
	open := strings.LastIndexByte(head, '<')
	if open < 0 || open+1 == len(head) || strings.IndexByte(head[open:], '>') >= 0 || !isLetterOrDigit(head[open+1]) {
		return secret{}, false
	}
	name, attributes, _ := strings.Cut(head[open+1:], " ")
	if colon := strings.LastIndexByte(name, ':'); colon >= 0 {
		name = name[colon+1:]
	}
	kind := kindOfName(name)
	if strings.EqualFold(name, "pass") {
		kind = password
	}
	for _, key := range [...]string{"name=\"", "key=\""} {
		if _, value, ok := strings.Cut(attributes, key); ok && kind == "" {
			if end := strings.IndexByte(value, '"'); end > 0 {
				kind = kindOfName(value[:end])
			}
		}
	}
	if kind == "" {
		return secret{}, false
	}
	end := strings.IndexByte(s[i+1:min(len(s), i+1+maxValue)], '<')
	if end < 0 || !strings.HasPrefix(s[i+1+end:], "</") {
		return secret{}, false
	}
	value := strings.TrimSpace(s[i+1 : i+1+end])
	if strings.EqualFold(name, "pass") && (!hasDigit(value) || strings.Contains(value, " ")) {
		return secret{}, false // it says what did not fail
	}
	a := assignment{kind: kind, name: name}
	if value == "" || strings.Contains(value, opening) || strings.Contains(value, "\n") || stands(value) || !a.inQuotes(value) {
		return secret{}, false
	}
	at := i + 1 + strings.Index(s[i+1:], value)
	return secret{at, at + len(value), kind}, true
}

const cookie = "cookie"

func isCookie(name string) bool {
	return strings.EqualFold(name, "cookie") || strings.EqualFold(name, "set-cookie")
}

// maxCookies bounds a line of cookies, in bytes.
const maxCookies = 8 << 10

// openCookies notes that cookies follow from i to the end of the line or of the quotation; before is the text
// before the name of the header.
func (x *scan) openCookies(i int, before string) {
	s := x.s
	i = skipBlanks(s, i)
	end := byte('\n')
	if before == "\"" || before == "'" {
		end = before[0]
	}
	if i < len(s) && (s[i] == '"' || s[i] == '\'') {
		end = s[i]
		i++
	}
	if i <= x.cookies {
		return
	}
	x.cookies = i
	for x.cookies < len(s) && x.cookies-i < maxCookies && s[x.cookies] != end && s[x.cookies] != '\n' {
		x.cookies++
	}
}

// crumb finds the value of the cookie whose = is at i.
func (x *scan) crumb(i int) (secret, bool) {
	name, _, _ := x.word(i)
	lower := strings.ToLower(name)
	from := i + 1
	to := min(x.run(crumbs, from), x.cookies)
	value := strings.TrimRight(x.s[from:to], ".,")
	to = from + len(value)
	if lower == "" || harmlessCookies()[lower] || strings.HasPrefix(lower, "_ga") || strings.HasPrefix(lower, "__utm") || stands(value) || markAt(x.s[to:]) > 0 || strings.Contains(value, opening) {
		return secret{}, false
	}
	long := len(value) >= 16 && (isRandom(value) || hasDigit(value) && hasLetter(value))
	named := len(value) >= 4 && (kindOfName(name) != "" || namesSession(lower))
	if !long && !named {
		return secret{}, false
	}
	if hit, ok := x.formatAt(from); ok && hit.to == to {
		return hit, true
	}
	return secret{from, to, cookie}, true
}

var harmlessCookies = words(`path domain expires max-age samesite priority version secure httponly partitioned comment port lang language locale theme timezone tz currency country region consent cookieconsent cookie_consent _gid _fbp _gcl_au ajs_anonymous_id`)

func namesSession(lower string) bool {
	for _, part := range [...]string{"sess", "sid", "auth", "csrf", "xsrf", "remember", "login"} {
		if strings.Contains(lower, part) {
			return true
		}
	}
	return false
}
