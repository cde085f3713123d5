package luabind

import "github.com/ecsrun/ecsrun/luabind/internal/lua/coverage"

// Coverage counts which lines of scripts run: see [Options].Coverage. One Coverage may count for many Runtimes that
// run on the same goroutine; Files returns the result, and Named gives files the names that the program knows them
// by.
type Coverage = coverage.Set

// A CoveredFile is the coverage of one file: its executable lines, and how often each has run.
type CoveredFile = coverage.File

// A CoveredLine is an executable line of a [CoveredFile].
type CoveredLine = coverage.Line

// NewCoverage returns a Coverage that has counted nothing.
func NewCoverage() *Coverage { return coverage.NewSet() }

// MergeCoverage adds up results of [Coverage.Files], sorted by the names of the files.
func MergeCoverage(results ...[]CoveredFile) []CoveredFile { return coverage.Merge(results...) }
