package compile

import (
	"fmt"
	"strings"

	lua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/ast"
	"github.com/yuin/gopher-lua/parse"

	"github.com/luahook/luahook/hooks"
)

// Bounds of a script's text. The parser keeps what is open on a stack, 256 bytes for
// each token, and every token in the tree that it makes.
const (
	maxTokens    = 100_000
	maxFunctions = 2000 // the compiler takes 12 KB for each
	maxJumps     = 1000 // goto and :: of labels; the compiler compares each with each
	maxOpen      = 250  // brackets and blocks within one another
)

// excess is a bound that a script passes, and where.
type excess struct {
	line    int // 0: nowhere in particular
	problem string
}

func (x *excess) error(name, source string) *hooks.Error {
	e := &hooks.Error{Kind: hooks.KindLoad, Source: name, Message: x.problem}
	if x.line > 0 {
		e.Source = fmt.Sprintf("%s:%d", name, x.line)
		e.Snippet = marked(source, x.line, 0)
	}
	return e
}

// scan reads the tokens of a script, and nothing more, before it is parsed. What is no
// token it leaves to the parser.
func scan(text string) *excess {
	scanner := parse.NewScanner(strings.NewReader(text), "")
	lexer := &parse.Lexer{}
	count := tally{}
	for {
		token, err := scanner.Scan(lexer)
		if err != nil || token.Type == parse.EOF {
			return nil
		}
		if problem := count.add(token); problem != "" {
			return &excess{token.Pos.Line, problem}
		}
	}
}

// tally counts tokens.
type tally struct{ tokens, functions, jumps, open int }

func (c *tally) add(token ast.Token) string {
	c.tokens++
	switch token.Type {
	case parse.TFunction:
		c.functions++
		c.open++
	case '(', '{', '[', parse.TDo, parse.TIf, parse.TRepeat:
		c.open++
	case ')', '}', ']', parse.TEnd, parse.TUntil:
		c.open--
	case parse.TGoto, parse.T2Colon:
		c.jumps++
	}
	switch {
	case c.tokens > maxTokens:
		return "the script has more than 100,000 words and signs; split it, or keep its data elsewhere"
	case c.functions > maxFunctions:
		return "the script has more than 2,000 functions; split it"
	case c.jumps > maxJumps:
		return "the script has more than 1,000 goto and labels"
	case c.open > maxOpen:
		return fmt.Sprintf("brackets and blocks are nested deeper than %d levels", maxOpen)
	}
	return ""
}

// settle checks a compiled function, and those within it, against what gopher-lua can
// hold, and gives back the room that compiling it took.
func settle(p *lua.FunctionProto, exits []exit) *excess {
	if len(p.Code) > maxInstructions {
		return &excess{p.LineDefined, "a function is too long: it has more than 100,000 instructions; split it"}
	}
	if len(p.DbgUpvalues) > maxUpvalues+len(guardNames)+maxBound {
		return &excess{p.LineDefined, "a function uses too many locals of the functions around it; put them into a table"}
	}
	p.Code, p.Constants, p.FunctionPrototypes = fit(p.Code), fit(p.Constants), fit(p.FunctionPrototypes)
	p.DbgSourcePositions, p.DbgLocals = fit(p.DbgSourcePositions), fit(p.DbgLocals)
	p.DbgCalls, p.DbgUpvalues = fit(p.DbgCalls), fit(p.DbgUpvalues)
	settleExits(p, exits)
	settleTables(p)
	for _, f := range p.FunctionPrototypes {
		if x := settle(f, exits); x != nil {
			return x
		}
	}
	return nil
}

// settleTables has tables that begin empty make room as names come. gopher-lua's first
// name makes room for 32 of them, some 2 KB, in a table of which nothing is known.
func settleTables(p *lua.FunctionProto) {
	const sizes, oneName = 1<<18 - 1, 1 << 9
	for pc, instruction := range p.Code {
		if int(instruction>>opShift) == lua.OP_NEWTABLE && instruction&sizes == 0 {
			p.Code[pc] |= oneName
		}
	}
}

// fit is a copy that has no room for more; nil where there is nothing.
func fit[T any](list []T) []T { return append([]T(nil), list...) }
