package windows

import (
	"strings"
	"sync"
)

// argument reads one argument of a command.
func (p *parser) argument() *node {
	if !p.enter() {
		return p.node(stringNode, p.at)
	}
	defer p.leave()
	switch c := p.peek(); {
	case c == '(' || c == '{' || c == '@' && strings.IndexByte("({", p.ahead(1)) >= 0 && p.ahead(1) != 0:
		return p.postfix(p.primary())
	case c == '@' && (p.ahead(1) == '\'' || p.ahead(1) == '"'), c == '\'', c == '"', c == 0xe2 && curly(p.text[p.at:]) != 0:
		s := p.quotedText()
		if p.peek() == '.' && isLetter(p.ahead(1)) || p.peek() == '[' {
			return p.postfix(s)
		}
		return s
	case c == '@' && isLetter(p.ahead(1)):
		n := p.node(splatNode, p.at)
		from := p.at + 1
		for p.at++; isLetter(p.peek()) || isDigit(p.peek()) || p.peek() == ':'; p.at++ {
		}
		if p.at < len(p.text) && strings.IndexByte(" \t\r\n;|)}", p.text[p.at]) < 0 { // @scope/package
			p.at = n.start
			return p.bare()
		}
		n.text = strings.ToLower(p.text[from:p.at])
		return p.done(n)
	case c == '[' && isLetter(p.ahead(1)) && p.isTypeAhead():
		return p.postfix(p.primary())
	}
	return p.bare()
}

// isTypeAhead reports whether [ begins a type whose member is used: [IO.Path]::X.
func (p *parser) isTypeAhead() bool {
	end := strings.IndexByte(p.text[p.at:], ']')
	return end > 0 && strings.HasPrefix(p.text[p.at+end+1:], "::")
}

// bare reads a word that isn't quoted as a whole.
func (p *parser) bare() *node {
	n := p.node(expandNode, p.at)
	var b strings.Builder
	from := p.at
	flush := func() {
		if b.Len() > 0 {
			n.add(&node{kind: stringNode, start: from, end: p.at, text: b.String()})
			b.Reset()
		}
		from = p.at
	}
	for p.at < len(p.text) {
		c := p.text[p.at]
		switch {
		case c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '|' || c == ';' || c == ')' || c == '}' || c == ',' || c == '>' || c == '(' || c == '<':
			flush()
			return p.simple(n)
		case c == '&' && (p.ahead(1) == '&' || b.Len() == 0 && len(n.kids) == 0 || strings.IndexByte(" \t\r\n;", p.ahead(1)) >= 0):
			flush()
			return p.simple(n)
		case c == '{':
			end := strings.IndexAny(p.text[p.at:], " \t\r\n;|}")
			if b.Len() == 0 && len(n.kids) == 0 || end < 0 || p.text[p.at+end] != '}' {
				flush()
				return p.simple(n)
			}
			b.WriteString(p.text[p.at : p.at+end+1])
			p.at += end + 1
		case c == '`' && p.at+1 < len(p.text):
			if p.text[p.at+1] == '\n' || p.text[p.at+1] == '\r' {
				flush()
				return p.simple(n)
			}
			r, size := escaped(p.text[p.at:])
			b.WriteString(r)
			p.at += size
		case c == '\'' || c == '"' || c == 0xe2 && curly(p.text[p.at:]) != 0:
			flush()
			n.quoted = true
			n.add(p.quotedText())
			from = p.at
		case c == '$' && p.isVariable():
			flush()
			if p.ahead(1) == '(' {
				n.add(p.primary())
			} else {
				n.add(p.postfix(p.variable()))
			}
			from = p.at
		default:
			b.WriteByte(c)
			p.at++
		}
	}
	flush()
	return p.simple(n)
}

// simple returns what n consists of if that is one thing.
func (p *parser) simple(n *node) *node {
	p.done(n)
	switch {
	case len(n.kids) == 0:
		return &node{kind: stringNode, start: n.start, end: n.end}
	case len(n.kids) == 1 && !n.quoted:
		return n.kids[0]
	}
	return n
}

// The levels of operators, from those that bind least.
const (
	logicLevel = iota
	bitLevel
	compareLevel
	sumLevel
	productLevel
	formatLevel
	rangeLevel
	commaLevel
)

var wordOperators = sync.OnceValue(func() map[string]int {
	return map[string]int{
		"and": logicLevel, "or": logicLevel, "xor": logicLevel, "band": bitLevel, "bor": bitLevel, "bxor": bitLevel, "f": formatLevel,
		"eq": compareLevel, "ne": compareLevel, "gt": compareLevel, "ge": compareLevel, "lt": compareLevel, "le": compareLevel,
		"like": compareLevel, "notlike": compareLevel, "match": compareLevel, "notmatch": compareLevel, "contains": compareLevel,
		"notcontains": compareLevel, "in": compareLevel, "notin": compareLevel, "replace": compareLevel, "split": compareLevel,
		"join": compareLevel, "is": compareLevel, "isnot": compareLevel, "as": compareLevel, "shl": compareLevel, "shr": compareLevel,
	}
})

// operator returns the binary operator at which the parser stands, with its level.
func (p *parser) operator() (text string, level, size int) {
	switch c := p.peek(); c {
	case '-':
		if isLetter(p.ahead(1)) {
			end := p.at + 1
			for end < len(p.text) && isLetter(p.text[end]) {
				end++
			}
			word := strings.ToLower(p.text[p.at+1 : end])
			level, ok := wordOperators()[word]
			if !ok && (word[0] == 'c' || word[0] == 'i') {
				level, ok = wordOperators()[word[1:]]
				word = word[1:]
			}
			if ok {
				return word, level, end - p.at
			}
			return "", 0, 0
		}
		if p.ahead(1) == '=' || p.ahead(1) == '-' {
			return "", 0, 0
		}
		return "-", sumLevel, 1
	case '+', '*', '/', '%':
		if p.ahead(1) == '=' || p.ahead(1) == '+' {
			return "", 0, 0
		}
		if c == '+' {
			return "+", sumLevel, 1
		}
		return string(c), productLevel, 1
	case '.':
		if p.ahead(1) == '.' {
			return "..", rangeLevel, 2
		}
	case '?':
		if p.ahead(1) == '?' && p.ahead(2) != '=' {
			return "??", logicLevel, 2
		}
		if p.ahead(1) == ' ' || p.ahead(1) == '(' {
			return "?", logicLevel, 1
		}
	case ',':
		if !p.single {
			return ",", commaLevel, 1
		}
	}
	return "", 0, 0
}

// item reads an expression that a comma ends.
func (p *parser) item() *node {
	outer := p.single
	p.single = true
	n := p.expression(0)
	p.single = outer
	return n
}

// expression reads one with operators of at least the level.
func (p *parser) expression(level int) *node {
	if !p.enter() {
		return p.node(stringNode, p.at)
	}
	defer p.leave()
	start := p.at
	left := p.unary()
	for {
		back := p.at
		p.blanks()
		text, at, size := p.operator()
		if text == "" || at < level || p.deep {
			p.at = back
			return left
		}
		p.at += size
		p.lines()
		if text == "," {
			list := left
			if list.kind != commaNode {
				list = p.node(commaNode, start)
				list.add(left)
			}
			if p.at < len(p.text) && strings.IndexByte(")}]", p.peek()) < 0 {
				list.add(p.unary())
			}
			left = p.done(list)
			continue
		}
		n := p.node(binaryNode, start)
		n.text = text
		n.add(left)
		if text == "?" {
			n.add(p.expression(logicLevel))
			if p.lines(); p.accept(":") {
				p.lines()
				n.add(p.expression(logicLevel))
			}
			left = p.done(n)
			continue
		}
		n.add(p.expression(at + 1))
		left = p.done(n)
	}
}

func (p *parser) unary() *node {
	if !p.enter() {
		return p.node(stringNode, p.at)
	}
	defer p.leave()
	start := p.at
	n := p.node(unaryNode, start)
	switch c := p.peek(); {
	case c == '!' || (c == '+' || c == '-') && p.ahead(1) != c && !isLetter(p.ahead(1)):
		n.text = string(c)
		p.at++
	case c == ',':
		p.at++
		p.blanks()
		n.kind = commaNode
		n.add(p.unary())
		return p.done(n)
	case p.accept("++"), p.accept("--"):
		n.text = "++"
	case c == '-' && isLetter(p.ahead(1)):
		p.at++
		if n.text = p.word(); n.text == "" {
			return p.done(n)
		}
		p.at += len(n.text)
	default:
		return p.postfix(p.primary())
	}
	p.blanks()
	n.add(p.unary())
	return p.done(n)
}

// primary reads what operators stand between.
func (p *parser) primary() *node {
	start := p.at
	switch c := p.peek(); {
	case c == '$' && p.ahead(1) == '(':
		p.at++
		n := p.node(subNode, start)
		n.add(p.condition())
		return p.done(n)
	case c == '$' && p.isVariable():
		return p.variable()
	case c == '(':
		n := p.node(parenNode, start)
		n.add(p.condition())
		return p.done(n)
	case c == '@' && p.ahead(1) == '(':
		p.at++
		n := p.node(arrayNode, start)
		n.add(p.condition())
		return p.done(n)
	case c == '@' && p.ahead(1) == '{':
		p.at++
		return p.hash(start)
	case c == '@' && (p.ahead(1) == '\'' || p.ahead(1) == '"'), c == '\'', c == '"', c == 0xe2 && curly(p.text[p.at:]) != 0:
		return p.quotedText()
	case c == '{':
		return p.block()
	case c == '[':
		n := p.node(typeNode, start)
		n.text = p.typeName()
		back := p.at
		p.blanks()
		if p.has("::") || p.at >= len(p.text) || strings.IndexByte("$([@'\"{-", p.peek()) < 0 && !isDigit(p.peek()) {
			p.at = back
			return p.done(n)
		}
		if p.peek() == '-' && !isDigit(p.ahead(1)) {
			p.at = back
			return p.done(n)
		}
		n.kind = castNode
		n.add(p.unary())
		return p.done(n)
	case isDigit(c) || c == '.' && isDigit(p.ahead(1)):
		for p.at < len(p.text) && (isDigit(p.text[p.at]) || isLetter(p.text[p.at]) || p.text[p.at] == '.' && isDigit(p.ahead(1))) {
			p.at++
		}
		n := p.node(numberNode, start)
		n.text = p.text[start:p.at]
		return p.done(n)
	}
	n := p.bare()
	if p.at == start && p.at < len(p.text) && strings.IndexByte(")}];|\n", p.peek()) < 0 {
		p.at++
	}
	return n
}

// typeName reads [name], and returns the name in small letters.
func (p *parser) typeName() string {
	p.at++
	from, depth := p.at, 1
	for p.at < len(p.text) {
		switch c := p.text[p.at]; c {
		case '[':
			depth++
		case ']':
			depth--
		case '\'', '"':
			p.quotedText()
			continue
		}
		if depth == 0 {
			break
		}
		p.at++
	}
	name := strings.ToLower(strings.TrimSpace(p.text[from:p.at]))
	if !p.accept("]") {
		p.fail("a [ isn't closed")
	}
	return strings.TrimPrefix(name, "system.")
}

// hash reads @{ key = value; ... }.
func (p *parser) hash(start int) *node {
	n := p.node(hashNode, start)
	p.at++
	for p.lines(); p.at < len(p.text) && p.peek() != '}' && !p.deep; p.lines() {
		if p.accept(";") {
			continue
		}
		before := p.at
		var key *node
		if isLetter(p.peek()) {
			from := p.at
			for p.at < len(p.text) && (isLetter(p.text[p.at]) || isDigit(p.text[p.at]) || p.text[p.at] == '-' || p.text[p.at] == '.') {
				p.at++
			}
			key = &node{kind: stringNode, start: from, end: p.at, text: p.text[from:p.at]}
		} else {
			key = p.unary()
		}
		p.lines()
		if !p.accept("=") {
			p.fail("a = is missing")
		}
		p.lines()
		value := p.statement()
		if value == nil {
			value = p.node(listNode, p.at)
		}
		n.kids = append(n.kids, key, value)
		if p.at == before {
			p.at++
		}
	}
	if !p.accept("}") {
		p.fail("a { isn't closed")
	}
	return p.done(n)
}

// postfix reads members, calls and indexes behind an expression.
func (p *parser) postfix(n *node) *node {
	for p.at < len(p.text) && !p.deep {
		switch c := p.peek(); {
		case c == '.' && (isLetter(p.ahead(1)) || strings.IndexByte("$'\"(", p.ahead(1)) >= 0 && p.ahead(1) != 0), c == '?' && p.ahead(1) == '.' && isLetter(p.ahead(2)):
			if c == '?' {
				p.at++
			}
			p.at++
			n = p.member(n, false)
		case c == ':' && p.ahead(1) == ':':
			p.at += 2
			n = p.member(n, true)
		case c == '[' && n.kind != typeNode:
			index := p.node(indexNode, n.start)
			p.at++
			p.lines()
			outer := p.single
			p.single = false
			index.kids = []*node{n, p.expression(0)}
			p.single = outer
			if p.lines(); !p.accept("]") {
				p.fail("a [ isn't closed")
			}
			n = p.done(index)
		case c == '+' && p.ahead(1) == '+' || c == '-' && p.ahead(1) == '-' && n.kind == variableNode && !isLetter(p.ahead(2)):
			p.at += 2
			u := p.node(unaryNode, n.start)
			u.text = "++"
			u.add(n)
			n = p.done(u)
		default:
			if n.kind == variableNode || n.kind == parenNode || n.kind == callNode || n.kind == memberNode {
				back := p.at // a chain of calls may go on in the next line
				if c == '\n' || c == '\r' {
					if p.lines(); p.peek() == '.' && isLetter(p.ahead(1)) && n.kind != variableNode && p.callAhead() {
						continue
					}
					p.at = back
				}
			}
			return n
		}
	}
	return n
}

// callAhead reports whether .name( stands here.
func (p *parser) callAhead() bool {
	end := p.at + 1
	for end < len(p.text) && isLetter(p.text[end]) {
		end++
	}
	return end < len(p.text) && p.text[end] == '('
}

func (p *parser) member(of *node, static bool) *node {
	n := p.node(memberNode, of.start)
	n.static = static
	n.add(of)
	switch c := p.peek(); {
	case c == '\'' || c == '"':
		s := p.quotedText()
		n.text = strings.ToLower(s.text)
	case c == '$' || c == '(':
		n.add(p.primary())
	default:
		from := p.at
		for p.at < len(p.text) && (isLetter(p.text[p.at]) || isDigit(p.text[p.at])) {
			p.at++
		}
		n.text = strings.ToLower(p.text[from:p.at])
	}
	p.done(n)
	if p.peek() != '(' && !(p.peek() == '{' && (n.text == "foreach" || n.text == "where")) {
		return n
	}
	call := p.node(callNode, of.start)
	call.add(n)
	if p.peek() == '{' {
		call.add(p.block())
		return p.done(call)
	}
	p.at++
	for p.lines(); p.at < len(p.text) && p.peek() != ')' && !p.deep; p.lines() {
		before := p.at
		call.add(p.item())
		if p.lines(); !p.accept(",") && p.peek() != ')' && p.at == before {
			p.fail("unexpected " + p.text[p.at:p.at+1])
			p.at++
		}
	}
	if !p.accept(")") {
		p.fail("a ( isn't closed")
	}
	return p.done(call)
}
