//go:build !race

package shell

const raceDetector = false
