package shell

import (
	"context"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestCache asks for lines a second time: the very same comes back where it is kept.
func TestCache(t *testing.T) {
	large := strings.Repeat("x", maxText-10)
	for _, tt := range []struct {
		name          string
		before        []string // parsed first
		text          string
		first, second Options
		want          bool
	}{
		{"the same text", nil, "ls", Options{}, Options{}, true},
		{"the same options", nil, "ls", Options{Cwd: "/a"}, Options{Cwd: "/a"}, true},
		{"another folder", nil, "ls", Options{Cwd: "/a"}, Options{Cwd: "/b"}, false},
		{"another home", nil, "ls", Options{Home: "/a"}, Options{}, false},
		{"no text", nil, "", Options{}, Options{}, true},
		{"the last that has a place", differing("", 15), "ls", Options{}, Options{}, true},
		{"too many", differing("", 16), "ls", Options{}, Options{}, false},
		{"as much as there is room for", differing(large, 3), large, Options{}, Options{}, true},
		{"too much together", differing(large, 4), large, Options{}, Options{}, false},
		{"room for a short one", append(differing(large, 3), large+large), "ls", Options{}, Options{}, true},
		{"longer than a line can be", nil, large + large, Options{}, Options{}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := new(Cache)
			for _, text := range tt.before {
				c.Parse(text, Options{})
			}
			if got := c.Parse(tt.text, tt.first) == c.Parse(tt.text, tt.second); got != tt.want {
				t.Errorf("the same line: %v, want %v", got, tt.want)
			}
		})
	}
}

// differing makes different texts.
func differing(text string, n int) (texts []string) {
	for i := range n {
		texts = append(texts, text+strconv.Itoa(i))
	}
	return texts
}

// TestCacheIsShared has many ask for a text at once: all get one line, complete.
func TestCacheIsShared(t *testing.T) {
	ctx := context.WithValue(context.Background(), CacheKey{}, new(Cache))
	text := strings.Repeat("echo one two;", 500)
	lines := make([]*Line, 16)
	var all sync.WaitGroup
	for i := range lines {
		all.Go(func() { lines[i] = ParseContext(ctx, text, Options{Home: "/h"}) })
	}
	all.Wait()
	for _, l := range lines {
		if l != lines[0] || len(l.Commands) != 500 {
			t.Fatalf("a line of its own, or one of %d commands", len(l.Commands))
		}
	}
}

func TestParseContextWithoutCache(t *testing.T) {
	for _, ctx := range []context.Context{context.Background(), context.WithValue(context.Background(), CacheKey{}, (*Cache)(nil))} {
		a, b := ParseContext(ctx, "ls -l", Options{}), ParseContext(ctx, "ls -l", Options{})
		if a == b || show(a) != "ls -l" {
			t.Errorf("%p %p %s", a, b, show(a))
		}
	}
}
