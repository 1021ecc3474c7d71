// Package schema has the JSON Schemas (draft 2020-12) of what luahook reads and prints: [Event] and [Result]. They
// are made from the catalogue of events and written out in docs/schemas/.
package schema

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"github.com/luahook/luahook/hooks"
	"github.com/luahook/luahook/internal/spelling"
)

const (
	dialect = "https://json-schema.org/draft/2020-12/schema"
	folder  = "https://luahook.dev/schemas/"
)

// node is a schema, or a part of one. Its keys are written in the order of its fields.
type node struct {
	Schema      string `json:"$schema,omitempty"`
	ID          string `json:"$id,omitempty"`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Ref         string `json:"$ref,omitempty"`
	Type        types  `json:"type,omitempty"`

	Enum      []any       `json:"enum,omitempty"`
	Const     any         `json:"const,omitempty"`
	Pattern   string      `json:"pattern,omitempty"`
	Format    string      `json:"format,omitempty"`
	MinLength int         `json:"minLength,omitempty"`
	MediaType string      `json:"contentMediaType,omitempty"`
	Minimum   json.Number `json:"minimum,omitempty"`
	Maximum   json.Number `json:"maximum,omitempty"`
	Items     *node       `json:"items,omitempty"`
	MinItems  int         `json:"minItems,omitempty"`

	Properties           properties          `json:"properties,omitempty"`
	PropertyNames        *node               `json:"propertyNames,omitempty"`
	AdditionalProperties any                 `json:"additionalProperties,omitempty"` // false, where it is set
	Required             []string            `json:"required,omitempty"`
	DependentRequired    map[string][]string `json:"dependentRequired,omitempty"`

	AnyOf []*node `json:"anyOf,omitempty"`
	OneOf []*node `json:"oneOf,omitempty"`
	Not   *node   `json:"not,omitempty"`
	If    *node   `json:"if,omitempty"`
	Then  *node   `json:"then,omitempty"`
	Else  *node   `json:"else,omitempty"`

	Defs     properties        `json:"$defs,omitempty"`
	Examples []json.RawMessage `json:"examples,omitempty"`
}

// types are the JSON types that a value may have.
type types []string

func (t types) MarshalJSON() ([]byte, error) {
	if len(t) == 1 {
		return hooks.EncodeJSON(t[0])
	}
	return hooks.EncodeJSON([]string(t))
}

// properties are named schemas in the order in which they are written.
type properties []property

type property struct {
	name string
	node *node
}

func (p properties) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i, e := range p {
		if i > 0 {
			b = append(b, ',')
		}
		name, err := hooks.EncodeJSON(e.name)
		if err != nil {
			return nil, err
		}
		value, err := hooks.EncodeJSON(e.node)
		if err != nil {
			return nil, err
		}
		b = append(append(append(b, name...), ':'), value...)
	}
	return append(b, '}'), nil
}

// text writes a whole schema, indented, with a newline at its end.
func (n *node) text() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(n); err != nil {
		panic(fmt.Errorf("hooks/schema: %w", err)) // an example in the catalogue isn't JSON
	}
	return b.Bytes()
}

// described returns n with a description.
func (n *node) described(text string) *node {
	n.Description = text
	return n
}

// orNull lets null stand for a value that is absent.
func (n *node) orNull() *node {
	if n.Ref != "" {
		return &node{AnyOf: []*node{ofType("null"), n}}
	}
	if n.Type != nil {
		n.Type = append(n.Type, "null")
	}
	if n.Enum != nil {
		n.Enum = append(n.Enum, nil)
	}
	return n
}

func ofType(names ...string) *node { return &node{Type: names} }

func ref(name string) *node { return &node{Ref: "#/$defs/" + name} }

// oneOfTexts is a text out of a list.
func oneOfTexts[T ~string](texts ...T) *node {
	n := ofType("string")
	for _, t := range texts {
		n.Enum = append(n.Enum, string(t))
	}
	return n
}

// anyCase is a pattern for words in upper or lower case.
func anyCase(words []string) string { return spelled(words, "") }

// anySpelling is a pattern for names as [spelling.Fold] compares them: in any case, with separators anywhere.
func anySpelling(names []string) string {
	var folded []string
	for _, name := range names {
		folded = append(folded, spelling.Fold(name))
	}
	return spelled(folded, "[-_ ]*")
}

func spelled(words []string, between string) string {
	var alternatives []string
	for _, word := range words {
		var letters []string
		for _, r := range word {
			letter := regexp.QuoteMeta(string(r))
			if 'a' <= r && r <= 'z' {
				letter = "[" + strings.ToUpper(letter) + letter + "]"
			}
			letters = append(letters, letter)
		}
		alternatives = append(alternatives, strings.Join(letters, between))
	}
	return "^" + between + "(" + strings.Join(alternatives, "|") + ")" + between + "$"
}
