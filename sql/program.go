package sql

import (
	"maps"
	"slices"
	"strings"
	"sync"
)

// program says where a client takes SQL from, by its manual. Options are listed
// with a blank between them; short ones that take a value as for getopt, "c:p::".
type program struct {
	dialect  Dialect
	short    string // letters that take a value
	long     string // long options that take a value, without dashes
	text     string // options whose value is SQL
	also     string // those of text that don't keep it from reading more
	file     string // options whose value is a file with SQL
	operands int    // from this operand on they are SQL; -1: none
	joins    bool   // operands are one text together
	input    bool   // it reads SQL from standard input where none is given
	whole    bool   // "-cmd" is one option and not a bundle of letters
	strict   bool   // it takes another language as well
}

// programs are the clients by name, some with subcommands.
var programs = sync.OnceValue(func() map[string]program {
	return map[string]program{
		"psql": psqlProgram, "ysqlsh": psqlProgram, "gpsql": psqlProgram, "vsql": psqlProgram,
		"pgcli": {dialect: Postgres, short: "c:h:p:U:u:d:D:", long: "command host port username user dbname dsn pgclirc logfile", text: "-c --command", operands: -1, input: true},
		"mysql": mysqlProgram, "mariadb": mysqlProgram, "mysqlsh": shellProgram,
		"mycli":   {dialect: MySQL, short: "e:h:P:u:S:D:d:l:", long: "execute host port user socket database dsn password pass myclirc logfile", text: "-e --execute", operands: -1, input: true},
		"litecli": {dialect: SQLite, short: "e:D:l:", long: "execute database logfile liteclirc", text: "-e --execute", operands: -1, input: true},

		// Options that take two values are rare: -lookaside, -pagecache.
		"sqlite3": sqliteProgram, "sqlite": sqliteProgram,
		"duckdb": {dialect: DuckDB, whole: true, long: "c s cmd init f newline nullvalue separator storage-version", text: "-c -s -cmd --c --s --cmd", also: "-cmd --cmd", file: "-f --f", operands: 1, input: true},

		"sqlcmd": sqlcmdProgram, "osql": sqlcmdProgram, "mssql-cli": sqlcmdProgram,
		"sqlcmd query": {dialect: SQLServer, short: "d:", long: "database query text", text: "-q --query", operands: 0},
		"isql":         {short: "d:U:P:S:l:i:", operands: -1, input: true}, "tsql": {dialect: SQLServer, short: "S:H:p:U:P:D:I:", operands: -1, input: true}, "fisql": {dialect: SQLServer, short: "S:U:P:D:i:", operands: -1, input: true},

		"clickhouse-client": clickhouseProgram, "clickhouse client": clickhouseProgram, "clickhouse-local": clickhouseProgram, "clickhouse": clickhouseProgram, "clickhouse local": clickhouseProgram,
		"chdb": clickhouseProgram, "clickhouse-benchmark": clickhouseProgram, "clickhouse benchmark": clickhouseProgram,

		"cockroach sql": {dialect: Postgres, short: "e:d:u:p:f:", long: "execute host port user database url certs-dir file format set watch", text: "-e --execute", file: "-f --file", operands: -1, input: true},
		"usql":          {short: "c:f:o:v:P:R:F:T:", long: "command file out set variable pset record-separator field-separator table-attr", text: "-c --command", file: "-f --file", operands: -1, input: true},
		"bq query":      {dialect: BigQuery, long: "project_id location destination_table max_rows format dataset_id job_id priority label parameter flagfile maximum_bytes_billed", operands: 0, joins: true, input: true},
		"snowsql":       {dialect: Snowflake, short: "a:u:d:s:r:w:h:p:q:f:o:c:D:", long: "accountname username dbname schemaname rolename warehouse host port query filename option connection variable", text: "-q --query", file: "-f --filename", operands: -1, input: true},
		"snow sql":      {dialect: Snowflake, short: "q:f:c:D:", long: "query filename connection variable database schema role warehouse", text: "-q --query", file: "-f --filename", operands: -1, input: true},
		"sqlplus":       {dialect: Oracle, short: "C:M:R:", operands: -1, input: true, whole: true}, "sqlcl": {dialect: Oracle, operands: -1, input: true, whole: true},
		"db2": {operands: 0, joins: true, short: "f:", file: "-f"},

		"trino": trinoProgram, "presto": trinoProgram, "presto-cli": trinoProgram, "trino-cli": trinoProgram,
		"hive": {short: "e:f:d:i:", long: "database define hiveconf hivevar", text: "-e", file: "-f", operands: -1, input: true}, "spark-sql": {short: "e:f:d:i:", long: "master deploy-mode conf database define hiveconf hivevar packages jars name", text: "-e", file: "-f", operands: -1, input: true},
		"beeline":      {short: "e:f:u:n:p:d:w:i:", long: "hivevar hiveconf", text: "-e", file: "-f", operands: -1, input: true},
		"impala-shell": {short: "q:f:i:d:u:o:", long: "query query_file impalad database user output_file", text: "-q --query", file: "-f --query_file", operands: -1, input: true},
		"cqlsh":        {short: "e:f:u:p:k:", long: "execute file username password keyspace encoding cqlshrc", text: "-e --execute", file: "-f --file", operands: -1, input: true},
		"influx":       {whole: true, long: "execute host port database username password precision format", text: "-execute --execute", operands: -1},

		"wrangler d1 execute":                  {dialect: SQLite, short: "c:e:", long: "command file config env persist-to", text: "--command", operands: -1},
		"turso db shell":                       {dialect: SQLite, long: "location instance proxy", operands: 1, input: true},
		"heroku pg:psql":                       {dialect: Postgres, short: "c:f:a:r:", long: "command file app remote credential", text: "-c --command", file: "-f --file", operands: -1, input: true},
		"pscale shell":                         {dialect: MySQL, long: "org role", operands: -1, input: true},
		"prisma db execute":                    {long: "file url schema config", operands: -1, input: true},
		"wp db query":                          {dialect: MySQL, operands: 0, input: true},
		"drush sql:query":                      {dialect: MySQL, long: "file", operands: 0},
		"drush sqlq":                           {dialect: MySQL, long: "file", operands: 0},
		"aws athena start-query-execution":     {long: "query-string work-group result-configuration query-execution-context client-request-token region profile", text: "--query-string", operands: -1},
		"aws rds-data execute-statement":       {long: "sql resource-arn secret-arn database schema region profile", text: "--sql", operands: -1},
		"aws redshift-data execute-statement":  {dialect: Postgres, long: "sql cluster-identifier workgroup-name database db-user secret-arn region profile", text: "--sql", operands: -1},
		"gcloud spanner databases execute-sql": {long: "sql instance project timeout query-mode", text: "--sql", operands: -1},
	}
})

// subcommands are those that make a program a client, by its name.
var subcommands = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(programs())) {
		if first, rest, ok := strings.Cut(name, " "); ok {
			all[first] = append(all[first], rest)
		}
	}
	return all
})

var (
	psqlProgram = program{dialect: Postgres, short: "c:d:f:F:h:L:o:p:P:R:T:U:v:",
		long: "command dbname file field-separator host log-file output port pset record-separator set variable table-attr username", text: "-c --command", file: "-f --file", operands: -1, input: true}
	mysqlProgram = program{dialect: MySQL, short: "e:h:P:S:u:D:p::",
		long: "execute host port socket user database default-character-set delimiter max-allowed-packet init-command protocol prompt pager tee plugin-dir ssl-ca ssl-cert ssl-key ssl-mode defaults-file defaults-extra-file defaults-group-suffix login-path connect-timeout",
		text: "-e --execute --init-command", also: "--init-command", operands: -1, input: true}
	shellProgram = program{dialect: MySQL, short: "e:f:h:P:S:u:D:p::",
		long: "execute file host port socket user uri schema database", text: "-e --execute", file: "-f --file", operands: -1, input: true, strict: true}
	sqliteProgram = program{dialect: SQLite, whole: true, long: "cmd init newline nullvalue separator vfs mmap maxsize heap escape nonce key hexkey textkey",
		text: "-cmd --cmd", also: "-cmd --cmd", operands: 1, input: true}
	sqlcmdProgram = program{dialect: SQLServer, short: "S:U:P:d:H:w:l:t:c:h:s:a:m:i:o:v:Q:q:K:D:y:Y:z:Z:j:",
		long: "server user-name password database-name query initial-query input-file output-file authentication-method", text: "-Q -q --query --initial-query", file: "-i --input-file", operands: -1, input: true}
	clickhouseProgram = program{dialect: ClickHouse, short: "h:u:q:d:c:C:",
		long: "host port user password query queries-file database format config config-file connection input-format output-format structure table file param",
		text: "-q --query", file: "--queries-file", operands: -1, input: true}
	trinoProgram = program{short: "f:", long: "execute file server catalog schema user output-format session", text: "--execute", file: "-f --file", operands: -1, input: true}
)
