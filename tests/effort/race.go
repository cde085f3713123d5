//go:build race

package effort

// raceDetector says whether the race detector is built in.
const raceDetector = true
