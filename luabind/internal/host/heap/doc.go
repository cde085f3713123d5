// Package heap writes what Lua variables hold as bytes, and makes it again from the bytes: tables, functions with
// their upvalues, and userdata, as one graph. What was one object is one object again: shared tables, shared upvalues,
// cycles, metatables. Tables keep the order of their keys and the length that # returns.
//
//	roots ──Encode──> bytes ──Decode──> roots
//	                    └────Describe──> paths of variables with their values, without a Lua state
//
// Values that no script has made are not written. A [Source] names them when they are met, and a [Target] returns the
// value of a name: functions and tables of libraries, the world, the function behind compiled loops. A function of a script is
// the number of its prototype, its environment and its upvalues; Source and Target know the compiled files.
//
// # The format
//
//	version
//	strings     number, then length and bytes of each
//	prototypes  number, then for each: file, index, line, and the names of its upvalues
//	objects     number, then for each its kind, and for some kinds a number
//	bodies      of the objects, in the same order
//	roots       number, then label and value of each
//
// Numbers are those of encoding/binary.AppendUvarint. Objects are in the order in which a walk over the graph meets them, breadth
// first from the roots, so equal graphs give equal bytes. Nothing depends on addresses or on the order of Go maps.
//
// A decoder trusts nothing: numbers are compared with the bytes that are left before anything is allocated, and every
// mistake is a [*Damage]. Neither direction is recursive, so the depth of tables does not matter.
package heap
