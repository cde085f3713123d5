// Package syntax turns the text of a Lua file into a tree whose identifiers are bound to variables. It is the first step of everything that
// ecsrun does with a script: package sandbox compiles the tree for the interpreter, package loops finds the query loops in it, package lower
// lowers their bodies, and package luabind checks the names in it. All of them ask this package what an identifier means; none keeps scopes.
//
//	chunk, err := syntax.Parse("movement.lua", text)
//	…
//	chunk.Visit(syntax.Visitor{Ident: func(id *ast.IdentExpr, assigned bool, _ ast.Expr) {
//		v := chunk.Bindings.Of(id) // the variable, never nil
//		fmt.Println(id.Value, v.Kind, v.Line(), v.Assigned)
//	}})
//
// # From text to tree
//
// [Parse] scans the text, parses it, checks its limits and resolves it. The scanner (scan.go) runs first, because the parser of gopher-lua and its compiler
// are recursive, in parts quadratic, and cannot be interrupted: it refuses what is too large or too deep, and blanks what gopher-lua reads
// differently from Lua 5.1. [CheckLimits] does the same for a tree. So everything that walks a tree may be recursive. A text that does not parse
// becomes an [*Error] with line, column and a hint (hint.go).
//
// The tree is that of gopher-lua: package ast. It has no place for what this package finds out, so that stands beside it, in [Bindings].
//
// # Walks
//
// There are two. [Children] and [Parts] give what is directly below a node, as pointers, for code that changes trees or looks for nodes of a
// kind. [Visit] walks a whole file in the order of the source and knows the rules of scopes: where a declaration begins to hold and where it
// ends. Nothing else in ecsrun knows these rules. A node of an unknown kind is a bug: the walks panic.
//
// # Variables
//
// [Resolve] binds each identifier to one [Variable]: a local, a parameter, a variable of a for, or a global. Two variables of one name are two
// Variables. A Variable knows where it is declared and with which value, whether something is assigned to it later, whether a function captures
// it, and all its uses. What a use is in bytecode follows from it: global if the Kind is [Global], a local if [Use.In] is [Variable.Function], an
// upvalue otherwise. The tests compare this with the code that gopher-lua compiles.
//
// A copy that a [Cloner] makes is bound to the same Variables, so a function that becomes a part of a loop needs no new names. Where a tree goes
// back to the compiler, which looks names up by itself, [Bindings.Rename] keeps a variable reachable that another one of its name would hide.
//
// # The rules of scopes
//
// A local is visible from the statement after its declaration to the end of the block. The condition of a repeat sees the locals of the body.
// A local function is visible in itself, a function that a local begins with is not. The variables of a for are visible in its body only. A
// method has the parameter self. A function with ... has, as in Lua 5.0 and in gopher-lua, a local named arg.
package syntax
