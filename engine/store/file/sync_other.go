//go:build !linux

package file

import "os"

// syncData makes what was written survive the death of the machine.
func syncData(f *os.File) error { return f.Sync() }
