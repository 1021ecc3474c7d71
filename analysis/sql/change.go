package sql

import (
	"strings"
)

// dropTail are the words that may follow what is dropped or truncated.
const dropTail = "CASCADE RESTRICT PURGE FORCE CONSTRAINTS SYNC NO WITH INCLUDING KEEP ALGORITHM LOCK USING FOR AS IF WAIT NOWAIT PERMANENTLY DEFERRED IMMEDIATE " +
	"RESTART CONTINUE DROP REUSE PARTITION SERVER"

func readDrop(r *reading, i int) *head {
	kind, action, j, ok := r.object(i + 1)
	if !ok {
		return nil
	}
	s := &Statement{Verb: "DROP", Object: kind, Action: action}
	for r.at(j).is("CONCURRENTLY ONLINE") {
		j++
	}
	j, s.IfExists = r.ifExists(j)
	start := j
	s.Names, j = r.names(j)
	if len(s.Names) == 0 || r.isProse(start, dropTail) {
		return nil
	}
	s.Dynamic = r.hasParameter(start, j)
	return &head{Statement: s, next: j, unusual: !r.endsWith(j, dropTail)}
}

func readTruncate(r *reading, i int) *head {
	s, j := &Statement{Verb: "TRUNCATE", Object: "TABLE"}, i+1
	explicit := r.at(j).is("TABLE TABLES DATABASE CLUSTER")
	switch {
	case r.at(j).is("ALL") && r.at(j+1).is("TABLES") && r.at(j+2).is("FROM"):
		s.Object, explicit = "TABLES", true
		j += 3
	case r.at(j).is("DATABASE CLUSTER TABLES"):
		s.Object = r.at(j).upper
		j++
	case explicit:
		j++
	case !r.mayStart(i):
		return nil
	}
	j, s.IfExists = r.ifExists(j)
	if r.at(j).is("ONLY") {
		j++
	}
	start := j
	s.Names, j = r.names(j)
	h := &head{Statement: s, next: j, unusual: !r.endsWith(j, dropTail)}
	if len(s.Names) == 0 || r.isProse(start, dropTail) || !explicit && (h.unusual || r.at(j).is("( .")) {
		return nil
	}
	s.Dynamic = r.hasParameter(start, j)
	return h
}

// deleteTail are the words that may follow the table of a DELETE.
const deleteTail = "WHERE USING ORDER LIMIT RETURNING OUTPUT FROM JOIN INNER LEFT RIGHT CROSS FULL NATURAL WITH PARTITION OPTION IN INDEXED NOT FOR AS FINAL"

func readDelete(r *reading, i int) *head {
	s, j := &Statement{Verb: "DELETE", Object: "TABLE"}, i+1
	for r.at(j).is("LOW_PRIORITY QUICK IGNORE") {
		j++
	}
	j, s.HasLimit = r.rows(j)
	start := j
	if r.at(j).is("FROM") {
		if j++; r.at(j).is("ONLY") {
			j++
		}
		start = j
		s.Names, j = r.names(j)
	} else if s.Names, j = r.names(j); !r.at(j).is("FROM") && !r.deletesWithoutFrom(i, j) || r.at(start).is(articles) && !r.isAliasOf(j, r.at(start)) {
		return nil
	}
	if len(s.Names) == 0 || r.isProse(start, deleteTail) {
		return nil
	}
	s.Dynamic = r.hasParameter(start, j)
	for n := range s.Names { // MySQL: t.* for the table t
		s.Names[n] = strings.TrimSuffix(s.Names[n], ".*")
	}
	alias := j
	if r.at(j).is("AS") {
		alias++
	} else if r.endsWith(j, deleteTail) {
		return &head{Statement: s, next: j}
	}
	return &head{Statement: s, next: j, unusual: r.at(alias).kind != word || !r.endsWith(alias+1, deleteTail)}
}

// isAliasOf reports whether the FROM at token i gives a table that name.
func (r *reading) isAliasOf(i int, alias *token) bool {
	_, j, ok := r.name(i + 1)
	if r.at(j).is("AS") {
		j++
	}
	return ok && r.at(j).upper == alias.upper
}

// deletesWithoutFrom reports whether a DELETE at token i without FROM, with its name up to
// j, is one of a dialect that needs none.
func (r *reading) deletesWithoutFrom(i, j int) bool {
	if !r.mayStart(i) || r.at(i+1).is("WHERE") {
		return false
	}
	if !r.at(j).is("WHERE") {
		return (r.dialect == SQLServer || r.dialect == Oracle) && r.endsWith(j, "OUTPUT OPTION")
	}
	// In prose, no operator follows.
	for k := j + 1; k < j+6; k++ {
		if t := r.at(k); t.is("IN IS LIKE EXISTS BETWEEN NOT CURRENT") || t.kind == mark && strings.ContainsAny(t.text, "=<>") {
			return true
		}
	}
	return false
}

// rows skips TOP (n) and TOP n.
func (r *reading) rows(i int) (next int, ok bool) {
	if !r.at(i).is("TOP") {
		return i, false
	}
	if i++; r.at(i).is("(") {
		i = r.matching(i, min(i+20, len(r.tokens)))
	}
	if i++; r.at(i).is("PERCENT") {
		i++
	}
	return i, true
}

// updateTail are the words between the table and the SET of an UPDATE.
const updateTail = "JOIN INNER LEFT RIGHT CROSS FULL NATURAL STRAIGHT_JOIN PARTITION WITH USE FORCE IGNORE INDEXED NOT ON FOR"

// maxUpdate is how many tokens may stand between UPDATE and SET.
const maxUpdate = 100

func readUpdate(r *reading, i int) *head {
	s, j := &Statement{Verb: "UPDATE", Object: "TABLE"}, i+1
	for r.at(j).is("LOW_PRIORITY IGNORE ONLY") {
		j++
	}
	if r.at(j).is("OR") {
		j += 2
	}
	if r.at(j).is("STATISTICS") && r.mayStart(i) {
		s.Object = "STATISTICS"
		s.Names, j = r.names(j + 1)
		return &head{Statement: s, next: j}
	}
	j, s.HasLimit = r.rows(j)
	start := j
	s.Names, j = r.names(j)
	if len(s.Names) == 0 || r.isProse(start, "SET "+updateTail) {
		return nil
	}
	s.Dynamic = r.hasParameter(start, j)
	if r.at(j).is("AS") {
		j++
	}
	if r.at(j).kind == word && !r.at(j).is(updateTail) && !r.at(j).is(reserved) || r.at(j).kind == quoted {
		j++
	}
	set := j
	if r.at(j).is(updateTail) || r.at(j).is(", (") {
		for ; set < j+maxUpdate && !r.at(set).is("SET"); set++ {
			if t := r.at(set); set >= len(r.tokens) || t.kind == end || t.kind == batch || t.is("UPDATE DELETE INSERT") {
				return nil
			}
		}
	}
	if value := r.at(set + 1); !r.at(set).is("SET") || value.kind == number || value.kind == end || set+1 >= len(r.tokens) {
		return nil
	}
	return &head{Statement: s, next: j, unusual: !r.assignmentFollows(set + 1)}
}

// assignmentFollows reports whether an "=" follows soon.
func (r *reading) assignmentFollows(i int) bool {
	for j := i; j < i+12; j++ {
		if t := r.at(j); t.kind == unknownPart || t.kind == mark && strings.Contains(t.text, "=") {
			return true
		}
	}
	return false
}

// insertTail are the words that may follow the table of an INSERT.
const insertTail = "VALUES VALUE SELECT DEFAULT SET WITH AS TABLE OUTPUT PARTITION OVERRIDING BY IF FROM"

// readInsert reads INSERT and REPLACE.
func readInsert(r *reading, i int) *head {
	s, j := &Statement{Verb: r.tokens[i].upper, Object: "TABLE"}, i+1
	for r.at(j).is("LOW_PRIORITY DELAYED HIGH_PRIORITY IGNORE") {
		j++
	}
	if r.at(j).is("OR") && r.at(j+1).kind == word {
		s.Action = "OR " + r.at(j+1).upper
		j += 2
	}
	j, s.HasLimit = r.rows(j)
	into := false
	for r.at(j).is("INTO OVERWRITE TABLE FUNCTION ONLY") {
		if into = true; r.at(j).is("OVERWRITE") {
			s.Action = "OVERWRITE"
		}
		j++
	}
	start := j
	name, j, ok := r.name(j)
	if !ok || r.isProse(start, insertTail) {
		return nil
	}
	s.Names, s.Dynamic = []string{name}, r.hasParameter(start, j)
	if !into && !(r.mayStart(i) && (r.at(j).is("VALUES VALUE SELECT SET") || r.at(j).is("(") && s.Verb == "INSERT")) {
		return nil
	}
	return &head{Statement: s, next: j, unusual: !r.endsWith(j, insertTail)}
}

func readMerge(r *reading, i int) *head {
	s, j := &Statement{Verb: "MERGE", Object: "TABLE"}, i+1
	j, s.HasLimit = r.rows(j)
	into := r.at(j).is("INTO")
	if into {
		j++
	}
	name, next, ok := r.name(j)
	if !ok || !into && !(r.mayStart(i) && (r.at(next).is("USING AS") || r.at(next+1).is("USING"))) {
		return nil
	}
	s.Names, s.Dynamic = []string{name}, r.hasParameter(j, next)
	return &head{Statement: s, next: next}
}

// readCreate reads CREATE.
func readCreate(r *reading, i int) *head {
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
	if s.Object = kind; action != "" || s.Action == "" {
		s.Action = action
	}
	if r.at(j).is("CONCURRENTLY") {
		j++
	}
	j, _ = r.ifExists(j)
	if name, next, ok := r.name(j); ok {
		s.Names, s.Dynamic = []string{name}, r.hasParameter(j, next)
		j = next
	}
	return &head{Statement: s, next: j}
}

func readAlter(r *reading, i int) *head {
	s := &Statement{Verb: "ALTER"}
	kind, _, j, ok := r.object(i + 1)
	if !ok {
		if !r.mayStart(i) || !r.at(i+1).is("SYSTEM SESSION") {
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
	if !ok || r.isProse(start, actions) {
		return nil
	}
	s.Names, s.Dynamic = []string{name}, r.hasParameter(start, j)
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
		r.callsDefined(i)
	case "MERGE":
		if t.is("DELETE") && r.at(i-1).is("THEN") {
			c.Action = "DELETE"
		}
	case "UPDATE", "DELETE", "INSERT", "VALUES", "CALL", "DO", "PERFORM":
		r.callsDefined(i)
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

// readGrant reads GRANT, REVOKE and DENY.
func readGrant(r *reading, i int) *head {
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
		if !r.granteeFollows(j) {
			return nil
		}
	}
	s.Dynamic = r.hasParameter(start, j)
	return &head{Statement: s, next: j}
}

// granteeFollows reports whether TO or FROM follows soon behind token i.
func (r *reading) granteeFollows(i int) bool {
	for j := i; j < i+20 && j < len(r.tokens); j++ {
		if r.at(j).is("TO FROM") || r.at(j).kind == unknownPart {
			return true
		}
	}
	return false
}
