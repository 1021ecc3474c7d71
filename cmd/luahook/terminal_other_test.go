//go:build !linux

package main

// emptyTerminal: the scripts that need a terminal run on Linux alone.
func emptyTerminal() {}
