package logindex

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
)

// An index file is what is known of a file of the log. It holds, in little endian: magic, with the version of the
// format; the file's key; where the covered part ends, and the hash of what stands before that; the segments; names,
// whos, whats and kinds of runs, as far as the segments use them; the checksum of all that.
const magic = "luahook index 1\n"

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// kept is what an index file says.
type kept struct {
	end    int64
	tail   [32]byte
	segs   []*segment // one after the other, from the file's beginning
	tables *tables    // that the segments refer to
}

// renumbered gives those elements of a table that are used numbers of their own.
type renumbered[T any] struct {
	numbers []uint32 // by those of the table, one more than the new number; 0: not used yet
	take    func(k uint32) T
	list    []T
}

func (r *renumbered[T]) number(k uint32) uint32 {
	if r.numbers[k] == 0 {
		v := r.take(k)
		r.list = append(r.list, v)
		r.numbers[k] = uint32(len(r.list))
	}
	return r.numbers[k] - 1
}

// encoded is the index file of segments that follow one another from a file's beginning.
func encoded(key string, end int64, tail [32]byte, segs []*segment, l lists) []byte {
	names := renumbered[string]{numbers: make([]uint32, len(l.names)), take: func(k uint32) string { return l.names[k] }}
	name := func(id ID) ID { return ID(names.number(uint32(id))) }
	whos := renumbered[who]{numbers: make([]uint32, len(l.whos)), take: func(k uint32) who {
		w := l.whos[k]
		return who{name(w.session), name(w.agent), name(w.host), name(w.project)}
	}}
	whats := renumbered[what]{numbers: make([]uint32, len(l.whats)), take: func(k uint32) what {
		w := l.whats[k]
		return what{name(w.event), name(w.tool), name(w.hook), name(w.note)}
	}}
	runs := renumbered[runKind]{numbers: make([]uint32, len(l.runs)), take: func(k uint32) runKind {
		r := l.runs[k]
		r.hook, r.source, r.scope, r.failure = name(r.hook), name(r.source), name(r.scope), name(r.failure)
		return r
	}}
	name(0)

	size := 1 << 10
	for _, s := range segs {
		size += 40 + 34*s.len() + 12*len(s.runKind) + 20*len(s.cost)
	}
	b := make([]byte, 0, size)
	u32 := func(n uint32) { b = binary.LittleEndian.AppendUint32(b, n) }
	u64 := func(n uint64) { b = binary.LittleEndian.AppendUint64(b, n) }
	column := func(list []uint32, number func(uint32) uint32) {
		for _, n := range list {
			if number != nil {
				n = number(n)
			}
			b = binary.LittleEndian.AppendUint32(b, n)
		}
	}
	b = append(append(b, magic...), key...)
	u64(uint64(end))
	b = append(b, tail[:]...)
	u32(uint32(len(segs)))
	for _, s := range segs {
		u64(uint64(s.start))
		u64(uint64(s.end))
		u64(uint64(s.broken))
		u32(uint32(s.len()))
		u32(uint32(len(s.runKind)))
		u32(uint32(len(s.cost)))
		for _, t := range s.time {
			u64(uint64(t))
		}
		column(s.place, nil)
		b = append(b, s.verdict...)
		for _, f := range s.flags {
			b = append(b, byte(f))
		}
		column(s.who, whos.number)
		column(s.what, whats.number)
		column(s.rule, names.number)
		column(s.duration, nil)
		column(s.runs, nil)
		column(s.runKind, runs.number)
		column(s.runDuration, nil)
		column(s.runInstructions, nil)
		column(s.costRow, nil)
		for _, c := range s.cost {
			u64(math.Float64bits(c.USD))
			u64(uint64(c.Tokens))
		}
	}
	u32(uint32(len(whos.list)))
	for _, w := range whos.list {
		column([]uint32{uint32(w.session), uint32(w.agent), uint32(w.host), uint32(w.project)}, nil)
	}
	u32(uint32(len(whats.list)))
	for _, w := range whats.list {
		column([]uint32{uint32(w.event), uint32(w.tool), uint32(w.hook), uint32(w.note)}, nil)
	}
	u32(uint32(len(runs.list)))
	for _, r := range runs.list {
		column([]uint32{uint32(r.hook), uint32(r.source), uint32(r.scope), uint32(r.failure)}, nil)
		b = append(b, byte(r.status), byte(r.decision), byte(r.flags))
	}
	u32(uint32(len(names.list)))
	for _, n := range names.list {
		u32(uint32(len(n)))
		b = append(b, n...)
	}
	u32(checksum(b))
	return b
}

// decoded reads an index file; ok is false unless all of it is as encoded writes it.
func decoded(b []byte, key string) (k *kept, ok bool) {
	const head = len(magic) + 16 + 8 + 32 + 4
	if len(b) < head+4 || string(b[:len(magic)]) != magic || string(b[len(magic):len(magic)+16]) != key {
		return nil, false
	}
	if n := len(b) - 4; checksum(b[:n]) != binary.LittleEndian.Uint32(b[n:]) {
		return nil, false
	}
	r := &reading{rest: b[len(magic)+16 : len(b)-4]}
	k = &kept{end: int64(r.u64())}
	copy(k.tail[:], r.take(32, 1))
	at := int64(0)
	for range r.count(44) {
		s := r.segment()
		if r.failed || s.start != at || s.end <= at {
			return nil, false
		}
		at = s.end
		k.segs = append(k.segs, s)
	}
	t := &tables{}
	for range r.count(16) {
		t.whos.list = append(t.whos.list, who{r.id(), r.id(), r.id(), r.id()})
	}
	for range r.count(16) {
		t.whats.list = append(t.whats.list, what{r.id(), r.id(), r.id(), r.id()})
	}
	for range r.count(19) {
		kind := runKind{hook: r.id(), source: r.id(), scope: r.id(), failure: r.id()}
		if rest := r.take(3, 1); rest != nil {
			kind.status, kind.decision, kind.flags = Status(rest[0]), Decision(rest[1]), RunFlags(rest[2])
		}
		t.runs.list = append(t.runs.list, kind)
	}
	for range r.count(4) {
		t.names.list = append(t.names.list, string(r.take(r.u32(), 1)))
	}
	k.tables = t
	return k, !r.failed && len(r.rest) == 0 && at == k.end && k.refersWell()
}

// refersWell reports whether all numbers are those of something.
func (k *kept) refersWell() bool {
	t := k.tables
	names := uint32(len(t.names.list))
	if names == 0 || t.names.list[0] != "" {
		return false
	}
	for _, name := range t.names.list {
		if len(name) > maxName {
			return false
		}
	}
	for _, w := range t.whos.list {
		if uint32(max(w.session, w.agent, w.host, w.project)) >= names {
			return false
		}
	}
	for _, w := range t.whats.list {
		if uint32(max(w.event, w.tool, w.hook, w.note)) >= names {
			return false
		}
	}
	for _, r := range t.runs.list {
		if uint32(max(r.hook, r.source, r.scope, r.failure)) >= names {
			return false
		}
	}
	for _, s := range k.segs {
		if !below(s.who, len(t.whos.list)) || !below(s.what, len(t.whats.list)) || !below(s.rule, len(t.names.list)) ||
			!below(s.runKind, len(t.runs.list)) || !below(s.costRow, s.len()) || !ascends(s.costRow) || !ascends(s.place) ||
			!slices.IsSorted(s.runs) || s.len() > 0 && (int(s.runs[s.len()-1]) != len(s.runKind) || s.start+int64(s.place[s.len()-1]) >= s.end) ||
			s.len() == 0 && len(s.runKind) > 0 {
			return false
		}
	}
	return true
}

func below(list []uint32, n int) bool {
	for _, k := range list {
		if int64(k) >= int64(n) {
			return false
		}
	}
	return true
}

func ascends(list []uint32) bool {
	for i := 1; i < len(list); i++ {
		if list[i] <= list[i-1] {
			return false
		}
	}
	return true
}

// reading takes numbers from the beginning of a text. It has failed once the text was too short, and gives zeros then.
type reading struct {
	rest   []byte
	failed bool
}

// take takes n elements of size bytes; none if there aren't as many.
func (r *reading) take(n uint32, size int) []byte {
	if r.failed || int64(n)*int64(size) > int64(len(r.rest)) {
		r.failed = true
		return nil
	}
	head := r.rest[:int(n)*size]
	r.rest = r.rest[len(head):]
	return head
}

func (r *reading) u32() uint32 {
	if b := r.take(4, 1); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *reading) u64() uint64 {
	if b := r.take(8, 1); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (r *reading) id() ID { return ID(r.u32()) }

// count is a number of elements of at least so many bytes; 0 if there can't be as many.
func (r *reading) count(size int) int {
	n := int64(r.u32())
	if n*int64(size) > int64(len(r.rest)) {
		r.failed = true
		return 0
	}
	return int(n)
}

func (r *reading) column(n uint32) []uint32 {
	b := r.take(n, 4)
	list := make([]uint32, len(b)/4)
	for i := range list {
		list[i] = binary.LittleEndian.Uint32(b[4*i:])
	}
	return list
}

func (r *reading) segment() *segment {
	s := &segment{start: int64(r.u64()), end: int64(r.u64()), broken: int(r.u64())}
	rows, runs, costs := r.u32(), r.u32(), r.u32()
	if s.broken < 0 {
		r.failed = true
	}
	times := r.take(rows, 8)
	s.time = make([]int64, len(times)/8)
	for i := range s.time {
		s.time[i] = int64(binary.LittleEndian.Uint64(times[8*i:]))
	}
	s.place = r.column(rows)
	s.verdict = slices.Clone(r.take(rows, 1))
	flags := r.take(rows, 1)
	s.flags = make([]Flags, len(flags))
	for i, f := range flags {
		s.flags[i] = Flags(f)
	}
	s.who, s.what, s.rule = r.column(rows), r.column(rows), r.column(rows)
	s.duration, s.runs = r.column(rows), r.column(rows)
	s.runKind, s.runDuration, s.runInstructions = r.column(runs), r.column(runs), r.column(runs)
	s.costRow = r.column(costs)
	s.cost = make([]Cost, len(s.costRow))
	for i := range s.cost {
		s.cost[i] = Cost{math.Float64frombits(r.u64()), int64(r.u64())}
	}
	return s
}
