// Package app is the command ecsrun as a function, so that a build with native
// systems of its own is a main of a few lines:
//
//	func main() {
//		os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr,
//			app.Natives(map[string]ecs.NativeFunc{"gravity": gravity})))
//	}
//
// A config then says `native: gravity`. [Natives] registers systems,
// [Predicates] what `when: "native:NAME"` asks, [Modules] Go functions that
// scripts get by require.
//
// # Outline
//
//   - Command line: app.go makes the commands, one file each (run.go, check.go,
//     explain.go); usage.go is the table of exit codes, and turns what cobra
//     finds wrong into one line with a suggestion.
//   - From a config to a world: package luabind/worldfile; preflight.go finds what
//     can only be known here (files, registered names), and adds what this
//     program registers.
//   - While it runs: console.go keeps both streams and the progress line apart,
//     spout.go gives up writes that nobody reads after a signal,
//     failure.go writes to stderr, meter.go times systems and
//     keeps to the wall clock, watchdog.go is the only goroutine.
//   - At the end: summary.go.
//   - Two worlds: verify.go runs one beside that of a run, and compares them after
//     each frame; bisect.go runs two of other overrides (bisect_side.go), and compares
//     them after each turn (bisect_compare.go).
//   - Many worlds: bench.go runs one for each implementation, bench_pass.go takes
//     the turns, bench_report.go prints them.
//   - Compiled loops: explain.go and explain_live.go, in the words of verdict.go.
//
// This is the only package that reads the clock, the environment and signals,
// that starts goroutines and that prints. What scripts print and what a command
// is asked for goes to stdout, everything else to stderr.
package app
