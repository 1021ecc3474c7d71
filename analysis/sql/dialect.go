package sql

import (
	"strings"
	"sync"
)

// rules says how a dialect quotes and comments. The rest of the syntax is read
// alike for all of them.
type rules struct {
	backslash  bool // escapes in every string, not only in E'...'
	doubleText bool // "..." is a string
	backquote  bool // `...` is an identifier
	bracket    bool // [...] is an identifier
	hash       bool // # begins a comment
	slashes    bool // // begins a comment
	spaced     bool // -- begins a comment only before a blank
	nested     bool // /* /* */ */
	executable bool // /*! ... */ is code
	dollar     bool // $tag$ ... $tag$ is a string
	oracle     bool // q'[...]'
	raw        bool // r'...', and strings in triple quotes
	client     client
}

// client is whose commands may stand between the statements.
type client int

const (
	anyClient client = iota
	psql
	mysql
	sqlite
	sqlcmd
	sqlplus
	noClient
)

var dialectRules = sync.OnceValue(func() map[Dialect]rules {
	return map[Dialect]rules{
		// As of no single one, for texts that all of them read alike.
		Unknown:    {backquote: true, nested: true, dollar: true},
		BigQuery:   {backslash: true, doubleText: true, backquote: true, hash: true, raw: true, client: noClient},
		ClickHouse: {backslash: true, backquote: true, hash: true, dollar: true},
		DuckDB:     {nested: true, dollar: true, client: sqlite},
		MySQL:      {backslash: true, doubleText: true, backquote: true, hash: true, spaced: true, executable: true, client: mysql},
		Oracle:     {oracle: true, client: sqlplus},
		Postgres:   {nested: true, dollar: true, client: psql},
		Snowflake:  {backslash: true, slashes: true, dollar: true, client: noClient},
		SQLite:     {backquote: true, bracket: true, client: sqlite},
		SQLServer:  {bracket: true, nested: true, client: sqlcmd},
	}
})

// dialects returns those by whose rules a text is to be read. Of an unknown
// dialect, the text itself says where it makes a difference.
func dialects(text string, dialect Dialect) []Dialect {
	if _, known := dialectRules()[dialect]; dialect != Unknown && known {
		return []Dialect{dialect}
	}
	all := []Dialect{Unknown}
	if strings.ContainsAny(text, `\#`) || strings.Contains(text, "/*") || dashes(text) {
		all = append(all, MySQL)
	}
	if strings.Contains(text, "[") {
		all = append(all, SQLServer)
	}
	return all
}

// dashes reports whether a "--" isn't a comment to MySQL.
func dashes(text string) bool {
	for i := 0; ; i += 2 {
		n := strings.Index(text[i:], "--")
		if n < 0 {
			return false
		}
		if i += n; i+2 < len(text) && !blank(text[i+2]) {
			return true
		}
	}
}

func blank(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }
