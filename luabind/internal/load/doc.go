// Package load is the folder of what happens to script files before a world runs. It uses the folders run, compile, host and lua.
//
//	script   finds files, makes units and instances of them, and gives modules to require
//	lint     the warnings of ecsrun check that are about code
//
// A text comes in; a unit with its functions and its loops goes out. Look here when a file is not found, when require gives the wrong
// module, or when a warning is wrong.
package load
