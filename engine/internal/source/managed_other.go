//go:build !windows

package source

// ManagedFile is where the managed configuration lies.
func ManagedFile() string { return "/etc/luahook/hooks.yaml" }
