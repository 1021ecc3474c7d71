package sql

import (
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// kind is what a token is.
type kind uint8

const (
	mark    kind = iota // an operator or a punctuation mark
	word                // a keyword or a name without quotes
	quoted              // a name in quotes
	literal             // a string
	number
	parameter // ?, $1, :x, @x
	hole      // a part that isn't known, as $x in a text from a shell
	end       // ; or another end of a statement
	batch     // the end of a batch: GO, / or the delimiter set by DELIMITER
)

// token is a part of a text that means something.
type token struct {
	kind    kind
	dynamic bool   // a part of it isn't known
	dollar  bool   // a string in dollar quotes
	text    string // without quotes
	upper   string // of a word, in upper case
	at      int
}

// is reports whether t is one of the blank-separated words or marks.
func (t *token) is(words string) bool {
	text := t.upper
	if t.kind == mark {
		text = t.text
	}
	return text != "" && (t.kind == word || t.kind == mark) && listed(words, text)
}

// listed reports whether name is one of the blank-separated names.
func listed(names, name string) bool {
	for name != "" {
		n := strings.Index(names, name)
		if n < 0 {
			return false
		}
		after := n + len(name)
		if (n == 0 || names[n-1] == ' ') && (after == len(names) || names[after] == ' ') {
			return true
		}
		names = names[after:]
	}
	return false
}

// code adds the tokens of a part of the text that has neither strings nor quoted
// names nor comments in it.
func (s *scanner) code(from, to int) {
	for from < to && blank(s.text[from]) {
		from++
	}
	if from == to {
		return
	}
	lexer := sqllexer.New(s.text[from:to], sqllexer.WithDBMS(s.dbms))
	for {
		t := lexer.Scan()
		if t.Type == sqllexer.EOF || t.Value == "" {
			return
		}
		s.lexed(t, from)
		from += len(t.Value)
	}
}

// lexed adds a token of the lexer.
func (s *scanner) lexed(t *sqllexer.Token, at int) {
	switch t.Type {
	case sqllexer.SPACE, sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT:
	case sqllexer.NUMBER:
		s.add(token{kind: number, text: t.Value, at: at})
	case sqllexer.POSITIONAL_PARAMETER, sqllexer.BIND_PARAMETER, sqllexer.SYSTEM_VARIABLE:
		s.add(token{kind: parameter, text: t.Value, at: at})
	case sqllexer.PUNCTUATION:
		t := token{kind: mark, text: t.Value, at: at}
		if t.text == ";" {
			t = token{kind: end, at: at}
		}
		s.add(t)
	case sqllexer.OPERATOR, sqllexer.WILDCARD, sqllexer.JSON_OP, sqllexer.UNKNOWN, sqllexer.ERROR:
		s.add(token{kind: mark, text: t.Value, at: at})
	default:
		s.words(t.Value, at)
	}
}

// words adds what the lexer takes for one word: it leaves dots, and operators
// that some dialect has in names, inside.
func (s *scanner) words(text string, at int) {
	for text != "" {
		n := strings.IndexAny(text, ".!?/")
		if n < 0 {
			n = len(text)
		}
		if n > 0 {
			s.add(token{kind: word, text: text[:n], upper: strings.ToUpper(text[:n]), at: at})
		}
		if n < len(text) {
			s.add(token{kind: mark, text: text[n : n+1], at: at + n})
			n++
		}
		text, at = text[n:], at+n
	}
}
