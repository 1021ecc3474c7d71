//go:build race

package engine_test

// raceEnabled reports that everything is several times slower and larger.
const raceEnabled = true
