package sql

import "strings"

// dropTail are the words that may follow what is dropped or truncated.
const dropTail = "CASCADE RESTRICT PURGE FORCE CONSTRAINTS SYNC NO WITH INCLUDING KEEP ALGORITHM LOCK USING FOR AS IF WAIT NOWAIT PERMANENTLY DEFERRED IMMEDIATE " +
	"RESTART CONTINUE DROP REUSE PARTITION SERVER"

func drop(r *reading, i int) *head {
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
	if len(s.Names) == 0 || r.prose(start, dropTail) {
		return nil
	}
	s.Dynamic = r.unknown(start, j)
	return &head{Statement: s, next: j, odd: !r.tailed(j, dropTail)}
}

func truncate(r *reading, i int) *head {
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
	case !r.starts(i):
		return nil
	}
	j, s.IfExists = r.ifExists(j)
	if r.at(j).is("ONLY") {
		j++
	}
	start := j
	s.Names, j = r.names(j)
	h := &head{Statement: s, next: j, odd: !r.tailed(j, dropTail)}
	if len(s.Names) == 0 || r.prose(start, dropTail) || !explicit && (h.odd || r.at(j).is("( .")) {
		return nil
	}
	s.Dynamic = r.unknown(start, j)
	return h
}

// deleteTail are the words that may follow the table of a DELETE.
const deleteTail = "WHERE USING ORDER LIMIT RETURNING OUTPUT FROM JOIN INNER LEFT RIGHT CROSS FULL NATURAL WITH PARTITION OPTION IN INDEXED NOT FOR AS FINAL"

func deletion(r *reading, i int) *head {
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
	} else if s.Names, j = r.names(j); !r.at(j).is("FROM") && !r.fromless(i, j) || r.at(start).is(articles) && !r.aliased(j, r.at(start)) {
		return nil
	}
	if len(s.Names) == 0 || r.prose(start, deleteTail) {
		return nil
	}
	s.Dynamic = r.unknown(start, j)
	for n := range s.Names { // MySQL: t.* for the table t
		s.Names[n] = strings.TrimSuffix(s.Names[n], ".*")
	}
	alias := j
	if r.at(j).is("AS") {
		alias++
	} else if r.tailed(j, deleteTail) {
		return &head{Statement: s, next: j}
	}
	return &head{Statement: s, next: j, odd: r.at(alias).kind != word || !r.tailed(alias+1, deleteTail)}
}

// aliased reports whether the FROM at token i gives a table that name.
func (r *reading) aliased(i int, alias *token) bool {
	_, j, ok := r.name(i + 1)
	if r.at(j).is("AS") {
		j++
	}
	return ok && r.at(j).upper == alias.upper
}

// fromless reports whether a DELETE at token i without FROM, with its name up to
// j, is one of a dialect that needs none.
func (r *reading) fromless(i, j int) bool {
	if !r.starts(i) || r.at(i+1).is("WHERE") {
		return false
	}
	if !r.at(j).is("WHERE") {
		return (r.dialect == SQLServer || r.dialect == Oracle) && r.tailed(j, "OUTPUT OPTION")
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

func update(r *reading, i int) *head {
	s, j := &Statement{Verb: "UPDATE", Object: "TABLE"}, i+1
	for r.at(j).is("LOW_PRIORITY IGNORE ONLY") {
		j++
	}
	if r.at(j).is("OR") {
		j += 2
	}
	if r.at(j).is("STATISTICS") && r.starts(i) {
		s.Object = "STATISTICS"
		s.Names, j = r.names(j + 1)
		return &head{Statement: s, next: j}
	}
	j, s.HasLimit = r.rows(j)
	start := j
	s.Names, j = r.names(j)
	if len(s.Names) == 0 || r.prose(start, "SET "+updateTail) {
		return nil
	}
	s.Dynamic = r.unknown(start, j)
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
	return &head{Statement: s, next: j, odd: !r.assigns(set + 1)}
}

// assigns reports whether an "=" follows soon.
func (r *reading) assigns(i int) bool {
	for j := i; j < i+12; j++ {
		if t := r.at(j); t.kind == hole || t.kind == mark && strings.Contains(t.text, "=") {
			return true
		}
	}
	return false
}

// insertTail are the words that may follow the table of an INSERT.
const insertTail = "VALUES VALUE SELECT DEFAULT SET WITH AS TABLE OUTPUT PARTITION OVERRIDING BY IF FROM"

// insert reads INSERT and REPLACE.
func insert(r *reading, i int) *head {
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
	if !ok || r.prose(start, insertTail) {
		return nil
	}
	s.Names, s.Dynamic = []string{name}, r.unknown(start, j)
	if !into && !(r.starts(i) && (r.at(j).is("VALUES VALUE SELECT SET") || r.at(j).is("(") && s.Verb == "INSERT")) {
		return nil
	}
	return &head{Statement: s, next: j, odd: !r.tailed(j, insertTail)}
}

func merge(r *reading, i int) *head {
	s, j := &Statement{Verb: "MERGE", Object: "TABLE"}, i+1
	j, s.HasLimit = r.rows(j)
	into := r.at(j).is("INTO")
	if into {
		j++
	}
	name, next, ok := r.name(j)
	if !ok || !into && !(r.starts(i) && (r.at(next).is("USING AS") || r.at(next+1).is("USING"))) {
		return nil
	}
	s.Names, s.Dynamic = []string{name}, r.unknown(j, next)
	return &head{Statement: s, next: next}
}
