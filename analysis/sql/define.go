package sql

import "strings"

// create reads CREATE.
func create(r *reading, i int) *head {
	s, j := &Statement{Verb: "CREATE"}, i+1
	if r.at(j).is("OR") && r.at(j+1).is("REPLACE ALTER") {
		s.Action = "OR " + r.at(j+1).upper
		j += 2
	}
	// MySQL: ALGORITHM = x DEFINER = a@b SQL SECURITY INVOKER
	for start := j; r.at(j).is("DEFINER ALGORITHM SQL") && j < start+12; {
		for j++; j < start+12 && !r.at(j).is(kinds) && !r.at(j).is("DEFINER ALGORITHM SQL"); j++ {
		}
	}
	kind, action, j, ok := r.object(j)
	if !ok {
		return nil
	}
	if s.Object = kind; s.Action == "" {
		s.Action = action
	}
	if r.at(j).is("CONCURRENTLY") {
		j++
	}
	j, _ = r.ifExists(j)
	if name, next, ok := r.name(j); ok {
		s.Names, s.Dynamic = []string{name}, r.unknown(j, next)
		j = next
	}
	return &head{Statement: s, next: j}
}

func alter(r *reading, i int) *head {
	s := &Statement{Verb: "ALTER"}
	kind, _, j, ok := r.object(i + 1)
	if !ok {
		if !r.starts(i) || !r.at(i+1).is("SYSTEM SESSION") {
			return nil
		}
		s.Object = r.at(i + 1).upper
		return &head{Statement: s, next: i + 2}
	}
	s.Object = kind
	j, s.IfExists = r.ifExists(j)
	if r.at(j).is("ONLY") {
		j++
	}
	start := j
	name, j, ok := r.name(j)
	if !ok || r.prose(start, actions) {
		return nil
	}
	s.Names, s.Dynamic = []string{name}, r.unknown(start, j)
	if r.at(j).is("@") {
		j += 2
	}
	if r.at(j).is("*") {
		j++
	}
	if r.at(j).is("ON") && r.at(j+1).is("CLUSTER") {
		j += 3
	}
	return &head{Statement: s, next: j}
}

// actions are the words that begin what ALTER does.
const actions = "DROP TRUNCATE DELETE CLEAR DETACH UPDATE RENAME ADD MODIFY CHANGE ALTER SET ENABLE DISABLE OWNER ATTACH EXCHANGE REORGANIZE COALESCE REPLACE MOVE RESET FORCE NO " +
	"CLUSTER CONVERT MERGE SPLIT FREEZE REMOVE REBUILD SHRINK VALIDATE WITH IDENTIFIED PASSWORD"

// targets are the words that say what an action is about.
const targets = "COLUMN CONSTRAINT PARTITION INDEX KEY CHECK SUBPARTITION DEFAULT PROJECTION MEMBER STATISTICS UNUSED VALUE PERIOD SCHEMA FILE TABLE PASSWORD"

// severity orders actions: those that destroy more come first.
func severity(action string) int {
	switch first, _, _ := strings.Cut(action, " "); first {
	case "DROP", "TRUNCATE":
		return 4
	case "DELETE", "CLEAR":
		return 3
	case "DETACH", "UPDATE", "RENAME":
		return 2
	case "":
		return 0
	}
	return 1
}

// action notes at token i what a statement does beyond its verb.
func (r *reading) action(c *clause, i int) {
	t := &r.tokens[i]
	switch c.Verb {
	case "ALTER":
		if t.is(actions) && (i == r.last || r.at(i-1).is(", )") || r.at(i-1).is("CHECK NOCHECK")) {
			if action := r.alteration(c, i); severity(action) > severity(c.Action) {
				c.Action = action
			}
		}
	case "COPY", "UNLOAD":
		if t.is("FROM TO") && c.Action == "" {
			if c.Action = t.upper; r.at(i + 1).is("PROGRAM") {
				c.Action += " PROGRAM"
			}
		}
	case "SELECT":
		if t.is("INTO") {
			if c.Action = "INTO"; r.at(i + 1).is("OUTFILE DUMPFILE") {
				c.Action += " " + r.at(i+1).upper
			}
		}
		c.HasLimit = c.HasLimit || t.is("TOP") && r.at(i-1).is("SELECT DISTINCT")
		r.calling(i)
	case "MERGE":
		if t.is("DELETE") && r.at(i-1).is("THEN") {
			c.Action = "DELETE"
		}
	case "UPDATE", "DELETE", "INSERT", "VALUES", "CALL", "DO", "PERFORM":
		r.calling(i)
	}
}

// alteration returns the action of an ALTER at token i.
func (r *reading) alteration(c *clause, i int) string {
	verb, next := r.tokens[i].upper, r.at(i+1)
	switch {
	case next.is("PRIMARY FOREIGN") && r.at(i+2).is("KEY"):
		return verb + " " + next.upper + " KEY"
	case next.is(targets):
		return verb + " " + next.upper
	case verb == "DROP" && strings.HasSuffix(c.Object, "TABLE"):
		return "DROP COLUMN"
	}
	return verb
}

// grant reads GRANT, REVOKE and DENY.
func grant(r *reading, i int) *head {
	s := &Statement{Verb: r.tokens[i].upper}
	var privileges strings.Builder
	j := i + 1
	for ; j < i+60 && j < len(r.tokens) && !r.at(j).is("ON TO FROM"); j++ {
		t := r.at(j)
		if t.kind == end || t.kind == batch {
			return nil
		}
		if privileges.Len() > 0 && !t.is(", ( )") && !r.at(j-1).is("(") {
			privileges.WriteByte(' ')
		}
		privileges.WriteString(strings.ToUpper(t.text))
	}
	if j == i+1 || !r.at(j).is("ON TO FROM") {
		return nil
	}
	s.Action = privileges.String()
	start := j
	if r.at(j).is("ON") {
		s.Object = "TABLE"
		if kind, _, next, ok := r.object(j + 1); ok && !r.at(next).is(". TO FROM ,") {
			s.Object = kind
			j = next - 1
		}
		if r.at(j + 1).is("*") {
			s.Names, j = []string{"*"}, j+2
			if r.at(j).is(".") {
				s.Names, j = []string{"*." + r.at(j+1).text}, j+2
			}
		} else {
			s.Names, j = r.names(j + 1)
		}
		if !r.granted(j) {
			return nil
		}
	}
	s.Dynamic = r.unknown(start, j)
	return &head{Statement: s, next: j}
}

// granted reports whether TO or FROM follows soon behind token i.
func (r *reading) granted(i int) bool {
	for j := i; j < i+20 && j < len(r.tokens); j++ {
		if r.at(j).is("TO FROM") || r.at(j).kind == hole {
			return true
		}
	}
	return false
}
