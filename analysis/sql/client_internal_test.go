package sql

import (
	"go/ast"
	"go/parser"
	gotoken "go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Each client that has a subcommand is found by it, and each subcommand leads to a client.
func TestSubcommandsAreThoseOfClients(t *testing.T) {
	names, owners := cases(t, "clientOf"), cases(t, "subcommands")
	if len(names) == 0 || len(owners) == 0 {
		t.Fatal("no cases: the test looks for them in the wrong place")
	}
	for _, name := range names {
		if _, ok := clientOf(name); !ok {
			t.Errorf("%s is no client", name)
		}
		if first, rest, ok := strings.Cut(name, " "); ok && !slices.Contains(subcommands(first), rest) {
			t.Errorf("%s is not among the subcommands of %s", rest, first)
		}
	}
	for _, owner := range owners {
		for _, subcommand := range subcommands(owner) {
			if _, ok := clientOf(owner + " " + subcommand); !ok {
				t.Errorf("%s %s is no client", owner, subcommand)
			}
		}
	}
}

// cases are the texts that the switch of a function of client.go knows.
func cases(t *testing.T, function string) (texts []string) {
	t.Helper()
	file, err := parser.ParseFile(gotoken.NewFileSet(), "client.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range file.Decls {
		f, ok := d.(*ast.FuncDecl)
		if !ok || f.Name.Name != function {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if clause, ok := n.(*ast.CaseClause); ok {
				for _, e := range clause.List {
					text, err := strconv.Unquote(e.(*ast.BasicLit).Value)
					if err != nil {
						t.Fatal(err)
					}
					texts = append(texts, text)
				}
			}
			return true
		})
	}
	return texts
}
