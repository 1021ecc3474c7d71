package source

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// ManagedFile is where the managed configuration lies. It asks the system and not the
// environment, which the user who is managed could change.
func ManagedFile() string {
	dir, err := windows.KnownFolderPath(windows.FOLDERID_ProgramData, windows.KF_FLAG_DEFAULT)
	if err != nil {
		dir = `C:\ProgramData`
	}
	return filepath.Join(dir, "luahook", "hooks.yaml")
}
