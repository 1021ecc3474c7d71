package sql_test

import (
	"fmt"

	"github.com/luahook/luahook/analysis/shell"
	"github.com/luahook/luahook/analysis/sql"
)

func ExampleParse() {
	script := sql.Parse("WITH old AS (DELETE FROM orders RETURNING id) SELECT 'DROP TABLE x' FROM old; DROP TABLE IF EXISTS a, b CASCADE", sql.Options{})
	for _, s := range script.Statements {
		fmt.Println(s.Verb, s.Object, s.Names, s.HasWhere, s.Cascade)
	}
	// Output:
	// DELETE TABLE [orders] false false
	// SELECT  [] false false
	// DROP TABLE [a b] false true
}

// A guard against losing whole tables has to look at what isn't known, too.
func ExampleInCommand() {
	for _, line := range []string{
		`psql -c "DELETE FROM users WHERE id = 1"`,
		`sudo mysql -e 'DELETE FROM users WHERE 1=1'`,
		`psql -c "$QUERY"`,
		`git commit -m 'DELETE FROM users'`,
	} {
		for _, command := range shell.Parse(line, shell.Options{}).Commands {
			for _, s := range sql.InCommand(command).Statements {
				switch {
				case s.Verb == "" && s.Dynamic:
					fmt.Println("only known when it runs")
				case s.Verb == "DELETE" && (!s.HasWhere || s.WhereAlways):
					fmt.Println("all rows of", s.Name())
				}
			}
		}
	}
	// Output:
	// all rows of users
	// only known when it runs
}

func ExampleInTool() {
	script := sql.InTool(map[string]any{"params": map[string]any{"query": "TRUNCATE orders"}})
	fmt.Println(script.Statements[0].Verb, script.Statements[0].Name())
	// Output: TRUNCATE orders
}
