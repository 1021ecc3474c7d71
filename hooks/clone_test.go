package hooks_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
)

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

// What holds itself ends where it would begin anew, and what merely stands in two
// places is copied twice.
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
