// Package engine has wazero: it compiles modules for the processor, and makes instances of them over a linear memory. It
// is the only package that imports wazero to run something.
//
// What comes in is a module as bytes, from package emit. What goes out is a [Compiled], shared by all who use the same
// code, and instances with an exported function run. Code calls its [Host], which package machine gives with [Context].
//
// What must hold: each use begun with [Compile] or [Compiled.Use] is ended with [Compiled.Drop], and a memory outlives the
// instances over it.
package engine
