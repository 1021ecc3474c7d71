package show

import (
	"bytes"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/luahook/luahook/hooks"
)

// The result reads as encoding/json would write it, with nothing in it, with everything,
// and with each field that stands alone.
func TestResultJSON(t *testing.T) {
	full := filled(reflect.TypeFor[hooks.Result](), "plain").Interface().(hooks.Result)
	odd := filled(reflect.TypeFor[hooks.Result](), "\"<a&b>\"\\ \n\x00\x7f\u2028 ü\xff").Interface().(hooks.Result)
	results := []hooks.Result{{}, full, odd,
		{Input: map[string]any{}, Data: map[string]any{}, Contexts: []hooks.ContextEntry{}, Warnings: []string{}},
		summarized(hooks.Result{}, &hooks.RunSummary{}),
		summarized(hooks.Result{}, &hooks.RunSummary{Runs: []hooks.Run{}, DurationMS: 1e-9}),
		summarized(hooks.Result{}, &hooks.RunSummary{Runs: []hooks.Run{{}, full.Summary().Runs[0], {Entries: []hooks.Entry{{}, {}}}}, DurationMS: 1e30}),
	}
	for _, from := range []reflect.Value{reflect.ValueOf(full), reflect.ValueOf(odd)} {
		for i := range from.NumField() {
			var r hooks.Result
			reflect.ValueOf(&r).Elem().Field(i).Set(from.Field(i))
			results = append(results, r)
		}
	}
	for _, r := range results {
		want, err := hooks.EncodeJSON(&r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := JSON(&r); err != nil || string(got) != string(want) {
			t.Errorf("got  %s, %v\nwant %s", got, err, want)
		}
	}
}

func TestResultJSONFails(t *testing.T) {
	for _, r := range []hooks.Result{
		{Output: math.NaN()},
		summarized(hooks.Result{}, &hooks.RunSummary{DurationMS: math.Inf(1)}),
		summarized(hooks.Result{}, &hooks.RunSummary{StartedAt: time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC)}),
	} {
		if line, err := JSON(&r); err == nil {
			t.Errorf("no error, but %s", line)
		}
	}
}

func summarized(r hooks.Result, s *hooks.RunSummary) hooks.Result {
	r.Summarizer = s
	return r
}

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
	line, err := JSON(&full)
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
