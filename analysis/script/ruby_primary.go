package script

import "strings"

// primary reads a constant, a variable, a call or what is in brackets.
func (p *rubyReader) primary() *tree {
	p.blank()
	start := p.at
	c := p.peek(0)
	switch {
	case c == '"' || c == '\'' || c == '`':
		return p.texts()
	case c == ':' && (p.peek(1) == '"' || p.peek(1) == '\''):
		p.at++
		return p.texts()
	case c == ':' && p.peek(1) == ':':
		p.at += 2
		return p.primary()
	case c == ':' && isNameStart(p.peek(1)):
		p.at++
		t := p.text(start, p.word())
		t.source = p.since(start)
		return t
	case c == '%':
		if t := p.percent(); t != nil {
			return t
		}
		p.at = start
		return nothing
	case c == '<' && p.peek(1) == '<':
		if t := p.hereDocument(); t != nil {
			return t
		}
		return nothing
	case c == '/':
		p.quotedFrom('/', '/', false)
		p.word()
		return p.node(treeOther, start)
	case c == '?' && p.peek(1) > ' ' && !isNameByte(p.peek(2)):
		p.at += 2
		return p.text(start, p.source[start+1:p.at])
	case c >= '0' && c <= '9':
		for isNameByte(p.peek(0)) || p.peek(0) == '.' && p.peek(1) >= '0' && p.peek(1) <= '9' {
			p.at++
		}
		t := p.node(treePlain, start)
		t.text = strings.ReplaceAll(t.source, "_", "")
		return t
	case c == '[':
		return p.node(treeList, start, p.items(']')...)
	case c == '{':
		return p.hash()
	case c == '(':
		return p.parenthesis()
	case c == '-' && p.peek(1) == '>':
		p.at += 2
		return p.lambda(start)
	case c == '*':
		p.at++
		if p.peek(0) == '*' {
			p.at++
		}
		return p.node(treeSpread, start, p.unary())
	case c == '@' || c == '$':
		return p.sigil()
	case isNameStart(c):
		return p.named()
	}
	return nothing
}

// sigil reads @x, @@x and $x.
func (p *rubyReader) sigil() *tree {
	start := p.at
	for p.peek(0) == '@' || p.peek(0) == '$' {
		p.at++
	}
	if p.word() == "" && p.at < p.end {
		p.at++ // $!, $0 and the like
		return p.node(treeOther, start)
	}
	return p.name(start, p.since(start))
}

// named reads what begins with a word: a keyword, a variable or a call.
func (p *rubyReader) named() *tree {
	start := p.at
	word := p.word()
	if read := rubyKeywords()[word]; read != nil {
		if !p.enter() {
			return nothing
		}
		defer p.leave()
		return read(p, start)
	}
	switch word {
	case "true", "false", "nil":
		t := p.node(treePlain, start)
		t.text = word
		return t
	case "then", "do", "end", "else", "elsif", "when", "ensure", "rescue", "and", "or", "in":
		p.at = start
		return nothing
	case "__dir__":
		return p.text(start, ".")
	case "lambda", "proc":
		if p.blank(); p.peek(0) == '{' || p.hasWord("do") {
			return p.lambda(start)
		}
	case "it", "_1":
		if !p.commands() && p.peek(0) != '(' {
			return p.name(start, "_1")
		}
	case "include", "extend":
		if t := p.included(start); t != nil {
			return t
		}
	}
	name := p.name(start, word)
	if word[0] >= 'A' && word[0] <= 'Z' && p.peek(0) != '(' && !(p.peek(0) == ' ' && (p.peek(1) == '"' || p.peek(1) == '\'')) {
		return name
	}
	if p.locals[word] && p.peek(0) != '(' && !(p.peek(0) == ' ' && (p.peek(1) == '"' || p.peek(1) == '\'')) {
		return name
	}
	return p.invoked(start, name)
}

// rubyFileUtils are the functions of FileUtils that are known without it
// where it's included.
const rubyFileUtils = "rm rm_r rm_f rm_rf rmtree remove_dir remove_entry remove_entry_secure remove_file safe_unlink rmdir mv move cp copy cp_r copy_file install chmod chmod_R chown chown_R ln_s ln_sf symlink cd chdir"

// included reads include FileUtils.
func (p *rubyReader) included(start int) *tree {
	at := p.at
	for p.peek(0) == ' ' || p.peek(0) == '(' || p.peek(0) == ':' {
		p.at++
	}
	if !p.hasWord("FileUtils") {
		p.at = at
		return nil
	}
	p.at += len("FileUtils")
	t := p.node(treeSequence, start)
	for name := range strings.FieldsSeq(rubyFileUtils) {
		member := p.node(treeMember, start, p.name(start, "FileUtils"))
		member.text = name
		t.kids = append(t.kids, p.node(treeAssign, start, p.name(start, name), member))
	}
	return t
}
