// Package redact removes secrets from text and from JSON-like values: tokens of known formats, private keys,
// passwords in URLs, values assigned to a name of a secret or given after such a flag, arguments of programs'
// own flags (mysql -p), logins of netrc, npm and PostgreSQL, cookies, and the values of secret environment
// variables. Each is replaced by a mark that says what it was: "[redacted: github token]".
//
// It finds what people leave lying about by mistake. It doesn't protect against someone who hides a secret from
// it on purpose, for instance by encoding it.
//
// Redacted text stays as it is: redacting twice gives the same as redacting once. The work is linear in the
// length of the text, whatever it contains. A text without secrets is returned unchanged.
package redact

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/escape"
)

// Redactor knows formats, and the values of some environment variables. It is immutable; several goroutines may
// use it.
type Redactor struct {
	values *values           // of the environment; nil: none
	keep   func(string) bool // or nil
	pay    func(int)         // or nil
}

// New makes a redactor that also knows the secrets of an environment ("NAME=value", as from os.Environ): the
// values of variables with the name of a secret ([SecretName]) that have at least 8 bytes and aren't plain
// words, paths or short numbers, which occur in other texts by chance. A nil environment has none.
func New(environ []string) *Redactor {
	return &Redactor{values: valuesOf(environ)}
}

// Keep returns a copy of r that keeps the secrets for which keep is true. keep is called with each secret that
// is found, without the text around it.
func (r *Redactor) Keep(keep func(secret string) bool) *Redactor {
	return &Redactor{values: r.values, keep: keep, pay: r.pay}
}

// Paying returns a copy of r that calls pay with the number of bytes before it examines them, some thousand at a
// time, and also for bytes that it examines more than once. pay may panic to stop work that has taken too long.
func (r *Redactor) Paying(pay func(bytes int)) *Redactor {
	return &Redactor{values: r.values, keep: r.keep, pay: pay}
}

// piece is how many bytes are examined between two payments.
const piece = 16 << 10

// payment pays for the examination of a text, piece by piece.
type payment struct {
	pay   func(int)
	paid  int
	again int // bytes that were examined once more, and aren't paid yet
}

// reach pays for the bytes before i in a text of the given length, and some more.
func (p *payment) reach(i, length int) {
	if p.pay == nil || i < p.paid && p.again < piece || p.paid == length && p.again == 0 {
		return
	}
	to := max(p.paid, min(length, i+piece))
	p.pay(to - p.paid + p.again)
	p.paid, p.again = to, 0
}

func (r *Redactor) keeps(secret string) bool { return r.keep != nil && r.keep(secret) }

// Text returns s with each secret replaced by its mark, and the number of secrets. Bytes that aren't UTF-8 stay
// as they are. If a secret contains colours or other escape sequences of a terminal, real or spelled out
// ("\u001b[0m"), the whole text is returned without any.
func (r *Redactor) Text(s string) (text string, found int) {
	text, found = r.text(s)
	// A secret that grep --color or jq -C has cut through is read as a person sees it.
	plain, escapes := escape.Strip(text)
	plain, written := escape.StripWritten(plain)
	if escapes+written > 0 {
		if plain, more := r.text(plain); more > 0 {
			return plain, found + more
		}
	}
	return text, found
}

func (r *Redactor) text(s string) (text string, found int) {
	if len(s) < shortest {
		return s, 0
	}
	if r.values != nil {
		s, found = r.values.redact(s, r.keeps, r.pay)
	}
	x := scan{s: s, keeps: r.keeps, payment: payment{pay: r.pay}}
	text = x.text()
	return text, found + x.found
}

// shortest is less than the length of any text with a secret: a name, a sign and a value.
const shortest = 8

const (
	opening = "[redacted: "
	closing = "]"

	ofEnvironment = "environment: "
)

func mark(what string) string { return opening + what + closing }

// longestLabel bounds the text of a mark.
const longestLabel = 100

// markAt returns the length of the mark at the beginning of s, or 0. Only marks that this package writes count:
// other text in such brackets is searched.
func markAt(s string) int {
	rest, ok := strings.CutPrefix(s, opening)
	if !ok {
		return 0
	}
	end := strings.Index(rest[:min(len(rest), longestLabel)], closing)
	if end < 0 {
		return 0
	}
	what := rest[:end]
	if name, ok := strings.CutPrefix(what, ofEnvironment); ok {
		if !nameOfVariable(name) {
			return 0
		}
	} else if !labels()[what] {
		return 0
	}
	return len(opening) + end + len(closing)
}

// scan is one pass over a text. It reads each pair of bytes once and asks a rule only if the pair may begin what
// the rule is about.
//
// Replaced text is opaque from then on, like a mark that was in the text before: rules look back no further than
// its end, and reject a value that contains a mark. So redacting twice gives the same as redacting once.
type scan struct {
	payment
	s     string
	keeps func(secret string) bool
	out   strings.Builder
	last  int // the text before it is written or opaque
	kept  int // the text before it is written
	found int

	ends   [classes]int         // where the last examined run of a class ends
	starts [classes]int         // and where that examination began
	failed [classes][checks]int // where a run ends whose body has failed a check
	tried  int                  // where the value ends that was last tried for a name
	tries  int                  // and how often it was tried

	p       int      // the text before it has been searched for programs
	program *program // the program that the words at p belong to, or nil
	needed  bool     // the program's needed word was there
	noAt    int      // before it there is no @ after the last examined address
	cookies int      // the text before it is cookies
	near    secret   // an AWS secret that stands near a key
}

// secret is a part of the text.
type secret struct {
	from, to int
	what     string
}

func (x *scan) text() string {
	gate := gates()
	s := x.s
	begin := 0
	if hit, ok := x.line(0); ok && !x.keeps(s[hit.from:hit.to]) {
		x.replace(hit)
		begin = hit.to
	}
	for i := gate.next(s, begin); i+1 < len(s); i = gate.next(s, i) {
		x.reach(i, len(s))
		if n := x.opaque(i); n > 0 {
			i += n
			x.last = i
			continue
		}
		hit, ok := x.at(i)
		if !ok {
			i++
			continue
		}
		if hit.what != "" && !x.keeps(s[hit.from:hit.to]) {
			x.replace(hit)
		}
		i = max(hit.to, i+1)
	}
	x.reach(len(s), len(s))
	if x.found == 0 {
		return s
	}
	x.replaceNear(len(s))
	x.out.WriteString(s[x.kept:])
	return x.out.String()
}

// opaque returns the length of a mark at i.
func (x *scan) opaque(i int) int {
	if x.s[i] != '[' {
		return 0
	}
	return markAt(x.s[i:])
}

// at asks the rules about the text that begins at i. A hit without a name is text without secrets that needs no
// further examination.
func (x *scan) at(i int) (secret, bool) {
	switch x.s[i] {
	case '\n':
		return x.line(i + 1)
	case ':':
		if strings.HasPrefix(x.s[i:], "://") {
			return x.address(i)
		}
		if x.s[i+1] == 'A' {
			if hit, ok := x.bot(i); ok {
				return hit, true
			}
		}
		return x.assigned(i)
	case '=':
		return x.assigned(i)
	case '>':
		return x.element(i)
	case '-':
		if x.s[i+1] == 'u' {
			if hit, ok := x.mailchimp(i); ok {
				return hit, true
			}
		}
		return x.dashes(i)
	case '+':
		return x.azure(i)
	case '.':
		if strings.HasPrefix(x.s[i:], ".atlasv1.") {
			return x.terraform(i)
		}
		return secret{}, false
	case 'Q':
		if x.s[i+1] == '~' && i > x.last {
			return x.azureSecret(i)
		}
	case 'P':
		if hit, ok := x.putty(i); ok {
			return hit, true
		}
	case 'J', 'A':
		if hit, ok := x.azure(i); ok {
			return hit, true
		}
	case '[':
		return secret{}, false
	}
	if !x.wordStart(i) {
		return secret{}, false
	}
	return x.format(i)
}

// replace writes the text before a secret, and the secret's mark.
func (x *scan) replace(hit secret) {
	x.replaceNear(hit.from)
	if x.near.to > 0 && x.near.from < hit.to {
		x.near = secret{}
	}
	x.out.WriteString(x.s[x.kept:hit.from])
	x.out.WriteString(mark(hit.what))
	x.kept, x.last = hit.to, hit.to
	x.found++
}

// replaceNear replaces the secret that was found ahead, if it ends before the given place.
func (x *scan) replaceNear(before int) {
	if near := x.near; near.to > 0 && near.to <= before {
		x.near = secret{}
		if !x.keeps(x.s[near.from:near.to]) {
			x.replace(near)
		}
	}
}

// wordStart reports whether no letter, digit or _ precedes i. The ends of \n, \u0022 and %3D don't count as
// such: text often comes escaped.
func (x *scan) wordStart(i int) bool {
	if i == x.last {
		return true
	}
	switch s := x.s; {
	case !isWord(s[i-1]):
		return true
	case i-2 >= x.last && s[i-2] == '\\' && strings.IndexByte("nrtbf", s[i-1]) >= 0:
		return true
	case i-3 >= x.last && s[i-3] == '%' && isHex(s[i-2]) && isHex(s[i-1]):
		return true
	case i-6 >= x.last && s[i-6] == '\\' && s[i-5] == 'u':
		return isHex(s[i-4]) && isHex(s[i-3]) && isHex(s[i-2]) && isHex(s[i-1])
	}
	return false
}

// run returns where the bytes of a class end that begin at i. It doesn't read the same bytes again, so that many
// beginnings in one long run cost no more than one.
func (x *scan) run(c class, i int) int {
	if x.starts[c] <= i && i < x.ends[c] {
		return x.ends[c]
	}
	end := i
	for end < len(x.s) && classOf[x.s[end]]&(1<<c) != 0 {
		end++
	}
	x.starts[c], x.ends[c] = i, end
	return end
}

// class is a set of bytes.
type class uint8

const (
	hexadecimal class = iota // lower case
	capitals                 // A-Z and digits
	letters                  // letters and digits
	wordly                   // those and _
	base64s                  // letters, digits, + and /
	url64                    // letters, digits, - and _
	bearer                   // letters, digits, and - . _ ~ + / =
	authority                // the text between :// and the path
	plain                    // a value without quotes
	dotted                   // letters, digits, - _ and .
	crumbs                   // the value of a cookie
	hashed                   // the output of crypt for a password
	classes
)

var classOf = func() (table [256]uint16) {
	put := func(c class, bytes string) {
		for i := range len(bytes) {
			table[bytes[i]] |= 1 << c
		}
	}
	const digits, upper, lower = "0123456789", "ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz"
	put(hexadecimal, digits+"abcdef")
	put(capitals, digits+upper)
	for _, c := range []class{letters, wordly, base64s, url64, bearer, authority, plain, dotted, crumbs, hashed} {
		put(c, digits+upper+lower)
	}
	put(wordly, "_")
	put(base64s, "+/")
	put(url64, "-_")
	put(bearer, "-._~+/=")
	put(authority, "-._~!$&*+=:@%^[]{}")
	put(plain, "-._~!$*+=:@%^#/?{}")
	put(hashed, "$./=,+")
	put(dotted, "-_.")
	put(crumbs, "!#$%&()*+-./:<=>?@[]^_{|}~")
	for b := 128; b < 256; b++ {
		table[b] |= 1<<authority | 1<<plain
	}
	return table
}()

func isWord(b byte) bool { return classOf[b]&(1<<wordly) != 0 }

func isHex(b byte) bool {
	return classOf[b]&(1<<hexadecimal) != 0 || b >= 'A' && b <= 'F'
}

// pairs is a set of pairs of bytes.
type pairs [1 << 10]uint64

func (p *pairs) open(first, second byte) {
	pair := uint16(first)<<8 | uint16(second)
	p[pair>>6] |= 1 << (pair & 63)
}

// next returns where the next pair of the set begins, from i on; len(s)-1 or more if there is none.
func (p *pairs) next(s string, i int) int {
	if i >= len(s) {
		return i
	}
	pair := uint16(s[i])
	for i++; i < len(s); i++ {
		if pair = pair<<8 | uint16(s[i]); p[pair>>6]&(1<<(pair&63)) != 0 {
			return i - 1
		}
	}
	return i
}

// gates are the pairs that can begin a match of some rule.
var gates = sync.OnceValue(func() *pairs {
	var gate pairs
	open := gate.open
	for second := range 256 {
		open(':', byte(second))
		open('=', byte(second))
		open('>', byte(second))
		open('\n', byte(second))
	}
	open('-', '-')
	for letter := byte('a'); letter <= 'z'; letter++ {
		open('-', letter)
		open('-', letter-'a'+'A')
	}
	open(opening[0], opening[1])
	open('Q', '~')
	open('.', 'a')
	open('P', 'r')
	for _, a := range azureSignatures {
		open(a.sign[0], a.sign[1])
	}
	for prefix := range formats() {
		open(prefix[0], prefix[1])
	}
	return &gate
})
