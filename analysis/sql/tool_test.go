package sql

import (
	"strings"
	"testing"
)

func deep(input map[string]any) map[string]any {
	for range maxInput {
		input = map[string]any{"a": []any{input}}
	}
	return input
}

func TestInTool(t *testing.T) {
	type table = map[string]any
	many := make([]any, maxValues+1)
	for i := range many {
		many[i] = "SELECT 1"
	}
	for name, c := range map[string]struct {
		input table
		want  string
	}{
		"sql":                    {table{"sql": "DROP TABLE x"}, "DROP TABLE x"},
		"query":                  {table{"query": "delete from users", "limit": 10}, "DELETE TABLE users"},
		"any case":               {table{"SQL": "DROP TABLE x", "Query": "TRUNCATE TABLE y"}, "TRUNCATE TABLE y; DROP TABLE x"},
		"a list":                 {table{"queries": []any{"SELECT 1", "DROP TABLE x"}}, "SELECT; DROP TABLE x"},
		"texts":                  {table{"statements": []string{"SELECT 1", "DROP TABLE x"}}, "SELECT; DROP TABLE x"},
		"tables in a list":       {table{"statements": []any{table{"sql": "DROP TABLE x", "args": []any{1}}}}, "DROP TABLE x"},
		"tables in a Go list":    {table{"batch": []table{{"sql": "DROP TABLE x"}}}, "DROP TABLE x"},
		"below":                  {table{"arguments": table{"query": "DROP TABLE x"}}, "DROP TABLE x"},
		"two below":              {table{"params": table{"request": table{"sql": "DROP TABLE x"}}}, "DROP TABLE x"},
		"not understood, sure":   {table{"sql": "frobnicate the table"}, "?"},
		"not understood, else":   {table{"query": "frobnicate the table"}, ""},
		"prose":                  {table{"query": "drop table of contents from the docs"}, ""},
		"prose that looks alike": {table{"query": "how to drop table users in postgres"}, ""},
		"prose with a head":      {table{"query": "drop index cards into the box"}, ""},
		"prose in brackets":      {table{"query": "what it says there (drop table users) is old"}, ""},
		"prose, delete":          {table{"query": "delete from my list of things"}, ""},
		"a shell command":        {table{"command": "echo DROP TABLE x"}, ""},
		"a script of SQL":        {table{"script": "-- setup\nBEGIN; DROP TABLE x; COMMIT;"}, "BEGIN; DROP TABLE x; COMMIT"},
		"WITH":                   {table{"query": "WITH a AS (DELETE FROM b RETURNING *) SELECT * FROM a"}, "DELETE TABLE b; SELECT"},
		"a backquoted name":      {table{"query": "DELETE FROM `a`.`b` WHERE 1"}, "DELETE TABLE a.b where always"},
		"a template":             {table{"query": "DELETE FROM {{ t }}"}, "DELETE* TABLE {{ t }}"},
		"another key":            {table{"message": "DROP TABLE x", "path": "DROP TABLE y"}, ""},
		"too deep":               {deep(table{"sql": "DROP TABLE x"}), "?*"},
		"deep":                   {table{"a": table{"a": []any{[]any{table{"a": table{"sql": "DROP TABLE x"}}}}}}, "DROP TABLE x"},
		"no texts":               {table{"sql": 1, "query": nil, "statement": true}, ""},
		"empty":                  {table{"sql": "", "query": " "}, ""},
		"nil":                    {nil, ""},
		"too long":               {table{"query": strings.Repeat("a", maxText+1)}, "?*"},
	} {
		if got := show(InTool(c.input).Statements); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
	if script := InTool(table{"sql": many}); !script.TooComplex {
		t.Errorf("many texts: not too complex")
	}
}
