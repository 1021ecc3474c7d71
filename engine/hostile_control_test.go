package engine_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/luahook/luahook/engine"
	"github.com/luahook/luahook/hooks"
)

// Honest policies run as ever, however much the sandbox holds back: each file of
// testdata/control gives the answer that its head says (want, of which only the keys
// that stand there count) to the event that its head names (given, or the sample).
func TestControlScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/control/*.lua")
	if err != nil || len(files) < 25 {
		t.Fatalf("%d scripts, %v", len(files), err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := &hostileScript{event: hooks.PreToolCall}
			if s.source, err = s.header(string(text)); err != nil {
				t.Fatal(err)
			}
			c, err := s.context(1)
			if err != nil {
				t.Fatal(err)
			}
			limits := engine.Limits{}
			if raceEnabled { // the clock runs as fast as ever
				limits.Timeout = time.Minute
			}
			e := newEngine(t, engine.WithScript(filepath.Base(file), s.source), engine.WithLimits(limits))
			equal(t, "problems", problems(e), "")
			for range 2 { // in a new state, and in one that has run
				r := fire(t, e, c)
				var got, want any
				decode(t, asJSON(t, r), &got)
				decode(t, s.want, &want)
				if !holds(got, want) {
					t.Errorf("%s: %s, want %s", s.title, asJSON(t, r), s.want)
				}
				t.Logf("%d instructions, %d us", r.Summary().Runs[0].Instructions, r.Summary().Runs[0].DurationUS)
			}
		})
	}
}

func decode(t *testing.T, text string, v *any) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%s: %s", err, text)
	}
}

// holds reports whether got has all that want has.
func holds(got, want any) bool {
	object, ok := want.(map[string]any)
	if !ok {
		return reflect.DeepEqual(got, want)
	}
	other, ok := got.(map[string]any)
	for key, v := range object {
		ok = ok && holds(other[key], v)
	}
	return ok
}
