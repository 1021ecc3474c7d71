// Package hooks is the vocabulary of luahook: the events an agent goes through,
// what a hook is told about one ([Context]), what it may answer ([Result]) and
// how the answers of several hooks become one ([Merge]).
//
// Start with the table in event.go: one row per event says how it is
// spelled, whether it can be blocked, which fields it carries and what a
// rewrite changes there. Everything else reads that table.
//
// The package uses the standard library alone, does no I/O and keeps no state
// that changes; all of it may be used from several goroutines at once as long
// as one Context or Result is written by one of them only.
package hooks
