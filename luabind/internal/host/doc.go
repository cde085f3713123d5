// Package host is the folder of what scripts call and see of the host. It uses the folder lua.
//
//	api       the list of the functions that scripts can call
//	surface   their Go code: the world, views, queries, events, commands, resources
//	heap      writes the variables of scripts as bytes, for snapshots, and reads them
//	alias     what variables and expressions of a script stand for, as far as its source shows it
//
// Look here to add a function for scripts, or when one has a wrong result or message.
package host
