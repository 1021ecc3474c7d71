package script

import "strings"

// parenthesis reads statements in parentheses.
func (p *rubyReader) parenthesis() *tree {
	start := p.at
	p.at++
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	noDo := p.noDo
	p.noDo = 0
	t := p.node(treeSequence, start)
	for {
		p.statements(t, ")")
		if p.peek(0) == ')' || p.at >= p.end {
			break
		}
		p.at++ // a word that has no business here
	}
	p.at = min(p.at+1, p.end)
	p.noDo = noDo
	if len(t.kids) == 1 {
		return t.kids[0]
	}
	return t
}

// items reads arguments or elements up to a closing bracket.
func (p *rubyReader) items(closing byte) []*tree {
	p.at++
	if !p.enter() {
		return nil
	}
	defer p.leave()
	noDo := p.noDo
	p.noDo = 0
	defer func() { p.noDo = noDo }()
	var all []*tree
	for {
		p.lines()
		if p.at >= p.end {
			return all
		}
		if p.source[p.at] == closing {
			p.at++
			return all
		}
		before := p.at
		if p.source[p.at] == ',' {
			p.at++
			continue
		}
		all = append(all, p.arguments()...)
		if p.at == before {
			p.at++
		}
	}
}

// arguments reads a list of arguments. Those with keys are one map, as in a
// call.
func (p *rubyReader) arguments() []*tree {
	var all []*tree
	var options *tree
	for {
		p.blank()
		before := p.at
		key, value := p.argument()
		switch {
		case key != nil && options == nil:
			options = p.node(treeMap, before, key, value)
			all = append(all, options)
		case key != nil:
			options.kids = append(options.kids, key, value)
		case value != nothing:
			all = append(all, value)
		}
		p.blank()
		if p.peek(0) != ',' || p.at >= p.end {
			return all
		}
		p.at++
		p.lines()
		if c := p.peek(0); c == ')' || c == ']' || c == '}' {
			return all
		}
	}
}

// argument reads one argument, perhaps with a key.
func (p *rubyReader) argument() (key, value *tree) {
	start := p.at
	if isNameStart(p.peek(0)) {
		name := p.word()
		if p.peek(0) == ':' && p.peek(1) != ':' {
			p.at++
			key = p.text(start, strings.TrimRight(name, "?!"))
			if p.lines(); p.stops() {
				return key, p.name(start, name)
			}
			return key, p.value()
		}
		p.at = start
	}
	value = p.value()
	p.blank()
	if p.peek(0) == ':' && p.peek(1) != ':' && value.op == treeText { // "key": value
		p.at++
		p.lines()
		return value, p.value()
	}
	if p.has("=>") {
		p.at += 2
		p.lines()
		return value, p.value()
	}
	return nil, value
}

func (p *rubyReader) hash() *tree {
	start := p.at
	items := p.items('}')
	t := p.node(treeMap, start)
	for _, item := range items {
		if item.op == treeMap {
			t.kids = append(t.kids, item.kids...)
		} else {
			t.kids = append(t.kids, nothing, item)
		}
	}
	return t
}

// commands reports whether arguments without parentheses follow: a blank, and
// then what can begin a value but isn't an operator with blanks on both sides.
func (p *rubyReader) commands() bool {
	if p.peek(0) != ' ' && p.peek(0) != '\t' {
		return false
	}
	i := 0
	for p.peek(i) == ' ' || p.peek(i) == '\t' {
		i++
	}
	c, next := p.peek(i), p.peek(i+1)
	tight := next != ' ' && next != '\n' && next != '=' && next != 0
	switch {
	case isNameStart(c):
		for _, word := range []string{"if", "unless", "while", "until", "and", "or", "do", "then", "end", "rescue", "in", "else", "elsif", "when", "ensure"} {
			if strings.HasPrefix(p.source[p.at+i:p.end], word) && !isNameByte(p.peek(i+len(word))) && p.peek(i+len(word)) != ':' {
				return false
			}
		}
		return true
	case c >= '0' && c <= '9' || c == '"' || c == '\'' || c == '`' || c == '@' || c == '$' || c == '~':
		return true
	case c == ':':
		return next == ':' || next == '"' || isNameStart(next)
	case c == '-':
		return tight || next == '>'
	case c == '[' || c == '*' || c == '&' || c == '/' || c == '%' || c == '?':
		return tight && !(c == '&' && (next == '&' || next == '.')) && !(c == '*' && next == '*' && p.peek(i+2) == ' ') && !(c == '?' && isNameByte(p.peek(i+2)))
	case c == '!':
		return next != '=' && next != '~'
	case c == '<':
		return next == '<' && (p.peek(i+2) == '~' || p.peek(i+2) == '-' || p.peek(i+2) == '"' || p.peek(i+2) == '\'' || p.peek(i+2) >= 'A' && p.peek(i+2) <= 'Z')
	case c == '(':
		return true
	}
	return false
}
