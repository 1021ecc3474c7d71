//go:build !windows

package engine

func defaultManagedFile() string { return "/etc/luahook/hooks.yaml" }
