package shell

import (
	"hash/maphash"
	"slices"
	"sort"
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// walker collects the commands of one line.
type walker struct {
	line    *Line
	options Options
	work    int // what is left of maxWork
	pipes   int // pipelines met so far

	env       *environment
	instead   map[*Command]*Command // what stands for commands that were taken back
	files     map[string]*written   // what the line has written so far, by path
	programs  map[string]argument   // what the line has copied or linked, by the path that it has now
	functions []*frame              // calls under way
	shells    []process             // shells under way that may have traps
	bodies    []*body               // functions that were defined
	named     map[string]bool       // the aliases that were defined
	aliases   []string              // aliases under way

	parser      *syntax.Parser // one for all texts, nil while it's at work
	commands    []Command      // for the commands to come
	spare       []argument     // for the words of commands
	chunk       int            // how many of them are made at once
	choices     []choice
	choosing    bool
	hashes      bool // hash -p was used
	descriptors int  // how many the shell has chosen a number for
	opened      bool // exec has changed a descriptor
	captured    bool // what is walked is for a capture
	both        map[*syntax.ParamExp][]*binding
	attributes  map[string]attribute // of variables that don't keep what is assigned to them
	written     argument             // the value of the last assignment, as it's written
	loops       []*loop              // loops under way
	rounds      int                  // of loops over known words
	multiplying []*multiplication    // loops without end under way

	gitSettings []gitSetting // what git config keeps for later commands
}

// scope is where a statement stands. Who changes something changes a copy, so
// that it ends with the statement.
type scope struct {
	source  string // the text that the syntax tree's positions are in
	nested  bool   // source is not the text given to Parse, but stands at at
	at      place
	lines   *lineStart
	context string
	pipe    int
	via     []string
	depth   int // of wrappers and nested texts

	parent   *Command          // what runs the command
	remote   bool              // the command runs on another machine
	external bool              // the name is that of a program, not of a function, an alias or a builtin
	cleared  bool              // the environment isn't passed on, or it isn't known which part
	unset    []string          // variables that aren't passed on
	moves    []argument        // where wrappers go before, each seen from the one before
	assigned []Assignment      // what wrappers set for the command
	shared   []Redirect        // what wrappers redirected for the command
	fds      map[int]*argument // what other descriptors read
	input    *argument         // what is known to be on standard input; nil: nothing is
	out      *capture          // what is written to standard output is kept there; nil: nobody asks
	outs     map[int]*capture  // the same for other descriptors
	mark     string            // what xargs or find replaces in the command; "" for nothing
	decoded  []*Command        // what has decoded the text that is walked, which is known for all that
	forks    int               // processes that go on at the same time as the one that started them
	maybes   int               // branches, loops and lists around it, where it may not be reached
	walked   []string          // sources of what isn't known, in the text that is walked
	status   status            // what becomes of the exit status
}

// through returns the scope of what is reached from s through a wrapper.
func (s scope) through(via string) scope {
	s.via = append(s.via[:len(s.via):len(s.via)], via)
	s.depth++
	s.status = s.status.through(via)
	return s
}

func (s *scope) place(pos syntax.Pos) place {
	if s.nested || !pos.IsValid() {
		return s.at
	}
	at := place{int(pos.Line()), int(pos.Col())}
	if offset := int(pos.Offset()); at.column == 0 && offset <= len(s.source) {
		// The parser gives up on columns that don't fit its positions.
		at.column = 1 + offset - s.lines.before(s.source, offset)
	}
	return at
}

// seen reports whether node is a part of a text that is expanded before the
// text is read, so that it was met where the text stands.
func (s *scope) seen(node syntax.Node) bool {
	if len(s.walked) == 0 {
		return false
	}
	return slices.Contains(s.walked, slice(s.source, node))
}

// spend takes n from what may still be worked on.
func (w *walker) spend(n int) bool {
	if w.work -= n; w.work < 0 {
		w.line.TooComplex = true
	}
	return w.work >= 0
}

// add reports a command in s, unless there are too many.
func (w *walker) add(c *Command, s *scope) bool {
	if len(w.line.Commands) == maxCommands || s.depth > maxDepth || !w.spend(commandCost) {
		w.line.TooComplex = true
		return false
	}
	c.Context, c.Pipe, c.Via = s.context, s.pipe, s.via
	c.Parent, c.Remote = s.parent, s.remote
	c.Decides = s.status.decides()
	c.Dir = w.dir(s).Word
	if len(c.From) == 0 {
		c.From = s.decoded
	}
	if s.input != nil {
		c.Input = &Input{Text: s.input.rest(), Dynamic: s.input.Dynamic, From: s.input.from}
	}
	w.line.Commands = append(w.line.Commands, c)
	return true
}

func (w *walker) stmts(list []*syntax.Stmt, s *scope) {
	inner := *s
	for i, stmt := range list {
		if w.line.TooComplex {
			return
		}
		inner.status = s.status.of(list, i)
		w.stmt(stmt, &inner)
		s.status.set(stmt)
	}
}

func (w *walker) stmt(stmt *syntax.Stmt, s *scope) {
	if stmt == nil || w.line.TooComplex {
		return
	}
	if stmt.Negated && !s.status.hidden {
		inner := *s
		inner.status.hidden = true
		s = &inner
	}
	if stmt.Background || stmt.Coprocess || stmt.Disown {
		inner := *s
		inner.status.hidden = true
		inner.context = "background"
		inner.forks++
		w.behind(func() { w.subshell(func() { w.command(stmt, &inner) }) })
		return
	}
	w.command(stmt, s)
}

// command walks a statement with its redirections.
func (w *walker) command(stmt *syntax.Stmt, s *scope) {
	switch stmt.Cmd.(type) {
	case *syntax.CallExpr, *syntax.DeclClause, *syntax.LetClause, nil:
	default:
		if len(stmt.Redirs) == 0 {
			if w.spend(compoundCost) {
				w.compound(stmt.Cmd, s)
			}
			return
		}
	}
	if w.opened && s.input == nil {
		inner := *s
		inner.input = w.descriptor(0, s)
		s = &inner
	}
	w.each(func() {
		if len(stmt.Redirs) == 0 {
			w.simple(stmt, nil, s)
			return
		}
		inner := *s
		redirects := w.redirects(stmt.Redirs, &inner)
		if stmt.Cmd == nil {
			if s.out != nil {
				s.out.unknown = true // as $(<file) writes what is in it
			}
			w.bare(redirects, stmt.Position, s)
			return
		}
		target := w.target(redirects, &inner)
		w.simple(stmt, redirects, &inner)
		if target != nil {
			w.write(target, &inner)
		}
	})
}

// bare reports redirections without a command.
func (w *walker) bare(redirects []Redirect, pos syntax.Pos, s *scope) {
	at := s.place(pos)
	w.add(&Command{Redirects: redirects, Line: at.line, Column: at.column}, s)
}

func (w *walker) simple(stmt *syntax.Stmt, redirects []Redirect, s *scope) {
	switch command := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		w.call(command, redirects, s)
	case *syntax.DeclClause:
		args := w.declaration(command, s)
		w.runWith(append([]argument{literal(command.Variant.Value, s.place(command.Variant.Pos()))}, args...), nil, redirects, s)
	case *syntax.LetClause:
		args := []argument{literal("let", s.place(command.Let))}
		for _, expr := range command.Exprs {
			source := slice(s.source, expr)
			arg := literal(source, s.place(expr.Pos()))
			arg.Dynamic = strings.Contains(source, "$")
			args = append(args, arg)
			w.number(expr, s)
		}
		w.runWith(args, nil, redirects, s)
	default:
		w.bare(redirects, stmt.Position, s)
		w.compound(command, s)
	}
}

// call walks a simple command.
func (w *walker) call(call *syntax.CallExpr, redirects []Redirect, s *scope) {
	assigned := w.assignments(call.Assigns, len(call.Args) == 0, s)
	words := w.words(call.Args, s)
	if len(words) == 0 {
		if len(assigned)+len(redirects) > 0 {
			at := s.place(call.Pos())
			w.add(&Command{Assignments: assigned, Redirects: redirects, Dynamic: dynamicAssignment(assigned), Line: at.line, Column: at.column}, s)
		}
		return
	}
	if len(w.named) > 0 && w.alias(call.Args[0].Lit(), words, assigned, redirects, s) {
		return
	}
	w.runWith(words, assigned, redirects, s)
}

// runWith runs words with what is assigned and redirected for them.
func (w *walker) runWith(words []argument, assigned []Assignment, redirects []Redirect, s *scope) {
	inner := *s
	inner.assigned, inner.shared = assigned, redirects
	w.run(words, inner)
}

func dynamicAssignment(list []Assignment) bool {
	return slices.ContainsFunc(list, func(a Assignment) bool { return a.Value.Dynamic })
}

func (w *walker) redirects(list []*syntax.Redirect, s *scope) []Redirect {
	if len(list) == 0 {
		return nil
	}
	redirects := make([]Redirect, 0, len(list))
	for _, node := range list {
		target := w.value(node.Word, s)
		r := Redirect{Op: node.Op.String(), Fd: -1, Target: target.Word, Dynamic: target.Dynamic}
		if node.N != nil {
			r.Fd = w.descriptorNumber(node.N.Value, s)
		}
		switch node.Op {
		case syntax.Hdoc, syntax.DashHdoc:
			body := w.document(node, s)
			r.Body, r.Dynamic = body.Text, body.Dynamic
			s.reads(r.Fd, &body)
		case syntax.WordHdoc:
			line := target
			line.Text += "\n"
			s.reads(r.Fd, &line)
		case syntax.RdrIn, syntax.RdrInOut:
			s.reads(r.Fd, w.fileInput(target, s))
		case syntax.DplIn:
			fd, _ := strconv.Atoi(target.Text)
			s.reads(r.Fd, w.descriptor(fd, s))
		}
		redirects = append(redirects, r)
	}
	return redirects
}

// lineStart says where the lines of a text begin, once it's asked.
type lineStart struct{ starts []int }

// before is where the line that an offset is in begins.
func (l *lineStart) before(source string, offset int) int {
	if l.starts == nil {
		l.starts = append(l.starts, 0)
		for i := range len(source) {
			if source[i] == '\n' {
				l.starts = append(l.starts, i+1)
			}
		}
	}
	return l.starts[sort.SearchInts(l.starts, offset+1)-1]
}

// status is what becomes of the exit status of a statement, for [Command.Decides].
type status struct {
	hidden   bool // the line may succeed where it fails, or where it isn't run
	later    bool // statements follow, which decide unless errexit ends the line before
	errexit  bool // set -e
	pipefail bool // set -o pipefail
}

func (s status) decides() bool { return !s.hidden && (!s.later || s.errexit) }

// isPassing is about the programs whose status is that of the command that they run, and
// that run it once and wait for it; by what [Command.Via] has for them.
func isPassing(via string) bool {
	switch via {
	case "sudo", "doas", "gosu", "su-exec", "env", "command", "builtin", "exec", "noglob", "nocorrect",
		"nohup", "nice", "ionice", "chrt", "taskset", "timeout", "gtimeout", "time", "gtime", "stdbuf",
		"caffeinate", "chronic", "eatmydata", "xvfb-run", "dbus-run-session", "fakeroot", "setarch",
		"uv run", "poetry run", "pipenv run", "bundle exec", "npx", "python -m", "python3 -m",
		"bash -c", "sh -c", "zsh -c", "dash -c", "ksh -c", "ash -c", "eval":
		return true
	}
	return false
}

// through is the status of what is reached through a program, or a text in the line.
func (s status) through(via string) status {
	return status{hidden: !s.decides() || !isPassing(via)}
}

// of is the status of a statement of a list.
func (s status) of(list []*syntax.Stmt, i int) status {
	if i < len(list)-1 {
		s.later = true
	}
	return s
}

// set takes in a statement that changes the shell's options for what follows.
func (s *status) set(stmt *syntax.Stmt) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) < 2 || call.Args[0].Lit() != "set" || stmt.Background || stmt.Negated {
		return
	}
	named := false // the word before was one with an o, whose name comes next
	on := true
	for _, arg := range call.Args[1:] {
		word := arg.Lit()
		switch {
		case named:
			named = false
			switch word {
			case "errexit":
				s.errexit = on
			case "pipefail":
				s.pipefail = on
			}
		case len(word) > 1 && (word[0] == '-' || word[0] == '+') && word != "--":
			on = word[0] == '-'
			for _, letter := range word[1:] {
				switch letter {
				case 'e':
					s.errexit = on
				case 'o':
					named = true
				}
			}
		default:
			return // positional parameters
		}
	}
}

// ofElement is the status of an element of a list of && and ||: of first where at is
// len(rest), else of the right side of rest[at]. rest is as from flatten.
func (s status) ofElement(rest []*syntax.BinaryCmd, at int) status {
	if at < len(rest) && rest[at].Op == syntax.OrStmt {
		s.hidden = true // it may not be run
	}
	if at == 0 {
		return s
	}
	s.errexit = false // does nothing left of the last && or ||
	for i := at - 1; i >= 0; i-- {
		if rest[i].Op != syntax.OrStmt {
			continue
		}
		if !gives(rest[i].Y) {
			s.hidden = true
			return s
		}
		s.later = false // whatever follows isn't reached
	}
	return s
}

// gives reports whether a statement behind || only gives up: exit 1, or a block that
// ends with it.
func gives(stmt *syntax.Stmt) bool {
	if stmt.Background || stmt.Negated {
		return false
	}
	direct := true
	if block, ok := stmt.Cmd.(*syntax.Block); ok && len(block.Stmts) > 0 {
		direct = len(block.Stmts) == 1
		for _, s := range block.Stmts[:len(block.Stmts)-1] {
			if _, plain := s.Cmd.(*syntax.CallExpr); !plain || s.Background {
				return false
			}
		}
		stmt = block.Stmts[len(block.Stmts)-1]
	}
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || stmt.Background || stmt.Negated || len(call.Args) == 0 || call.Args[0].Lit() != "exit" {
		return false
	}
	if len(call.Args) == 1 {
		return direct
	}
	switch code := call.Args[1].Lit(); code {
	case "1", "2", "3", "4", "5", "125", "126", "127", "255":
		return len(call.Args) == 2
	}
	return false
}

// position is how far the walk has come.
type position struct{ commands, pipes int }

func (w *walker) position() position { return position{len(w.line.Commands), w.pipes} }

// repeats remembers what the rounds of a loop have reported. What a round does
// exactly as one before it isn't worth saying twice.
type repeats struct {
	seed maphash.Seed
	seen map[uint64][]*Command
}

// drop takes back what was reported since start, if a round did so before.
func (r *repeats) drop(w *walker, start position) {
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
	sum := h.Sum64()
	kept := r.seen[sum]
	if kept == nil {
		r.seen[sum] = slices.Clone(round)
		return
	}
	if w.instead == nil {
		w.instead = map[*Command]*Command{}
	}
	for i, c := range round {
		w.instead[c] = kept[i]
	}
	clear(round)
	w.line.Commands, w.pipes = w.line.Commands[:start.commands], start.pipes
}

// point lets what points at a command that was taken back point at the one that
// was kept.
func (w *walker) point() {
	if len(w.instead) == 0 {
		return
	}
	for _, c := range w.line.Commands {
		c.Parent = w.kept(c.Parent)
		c.From = w.keptOnes(c.From)
		if c.Input != nil {
			c.Input.From = w.keptOnes(c.Input.From)
		}
	}
}

func (w *walker) kept(c *Command) *Command {
	for w.instead[c] != nil {
		c = w.instead[c]
	}
	return c
}

func (w *walker) keptOnes(from []*Command) []*Command {
	var kept []*Command
	for _, c := range from {
		kept = merge(kept, []*Command{w.kept(c)})
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
