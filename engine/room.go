package engine

import (
	"cmp"
	"fmt"
	"time"

	"github.com/luahook/luahook/hooks"
)

// Bounds of what one folder may hold. A project is a stranger's until it is trusted, and
// every engine reads and loads all of it.
const (
	maxFolderFiles   = 2000 // scripts and libraries
	maxFolderBytes   = 16 << 20
	maxFolderEntries = 10_000 // of whatever kind below lib
	maxFolderHooks   = 4000
	maxFolderLoading = 10 * time.Second // of all its scripts together
	fewScripts       = 32               // which may take longer, on a machine that is busy
)

// room is how much of a folder has been read.
type room struct {
	files, bytes, entries int
	full                  bool
	read                  map[string]file // scripts that hooks.yaml lists, by their path; one may stand there often
}

func (r *room) keep(f file) {
	if r.read == nil {
		r.read = map[string]file{}
	}
	r.read[f.path] = f
}

// take counts a file and tells whether it may still be used. The first one that may not
// makes the folder one that can't be used as a whole.
func (c *folderContent) take(bytes int) bool {
	c.room.files++
	c.room.bytes += bytes
	return c.fits(c.room.files <= maxFolderFiles && c.room.bytes <= maxFolderBytes,
		fmt.Sprintf("its scripts and libraries are more than %d files or %d MiB together", maxFolderFiles, maxFolderBytes>>20))
}

// pass counts an entry of the folder of libraries.
func (c *folderContent) pass() bool {
	c.room.entries++
	return c.fits(c.room.entries <= maxFolderEntries, fmt.Sprintf("there are more than %d files and folders below lib", maxFolderEntries))
}

func (c *folderContent) fits(ok bool, problem string) bool {
	if ok || c.room.full {
		return ok
	}
	c.room.full = true
	c.failFolder(c.folder.dir, fmt.Errorf("%s; what comes after them isn't loaded", problem))
	return false
}

// loading is the loading of one folder's hooks.
type loading struct {
	until time.Time
	hooks int // in the result before it
	begun int // scripts and libraries
	over  bool
}

// goesOn tells whether more of the folder may be loaded. Where it may not the folder
// can't be used as a whole, which is said once.
func (r *loader) goesOn(c *folderContent) bool {
	problem := ""
	r.loading.begun++
	switch {
	case r.loading.over:
		return false
	case len(r.result.entries)-r.loading.hooks > maxFolderHooks:
		problem = fmt.Sprintf("it has more than %d hooks", maxFolderHooks)
	case r.loading.begun > fewScripts && time.Now().After(r.loading.until):
		problem = fmt.Sprintf("its scripts take more than %s to load", maxFolderLoading)
	default:
		return true
	}
	r.loading.over = true
	err := &hooks.Error{Kind: hooks.KindLoad, Source: c.folder.display(c.folder.dir), Message: problem + "; what comes after them isn't loaded"}
	r.result.fail(c.folder.scope, cmp.Or(c.config.OnFailure, r.engine.options.onFailure, hooks.Block), err)
	return false
}
