//go:build race

package shell

// raceDetector: what is kept for reuse is dropped under it now and then, so more memory is taken.
const raceDetector = true
