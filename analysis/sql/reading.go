package sql

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
	silent bool // it isn't reported: a query in another statement
	parens int  // the brackets that it stands in
	where  int  // the token behind its WHERE; 0: none yet, -1: it is read
	given  bool // of GRANT and REVOKE, TO or FROM has been met
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
		r.ended(t.kind == batch)
	case word:
		if h, ok := r.head(i); ok {
			return r.begin(h, i)
		}
		r.clauseWord(i)
	case mark:
		r.mark(i)
	case hole:
		r.hole(i)
	case literal, quoted:
		if t.dynamic {
			r.mention()
		}
		if t.kind == literal {
			r.body(i)
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
	s.at, s.odd = r.tokens[i].at, h.odd
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
	r.define(s)
	r.called(s)
	if h.text > 0 {
		r.execute(s, h.text)
	}
	return h.next
}

// explainable are the verbs that EXPLAIN keeps from being run. It doesn't take
// others, so that what follows it as in a text without semicolons is run.
const explainable = "SELECT INSERT UPDATE DELETE MERGE REPLACE VALUES TABLE WITH EXECUTE CREATE DECLARE"

func (s *Statement) is(verbs string) bool { return s.Verb != "" && listed(verbs, s.Verb) }

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

// mention notes that the statement has a part that isn't known.
func (r *reading) mention() {
	if top := r.top(); top != nil {
		top.Dynamic = true
	}
}

// hole notes a part that isn't known, and that it may be a whole statement.
func (r *reading) hole(i int) {
	if r.starts(i) && r.parens == 0 {
		r.report(&Statement{Dynamic: true, at: r.tokens[i].at, Stored: r.stored != nil})
		return
	}
	r.mention()
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
	if r.found == 0 && r.meaningful(i) {
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

// meaningful reports whether what stands before token i is more than the words
// that only close a block.
func (r *reading) meaningful(i int) bool {
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
		top.given = true
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
