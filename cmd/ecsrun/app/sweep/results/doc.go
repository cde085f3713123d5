// Package results writes what a sweep has found: results.csv and results.jsonl with a line for each row, series.csv and series.jsonl, summary.json, and report.html.
// The files are the same to the byte, in whatever order the rows arrive and on any machine.
package results
