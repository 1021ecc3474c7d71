package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
)

// schemaOf is what the schema of hooks.yaml uses of JSON Schema (draft 2020-12), in the order in which it is written.
type schemaOf struct {
	Version              string               `json:"$schema,omitempty"`
	ID                   string               `json:"$id,omitempty"`
	Ref                  string               `json:"$ref,omitempty"`
	Definitions          map[string]*schemaOf `json:"$defs,omitempty"`
	AllOf                []*schemaOf          `json:"allOf,omitempty"`
	AnyOf                []*schemaOf          `json:"anyOf,omitempty"`
	OneOf                []*schemaOf          `json:"oneOf,omitempty"`
	Not                  *schemaOf            `json:"not,omitempty"`
	If                   *schemaOf            `json:"if,omitempty"`
	Then                 *schemaOf            `json:"then,omitempty"`
	Items                *schemaOf            `json:"items,omitempty"`
	Properties           properties           `json:"properties,omitempty"`
	PatternProperties    map[string]*schemaOf `json:"patternProperties,omitempty"`
	AdditionalProperties any                  `json:"additionalProperties,omitempty"` // a schema or false
	Title                string               `json:"title,omitempty"`
	Type                 any                  `json:"type,omitempty"` // a name or several
	Enum                 []any                `json:"enum,omitempty"`
	Const                any                  `json:"const,omitempty"`
	Maximum              json.Number          `json:"maximum,omitempty"`
	Minimum              json.Number          `json:"minimum,omitempty"`
	MaxLength            int                  `json:"maxLength,omitempty"`
	Pattern              string               `json:"pattern,omitempty"`
	MinProperties        int                  `json:"minProperties,omitempty"`
	Required             []string             `json:"required,omitempty"`
	DependentRequired    map[string][]string  `json:"dependentRequired,omitempty"`
	Description          string               `json:"description,omitempty"`
}

// properties keep the order of the form.
type properties []property

type property struct {
	key   string
	value *schemaOf
}

func (p properties) MarshalJSON() ([]byte, error) {
	var made bytes.Buffer
	e := json.NewEncoder(&made)
	e.SetEscapeHTML(false)
	for i, one := range p {
		made.WriteByte("{,"[min(i, 1)])
		if err := e.Encode(one.key); err != nil {
			return nil, err
		}
		made.WriteByte(':')
		if err := e.Encode(one.value); err != nil {
			return nil, err
		}
	}
	made.WriteByte('}')
	return made.Bytes(), nil
}

// object is the schema of a struct of the form. The structs in it are put into defs.
func object(t reflect.Type, defs map[string]*schemaOf) *schemaOf {
	s := &schemaOf{Type: "object", AdditionalProperties: false}
	for i := range t.NumField() {
		f := t.Field(i)
		value := reflected(f.Type, defs)
		value.Description = f.Tag.Get("help")
		s.Properties = append(s.Properties, property{key(f), value})
	}
	return s
}

// reflected is the schema of any type of the form.
func reflected(t reflect.Type, defs map[string]*schemaOf) *schemaOf {
	if s := valueSchema(t); s != nil {
		return s
	}
	switch t.Kind() {
	case reflect.Bool:
		return &schemaOf{Type: "boolean"}
	case reflect.Int:
		return &schemaOf{Type: "integer"}
	case reflect.Map:
		return &schemaOf{Type: "object"}
	case reflect.Pointer:
		return reflected(t.Elem(), defs)
	case reflect.Slice:
		return &schemaOf{Type: "array", Items: reflected(t.Elem(), defs)}
	case reflect.Struct:
		if defs[t.Name()] == nil {
			defs[t.Name()] = object(t, defs)
		}
		return &schemaOf{Ref: "#/$defs/" + t.Name()}
	}
	panic(fmt.Sprintf("valueSchema doesn't say what %v is", t))
}
