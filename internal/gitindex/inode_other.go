//go:build !unix

package gitindex

import "io/fs"

// inodeOf: there is no number of a file that an index would have.
func inodeOf(fs.FileInfo) (inode uint32, ok bool) { return 0, false }
