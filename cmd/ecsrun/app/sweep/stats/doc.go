// Package stats says what the rows of a sweep amount to: statistics with intervals, thresholds, and the indices of a sensitivity analysis.
//
// Statistics are over rows with status ok, in plan order, so that they are equal to the bit however the rows came; rates are over all rows, with the measures that each has.
package stats
