// Package lint looks in the scripts of a world for what is probably not meant, though it runs: names that are unused, queries that never match, variables that a
// reload loses, two systems that write one field in an order that only their places fix. Each finding has a code, a place and a fix; docs/check.md explains the codes.
//
// It gets the parsed files and the declared world, and runs nothing. What an expression stands for comes from package alias. In doubt it is silent.
package lint
