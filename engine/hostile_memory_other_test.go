//go:build !linux || race

package engine_test

// boundMemory does nothing here.
func boundMemory() {}
