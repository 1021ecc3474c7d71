package shell

import (
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

	env        *environment
	duplicates map[*Command]*Command   // what stands for commands that were taken back
	files      map[string]*writtenFile // what the line has written so far, by path
	programs   map[string]argument     // what the line has copied or linked, by the path that it has now
	functions  []*frame                // calls under way
	shells     []shellProcess          // shells under way that may have traps
	bodies     []*body                 // functions that were defined
	aliasNames map[string]bool         // the aliases that were defined
	expanding  []string                // aliases under way

	parser             *syntax.Parser // one for all texts, nil while it's at work
	commands           []Command      // for the commands to come
	spareWords         []argument     // for the words of commands
	spareSize          int            // how many of them are made next: as many as there were
	choices            []choice
	choosing           bool
	hashUsed           bool // hash -p was used
	descriptors        int  // how many the shell has chosen a number for
	descriptorsChanged bool // exec has changed a descriptor
	inCapture          bool // what is walked is for a capture
	alternatives       map[*syntax.ParamExp][]*binding
	attributes         map[string]attribute // of variables that don't keep what is assigned to them
	lastValue          argument             // the value of the last assignment, as it's written
	loops              []*loop              // loops under way
	rounds             int                  // of loops over known words
	endlessLoops       []*endlessLoop       // loops without end under way
	fileTests          []fileTest           // of [[ ]]

	gitSettings []gitSetting // what git config keeps for later commands

	temporarySources map[string]bool // the sources of what stands for temporary files
}

// scope is where a statement stands. A change is made in a copy, so that it ends
// with the statement.
type scope struct {
	source  string // the text that the syntax tree's positions are in
	nested  bool   // source is not the text given to Parse, but stands at at
	at      place
	lines   *lineStarts
	context string
	pipe    int
	via     []string
	depth   int // of wrappers and nested texts

	parent         *Command          // what runs the command
	block          *Command          // has the redirections of the output around it
	remote         bool              // the command runs on another machine
	in             *container        // or in one that has files of this machine
	external       bool              // the name is that of a program, not of a function, an alias or a builtin
	cleared        bool              // the environment isn't passed on, or it isn't known which part
	unset          []string          // variables that aren't passed on
	chdirs         []argument        // where wrappers go before, each seen from the one before
	assigned       []Assignment      // what wrappers set for the command
	redirects      []Redirect        // what wrappers redirected for the command
	inputs         map[int]*argument // what other descriptors read
	input          *argument         // what is known to be on standard input; nil: nothing is
	reading        *Command          // lets standard input read a file that isn't known; nil: nothing does
	out            *capture          // what is written to standard output is kept there; nil: nobody asks
	outputs        map[int]*capture  // the same for other descriptors
	placeholder    string            // what xargs or find replaces in the command; "" for nothing
	decodedBy      []*Command        // what has decoded the text that is walked, which is known for all that
	unreached      bool              // it stands behind a condition that never holds
	forks          int               // processes that go on at the same time as the one that started them
	uncertain      int               // branches, loops and lists around it, where it may not be reached
	unknownSources []string          // sources of what isn't known, in the text that is walked
	status         status            // what becomes of the exit status
	flow           *flow             // what has run before
	asked          bool              // a test has found files missing each time that what runs next does
}

// through returns the scope of what is reached from s through a wrapper.
func (s scope) through(via string) scope {
	s.via = append(s.via[:len(s.via):len(s.via)], via)
	s.depth++
	if s.status = s.status.through(via); !runsOnce(via) {
		s.flow = s.flow.inner(nil)
		s.flow.repeats = mayRepeat(via) && !s.asked
	}
	s.asked = false
	return s
}

func (s *scope) place(pos syntax.Pos) place {
	if s.nested || !pos.IsValid() {
		return s.at
	}
	at := place{int(pos.Line()), int(pos.Col())}
	if r := s.lines.reading; len(r.inserted) > 0 {
		return s.lines.placeOf(r.offset(int(pos.Offset())))
	}
	if offset := int(pos.Offset()); at.column == 0 && offset <= len(s.source) {
		// The parser gives up on columns that don't fit its positions.
		at.column = 1 + offset - s.lines.startOfLine(s.source, offset)
	}
	return at
}

// isExpanded reports whether node is a part of a text that is expanded before the
// text is read, so that it was met where the text stands.
func (s *scope) isExpanded(node syntax.Node) bool {
	if len(s.unknownSources) == 0 {
		return false
	}
	return slices.Contains(s.unknownSources, sourceOf(s.source, node))
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
	c.Parent, c.Remote, c.in = s.parent, s.remote, s.in
	c.Block = s.block
	c.Decides = s.status.decides()
	c.flow, c.isOneOf = s.flow, len(w.choices) > 0
	c.Dir = w.dir(s).Word
	if len(c.From) == 0 {
		c.From = s.decodedBy
	}
	if s.input != nil {
		c.Input = &Input{Text: s.input.rest(), Dynamic: s.input.Dynamic, From: s.input.from}
	} else if s.reading != nil && !readsFile(c.Redirects) {
		c.Input = &Input{Dynamic: true, From: []*Command{s.reading}}
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
		inner.status = s.status.inList(list, i)
		w.stmt(stmt, &inner)
		s.status.set(stmt)
		inner.flow = w.flowBehind(stmt, &inner)
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
		inner.flow = s.flow.inner(nil)
		w.inBackground(s, func() { w.subshell(func() { w.command(stmt, &inner) }) })
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
	if w.descriptorsChanged && s.input == nil {
		inner := *s
		if inner.input = w.descriptor(0, s); inner.reading == nil {
			inner.reading = w.execOf(0)
		}
		s = &inner
	}
	w.eachChoice(func() {
		if len(stmt.Redirs) == 0 {
			w.simple(stmt, nil, s)
		} else {
			w.redirected(stmt, s)
		}
	})
}

// redirected walks a statement that has redirections.
func (w *walker) redirected(stmt *syntax.Stmt, s *scope) {
	inner := *s
	redirects := w.redirects(stmt.Redirs, &inner)
	if stmt.Cmd == nil {
		for i := range redirects {
			r := &redirects[i]
			r.Empties = opensAnew(r.Op) && (r.Op != ">&" || strings.Trim(r.Target.Text, "0123456789-") != "")
		}
		c := w.redirectsAlone(redirects, stmt.Position, s)
		if s.out != nil {
			s.out.add(argument{Word: Word{Dynamic: true}}, c) // as $(<file) writes what is in it
		}
		return
	}
	target := w.target(redirects, &inner)
	w.simple(stmt, redirects, &inner)
	if target != nil {
		w.write(target, &inner)
	}
}

// redirectsAlone reports redirections without a command.
func (w *walker) redirectsAlone(redirects []Redirect, pos syntax.Pos, s *scope) *Command {
	at := s.place(pos)
	c := &Command{Redirects: redirects, Line: at.line, Column: at.column}
	w.add(c, s)
	return c
}

// readsFile reports whether the standard input is redirected to a file.
func readsFile(redirects []Redirect) bool {
	return slices.ContainsFunc(redirects, func(r Redirect) bool { return r.Op == "<" && r.Fd <= 0 })
}

// takesOutput reports whether the standard output is redirected to a file.
func takesOutput(redirects []Redirect) bool {
	return slices.ContainsFunc(redirects, func(r Redirect) bool { return (r.Fd == 1 || r.Fd < 0) && writesTo(r.Op) && r.Op != ">&" })
}

// redirectedBy notes what a command redirects for those that it runs.
func (s *scope) redirectedBy(c *Command) {
	if s.input == nil && readsFile(c.Redirects) {
		s.reading = c
	}
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
			source := sourceOf(s.source, expr)
			arg := literal(source, s.place(expr.Pos()))
			arg.Dynamic = strings.Contains(source, "$")
			args = append(args, arg)
			w.number(expr, s)
		}
		w.runWith(args, nil, redirects, s)
	default:
		c := w.redirectsAlone(redirects, stmt.Position, s)
		if s.redirectedBy(c); takesOutput(redirects) {
			s.block = c
		}
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
	if len(w.aliasNames) > 0 && w.alias(call.Args[0].Lit(), words, assigned, redirects, s) {
		return
	}
	w.runWith(words, assigned, redirects, s)
}

// runWith runs words with what is assigned and redirected for them.
func (w *walker) runWith(words []argument, assigned []Assignment, redirects []Redirect, s *scope) {
	inner := *s
	inner.assigned, inner.redirects = assigned, redirects
	w.run(words, inner)
}

func dynamicAssignment(list []Assignment) bool {
	return slices.ContainsFunc(list, func(a Assignment) bool { return a.Value.Dynamic })
}

// redirectTarget is the word of a redirection. A value in it is split, and its patterns are looked for, as elsewhere.
func (w *walker) redirectTarget(node *syntax.Redirect, s *scope) argument {
	switch node.Op {
	case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
		return w.value(node.Word, s)
	}
	if node.Word == nil || !slices.ContainsFunc(node.Word.Parts, isValue) {
		return w.value(node.Word, s)
	}
	words := w.words([]*syntax.Word{node.Word}, s)
	if len(words) == 1 {
		return words[0]
	}
	joined, _ := joinWords(words) // a shell refuses several words, and none
	return joined
}

// isValue reports whether a part of a word is a value without quotes.
func isValue(part syntax.WordPart) bool {
	switch part.(type) {
	case *syntax.ParamExp, *syntax.CmdSubst:
		return true
	}
	return false
}

func (w *walker) redirects(list []*syntax.Redirect, s *scope) []Redirect {
	if len(list) == 0 {
		return nil
	}
	redirects := make([]Redirect, 0, len(list))
	for _, node := range list {
		target := w.redirectTarget(node, s)
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
			if c := w.execOf(fd); c != nil && r.Fd <= 0 {
				s.reading = c
			}
		}
		redirects = append(redirects, r)
	}
	return redirects
}

// lineStarts says where the lines of a text begin, once it's asked.
type lineStarts struct {
	starts  []int
	given   string // the text as it was given
	reading *sourceText
}

// placeOf is where an offset in the text as it was given is.
func (l *lineStarts) placeOf(offset int) place {
	before := l.given[:min(offset, len(l.given))]
	return place{1 + strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n')}
}

// startOfLine is where the line that an offset is in begins.
func (l *lineStarts) startOfLine(source string, offset int) int {
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
