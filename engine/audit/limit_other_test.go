//go:build !unix

package audit_test

func limitFiles() {}
