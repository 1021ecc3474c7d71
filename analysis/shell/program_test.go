package shell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
)

// programNames returns the names of which optionsOf knows something: the cases in
// the source of what it asks.
func programNames(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob("program_*.go")
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, file := range append(files, "gitoptions.go") {
		syntax, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(syntax, func(n ast.Node) bool {
			clause, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, expr := range clause.List {
				literal, ok := expr.(*ast.BasicLit)
				if !ok {
					continue
				}
				name, err := strconv.Unquote(literal.Value)
				if err != nil {
					t.Fatal(err)
				}
				if _, known := optionsOf(name); !known {
					t.Errorf("%s: optionsOf doesn't know %q", file, name)
				}
				names = append(names, name)
			}
			return true
		})
	}
	if len(names) < 100 {
		t.Fatalf("the sources have %d programs", len(names))
	}
	slices.Sort(names)
	return names
}
