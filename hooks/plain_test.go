package hooks_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/luahook/luahook/hooks"
)

type (
	named  string
	level  int8
	lines  []named
	header map[named][]string
	inner  struct {
		Deep  string
		Twice string
	}
	answer struct {
		Text     string `json:"text"`
		Bytes    []byte `json:"bytes"`
		Hidden   string `json:"-"`
		Absent   string `json:"absent,omitempty"`
		Next     *answer
		Any      any
		Err      error
		Took     time.Duration
		private  string
		*inner          // its fields are the answer's own
		Twice    string // but for this one
		Lines    lines
		Header   header
		Array    [2]level
		Function func() `json:",omitempty"`
	}
	own     struct{ secret string }
	explode struct{}
)

func (o own) MarshalJSON() ([]byte, error) { return json.Marshal(map[string]any{"own": o.secret}) }
func (explode) MarshalJSON() ([]byte, error) {
	panic("no")
}

func TestPlainValue(t *testing.T) {
	at := time.Date(2024, 5, 1, 10, 0, 0, 0, time.UTC)
	var nothing *answer
	for _, c := range []struct{ value, want any }{
		{nil, nil}, {"a", "a"}, {1.5, 1.5}, {7, 7}, {int64(7), int64(7)}, {json.Number("1e400"), json.Number("1e400")},
		{named("a"), "a"}, {level(3), int64(3)}, {uint64(math.MaxUint64), json.Number("18446744073709551615")}, {float32(0.5), 0.5},
		{[]byte("bytes"), "bytes"}, {[]byte("\xff\x00"), "\xff\x00"}, {[3]byte{'a', 'b', 'c'}, "abc"}, {json.RawMessage(`{"a":[1]}`), map[string]any{"a": []any{int64(1)}}},
		{errors.New("boom"), "boom"}, {fmt.Errorf("a: %w", errors.New("b")), "a: b"}, {at, "2024-05-01T10:00:00Z"}, {&at, "2024-05-01T10:00:00Z"}, {net.IPv4(1, 2, 3, 4), "1.2.3.4"}, {big.NewInt(5), int64(5)},
		{own{"x"}, map[string]any{"own": "x"}}, {&own{"x"}, map[string]any{"own": "x"}},
		{nothing, nil}, {(func())(nil), nil}, {lines{"a", "b"}, []any{"a", "b"}}, {map[int]string{3: "c"}, map[string]any{"3": "c"}}, {header{"A": {"b"}}, map[string]any{"A": []string{"b"}}},
		{map[string]any{"a": named("b"), "c": []any{level(1), "d"}}, map[string]any{"a": "b", "c": []any{int64(1), "d"}}},
		{[]map[string]any{{"a": level(1)}}, []any{map[string]any{"a": int64(1)}}},
		{answer{Text: "t", Bytes: []byte("b"), Hidden: "h", private: "p", inner: &inner{"d", "far"}, Twice: "near", Next: &answer{}, Any: &[]named{"x"}, Err: errors.New("e"), Took: 5, Header: header{"k": nil}}, map[string]any{
			"text": "t", "bytes": "b", "Any": []any{"x"}, "Err": "e", "Took": int64(5), "Deep": "d", "Twice": "near", "Lines": nil, "Header": map[string]any{"k": []string(nil)}, "Array": []any{int64(0), int64(0)},
			"Next": map[string]any{"text": "", "bytes": nil, "Next": nil, "Any": nil, "Err": nil, "Took": int64(0), "Twice": "", "Lines": nil, "Header": nil, "Array": []any{int64(0), int64(0)}},
		}},
	} {
		got, err := hooks.PlainValue(c.value)
		if err != nil {
			t.Errorf("%T: %v", c.value, err)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%T: %s", c.value, diff)
		}
	}
}

// Plain values aren't copied, and the caller's own values stay unchanged.
func TestPlainValueShares(t *testing.T) {
	plain := map[string]any{"a": []any{1, "x"}}
	got, _ := hooks.PlainValue(plain)
	if got.(map[string]any)["b"] = 1; plain["b"] != 1 {
		t.Error("it was copied")
	}
	list := []any{named("a"), "b"}
	mixed := map[string]any{"list": list}
	if _, err := hooks.PlainValue(mixed); err != nil || list[0] != named("a") {
		t.Errorf("the caller's list is %v now, %v", list, err)
	}
}

func TestWhatIsNoData(t *testing.T) {
	self := map[string]any{}
	self["a"] = self
	twice := []any{nil, nil}
	twice[0], twice[1] = twice, twice
	type ring struct{ Next *ring }
	circle := &ring{}
	circle.Next = circle
	type both struct {
		*ring
		Other *both
	}
	knot := &both{ring: circle}
	knot.Other = knot
	wide := make([]any, hooks.MaxValues+1)
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"function":          {map[string]any{"a": []any{func() {}}}, "value.a[0]: a value of type func() is not data"},
		"channel":           {answer{Any: make(chan int)}, "value.Any: a value of type chan int is not data"},
		"complex":           {1i, "is not data"},
		"NaN":               {map[string]any{"x": math.NaN()}, "value.x: NaN is not a JSON number"},
		"infinite":          {[]float32{float32(math.Inf(1))}, "+Inf is not a JSON number"},
		"no number":         {json.Number("1; x"), "is not a number"},
		"itself":            {self, "nested deeper than"},
		"itself twice":      {twice, "nested deeper than"},
		"pointers":          {circle, "nested deeper than"},
		"knot":              {knot, "deeper than"},
		"panic":             {[]any{explode{}}, "value[0]: hooks_test.explode panicked while it was encoded as JSON: no"},
		"keys":              {map[[2]int]string{{1, 2}: "a"}, "a map with keys of type [2]int is not an object"},
		"many":              {wide, "more than 200000 values"},
		"many, in a type":   {make([]level, hooks.MaxValues+1), "more than 200000 values"},
		"raw":               {json.RawMessage(`{"a":`), "from its MarshalJSON: not JSON"},
		"a key of megabyte": {map[string]any{strings.Repeat("k", 1<<20): func() {}}, "is not data"},
	} {
		_, err := hooks.PlainValue(c.value)
		var bad *hooks.InputError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 2000 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %.300v, want %s", name, err, c.want)
		}
	}
}

// An event that an embedder makes holds plain values everywhere.
func TestEventsOfGoAreMadePlain(t *testing.T) {
	c, err := (&hooks.Context{Event: hooks.PostToolCall, Metadata: map[string]any{"m": named("x")}, ToolCall: &hooks.ToolCall{
		Name: "bash", Input: map[string]any{"command": named("ls")}, Output: struct{ Stdout []byte }{[]byte("out")},
	}}).Complete()
	if err != nil {
		t.Fatal(err)
	}
	got := []any{c.Metadata["m"], c.ToolCall.Command, c.ToolCall.Output}
	if diff := cmp.Diff([]any{"x", "ls", map[string]any{"Stdout": "out"}}, got); diff != "" {
		t.Error(diff)
	}
	batch, err := (&hooks.Context{Event: hooks.PostToolBatch, Fields: map[string]any{"tool_calls": []struct{ Name string }{{"read"}}}}).Complete()
	if err != nil || cmp.Diff(map[string]any{"tool_calls": []any{map[string]any{"Name": "read"}}}, batch.Fields) != "" {
		t.Errorf("%v, %v", batch, err)
	}
	for field, c := range map[string]*hooks.Context{
		"metadata.m.f": {Event: hooks.Stop, Metadata: map[string]any{"m": struct {
			F func() `json:"f"`
		}{func() {}}}},
		"tool_calls[0]":     {Event: hooks.PostToolBatch, Fields: map[string]any{"tool_calls": []any{func() {}}}},
		"tool_call.input.x": {Event: hooks.PreToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Input: map[string]any{"x": math.Inf(1)}}},
		"tool_call.output":  {Event: hooks.PostToolCall, ToolCall: &hooks.ToolCall{Name: "bash", Output: func() {}}},
	} {
		_, err := c.Complete()
		var bad *hooks.InputError
		if !errors.As(err, &bad) || bad.Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
	half := make([]any, hooks.MaxValues/2+1) // the bound is one for the whole event
	if _, err := (&hooks.Context{Event: hooks.Stop, Metadata: map[string]any{"a": half, "b": half}}).Complete(); err == nil {
		t.Error("twice half of what an event may hold passes")
	}
}

// JSON texts that would become too large are refused before anything is built.
func TestDecodeJSONIsBounded(t *testing.T) {
	const size = hooks.MaxEventBytes
	fill := func(before, part, after string) string {
		return before + strings.Repeat(part, (size-len(before)-len(after))/len(part)) + after
	}
	for name, c := range map[string]struct{ text, want string }{
		"values":        {fill("[1", ",1", "]"), "more than 200000 values"},
		"lists":         {fill("[[]", ",[]", "]"), "more than 200000 values"},
		"objects":       {fill("[{}", ",{}", "]"), "more than 200000 values"},
		"members":       {fill(`{"":1`, `,"":1`, "}"), "more than 200000 values"},
		"nested":        {strings.Repeat("[", size), "nested deeper than 1000 levels"},
		"nested, whole": {strings.Repeat("[", size/2) + strings.Repeat("]", size/2), "nested deeper than 1000 levels"},
		"nested maps":   {fill("", `{"a":`, ""), "nested deeper than 1000 levels"},
		"a number":      {fill("", "9", ""), "a number of more than 1000 characters"},
		"a fraction":    {fill("[0.", "0", "1]"), "a number of more than 1000 characters"},
		"an exponent":   {fill("1e", "9", ""), "a number of more than 1000 characters"},
		"numbers":       {fill("[-1", ",-1", "]"), "more than 200000 values"},
		"quotes before": {fill(`["\\\"[[[", 1`, ",1", "]"), "more than 200000 values"},
	} {
		data := []byte(c.text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := hooks.DecodeJSON(data)
		runtime.ReadMemStats(&after)
		var bad *hooks.InputError
		if !errors.As(err, &bad) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %.200v, want %s", name, err, c.want)
		}
		if built := after.TotalAlloc - before.TotalAlloc; built > 1<<20 {
			t.Errorf("%s: %d bytes were built", name, built)
		}
	}
	for name, text := range map[string]string{
		"one text":       `"` + strings.Repeat("[", 1<<20) + `"`,
		"escapes":        `"` + strings.Repeat(`\u0000`, 1<<18) + `"`,
		"quotes":         `"` + strings.Repeat(`\"`, 1<<19) + `"`,
		"no UTF-8":       "\"" + strings.Repeat("\xff", 1<<20) + "\"",
		"deep enough":    strings.Repeat("[", 1000) + strings.Repeat("]", 1000),
		"enough":         "[1" + strings.Repeat(",1", 199_000) + "]",
		"a long key":     `{"` + strings.Repeat("k", 1<<20) + `":1}`,
		"digits":         strings.Repeat("9", 1000),
		"a mark, blanks": "\uFEFF" + strings.Repeat(" ", 1<<20) + "1",
	} {
		if _, err := hooks.DecodeJSON([]byte(text)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A message is one line, however long its subject.
func TestErrorsOfLongInputAreShort(t *testing.T) {
	long := strings.Repeat("k", 1<<20)
	for name, text := range map[string]string{
		"key twice": `{"event":"stop","` + long + `":1,"` + long + `":2}`,
		"event":     `{"event":"` + long + `"}`,
		"kind":      `{"event":"pre_tool_call","tool_call":{"name":"x","kind":"` + long + `"}}`,
		"record":    `{"event":"pre_tool_call","tool_call":{"name":"x","` + long + `":1,"outcome":"` + long + `"}}`,
		"field":     `{"event":"on_retry","attempt":"` + long + `"}`,
	} {
		_, err := hooks.DecodeContext([]byte(text), "")
		if err == nil || len(err.Error()) > 3000 || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %.300v", name, err)
		}
	}
}
