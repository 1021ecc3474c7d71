//go:build !unix

package luabind

import "time"

// processTime isn't known here.
func processTime() time.Duration { return 0 }
