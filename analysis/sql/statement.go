package sql

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/internal/wordlist"
)

// head is the beginning of a statement, as far as it has a shape of its own.
type head struct {
	*Statement
	next    int  // the token behind it
	text    int  // where the text begins that it runs; 0 for none
	silent  bool // it isn't a statement of its own
	prefix  bool // it only says how the statement behind it is run
	unusual bool // what follows isn't usual: the text may be prose
}

// headReader reads the head at token i. It returns nil where the words only look like
// one.
type headReader func(r *reading, i int) *head

// verbReader reads the statements of a verb.
type verbReader struct {
	read headReader

	// anywhere says that the shape can't be mistaken, so that it counts behind
	// another statement without a semicolon too, as in T-SQL.
	anywhere bool
}

// heads are the words that begin statements. It is set in init because the shapes look
// into it themselves.
var heads func() map[string]verbReader

func init() { heads = sync.OnceValue(newHeads) }

func newHeads() map[string]verbReader {
	readers := map[string]verbReader{
		"DROP": {readDrop, true}, "DELETE": {readDelete, true}, "TRUNCATE": {readTruncate, true}, "UPDATE": {readUpdate, true},
		"INSERT": {readInsert, true}, "REPLACE": {readInsert, true}, "MERGE": {readMerge, true},
		"ALTER": {readAlter, true}, "CREATE": {readCreate, true},
		"GRANT": {readGrant, true}, "REVOKE": {readGrant, true}, "DENY": {readGrant, true},
		"SELECT": {readQuery, true}, "VALUES": {readQuery, false}, "WITH": {readWith, false},
		"EXEC": {readExecute, true}, "EXECUTE": {readExecute, true}, "CALL": {readExecute, false}, "PREPARE": {readPrepare, false},
		"EXPLAIN": {readExplain, false}, "DESCRIBE": {readExplain, false}, "DESC": {readExplain, false},
		"IF": {readControl, false}, "WHILE": {readControl, false}, "BEGIN": {readBegin, false}, "COPY": {readNamed, false},
	}
	for verb := range otherVerbs() {
		readers[verb] = verbReader{readPlain, false}
	}
	return readers
}

// head reads the head of a statement at token i, if one is there.
func (r *reading) head(i int) (*head, bool) {
	h, ok := heads()[r.tokens[i].upper]
	if !ok || r.at(i-1).is(". @") || r.at(i+1).is(".") {
		return nil, false
	}
	top, starts := r.top(), r.mayStart(i)
	switch {
	case !starts && (!h.anywhere || top == nil && r.at(i-1).kind != unknownPart): // which may be a whole statement
		return nil, false
	case top != nil && top.parens == r.parens && top.is("GRANT REVOKE DENY") && !top.granteeSeen:
		return nil, false // a privilege
	}
	found := h.read(r, i)
	if found == nil || !starts && r.isPartOfAlter(found, i) {
		return nil, false
	}
	return found, true
}

// mayStart reports whether a statement may begin at token i, whatever it is.
func (r *reading) mayStart(i int) bool {
	before := r.at(i - 1)
	switch {
	case i == 0 || i == r.content || before.kind == end || before.kind == batch || i == r.explained:
		return true
	case before.is("( BEGIN THEN ELSE DO LOOP REPEAT ATOMIC TRY CATCH INSTEAD ALSO END"):
		return true
	case before.is(">>"): // a label
		return true
	case before.is(") AS FOR IS ROW STATEMENT CONDITION"):
		return r.top() != nil && r.top().is("CREATE ALTER PREPARE DECLARE IF WHILE WITH")
	}
	return false
}

// isPartOfAlter reports whether a head is a part of the ALTER in which it stands.
func (r *reading) isPartOfAlter(h *head, i int) bool {
	top := r.top()
	if top == nil || top.parens != r.parens || !top.is("ALTER") || !h.is("DROP ALTER") {
		return false
	}
	return top.Object != "TABLE" || r.at(i-1).is(",") || !wordlist.Has("TABLE DATABASE SCHEMA VIEW USER ROLE LOGIN", h.Object)
}

// endsWith reports whether what follows a head at token i is none of the words of
// prose: the end, a mark, another head or one of the words.
func (r *reading) endsWith(i int, words string) bool {
	t := r.at(i)
	if i >= len(r.tokens) || t.kind != word && t.kind != number && t.kind != quoted && t.kind != literal {
		return true
	}
	_, another := heads()[t.upper]
	return another || t.is(words) || t.is("ON END ELSE FORMAT SETTINGS GO")
}

// articles are names that are none where another word follows.
const articles = "THE A AN THIS THAT THESE THOSE ALL ANY EVERY EACH SOME MY YOUR OUR THEIR HIS HER ITS IT THEM WHICH WHAT"

// isProse reports whether the name at token i is rather a word of a sentence.
func (r *reading) isProse(i int, words string) bool {
	_, another := heads()[r.at(i+1).upper]
	return r.at(i).is(articles) && r.at(i+1).kind == word && !another && !r.at(i+1).is(words+" AS")
}

// kinds are the objects that are created, altered and dropped.
const kinds = "TABLE TABLES VIEW INDEX DATABASE SCHEMA KEYSPACE USER ROLE LOGIN GROUP SEQUENCE TYPE DOMAIN FUNCTION PROCEDURE PROC ROUTINE AGGREGATE " +
	"TRIGGER EVENT RULE POLICY EXTENSION LANGUAGE CAST COLLATION CONVERSION OPERATOR PUBLICATION SUBSCRIPTION SERVER TABLESPACE STATISTICS TRANSFORM " +
	"SYNONYM PACKAGE CLUSTER DIMENSION DIRECTORY LIBRARY CONTEXT PROFILE OUTLINE DISKGROUP LINK ASSEMBLY CERTIFICATE CREDENTIAL DEFAULT ENDPOINT QUEUE SERVICE " +
	"CONTRACT DICTIONARY QUOTA STAGE PIPE STREAM TASK WAREHOUSE SHARE INTEGRATION TAG CATALOG NAMESPACE MACRO SECRET MODEL SOURCE SINK CONNECTION CONNECTOR SNAPSHOT " +
	"BACKUP INSTANCE APPLICATION LOGFILE PREPARE RESOURCE AUDIT MEASUREMENT SERIES COLLECTION CONSTRAINT"

// pairs are kinds of two words.
var pairs = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for pair := range strings.SplitSeq("MATERIALIZED VIEW,MATERIALIZED TABLE,FOREIGN TABLE,EXTERNAL TABLE,EXTERNAL SCHEMA,EVENT TRIGGER,USER MAPPING,DATABASE LINK,DATABASE ROLE,"+
		"ACCESS METHOD,OPERATOR CLASS,OPERATOR FAMILY,ROW POLICY,SETTINGS PROFILE,NAMED COLLECTION,NETWORK POLICY,MASKING POLICY,RESOURCE MONITOR,FILE FORMAT,"+
		"RESOURCE GROUP,RETENTION POLICY,CONTINUOUS QUERY,AVAILABILITY GROUP,ROLLBACK SEGMENT,PACKAGE BODY,TYPE BODY,RESTORE POINT,SERVER ROLE,APPLICATION ROLE,"+
		"OWNED BY,DYNAMIC TABLE,PARTITION FUNCTION,PARTITION SCHEME,FULLTEXT CATALOG,FULLTEXT INDEX,SECURITY POLICY,SYMMETRIC KEY,ASYMMETRIC KEY,MASTER KEY", ",") {
		set[pair] = true
	}
	return set
})

// modifiers stand before a kind.
const modifiers = "TEMP TEMPORARY GLOBAL LOCAL UNLOGGED UNIQUE CLUSTERED NONCLUSTERED RECURSIVE VIRTUAL CONSTRAINT FULLTEXT SPATIAL BITMAP PUBLIC PRIVATE PROCEDURAL TRUSTED TRANSIENT " +
	"HYBRID SECURE EDITIONABLE NONEDITIONABLE FORCE NO COLUMNAR COLUMNSTORE ICEBERG BIGFILE SHARDED INVISIBLE VECTOR PRIMARY XML REMOTE OFFLINE ONLINE IGNORE UNDO " +
	"FOREIGN EXTERNAL MATERIALIZED DYNAMIC"

// object reads a kind, in front of which modifiers may stand, at token i.
func (r *reading) object(i int) (kind, action string, next int, ok bool) {
	for range 6 {
		t := r.at(i)
		if t.kind != word {
			break
		}
		if pair := t.upper + " " + r.at(i+1).upper; pairs()[pair] {
			return pair, action, i + 2, true
		}
		if t.is("DB") && r.at(i+1).kind == word { // of DB2
			return "DATABASE", action, i + 1, true
		}
		if t.is(kinds) && !(t.is(modifiers) && r.at(i+1).is(kinds)) {
			return t.upper, action, i + 1, true
		}
		if !t.is(modifiers) {
			break
		}
		if t.is("TEMP TEMPORARY") {
			action = "TEMPORARY"
		}
		i++
	}
	return "", "", i, false
}

// ifExists skips IF EXISTS and IF NOT EXISTS.
func (r *reading) ifExists(i int) (next int, ok bool) {
	switch {
	case r.at(i).is("IF") && r.at(i+1).is("EXISTS"):
		return i + 2, true
	case r.at(i).is("IF") && r.at(i+1).is("NOT") && r.at(i+2).is("EXISTS"):
		return i + 3, false
	}
	return i, false
}

// reserved are words that name nothing unless they are quoted.
const reserved = "FROM WHERE SET INTO SELECT VALUES ON TO BY OF AND OR NOT AS IN IS NULL GROUP ORDER HAVING UNION LIMIT THEN WHEN ELSE DELETE DROP UPDATE INSERT ALTER CREATE CASCADE RESTRICT " +
	"FOR WITH USING JOIN CASE EXISTS LIKE BETWEEN IF TABLE ONLY RETURNING"

// name reads a name, which may have parts, at token i.
func (r *reading) name(i int) (name string, next int, ok bool) {
	if r.at(i).is("IDENTIFIER") && r.at(i+1).is("(") && r.at(i+3).is(")") { // Snowflake, Databricks
		return r.at(i + 2).text, i + 4, true
	}
	var parts []string
	for len(parts) < 8 {
		part, after, ok := r.part(i, len(parts) > 0)
		if !ok {
			break
		}
		parts = append(parts, part)
		i = after
		if r.at(i).is(".") && r.at(i+1).is(".") { // db..table
			i++
		}
		if !r.at(i).is(".") {
			return strings.Join(parts, "."), i, true
		}
		i++
	}
	return strings.Join(parts, "."), i, len(parts) > 0
}

// part reads one part of a name.
func (r *reading) part(i int, qualified bool) (text string, next int, ok bool) {
	switch t := r.at(i); {
	case t.kind == word && (qualified || !t.is(reserved)), t.kind == unknownPart, t.kind == parameter:
		return t.text + r.joined(i), i + 1 + len(r.joinedTokens(i)), true
	case t.kind == quoted, t.kind == literal:
		return t.text, i + 1, true
	case t.is("*") && qualified:
		return "*", i + 1, true
	case t.kind == mark && wordlist.Has(": % & # @", t.text) && (r.at(i+1).kind == word || r.at(i+1).kind == literal || r.at(i+1).kind == quoted):
		return t.text + r.at(i+1).text, i + 2, true
	case t.is("?"):
		return "?", i + 1, true
	}
	return "", i, false
}

// joinedTokens returns the tokens that stand directly behind token i and make one
// name with it, as in log_$x or ${x}_log.
func (r *reading) joinedTokens(i int) []token {
	after := i + 1
	for after < len(r.tokens) && after-i < 8 {
		last, t := &r.tokens[after-1], &r.tokens[after]
		if last.at+len(last.text) != t.at || last.kind != unknownPart && t.kind != unknownPart || t.kind != word && t.kind != unknownPart && t.kind != number {
			break
		}
		after++
	}
	return r.tokens[i+1 : after]
}

func (r *reading) joined(i int) string {
	var b strings.Builder
	for _, t := range r.joinedTokens(i) {
		b.WriteString(t.text)
	}
	return b.String()
}

// names reads names with commas between them, and the arguments and hosts that
// may stand behind each.
func (r *reading) names(i int) (names []string, next int) {
	for {
		name, after, ok := r.name(i)
		if !ok {
			return names, i
		}
		names = append(names, name)
		i = after
		if r.at(i).is("@") && (r.at(i+1).kind == literal || r.at(i+1).kind == quoted || r.at(i+1).kind == word) {
			i += 2 // 'user'@'host'
		}
		if r.at(i).is("(") && r.matching(i, min(i+40, len(r.tokens))) < min(i+40, len(r.tokens)) && r.at(r.matching(i, min(i+40, len(r.tokens)))+1).is(",") {
			i = r.matching(i, min(i+40, len(r.tokens))) + 1 // f(int), g(int)
		}
		if r.at(i).is("*") { // and what inherits from it
			i++
		}
		if !r.at(i).is(",") {
			return names, i
		}
		i++
	}
}

// hasParameter reports whether a name from token i to next is a parameter.
func (r *reading) hasParameter(i, next int) bool {
	for ; i < next; i++ {
		switch t := r.at(i); {
		case t.kind == unknownPart, t.is("? : % &"):
			return true
		case t.kind == parameter && t.text[0] != '@':
			return true
		}
	}
	return false
}

// readQuery reads SELECT and VALUES. One within another statement isn't reported.
func readQuery(r *reading, i int) *head {
	h := &head{Statement: &Statement{Verb: r.tokens[i].upper}, next: i + 1}
	top := r.top()
	h.silent = top != nil && !(top.is("WITH IF WHILE") && top.parens == r.parens) && !r.opensBlock(i) || top == nil && r.found > 0 && !r.opensBlock(i)
	return h
}

// opensBlock reports whether a statement of a block begins at token i.
func (r *reading) opensBlock(i int) bool {
	return i == r.content || r.at(i-1).is("BEGIN THEN ELSE DO LOOP REPEAT ATOMIC TRY CATCH")
}

func readWith(r *reading, i int) *head {
	if r.at(i+1).kind != word && r.at(i+1).kind != quoted {
		return nil
	}
	return &head{Statement: &Statement{Verb: "WITH"}, next: i + 1, silent: true}
}

// readControl reads what runs a statement on a condition.
func readControl(r *reading, i int) *head {
	return &head{Statement: &Statement{Verb: r.tokens[i].upper}, next: i + 1, silent: true}
}

// readBegin reads the BEGIN of a transaction, not that of a block.
func readBegin(r *reading, i int) *head {
	next := r.at(i + 1)
	if r.stored != nil && r.stored.begins(next) || i+1 < len(r.tokens) && next.kind != end && next.kind != batch && !next.is(transaction) {
		return nil
	}
	return &head{Statement: &Statement{Verb: "BEGIN"}, next: i + 1}
}

const transaction = "TRAN TRANSACTION WORK DEFERRED IMMEDIATE EXCLUSIVE CONCURRENT ISOLATION READ NOT DISTRIBUTED"

// readExplain reads EXPLAIN with its options.
func readExplain(r *reading, i int) *head {
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

// readExecute reads EXEC, EXECUTE and CALL.
func readExecute(r *reading, i int) *head {
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
	s.Names, s.Dynamic = []string{name}, r.hasParameter(j, after)
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

// readPrepare reads PREPARE name AS statement and PREPARE name FROM text.
func readPrepare(r *reading, i int) *head {
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

// readNamed reads COPY and others that are followed by a name.
func readNamed(r *reading, i int) *head {
	s, j := &Statement{Verb: r.tokens[i].upper, Object: "TABLE"}, i+1
	if r.at(j).is("INTO") {
		j++
	}
	if name, next, ok := r.name(j); ok {
		s.Names, s.Dynamic = []string{name}, r.hasParameter(j, next)
		return &head{Statement: s, next: next}
	}
	if s.Object = ""; !r.at(j).is("( @") {
		return nil
	}
	return &head{Statement: s, next: j}
}

// otherVerbs are the other words that begin statements. Where there is a value,
// the statement needs one of its words, or an end for "", behind it.
var otherVerbs = sync.OnceValue(func() map[string]string {
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

// readPlain reads a statement of which the verb, the kind and the name are all that
// is told.
func readPlain(r *reading, i int) *head {
	s, j := &Statement{Verb: r.tokens[i].upper}, i+1
	for s.is("VACUUM ANALYZE") && r.at(j).is("FULL FREEZE VERBOSE ANALYZE TABLE") {
		j++
	}
	next := r.at(j)
	if s.Verb == "RESET" {
		s.Action = next.upper
	}
	if needs := otherVerbs()[s.Verb]; needs != "" {
		ends := j >= len(r.tokens) || next.kind == end || next.kind == batch
		if !(next.is(needs) || ends && wordlist.Has(needs, ";") || (next.kind == number || next.kind == literal) && wordlist.Has(needs, "0")) {
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
	if r.isProse(start, "TO FROM ON BY SET") {
		return nil
	}
	if name, after, ok := r.name(j); ok {
		s.Names, s.Dynamic = []string{name}, r.hasParameter(start, after)
		j = after
	}
	return &head{Statement: s, next: j}
}

// nameless are the verbs that aren't followed by a name.
const nameless = "SET DO COMMIT ROLLBACK DECLARE PRINT RAISE RAISERROR RETURN SHOW PERFORM FROM SHUTDOWN STARTUP RESET DISCARD BULK COMMENT WAITFOR XA CHECKPOINT FLUSH FETCH SYSTEM START STOP CHANGE KILL LOAD"
