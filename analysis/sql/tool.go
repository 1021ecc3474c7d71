package sql

import (
	"maps"
	"slices"
	"strings"
)

// isSQLKey and isOtherKey know the keys of a tool's input that may hold SQL; by the
// first ones nothing else is called.
func isSQLKey(key string) bool {
	switch key {
	case "sql", "statement", "statements", "sql_query", "sqlquery", "sql_text":
		return true
	}
	return false
}

func mayHoldSQL(key string) bool {
	switch key {
	case "query", "queries", "command", "commands", "script", "text", "code", "q", "stmt",
		"ddl", "dml", "migration", "body", "expression", "querystring", "query_string":
		return true
	}
	return false
}

// The bounds of what is looked at in one input.
const (
	maxInput  = 12 // tables in tables
	maxValues = 64 // texts
)

// InTool returns what the input of a tool, such as that of an MCP server for a
// database, has a database do. It reads the texts, alone or in lists, under keys
// such as sql, statement, query and script, also in tables below such as params
// and arguments. Under sql and statement every text counts, elsewhere only one
// that begins with a statement: ask only about tools that are a database's. It
// never returns nil.
func InTool(input map[string]any) *Script {
	script := new(Script)
	left := maxValues
	script.value(input, "", maxInput, &left)
	return script
}

func (s *Script) value(value any, key string, depth int, left *int) {
	if depth < 0 {
		if !s.TooComplex {
			s.append(tooComplex())
		}
		return
	}
	switch v := value.(type) {
	case string:
		if isSQLKey(key) || mayHoldSQL(key) {
			s.text(v, isSQLKey(key), left)
		}
	case []string:
		for _, text := range v {
			s.value(text, key, depth, left)
		}
	case []any:
		for _, item := range v {
			s.value(item, key, depth-1, left)
		}
	case []map[string]any:
		for _, item := range v {
			s.value(item, key, depth-1, left)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			s.value(v[name], strings.ToLower(name), depth-1, left)
		}
	}
}

// text reads one text of an input.
func (s *Script) text(text string, sure bool, left *int) {
	if *left--; *left < 0 {
		if *left == -1 {
			s.append(tooComplex())
		}
		return
	}
	script := Parse(text, Options{})
	if sure || script.TooComplex || script.looksLikeSQL(text) {
		s.append(script)
	}
}

// distinctVerbs are the verbs whose statements have a shape that other texts seldom have.
const distinctVerbs = "DROP DELETE TRUNCATE UPDATE INSERT REPLACE MERGE ALTER CREATE GRANT REVOKE SELECT COPY EXEC EXECUTE CALL PREPARE VACUUM PRAGMA ATTACH DETACH EXPLAIN DO BEGIN"

// looksLikeSQL reports whether a text that may be anything begins with a statement: it
// is called only where that isn't known from where the text stands.
func (s *Script) looksLikeSQL(text string) bool {
	if len(s.Statements) == 0 {
		return false
	}
	first := s.Statements[0]
	return first.Verb != "" && !first.unusual && first.is(distinctVerbs) && isFirst(text, first)
}

// isFirst reports whether nothing but a word such as WITH or EXPLAIN, and brackets,
// stands in the text in front of its first statement.
func isFirst(text string, s *Statement) bool {
	for _, t := range scan(text[:min(s.at, len(text))], Unknown, false).tokens {
		if t.kind == word {
			return t.is("WITH EXPLAIN DESCRIBE DESC IF WHILE BEGIN")
		}
		if t.kind != mark && t.kind != end && t.kind != batch {
			return false
		}
	}
	return true
}
