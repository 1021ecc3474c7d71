package check

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"
)

// place is where something stands in a file, from 1; the column is in bytes.
type place struct{ line, column int }

// words are the names and texts of a script in their order. The AST has lines alone; as its
// walk meets the same names and texts in the same order, it takes the places from here.
type words struct {
	tokens []ast.Token
	next   int
}

// scanWords reads them, as far as the text can be read.
func scanWords(text string) *words {
	w := &words{}
	scanner, lexer := parse.NewScanner(strings.NewReader(text), ""), &parse.Lexer{}
	for {
		token, err := scanner.Scan(lexer)
		if err != nil || token.Type == parse.EOF {
			return w
		}
		switch token.Type {
		case parse.TIdent, parse.TString:
			w.tokens = append(w.tokens, token)
		}
		lexer.PrevTokenType = token.Type
	}
}

// take is the place of the next name or text of that value; the line's begin where there is none.
func (w *words) take(value string, line int) place {
	for i := w.next; i < len(w.tokens) && i < w.next+8; i++ { // it is the next, but for labels
		if w.tokens[i].Str == value {
			w.next = i + 1
			return place{w.tokens[i].Pos.Line, w.tokens[i].Pos.Column}
		}
	}
	return place{line, 1}
}

// readable is a script without what the parser doesn't take: a mark of the encoding, and a
// first line for the system. Lines stay where they are.
func readable(source string) string {
	text := strings.TrimPrefix(source, "\ufeff")
	if strings.HasPrefix(text, "#") {
		_, rest, _ := strings.Cut(text, "\n")
		text = "\n" + rest
	}
	return text
}

// inCharacters is a place with its column in characters, and its line of the text.
func inCharacters(lines []string, p place) (place, string) {
	if p.line < 1 || p.line > len(lines) {
		return place{max(p.line, 1), 1}, ""
	}
	line := strings.TrimSuffix(lines[p.line-1], "\r")
	at := min(max(p.column-1, 0), len(line))
	return place{p.line, utf8.RuneCountInString(line[:at]) + 1}, line
}
