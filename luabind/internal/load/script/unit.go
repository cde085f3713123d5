package script

import (
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/alias"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/coverage"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	lua "github.com/yuin/gopher-lua"
)

// Units: compiled files. Compiling runs all passes over the tree of a file: the collection of names (mention.go),
// and the search for loops, which puts calls of kernels in front of those that can be compiled (package loops).

// A Unit is one compiled source file. It has no state and does not change: any number of instances can be made from
// it, in any number of worlds. Two units of the same text behave in the same way.
type Unit struct {
	Path string         // path in the sources that it was read from
	Code *sandbox.Chunk // the code, with the name that messages show, and with the text

	Mentions []Mention    // the names it mentions, in the order of the source; empty for a plain unit
	Gifts    []alias.Gift // what its calls give, which decides about mentions; empty for a plain unit
	Removals Removals     // the components it may give to world:removed; empty for a plain unit
	Reads    []string     // the events that it gives to world:read as constants; empty for a plain unit
	Observes Observes     // what it observes; empty for a plain unit
	DataUses []DataUse    // the data files that it reads by names that are known; empty for a plain unit
	Data     *ecs.Value   // of a data file: what it says; nil for a script
	Loops    *loops.File  // its loops, for which Code has calls of kernels; nil: the interpreter runs all loops

	Counts *coverage.Counts // counts the lines that run; nil: they are not counted
}

// Compile makes the unit of a file from its text. name is the name of the file in messages. The error is a
// [*sandbox.Error]. If the code does not compile with the calls of kernels in it, the unit has no Loops.
func Compile(path, name, text string) (*Unit, error) {
	u := &Unit{Path: path, Loops: &loops.File{}}
	var err error
	if u.Code, err = sandbox.Compile(name, text, mentionsIn(u), loops.Pass(u.Loops)); err == nil {
		u.Loops.Code = u.Code
		return u.own(), nil
	}
	u = &Unit{Path: path} // the calls of kernels may need more locals than a function can have
	if u.Code, err = sandbox.Compile(name, text, mentionsIn(u)); err != nil {
		return nil, err
	}
	return u.own(), nil
}

// own makes functions of the code lead to the unit.
func (u *Unit) own() *Unit {
	u.Code.Of = u
	return u
}

// UnitOf returns the unit that a function is from; nil if none is known.
func UnitOf(p *lua.FunctionProto) *Unit {
	c := sandbox.ChunkOf(p)
	if c == nil {
		return nil
	}
	u, _ := c.Of.(*Unit)
	return u
}

// CompilePlain makes a unit without loops and without a list of names: that of a test file, or of a file that it
// requires.
func CompilePlain(path, name, text string) (*Unit, error) {
	code, err := sandbox.Compile(name, text)
	if err != nil {
		return nil, err
	}
	return (&Unit{Path: path, Code: code}).own(), nil
}

// CompileCounted is [Compile] for a file whose lines are counted in a set. The unit has no Loops: the interpreter runs
// all loops. If the file is too large to be compiled with what counts, its lines are not counted.
func CompileCounted(set *coverage.Set) func(path, name, text string) (*Unit, error) {
	return func(path, name, text string) (*Unit, error) {
		u := &Unit{Path: path}
		if err := u.compileCounted(set, name, text, mentionsIn(u)); err != nil {
			return nil, err
		}
		return u.own(), nil
	}
}

// CompilePlainCounted is [CompilePlain] for a file whose lines are counted in a set.
func CompilePlainCounted(set *coverage.Set) func(path, name, text string) (*Unit, error) {
	return func(path, name, text string) (*Unit, error) {
		u := &Unit{Path: path}
		if err := u.compileCounted(set, name, text); err != nil {
			return nil, err
		}
		return u.own(), nil
	}
}

// compileCounted sets the Code of a unit, with marks of package coverage if possible, and its Counts.
func (u *Unit) compileCounted(set *coverage.Set, name, text string, passes ...sandbox.Pass) (err error) {
	counts := set.File(u.Path, text)
	if u.Code, err = sandbox.Compile(name, text, append(slices.Clone(passes), counts.Pass())...); err == nil {
		u.Counts = set.Keep(counts)
		return nil
	}
	u.Mentions, u.Gifts, u.Removals, u.Reads, u.Observes, u.DataUses = nil, nil, Removals{}, nil, Observes{}, nil // the passes fill them in again
	if u.Code, err = sandbox.Compile(name, text, passes...); err == nil {
		set.Drop(counts)
	}
	return err
}

// Tree returns the syntax tree of the text, with its identifiers bound. Each call parses the text again, so the
// caller may change the tree.
func (u *Unit) Tree() *syntax.Chunk { return u.Code.Tree() }
