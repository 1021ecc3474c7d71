package engine

import (
	"os"
	"testing"

	"github.com/luahook/luahook/luabind"
	"github.com/luahook/luahook/luabind/compile"
)

// Nightly is true where tests that take long run whole: with LUAHOOK_NIGHTLY=1.
var Nightly = os.Getenv("LUAHOOK_NIGHTLY") == "1"

// No test depends on how the machine is managed.
func init() { managedFile = "/no/such/luahook/hooks.yaml" }

// SetManagedFile puts the managed configuration elsewhere for a test.
func SetManagedFile(t testing.TB, file string) {
	old := managedFile
	managedFile = file
	t.Cleanup(func() { managedFile = old })
}

// SetBuiltin gives a built-in another source for a test. It is known ahead what the source
// registers if it is known of the built-in's own and asked for.
func SetBuiltin(t testing.TB, name, source string, knownAhead ...bool) {
	old := builtinPrograms(name)
	other := &builtinProgram{
		program:       func() (*compile.Program, error) { return compile.Script("builtin:"+name, source) },
		libraries:     old.libraries,
		registrations: func() []luabind.Registration { return nil },
	}
	if len(knownAhead) > 0 && knownAhead[0] {
		other.registrations = old.registrations
	}
	knownBuiltins.Store(name, other)
	t.Cleanup(func() { knownBuiltins.Store(name, old) })
}
