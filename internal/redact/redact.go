// Package redact takes secrets out of text and of JSON-like values: tokens of known
// formats, private keys, passwords in URLs, what is assigned to a name that says secret or
// stands behind a flag which does, what programs take behind flags of their own (mysql -p),
// logins of netrc, npm and PostgreSQL, cookies, and the values of secret environment variables. Each is replaced by a mark that says
// what it was: "[redacted: github token]".
//
// It looks for what people leave lying about by mistake. It is no protection against
// someone who wants to get a secret past it and may encode it as he likes.
//
// What is already redacted stays as it is: redacting twice is redacting once. The work
// grows with the length of the text and no faster, whatever it holds; a text without
// secrets is returned as it came.
package redact

import (
	"strings"

	"github.com/luahook/luahook/internal/escape"
)

// Redactor knows formats, and the values of some environment variables. It doesn't
// change once it is made; several goroutines may use it.
type Redactor struct {
	values *values           // of the environment; nil: none
	keep   func(string) bool // or nil
	pay    func(int)         // or nil
}

// New makes a redactor that also knows the secrets of an environment ("NAME=value", as
// os.Environ gives it): the values of the variables whose names say secret ([SecretName]),
// where they have 8 bytes and more and aren't plain words, paths or short numbers, which
// stand in other texts by chance. A nil environment is none.
func New(environ []string) *Redactor {
	return &Redactor{values: valuesOf(environ)}
}

// Keep is r, but for the secrets that keep is true for: they stay. It is called with each
// that is found, without what stands around it.
func (r *Redactor) Keep(keep func(secret string) bool) *Redactor {
	return &Redactor{values: r.values, keep: keep, pay: r.pay}
}

// Paying is r, but that pay is called with so many bytes before they are looked through,
// some thousand at a time, and for what is looked through more than once. It may panic, to
// end work that has taken too long.
func (r *Redactor) Paying(pay func(bytes int)) *Redactor {
	return &Redactor{values: r.values, keep: r.keep, pay: pay}
}

// piece is how much is looked through between two payments, in bytes.
const piece = 16 << 10

// payment pays for looking through a text, piece by piece.
type payment struct {
	pay   func(int)
	paid  int
	again int // bytes that were looked through once more, and not paid for yet
}

// reach pays for what lies before the place i of a text of so many bytes, and some more.
func (p *payment) reach(i, length int) {
	if p.pay == nil || i < p.paid && p.again < piece || p.paid == length && p.again == 0 {
		return
	}
	to := max(p.paid, min(length, i+piece))
	p.pay(to - p.paid + p.again)
	p.paid, p.again = to, 0
}

func (r *Redactor) keeps(secret string) bool { return r.keep != nil && r.keep(secret) }

// Text is s with each secret replaced by its mark, and how many were. Bytes that are
// no UTF-8 stay as they are. A text in which colours or other escape sequences of a terminal
// stand inside a secret, as they are or spelled ("\u001b[0m"), comes without any of them.
func (r *Redactor) Text(s string) (text string, found int) {
	text, found = r.text(s)
	// What grep --color or jq -C have cut through is seen as a person sees it.
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

// shortest is less than any text has that holds a secret: a name, a sign and a value.
const shortest = 8

const (
	opening = "[redacted: "
	closing = "]"

	ofEnvironment = "environment: "
)

func mark(what string) string { return opening + what + closing }

// longestLabel bounds what stands in a mark.
const longestLabel = 100

// markAt is the length of the mark at the beginning of s, 0 where there is none. Only
// what this package writes is one: other text in such brackets is searched.
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
