package engine

import (
	"fmt"
	"path/filepath"

	"github.com/luahook/luahook/engine/internal/source"
	"github.com/luahook/luahook/hooks"
)

// managedFile is where the managed configuration lies; tests put it elsewhere.
var managedFile = source.ManagedFile()

// ManagedFile is the hooks.yaml of those who manage the machine, which [New] always
// reads: /etc/luahook/hooks.yaml, on Windows luahook\hooks.yaml in %ProgramData%. Its
// hooks run before all others, and nothing switches them off.
func ManagedFile() string { return managedFile }

// WithManaged reads one more file in the managed scope, beside [ManagedFile]. It must
// be there; as any managed file it must not be writable by its group or by others.
// Relative paths in it start at its folder, then at the project's root.
func WithManaged(file string) Option { return withManaged(file, "") }

// WithManagedEnv is WithManaged for a file that an environment variable has named: a
// grant in it is an error, as no environment variable grants anything.
func WithManagedEnv(file string) Option {
	return withManaged(file, "an environment variable has named this file, and none grants anything; grant it in the managed file ("+ManagedFile()+") or in the user's hooks.yaml")
}

func withManaged(file, ungranted string) Option {
	return func(o *options) error {
		if !filepath.IsAbs(file) {
			return fmt.Errorf("WithManaged: %q is no absolute path; a relative one would name another file in each folder", file)
		}
		f := managedFolder(filepath.Clean(file))
		f.Required, f.Ungranted = true, ungranted
		o.folders = append(o.folders, f)
		return nil
	}
}

// managedFolder is the folder of a managed file, of which that file alone is read.
func managedFolder(file string) source.Folder {
	return source.Folder{Scope: hooks.ScopeManaged, Dir: filepath.Dir(file), File: file}
}
