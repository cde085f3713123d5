package script

import (
	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
)

// A Unit is one source file, compiled. It has no state and does not change: any number of instances can be made from it, in any number of
// worlds. Two units of the same text are equal in all that can be seen of them.
type Unit struct {
	Path string         // in the sources it came from
	Code *sandbox.Chunk // with the name that messages show, and the text

	Mentions []Mention   // the names it writes out, in the order of the source; none of a plain unit
	Removals Removals    // the components it may ask world:removed about; none of a plain unit
	Loops    *loops.File // the loops, with calls of kernels in Code; nil: they run as they are written
}

// Compile makes the unit of a file from its text. name is what messages call the file. The error is a [*sandbox.Error].
func Compile(path, name, text string) (*Unit, error) {
	u := &Unit{Path: path, Loops: &loops.File{}}
	var err error
	if u.Code, err = sandbox.Compile(name, text, collect(u), loops.Pass(u.Loops)); err == nil {
		u.Loops.Code = u.Code
		return u, nil
	}
	u = &Unit{Path: path} // a function may have too many locals with the calls of kernels
	if u.Code, err = sandbox.Compile(name, text, collect(u)); err != nil {
		return nil, err
	}
	return u, nil
}

// CompilePlain makes a unit of which only the code is wanted: a test file, or one that it requires.
func CompilePlain(path, name, text string) (*Unit, error) {
	code, err := sandbox.Compile(name, text)
	if err != nil {
		return nil, err
	}
	return &Unit{Path: path, Code: code}, nil
}

// Tree returns the syntax of the text, with its identifiers bound. It is parsed for each call, so the caller may change it.
func (u *Unit) Tree() *syntax.Chunk { return u.Code.Tree() }

// collect returns a pass that notes what the source mentions.
func collect(u *Unit) sandbox.Pass { return mentionsIn(&u.Mentions, &u.Removals) }
