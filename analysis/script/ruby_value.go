package script

// expression reads one with the operators that bind least: and, or.
func (p *rubyReader) expression() *tree {
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	p.blank()
	start := p.at
	p.whole = true
	t := p.several(start, p.value())
	for {
		p.blank()
		if !p.hasWord("and") && !p.hasWord("or") {
			return t
		}
		p.word()
		p.lines()
		t = p.node(treeBranch, start, t, p.value())
	}
}

// several reads a, b = 1, 2.
func (p *rubyReader) several(start int, first *tree) *tree {
	p.blank()
	if p.peek(0) != ',' || first.op != treeName && first.op != treeSpread && !(first.op == treeCall && len(first.kids) == 1 && first.kids[0].op == treeName) {
		return first
	}
	const many = 16
	at := p.at
	targets := p.node(treeList, start, rubyTarget(first))
	for p.peek(0) == ',' {
		p.at++
		p.blank()
		if p.peek(0) == '*' {
			p.at++
		}
		name := p.at
		word := p.word()
		if word == "" || len(targets.kids) == many {
			p.at = at
			return first
		}
		targets.kids = append(targets.kids, p.name(name, word))
		p.blank()
	}
	if p.peek(0) != '=' || p.peek(1) == '=' || p.peek(1) == '~' {
		p.at = at
		return first
	}
	p.at++
	for _, kid := range targets.kids {
		p.locals[kid.text] = true
	}
	values := p.arguments()
	value := p.node(treeList, start, values...)
	if len(values) == 1 {
		value = values[0]
	}
	return p.node(treeAssign, start, targets, value)
}

// rubyTarget returns the variable that is assigned to, which looked like a call.
func rubyTarget(t *tree) *tree {
	if t.op == treeCall && len(t.kids) == 1 && t.kids[0].op == treeName {
		return t.kids[0]
	}
	return t
}

// value reads one value or an assignment.
func (p *rubyReader) value() *tree {
	if !p.enter() {
		return nothing
	}
	defer p.leave()
	whole := p.whole
	p.whole = false
	p.blank()
	start := p.at
	t := p.ternary()
	p.blank()
	if p.peek(0) == '=' && p.peek(1) != '=' && p.peek(1) != '~' && p.peek(1) != '>' {
		p.at++
		return p.assignment(start, t, "=", whole)
	}
	for _, operator := range []string{"||=", "&&=", "+=", "<<=", "-=", "*=", "/=", "%=", "**=", "|=", "&=", "^=", ">>="} {
		if p.has(operator) {
			p.at += len(operator)
			return p.assignment(start, t, operator, whole)
		}
	}
	return t
}

// assignment reads what is assigned: several values with commas between them, if it's a whole statement.
func (p *rubyReader) assignment(start int, target *tree, operator string, whole bool) *tree {
	target = rubyTarget(target)
	if target.op == treeName {
		p.locals[target.text] = true
	}
	p.lines()
	value := p.value()
	p.blank()
	if p.peek(0) == ',' && operator == "=" && whole && target.op == treeName { // a = 1, 2
		p.at++
		value = p.node(treeList, start, append([]*tree{value}, p.arguments()...)...)
	} else if p.hasWord("rescue") {
		p.word()
		value = p.node(treeChoice, start, value, p.value())
	}
	switch operator {
	case "=":
		return p.node(treeAssign, start, target, value)
	case "+=":
		return p.node(treeExtend, start, target, value)
	case "||=", "&&=":
		return p.node(treeAssign, start, target, p.node(treeChoice, start, target, value))
	}
	return p.node(treeAssign, start, target, p.node(treeOther, start, value))
}

func (p *rubyReader) ternary() *tree {
	start := p.at
	t := p.binary(0)
	p.blank()
	if p.peek(0) != '?' {
		return t
	}
	all := p.node(treeBranch, start, t)
	for p.blank(); p.peek(0) == '?'; p.blank() {
		p.at++
		p.lines()
		all.kids = append(all.kids, p.binary(0))
		p.lines()
		if p.peek(0) == ':' {
			p.at++
		}
		p.lines()
		all.kids = append(all.kids, p.binary(0))
	}
	return all
}

// rubyLevels are the operators between two values, those that bind least first.
var rubyLevels = [...][]string{
	{"...", "..", "||"},
	{"&&"},
	{"<=>", "===", "==", "!=", "=~", "!~", "<=", ">=", ">>", "<", ">", "|", "&", "^"},
	{"<<"},
	{"+", "-"},
	{"**", "*", "/", "%"},
}

func (p *rubyReader) binary(level int) *tree {
	if level == len(rubyLevels) {
		return p.unary()
	}
	p.blank()
	start := p.at
	t := p.binary(level + 1)
	for {
		operator := p.operator(level)
		if operator == "" {
			return t
		}
		p.at += len(operator)
		p.lines()
		before := p.at
		right := p.binary(level + 1)
		switch {
		case operator == "||":
			t = p.node(treeChoice, start, t, right)
		case operator == "&&":
			t = p.node(treeBranch, start, t, right)
		case operator == "+" && t.op == treeJoin && t.flags&treeMade != 0:
			t.kids = append(t.kids, right)
			t.source = p.since(start)
		case operator == "+":
			t = p.node(treeJoin, start, t, right)
			t.flags = treeMade // by this operator, so that it may be made longer
		case operator == "<<" && rubyTarget(t).op == treeName:
			if right.op != treeText && right.op != treeJoin {
				right = p.node(treeList, before, right)
			}
			t = p.node(treeExtend, start, rubyTarget(t), right)
		case operator == "/" || operator == "%":
			member := p.node(treeMember, start, t)
			member.text = operator
			t = p.node(treeCall, start, member, right)
		default:
			t = p.node(treeOther, start, t, right)
		}
		if p.at == before || p.deepen(t) {
			return t
		}
	}
}

// deepen ends the reading where operators in a row have made a tree too deep.
func (p *rubyReader) deepen(t *tree) bool {
	depth := 0
	for ; len(t.kids) > 0 && t.kids[0] != nil && depth <= maxChain && t.op != treeBlock; depth++ {
		t = t.kids[0]
	}
	if depth <= maxChain {
		return false
	}
	p.deep = true
	p.at = p.end
	return true
}

// operator returns the operator of a level that is next, if there is one.
func (p *rubyReader) operator(level int) string {
	p.blank()
	c := p.peek(0)
	for _, operator := range rubyLevels[level] {
		if operator[0] != c || !p.has(operator) {
			continue
		}
		after := p.peek(len(operator))
		switch {
		case operator == "|" && after == '|', operator == "&" && (after == '&' || after == '.'), operator == "*" && after == '*', operator == "<" && after == '<', operator == "|" && p.noPipe > 0:
			continue
		case after == '=' && operator != "<=" && operator != ">=" && operator != "==" && operator != "===" && operator != "<=>" && p.peek(len(operator)+1) != '=' && p.peek(len(operator)+1) != '~' && operator != ".." && operator != "..." && operator != "!=" && operator != "=~":
			return ""
		}
		return operator
	}
	return ""
}

// unary reads a value with the operators before it.
func (p *rubyReader) unary() *tree {
	p.blank()
	start := p.at
	changed := false
	for {
		c := p.peek(0)
		switch {
		case c == '!' && p.peek(1) != '=' || c == '~' || c == '-' && p.peek(1) != '>' || c == '+':
			changed = changed || c != '+'
		case c == '&' && p.peek(1) != '&' && p.peek(1) != '.':
		default:
			begin := p.at
			t := p.postfix(begin, p.primary())
			if changed && t.op == treePlain && p.source[start] == '-' {
				t.text = "-" + t.text
				return t
			}
			if changed {
				return p.node(treeOther, start, t)
			}
			return t
		}
		p.at++
		p.blank()
	}
}
