package sql

import "strings"

// definition is a function, procedure, trigger, event or prepared statement
// that is being defined: the statements in it are stored, not run.
type definition struct {
	from, to int  // its statements in the script; to is 0 until it ends
	blocks   int  // BEGIN and CASE without their END
	batch    bool // it goes on to the end of the batch
	text     bool // a string may hold its body
	called   bool // and what it holds is run
}

// begins reports whether a BEGIN in front of a token is that of the body.
func (d *definition) begins(next *token) bool { return !next.is("TRAN TRANSACTION WORK") }

// routines are the kinds that have statements for a body.
const routines = "FUNCTION PROCEDURE PROC TRIGGER EVENT RULE PACKAGE TASK MACRO"

// define notes that what follows is only stored.
func (r *reading) define(s *Statement) {
	kind, _, _ := strings.Cut(s.Object, " ")
	switch {
	case s.is("CREATE ALTER") && listed(routines, kind) && s.Object != "EVENT TRIGGER", s.is("PREPARE"):
	default:
		return
	}
	r.stored = &definition{from: len(r.script.Statements), text: s.Verb != "PREPARE"}
	r.stored.batch = r.stored.text && (r.dialect == SQLServer || r.dialect == Oracle)
	if name := s.Name(); name != "" {
		if r.definitions == nil {
			r.definitions = map[string]*definition{}
		}
		r.definitions[lastPart(name)] = r.stored
	}
}

func lastPart(name string) string { return strings.ToLower(name[strings.LastIndexByte(name, '.')+1:]) }

// ended notes the end of a statement or a batch.
func (r *reading) ended(batch bool) {
	if d := r.stored; d != nil && (batch || d.blocks == 0 && !d.batch) {
		r.defined()
	}
}

func (r *reading) defined() {
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
		if d.blocks--; d.blocks == 0 && !d.batch && !r.inCase(i) {
			r.defined()
		}
	}
}

// inCase reports whether a definition without a BEGIN goes on behind the END of a
// CASE at token i.
func (r *reading) inCase(i int) bool {
	next := r.at(i + 1)
	return i+1 < len(r.tokens) && next.kind != end && next.kind != batch
}

// called notes that a statement runs what was defined before.
func (r *reading) called(s *Statement) {
	if len(r.definitions) > 0 && s.is("EXEC EXECUTE CALL") && len(s.Names) > 0 {
		r.release(lastPart(s.Names[0]))
	}
}

// calling notes that a function that was defined before is called at token i.
func (r *reading) calling(i int) {
	if len(r.definitions) > 0 && r.at(i+1).is("(") {
		r.release(strings.ToLower(r.tokens[i].text))
	}
}

func (r *reading) release(name string) {
	d := r.definitions[name]
	if d == nil || d.to == 0 || d.called {
		return
	}
	d.called = true
	for _, s := range r.script.Statements[d.from:d.to] {
		s.Stored = false
	}
}

// body reads a string that is the body of a block or of a function.
func (r *reading) body(i int) {
	t := &r.tokens[i]
	top := r.top()
	switch {
	case top != nil && top.is("DO"):
		r.nest(t.text, t.dynamic, t.at)
	case r.stored != nil && r.stored.text && (t.dollar || r.at(i-1).is("AS")):
		r.nest(t.text, t.dynamic, t.at)
	}
}

// nest reports the statements of a text that is run, or stored, as a part of a
// statement.
func (r *reading) nest(text string, dynamic bool, at int) {
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

// execute reads the text that a statement runs, from token i on.
func (r *reading) execute(s *Statement, i int) {
	text, dynamic, known := r.argument(i)
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
		r.nest(text, dynamic || r.dynamic, s.at)
	}
}

// argument puts together the text at token i from strings, variables with known
// ones and, for all else, parts that aren't known. It reports whether anything
// of it is known.
func (r *reading) argument(i int) (text string, dynamic, known bool) {
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
