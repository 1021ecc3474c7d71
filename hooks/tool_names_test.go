package hooks_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

// TestToolsListsAllNames: the list that people see has every name that is known, and none that isn't.
func TestToolsListsAllNames(t *testing.T) {
	listed := map[string]string{}
	for _, tool := range hooks.Tools() {
		for _, host := range tool.Hosts {
			if name, kind := hooks.CanonicalTool(host); name != tool.Name || kind != tool.Kind {
				t.Errorf("%s is %s of kind %s, and listed as %s of kind %s", host, name, kind, tool.Name, tool.Kind)
			}
			folded := strings.ReplaceAll(spelling.Fold(host), ".", "")
			if before := listed[folded]; before != "" {
				t.Errorf("%s is listed twice, as %s before", host, before)
			}
			listed[folded] = host
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "tool.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if f, ok := decl.(*ast.FuncDecl); !ok || f.Name.Name != "toolSpelled" {
			continue
		}
		known := 0
		ast.Inspect(decl, func(n ast.Node) bool {
			c, ok := n.(*ast.CaseClause)
			if !ok {
				return true
			}
			for _, e := range c.List {
				if text, ok := e.(*ast.BasicLit); ok {
					known++
					if name, err := strconv.Unquote(text.Value); err != nil || listed[name] == "" {
						t.Errorf("%s is known and not listed", text.Value)
					}
				}
			}
			return true
		})
		if known < 100 {
			t.Errorf("only %d names were found in toolSpelled", known)
		}
	}
	list := hooks.Tools()
	list[0].Name = "x"
	if slices.ContainsFunc(hooks.Tools(), func(tool hooks.ToolInfo) bool { return tool.Name == "x" }) {
		t.Error("the list isn't the caller's own")
	}
}
