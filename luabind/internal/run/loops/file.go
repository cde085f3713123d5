package loops

import (
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
)

// The pass over a file: loops are found, those that may be compiled get a call of RUN in front of them.

// A File has the loops of one source file. [Pass] fills it in when the file is compiled. It does not change
// afterwards, so any number of Runners may use it.
type File struct {
	Code  *sandbox.Chunk // set when the file is compiled; if it is nil, loops of other files cannot inline its functions
	Loops []*Loop        // all loops of the file over entities or events, by line

	kernels []*Loop
}

// mostLoops is the largest number of loops of a file that are compiled.
const mostLoops = 100

// Pass returns a pass that fills in f and puts calls of kernels in front of the loops. If a file does not compile
// with these calls, because a function needs too many registers, the file has to be compiled without the pass.
func Pass(f *File) sandbox.Pass {
	return func(file *syntax.Chunk) error {
		f.Loops, f.kernels = Find(file), nil
		for _, l := range f.Loops {
			l.file = f
		}
		for _, l := range f.Loops { // this renames variables, so it comes before names are copied into calls
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
