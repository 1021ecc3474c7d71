package hooks

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"
	"time"
)

// A result is written as encoding/json writes it, whatever it holds.
func TestResultIsWrittenAsByEncodingJSON(t *testing.T) {
	for seed := range uint64(3000) {
		f := filler{rand.New(rand.NewPCG(seed, 0))}
		var r Result
		f.fill(reflect.ValueOf(&r).Elem(), int(seed%4))
		got, gotErr := EncodeJSON(&r)
		want, err := EncodeJSON(resultJSON{(*plainResult)(&r), r.Summary()})
		if again, err := EncodeJSON(r); (err == nil) != (gotErr == nil) || err == nil && string(again) != string(got) {
			t.Fatalf("number %d: as a value %s, %v", seed, again, err)
		}
		if (err == nil) != (gotErr == nil) || err == nil && string(got) != string(want) {
			t.Fatalf("number %d: %s, %v\nwant %s, %v", seed, got, gotErr, want, err)
		}
	}
}

// filler makes values at random.
type filler struct{ *rand.Rand }

// fill changes fields with a probability that grows with much, from 0 to 3: none to all.
func (f filler) fill(v reflect.Value, much int) {
	if f.IntN(3) >= much {
		return
	}
	switch v.Kind() {
	case reflect.String:
		words := []string{"a", "no rm here", `"\`, "<&>", "é", "\xff", "\u2028", "a\nb", "\x7f", "\x00"}
		v.SetString(words[f.IntN(len(words))])
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int64:
		v.SetInt([]int64{1, -7, math.MaxInt64, math.MinInt64}[f.IntN(4)])
	case reflect.Uint64:
		v.SetUint(f.Uint64())
	case reflect.Float64:
		v.SetFloat([]float64{0.001, 12.5, 1e-7, 1e21, 123456789, math.Copysign(0, -1), math.Inf(-1), math.NaN()}[f.IntN(8)])
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(v.Elem(), much)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), f.IntN(3), 3))
		for i := range v.Len() {
			f.fill(v.Index(i), much)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		for range f.IntN(3) {
			key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
			f.fill(key, 3)
			f.fill(value, much)
			v.SetMapIndex(key, value)
		}
	case reflect.Interface:
		if v.Type() == reflect.TypeFor[Summarizer]() {
			s := &RunSummary{}
			f.fill(reflect.ValueOf(s).Elem(), much)
			v.Set(reflect.ValueOf(s))
			return
		}
		v.Set(reflect.ValueOf([]any{"<x>", int64(3), 1.5, []any{}, map[string]any{"b": "\n", "a": nil}, false}[f.IntN(6)]))
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(time.Unix(f.Int64N(1<<39), f.Int64N(1e9)).In(time.FixedZone("", f.IntN(7200)/60*60))))
			return
		}
		for i := range v.NumField() {
			f.fill(v.Field(i), much)
		}
	}
}
