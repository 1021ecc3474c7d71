package sql

import (
	"strings"
	"sync"
)

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
	case t.kind == word && (qualified || !t.is(reserved)), t.kind == hole, t.kind == parameter:
		return t.text + r.joined(i), i + 1 + len(r.joinedTokens(i)), true
	case t.kind == quoted, t.kind == literal:
		return t.text, i + 1, true
	case t.is("*") && qualified:
		return "*", i + 1, true
	case t.kind == mark && listed(": % & # @", t.text) && (r.at(i+1).kind == word || r.at(i+1).kind == literal || r.at(i+1).kind == quoted):
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
		if last.at+len(last.text) != t.at || last.kind != hole && t.kind != hole || t.kind != word && t.kind != hole && t.kind != number {
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

// unknown reports whether a name from token i to next is a parameter.
func (r *reading) unknown(i, next int) bool {
	for ; i < next; i++ {
		switch t := r.at(i); {
		case t.kind == hole, t.is("? : % &"):
			return true
		case t.kind == parameter && t.text[0] != '@':
			return true
		}
	}
	return false
}
