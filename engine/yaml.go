package engine

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/luahook/luahook/hooks"
)

// parse gives the tree of the one document in a hooks.yaml; nil where it is empty or
// can't be used.
func (d *configDecoder) parse(text []byte) (body ast.Node) {
	defer func() {
		if r := recover(); r != nil { // of the YAML library
			d.failAt(nil, "not YAML: %v", r)
			body = nil
		}
	}()
	if tooDeep(text) {
		d.failAt(nil, "not YAML for hooks: more than %d open brackets", maxConfigDepth)
		return nil
	}
	tokens := lexer.Tokenize(string(bytes.TrimPrefix(text, []byte("\ufeff"))))
	second := secondDocument(tokens)
	tree, err := parser.Parse(tokens, 0)
	if err != nil {
		e := &hooks.Error{Kind: hooks.KindLoad, Source: d.name, Message: "not YAML: " + err.Error(), Err: err}
		var syntax *yaml.SyntaxError
		if errors.As(err, &syntax) && syntax.Token != nil && syntax.Token.Position != nil {
			e.Source = fmt.Sprintf("%s:%d:%d", d.name, syntax.Token.Position.Line, syntax.Token.Position.Column)
			e.Message = "not YAML: " + syntax.Message
		}
		d.errors = append(d.errors, e)
		return nil
	}
	if second != nil {
		d.fail(second, "a second document; hooks.yaml has one")
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

// secondDocument gives the first token that isn't of the first document, or nil. The
// parser itself leaves out what follows an empty one.
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

// tooDeep counts brackets that are open at once, those in texts included.
func tooDeep(text []byte) bool {
	open := 0
	for {
		i := bytes.IndexAny(text, "[]{}")
		if i < 0 {
			return false
		}
		if text[i] == '[' || text[i] == '{' {
			open++
		} else if open > 0 {
			open--
		}
		if open > maxConfigDepth {
			return true
		}
		text = text[i+1:]
	}
}

// anchorFinder looks for the parts of YAML that let a small file stand for a huge one.
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

func (d *configDecoder) failAt(n ast.Node, format string, args ...any) {
	var t *token.Token
	if n != nil {
		t = n.GetToken()
	}
	d.fail(t, format, args...)
}

func (d *configDecoder) fail(t *token.Token, format string, args ...any) {
	at := d.name
	if t != nil && t.Position != nil {
		at = fmt.Sprintf("%s:%d:%d", d.name, t.Position.Line, t.Position.Column)
	}
	d.errors = append(d.errors, &hooks.Error{Kind: hooks.KindLoad, Source: at, Message: fmt.Sprintf(format, args...)})
}

// each walks a mapping, in which the parser has seen to it that no key stands twice;
// what is something else is an error.
func (d *configDecoder) each(n ast.Node, what string, visit func(key string, k, v ast.Node)) {
	m, ok := n.(*ast.MappingNode)
	if !ok {
		if _, empty := n.(*ast.NullNode); !empty {
			d.failAt(n, "%s: want a mapping of keys to values", what)
		}
		return
	}
	for _, p := range m.Values {
		visit(fmt.Sprint(scalar(p.Key)), p.Key, p.Value)
	}
}

// scalar is the Go value of a leaf: string, bool, int64, float64, or nil.
func scalar(n ast.Node) any {
	switch v := plain(n).(type) {
	case string, bool, int64, float64:
		return v
	}
	return nil
}

// plain is the Go value of a node as JSON would have it.
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
