package sql

import (
	"strings"
	"sync"
)

// query reads SELECT and VALUES. One within another statement isn't reported.
func query(r *reading, i int) *head {
	h := &head{Statement: &Statement{Verb: r.tokens[i].upper}, next: i + 1}
	top := r.top()
	h.silent = top != nil && !(top.is("WITH IF WHILE") && top.parens == r.parens) && !r.opens(i) || top == nil && r.found > 0 && !r.opens(i)
	return h
}

// opens reports whether a statement of a block begins at token i.
func (r *reading) opens(i int) bool {
	return i == r.content || r.at(i-1).is("BEGIN THEN ELSE DO LOOP REPEAT ATOMIC TRY CATCH")
}

func with(r *reading, i int) *head {
	if r.at(i+1).kind != word && r.at(i+1).kind != quoted {
		return nil
	}
	return &head{Statement: &Statement{Verb: "WITH"}, next: i + 1, silent: true}
}

// control reads what runs a statement on a condition.
func control(r *reading, i int) *head {
	return &head{Statement: &Statement{Verb: r.tokens[i].upper}, next: i + 1, silent: true}
}

// begin reads the BEGIN of a transaction, not that of a block.
func begin(r *reading, i int) *head {
	next := r.at(i + 1)
	if r.stored != nil && r.stored.begins(next) || i+1 < len(r.tokens) && next.kind != end && next.kind != batch && !next.is(transaction) {
		return nil
	}
	return &head{Statement: &Statement{Verb: "BEGIN"}, next: i + 1}
}

const transaction = "TRAN TRANSACTION WORK DEFERRED IMMEDIATE EXCLUSIVE CONCURRENT ISOLATION READ NOT DISTRIBUTED"

// explain reads EXPLAIN with its options.
func explain(r *reading, i int) *head {
	s := &Statement{Verb: r.tokens[i].upper}
	runs, parens := false, 0
	for j := i + 1; j < i+30 && j < len(r.tokens); j++ {
		t := r.at(j)
		switch {
		case t.kind == end || t.kind == batch:
			return &head{Statement: s, next: i + 1}
		case t.is("("):
			parens++
		case t.is(")"):
			parens--
		case t.is("ANALYZE ANALYSE"):
			runs = !r.at(j+1).is("FALSE OFF") && !(r.at(j+1).kind == number && r.at(j+1).text == "0")
		case parens == 0 && (t.is(explainable) || j == i+1 && t.is("("+" DROP TRUNCATE ALTER")):
			if r.tokens[i].upper != "EXPLAIN" && j > i+1 {
				return &head{Statement: s, next: i + 1} // a table that is called so
			}
			r.explain = !runs
			return &head{Statement: s, next: j, prefix: true}
		}
	}
	return &head{Statement: s, next: i + 1}
}

// execution reads EXEC, EXECUTE and CALL.
func execution(r *reading, i int) *head {
	s, j := &Statement{Verb: r.tokens[i].upper}, i+1
	next := r.at(j)
	switch {
	case next.is("ON AS FUNCTION PROCEDURE TO FROM ,"):
		return nil // a privilege, an option of a procedure, a trigger
	case next.is("IMMEDIATE"):
		s.Action = "IMMEDIATE"
		return &head{Statement: s, next: j + 1, text: j + 1}
	case next.is("(") || next.kind == literal || next.is("FORMAT CONCAT"):
		return &head{Statement: s, next: j, text: j}
	}
	if next.kind == parameter && r.at(j+1).is("=") {
		j += 2 // EXEC @result = procedure
	}
	name, after, ok := r.name(j)
	if !ok {
		return nil
	}
	s.Names, s.Dynamic = []string{name}, r.unknown(j, after)
	h := &head{Statement: s, next: after}
	last := name[strings.LastIndexByte(name, '.')+1:]
	switch {
	case strings.EqualFold(last, "sp_executesql"):
		h.text = after
	case s.Verb == "EXECUTE" && r.dialect != SQLServer && !strings.Contains(name, "."):
		h.text = j // a prepared statement, or a variable of a block
	case next.kind == parameter:
		s.Dynamic = true
	}
	return h
}

// prepare reads PREPARE name AS statement and PREPARE name FROM text.
func prepare(r *reading, i int) *head {
	name, j, ok := r.name(i + 1)
	if !ok {
		return nil
	}
	h := &head{Statement: &Statement{Verb: "PREPARE", Names: []string{name}}, next: j}
	if r.at(j).is("FROM") {
		h.text = j + 1
	}
	return h
}

// named reads COPY and others that are followed by a name.
func named(r *reading, i int) *head {
	s, j := &Statement{Verb: r.tokens[i].upper, Object: "TABLE"}, i+1
	if r.at(j).is("INTO") {
		j++
	}
	if name, next, ok := r.name(j); ok {
		s.Names, s.Dynamic = []string{name}, r.unknown(j, next)
		return &head{Statement: s, next: next}
	}
	if s.Object = ""; !r.at(j).is("( @") {
		return nil
	}
	return &head{Statement: s, next: j}
}

// plainVerbs are the other words that begin statements. Where there is a value,
// the statement needs one of its words, or an end for "", behind it.
var plainVerbs = sync.OnceValue(func() map[string]string {
	return map[string]string{
		"PURGE":     "TABLE INDEX RECYCLEBIN DBA_RECYCLEBIN TABLESPACE BINARY MASTER",
		"FLASHBACK": "TABLE DATABASE STANDBY PLUGGABLE", "RESTORE": "DATABASE LOG TABLE TABLES ALL SCHEMA FILELISTONLY HEADERONLY VERIFYONLY LABELONLY FROM",
		"BACKUP": "DATABASE LOG TABLE TABLES ALL INTO TO CERTIFICATE", "UNDROP": "TABLE SCHEMA DATABASE VIEW TAG", "RENAME": "TABLE TABLES DATABASE USER COLUMN DICTIONARY", "EXCHANGE": "TABLES DICTIONARIES",
		"REASSIGN": "OWNED", "SHUTDOWN": "WITH IMMEDIATE ABORT NORMAL TRANSACTIONAL ;", "STARTUP": "FORCE MOUNT NOMOUNT OPEN ;", "KILL": "CONNECTION QUERY MUTATION STATS ALL 0",
		"RESET": "ALL MASTER SLAVE REPLICA PERSIST BINARY QUERY ROLE SESSION ;", "DISCARD": "ALL PLANS SEQUENCES TEMP TEMPORARY", "REFRESH": "MATERIALIZED TABLE SCHEMA FUNCTION",
		"CHANGE": "MASTER REPLICATION", "STOP": "SLAVE REPLICA GROUP ALL", "LOCK": "TABLE TABLES IN INSTANCE", "UNLOCK": "TABLES INSTANCE", "COMMENT": "ON", "LOAD": "DATA XML TABLE INDEX LOCAL 0",
		"START": "TRANSACTION SLAVE REPLICA GROUP", "CHECK": "TABLE", "REPAIR": "TABLE", "OPTIMIZE": "TABLE LOCAL NO_WRITE_TO_BINLOG", "MSCK": "REPAIR TABLE", "INVALIDATE": "METADATA",
		"SYSTEM": "DROP RELOAD RESTART START STOP FLUSH SHUTDOWN KILL SYNC RESTORE ENABLE DISABLE WAIT UNFREEZE", "BULK": "INSERT", "SUMMARIZE": "", "RECONFIGURE": "WITH ;",
		"DETACH": "", "ATTACH": "", "VACUUM": "", "ANALYZE": "", "ANALYSE": "", "REINDEX": "", "CLUSTER": "", "CHECKPOINT": "", "PRAGMA": "", "SHOW": "", "SET": "", "USE": "",
		"COMMIT": "", "ROLLBACK": "", "SAVEPOINT": "", "RELEASE": "", "ABORT": "", "DECLARE": "", "OPEN": "", "FETCH": "", "CLOSE": "", "MOVE": "", "PRINT": "", "RAISE": "", "RAISERROR": "",
		"RETURN": "", "LISTEN": "", "NOTIFY": "", "UNLISTEN": "", "DEALLOCATE": "", "DO": "", "FLUSH": "", "HANDLER": "", "INSTALL": "", "UNINSTALL": "", "DBCC": "", "WAITFOR": "", "PERFORM": "",
		"UNLOAD": "", "EXPORT": "", "IMPORT": "", "PUT": "", "REMOVE": "", "XA": "", "SIGNAL": "", "TABLE": "", "CACHE": "", "UNCACHE": "", "AUDIT": "", "NOAUDIT": "", "EXPIRE": "", "FROM": "", "BATCH": "",
	}
})

// plain reads a statement of which the verb, the kind and the name are all that
// is told.
func plain(r *reading, i int) *head {
	s, j := &Statement{Verb: r.tokens[i].upper}, i+1
	for s.is("VACUUM ANALYZE") && r.at(j).is("FULL FREEZE VERBOSE ANALYZE TABLE") {
		j++
	}
	next := r.at(j)
	if s.Verb == "RESET" {
		s.Action = next.upper
	}
	if needs := plainVerbs()[s.Verb]; needs != "" {
		ends := j >= len(r.tokens) || next.kind == end || next.kind == batch
		if !(next.is(needs) || ends && listed(needs, ";") || (next.kind == number || next.kind == literal) && listed(needs, "0")) {
			return nil
		}
	}
	if kind, _, after, ok := r.object(j); ok {
		s.Object = kind
		j = after
		if r.at(j).is("IF") {
			j, s.IfExists = r.ifExists(j)
		}
	} else if s.is("USE DETACH ATTACH") {
		s.Object = "DATABASE"
	}
	if s.is(nameless) && s.Object == "" {
		return &head{Statement: s, next: j}
	}
	start := j
	if r.prose(start, "TO FROM ON BY SET") {
		return nil
	}
	if name, after, ok := r.name(j); ok {
		s.Names, s.Dynamic = []string{name}, r.unknown(start, after)
		j = after
	}
	return &head{Statement: s, next: j}
}

// nameless are the verbs that aren't followed by a name.
const nameless = "SET DO COMMIT ROLLBACK DECLARE PRINT RAISE RAISERROR RETURN SHOW PERFORM FROM SHUTDOWN STARTUP RESET DISCARD BULK COMMENT WAITFOR XA CHECKPOINT FLUSH FETCH SYSTEM START STOP CHANGE KILL LOAD"
