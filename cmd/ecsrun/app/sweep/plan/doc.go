// Package plan makes the list of the jobs of a sweep: seed by seed over all points, points in the order of the design. A plan is a pure function of the files,
// so that it is made again rather than stored. A row is a place in the list; a job is a [Key], and rows with the same key are one job.
package plan
