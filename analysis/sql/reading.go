package sql

import (
	"strings"

	"github.com/luahook/luahook/internal/wordlist"
)

// reading is one pass over the tokens of a text.
type reading struct {
	tokens  []token
	dialect Dialect
	dynamic bool
	depth   int // of texts in texts
	script  *Script
	broken  bool // the text ends within a quotation or a comment

	open    []clause // the statements that go on, the outermost first
	parens  int
	found   int  // statements of the text up to the last end
	content int  // the first token behind the last end
	last    int  // the token behind the head read last
	explain bool // what follows is only explained, until the next end

	explained int // the token behind EXPLAIN and its options; 0: none

	stored      *definition            // what is being defined
	definitions map[string]*definition // by name, in lower case
	variables   map[string]string      // what strings are assigned to variables
}

// clause is a statement whose clauses may follow.
type clause struct {
	*Statement
	silent      bool // it isn't reported: a query in another statement
	parens      int  // the brackets that it stands in
	where       int  // the token behind its WHERE; 0: none yet, -1: it is read
	granteeSeen bool // of GRANT and REVOKE, TO or FROM has been met
}

// read reads the statements of a text by the rules of a dialect.
func read(text string, dialect Dialect, dynamic bool, depth int) *reading {
	s := scan(text, dialect, dynamic)
	r := &reading{tokens: s.tokens, broken: s.broken, dialect: dialect, dynamic: dynamic, depth: depth, script: new(Script)}
	for i := 0; i < len(r.tokens) && !r.script.TooComplex; {
		i = r.token(i)
	}
	r.finish(len(r.tokens))
	return r
}

// token reads on at token i, and returns where to go on.
func (r *reading) token(i int) int {
	switch t := &r.tokens[i]; t.kind {
	case end, batch:
		r.finish(i)
		r.content = i + 1
		r.statementEnded(t.kind == batch)
	case word:
		if h, ok := r.head(i); ok {
			return r.begin(h, i)
		}
		r.clauseWord(i)
	case mark:
		r.mark(i)
	case unknownPart:
		r.hole(i)
	case literal, quoted:
		if t.dynamic {
			r.markDynamic()
		}
		if t.kind == literal {
			r.stringBody(i)
		}
	}
	return i + 1
}

// at returns token i, or an empty mark where there is none.
func (r *reading) at(i int) *token {
	if i < 0 || i >= len(r.tokens) {
		return &token{}
	}
	return &r.tokens[i]
}

// begin reports the statement whose head begins at token i.
func (r *reading) begin(h *head, i int) int {
	s := h.Statement
	s.at, s.unusual = r.tokens[i].at, h.unusual
	s.Explain = r.explain && s.is(explainable)
	s.Stored = r.stored != nil
	for j := i; j < h.next; j++ {
		s.Dynamic = s.Dynamic || r.tokens[j].dynamic
	}
	r.last = h.next
	if h.prefix {
		r.explained = h.next
		return h.next
	}
	// What went on at this depth does so no more, but for a query within it.
	for len(r.open) > 0 && r.top().parens >= r.parens && (!h.silent || r.top().silent) {
		r.close(i)
	}
	r.open = append(r.open, clause{Statement: s, silent: h.silent, parens: r.parens})
	if h.silent {
		return h.next
	}
	r.report(s)
	r.startDefinition(s)
	r.runsDefined(s)
	if h.text > 0 {
		r.runText(s, h.text)
	}
	return h.next
}

// explainable are the verbs that EXPLAIN keeps from being run. It doesn't take
// others, so that what follows it as in a text without semicolons is run.
const explainable = "SELECT INSERT UPDATE DELETE MERGE REPLACE VALUES TABLE WITH EXECUTE CREATE DECLARE"

func (s *Statement) is(verbs string) bool { return s.Verb != "" && wordlist.Has(verbs, s.Verb) }

// report adds a statement to the script.
func (r *reading) report(s *Statement) {
	if len(r.script.Statements) >= maxStatements {
		r.script.TooComplex = true
		return
	}
	r.found++
	r.script.Statements = append(r.script.Statements, s)
}

// top returns the statement that the clauses at this depth belong to.
func (r *reading) top() *clause {
	if len(r.open) == 0 {
		return nil
	}
	return &r.open[len(r.open)-1]
}

// markDynamic notes that the statement has a part that isn't known.
func (r *reading) markDynamic() {
	if top := r.top(); top != nil {
		top.Dynamic = true
	}
}

// hole notes a part that isn't known, and that it may be a whole statement.
func (r *reading) hole(i int) {
	if r.mayStart(i) && r.parens == 0 {
		r.report(&Statement{Dynamic: true, at: r.tokens[i].at, Stored: r.stored != nil})
		return
	}
	r.markDynamic()
}

// mark reads a punctuation mark or an operator.
func (r *reading) mark(i int) {
	switch r.tokens[i].text {
	case "(":
		r.parens++
	case ")":
		r.parens = max(r.parens-1, 0)
		for len(r.open) > 0 && r.top().parens > r.parens {
			r.close(i)
		}
	case "=", ":=":
		r.assign(i)
	}
}

// close ends the innermost statement before token i.
func (r *reading) close(i int) {
	top := r.top()
	if top.where > 0 {
		top.WhereAlways = r.always(top.where, i)
	}
	r.open = r.open[:len(r.open)-1]
}

// finish ends all statements before token i. Where there was something, but no
// statement in it, it reports that.
func (r *reading) finish(i int) {
	for len(r.open) > 0 {
		r.close(i)
	}
	if r.found == 0 && r.hasContent(i) {
		s := &Statement{at: r.tokens[r.content].at, Stored: r.stored != nil}
		for _, t := range r.tokens[r.content:i] {
			s.Dynamic = s.Dynamic || t.dynamic
		}
		if r.at(r.content + 1).is(":=") {
			s.Verb = "SET"
		}
		r.report(s)
	}
	r.found, r.parens, r.explain, r.explained = 0, 0, false, 0
}

// hasContent reports whether what stands before token i is more than the words
// that only close a block.
func (r *reading) hasContent(i int) bool {
	for ; r.content < i; r.content++ {
		if !r.tokens[r.content].is("END IF LOOP WHILE REPEAT CASE TRY CATCH ) ( /") {
			return true
		}
	}
	return false
}

// clauseWord reads a word that is no head of a statement.
func (r *reading) clauseWord(i int) {
	t := &r.tokens[i]
	r.block(i)
	top := r.top()
	if top == nil || top.parens != r.parens {
		return
	}
	switch t.upper {
	case "WHERE":
		top.HasWhere = true
		if top.where == 0 {
			top.where = i + 1
		}
	case "ORDER", "LIMIT", "RETURNING", "OUTPUT", "OPTION", "FETCH", "GROUP", "SETTINGS":
		r.endWhere(top, i)
		top.HasLimit = top.HasLimit || t.is("LIMIT FETCH")
	case "CASCADE":
		// ON DELETE CASCADE belongs to a constraint.
		top.Cascade = top.Cascade || !r.at(i-1).is("DELETE UPDATE")
	case "TO", "FROM":
		top.granteeSeen = true
		if t.upper == "FROM" {
			r.resolve(top, i)
		}
		r.action(top, i)
	case "JOIN", "USING":
		r.resolve(top, i)
	default:
		r.action(top, i)
	}
}

// endWhere ends the condition of a statement that goes on.
func (r *reading) endWhere(c *clause, i int) {
	if c.where > 0 {
		c.WhereAlways = r.always(c.where, i)
		c.where = -1
	}
}

// definition is a function, procedure, trigger, event or prepared statement
// that is being defined: the statements in it are stored, not run.
type definition struct {
	from, to   int  // its statements in the script; to is 0 until it ends
	blocks     int  // BEGIN and CASE without their END
	toBatchEnd bool // it goes on to the end of the batch
	bodyIsText bool // a string may hold its body
	isCalled   bool // and what it holds is run
}

// begins reports whether a BEGIN in front of a token is that of the body.
func (d *definition) begins(next *token) bool { return !next.is("TRAN TRANSACTION WORK") }

// routines are the kinds that have statements for a body.
const routines = "FUNCTION PROCEDURE PROC TRIGGER EVENT RULE PACKAGE TASK MACRO"

// startDefinition notes that what follows is only stored.
func (r *reading) startDefinition(s *Statement) {
	kind, _, _ := strings.Cut(s.Object, " ")
	switch {
	case s.is("CREATE ALTER") && wordlist.Has(routines, kind) && s.Object != "EVENT TRIGGER", s.is("PREPARE"):
	default:
		return
	}
	r.stored = &definition{from: len(r.script.Statements), bodyIsText: s.Verb != "PREPARE"}
	r.stored.toBatchEnd = r.stored.bodyIsText && (r.dialect == SQLServer || r.dialect == Oracle)
	if name := s.Name(); name != "" {
		if r.definitions == nil {
			r.definitions = map[string]*definition{}
		}
		r.definitions[lastPart(name)] = r.stored
	}
}

func lastPart(name string) string { return strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]) }

// statementEnded notes the end of a statement or a batch.
func (r *reading) statementEnded(batch bool) {
	if d := r.stored; d != nil && (batch || d.blocks == 0 && !d.toBatchEnd) {
		r.endDefinition()
	}
}

func (r *reading) endDefinition() {
	r.stored.to = len(r.script.Statements)
	r.stored = nil
}

// block counts the words that begin and end the blocks of a definition.
func (r *reading) block(i int) {
	d, t := r.stored, &r.tokens[i]
	switch {
	case d == nil:
	case t.is("BEGIN CASE") && !r.at(i-1).is("END"):
		d.blocks++
	case t.is("END") && !r.at(i+1).is("IF LOOP WHILE REPEAT FOR") && d.blocks > 0:
		if d.blocks--; d.blocks == 0 && !d.toBatchEnd && !r.inCase(i) {
			r.endDefinition()
		}
	}
}

// inCase reports whether a definition without a BEGIN goes on behind the END of a
// CASE at token i.
func (r *reading) inCase(i int) bool {
	next := r.at(i + 1)
	return i+1 < len(r.tokens) && next.kind != end && next.kind != batch
}

// runsDefined notes that a statement runs what was defined before.
func (r *reading) runsDefined(s *Statement) {
	if len(r.definitions) > 0 && s.is("EXEC EXECUTE CALL") && len(s.Names) > 0 {
		r.markRun(lastPart(s.Names[0]))
	}
}

// callsDefined notes that a function that was defined before is called at token i.
func (r *reading) callsDefined(i int) {
	if len(r.definitions) > 0 && r.at(i+1).is("(") {
		r.markRun(strings.ToLower(r.tokens[i].text))
	}
}

func (r *reading) markRun(name string) {
	d := r.definitions[name]
	if d == nil || d.to == 0 || d.isCalled {
		return
	}
	d.isCalled = true
	for _, s := range r.script.Statements[d.from:d.to] {
		s.Stored = false
	}
}

// stringBody reads a string that is the body of a block or of a function.
func (r *reading) stringBody(i int) {
	t := &r.tokens[i]
	top := r.top()
	switch {
	case top != nil && top.is("DO"):
		r.nestedText(t.text, t.dynamic, t.at)
	case r.stored != nil && r.stored.bodyIsText && (t.dollar || r.at(i-1).is("AS")):
		r.nestedText(t.text, t.dynamic, t.at)
	}
}

// nestedText reports the statements of a text that is run, or stored, as a part of a
// statement.
func (r *reading) nestedText(text string, dynamic bool, at int) {
	script := parse(text, Options{Dialect: r.dialect, Dynamic: dynamic}, r.depth+1)
	r.script.TooComplex = r.script.TooComplex || script.TooComplex
	for _, s := range script.Statements {
		if s.Verb == "" && !s.Dynamic {
			continue // another language, or the words of a procedural one
		}
		s.at = at
		s.Stored = s.Stored || r.stored != nil
		r.report(s)
	}
}

// maxArgument is how many tokens of a text to be run are looked at.
const maxArgument = 400

// runText reads the text that a statement runs, from token i on.
func (r *reading) runText(s *Statement, i int) {
	text, dynamic, known := r.textArgument(i)
	if s.is("EXECUTE") && r.at(i).kind == word && len(s.Names) > 0 {
		if r.definitions[strings.ToLower(s.Name())] != nil {
			return // prepared in this text
		}
		if !known {
			s.Dynamic = true // prepared elsewhere
			return
		}
	}
	s.Dynamic = s.Dynamic || dynamic
	if strings.TrimSpace(text) != "" {
		r.nestedText(text, dynamic || r.dynamic, s.at)
	}
}

// textArgument puts together the text at token i from strings, variables with known
// ones and, for all else, parts that aren't known. It reports whether anything
// of it is known.
func (r *reading) textArgument(i int) (text string, dynamic, known bool) {
	var b strings.Builder
	format, list := false, false
	for j := i; j < len(r.tokens); j++ {
		t := &r.tokens[j]
		switch {
		case t.kind == end || t.kind == batch || t.is("USING INTO EXEC EXECUTE") || t.is(",") && !list:
			return b.String(), dynamic, known
		case j > i+maxArgument:
			return b.String(), true, known
		case t.kind == literal:
			known = true
			dynamic = dynamic || t.dynamic
			b.WriteString(filled(t.text, format))
			dynamic = dynamic || format && strings.Contains(t.text, "%")
		case t.is("FORMAT CONCAT"):
			format, list = format || t.is("FORMAT"), list || t.is("CONCAT")
		case t.is("|| + ( ) , N"):
		default:
			value, ok := r.variables[strings.ToLower(t.text)]
			if known = known || ok; !ok {
				value, dynamic = " ${} ", true
			}
			b.WriteString(value)
		}
	}
	return b.String(), dynamic, known
}

// filled replaces what format fills in.
func filled(text string, format bool) string {
	if !format {
		return text
	}
	return strings.NewReplacer("%%", "%", "%I", "${}", "%L", "${}", "%s", "${}").Replace(text)
}

// assign notes which string is assigned to a variable by the mark at token i.
func (r *reading) assign(i int) {
	value, after := r.at(i+1), r.at(i+2)
	if value.is("N") {
		value, after = after, r.at(i+3)
	}
	constant := value.kind == literal && !value.dynamic && !after.is("|| + .")
	for j := i - 1; j >= max(i-6, 0); j-- {
		t := &r.tokens[j]
		variable := t.kind == parameter && t.text[0] == '@' || t.kind == word && (r.tokens[i].text == ":=" && j >= i-2 || r.at(j-1).is("SET"))
		if t.kind == end || t.is(", = := WHERE") {
			return
		}
		if !variable {
			continue
		}
		if name := strings.ToLower(t.text); constant {
			if r.variables == nil {
				r.variables = map[string]string{}
			}
			r.variables[name] = value.text
		} else {
			delete(r.variables, name)
		}
	}
}

// resolve puts the name of a table in the place of its alias, where a statement
// names the alias first: DELETE x FROM table x.
func (r *reading) resolve(c *clause, i int) {
	if !c.is("DELETE UPDATE") {
		return
	}
	name, j, ok := r.name(i + 1)
	if !ok {
		return
	}
	if r.at(j).is("AS") {
		j++
	}
	if alias := r.at(j); alias.kind == word || alias.kind == quoted {
		for n := range c.Names {
			if strings.EqualFold(c.Names[n], alias.text) {
				c.Names[n] = name
			}
		}
	}
}
