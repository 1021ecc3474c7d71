package engine

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/luahook/luahook/internal/userhome"
	"github.com/luahook/luahook/luabind/lib"
)

// host is what built-ins are told of the machine. A folder for temporary files that is
// the root, or holds the user's home, isn't one.
func (e *Engine) host() lib.Host {
	h := lib.Host{Root: e.options.root, Around: e.options.around, State: StateDir(), Config: UserDir(), Managed: filepath.Dir(managedFile), Home: userhome.Dir()}
	for _, dir := range []string{"/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders", "/private/var/folders", filepath.Clean(os.TempDir())} {
		if !filepath.IsAbs(dir) || filepath.Dir(dir) == dir || h.Home == dir || strings.HasPrefix(h.Home, dir+string(filepath.Separator)) {
			continue
		}
		h.Temp = append(h.Temp, filepath.ToSlash(dir))
	}
	for _, f := range e.options.folders {
		if !f.Confined {
			continue
		}
		if _, err := os.Lstat(f.Dir); err == nil {
			h.Hooks, h.Rooted = append(h.Hooks, f.Dir), append(h.Rooted, f.Root)
		}
	}
	return h
}
