package hooks_test

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/luahook/luahook/hooks"
)

func TestDecodeJSONKeepsNumbers(t *testing.T) {
	for text, want := range map[string]any{
		"1":                    int64(1),
		"-0":                   int64(0),
		"1.0":                  int64(1),
		"1e3":                  int64(1000),
		"0.5":                  0.5,
		"-2.25e-3":             -0.00225,
		"9007199254740993":     int64(9007199254740993),
		"-9223372036854775808": int64(-9223372036854775808),
		"18446744073709551616": json.Number("18446744073709551616"),
		"1e400":                json.Number("1e400"),
		"9007199254740993.0":   json.Number("9007199254740993.0"),
		"[1,{\"a\":1e400}]":    []any{int64(1), map[string]any{"a": json.Number("1e400")}},
		`"<&>"`:                "<&>",
		"null":                 nil,
		"true":                 true,
	} {
		got, err := hooks.DecodeJSON([]byte(text))
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", text, diff)
		}
		again, err := hooks.EncodeJSON(got)
		if err != nil {
			t.Errorf("%s: %v", text, err)
		}
		if back, _ := hooks.DecodeJSON(again); !cmp.Equal(got, back) {
			t.Errorf("%s is %s when written again, which reads as %v", text, again, back)
		}
	}
}

func TestDecodeJSONSaysWhere(t *testing.T) {
	for text, offset := range map[string]int64{
		`{"a":tru}`:   8,
		"\n{\"a\" 1}": 6,
		`{"a":1`:      6,
		`{"a":1} {}`:  8,
		"1 \n\tx":     4,
		`{}}`:         2,
		`nope`:        1,
		``:            -1,
		" \n":         -1,
	} {
		_, err := hooks.DecodeJSON([]byte(text))
		var input *hooks.InputError
		if !errors.As(err, &input) || input.Offset != offset {
			t.Errorf("%q: %v, want byte offset %d", text, err, offset)
		}
	}
}

func TestEncodeJSON(t *testing.T) {
	got, err := hooks.EncodeJSON(map[string]any{"b": "a < b && c > d", "a": int64(9007199254740993)})
	if want := `{"a":9007199254740993,"b":"a < b && c > d"}`; string(got) != want || err != nil {
		t.Errorf("EncodeJSON = %s, %v; want %s", got, err, want)
	}
	if _, err := hooks.EncodeJSON(func() {}); err == nil {
		t.Error("a func is no JSON")
	}
}

func TestCloneValueSharesNothing(t *testing.T) {
	original := object{
		"m": object{"a": []any{int64(1), object{}}}, "texts": []string{"x"}, "named": map[string]string{"k": "v"}, "objects": []map[string]any{{"a": "b"}},
	}
	copied := hooks.CloneValue(original).(object)
	if diff := cmp.Diff(original, copied); diff != "" {
		t.Fatal(diff)
	}
	copied["m"].(object)["a"].([]any)[0] = "changed"
	copied["texts"].([]string)[0] = "changed"
	copied["named"].(map[string]string)["k"] = "changed"
	copied["objects"].([]map[string]any)[0]["a"] = "changed"
	want := object{
		"m": object{"a": []any{int64(1), object{}}}, "texts": []string{"x"}, "named": map[string]string{"k": "v"}, "objects": []map[string]any{{"a": "b"}},
	}
	if diff := cmp.Diff(want, original); diff != "" {
		t.Error(diff)
	}
}

// A value that holds itself ends where it would begin again, and a value in two places is copied twice.
func TestCloneOfWhatHoldsItself(t *testing.T) {
	shared := object{"x": int64(1)}
	self := object{"a": shared, "b": shared}
	self["self"] = self
	list := []any{nil}
	list[0] = list
	self["list"] = list
	want := object{"a": shared, "b": shared, "self": nil, "list": []any{nil}}
	if diff := cmp.Diff(want, hooks.CloneValue(self)); diff != "" {
		t.Error(diff)
	}
}
