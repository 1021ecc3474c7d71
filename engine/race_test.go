//go:build race

package engine_test

// raceEnabled tells that everything is several times slower and larger.
const raceEnabled = true
