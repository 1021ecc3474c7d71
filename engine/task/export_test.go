package task

import "testing"

// LimitFile limits a file to this many bytes while a test runs.
func LimitFile(t *testing.T, bytes int64) {
	maxBytes = bytes
	t.Cleanup(func() { maxBytes = 0 })
}
