package excerpt

import "math/bits"

// machine finds many short texts at once (Aho and Corasick's): a step is two loads. Upper
// and lower case of ASCII letters are the same to it. State 0 is where nothing of a text
// was read.
type machine struct {
	class  [256]uint8 // of a byte; those that no text has are 0
	shift  uint       // a state has 1<<shift entries in next
	next   []uint16   // by state<<shift + class
	first  uint16     // states from here on are at the end of a text
	output [][]found  // of these
}

// found is a text of a pattern that ends where the machine is.
type found struct {
	pattern, length int
}

// trie holds the texts while a machine is being built.
type trie struct {
	nodes []node
}

type node struct {
	next   map[byte]int
	fail   int // the node of the longest end of this one's text that has a node
	output []found
}

// maxStates bounds a machine.
const maxStates = 16_000

// add puts in a text in lower case; false where there is no room for it.
func (t *trie) add(text string, pattern int) bool {
	if t.nodes == nil {
		t.nodes = []node{{next: map[byte]int{}}}
	}
	at := 0
	for i := range len(text) {
		to, ok := t.nodes[at].next[text[i]]
		if !ok {
			if to = len(t.nodes); to == maxStates {
				return false
			}
			t.nodes = append(t.nodes, node{next: map[byte]int{}})
			t.nodes[at].next[text[i]] = to
		}
		at = to
	}
	t.nodes[at].output = append(t.nodes[at].output, found{pattern, len(text)})
	return true
}

// machine makes the texts ready to be looked for.
func (t *trie) machine() machine {
	var m machine
	if t.nodes == nil {
		return machine{next: []uint16{0}, first: 1}
	}
	classes := m.classify(t)
	m.shift = uint(bits.Len(uint(classes - 1)))
	order := t.link()
	number := m.number(t, order)
	m.next = make([]uint16, len(t.nodes)<<m.shift)
	for _, n := range order {
		row := m.next[int(number[n])<<m.shift:][:1<<m.shift]
		if n != 0 {
			copy(row, m.next[int(number[t.nodes[n].fail])<<m.shift:])
		}
		for c, to := range t.nodes[n].next {
			row[m.class[c]] = number[to]
		}
	}
	return m
}

// classify gives each byte that the texts have a class and returns how many there are.
func (m *machine) classify(t *trie) int {
	classes := 1
	for _, n := range t.nodes {
		for c := range n.next {
			if m.class[c] == 0 {
				m.class[c] = uint8(classes) // at most 230: no upper case letters
				classes++
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		m.class[c] = m.class[c+0x20]
	}
	return classes
}

// link finds where to go on when no text goes on, and returns the nodes by the length of
// their texts.
func (t *trie) link() []int {
	order := []int{0}
	for i := 0; i < len(order); i++ {
		at := order[i]
		for c, to := range t.nodes[at].next {
			order = append(order, to)
			if at == 0 {
				continue
			}
			fail := t.nodes[at].fail
			for {
				if next, ok := t.nodes[fail].next[c]; ok {
					t.nodes[to].fail = next
					break
				}
				if fail == 0 {
					break
				}
				fail = t.nodes[fail].fail
			}
		}
	}
	for _, n := range order[1:] {
		t.nodes[n].output = append(t.nodes[n].output, t.nodes[t.nodes[n].fail].output...)
	}
	return order
}

// number gives those nodes that end a text the last numbers.
func (m *machine) number(t *trie, order []int) []uint16 {
	number := make([]uint16, len(t.nodes))
	next := uint16(0)
	for _, n := range order {
		if len(t.nodes[n].output) == 0 {
			number[n] = next
			next++
		}
	}
	m.first = next
	for _, n := range order {
		if output := t.nodes[n].output; len(output) > 0 {
			number[n] = next
			m.output = append(m.output, output)
			next++
		}
	}
	return number
}
