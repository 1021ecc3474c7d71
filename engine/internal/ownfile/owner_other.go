//go:build !unix

package ownfile

import "io/fs"

// Other systems say who may write to a file in ways that a mode doesn't show.
func notOurs(fs.FileInfo) string { return "" }

// syncFolder does nothing: folders can't be synced here.
func syncFolder(string) error { return nil }
