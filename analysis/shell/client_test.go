package shell

import (
	"strings"
	"testing"
)

// clientCases are calls of database clients with what they run by the shell and
// write themselves, as show writes it.
var clientCases = []struct{ text, want string }{
	{`psql -c '\! rm -rf /'`, `psql \! > rm -rf /`},
	{`psql mydb -c "\! rm x"`, `psql \! > rm x`},
	{`psql --command='\! rm x'`, `psql \! > rm x`},
	{`psql -c 'SELECT 1' -c '\! rm x'`, `psql \! > rm x`},
	{`psql -c '\o |rm x'`, `psql \o > rm x`},
	{`psql -c '\o out.txt'`, `psql > - >out.txt`},
	{`psql -o '|rm x' -c 'select 1'`, `psql -o > rm x`},
	{`psql --output='|rm x'`, `psql --output > rm x`},
	{`psql -c "COPY t TO PROGRAM 'rm -rf /tmp/x'"`, `psql COPY PROGRAM > rm -rf /tmp/x`},
	{`psql -c "COPY (SELECT 1) TO PROGRAM 'rm x'"`, `psql COPY PROGRAM > rm x`},
	{`psql -c "\copy t to program 'rm x'"`, `psql \copy > rm x`},
	{`psql -c "\copy t to '/tmp/f.csv' csv"`, `psql > - >/tmp/f.csv`},
	{"psql <<EOF\nSELECT 1;\n\\\\! rm x\nEOF", `psql \! > rm x`},
	{"psql <<'EOF'\nSELECT 1;\n\\! rm x\nSELECT 2 \\g |rm y\nEOF", `psql \! > rm x; psql \g > rm y`},
	{`psql <<< '\! rm x'`, `psql \! > rm x`},
	{`psql -f - <<< '\! rm x'`, `psql \! > rm x`},
	{"psql <<'EOF'\n\\set x `rm x`\n\\echo hi \\! rm y\nEOF", `psql \set > rm x; psql \! > rm y`},
	{`mysql -e '\! rm x'`, `mysql \! > rm x`},
	{`mysql -e 'system rm x'`, `mysql system > rm x`},
	{`mysql --execute='system rm x;'`, `mysql system > rm x`},
	{"mysql <<'EOF'\nuse db;\nsystem rm -rf x\nselect 'it\\'s \\! rm y';\n\\T log.txt\nEOF", `mysql system > rm -rf x; mysql > - >>log.txt`},
	{`mysql --pager='rm x'`, `mysql --pager > rm x`},
	{`mysql -e '\P rm x'`, `mysql \P > rm x`},
	{"psql <<E\n\\! rm $z\nSELECT '$a $b $c $d $e $f $g $h $i $j $k $l $m $n $o $p $q $r';\nE", `psql \! > ?rm $z; psql \! > rm $z*`},
	{`mysql -e 'tee /tmp/x'`, `mysql > - >>/tmp/x`},
	{`sqlite3 db '.shell rm -rf x'`, `sqlite3 .shell > rm -rf x`},
	{`sqlite3 db ".system rm x"`, `sqlite3 .system > rm x`},
	{`sqlite3 db -cmd ".once |rm x" "select 1"`, `sqlite3 .once > rm x`},
	{`sqlite3 db ".output /etc/passwd"`, `sqlite3 > - >/etc/passwd`},
	{`sqlite3 db ".once '/tmp/a b'"`, `sqlite3 > - >"/tmp/a b"`},
	{`sqlite3 db ".backup main /tmp/x"`, `sqlite3 > - >/tmp/x`},
	{`sqlite3 db ".read '|rm x'"`, `sqlite3 .read > rm x`},
	{`sqlite3 db ".import '|rm x' t"`, `sqlite3 .import > rm x`},
	{"sqlite3 db <<'EOF'\nselect 1;\n.shell rm x\nselect '\n.shell rm y\n';\nEOF", `sqlite3 .shell > rm x`},
	{`sqlite3 db "select writefile('/etc/x', 'a')"`, `sqlite3 > - >/etc/x`},
	{`duckdb -c "COPY t TO 'out.csv'"`, `duckdb > - >out.csv`},
	{`duckdb -c ".shell rm x"`, `duckdb .shell > rm x`},
	{`sqlcmd -Q "EXEC xp_cmdshell 'rm x'"`, `sqlcmd xp_cmdshell > rm x`},
	{`sqlcmd -Q "EXEC master..xp_cmdshell @cmd"`, `sqlcmd xp_cmdshell > ? " @cmd"`},
	{`sqlcmd -Q "EXEC [master].[dbo].[xp_cmdshell] N'rm x', no_output"`, `sqlcmd xp_cmdshell > rm x`},
	{"sqlcmd <<'EOF'\n:!! rm x\n!!rm y\nSELECT 1\nGO\n:out f.txt\nEOF", `sqlcmd !! > rm x; sqlcmd !! > rm y; sqlcmd > - >f.txt`},
	{"sqlplus -s u/p <<'EOF'\nhost rm x\n!rm y\nspool out.log\nselect 1 from dual;\nEOF", `sqlplus host > rm x; sqlplus ! > rm y; sqlplus > - >out.log`},
	{`psql -c "\! $CMD"`, `psql \! > ?$CMD`},
	{`psql -c "\! rm x; SELECT $Y"`, `psql \! > ?rm x; SELECT $Y; psql \! > rm x; psql \! > SELECT $Y*`},
	{`psql -c "SELECT $Y" -c '\! rm x'`, `psql \! > rm x`},
	{`cockroach sql -e '\! rm x'`, `cockroach \! > rm x`},
	{`pgcli -c '\! rm x'`, `pgcli \! > rm x`},
	{`usql db -c '\! rm x'`, `usql \! > rm x`},
	{`sudo -u postgres psql -c '\! rm x'`, `sudo > psql -c "\\! rm x"; sudo > psql \! > rm x`},
	{"mysql db <<'EOF'\nsystem rm x\nEOF", `mysql system > rm x`},
	{`mysql -e 'select 1\G \! rm x'`, `mysql \! > rm x`},
	{`sqlite3 db 'select 1;' '.shell rm x'`, `sqlite3 .shell > rm x`},
	{`duckdb db "COPY (SELECT 1) TO 'a b.csv' (HEADER)"`, `duckdb > - >"a b.csv"`},
	{`psql -c "COPY t FROM PROGRAM 'curl x'"`, `psql COPY PROGRAM > curl x`},
	{`psql -c "COPY t TO PROGRAM $CMD"`, `psql COPY PROGRAM > ? " $CMD"*`},
	{"psql <<'EOF'\n\\w |rm x\n\\o\nEOF", `psql \w > rm x`},
	{"psql <<'EOF'\nSELECT 1 \\gx (format=csv) |rm x\nEOF", `psql \gx > rm x`},
	{"psql <<'EOF'\n\\c db \\\\ \\! rm x\nEOF", `psql \! > rm x`},
	{`mysql -e 'pager rm x'`, `mysql pager > rm x`},

	// Nothing: data, comments, other options, and input that isn't read.
	{`psql -c "SELECT '\! rm x'"`, ``},
	{`psql -c "SELECT 'COPY t TO PROGRAM ''rm x'''"`, ``},
	{`psql -c "\copy t from '/tmp/f.csv' csv"`, ``},
	{`psql -c 'select 1' <<< '\! rm x'`, ``},
	{`psql -f x.sql`, ``},
	{"psql <<'EOF'\n-- \\! rm x\n/* \\! rm y */ select $$ \\! rm z $$;\nEOF", ``},
	{`mysql -e "select 'system rm x'"`, ``},
	{`mysql -e "select 1; select 2" `, ``},
	{`sqlite3 db "SELECT '.shell rm x'"`, ``},
	{`sqlite3 db ".read x.sql"`, ``},
	{`sqlite3 db ".tables"`, ``},
	{`redis-cli flushall`, ``},
	{`psql -l`, ``},
	{`psql -c 'DROP TABLE x'`, ``},
	{`psql -U bob -h host db`, ``},
	{`mysql -e "COPY t TO PROGRAM"`, ``},
	{`psql -c "\echo '\! rm x'"`, ``},
	{`psql -f file.sql <<< '\! rm x'`, ``},
	{`mysql -e "select 'a\' \! rm x'"`, ``},
	{`mysql -e '# \! rm x'`, ``},
	{`sqlite3 db ' .shell rm x'`, ``},
	{`sqlite3 db '.once -e'`, ``},
	{`sqlite3 db '.output stdout'`, ``},
	{`sqlite3 db '.log off'`, ``},
	{`psql -c "COPY t (program) FROM stdin"`, ``},
	{`psql -c "SELECT program 'rm x'"`, ``},
	{`psql -c "SELECT program FROM t"`, ``},
	{`sqlcmd -Q "SELECT 'xp_cmdshell'"`, ``},
	{`sqlcmd -Q "GRANT EXECUTE ON xp_cmdshell TO bob"`, ``},
}

func TestClients(t *testing.T) {
	for _, c := range clientCases {
		if got := showRun(Parse(c.text, Options{})); got != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// showRun is show without the commands of the line itself.
func showRun(l *Line) string {
	run := &Line{Err: l.Err, TooComplex: l.TooComplex}
	for _, c := range l.Commands {
		if len(c.Via) > 0 {
			run.Commands = append(run.Commands, c)
		}
	}
	return show(run)
}

// TestClientBounds gives clients much to look at: it is read to its end, or said
// to be too complex.
func TestClientBounds(t *testing.T) {
	for _, piece := range []string{`\\! a`, "\\! a\n", `\\x`, `\\o |a\n`, "$a$", "''", "xp_cmdshell ", "xp_cmdshell $v ", "copy program ", ".shell a\n", "/*", "`", `\\copy to '`} {
		for _, client := range []string{"psql -c", "mysql -e", "sqlite3 db", "sqlcmd -Q", "sqlplus"} {
			text := client + " \"" + strings.ReplaceAll(strings.Repeat(piece, 20_000/len(piece)), "`", "\\`") + "\""
			if line := Parse(text, Options{}); len(line.Commands) == 0 && !line.TooComplex {
				t.Errorf("%s with %q: no command", client, piece)
			}
		}
	}
}
