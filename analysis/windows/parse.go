package windows

import (
	"fmt"
	"strings"
)

// parser reads a script of PowerShell. It goes on behind a mistake, and notes the
// first one.
type parser struct {
	text    string
	at      int
	depth   int
	deep    bool
	single  bool // a comma ends the expression
	mistake string
	wrong   int
}

const maxNesting = 100

// parse returns what could be read of a script. The tree is never nil.
func parse(text string) (tree *node, p *parser) {
	p = &parser{text: text}
	tree = p.statements("")
	for p.at < len(p.text) && !p.deep {
		p.fail(fmt.Sprintf("unexpected %q", p.text[p.at]))
		p.at++
		tree.kids = append(tree.kids, p.statements("").kids...)
	}
	return tree, p
}

func (p *parser) fail(message string) {
	if p.mistake == "" {
		p.mistake, p.wrong = message, p.at
	}
}

// enter counts a level of nesting; the caller has to leave it.
func (p *parser) enter() bool {
	if p.depth++; p.depth > maxNesting {
		p.deep, p.at = true, len(p.text)
	}
	return !p.deep
}

func (p *parser) leave() { p.depth-- }

func (p *parser) peek() byte { return p.ahead(0) }

func (p *parser) ahead(n int) byte {
	if p.at+n >= len(p.text) {
		return 0
	}
	return p.text[p.at+n]
}

func (p *parser) has(text string) bool { return strings.HasPrefix(p.text[p.at:], text) }

func (p *parser) accept(text string) bool {
	if p.has(text) {
		p.at += len(text)
		return true
	}
	return false
}

// blanks skips blanks, comments and continued lines.
func (p *parser) blanks() {
	for p.at < len(p.text) {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f':
			p.at++
		case p.has("\u00a0") || p.has("\ufeff"):
			p.at += len("\u00a0")
			if p.text[p.at-2] == 0xbb {
				p.at++
			}
		case c == '`' && p.ahead(1) == '\n':
			p.at += 2
		case c == '`' && p.ahead(1) == '\r' && p.ahead(2) == '\n':
			p.at += 3
		case c == '#':
			for p.at < len(p.text) && p.text[p.at] != '\n' {
				p.at++
			}
		case c == '<' && p.ahead(1) == '#':
			end := strings.Index(p.text[p.at:], "#>")
			if end < 0 {
				p.fail("a comment isn't closed")
				p.at = len(p.text)
				return
			}
			p.at += end + 2
		default:
			return
		}
	}
}

// lines skips blanks and ends of lines.
func (p *parser) lines() {
	for {
		p.blanks()
		if p.peek() != '\n' || p.at >= len(p.text) {
			return
		}
		p.at++
	}
}

func (p *parser) node(k kind, start int) *node { return &node{kind: k, start: start, end: start} }

func (p *parser) done(n *node) *node {
	n.end = p.at
	return n
}

// statements reads up to one of the letters in end.
func (p *parser) statements(end string) *node {
	list := p.node(listNode, p.at)
	if !p.enter() {
		return list
	}
	defer p.leave()
	for {
		p.lines()
		if p.at >= len(p.text) || end != "" && strings.IndexByte(end, p.peek()) >= 0 {
			return p.done(list)
		}
		if p.peek() == ';' {
			p.at++
			continue
		}
		before := p.at
		if s := p.statement(); s != nil {
			list.add(s)
		}
		if p.at == before {
			if end == "" && strings.IndexByte(")}", p.peek()) >= 0 {
				return p.done(list)
			}
			p.fail(fmt.Sprintf("unexpected %q", p.peek()))
			p.at++
		}
	}
}

// word returns the name at which the parser stands, in small letters.
func (p *parser) word() string {
	end := p.at
	for end < len(p.text) && (isLetter(p.text[end]) || end > p.at && (p.text[end] == '-' || isDigit(p.text[end]))) {
		end++
	}
	if end < len(p.text) && strings.IndexByte("\\/.:=\"'", p.text[end]) >= 0 {
		return "" // a part of something longer
	}
	text := p.text[p.at:end]
	if lower := strings.ToLower(text); len(lower) == len(text) {
		return lower
	}
	return "" // no keyword has such letters
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || c >= 0x80 }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }

// block reads { param(...) statements }.
func (p *parser) block() *node {
	start := p.at
	if !p.accept("{") {
		p.fail("a { is missing")
		return nil
	}
	n := p.node(blockNode, start)
	p.lines()
	for p.peek() == '[' && strings.HasPrefix(strings.ToLower(p.text[p.at:]), "[cmdletbinding") {
		p.typeName()
		p.lines()
	}
	if p.word() == "param" || strings.HasPrefix(strings.ToLower(p.text[p.at:]), "param(") {
		p.at += len("param")
		p.lines()
		n.params = p.params()
	}
	n.add(p.statements("}"))
	if !p.accept("}") {
		p.fail("a { isn't closed")
	}
	return p.done(n)
}

// chain reads pipelines with && and || between, or an assignment.
func (p *parser) chain(start int) *node {
	n := p.pipeline()
	if n == nil {
		return nil
	}
	for {
		p.blanks()
		operator := ""
		switch {
		case p.has("&&"):
			operator = "&&"
		case p.has("||"):
			operator = "||"
		default:
			return n
		}
		p.at += 2
		p.lines()
		c := p.node(chainNode, start)
		c.text = operator
		c.add(n)
		next := p.pipeline()
		if next == nil {
			p.fail("nothing behind " + operator)
			return n
		}
		c.add(next)
		n = p.done(c)
	}
}

func (p *parser) pipeline() *node {
	n := p.node(pipeNode, p.at)
	for {
		e := p.element()
		if e == nil {
			if len(n.kids) > 0 {
				p.fail("nothing behind |")
			}
			break
		}
		if e.kind == assignNode {
			return e
		}
		n.add(e)
		p.blanks()
		if p.peek() == '|' && p.ahead(1) != '|' {
			p.at++
			p.lines()
			continue
		}
		if p.peek() == '\n' { // PowerShell 7 takes a | at the beginning of the next line
			back := p.at
			if p.lines(); p.peek() == '|' && p.ahead(1) != '|' {
				p.at++
				p.lines()
				continue
			}
			p.at = back
		}
		break
	}
	if len(n.kids) == 0 {
		return nil
	}
	if p.peek() == '&' && p.ahead(1) != '&' {
		p.at++
		n.text = "&"
	}
	return p.done(n)
}

// element reads a command, or an expression, of a pipeline.
func (p *parser) element() *node {
	p.blanks()
	if p.at >= len(p.text) || strings.IndexByte("|;)}\n", p.peek()) >= 0 {
		return nil
	}
	start := p.at
	if !p.startsExpression() {
		return p.command()
	}
	if p.peek() == '[' && p.attribute() {
		return p.element()
	}
	e := p.expression(0)
	p.blanks()
	for _, operator := range [...]string{"??=", "+=", "-=", "*=", "/=", "%=", "="} {
		if p.has(operator) {
			p.at += len(operator)
			p.lines()
			a := p.node(assignNode, start)
			a.text = operator
			value := p.statement()
			if value == nil {
				p.fail("nothing behind " + operator)
				value = p.node(listNode, p.at)
			}
			a.kids = []*node{e, value}
			return p.done(a)
		}
	}
	n := p.node(valueNode, start)
	n.add(e)
	p.redirections(n)
	return p.done(n)
}

// attribute skips [CmdletBinding()] and the like.
func (p *parser) attribute() bool {
	lower := strings.ToLower(p.text[p.at:min(len(p.text), p.at+40)])
	for _, name := range [...]string{"[cmdletbinding", "[parameter", "[outputtype", "[diagnostics.codeanalysis.suppress"} {
		if strings.HasPrefix(lower, name) {
			p.typeName()
			p.lines()
			return true
		}
	}
	return false
}

func (p *parser) startsExpression() bool {
	switch c := p.peek(); c {
	case '$', '(', '{', '\'', '"', ',':
		return true
	case '[':
		return isLetter(p.ahead(1))
	case '@':
		return strings.IndexByte("({'\"", p.ahead(1)) >= 0
	case '!':
		return true
	case '+', '-':
		if p.ahead(1) == c || p.ahead(1) == '$' || p.ahead(1) == '(' || isDigit(p.ahead(1)) {
			return true
		}
		at := p.at
		p.at++
		word := p.word()
		p.at = at
		return c == '-' && (word == "not" || word == "join" || word == "split" || word == "bnot")
	case 0xe2: // curly quotes
		return curly(p.text[p.at:]) != 0
	}
	if !isDigit(p.peek()) {
		return false
	}
	end := p.at
	for end < len(p.text) && (isDigit(p.text[end]) || p.text[end] == '.') {
		end++
	}
	rest := strings.ToLower(p.text[end:min(len(p.text), end+2)])
	if rest == "kb" || rest == "mb" || rest == "gb" || rest == "tb" {
		end += 2
	}
	return end >= len(p.text) || strings.IndexByte(" \t\r\n;|)},+*/%", p.text[end]) >= 0
}

// command reads a command with its arguments.
func (p *parser) command() *node {
	n := p.node(commandNode, p.at)
	if c := p.peek(); c == '&' || c == '.' && strings.IndexByte(" \t$({'\"", p.ahead(1)) >= 0 && p.ahead(1) != 0 {
		n.text = string(c)
		p.at++
		p.blanks()
	}
	for p.at < len(p.text) {
		p.blanks()
		if p.at >= len(p.text) || strings.IndexByte("|;)}\n", p.peek()) >= 0 || p.peek() == '&' {
			break
		}
		if p.redirection(n) {
			continue
		}
		if p.has("--%") && len(n.kids) > 0 {
			p.verbatim(n)
			break
		}
		before := p.at
		n.add(p.commas(p.argument()))
		if p.at == before {
			p.fail(fmt.Sprintf("unexpected %q", p.peek()))
			p.at++
		}
	}
	return p.done(n)
}

// commas reads the rest of a list that begins with first.
func (p *parser) commas(first *node) *node {
	list := first
	for {
		back := p.at
		p.blanks()
		if p.peek() != ',' {
			p.at = back
			return list
		}
		p.at++
		p.lines()
		if list == first {
			list = p.node(commaNode, first.start)
			list.add(first)
		}
		if p.at >= len(p.text) || strings.IndexByte("|;)}", p.peek()) >= 0 {
			return p.done(list)
		}
		before := p.at
		list.add(p.argument())
		if p.done(list); p.at == before {
			return list
		}
	}
}

// verbatim reads what stands behind --%, which is as it is up to the end of the line.
func (p *parser) verbatim(n *node) {
	p.at += len("--%")
	for p.at < len(p.text) && strings.IndexByte("\n|", p.text[p.at]) < 0 {
		if c := p.text[p.at]; c == ' ' || c == '\t' || c == '\r' {
			p.at++
			continue
		}
		word := p.node(stringNode, p.at)
		for p.at < len(p.text) && strings.IndexByte(" \t\r\n|", p.text[p.at]) < 0 {
			if p.text[p.at] == '"' {
				if end := strings.IndexByte(p.text[p.at+1:], '"'); end >= 0 {
					word.text += p.text[p.at+1 : p.at+1+end]
					p.at += end + 2
					continue
				}
			}
			word.text += p.text[p.at : p.at+1]
			p.at++
		}
		n.add(p.done(word))
	}
}

func (p *parser) redirections(n *node) {
	for p.blanks(); p.redirection(n); p.blanks() {
	}
}

// redirection reads one, if the parser stands at it.
func (p *parser) redirection(n *node) bool {
	start, at := p.at, p.at
	if c := p.peek(); c == '*' || c >= '1' && c <= '6' {
		at++
	}
	if at >= len(p.text) || p.text[at] != '>' {
		if p.peek() == '<' && p.ahead(1) != '#' { // not in the language, and used for all that
			p.at++
			p.blanks()
			r := p.node(redirectNode, start)
			r.text = "<"
			r.add(p.argument())
			n.redirects = append(n.redirects, p.done(r))
			return true
		}
		return false
	}
	descriptor := p.text[start:at]
	p.at = at + 1
	operator := ">"
	if p.accept(">") {
		operator = ">>"
	}
	if p.peek() == '&' && isDigit(p.ahead(1)) {
		p.at += 2
		return true
	}
	p.blanks()
	r := p.node(redirectNode, start)
	if r.text = operator; descriptor == "*" {
		r.text = "&" + operator
	} else if descriptor != "1" {
		r.text = descriptor + operator
	}
	if p.at >= len(p.text) || strings.IndexByte("|;)}\n", p.peek()) >= 0 {
		p.fail("a file is missing behind >")
		return true
	}
	r.add(p.argument())
	n.redirects = append(n.redirects, p.done(r))
	return true
}
