package source

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/luahook/luahook/internal/openfile"
	"github.com/luahook/luahook/luabind"
)

// Bounds of what one folder may hold. A project is a stranger's until it is trusted, and
// every engine reads and loads all of it.
const (
	maxFolderFiles   = 2000 // scripts and libraries
	maxFolderBytes   = 16 << 20
	maxFolderEntries = 10_000 // of whatever kind, in the folder of scripts and below lib
)

// DefaultBudget is the work that reading and loading a project may take, in instructions:
// about a second on a machine that does nothing else. It is counted, and not measured by
// the clock, as an unchanged project must not fail where the machine is busy.
const DefaultBudget = 50_000_000

// maxHeap is the memory, in bytes, that loading may leave behind for each DefaultBudget of work.
const maxHeap = 128 << 20

// maxLoadingTime is how long it may take by the clock, however busy the machine is.
const maxLoadingTime = 30 * time.Second

// What the parts of reading take, in instructions. They are estimates from above.
const (
	entryWork = 50   // an entry of a folder
	fileWork  = 2000 // a file that is opened
	yamlWork  = 40   // a byte of hooks.yaml that is decoded
	wordWork  = 70   // a word or sign of Lua that is compiled

	maxWords    = 100_000 // of a file; more are refused unread
	entriesRead = 256     // entries of a folder that are read at once
)

// CompileWork is about what it takes to compile a Lua file.
func CompileWork(source string) int64 {
	words, within := 0, false
	for i := range len(source) {
		c := source[i]
		word := c == '_' || c >= 0x80 || c-'0' < 10 || c|0x20-'a' < 26
		if c > ' ' && !(word && within) {
			words++
		}
		within = word
	}
	return 1500 + int64(len(source)/2) + int64(min(words, maxWords))*wordWork
}

// usage is how much of a folder has been read.
type usage struct {
	files, bytes, entries int
	full                  bool
	read                  map[string]File          // scripts that hooks.yaml lists, by their path; one may stand there often
	listings              map[string][]os.DirEntry // of its folders
	budget                *Budget                  // what it may take; nil: as much as it wants
}

func (r *usage) keep(f File) {
	if r.read == nil {
		r.read = map[string]File{}
	}
	r.read[f.Path] = f
}

// countFile counts a file and reports whether it may still be used. The first one that may not
// makes the folder one that can't be used as a whole.
func (c *Content) countFile(bytes int) bool {
	c.used.files++
	c.used.bytes += bytes
	return c.checkLimit(c.used.files <= maxFolderFiles && c.used.bytes <= maxFolderBytes,
		fmt.Sprintf("its scripts and libraries are more than %d files or %d MiB together", maxFolderFiles, maxFolderBytes>>20))
}

// spend takes what is about to be done out of what loading may take, and reports whether
// there was enough.
func (c *Content) spend(units int64) bool {
	if c.used.budget != nil && !c.used.budget.Spend(units) {
		c.used.full = true // which is said by those who load the folder
	}
	return !c.used.full
}

func (c *Content) checkLimit(ok bool, problem string) bool {
	if ok || c.used.full {
		return ok
	}
	c.used.full = true
	c.failFolder(c.Folder.Dir, fmt.Errorf("%s; what comes after them isn't loaded", problem))
	return false
}

// list gives what is in a folder, in the order of the names. It is read once, and only as
// far as there is room for it.
func (c *Content) list(dir string) ([]os.DirEntry, error) {
	if known, ok := c.used.listings[dir]; ok {
		return known, nil
	}
	opened, err := openfile.Folder(dir)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	var entries []os.DirEntry
	for !c.used.full && c.spend(entriesRead*entryWork) {
		more, err := opened.ReadDir(entriesRead)
		entries = append(entries, more...)
		c.used.entries += len(more)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return entries, err
		}
		c.checkLimit(c.used.entries <= maxFolderEntries, fmt.Sprintf("there are more than %d files and folders in it and below lib", maxFolderEntries))
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	if c.used.listings == nil {
		c.used.listings = map[string][]os.DirEntry{}
	}
	c.used.listings[dir] = entries
	return entries, nil
}

// Budget is what reading and loading the projects of one engine, or another folder, may
// take. It belongs to one goroutine.
type Budget struct {
	luabind.Allowance
	limit int64     // that the allowance began with
	until time.Time // the backstop
}

func NewBudget(limit int64) *Budget {
	heap := max(1, limit/DefaultBudget) * maxHeap
	return &Budget{Allowance: luabind.Allowance{Left: limit, Heap: heap}, limit: limit, until: time.Now().Add(maxLoadingTime)}
}

// Spend takes work out of what is left, and reports whether there is time for it.
func (l *Budget) Spend(units int64) bool {
	return l.Take(units) && !l.Full() && time.Now().Before(l.until)
}

// Problem says what was used up; "": nothing was.
func (l *Budget) Problem() string {
	switch {
	case l.Left < 0:
		return fmt.Sprintf("loading it takes more than the work of %d instructions that it may (limits.loading in the user's own or the managed hooks.yaml, or engine.WithLoading, can give it more; the project can't)", l.limit)
	case l.Full():
		return fmt.Sprintf("what its scripts keep from loading takes more than %d MiB of memory (limits.loading can give it more, in proportion)", l.Heap>>20)
	case !time.Now().Before(l.until):
		return fmt.Sprintf("it was still being loaded after %s", maxLoadingTime)
	}
	return ""
}

// OwnBudget is what a folder of the user's own may take, or one that the user has named.
const OwnBudget = 20 * DefaultBudget
