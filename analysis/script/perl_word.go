package script

import "strings"

// perlUnary are the functions that take one argument at most, so that a comma
// after it isn't theirs. perlfunc calls them named unary operators.
const perlUnary = " chdir rmdir readlink lc uc lcfirst ucfirst ref defined shift pop chr ord length exists delete quotemeta sleep exit umask undef scalar stat lstat require caller each keys values glob readpipe eval do local chroot hex oct int abs alarm close fc rand srand sqrt study pos lock untie tied "

// perlBuiltins are functions of the language itself, which a sub of the same name doesn't replace.
const perlBuiltins = perlUnary + " system exec unlink rename truncate chmod chown symlink link open sysopen qx join reverse sprintf push unshift print say printf map grep sort die warn return split splice utime mkdir binmode pack unpack sprintf bless kill wait waitpid fork syswrite seek read "

// named reads what begins with a word.
func (p *perlReader) named() *tree {
	start := p.at
	word := p.word()
	if p.fat(0) {
		return p.text(start, word)
	}
	at := p.at
	if t := p.quoteLike(word, start); t != nil {
		return t
	}
	p.at = at
	switch word {
	case "my", "our", "local", "state":
		return p.declared(start, word)
	case "sub":
		return p.sub(start)
	case "do", "eval":
		if p.blank(); p.peek(0) == '{' {
			return p.block()
		}
		p.at = at
	case "map", "grep", "sort", "first", "any", "all", "none":
		if t := p.blockList(start); t != nil {
			return t
		}
		p.at = at
	case "print", "printf", "say":
		p.handle()
	case "wantarray", "time", "__FILE__", "__PACKAGE__", "__LINE__":
		return p.node(treeOther, start)
	case "shift", "pop":
		if t := p.shifted(start, word); t != nil {
			return t
		}
		p.at = at
	}
	return p.called(start, strings.TrimPrefix(word, "CORE::"))
}

// declared reads my $x, my ($x, $y) and the like.
func (p *perlReader) declared(start int, word string) *tree {
	p.blank()
	var target *tree
	switch p.peek(0) {
	case '(':
		target = p.parenthesis()
	case '$', '@', '%':
		target = p.variable()
		if word == "local" {
			return p.postfix(start, target)
		}
		if target.op == treeSpread {
			target = target.kids[0]
		}
	default:
		return nothing
	}
	if word == "local" {
		return target
	}
	t := p.node(treeDeclare, start, target)
	return t
}

// blockList reads map { ... } LIST: the block runs for each element.
func (p *perlReader) blockList(start int) *tree {
	p.blank()
	parens := p.eat("(")
	p.blank()
	if p.peek(0) != '{' {
		return nil
	}
	body := p.block()
	p.eat(",")
	list := listOf(p.node(treeList, start, p.list()))
	if parens {
		p.eat(")")
	}
	target := p.node(treeDeclare, start, p.name(start, "$_"))
	return p.node(treeSpread, start, p.node(treeEach, start, target, list, body))
}

// handle skips the file to which print writes.
func (p *perlReader) handle() {
	at := p.at
	p.blank()
	if p.peek(0) == '(' {
		return
	}
	if p.peek(0) == '{' {
		p.block()
		return
	}
	word := p.word()
	if p.blank(); word == "" || strings.ToUpper(word) != word || p.peek(0) == '(' || p.peek(0) == ',' || p.peek(0) == '.' || p.fat(0) {
		p.at = at
	}
}

// shifted reads shift without an argument: the next one of the sub's.
func (p *perlReader) shifted(start int, word string) *tree {
	p.blank()
	if p.peek(0) == '(' {
		p.at++
		if !p.eat(")") {
			return nil
		}
	} else if c := p.peek(0); c == '@' || c == '$' {
		if !p.hasWord("@_") {
			return nil
		}
		p.at += len("@_")
	}
	if !p.inSub || word == "pop" {
		return p.node(treeOther, start)
	}
	index := p.node(treePlain, start)
	index.text = string(rune('0' + min(p.shifts, 9)))
	p.shifts++
	return p.node(treeIndex, start, p.name(start, "@_"), index)
}

// called reads a function's name with its arguments, which need no parentheses.
func (p *perlReader) called(start int, word string) *tree {
	name := word
	builtin := strings.Contains(perlBuiltins, " "+word+" ")
	if builtin {
		name = "CORE::" + word
	}
	callee := p.name(start, name)
	at := p.at
	p.blank()
	c := p.peek(0)
	switch {
	case c == '(':
		args := p.arguments()
		t := p.node(treeCall, start, append([]*tree{callee}, args...)...)
		return t
	case (word == "system" || word == "exec") && c == '{': // which file to run, and the words for it
		file := p.block()
		args := flat(p.list())
		if len(args) > 0 && args[0].op != treeSpread {
			args = args[1:]
		}
		if len(file.kids) == 1 {
			file = file.kids[0]
		}
		return p.call(start, word+"{}", append([]*tree{file}, args...)...)
	case strings.Contains(perlUnary, " "+word+" "):
		if p.ends() || c == ',' || c == '<' || c == '>' || c == '=' || c == '+' || p.has("!=") {
			return p.node(treeCall, start, callee)
		}
		return p.node(treeCall, start, callee, p.binary(3))
	case builtin || c == '$' || c == '"' || c == '\'' || c == '@' && word != "STDERR" || c == '\\' || isNameStart(c) && !p.infix():
		if p.has("->") || p.ends() || c == ',' {
			break
		}
		before := p.at
		args := flat(p.list())
		if p.at > before {
			return p.node(treeCall, start, append([]*tree{callee}, args...)...)
		}
	case p.has("->") && !p.has("->["):
		return callee
	}
	p.at = at
	return p.node(treeCall, start, callee)
}

// infix reports whether a word that stands between two values is next.
func (p *perlReader) infix() bool {
	for _, level := range perlLevels {
		for _, word := range level {
			if isNameByte(word[0]) && p.hasWord(word) {
				return true
			}
		}
	}
	return p.ends()
}
