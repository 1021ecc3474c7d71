package show

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/luahook/luahook/hooks"
)

// filled is a value of a type in which nothing is empty.
func filled(t reflect.Type, text string) reflect.Value {
	v := reflect.New(t).Elem()
	switch {
	case t == reflect.TypeFor[time.Time]():
		v.Set(reflect.ValueOf(time.Date(2026, 2, 3, 4, 5, 6, 789, time.FixedZone("", 3600))))
	case t == reflect.TypeFor[hooks.Summarizer]():
		v.Set(filled(reflect.TypeFor[*hooks.RunSummary](), text))
	case t.Kind() == reflect.Struct:
		for i := range t.NumField() {
			v.Field(i).Set(filled(t.Field(i).Type, text))
		}
	case t.Kind() == reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem(), text))
	case t.Kind() == reflect.Slice:
		v = reflect.Append(v, filled(t.Elem(), text), filled(t.Elem(), text))
	case t.Kind() == reflect.Map:
		v.Set(reflect.MakeMap(t))
		v.SetMapIndex(reflect.ValueOf(text), filled(t.Elem(), text))
	case t.Kind() == reflect.Interface:
		v.Set(reflect.ValueOf([]any{text, 1.5, nil}))
	case t.Kind() == reflect.String:
		v.SetString(text)
	case t.Kind() == reflect.Bool:
		v.SetBool(true)
	case v.CanInt():
		v.SetInt(-17)
	case v.CanUint():
		v.SetUint(17)
	case v.CanFloat():
		v.SetFloat(0.125)
	}
	return v
}

// A result in which everything stands has the keys of the published schema, and no others.
func TestFullResultFitsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../../docs/schemas/result.json")
	if err != nil {
		t.Fatal(err)
	}
	full := filled(reflect.TypeFor[hooks.Result](), "text").Interface().(hooks.Result)
	line, err := hooks.EncodeJSON(&full)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(line))
	if err != nil {
		t.Fatal(err)
	}
	err = schema.Validate(doc)
	for _, key := range []string{"additional properties", "missing propert", "oneOf"} {
		if err == nil || strings.Contains(err.Error(), key) { // only words and numbers are wrong
			t.Errorf("%v\n%s", err, line)
		}
	}
}
