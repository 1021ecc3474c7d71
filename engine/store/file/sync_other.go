//go:build !linux

package file

import "os"

// syncData makes sure that what was written outlasts the machine.
func syncData(f *os.File) error { return f.Sync() }
