package loops

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/yuin/gopher-lua/ast"
)

// A Loop is a for … in world:each(…) of a file, or one over events.
type Loop struct {
	Line  int
	World string // the variable in front of :each, "" if it is none
	// Events is the function of world whose events are walked, read, peek or drain;
	// "" for a loop over entities.
	Events string
	Args   []ast.Expr // of each, or of that function
	Views  []*View    // in the order of the loop's variables, without the entity
	Free   []string   // variables from around the nest that the body uses, in order of first use
	Calls  []Call     // in the order of the source
	Outer  *Loop      // the loop of the same nest around it, nil if there is none
	Inner  []*Loop    // the loops of the same nest directly in its body

	// Reason says why the interpreter runs the loop as it is written; nil: it is
	// rewritten for it. What else is known of such a loop may be incomplete.
	Reason *Reason

	Kernel   *kernel.Template // what may become a kernel, nil if nothing
	NoKernel *Reason          // why not
	guess    []guessed        // by input
	terms    *terms           // of the query, nil when they are not known

	stmt   *ast.GenericForStmt
	nest   *nest
	number int // in the file, from 1; 0 when it is not rewritten
}

// A View is a variable of a loop that stands for a component.
type View struct {
	Name   string
	Index  int // which of the loop's views
	Fields []*Field
	Tested bool // whether it is nil is asked for

	loop *Loop
}

// A Field is a field of a view that the body uses.
type Field struct {
	Name    string
	Read    bool
	Written bool
	Use     Use // what its values are used for

	view *View
}

// Use says how particular the body is about the type of a field.
type Use uint8

// The uses, each more particular than the one before.
const (
	Any    Use = iota
	Text       // an operand of ..: a number or string
	Number     // an operand of arithmetic
)

// A Call is a call in the body of a loop, by the name it has in the source.
type Call struct {
	Name string
	Line int
}

// A Reason says why a loop is not simple, and where.
type Reason struct {
	Line int
	Text string
}

func (r *Reason) String() string { return fmt.Sprintf("%s (line %d)", r.Text, r.Line) }

// field finds or adds a field of a view.
func (v *View) field(name string) *Field {
	for _, f := range v.Fields {
		if f.Name == name {
			return f
		}
	}
	f := &Field{Name: name, view: v}
	v.Fields = append(v.Fields, f)
	return f
}

// around reports whether l is o or a loop around it.
func (l *Loop) around(o *Loop) bool {
	for ; o != nil; o = o.Outer {
		if o == l {
			return true
		}
	}
	return false
}
