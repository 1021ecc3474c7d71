package engine

import "testing"

// No test depends on how the machine is managed.
func init() { managedFile = "/no/such/luahook/hooks.yaml" }

// SetManagedFile puts the managed configuration elsewhere for a test.
func SetManagedFile(t testing.TB, file string) {
	old := managedFile
	managedFile = file
	t.Cleanup(func() { managedFile = old })
}

// SetBuiltin gives a built-in another source for a test.
func SetBuiltin(t testing.TB, name, source string) {
	old := builtinSource
	builtinSource = func(asked string) (string, bool) {
		if asked == name {
			return source, true
		}
		return old(asked)
	}
	t.Cleanup(func() { builtinSource = old })
}
