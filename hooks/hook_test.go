package hooks_test

import (
	"strings"
	"testing"
	"time"

	"github.com/luahook/luahook/hooks"
)

func TestParsePolicy(t *testing.T) {
	for _, word := range []string{"block", "warn", "ignore"} {
		if p, err := hooks.ParsePolicy(word); string(p) != word || err != nil {
			t.Errorf("ParsePolicy(%q) = %q, %v", word, p, err)
		}
	}
	for word, says := range map[string]string{"blok": `did you mean "block"?`, "": `on_failure is ""`, "Block": "want block, warn or ignore"} {
		if p, err := hooks.ParsePolicy(word); p != "" || err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("ParsePolicy(%q) = %q, %v", word, p, err)
		}
	}
}

func TestParseTimeout(t *testing.T) {
	for text, want := range map[string]time.Duration{"200ms": 200 * time.Millisecond, " 1.5s ": 1500 * time.Millisecond} {
		if d, err := hooks.ParseTimeout(text); d != want || err != nil {
			t.Errorf("ParseTimeout(%q) = %v, %v", text, d, err)
		}
	}
	for _, text := range []string{"", "0s", "-1s", "5", "soon"} {
		if d, err := hooks.ParseTimeout(text); d != 0 || err == nil || !strings.Contains(err.Error(), `"200ms"`) {
			t.Errorf("ParseTimeout(%q) = %v, %v", text, d, err)
		}
	}
}

func TestScopesRunFromManagedToProject(t *testing.T) {
	for rank, scope := range []hooks.Scope{"managed", "embedder", "user", "project"} {
		if scope.Rank() != rank {
			t.Errorf("%s has rank %d, want %d", scope, scope.Rank(), rank)
		}
	}
}
