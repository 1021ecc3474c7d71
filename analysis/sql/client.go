package sql

import (
	"strings"
	"sync"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/internal/wordlist"
)

// InCommand returns what a command has a database do: the statements in the
// arguments of a client such as psql or sqlite3, and in what is known of its
// standard input; what dropdb, mysqladmin drop and the like do; and a command that
// is itself SQL, such as DROP TABLE x where a shell expects a program, because
// some tools are given that. Scripts in files aren't looked into. It never
// returns nil.
//
// Where a client reads what another program prints, there is a statement without
// a Verb that is Dynamic. Commands that c runs in turn are for calls of their own.
func InCommand(c *shell.Command) *Script {
	script := new(Script)
	if c.SQL != nil {
		return Parse(c.SQL.Text, Options{Dynamic: c.SQL.Dynamic})
	}
	if c.Name == "" {
		return script
	}
	if s := administration(c); s != nil {
		script.Statements = []*Statement{s}
		return script
	}
	if p, options, operands := programOf(c); p != nil {
		p.read(c, options, operands, script)
		return script
	}
	return fromWords(c)
}

// MayBeIn reports whether [InCommand] has anything to look at in c. Where it doesn't, there
// are no statements.
func MayBeIn(c *shell.Command) bool {
	if c.SQL != nil {
		return true
	} else if c.Name == "" {
		return false
	}
	name := strings.ToLower(c.Name)
	_, isTool := databaseTools()[name]
	_, isClient := clientOf(name)
	return isTool || isClient || subcommands(name) != nil || wordlist.Has(sqlCommands, strings.ToUpper(c.Path))
}

// programOf returns the client that c calls, with its arguments; behind the
// subcommand, where one makes it a client.
func programOf(c *shell.Command) (p *program, options []option, operands []shell.Word) {
	name := strings.ToLower(c.Name)
	for _, subcommand := range subcommands(name) {
		p, _ := clientOf(name + " " + subcommand)
		options, operands := p.arguments(c.Args)
		if operands = afterSubcommand(operands, subcommand); operands != nil {
			if p.passes {
				behind, rest := p.arguments(operands)
				options, operands = append(options, behind...), rest
			}
			return &p, options, operands
		}
	}
	if p, ok := clientOf(name); ok {
		options, operands := p.arguments(c.Args)
		return &p, options, operands
	}
	return nil, nil, nil
}

// read reports what a client is told to run.
func (p *program) read(c *shell.Command, options []option, operands []shell.Word, script *Script) {
	texts, input := 0, p.input
	for _, o := range options {
		switch {
		case wordlist.Has(p.dry, o.name) && o.value.Text != "false":
			script.Statements = nil
			return
		case wordlist.Has(p.text, o.name):
			script.append(p.parse(o.value))
			if !wordlist.Has(p.also, o.name) {
				texts++
			}
		case wordlist.Has(p.file, o.name):
			if texts++; o.value.Text == "-" || o.value.Text == "/dev/stdin" {
				script.append(p.standardInput(c))
			}
		}
	}
	if p.operands >= 0 && p.operands < len(operands) {
		for _, text := range p.joined(operands[p.operands:]) {
			script.append(p.parse(text))
			texts++
		}
	}
	if input && texts == 0 {
		script.append(p.standardInput(c))
	}
}

// joined returns the texts that operands are: each for itself, or all as one.
func (p *program) joined(operands []shell.Word) []shell.Word {
	if !p.joins {
		return operands
	}
	var texts []string
	var whole shell.Word
	for _, o := range operands {
		texts = append(texts, o.Text)
		whole.Dynamic = whole.Dynamic || o.Dynamic
	}
	whole.Text = strings.Join(texts, " ")
	return []shell.Word{whole}
}

func (p *program) parse(text shell.Word) *Script {
	script := Parse(text.Text, Options{Dialect: p.dialect, Dynamic: text.Dynamic})
	if p.strict && !script.TooComplex && !script.looksLikeSQL(text.Text) {
		return new(Script) // another language
	}
	return script
}

// append adds the statements of another text.
func (s *Script) append(other *Script) {
	s.Statements = append(s.Statements, other.Statements...)
	s.TooComplex = s.TooComplex || other.TooComplex
}

// standardInput reads what is known to be on a client's standard input.
func (p *program) standardInput(c *shell.Command) *Script {
	text, given := inputOf(c)
	if !given {
		return new(Script)
	}
	script := p.parse(text)
	if in := c.Input; in != nil && in.Dynamic && (len(in.From) > 0 || in.Text == "") {
		script.Statements = append(script.Statements, &Statement{Dynamic: true, at: len(text.Text)})
	}
	return script
}

// inputOf returns the known standard input of c: that which the line was seen to
// give it, or else its last redirection of it.
func inputOf(c *shell.Command) (text shell.Word, given bool) {
	if c.Input != nil {
		return shell.Word{Text: c.Input.Text, Dynamic: c.Input.Dynamic}, true
	}
	for _, r := range c.Redirects {
		if r.Fd > 0 {
			continue
		}
		switch r.Op {
		case "<<", "<<-":
			text, given = shell.Word{Text: r.Body, Dynamic: r.Dynamic}, true
		case "<<<":
			text, given = r.Target, true
		case "<", "<>", "<&":
			text, given = shell.Word{}, false
		}
	}
	return text, given
}

// sqlCommands are the verbs of a command that is itself SQL.
const sqlCommands = "DROP DELETE TRUNCATE UPDATE INSERT ALTER CREATE GRANT REVOKE SELECT MERGE"

// fromWords reads a command whose words are SQL.
func fromWords(c *shell.Command) *Script {
	if !wordlist.Has(sqlCommands, strings.ToUpper(c.Path)) || len(c.Args) == 0 || strings.HasPrefix(c.Args[0].Text, "-") {
		return new(Script)
	}
	words := []string{c.Path}
	dynamic := false
	for _, arg := range c.Args {
		dynamic = dynamic || arg.Dynamic
		words = append(words, wordAsSQL(arg))
	}
	text := strings.Join(words, " ")
	script := Parse(text, Options{Dynamic: dynamic})
	for _, s := range script.Statements {
		// Programs may be called so: truncate takes the place of TRUNCATE.
		if s.Verb == "TRUNCATE" && !strings.EqualFold(c.Args[0].Text, "table") {
			return new(Script)
		}
	}
	if !script.TooComplex && !script.looksLikeSQL(text) {
		return new(Script)
	}
	return script
}

// wordAsSQL returns a word as SQL. A word that was in quotes and couldn't be a
// name is a string.
func wordAsSQL(w shell.Word) string {
	if !w.Quoted || w.Dynamic {
		return w.Text
	}
	for i := range len(w.Text) {
		if c := w.Text[i]; !nameByte(c) && c != '.' {
			return "'" + strings.ReplaceAll(w.Text, "'", "''") + "'"
		}
	}
	return w.Text
}

// option is an option with its value.
type option struct {
	name  string // "-c" or "--command", in full
	value shell.Word
}

// arguments reads the arguments of a client as it does itself.
func (p *program) arguments(args []shell.Word) (options []option, operands []shell.Word) {
	for i := 0; i < len(args); i++ {
		text := args[i].Text
		var o []option
		switch {
		case text == "--" && !args[i].Dynamic:
			return options, append(operands, args[i+1:]...)
		case len(text) < 2 || text[0] != '-':
			operands = append(operands, args[i])
		case text[1] == '-' || p.whole:
			o, i = p.word(args, i)
		default:
			o, i = p.letters(args, i)
		}
		options = append(options, o...)
	}
	return options, operands
}

// word reads --name, --name=value and --name value, of which the name may be
// abbreviated.
func (p *program) word(args []shell.Word, i int) ([]option, int) {
	name, value, attached := strings.Cut(args[i].Text, "=")
	bare := strings.TrimLeft(name, "-")
	full := p.full(bare)
	o := option{name: name}
	if full != "" {
		o.name = strings.Repeat("-", len(name)-len(bare)) + full
	}
	switch {
	case attached:
		o.value = shell.Word{Text: value, Dynamic: args[i].Dynamic, Quoted: args[i].Quoted}
	case full != "" && i+1 < len(args):
		i++
		o.value = args[i]
	}
	return []option{o}, i
}

// full returns the listed option that a name is, or abbreviates. An ambiguous one
// is taken for that with SQL: the client refuses it.
func (p *program) full(name string) string {
	found := ""
	for listed := range strings.FieldsSeq(p.long) {
		switch {
		case listed == name:
			return name
		case p.whole || name == "" || !strings.HasPrefix(listed, name):
		case found == "" || p.isText("--"+listed):
			found = listed
		}
	}
	return found
}

func (p *program) isText(name string) bool { return wordlist.Has(p.text, name) }

// letters reads -abc, where a letter that takes a value has the rest of the word
// or the next one for it.
func (p *program) letters(args []shell.Word, i int) (options []option, last int) {
	text := args[i].Text
	for at := 1; at < len(text); at++ {
		o := option{name: "-" + text[at:at+1]}
		n := strings.IndexByte(p.short, text[at])
		if text[at] == ':' || n < 0 || n+1 >= len(p.short) || p.short[n+1] != ':' {
			options = append(options, o)
			continue
		}
		switch rest := text[at+1:]; {
		case rest != "":
			o.value = shell.Word{Text: rest, Dynamic: args[i].Dynamic, Quoted: args[i].Quoted}
		case strings.HasPrefix(p.short[n+1:], "::"): // only in the same word
		case i+1 < len(args):
			i++
			o.value = args[i]
		}
		return append(options, o), i
	}
	return options, i
}

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
	dry      string // options with which nothing is run
	passes   bool   // what stands behind a "--" are options of another client
}

// clientOf describes a client by its name, some with a subcommand, which subcommands lists
// as well. It is a switch because a table would be made in each process, and most look into
// it once.
func clientOf(name string) (program, bool) {
	switch name {
	case "psql", "gitlab-psql", "ysqlsh", "gpsql", "vsql":
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
		return program{dialect: BigQuery, long: "project_id location destination_table max_rows format dataset_id job_id priority label parameter flagfile maximum_bytes_billed", dry: "--dry_run", operands: 0, joins: true, input: true}, true
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
	case "artisan db:query", "console dbal:run-sql", "console doctrine:query:sql", "console doctrine:query:dql", "knex raw", "supabase db query", "typeorm query":
		return program{short: "c:d:e:", long: "connection config dataSource depth em env hydrate knexfile", operands: 0}, true
	case "sqlite-utils":
		return program{dialect: SQLite, short: "p:", long: "param attach", operands: 1, strict: true}, true
	case "liquibase execute-sql", "liquibase executeSql":
		return program{whole: true, long: "sql sql-file sqlFile url username password defaultsFile defaults-file classpath driver", text: "--sql -sql", operands: -1}, true
	case "mysqlslap":
		return program{dialect: MySQL, short: "c:e:h:i:P:q:S:u:p::", long: "concurrency create create-schema delimiter engine host iterations number-of-queries port post-query pre-query query socket user",
			text: "-q --query --create --pre-query --post-query", operands: -1}, true
	case "render psql":
		return program{dialect: Postgres, short: "c:o:", long: "command output", text: "-c --command", operands: -1, input: true, passes: true}, true
	case "gcloud sql connect":
		return program{short: "u:d:", long: "user database project", operands: -1, input: true}, true
	case "az postgres flexible-server execute", "az mysql flexible-server execute":
		return program{short: "d:f:n:p:q:u:", long: "admin-password admin-user database-name file-path name querytext subscription", text: "-q --querytext", operands: -1}, true
	case "turso db shell":
		return program{dialect: SQLite, long: "location instance proxy", operands: 1, input: true}, true
	case "heroku pg:psql":
		return program{dialect: Postgres, short: "c:f:a:r:", long: "command file app remote credential", text: "-c --command", file: "-f --file", operands: -1, input: true}, true
	case "pscale shell":
		return program{dialect: MySQL, long: "org role", operands: -1, input: true}, true
	case "artisan db", "rails dbconsole", "rails db", "gitlab-rails dbconsole", "gitlab-rails db":
		return program{operands: -1, input: true}, true
	case "manage.py dbshell", "django-admin dbshell":
		return program{short: "c:e:", long: "command database execute settings", text: "-c --command -e --execute", operands: -1, input: true, passes: true}, true
	case "prisma db execute":
		return program{long: "file url schema config", operands: -1, input: true}, true
	case "wp db query":
		return program{dialect: MySQL, operands: 0, input: true}, true
	case "drush sql:query", "drush sqlq":
		return program{dialect: MySQL, long: "file", operands: 0}, true
	case "aws athena start-query-execution":
		return program{long: "query-string work-group result-configuration query-execution-context client-request-token region profile", text: "--query-string", operands: -1}, true
	case "aws rds-data execute-statement", "aws rds-data batch-execute-statement":
		return program{long: "sql resource-arn secret-arn database schema region profile", text: "--sql", operands: -1}, true
	case "aws redshift-data execute-statement":
		return program{dialect: Postgres, long: "sql cluster-identifier workgroup-name database db-user secret-arn region profile", text: "--sql", operands: -1}, true
	case "aws redshift-data batch-execute-statement":
		return program{dialect: Postgres, long: "sqls cluster-identifier workgroup-name database db-user secret-arn region profile", text: "--sqls", operands: 0}, true
	case "aws dynamodb execute-statement":
		return program{long: "statement region profile", text: "--statement", operands: -1}, true
	case "gcloud spanner databases execute-sql":
		return program{long: "sql instance project timeout query-mode", text: "--sql", operands: -1}, true
	}
	return program{}, false
}

// subcommands are those that make a program a client, by its name.
func subcommands(name string) []string {
	switch name {
	case "aws":
		return []string{"athena start-query-execution", "dynamodb execute-statement", "rds-data batch-execute-statement", "rds-data execute-statement",
			"redshift-data batch-execute-statement", "redshift-data execute-statement"}
	case "az":
		return []string{"postgres flexible-server execute", "mysql flexible-server execute"}
	case "bq":
		return []string{"query"}
	case "clickhouse":
		return []string{"benchmark", "client", "local"}
	case "cockroach":
		return []string{"sql"}
	case "drush":
		return []string{"sql:query", "sqlq"}
	case "gcloud":
		return []string{"spanner databases execute-sql", "sql connect"}
	case "heroku":
		return []string{"pg:psql"}
	case "artisan":
		return []string{"db", "db:query"}
	case "console":
		return []string{"dbal:run-sql", "doctrine:query:sql", "doctrine:query:dql"}
	case "knex":
		return []string{"raw"}
	case "liquibase":
		return []string{"execute-sql", "executeSql"}
	case "render":
		return []string{"psql"}
	case "supabase":
		return []string{"db query"}
	case "typeorm":
		return []string{"query"}
	case "manage.py", "django-admin":
		return []string{"dbshell"}
	case "prisma":
		return []string{"db execute"}
	case "rails", "gitlab-rails":
		return []string{"dbconsole", "db"}
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

// databaseTool is a program that does by itself what a statement does.
type databaseTool struct {
	program
	verb, object string
	subcommand   string // the operand before the name
	fixed        string // the name, where none is given
}

// databaseTools are such programs, by name, from their manuals.
var databaseTools = sync.OnceValue(func() map[string]databaseTool {
	return map[string]databaseTool{
		"dropdb":     {program: program{short: "h:p:U:", long: "host port username maintenance-db"}, verb: "DROP", object: "DATABASE"},
		"dropuser":   {program: program{short: "h:p:U:", long: "host port username"}, verb: "DROP", object: "USER"},
		"createdb":   {program: program{short: "D:E:l:O:S:T:h:p:U:", long: "tablespace encoding locale lc-collate lc-ctype icu-locale owner strategy template host port username maintenance-db"}, verb: "CREATE", object: "DATABASE"},
		"createuser": {program: program{short: "c:g:a:m:h:p:U:v:", long: "connection-limit role member-of with-admin with-member host port username valid-until"}, verb: "CREATE", object: "USER"},
		"mysqladmin": mysqladmin, "mariadb-admin": mysqladmin,
		"wp":    {verb: "DROP", object: "DATABASE", subcommand: "db drop|db reset|db clean", fixed: "*"},
		"drush": {verb: "DROP", object: "DATABASE", subcommand: "sql:drop|sql-drop", fixed: "*"},
	}
})

var mysqladmin = databaseTool{program: program{short: "h:P:S:u:c:i:w::p::", long: "host port socket user count sleep wait connect-timeout shutdown-timeout defaults-file default-character-set protocol ssl-mode login-path"},
	verb: "DROP", object: "DATABASE", subcommand: "drop"}

// administration returns what c does to a database without SQL, or nil.
func administration(c *shell.Command) *Statement {
	t, ok := databaseTools()[strings.ToLower(c.Name)]
	if !ok {
		return nil
	}
	options, operands := t.arguments(c.Args)
	s := &Statement{Verb: t.verb, Object: t.object}
	for _, o := range options {
		switch o.name {
		case "--help", "--version", "-?", "-V":
			return nil
		case "--if-exists":
			s.IfExists = true
		}
	}
	if t.subcommand != "" {
		if operands = afterSubcommand(operands, t.subcommand); operands == nil {
			return nil
		}
	}
	switch {
	case t.fixed != "":
		s.Names = []string{t.fixed}
	case len(operands) > 0:
		s.Names, s.Dynamic = []string{operands[0].Text}, operands[0].Dynamic
	default:
		return nil
	}
	return s
}

// afterSubcommand returns what follows one of the subcommands, not nil where nothing does,
// and nil where none of them is there.
func afterSubcommand(operands []shell.Word, subcommands string) []shell.Word {
	for subcommand := range strings.SplitSeq(subcommands, "|") {
		words := strings.Fields(subcommand)
		for i := range operands {
			if i+len(words) <= len(operands) && matchesWords(operands[i:], words) {
				return append([]shell.Word{}, operands[i+len(words):]...)
			}
		}
	}
	return nil
}

func matchesWords(operands []shell.Word, words []string) bool {
	for i, w := range words {
		if operands[i].Text != w {
			return false
		}
	}
	return true
}
