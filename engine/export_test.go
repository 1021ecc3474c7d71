package engine

import (
	"testing"

	"github.com/luahook/luahook/luabind"
)

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
	old := builtinPrograms(name)
	compile := func() (*luabind.Program, error) { return luabind.Compile("builtin:"+name, source) }
	knownBuiltins.Store(name, &builtinProgram{compile, old.libraries})
	t.Cleanup(func() { knownBuiltins.Store(name, old) })
}
