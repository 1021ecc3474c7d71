package config

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// parse returns the tree of the one document in a hooks.yaml; nil if it is empty or can't be used.
func (d *decoder) parse() (body ast.Node) {
	defer func() {
		if r := recover(); r != nil { // of the YAML library
			d.fail(d.start(), "not YAML: %v", r)
			body = nil
		}
	}()
	if lines := d.source.lines(); lines > maxLines {
		d.fail(d.start(), "the file has %d lines, %d may be", lines, maxLines)
		return nil
	}
	if line, column, deep := tooDeep(d.source.text); deep {
		d.fail(place{source: d.source, line: line, column: column}, "not YAML for hooks: more than %d levels open at once", maxDepth)
		return nil
	}
	tokens := lexer.Tokenize(d.source.text)
	second := secondDocument(tokens)
	tree, err := parser.Parse(tokens, 0)
	if err != nil {
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) {
			d.fail(d.at(syntax.Token), "not YAML: %s", strings.ReplaceAll(syntax.Message, "character '\t'", "a tab"))
		} else {
			d.fail(d.start(), "not YAML: %v", err)
		}
		return nil
	}
	if second != nil {
		d.fail(d.at(second), "a second document; hooks.yaml has one")
		return nil
	}
	if len(tree.Docs) == 0 || tree.Docs[0].Body == nil {
		return nil
	}
	body = tree.Docs[0].Body
	v := &anchorFinder{}
	ast.Walk(v, body)
	if v.found != nil {
		d.failAt(v.found, "anchors and aliases (&name, *name, <<) are not read here; write the value out")
		return nil
	}
	return body
}

// secondDocument returns the first token after the first document, or nil. The parser itself drops the text
// after an empty document.
func secondDocument(tokens token.Tokens) *token.Token {
	begun, ended := false, false
	for _, t := range tokens {
		switch t.Type {
		case token.CommentType:
		case token.DocumentEndType:
			ended = begun
		case token.DocumentHeaderType:
			if begun {
				return t
			}
			begun = true
		default:
			if ended {
				return t
			}
			begun = true
		}
	}
	return nil
}

// tooDeep returns where more levels are open at once than any hooks.yaml needs: the work of the parser grows
// with their square. Brackets count, also those in texts, and so do the signs of lists and keys that begin a
// line. Levels that consist of indentation alone are bounded by the size of the file.
func tooDeep(text string) (line, column int, deep bool) {
	line, column = 1, 0
	open, signs, beginning := 0, 0, true
	for _, r := range text {
		column++
		switch r {
		case '[', '{':
			open++
		case ']', '}':
			open = max(open-1, 0)
		case '-', '?', ':':
			if beginning {
				signs++
			}
		case '\n', '\r':
			line, column, signs, beginning = line+1, 0, 0, true
			continue
		case ' ', '\t':
			continue
		}
		if r != '-' && r != '?' && r != ':' {
			beginning = false
		}
		if open > maxDepth || signs > maxDepth {
			return line, column, true
		}
	}
	return 0, 0, false
}

// anchorFinder finds the parts of YAML by which a small file stands for a huge one.
type anchorFinder struct{ found ast.Node }

// Visit implements [ast.Visitor].
func (f *anchorFinder) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		if f.found == nil {
			f.found = n
		}
	}
	return f
}

// place returns where a value begins. For the library a mapping begins at its first colon.
func (d *decoder) place(n ast.Node) place {
	switch v := n.(type) {
	case *ast.MappingNode:
		if !v.IsFlowStyle && len(v.Values) > 0 {
			return d.place(v.Values[0])
		}
	case *ast.MappingValueNode:
		return d.at(v.Key.GetToken())
	}
	if n == nil {
		return d.start()
	}
	return d.at(n.GetToken())
}

// at returns the place of a token, or the beginning of the file if it has none.
func (d *decoder) at(t *token.Token) place {
	if t == nil || t.Position == nil {
		return d.start()
	}
	return place{source: d.source, line: max(t.Position.Line, 1), column: max(t.Position.Column, 1)}
}

func (d *decoder) start() place { return place{source: d.source, line: 1, column: 1} }

// isEmpty reports whether a key has no value at all.
func isEmpty(n ast.Node) bool {
	_, empty := n.(*ast.NullNode)
	return empty
}

// scalar returns the Go value of a leaf: string, bool, int64, float64, or nil.
func scalar(n ast.Node) any {
	switch v := plain(n).(type) {
	case string, bool, int64, float64:
		return v
	}
	return nil
}

// written returns a leaf as text, for values that are read from it, and for messages.
func written(n ast.Node) string {
	v := scalar(n)
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// plain returns the Go value of a node, as decoded from JSON.
func plain(n ast.Node) any {
	var v any
	if n == nil || yaml.NodeToValue(n, &v) != nil {
		return nil
	}
	return plainValue(v)
}

func plainValue(v any) any {
	switch v := v.(type) {
	case uint64:
		if v <= 1<<63-1 {
			return int64(v)
		}
		return strconv.FormatUint(v, 10)
	case map[string]any:
		for k, e := range v {
			v[k] = plainValue(e)
		}
	case []any:
		for i, e := range v {
			v[i] = plainValue(e)
		}
	}
	return v
}

// withoutMark returns the text without a byte order mark.
func withoutMark(text []byte) string { return strings.TrimPrefix(string(text), "\ufeff") }
