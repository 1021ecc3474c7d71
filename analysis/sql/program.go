package sql

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

// clientOf describes a client by its name, some with a subcommand, which subcommands lists
// as well. It is a switch because a table would be made in each process, and most look into
// it once.
func clientOf(name string) (program, bool) {
	switch name {
	case "psql", "ysqlsh", "gpsql", "vsql":
		return psqlProgram, true
	case "pgcli":
		return program{dialect: Postgres, short: "c:h:p:U:u:d:D:", long: "command host port username user dbname dsn pgclirc logfile", text: "-c --command", operands: -1, input: true}, true
	case "mysql", "mariadb":
		return mysqlProgram, true
	case "mysqlsh":
		return shellProgram, true
	case "mycli":
		return program{dialect: MySQL, short: "e:h:P:u:S:D:d:l:", long: "execute host port user socket database dsn password pass myclirc logfile", text: "-e --execute", operands: -1, input: true}, true
	case "litecli":
		return program{dialect: SQLite, short: "e:D:l:", long: "execute database logfile liteclirc", text: "-e --execute", operands: -1, input: true}, true
	case "sqlite3", "sqlite": // options that take two values are rare: -lookaside, -pagecache
		return sqliteProgram, true
	case "duckdb":
		return program{dialect: DuckDB, whole: true, long: "c s cmd init f newline nullvalue separator storage-version", text: "-c -s -cmd --c --s --cmd", also: "-cmd --cmd", file: "-f --f", operands: 1, input: true}, true
	case "sqlcmd", "osql", "mssql-cli":
		return sqlcmdProgram, true
	case "sqlcmd query":
		return program{dialect: SQLServer, short: "d:", long: "database query text", text: "-q --query", operands: 0}, true
	case "isql":
		return program{short: "d:U:P:S:l:i:", operands: -1, input: true}, true
	case "tsql":
		return program{dialect: SQLServer, short: "S:H:p:U:P:D:I:", operands: -1, input: true}, true
	case "fisql":
		return program{dialect: SQLServer, short: "S:U:P:D:i:", operands: -1, input: true}, true
	case "clickhouse-client", "clickhouse client", "clickhouse-local", "clickhouse", "clickhouse local", "chdb", "clickhouse-benchmark", "clickhouse benchmark":
		return clickhouseProgram, true
	case "cockroach sql":
		return program{dialect: Postgres, short: "e:d:u:p:f:", long: "execute host port user database url certs-dir file format set watch", text: "-e --execute", file: "-f --file", operands: -1, input: true}, true
	case "usql":
		return program{short: "c:f:o:v:P:R:F:T:", long: "command file out set variable pset record-separator field-separator table-attr", text: "-c --command", file: "-f --file", operands: -1, input: true}, true
	case "bq query":
		return program{dialect: BigQuery, long: "project_id location destination_table max_rows format dataset_id job_id priority label parameter flagfile maximum_bytes_billed", operands: 0, joins: true, input: true}, true
	case "snowsql":
		return program{dialect: Snowflake, short: "a:u:d:s:r:w:h:p:q:f:o:c:D:", long: "accountname username dbname schemaname rolename warehouse host port query filename option connection variable", text: "-q --query", file: "-f --filename", operands: -1, input: true}, true
	case "snow sql":
		return program{dialect: Snowflake, short: "q:f:c:D:", long: "query filename connection variable database schema role warehouse", text: "-q --query", file: "-f --filename", operands: -1, input: true}, true
	case "sqlplus":
		return program{dialect: Oracle, short: "C:M:R:", operands: -1, input: true, whole: true}, true
	case "sqlcl":
		return program{dialect: Oracle, operands: -1, input: true, whole: true}, true
	case "db2":
		return program{operands: 0, joins: true, short: "f:", file: "-f"}, true
	case "trino", "presto", "presto-cli", "trino-cli":
		return trinoProgram, true
	case "hive":
		return program{short: "e:f:d:i:", long: "database define hiveconf hivevar", text: "-e", file: "-f", operands: -1, input: true}, true
	case "spark-sql":
		return program{short: "e:f:d:i:", long: "master deploy-mode conf database define hiveconf hivevar packages jars name", text: "-e", file: "-f", operands: -1, input: true}, true
	case "beeline":
		return program{short: "e:f:u:n:p:d:w:i:", long: "hivevar hiveconf", text: "-e", file: "-f", operands: -1, input: true}, true
	case "impala-shell":
		return program{short: "q:f:i:d:u:o:", long: "query query_file impalad database user output_file", text: "-q --query", file: "-f --query_file", operands: -1, input: true}, true
	case "cqlsh":
		return program{short: "e:f:u:p:k:", long: "execute file username password keyspace encoding cqlshrc", text: "-e --execute", file: "-f --file", operands: -1, input: true}, true
	case "influx":
		return program{whole: true, long: "execute host port database username password precision format", text: "-execute --execute", operands: -1}, true
	case "wrangler d1 execute":
		return program{dialect: SQLite, short: "c:e:", long: "command file config env persist-to", text: "--command", operands: -1}, true
	case "turso db shell":
		return program{dialect: SQLite, long: "location instance proxy", operands: 1, input: true}, true
	case "heroku pg:psql":
		return program{dialect: Postgres, short: "c:f:a:r:", long: "command file app remote credential", text: "-c --command", file: "-f --file", operands: -1, input: true}, true
	case "pscale shell":
		return program{dialect: MySQL, long: "org role", operands: -1, input: true}, true
	case "prisma db execute":
		return program{long: "file url schema config", operands: -1, input: true}, true
	case "wp db query":
		return program{dialect: MySQL, operands: 0, input: true}, true
	case "drush sql:query", "drush sqlq":
		return program{dialect: MySQL, long: "file", operands: 0}, true
	case "aws athena start-query-execution":
		return program{long: "query-string work-group result-configuration query-execution-context client-request-token region profile", text: "--query-string", operands: -1}, true
	case "aws rds-data execute-statement":
		return program{long: "sql resource-arn secret-arn database schema region profile", text: "--sql", operands: -1}, true
	case "aws redshift-data execute-statement":
		return program{dialect: Postgres, long: "sql cluster-identifier workgroup-name database db-user secret-arn region profile", text: "--sql", operands: -1}, true
	case "gcloud spanner databases execute-sql":
		return program{long: "sql instance project timeout query-mode", text: "--sql", operands: -1}, true
	}
	return program{}, false
}

// subcommands are those that make a program a client, by its name.
func subcommands(name string) []string {
	switch name {
	case "aws":
		return []string{"athena start-query-execution", "rds-data execute-statement", "redshift-data execute-statement"}
	case "bq":
		return []string{"query"}
	case "clickhouse":
		return []string{"benchmark", "client", "local"}
	case "cockroach":
		return []string{"sql"}
	case "drush":
		return []string{"sql:query", "sqlq"}
	case "gcloud":
		return []string{"spanner databases execute-sql"}
	case "heroku":
		return []string{"pg:psql"}
	case "prisma":
		return []string{"db execute"}
	case "pscale":
		return []string{"shell"}
	case "snow":
		return []string{"sql"}
	case "sqlcmd":
		return []string{"query"}
	case "turso":
		return []string{"db shell"}
	case "wp":
		return []string{"db query"}
	case "wrangler":
		return []string{"d1 execute"}
	}
	return nil
}

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
