package compile

import (
	"fmt"
	"strings"

	"github.com/yuin/gopher-lua/parse"
)

// opener is a word that begins a block, or a bracket.
type opener struct {
	text         string
	line, column int
	indent       int  // of its line
	afterElse    bool // or holds one that is
}

// unclosed says which block or bracket of a text lacks its end, as far as the text shows where the parser stopped, at a line and
// column or (parse.EOF) at the end: one that was closed by an end that stands further left than the block began, else the
// innermost that is open, unless the word that is wrong would close it. It is "" where nothing shows.
func unclosed(text string, line, column int, wrong string) string {
	lines := strings.Split(text, "\n")
	indent := func(n int) int {
		if n < 1 || n > len(lines) {
			return 0
		}
		return len(lines[n-1]) - len(strings.TrimLeft(lines[n-1], " \t"))
	}
	scanner, lexer := parse.NewScanner(strings.NewReader(text), ""), &parse.Lexer{}
	var open []opener
	var early *opener // closed by what looks like the end of another
	loop := opener{}  // a while or for whose do is to come
	elseLine := 0     // of an else that is the token before
	for early == nil {
		token, err := scanner.Scan(lexer)
		if err != nil { // a text without an end, say
			return ""
		}
		if token.Type == parse.EOF || line != parse.EOF && (token.Pos.Line > line || token.Pos.Line == line && token.Pos.Column >= column) { // of the token that is wrong
			break
		}
		here := opener{token.Str, token.Pos.Line, token.Pos.Column, indent(token.Pos.Line), elseLine == token.Pos.Line}
		elseLine = 0
		switch token.Type {
		case parse.TElse:
			elseLine = token.Pos.Line
		case parse.TWhile, parse.TFor:
			loop = here
		case parse.TDo:
			if loop.text != "" {
				here, loop = loop, opener{}
			}
			open = append(open, here)
		case parse.TFunction, parse.TIf, parse.TRepeat, '(', '{', '[':
			if here.text == "" {
				here.text = string(rune(token.Type))
			}
			open = append(open, here)
		case parse.TEnd, parse.TUntil, ')', '}', ']':
			if len(open) == 0 {
				return ""
			}
			last := open[len(open)-1]
			open = open[:len(open)-1]
			if n := len(open); last.text == "if" && last.afterElse && n > 0 && open[n-1].text == "if" {
				open[n-1].afterElse = true // its end may have been taken by the other
			}
			if token.Type == parse.TEnd && token.Pos.Column == here.indent+1 && here.indent < last.indent {
				early = &last
			}
		}
	}
	switch {
	case early != nil:
		return early.lacks()
	case len(open) > 0 && !open[len(open)-1].takes(wrong):
		return open[len(open)-1].lacks()
	}
	return ""
}

// lacks says what is missing.
func (o *opener) lacks() string {
	text := fmt.Sprintf("the %s of line %d has no %s", o.text, o.line, o.end())
	if o.text == "if" && o.afterElse {
		text += " (else if begins another; elseif doesn't)"
	}
	return text
}

// takes reports whether a word may stand where the block is the innermost.
func (o *opener) takes(word string) bool {
	return word == o.end() || o.text == "if" && (word == "else" || word == "elseif")
}

// end is what closes the block.
func (o *opener) end() string {
	switch o.text {
	case "(":
		return ")"
	case "{":
		return "}"
	case "[":
		return "]"
	case "repeat":
		return "until"
	}
	return "end"
}
