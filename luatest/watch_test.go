package luatest_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/luahook/luahook/luatest"
)

// What has changed is named, and what an editor leaves for a moment isn't a change.
func TestWatchNamesWhatHasChanged(t *testing.T) {
	dir := projectOf(t, files{".hooks/a_test.lua": "test('x', function() end)"})
	ctx, cancel := contextOf(t)
	var told []string
	times := 0
	err := luatest.Watch(ctx, luatest.Options{Dir: dir}, func(changed []string) {
		told = append(told, changed...)
		if times++; times == 1 {
			for _, name := range []string{"4913", ".a.lua.swp", ".#a.lua", "a.lua~", "a_test.lua"} {
				if err := os.WriteFile(filepath.Join(dir, ".hooks", name), nil, 0o600); err != nil {
					t.Error(err)
				}
			}
		} else {
			cancel()
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(told, []string{".hooks/a_test.lua"}) {
		t.Errorf("told of %q", told)
	}
}
