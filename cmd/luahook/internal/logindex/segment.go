package logindex

import (
	"bytes"
	"context"
	"io"
	"math"
	"slices"
	"sort"

	"github.com/luahook/luahook/engine/audit"
)

// segment holds the rows of a part of a file, as columns. It doesn't change any more once a view has it.
type segment struct {
	file       *audit.File
	key        string // of the file
	start, end int64  // of the part
	broken     int    // lines that are no records

	time     []int64
	place    []uint32 // of the line, from start
	verdict  []uint8  // kind, and decision from bit 4
	flags    []Flags
	who      []uint32
	what     []uint32
	rule     []uint32
	duration []uint32
	runs     []uint32 // where the row's runs end, in the columns of runs

	runKind         []uint32
	runDuration     []uint32
	runInstructions []uint32

	costRow []uint32 // rows with a cost, ascending
	cost    []Cost
}

func (s *segment) len() int { return len(s.time) }

func (s *segment) kind(i int) Kind         { return Kind(s.verdict[i] & 15) }
func (s *segment) decision(i int) Decision { return Decision(s.verdict[i] >> 4) }

// runsOf gives the bounds of a row's runs.
func (s *segment) runsOf(i int) (from, to uint32) {
	if i > 0 {
		from = s.runs[i-1]
	}
	return from, s.runs[i]
}

func (s *segment) row(i int, l *lists) Row {
	who, what := l.whos[s.who[i]], l.whats[s.what[i]]
	r := Row{
		Time: s.time[i], Kind: s.kind(i), Decision: s.decision(i), Flags: s.flags[i],
		Event: what.event, Session: who.session, Agent: who.agent, Host: who.host, Project: who.project,
		Tool: what.tool, Rule: ID(s.rule[i]), Hook: what.hook, Note: what.note, DurationUS: s.duration[i],
	}
	if from, to := s.runsOf(i); from < to {
		r.Runs = make([]Run, to-from)
		for k := range r.Runs {
			at := int(from) + k
			kind := &l.runs[s.runKind[at]]
			r.Runs[k] = Run{
				Hook: kind.hook, Source: kind.source, Scope: kind.scope, Failure: kind.failure, Status: kind.status,
				Decision: kind.decision, Flags: kind.flags, DurationUS: s.runDuration[at], Instructions: s.runInstructions[at],
			}
		}
	}
	if k, ok := slices.BinarySearch(s.costRow, uint32(i)); ok {
		cost := s.cost[k]
		r.Cost = &cost
	}
	return r
}

// find is the row whose line begins at a place of the file.
func (s *segment) find(at int64) (int, bool) {
	i := sort.Search(len(s.place), func(i int) bool { return s.start+int64(s.place[i]) >= at })
	return i, i < len(s.place) && s.start+int64(s.place[i]) == at
}

// add appends a record whose line begins at a place.
func (s *segment) add(t *tables, place uint32, r *record) {
	s.time = append(s.time, r.Time.UnixMilli())
	s.place = append(s.place, place)
	s.verdict = append(s.verdict, uint8(kindOf(r.Kind))|uint8(decisionOf(r.Decision))<<4)
	s.flags = append(s.flags, r.flags())
	s.who = append(s.who, t.whos.number(who{t.name(r.Session), t.name(r.Agent), t.name(r.Host), t.name(r.Project)}))
	s.what = append(s.what, t.whats.number(what{t.name(r.Event), t.name(r.Tool), t.name(r.Hook), t.name(r.Note)}))
	s.rule = append(s.rule, uint32(t.name(r.rule)))
	s.duration = append(s.duration, clamped(r.DurationUS))
	for i := range r.Runs {
		run := &r.Runs[i]
		s.runKind = append(s.runKind, t.runs.number(runKind{
			t.name(run.Hook), t.name(run.Source), t.name(run.Scope), t.name(run.failure()), statusOf(run.Status), decisionOf(run.Decision), run.flags(),
		}))
		s.runDuration = append(s.runDuration, clamped(run.DurationUS))
		s.runInstructions = append(s.runInstructions, clamped(run.Instructions))
	}
	s.runs = append(s.runs, uint32(len(s.runKind)))
	if cost := (Cost{r.Data.Cost.USD, r.Data.Cost.Tokens}); cost != (Cost{}) {
		s.costRow = append(s.costRow, uint32(len(s.time)-1))
		s.cost = append(s.cost, cost)
	}
}

func clamped(n int64) uint32 { return uint32(min(max(n, 0), math.MaxUint32)) }

// joined is one segment of two that follow one another in a file.
func joined(a, b *segment) *segment {
	s := &segment{
		file: a.file, key: a.key, start: a.start, end: b.end, broken: a.broken + b.broken,
		time: slices.Concat(a.time, b.time), place: slices.Concat(a.place, b.place), verdict: slices.Concat(a.verdict, b.verdict),
		flags: slices.Concat(a.flags, b.flags), who: slices.Concat(a.who, b.who), what: slices.Concat(a.what, b.what),
		rule: slices.Concat(a.rule, b.rule), duration: slices.Concat(a.duration, b.duration), runs: slices.Concat(a.runs, b.runs),
		runKind: slices.Concat(a.runKind, b.runKind), runDuration: slices.Concat(a.runDuration, b.runDuration),
		runInstructions: slices.Concat(a.runInstructions, b.runInstructions),
		costRow:         slices.Concat(a.costRow, b.costRow), cost: slices.Concat(a.cost, b.cost),
	}
	for i := a.len(); i < s.len(); i++ {
		s.place[i] += uint32(b.start - a.start)
		s.runs[i] += uint32(len(a.runKind))
	}
	for i := len(a.costRow); i < len(s.costRow); i++ {
		s.costRow[i] += uint32(a.len())
	}
	return s
}

// index reads a part of a file that begins with a line and ends with one.
func index(ctx context.Context, file *audit.File, key string, start, end int64, t *tables) (*segment, error) {
	s := &segment{file: file, key: key, start: start, end: end}
	local := newTables()
	var r record
	err := eachLine(ctx, file, start, end, func(line []byte, at int64) {
		switch {
		case line != nil && len(bytes.TrimSpace(line)) == 0:
		case line != nil && r.read(line):
			s.add(local, uint32(at-start), &r)
		default:
			s.broken++
		}
	})
	if err != nil {
		return nil, err
	}
	t.adopt(local, s)
	return s, nil
}

// readSize is how much of a file is read at once.
const readSize = 1 << 20

// eachLine passes the lines between two places of a file to take, each with its place; nil stands for a line that is
// longer than [audit.MaxLine]. A line is valid only during the call.
func eachLine(ctx context.Context, file io.ReaderAt, start, end int64, take func(line []byte, at int64)) error {
	buffer := make([]byte, min(readSize, end-start))
	kept := 0     // bytes at the beginning of buffer that belong to an unfinished line
	long := false // that line is too long; its bytes aren't kept
	lineAt := start
	for at := start; at < end; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := file.ReadAt(buffer[kept:kept+int(min(int64(len(buffer)-kept), end-at))], at)
		if n == 0 {
			return shortOr(err)
		}
		at += int64(n)
		rest := buffer[:kept+n]
		for {
			size := bytes.IndexByte(rest, '\n')
			if size < 0 {
				break
			}
			if long || size+1 > audit.MaxLine {
				take(nil, lineAt)
			} else {
				take(rest[:size], lineAt)
			}
			rest, long = rest[size+1:], false
			lineAt = at - int64(len(rest))
		}
		if long = long || len(rest) > audit.MaxLine; long {
			rest = nil
		}
		kept = copy(buffer, rest)
	}
	if long {
		take(nil, lineAt)
	} else if kept > 0 {
		take(buffer[:kept], lineAt)
	}
	return nil
}
