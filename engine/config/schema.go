package config

import _ "embed"

// schema is made from the types in form.go: go test ./engine/config -update
//
//go:embed hooks.schema.json
var schema []byte

// Schema is the JSON Schema (draft 2020-12) of hooks.yaml, for editors. It knows every
// key; of what a value may say it knows what a schema can, and of an event the spellings
// of the catalogue. The caller may change the bytes.
func Schema() []byte { return append([]byte(nil), schema...) }
