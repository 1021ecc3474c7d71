package sql

import (
	"strings"
	"testing"

	"github.com/luahook/luahook/analysis/shell"
)

// commandCases are command lines with what they have databases do.
var commandCases = []struct{ text, want string }{
	{`psql -c "DROP TABLE x"`, `DROP TABLE x`},
	{`psql -c 'DELETE FROM users'`, `DELETE TABLE users`},
	{`psql -U bob -h h db -c "DROP TABLE x" -c 'SELECT 1'`, `DROP TABLE x; SELECT`},
	{`psql --command="TRUNCATE a"`, `TRUNCATE TABLE a`},
	{`psql --comm 'TRUNCATE a'`, `TRUNCATE TABLE a`},
	{`psql -qtAc 'DROP TABLE x'`, `DROP TABLE x`},
	{`psql -c"DROP TABLE x"`, `DROP TABLE x`},
	{`psql -f x.sql`, ``},
	{`psql -c "\d+ users"`, ``},
	{`psql -c "EXPLAIN DELETE FROM a"`, `DELETE TABLE a explain`},
	{`psql -c "DELETE FROM $T"`, `DELETE* TABLE $T`},
	{`psql -c "$SQL"`, `?*`},
	{`psql -c 'DROP TABLE $x'`, `DROP* TABLE $x`},
	{`psql db <<< 'DROP TABLE x'`, `DROP TABLE x`},
	{"psql db <<'EOF'\nSELECT 1;\nDROP TABLE x;\nEOF", `SELECT; DROP TABLE x`},
	{"psql db <<EOF\nDROP TABLE $T;\nEOF", `DROP* TABLE $T`},
	{"gitlab-psql -c 'DROP TABLE x'", `DROP TABLE x`},
	{"echo 'DROP TABLE x' | gitlab-rails dbconsole", `DROP TABLE x`},
	{`psql -f - <<< 'DROP TABLE x'`, `DROP TABLE x`},
	{`psql -c 'SELECT 1' <<< 'DROP TABLE x'`, `SELECT`},
	{"psql <<'EOF' < x.sql\nDROP TABLE x\nEOF", ``},
	{`psql -v x='DROP TABLE x' db`, ``},
	{`psql -l`, ``},
	{`psql "postgres://u:p@h/db" -c 'drop schema public cascade'`, `DROP SCHEMA public cascade`},
	{`mysql -e "drop database   myapp"`, `DROP DATABASE myapp`},
	{`mysql -uroot -psecret -Nse 'DROP TABLE x' db`, `DROP TABLE x`},
	{`mysql --execute='DROP TABLE x'`, `DROP TABLE x`},
	{`mysql --exec 'DROP TABLE x'`, `DROP TABLE x`},
	{`mysql -u root -p db <<< 'DROP TABLE x'`, `DROP TABLE x`},
	{`mysql db < dump.sql`, ``},
	{`mysql -h localhost mydb`, ``},
	{`mariadb -e 'DELETE FROM x WHERE 1'`, `DELETE TABLE x where always`},
	{`mysql --init-command='DROP TABLE x' <<< 'DROP TABLE y'`, `DROP TABLE x; DROP TABLE y`},
	{`mycli -e 'DROP TABLE x'`, `DROP TABLE x`},
	{`mysqladmin drop mydb`, `DROP DATABASE mydb`},
	{`mysqladmin -f -u root -psecret drop mydb`, `DROP DATABASE mydb`},
	{`mysqladmin status`, ``},
	{`mysqladmin -u drop status`, ``},
	{`mariadb-admin --force drop $DB`, `DROP* DATABASE $DB`},
	{`dropdb myapp`, `DROP DATABASE myapp`},
	{`dropdb --if-exists -U bob -h h myapp`, `DROP DATABASE myapp ifexists`},
	{`dropdb --help`, ``},
	{`dropdb`, ``},
	{`dropuser bob`, `DROP USER bob`},
	{`createdb new`, `CREATE DATABASE new`},
	{`sqlite3 test.db 'DROP TABLE x'`, `DROP TABLE x`},
	{`sqlite3 -line test.db 'SELECT 1' 'DROP TABLE x'`, `SELECT; DROP TABLE x`},
	{`sqlite3 -cmd 'DROP TABLE x' test.db`, `DROP TABLE x`},
	{`sqlite3 -separator , test.db 'DROP TABLE x'`, `DROP TABLE x`},
	{`sqlite3 test.db <<< 'DROP TABLE x'`, `DROP TABLE x`},
	{`sqlite3 test.db .dump`, ``},
	{`sqlite3 test.db '.restore other.db'`, `RESTORE DATABASE`},
	{`sqlite3 'DROP TABLE x'`, ``},
	{`duckdb -c 'DROP TABLE x'`, `DROP TABLE x`},
	{`duckdb db 'DROP TABLE x'`, `DROP TABLE x`},
	{`duckdb -nullvalue NULL db 'SELECT 1'`, `SELECT`},
	{`duckdb -cmd 'DROP TABLE x' db 'SELECT 1'`, `DROP TABLE x; SELECT`},
	{`sqlcmd -S h -d db -Q 'DROP TABLE [x y]'`, `DROP TABLE x y`},
	{`sqlcmd -Q "DELETE users"`, `DELETE TABLE users`},
	{`sqlcmd -i x.sql`, ``},
	{`sqlcmd query 'DELETE FROM users'`, `DELETE TABLE users`},
	{"sqlcmd -S h <<'EOF'\nDROP TABLE x\nGO\nEOF", `DROP TABLE x`},
	{`clickhouse-client --query 'DROP TABLE x'`, `DROP TABLE x`},
	{`clickhouse-client -q 'DROP TABLE x' --query='DROP TABLE y'`, `DROP TABLE x; DROP TABLE y`},
	{`clickhouse client -q 'ALTER TABLE t DELETE WHERE 1'`, `ALTER TABLE t (DELETE) where always`},
	{`clickhouse-client --queries-file x.sql`, ``},
	{`cockroach sql --insecure -e 'DROP TABLE x'`, `DROP TABLE x`},
	{`usql pg://h/db -c 'DROP TABLE x'`, `DROP TABLE x`},
	{`bq query --use_legacy_sql=false 'DROP TABLE d.x'`, `DROP TABLE d.x`},
	{`bq --project_id p query 'DELETE FROM d.x WHERE true'`, `DELETE TABLE d.x where always`},
	{`bq ls d`, ``},
	{`snowsql -q 'DROP TABLE x'`, `DROP TABLE x`},
	{`snow sql -q 'DROP TABLE x'`, `DROP TABLE x`},
	{`trino --execute 'DROP TABLE x'`, `DROP TABLE x`},
	{`hive -e 'DROP TABLE x'`, `DROP TABLE x`},
	{`cqlsh -e 'DROP KEYSPACE k'`, `DROP KEYSPACE k`},
	{"sqlplus -s u/p@db <<'EOF'\nDROP USER x CASCADE;\nEOF", `DROP USER x cascade`},
	{`wrangler d1 execute DB --remote --command 'DROP TABLE x'`, `DROP TABLE x`},
	{`turso db shell mydb 'DROP TABLE x'`, `DROP TABLE x`},
	{`turso db list`, ``},
	{`mysqlsh --sql -e 'DROP TABLE x'`, `DROP TABLE x`},
	{`mysqlsh --js -e "print('DROP TABLE x')"`, ``},
	{`aws athena start-query-execution --query-string 'DROP TABLE x'`, `DROP TABLE x`},
	{`aws rds-data execute-statement --resource-arn a --sql 'DROP TABLE x'`, `DROP TABLE x`},
	{`gcloud spanner databases execute-sql db --instance=i --sql='DELETE FROM t WHERE true'`, `DELETE TABLE t where always`},
	{`wp db query 'DROP TABLE x'`, `DROP TABLE x`},
	{`wp db reset --yes`, `DROP DATABASE *`},
	{`drush sql:drop -y`, `DROP DATABASE *`},
	{`sudo -u postgres psql -c 'DROP TABLE x'`, `DROP TABLE x`},
	{`PGPASSWORD=x /usr/bin/psql -c 'DROP TABLE x'`, `DROP TABLE x`},
	{`DROP TABLE users;`, `DROP TABLE users`},
	{`drop table users`, `DROP TABLE users`},
	{`DELETE FROM "Public"."Users";`, `DELETE TABLE Public.Users`},
	{`DELETE FROM users WHERE id = 1`, `DELETE TABLE users where`},
	{`DELETE FROM users WHERE name = 'DROP TABLE x'`, `DELETE TABLE users where`},
	{`truncate table orders`, `TRUNCATE TABLE orders`},
	{`truncate -s 0 app.log`, ``},
	{`truncate orders`, ``},
	{`UPDATE users SET a=1`, `UPDATE TABLE users`},
	{`INSERT INTO log VALUES 'DELETE FROM x'`, `INSERT TABLE log`},
	{`GRANT SELECT ON db TO bob`, `GRANT TABLE db (SELECT)`},
	{`DELETE FROM $t`, `DELETE* TABLE $t`},
	{`drop the mic`, ``},
	{`update the docs`, ``},
	{`create-react-app x`, ``},
	{`select x from y`, ``},
	{`echo 'DROP TABLE x'`, ``},
	{`git commit -m 'DROP TABLE x'`, ``},
	{`grep 'DROP TABLE' x.sql`, ``},
	{`redis-cli flushall`, ``},
	{`mongosh --eval 'db.dropDatabase()'`, ``},
	{`$TOOL -c 'DROP TABLE x'`, ``},
}

func TestInCommand(t *testing.T) {
	for _, c := range commandCases {
		script := new(Script)
		for _, command := range shell.Parse(c.text, shell.Options{}).Commands {
			script.append(InCommand(command))
		}
		if got := show(script.Statements); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestInput gives clients their input by what the line was seen to do.
func TestInput(t *testing.T) {
	from := []*shell.Command{{Name: "curl"}}
	hereDocument := []shell.Redirect{{Op: "<<", Fd: -1, Body: "DROP TABLE a"}}
	for name, c := range map[string]struct {
		command shell.Command
		want    string
	}{
		"pipe":              {shell.Command{Name: "psql", Input: &shell.Input{Text: "DROP TABLE x"}}, "DROP TABLE x"},
		"unknown":           {shell.Command{Name: "psql", Input: &shell.Input{Dynamic: true, From: from}}, "?*"},
		"partly known":      {shell.Command{Name: "mysql", Input: &shell.Input{Text: "DROP TABLE $x", Dynamic: true, From: from}}, "DROP* TABLE $x; ?*"},
		"here-document":     {shell.Command{Name: "sqlite3", Input: &shell.Input{Text: "DELETE FROM $x", Dynamic: true}}, "DELETE* TABLE $x"},
		"seen twice":        {shell.Command{Name: "psql", Input: &shell.Input{Text: "DROP TABLE a"}, Redirects: hereDocument}, "DROP TABLE a"},
		"another's input":   {shell.Command{Name: "cat", Input: &shell.Input{Text: "DROP TABLE x"}}, ""},
		"not read":          {shell.Command{Name: "psql", Args: []shell.Word{{Text: "-c"}, {Text: "SELECT 1"}}, Input: &shell.Input{Text: "DROP TABLE x"}}, "SELECT"},
		"read after -cmd":   {shell.Command{Name: "sqlite3", Args: []shell.Word{{Text: "-cmd"}, {Text: "SELECT 1"}, {Text: "db"}}, Input: &shell.Input{Text: "DROP TABLE x"}}, "SELECT; DROP TABLE x"},
		"descriptor":        {shell.Command{Name: "psql", Redirects: []shell.Redirect{{Op: "<<<", Fd: 3, Target: shell.Word{Text: "DROP TABLE x"}}}}, ""},
		"file over text":    {shell.Command{Name: "psql", Redirects: append(hereDocument[:1:1], shell.Redirect{Op: "<", Fd: 0})}, ""},
		"unknown command":   {shell.Command{NameDynamic: true, Input: &shell.Input{Text: "DROP TABLE x"}}, ""},
		"upper-case client": {shell.Command{Name: "PSQL", Input: &shell.Input{Text: "DROP TABLE x"}}, "DROP TABLE x"},
	} {
		if got := show(InCommand(&c.command).Statements); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

// TestCommandTooComplex gives a client more than is read.
func TestCommandTooComplex(t *testing.T) {
	c := &shell.Command{Name: "psql", Input: &shell.Input{Text: strings.Repeat("SELECT 1;\n", 10_000)}}
	if script := InCommand(c); !script.TooComplex || show(script.Statements) != "?*" {
		t.Errorf("too complex %v: %s", script.TooComplex, show(script.Statements))
	}
}
