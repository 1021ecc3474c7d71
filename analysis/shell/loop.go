package shell

import (
	"hash/maphash"
	"slices"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxRounds is how many rounds of loops over known words are walked one by one
// in a line. Behind them, a loop is walked once, with a variable that isn't
// known.
const maxRounds = 256

// loop is one under way.
type loop struct {
	mark  int      // of the environment where it began
	exits []branch // what had changed at each break and continue
	read  reading  // what read has met on its input
}

// reading is how the last read of a loop's condition ended.
type reading int

const (
	nothingRead reading = iota
	lineRead
	endRead
)

// beginLoop starts a loop, and end joins the ways out of it.
func (w *walker) beginLoop() *loop {
	l := &loop{mark: w.env.mark()}
	w.loops = append(w.loops, l)
	return l
}

func (w *walker) endLoop(l *loop) {
	w.loops = w.loops[:len(w.loops)-1]
	if len(l.exits) > 0 {
		w.env.join(append(l.exits, w.env.takeBack(l.mark))...)
	}
}

// breakLoop is break or continue.
func (w *walker) breakLoop() {
	if len(w.loops) == 0 {
		return
	}
	for _, l := range w.loops { // break may name an outer one
		l.exit(w)
	}
	w.env.setEnded()
}

// exit notes a way out of the loop.
func (l *loop) exit(w *walker) {
	l.exits = withExit(l.exits, w.env.changesSince(l.mark))
}

// withExit adds a way out. Of those beyond maxItems only is kept which names
// they change.
func withExit(exits []branch, b branch) []branch {
	if len(exits) < maxItems {
		return append(exits, b)
	}
	last := slices.Clone(exits[maxItems-1])
	for _, c := range b {
		i := slices.IndexFunc(last, func(have change) bool { return have.name == c.name })
		if i < 0 {
			last = append(last, change{name: c.name})
		} else {
			last[i].items = nil
		}
	}
	exits[maxItems-1] = last
	return exits
}

func (w *walker) while(c *syntax.WhileClause, s *scope) {
	if isEndless(c) {
		inner := *s
		inner.uncertain-- // it's reached for sure
		w.endlessLoop(func() { w.whileRounds(c, &inner) })
		return
	}
	w.whileRounds(c, s)
}

// whileRounds walks a while loop that may end.
func (w *walker) whileRounds(c *syntax.WhileClause, s *scope) {
	l := w.beginLoop()
	defer w.endLoop(l)
	before, start := w.env.mark(), w.position()
	var seen repeats
	w.stmts(c.Cond, s)
	if l.read != nothingRead && !s.input.Dynamic && w.eachLine(c, s, l, &seen, &start) {
		return
	}
	w.round(c.Do, s)
	seen.dropRepeated(w, start)
	changes := w.env.takeBack(before).without(name{kind: ended})
	w.laterRounds(changes, func() {
		w.stmts(c.Cond, s)
		w.round(c.Do, s)
	}, &seen)
	w.env.join(distinct([]branch{nil, changes})...)
}

// laterRounds walks a loop's body for all rounds but the first, with what the first
// changed unknown.
func (w *walker) laterRounds(changes branch, body func(), seen *repeats) {
	changed := false
	for i := range changes {
		if c := &changes[i]; !w.isUnchanged(c.name, c.items) {
			changed = true
			c.items = nil
		}
	}
	if !changed {
		return
	}
	if !w.spend(roundCost) {
		return
	}
	mark, start := w.env.mark(), w.position()
	w.env.apply(changes)
	body()
	seen.dropRepeated(w, start)
	w.env.rollback(mark)
}

// isUnchanged reports whether a name stands for the same after a round as before.
func (w *walker) isUnchanged(n name, items []*binding) bool {
	before := w.env.get(n)
	if len(before) != len(items) || len(items) == 0 {
		return len(before) == len(items)
	}
	for i := range items {
		if !items[i].same(before[i]) {
			return false
		}
	}
	return true
}

// round walks a loop's body once. continue may end it early.
func (w *walker) round(body []*syntax.Stmt, s *scope) {
	inner := *s
	inner.flow = s.flow.inner(nil)
	w.stmts(body, &inner)
}

// eachLine walks a loop such as while read x, once for each line of a known
// input. The condition has been walked, from start. It returns false for the
// first round that isn't known.
func (w *walker) eachLine(c *syntax.WhileClause, s *scope, l *loop, seen *repeats, start *position) bool {
	for l.read == lineRead {
		if w.rounds++; w.rounds > maxRounds || !w.spend(roundCost) {
			return false
		}
		if !onlyReads(c.Cond) { // it may end with any line
			l.exit(w)
		}
		w.round(c.Do, s)
		seen.dropRepeated(w, *start)
		if w.line.TooComplex {
			return true
		}
		*start, l.read = w.position(), nothingRead
		w.stmts(c.Cond, s)
	}
	return true
}

// onlyReads reports whether a condition is a simple command.
func onlyReads(condition []*syntax.Stmt) bool {
	if len(condition) != 1 || condition[0].Negated {
		return false
	}
	_, ok := condition[0].Cmd.(*syntax.CallExpr)
	return ok
}

func (w *walker) forLoop(c *syntax.ForClause, outer, s *scope) {
	switch l := c.Loop.(type) {
	case *syntax.WordIter:
		w.eachChoice(func() { w.forWords(c, l, outer, s) })
	case *syntax.CStyleLoop:
		w.number(l.Init, outer)
		w.number(l.Cond, outer)
		rounds := func(s *scope) { w.anyRound(c, s, func() {}, func() { w.number(l.Post, outer) }) }
		if value, ok := constantNumber(l.Cond); l.Cond == nil || ok && value {
			inner := *s
			inner.uncertain--
			w.endlessLoop(func() { rounds(&inner) })
			return
		}
		rounds(s)
	}
}

func (w *walker) forWords(c *syntax.ForClause, l *syntax.WordIter, outer, s *scope) {
	var words []argument
	known := true
	if l.InPos.IsValid() {
		words = w.words(l.Items, outer)
	} else {
		words, known = w.elementsOf("@")
	}
	if !known || len(words) == 0 || c.Select || w.rounds+len(words) > maxRounds {
		w.anyRound(c, s, func() { w.assign(l.Name.Value, nil) }, func() {})
		return
	}
	w.rounds += len(words)
	under := w.beginLoop()
	defer w.endLoop(under)
	var seen repeats
	for _, word := range words {
		if !w.spend(roundCost) {
			return
		}
		start := w.position()
		if word.Glob { // it stands for the files that it matches
			word = word.marked(word.Text)
			if i := strings.IndexAny(word.Text, "*?["); i >= 0 {
				word.lead = word.Text[:i]
			}
		}
		w.assign(l.Name.Value, &binding{word: word})
		w.env.set(name{kind: ended})
		w.round(c.Do, s)
		seen.dropRepeated(w, start)
		if w.line.TooComplex {
			return
		}
	}
}

// anyRound walks a loop of which the rounds aren't known.
func (w *walker) anyRound(c *syntax.ForClause, s *scope, before, after func()) {
	l := w.beginLoop()
	defer w.endLoop(l)
	var seen repeats
	mark, start := w.env.mark(), w.position()
	round := func() {
		before()
		w.round(c.Do, s)
		after()
	}
	round()
	seen.dropRepeated(w, start)
	changes := w.env.takeBack(mark).without(name{kind: ended})
	w.laterRounds(changes, round, &seen)
	w.env.join(distinct([]branch{nil, changes})...)
}

// endlessLoop is a loop without end under way, or what hides one: a
// background statement, whose own commands don't hold up the loop.
type endlessLoop struct {
	started []*Command // in the background, and not waited for so far
	orphans []*Command // the same, of a shell of their own, so that no wait waits for them
	waits   bool       // something in it takes its time, or ends it
	cut     bool       // what follows in it isn't reached
	hidden  bool
}

// endlessLoop walks a loop that has no end, and says of what it starts in the
// background and never waits for that it multiplies.
func (w *walker) endlessLoop(run func()) {
	m := &endlessLoop{}
	w.endlessLoops = append(w.endlessLoops, m)
	run()
	w.endlessLoops = w.endlessLoops[:len(w.endlessLoops)-1]
	if m.waits {
		return
	}
	for _, c := range append(m.started, m.orphans...) {
		c.Multiplies = true
	}
}

// inBackground walks a statement in the background.
func (w *walker) inBackground(s *scope, run func()) {
	n := len(w.endlessLoops)
	if n == 0 || w.endlessLoops[n-1].hidden || w.endlessLoops[n-1].cut || s.unreached {
		run()
		return
	}
	m := w.endlessLoops[n-1]
	w.endlessLoops = append(w.endlessLoops, &endlessLoop{hidden: true})
	count := len(w.line.Commands)
	run()
	w.endlessLoops = w.endlessLoops[:n]
	switch {
	case len(w.line.Commands) == count:
	case ownShell(s.context):
		m.orphans = append(m.orphans, w.line.Commands[count])
	default:
		m.started = append(m.started, w.line.Commands[count])
	}
}

// noteInLoop notes what a command means for the loop that it's in.
func (w *walker) noteInLoop(c *Command, words []argument, s *scope) {
	n := len(w.endlessLoops)
	if n == 0 || w.endlessLoops[n-1].hidden || w.endlessLoops[n-1].cut || s.unreached {
		return
	}
	switch m := w.endlessLoops[n-1]; c.Name {
	case "wait":
		if !ownShell(s.context) { // a shell waits for its own children only
			m.started = nil
		}
	case "continue":
		m.cut = s.context == "loop"
	case "exec":
		m.waits = m.waits || len(c.Args) > 0
	case "sleep", "usleep":
		m.waits = m.waits || len(words) != 2 || strings.Trim(words[1].Text, "0.smhd") != ""
	case "read", "break", "exit", "return", "inotifywait", "fswatch", "nc", "ncat", "socat":
		m.waits = true
	}
}

// ownShell reports whether what stands there is run by a shell of its own.
func ownShell(context string) bool {
	return context == "subshell" || context == "pipe" || context == "substitution"
}

// isEndless reports whether the condition of a while, or of an until, never
// changes and lets the loop go on.
func isEndless(c *syntax.WhileClause) bool {
	if len(c.Cond) != 1 {
		return false
	}
	value, ok := constant(c.Cond[0])
	return ok && value != c.Until
}

// constant is whether a condition always succeeds or always fails, if it's one
// of those that do.
func constant(stmt *syntax.Stmt) (value, ok bool) {
	if stmt.Background || stmt.Coprocess || len(stmt.Redirs) > 0 {
		return false, false
	}
	switch cmd := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		value, ok = constantCall(cmd)
	case *syntax.BinaryCmd:
		if cmd.Op == syntax.AndStmt || cmd.Op == syntax.OrStmt {
			value, ok = constant(cmd.X)
			value, ok = constantList(value, ok, cmd)
		}
	case *syntax.ArithmCmd:
		value, ok = constantNumber(cmd.X)
	case *syntax.TestClause:
		switch x := cmd.X.(type) {
		case *syntax.Word:
			value, ok = true, x.Lit() != ""
		case *syntax.BinaryTest:
			left, _ := x.X.(*syntax.Word)
			right, _ := x.Y.(*syntax.Word)
			if left != nil && right != nil && left.Lit() != "" && right.Lit() != "" {
				value, ok = compareConstants(left.Lit(), x.Op.String(), right.Lit())
			}
		}
	}
	return value != stmt.Negated, ok
}

// constantList is constant of a list with && or ||, of whose left side it is known already.
func constantList(left, known bool, list *syntax.BinaryCmd) (value, ok bool) {
	if known && left == (list.Op == syntax.AndStmt) {
		return constant(list.Y)
	}
	return left, known
}

// compareConstants is what a comparison of two constant words yields.
func compareConstants(left, op, right string) (value, ok bool) {
	switch op {
	case "=", "==", "-eq":
		return left == right, true
	case "!=", "-ne":
		return left != right, true
	}
	return false, false
}

// constantNumber is whether a constant expression isn't 0.
func constantNumber(x syntax.ArithmExpr) (value, ok bool) {
	if b, is := x.(*syntax.BinaryArithm); is {
		left, _ := b.X.(*syntax.Word)
		right, _ := b.Y.(*syntax.Word)
		if left == nil || right == nil || !isNumber(left.Lit()) || !isNumber(right.Lit()) {
			return false, false
		}
		return compareConstants(left.Lit(), b.Op.String(), right.Lit())
	}
	word, ok := x.(*syntax.Word)
	if !ok {
		return false, false
	}
	n, ok := integer(word.Lit())
	return n != 0, ok
}

func constantCall(call *syntax.CallExpr) (value, ok bool) {
	words := make([]string, len(call.Args))
	for i, word := range call.Args {
		if words[i] = word.Lit(); words[i] == "" {
			return false, false
		}
	}
	if len(words) == 0 || len(call.Assigns) > 0 {
		return false, false
	}
	name, rest := words[0], words[1:]
	switch baseName(name) {
	case "true", ":", "echo", "printf":
		return true, true
	case "false":
		return false, true
	case "[":
		if len(rest) == 0 || rest[len(rest)-1] != "]" {
			return false, false
		}
		rest = rest[:len(rest)-1]
	case "test":
	default:
		return false, false
	}
	switch {
	case len(rest) == 1:
		return true, true
	case len(rest) == 3:
		return compareConstants(rest[0], rest[1], rest[2])
	}
	return false, false
}

func isNumber(text string) bool {
	_, ok := integer(text)
	return ok
}

// position is how far the walk has come.
type position struct{ commands, pipes, tests int }

func (w *walker) position() position {
	return position{len(w.line.Commands), w.pipes, len(w.fileTests)}
}

// repeats remembers what the rounds of a loop have reported. What a round does
// exactly as one before it isn't worth saying twice.
type repeats struct {
	seed maphash.Seed
	seen map[uint64][]*Command
}

// dropRepeated takes back what was reported since start, if a round did so before.
func (r *repeats) dropRepeated(w *walker, start position) {
	round := w.line.Commands[start.commands:]
	if len(round) == 0 {
		return
	}
	if r.seen == nil {
		r.seed, r.seen = maphash.MakeSeed(), map[uint64][]*Command{}
	}
	var h maphash.Hash
	h.SetSeed(r.seed)
	for _, c := range round {
		c.hash(&h, start.pipes)
	}
	for _, test := range w.fileTests[start.tests:] {
		h.WriteString(test.path.Text)
		h.WriteString(strconv.FormatBool(test.known))
	}
	sum := h.Sum64()
	kept := r.seen[sum]
	if kept == nil {
		r.seen[sum] = slices.Clone(round)
		return
	}
	if w.duplicates == nil {
		w.duplicates = map[*Command]*Command{}
	}
	for i, c := range round {
		w.duplicates[c] = kept[i]
	}
	clear(round)
	w.line.Commands, w.pipes = w.line.Commands[:start.commands], start.pipes
}

// repointDuplicates lets what points at a command that was taken back point at the one that
// was kept.
func (w *walker) repointDuplicates() {
	if len(w.duplicates) == 0 {
		return
	}
	for _, c := range w.line.Commands {
		c.Parent, c.Block = w.original(c.Parent), w.original(c.Block)
		c.From = w.originals(c.From)
		if c.Input != nil {
			c.Input.From = w.originals(c.Input.From)
		}
	}
}

func (w *walker) original(c *Command) *Command {
	for w.duplicates[c] != nil {
		c = w.duplicates[c]
	}
	return c
}

func (w *walker) originals(from []*Command) []*Command {
	var kept []*Command
	for _, c := range from {
		kept = mergeCommands(kept, []*Command{w.original(c)})
	}
	return kept
}

func (c *Command) hash(h *maphash.Hash, pipes int) {
	text := func(s string) {
		h.WriteString(s)
		h.WriteByte(0)
	}
	word := func(x Word) {
		text(x.Text)
		for _, flag := range []bool{x.Dynamic, x.Quoted, x.Glob, x.Home} {
			if flag {
				h.WriteByte(1)
			}
			h.WriteByte(2)
		}
	}
	text(c.Path)
	text(c.Context)
	text(strconv.FormatBool(c.NameDynamic))
	for _, via := range c.Via {
		text(via)
	}
	for _, arg := range c.Args {
		word(arg)
	}
	for _, a := range c.Assignments {
		text(a.Name)
		word(a.Value)
	}
	for _, r := range c.Redirects {
		text(r.Op)
		word(r.Target)
		text(r.Body)
	}
	word(c.Dir)
	if c.Input != nil {
		text(c.Input.Text)
	}
	text(strconv.Itoa(max(0, c.Pipe-pipes)))
	text(strconv.Itoa(c.Line<<16 + c.Column))
}
