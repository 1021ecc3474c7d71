// Package inline finds the calls in a program of another language that run
// other programs, delete or overwrite files.
package inline
