package file

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// tree holds keys and short values in the order of the keys. Its nodes are read when they are needed. Changed
// nodes, up to the root, are written to another place.
type tree struct {
	disk *disk
	root *node
}

// A node with more than most bytes is split; one with less than few joins its neighbour if both fit into one. A
// key with its value takes at most a quarter of a node, so that both parts of a split fit.
const (
	mostNode  = 2 * pageBytes
	fewNode   = mostNode / 4
	mostEntry = mostNode / 4
	mostDepth = 40
)

type node struct {
	leaf    bool
	at      ref // where it was read; none if it is new or has changed
	entries []entry
}

type entry struct {
	key   []byte // in a branch, a lower bound of the child's keys
	value []byte // in a leaf
	at    ref    // in a branch: the place of the child
	child *node  // likewise, once it was read
}

func openTree(d *disk) (*tree, error) {
	t := &tree{disk: d, root: &node{leaf: true}}
	if d.head.root.length == 0 {
		return t, nil
	}
	var err error
	t.root, err = t.read(d.head.root)
	return t, err
}

// The first byte of a node.
const (
	leafNode   = 'L'
	branchNode = 'B'
)

func (n *node) size() int {
	size := 1
	for i := range n.entries {
		size += n.entries[i].size(n.leaf)
	}
	return size
}

func (e *entry) size(leaf bool) int {
	if leaf {
		return 4 + len(e.key) + len(e.value)
	}
	return 2 + len(e.key) + refBytes
}

func (n *node) encode() []byte {
	b := make([]byte, 1, n.size())
	b[0] = branchNode
	if n.leaf {
		b[0] = leafNode
	}
	for _, e := range n.entries {
		b = append(binary.BigEndian.AppendUint16(b, uint16(len(e.key))), e.key...)
		if n.leaf {
			b = append(binary.BigEndian.AppendUint16(b, uint16(len(e.value))), e.value...)
		} else {
			b = e.at.append(b)
		}
	}
	return b
}

var errNode = &damage{"a part of it makes no sense"}

func (t *tree) read(at ref) (*node, error) {
	if at.length > mostNode {
		return nil, errNode
	}
	b, err := t.disk.read(at)
	if err != nil {
		return nil, err
	}
	n := &node{at: at, leaf: b[0] == leafNode}
	if !n.leaf && b[0] != branchNode {
		return nil, errNode
	}
	cut := func(size int) (part []byte, ok bool) {
		if size > len(b) {
			return nil, false
		}
		part, b = b[:size:size], b[size:]
		return part, true
	}
	text := func() (part []byte, ok bool) {
		length, ok := cut(2)
		if !ok {
			return nil, false
		}
		return cut(int(binary.BigEndian.Uint16(length)))
	}
	for b = b[1:]; len(b) > 0; {
		var e entry
		ok := false
		if e.key, ok = text(); ok {
			if n.leaf {
				e.value, ok = text()
			} else if at, whole := cut(refBytes); whole {
				e.at = readRef(at)
			} else {
				ok = false
			}
		}
		if last := len(n.entries) - 1; !ok || e.size(n.leaf) > mostEntry || last >= 0 && bytes.Compare(n.entries[last].key, e.key) >= 0 {
			return nil, errNode
		}
		n.entries = append(n.entries, e)
	}
	if len(n.entries) == 0 {
		return nil, errNode
	}
	return n, nil
}

// find returns the index of a key in a leaf, or of the child in a branch that would have it.
func (n *node) find(key []byte) (i int, is bool) {
	i, is = slices.BinarySearchFunc(n.entries, key, func(e entry, key []byte) int { return bytes.Compare(e.key, key) })
	if !n.leaf && !is && i > 0 {
		i--
	}
	return i, is
}

func (t *tree) child(n *node, i int) (*node, error) {
	e := &n.entries[i]
	if e.child == nil {
		var err error
		if e.child, err = t.read(e.at); err != nil {
			return nil, err
		}
	}
	return e.child, nil
}

// get returns the value of a key, nil if there is none.
func (t *tree) get(key []byte) ([]byte, error) {
	n := t.root
	for range mostDepth {
		i, is := n.find(key)
		if n.leaf {
			if is {
				return n.entries[i].value, nil
			}
			return nil, nil
		}
		var err error
		if n, err = t.child(n, i); err != nil {
			return nil, err
		}
	}
	return nil, errNode
}

// ascend visits the keys from the given one on, in their order, as long as visit wants more.
func (t *tree) ascend(from []byte, visit func(key, value []byte) (more bool)) error {
	_, err := t.ascendIn(t.root, from, visit, 0)
	return err
}

func (t *tree) ascendIn(n *node, from []byte, visit func(key, value []byte) (more bool), depth int) (more bool, err error) {
	if depth > mostDepth {
		return false, errNode
	}
	i, _ := n.find(from)
	for ; i < len(n.entries); i++ {
		if n.leaf {
			if !visit(n.entries[i].key, n.entries[i].value) {
				return false, nil
			}
			continue
		}
		child := n.entries[i].child
		if child == nil { // not kept: it may be one of many
			if child, err = t.read(n.entries[i].at); err != nil {
				return false, err
			}
		}
		if more, err := t.ascendIn(child, from, visit, depth+1); !more || err != nil {
			return false, err
		}
	}
	return true, nil
}

// touch notes that a node is about to change: it will be written elsewhere.
func (t *tree) touch(n *node) error {
	at := n.at
	n.at = ref{}
	return t.disk.free(at)
}

// put sets the value of a key; it is not nil.
func (t *tree) put(key, value []byte) error {
	if err := t.putIn(t.root, key, value, 0); err != nil {
		return err
	}
	for t.root.size() > mostNode {
		t.root = &node{entries: t.root.split()}
	}
	return nil
}

func (t *tree) putIn(n *node, key, value []byte, depth int) error {
	if depth > mostDepth {
		return errNode
	}
	if err := t.touch(n); err != nil {
		return err
	}
	i, is := n.find(key)
	switch {
	case n.leaf && is:
		n.entries[i].value = value
		return nil
	case n.leaf:
		n.entries = slices.Insert(n.entries, i, entry{key: key, value: value})
		return nil
	}
	child, err := t.child(n, i)
	if err != nil {
		return err
	}
	if err := t.putIn(child, key, value, depth+1); err != nil {
		return err
	}
	if bytes.Compare(key, n.entries[i].key) < 0 {
		n.entries[i].key = key
	}
	if child.size() > mostNode {
		n.entries = slices.Replace(n.entries, i, i+1, child.split()...)
	}
	return nil
}

// split makes two nodes of about equal size out of one, and returns the branch's entries for them.
func (n *node) split() []entry {
	whole, left := n.size(), 1
	at, most := 1, whole
	for i := 1; i < len(n.entries); i++ {
		left += n.entries[i-1].size(n.leaf)
		if larger := max(left, whole-left); larger < most {
			at, most = i, larger
		}
	}
	second := &node{leaf: n.leaf, entries: slices.Clone(n.entries[at:])}
	n.entries = n.entries[:at:at]
	return []entry{{key: n.entries[0].key, child: n}, {key: second.entries[0].key, child: second}}
}

// remove removes a key that exists.
func (t *tree) remove(key []byte) error {
	if err := t.removeIn(t.root, key, 0); err != nil {
		return err
	}
	for !t.root.leaf && len(t.root.entries) == 1 {
		root, err := t.child(t.root, 0)
		if err != nil {
			return err
		}
		t.root = root
	}
	if len(t.root.entries) == 0 {
		t.root = &node{leaf: true}
	}
	return nil
}

func (t *tree) removeIn(n *node, key []byte, depth int) error {
	if depth > mostDepth {
		return errNode
	}
	if err := t.touch(n); err != nil {
		return err
	}
	i, is := n.find(key)
	if n.leaf {
		if !is {
			return errNode
		}
		n.entries = slices.Delete(n.entries, i, i+1)
		return nil
	}
	child, err := t.child(n, i)
	if err != nil {
		return err
	}
	if err := t.removeIn(child, key, depth+1); err != nil {
		return err
	}
	if len(child.entries) == 0 {
		n.entries = slices.Delete(n.entries, i, i+1)
		return nil
	}
	if child.size() > fewNode || len(n.entries) == 1 {
		return nil
	}
	if i == len(n.entries)-1 {
		i--
	}
	return t.join(n, i)
}

// join merges a child with the one after it, if they fit into one node.
func (t *tree) join(n *node, i int) error {
	a, err := t.child(n, i)
	if err != nil {
		return err
	}
	b, err := t.child(n, i+1)
	if err != nil {
		return err
	}
	if a.leaf != b.leaf {
		return errNode
	}
	if a.size()+b.size() > mostNode {
		return nil
	}
	if err := t.touch(a); err != nil {
		return err
	}
	if err := t.touch(b); err != nil {
		return err
	}
	a.entries = slices.Concat(a.entries, b.entries)
	n.entries = slices.Delete(n.entries, i+1, i+2)
	return nil
}

// write adds the changed nodes to the disk, and returns the root's place.
func (t *tree) write() (ref, error) {
	if len(t.root.entries) == 0 {
		return ref{}, nil
	}
	return t.writeNode(t.root)
}

func (t *tree) writeNode(n *node) (at ref, err error) {
	if n.at != (ref{}) {
		return n.at, nil
	}
	for i := range n.entries {
		if e := &n.entries[i]; e.child != nil {
			if e.at, err = t.writeNode(e.child); err != nil {
				return ref{}, err
			}
		}
	}
	return t.disk.add(n.encode())
}
