// Package coverage counts which lines of Lua files run.
//
// # Where it stands
//
// Package script compiles a file with [Counts.Pass] when a run asks for coverage. The pass puts a call of a hidden
// function, a *mark*, in front of each statement of the syntax tree; the number of the mark is its argument. The
// function counts in the [Counts] of the file. A [Set] has the Counts of all files of a run, and [Set.Files] makes
// the result of them.
//
// Files that are compiled like this have no kernels: the interpreter runs their loops, under every implementation.
// Without coverage no file has marks, and nothing is different.
//
// # Which lines count
//
// A line is executable if one of these begins on it: a statement; the condition of an elseif; the condition of an until.
// A do, a repeat and a label do nothing themselves, and so their lines are not executable, nor are those with only
// else, end or the further lines of a statement. A line has run if something that begins on it has begun to run.
//
// # What must hold
//
// A mark changes nothing that a script can see. The instructions of a mark are given back to the budget.
// Lines of errors and tracebacks stay, because a mark has the line of its statement.
package coverage
