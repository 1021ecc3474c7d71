package luapattern

import "errors"

// What Compile refuses. Where Lua 5.1 has the same complaint, these are its words.
var (
	errEscape    = errors.New("malformed pattern (ends with '%')")
	errSet       = errors.New("malformed pattern (missing ']')")
	errFrontier  = errors.New("missing '[' after '%f' in pattern")
	errBalance   = errors.New("unbalanced pattern")
	errOpen      = errors.New("unfinished capture")
	errClose     = errors.New("invalid pattern capture")
	errReference = errors.New("invalid capture index")
	errCaptures  = errors.New("too many captures")
	errComplex   = errors.New("pattern too complex")
)

// Bounds of a pattern.
const (
	maxCaptures = 32
	maxDepth    = 200  // repetitions that may have to be gone back to
	maxNodes    = 4096 // a run of literal bytes is one
)

// What compiling takes beside reading, in steps: memory above all.
const (
	compileSteps = 64
	nodeSteps    = 4
	setSteps     = 16
)

// Compile makes a Pattern of text. Lua 5.1 complains about a malformed pattern when
// matching gets that far; here it is an error at once. A '^' at the beginning anchors
// the pattern only if anchors says so: to gmatch it is a byte like others.
func Compile(text string, anchors bool, meter Meter) (*Pattern, error) {
	c := compiler{counter: counter{meter: meter}, text: text, p: &Pattern{}}
	c.step(compileSteps)
	if anchors && text != "" && text[0] == '^' {
		c.p.anchored = true
		c.at = 1
	}
	for c.at < len(text) {
		c.step(1)
		if err := c.item(); err != nil {
			return nil, err
		}
		if len(c.p.nodes) > maxNodes {
			return nil, errComplex
		}
	}
	if len(c.open) > 0 {
		return nil, errOpen
	}
	c.add(node{op: opEnd})
	c.p.plan()
	c.flush()
	if c.p.depth > maxDepth {
		return nil, errComplex
	}
	return c.p, nil
}

type compiler struct {
	counter
	text    string
	at      int // in text
	p       *Pattern
	open    []int16 // the captures that aren't closed
	literal []byte  // the run of literal bytes that isn't a node yet
}

// peek is the byte that is so far ahead; 0 beyond the end.
func (c *compiler) peek(ahead int) byte {
	if i := c.at + ahead; i < len(c.text) {
		return c.text[i]
	}
	return 0
}

// add appends a node, after the literal bytes before it.
func (c *compiler) add(n node) {
	c.step(nodeSteps)
	switch len(c.literal) {
	case 0:
	case 1:
		c.p.nodes = append(c.p.nodes, node{op: opByte, b: c.literal[0]})
	default:
		c.step(len(c.literal) / 4)
		c.p.nodes = append(c.p.nodes, node{op: opLiteral, text: string(c.literal)})
	}
	c.literal = c.literal[:0]
	c.p.nodes = append(c.p.nodes, n)
}

// item compiles the item at c.at.
func (c *compiler) item() error {
	switch c.text[c.at] {
	case '(':
		return c.openCapture()
	case ')':
		return c.closeCapture()
	case '$':
		if c.at+1 == len(c.text) {
			c.at++
			c.add(node{op: opLast})
			return nil
		}
	case '%':
		switch next := c.peek(1); {
		case next == 'b':
			return c.balance()
		case next == 'f':
			return c.frontier()
		case next >= '0' && next <= '9':
			return c.reference(int16(next) - '1')
		}
	}
	return c.single()
}

func (c *compiler) openCapture() error {
	i := c.p.captures
	if i == maxCaptures {
		return errCaptures
	}
	c.p.captures++
	c.at++
	c.add(node{op: opOpen, n: int16(i)})
	if c.peek(0) == ')' {
		c.at++
		c.p.position |= 1 << i
		return nil
	}
	c.open = append(c.open, int16(i))
	return nil
}

func (c *compiler) closeCapture() error {
	last := len(c.open) - 1
	if last < 0 {
		return errClose
	}
	c.at++
	c.add(node{op: opClose, n: c.open[last]})
	c.open = c.open[:last]
	return nil
}

func (c *compiler) reference(i int16) error {
	if i < 0 || int(i) >= c.p.captures {
		return errReference
	}
	for _, open := range c.open {
		if open == i {
			return errReference
		}
	}
	c.at += 2
	if c.p.IsPosition(int(i)) {
		c.add(node{op: opNever})
	} else {
		c.add(node{op: opBack, n: i})
	}
	return nil
}

func (c *compiler) balance() error {
	if c.at+3 >= len(c.text) {
		return errBalance
	}
	c.add(node{op: opBalance, b: c.text[c.at+2], close: c.text[c.at+3]})
	c.at += 4
	return nil
}

func (c *compiler) frontier() error {
	c.at += 2
	if c.peek(0) != '[' {
		return errFrontier
	}
	s, err := c.set()
	if err != nil {
		return err
	}
	c.add(node{op: opFrontier, set: s})
	return nil
}

// single compiles what matches one byte, and its repetition.
func (c *compiler) single() error {
	n := node{op: opByte, b: c.text[c.at]}
	switch n.b {
	case '.':
		n.op = opAny
		c.at++
	case '[':
		s, err := c.set()
		if err != nil {
			return err
		}
		n.op, n.set = opSet, s
	case '%':
		if c.at+1 == len(c.text) {
			return errEscape
		}
		n.b = c.text[c.at+1]
		c.at += 2
		if n.set = classes[n.b]; n.set != nil {
			n.op = opSet
		}
	default:
		c.at++
	}
	n.of = n.op
	switch c.peek(0) {
	case '*':
		n.op = opGreedy
	case '+':
		n.op, n.least = opGreedy, 1
	case '-':
		n.op = opLazy
	case '?':
		n.op = opOptional
	default:
		if n.op == opByte {
			c.literal = append(c.literal, n.b)
		} else {
			c.add(n)
		}
		return nil
	}
	c.at++
	c.add(n)
	return nil
}

// set compiles the set at c.at, up to and with its ']'.
func (c *compiler) set() (*set, error) {
	end, err := c.setEnd()
	if err != nil {
		return nil, err
	}
	c.step(setSteps)
	s := new(set)
	text := c.text[:end]
	i := c.at + 1
	invert := text[i] == '^'
	if invert {
		i++
	}
	for ; i < len(text); i++ {
		b := text[i]
		switch {
		case b == '%':
			i++ // the end itself, after a range up to '%' and another '%'
			if class := classes[c.text[i]]; class != nil {
				s.addAll(class)
			} else {
				s.add(c.text[i])
			}
		case i+2 < len(text) && text[i+1] == '-':
			c.step(1 + max(0, int(text[i+2])-int(b)))
			s.addRange(b, text[i+2])
			i += 2
		default:
			s.add(b)
		}
	}
	c.at = end + 1
	if invert {
		s.invert()
	}
	return s, nil
}

// setEnd is where the ']' is that ends the set at c.at. One at the beginning is a
// member.
func (c *compiler) setEnd() (int, error) {
	i := c.at + 1
	if i < len(c.text) && c.text[i] == '^' {
		i++
	}
	for first := true; i < len(c.text); i++ {
		c.step(1)
		switch {
		case c.text[i] == ']' && !first:
			return i, nil
		case c.text[i] == '%':
			i++
		}
		first = false
	}
	return 0, errSet
}
