//go:build !linux && !darwin

package audit_test

func limitFiles() {}
