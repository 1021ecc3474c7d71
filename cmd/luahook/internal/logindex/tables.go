package logindex

import (
	"strings"
	"sync"
)

// maxName is how much of a name is kept, in bytes.
const maxName = 1 << 10

// who are the names that the records of a session share.
type who struct{ session, agent, host, project ID }

// what are the names that records of one kind share.
type what struct{ event, tool, hook, note ID }

// runKind is what runs of one hook that ended alike share.
type runKind struct {
	hook, source, scope, failure ID
	status                       Status
	decision                     Decision
	flags                        RunFlags
}

// numbered gives equal values one number, which is the value's place in list.
type numbered[T comparable] struct {
	list    []T
	numbers map[T]uint32
}

func (n *numbered[T]) number(v T) uint32 {
	if k, ok := n.numbers[v]; ok {
		return k
	}
	if n.numbers == nil {
		n.numbers = map[T]uint32{}
	}
	k := uint32(len(n.list))
	n.list = append(n.list, v)
	n.numbers[v] = k
	return k
}

// tables hold what rows refer to by number. They only grow.
type tables struct {
	mu    sync.RWMutex
	names numbered[string]
	whos  numbered[who]
	whats numbered[what]
	runs  numbered[runKind]
}

func newTables() *tables {
	t := &tables{}
	t.names.number("")
	return t
}

// name is the number of a name, which is copied where it is new.
func (t *tables) name(name string) ID {
	if name == "" {
		return 0
	}
	name = name[:min(len(name), maxName)]
	if k, ok := t.names.numbers[name]; ok {
		return ID(k)
	}
	return ID(t.names.number(strings.Clone(name)))
}

// adopt takes over segments whose numbers are those of other tables, which nobody else uses.
func (t *tables) adopt(local *tables, segs ...*segment) {
	t.mu.Lock()
	names := make([]ID, len(local.names.list))
	for i, name := range local.names.list {
		names[i] = ID(t.names.number(name))
	}
	whos := make([]uint32, len(local.whos.list))
	for i, w := range local.whos.list {
		whos[i] = t.whos.number(who{names[w.session], names[w.agent], names[w.host], names[w.project]})
	}
	whats := make([]uint32, len(local.whats.list))
	for i, w := range local.whats.list {
		whats[i] = t.whats.number(what{names[w.event], names[w.tool], names[w.hook], names[w.note]})
	}
	runs := make([]uint32, len(local.runs.list))
	for i, r := range local.runs.list {
		r.hook, r.source, r.scope, r.failure = names[r.hook], names[r.source], names[r.scope], names[r.failure]
		runs[i] = t.runs.number(r)
	}
	t.mu.Unlock()
	for _, s := range segs {
		for i := range s.who {
			s.who[i], s.what[i], s.rule[i] = whos[s.who[i]], whats[s.what[i]], uint32(names[s.rule[i]])
		}
		for i := range s.runKind {
			s.runKind[i] = runs[s.runKind[i]]
		}
	}
}

// lists are the tables at one moment.
type lists struct {
	names []string
	whos  []who
	whats []what
	runs  []runKind
}

func (t *tables) now() lists {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return lists{t.names.list, t.whos.list, t.whats.list, t.runs.list}
}

func (t *tables) find(name string) (ID, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	k, ok := t.names.numbers[name[:min(len(name), maxName)]]
	return ID(k), ok
}
