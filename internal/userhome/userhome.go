// Package userhome finds the user's home folder.
package userhome

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
)

// Dir returns the user's home folder: $HOME (on Windows %USERPROFILE%) if it is an absolute path, else the one
// in the account database. It is "" if neither is known.
func Dir() string {
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		return filepath.Clean(home)
	}
	return Account()
}

// Account returns the home folder in the account database, whatever the environment says; "" if there is none.
// It is a variable for tests.
var Account = sync.OnceValue(func() string {
	// Current would use $HOME for a user whom the database doesn't know.
	find := func() (*user.User, error) { return user.LookupId(strconv.Itoa(os.Geteuid())) }
	if runtime.GOOS == "windows" {
		find = user.Current
	}
	u, err := find()
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
})

// Of returns the home folder of a user in the account database; "" if there is none.
func Of(name string) string {
	u, err := user.Lookup(name)
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
}
