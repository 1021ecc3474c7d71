package hooks_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/luahook/luahook/hooks"
)

func TestErrorText(t *testing.T) {
	for _, c := range []struct {
		err         hooks.Error
		text, brief string
	}{
		{hooks.Error{Hook: "guard", Source: ".hooks/guard.lua:3", Message: "attempt to index nil"}, "hook guard (.hooks/guard.lua:3): attempt to index nil", ""},
		{hooks.Error{Hook: "guard", Message: "out of time"}, "hook guard: out of time", ""},
		{hooks.Error{Source: "hooks.yaml:7", Message: "unknown key"}, "hooks.yaml:7: unknown key", ""},
		{hooks.Error{Message: "no state left"}, "no state left", ""},
		{hooks.Error{Hook: "g", Source: "g.lua:1", Message: "bad", Snippet: "on('stpo')"}, "hook g (g.lua:1): bad\n  on('stpo')", "hook g (g.lua:1): bad"},
		{hooks.Error{Source: "hooks.yaml:3:5", Message: "bad", Snippet: "  3 |     x: 1\n    |     ^"}, "hooks.yaml:3:5: bad\n    3 |     x: 1\n      |     ^", "hooks.yaml:3:5: bad"},
	} {
		if c.brief == "" {
			c.brief = c.text
		}
		if c.err.Error() != c.text || c.err.Brief() != c.brief {
			t.Errorf("Error() = %q, Brief() = %q", c.err.Error(), c.err.Brief())
		}
	}
}

func TestRunErrorShowsWhereAFileDoesNotLoad(t *testing.T) {
	load := &hooks.Error{Kind: hooks.KindLoad, Source: "a.lua:2", Message: "unexpected end", Snippet: "if x"}
	if got, want := load.RunError(), (&hooks.RunError{Kind: "load", Message: "a.lua:2: unexpected end", Source: "a.lua:2", Snippet: "if x"}); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
	limit := &hooks.Error{Kind: hooks.KindLimit, Limit: hooks.LimitTime, Hook: "h", Source: "a.lua:2", Message: "over 1s", Traceback: "stack"}
	if got, want := limit.RunError(), (&hooks.RunError{Kind: "limit", Limit: "time", Message: "over 1s", Source: "a.lua:2", Traceback: "stack"}); !cmp.Equal(got, want) {
		t.Error(cmp.Diff(want, got))
	}
}

func TestAsError(t *testing.T) {
	own := &hooks.Error{Kind: hooks.KindScript, Message: "x"}
	if got := hooks.AsError(fmt.Errorf("run: %w", own), hooks.KindHost); got != own {
		t.Errorf("AsError wraps an error that is one already: %+v", got)
	}
	got := hooks.AsError(io.ErrUnexpectedEOF, hooks.KindCommand)
	if got.Kind != hooks.KindCommand || got.Message != "unexpected EOF" || !errors.Is(got, io.ErrUnexpectedEOF) {
		t.Errorf("AsError = %+v", got)
	}
}
