//go:build linux && !race

package engine_test

import "syscall"

// boundMemory lets a script that gets through the sandbox crash its process before it
// takes all of the machine's memory.
func boundMemory() {
	const most = 6 << 30 // of address space, of which Go reserves more than it uses
	_ = syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: most, Max: most})
}
