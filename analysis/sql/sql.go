// Package sql says what SQL statements would do, so that a guard can decide by
// that and not by what a text looks like.
//
// Start at [Parse], which reads the statements in a text, or at [InCommand] and
// [InTool], which find such texts in shell commands and in the inputs of tools.
// Text in strings and comments is data: SELECT 'DROP TABLE x' drops nothing.
//
// Nothing is run and no database is asked. The package keeps no state and is
// safe for concurrent use. It is no validator: it reads the head of a statement
// and the clauses that matter to a guard, in any dialect, and takes what a
// database would refuse for what it seems to mean. What can't be understood or
// known is a statement without a Verb, never nothing. What isn't looked into at
// all: scripts in files, and what functions and triggers of a database do.
package sql

import (
	"slices"
)

// The bounds of one [Parse]. Over any of them a text is TooComplex.
const (
	maxText       = 64 << 10 // bytes of text
	maxStatements = 5_000
	maxNested     = 6 // texts in texts: EXECUTE 'EXECUTE ''...'''
)

// Dialect names the rules of quoting and comments that a text follows.
type Dialect string

// The dialects. A text of [Unknown] dialect is read by the rules of several where
// they matter, and what any of the readings finds is reported, unless only that
// reading ends within a quotation.
const (
	Unknown    Dialect = ""
	BigQuery   Dialect = "bigquery"
	ClickHouse Dialect = "clickhouse"
	DuckDB     Dialect = "duckdb"
	MySQL      Dialect = "mysql" // and MariaDB
	Oracle     Dialect = "oracle"
	Postgres   Dialect = "postgres"
	Snowflake  Dialect = "snowflake"
	SQLite     Dialect = "sqlite"
	SQLServer  Dialect = "sqlserver"
)

// Options says how a text is to be read.
type Options struct {
	Dialect Dialect

	// Dynamic is for a text with parts that only a shell knows when it runs:
	// $x, ${x}, $(x) and `x`, written out as in [shell.Word].
	Dynamic bool
}

// Script is what a text has a database do.
type Script struct {
	// Statements holds the statements in the order of the text. A statement
	// that changes data is one of its own wherever it stands: in a WITH, in a
	// block, in the text of EXECUTE IMMEDIATE. A query inside another isn't.
	Statements []*Statement

	// TooComplex is set when the text is too long or nested too deeply to be
	// read to its end. The last of Statements is then one without a Verb.
	TooComplex bool
}

// Statement is one statement. All of it is for reading.
type Statement struct {
	// Verb is the word that says what is done, in upper case: SELECT, DELETE,
	// DROP, GRANT and so on. "" stands for a statement that isn't understood,
	// or, with Dynamic, isn't known. That of EXPLAIN DELETE is DELETE.
	Verb string

	// Object is the kind of what it is done to, in upper case: TABLE,
	// MATERIALIZED VIEW, DATABASE, USER and so on. It is TABLE for statements
	// that change rows.
	Object string

	// Names holds the names of the objects, with quotes removed and parts joined
	// by dots: "public.users". A parameter or a part that isn't known stands as
	// it is written.
	Names []string

	// Action is what the verb alone doesn't say, in upper case: of ALTER what is
	// altered, the most destructive part first ("DROP COLUMN", "TRUNCATE
	// PARTITION", "ADD", "OWNER"); "OR REPLACE" of CREATE and INSERT;
	// "OVERWRITE" of INSERT; "TEMPORARY" of CREATE and DROP; the privileges of
	// GRANT and REVOKE; FROM, TO and "TO PROGRAM" of COPY; INTO of SELECT;
	// DELETE of a MERGE that deletes.
	Action string

	HasWhere bool // it has a WHERE of its own, not only one in a subquery

	// WhereAlways is set when that WHERE holds for every row as far as can be
	// told from the text: WHERE 1=1, WHERE true, WHERE a OR 1=1.
	WhereAlways bool

	HasLimit bool // LIMIT, TOP or FETCH FIRST bounds how many rows
	IfExists bool // IF EXISTS
	Cascade  bool // CASCADE

	// Explain is set when the statement is only explained, not run. EXPLAIN
	// ANALYZE runs it.
	Explain bool

	// Stored is set when the statement is only defined: in the body of a
	// function, procedure, trigger or event that is created, or in a PREPARE. It
	// isn't set for those that the same text then calls by name.
	Stored bool

	// Dynamic is set when a part can't be known from the text: a name is a
	// parameter, or a variable of a shell stands in it, which may as well end
	// the statement and begin another.
	Dynamic bool

	at      int  // where in the text
	unusual bool // what follows its head isn't usual: the text may be prose
}

// Name is the first of Names, or "".
func (s *Statement) Name() string {
	if len(s.Names) == 0 {
		return ""
	}
	return s.Names[0]
}

// Parse reads the statements in text. It never returns nil and never fails: a
// text that isn't SQL gives at most statements without a Verb, or the ones that
// its words happen to spell. Commands of clients such as \g, GO and DELIMITER are
// obeyed where they separate statements and skipped otherwise.
func Parse(text string, options Options) *Script { return parse(text, options, 0) }

// parse reads a text at a depth of texts in texts.
func parse(text string, options Options, depth int) *Script {
	if len(text) > maxText || depth > maxNested {
		return tooComplex()
	}
	var all []*reading
	for _, dialect := range dialects(text, options.Dialect) {
		all = append(all, read(text, dialect, options.Dynamic, depth))
	}
	if whole := slices.DeleteFunc(slices.Clone(all), func(r *reading) bool { return r.broken }); len(whole) > 0 {
		all = whole
	}
	script := all[0].script
	for _, other := range all[1:] {
		script.mergeReading(other.script)
	}
	if script.TooComplex {
		script.Statements = append(script.Statements, &Statement{Dynamic: true, at: len(text)})
	}
	return script
}

func tooComplex() *Script {
	return &Script{TooComplex: true, Statements: []*Statement{{Dynamic: true}}}
}

// mergeReading puts in what only another reading of the same text has found.
func (s *Script) mergeReading(other *Script) {
	type key struct {
		at                         int
		verb, object, name, action string
		where, always, stored      bool
	}
	of := func(s *Statement) key {
		return key{s.at, s.Verb, s.Object, s.Name(), s.Action, s.HasWhere, s.WhereAlways, s.Stored}
	}
	known := make(map[key]bool, len(s.Statements))
	understood := map[int]bool{}
	for _, statement := range s.Statements {
		known[of(statement)] = true
	}
	for _, statement := range other.Statements {
		// That a reading understands nothing somewhere says nothing.
		if statement.Verb != "" && !known[of(statement)] {
			s.Statements = append(s.Statements, statement)
			understood[statement.at] = true
		}
	}
	s.Statements = slices.DeleteFunc(s.Statements, func(s *Statement) bool {
		return s.Verb == "" && !s.Dynamic && understood[s.at]
	})
	slices.SortStableFunc(s.Statements, func(a, b *Statement) int { return a.at - b.at })
	s.TooComplex = s.TooComplex || other.TooComplex
}
