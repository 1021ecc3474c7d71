// Package lib holds the modules that scripts can use, one file each.
package lib

import "github.com/luahook/luahook/luabind"

// Modules lists all modules.
func Modules() []luabind.Module { return nil }
