package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
)

// A File is the loops of one source file. It is filled in when the file is compiled ([Pass]) and does not change after that, so any number of Runners may use it.
type File struct {
	Code  *sandbox.Chunk // set when the file is compiled; nil: loops of other files know none of its functions
	Loops []*Loop        // all loops of the file over entities or events, by line

	kernels []*Loop
}

// mostLoops bounds how many loops of a file are compiled.
const mostLoops = 100

// Pass returns a pass that puts calls of kernels in front of the loops of a file, and fills in the File. A file that compiles no more with it, for want
// of registers, is to be compiled without.
func Pass(f *File) sandbox.Pass {
	return func(file *syntax.Chunk) error {
		f.Loops, f.kernels = Find(file), nil
		for _, l := range f.Loops {
			l.file = f
		}
		for _, l := range f.Loops { // before any name is copied
			if l.Template == nil {
				continue
			}
			if reason := l.reach(); reason != nil {
				l.leave(reason)
			}
		}
		for _, l := range f.Loops {
			if l.Template != nil {
				*l.slot = f.call(l)
			}
		}
		return nil
	}
}
