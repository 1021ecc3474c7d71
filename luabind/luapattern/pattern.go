package luapattern

// Pattern is a compiled pattern. It is not changed by matching.
type Pattern struct {
	nodes    []node
	captures int
	position uint32 // bit i: capture i is a position
	depth    int    // nodes that may have to be gone back to
	anchored bool   // a match begins where the search does, or nowhere
	once     bool   // the same, as it begins with .*, .+ or .-: a later beginning would see less

	// What every match begins with, so that the search can skip to it.
	prefix string // literally; nodes[0] then matches just that
	lead   int    // a byte; -1: unknown
	first  *set   // one of these; nil: unknown
	least  int    // and how long it is at least
}

// Captures is the number of captures; 0 stands for the whole match as the only one.
func (p *Pattern) Captures() int { return p.captures }

// Anchored reports whether it begins with '^': there is one match at most.
func (p *Pattern) Anchored() bool { return p.anchored }

// IsPosition reports whether capture i, from 0, is a position.
func (p *Pattern) IsPosition(i int) bool { return p.position&(1<<i) != 0 }

// op is what a node does.
type op uint8

const (
	opEnd      op = iota // the match is complete
	opByte               // one byte
	opLiteral            // several bytes
	opAny                // any one byte
	opSet                // one byte of a set
	opGreedy             // as many as there are, at least `least`
	opLazy               // as few as will do
	opOptional           // one or none
	opOpen               // begin of a capture
	opClose              // its end
	opBack               // what a capture holds, once more
	opNever              // a back-reference to a position
	opBalance            // %b
	opFrontier           // %f
	opLast               // the end of the subject
)

// node is one item of a pattern. A pattern has no alternatives and repeats single
// bytes only, so that a match runs through all its nodes in their order: what a
// capture holds needs no undoing, the next attempt writes it anew.
type node struct {
	op    op
	of    op   // what a repetition repeats: opByte, opAny or opSet
	b     byte // opByte; opBalance: the opening byte
	close byte // opBalance
	keep  bool // a repetition that never gives back: what follows can't match within it
	least uint8
	next  int16 // a repetition: the byte that must follow it; -1: unknown
	n     int16 // a capture's number
	set   *set
	text  string // opLiteral
}

// matches reports whether a single-byte node, or one step of a repetition, matches c.
func (n *node) matches(c byte) bool {
	switch n.of {
	case opByte:
		return n.b == c
	case opSet:
		return n.set.has(c)
	}
	return true
}

// starts is the set of bytes with which a node that consumes at least one byte
// begins; nil: unknown.
func (n *node) starts() *set {
	var s set
	of := n.op
	if n.op == opGreedy && n.least > 0 {
		of = n.of
	}
	switch of {
	case opByte, opBalance:
		s.add(n.b)
	case opLiteral:
		s.add(n.text[0])
	case opSet:
		return n.set
	default:
		return nil
	}
	return &s
}

// startByte is the only byte with which a node can begin, -1: unknown.
func (n *node) startByte() int {
	switch {
	case n.op == opByte, n.op == opBalance, n.op == opGreedy && n.least > 0 && n.of == opByte:
		return int(n.b)
	case n.op == opLiteral:
		return int(n.text[0])
	}
	return -1
}

// minimum is how many bytes a node consumes at least.
func (n *node) minimum() int {
	switch n.op {
	case opByte, opAny, opSet:
		return 1
	case opLiteral:
		return len(n.text)
	case opGreedy:
		return int(n.least)
	case opBalance:
		return 2
	}
	return 0
}

// plan works out what speeds up the search. nodes are complete.
func (p *Pattern) plan() {
	refers := false
	for i := range p.nodes {
		n := &p.nodes[i]
		p.least += n.minimum()
		refers = refers || n.op == opBack
		if n.op == opGreedy || n.op == opLazy || n.op == opOptional {
			p.follow(n, p.after(i+1))
		}
	}
	begin := p.after(0)
	p.lead, p.first = begin.startByte(), begin.starts()
	p.prefix = p.nodes[0].text
	leads := begin
	if refers {
		leads = &p.nodes[0] // a capture would hold more
	}
	p.once = (leads.op == opGreedy || leads.op == opLazy) && leads.of == opAny
}

// after is the first node from i on that looks at the subject.
func (p *Pattern) after(i int) *node {
	for p.nodes[i].op == opOpen || p.nodes[i].op == opClose {
		i++
	}
	return &p.nodes[i]
}

// follow tells a repetition what comes after it.
func (p *Pattern) follow(n, next *node) {
	n.next = int16(next.startByte())
	repeated := n.set
	switch n.of {
	case opAny:
		repeated = nil
	case opByte:
		repeated = new(set)
		repeated.add(n.b)
	}
	switch starts := next.starts(); {
	case n.op != opGreedy:
	case next.op == opEnd, next.op == opLast:
		n.keep = true
	case starts != nil && repeated != nil:
		n.keep = repeated.disjoint(starts)
	}
	if !n.keep {
		p.depth++
	}
}
