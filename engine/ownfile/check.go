package ownfile

import "io/fs"

// Check holds what is known of a file or a folder against the rule of this package: what
// belongs to another user, or lets others write, is a [*NotOursError]. It is for those who
// open a file in their own way.
func Check(info fs.FileInfo) error {
	if problem := notOurs(info); problem != "" {
		return &NotOursError{problem}
	}
	return nil
}
