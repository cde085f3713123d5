package lower

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What the attempts to lower a body tell the next one. An attempt goes through the body once, in the order of the source; where it finds out
// something that it should have known further up, it adds a hint, and Lower begins again.

// hints are what an attempt to lower a body found out too late. The next attempt knows it from the beginning.
type hints struct {
	nilable map[*syntax.Variable]bool            // variables that begin with a value and may become nil
	views   map[*syntax.Variable]ecs.ComponentID // variables that begin as nil and become views
	results map[slot]resultHint
	anys    map[*syntax.Variable]bool    // locals that hold values of any kind: see any.go
	bools   map[*syntax.Variable]bool    // variables that begin as nil, and whose first value is a boolean
	types   map[*syntax.Variable]ir.Type // variables that are read before they have a value, and get values of this type
	mapped  map[int]bool                 // inputs with lists of tables, of which a member is no number: they are looked up
	locked  bool                         // the body looks at the world after changes of its structure, in a way that is not asked for: such changes are left to the interpreter
	pairs   map[int]ir.Type              // inputs whose tables nothing shows, and in which values of this type are stored at computed keys
}

// newHints returns hints that know nothing.
func newHints() *hints {
	return &hints{
		nilable: map[*syntax.Variable]bool{}, views: map[*syntax.Variable]ecs.ComponentID{}, results: map[slot]resultHint{},
		anys:  map[*syntax.Variable]bool{},
		bools: map[*syntax.Variable]bool{}, types: map[*syntax.Variable]ir.Type{}, mapped: map[int]bool{}, pairs: map[int]ir.Type{},
	}
}

// A slot is the i-th value of a function.
type slot struct {
	f *Function
	i int
}

// A resultHint says that the value in a slot may be nil, and whether it is a view.
type resultHint struct {
	view      bool
	component ecs.ComponentID
	any       bool // the value is of type ir.Any
}

// A retry is the value of the panic by which a lowerer ends an attempt after it has added a hint.
type retry struct{}

// attempt is one attempt of Lower. again says that it has added hints, and that the next attempt may succeed.
func (t *Template) attempt(kinds []Kind, context Context, assumed map[int]tableUse, left exits, h *hints) (p *ir.Program, seen map[int]tableUse, at ast.Stmt, reason *Reason, again bool) {
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(retry); !ok {
				panic(r)
			}
			again = true
		}
	}()
	p, seen, at, reason = t.lower(kinds, context, assumed, left, h)
	return p, seen, at, reason, false
}
