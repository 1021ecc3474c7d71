//go:build unix && !linux

package process_test

func help() {}
