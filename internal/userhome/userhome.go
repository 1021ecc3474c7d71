// Package userhome knows where the user's home folder is.
package userhome

import (
	"os"
	"os/user"
	"path/filepath"
	"runtime"
	"strconv"
	"sync"
)

// Dir is the user's home folder: what $HOME says (on Windows %USERPROFILE%) where that is
// an absolute path, else what the account database says. It is "" where neither knows.
func Dir() string {
	if home, err := os.UserHomeDir(); err == nil && filepath.IsAbs(home) {
		return filepath.Clean(home)
	}
	return Account()
}

// Account is the home folder that the account database has for the user, whatever the
// environment says; "" where it has none. It is a variable for tests.
var Account = sync.OnceValue(func() string {
	// Current would take $HOME for the home of a user whom the database doesn't know.
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

// Of is the home folder that the account database has for the user of that name; "" where
// it knows none.
func Of(name string) string {
	u, err := user.Lookup(name)
	if err != nil || !filepath.IsAbs(u.HomeDir) {
		return ""
	}
	return filepath.Clean(u.HomeDir)
}
