package lower

import (
	"fmt"

	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Constants: Lua values declared outside the loop that stay the same while a Template is used. Package loops compares
// them each time that the loop begins. The functions in them are inlined, and loops over them are unrolled. The
// constructs are in choice.go (TABLE[KEY] with a computed key) and unroll.go (ipairs and pairs).

// A Constant is a Lua value that is known when a loop is lowered. It does not change.
type Constant struct {
	Kind     ConstantKind
	N        float64   // of a NumberConstant; of a BoolConstant 0 or 1
	S        string    // of a TextConstant; of a LibraryConstant: its name
	Function *Function // of a FunctionConstant
	Entries  []Entry   // of a TableConstant: what is in it, in the order of pairs
	Items    int       // of a TableConstant: how many items ipairs visits. They are the first Entries, unless an item is missing
}

// An Entry is a key with its value.
type Entry struct{ Key, Value *Constant }

// A ConstantKind says what a Constant is.
type ConstantKind uint8

// The kinds of constants.
const (
	NumberConstant ConstantKind = iota
	BoolConstant
	TextConstant
	FunctionConstant // a Lua function of a known file
	LibraryConstant  // a function of math, or ecs.random
	TableConstant    // a table without a metatable
	OtherConstant    // anything else
)

// at returns what a table has at a key; nil if it has nothing there.
func (k *Constant) at(key *Constant) *Constant {
	for _, e := range k.Entries {
		if e.Key.Kind == key.Kind && e.Key.N == key.N && e.Key.S == key.S {
			return e.Value
		}
	}
	return nil
}

func text(s string) *Constant { return &Constant{Kind: TextConstant, S: s} }

// expr returns a number, boolean or string as an expression; nil for any other constant.
func (k *Constant) expr() *ir.Expr {
	switch k.Kind {
	case NumberConstant:
		return &ir.Expr{Op: ir.Const, N: k.N}
	case BoolConstant:
		return boolean(k.N != 0)
	case TextConstant:
		return &ir.Expr{Op: ir.Const, Type: ir.Text, S: k.S}
	default:
		return nil
	}
}

// constantOfExpr returns the constant that an expression is; nil if it is none.
func constantOfExpr(x *ir.Expr) *Constant {
	if x.Op != ir.Const {
		return nil
	}
	switch x.Type {
	case ir.Bool:
		return &Constant{Kind: BoolConstant, N: x.N}
	case ir.Text:
		return text(x.S)
	default:
		return &Constant{N: x.N}
	}
}

// A Purpose says why a Source is asked for a Constant.
type Purpose uint8

// The purposes.
const (
	ToChoose      Purpose = iota // the body reads elements at computed keys
	ToWalk                       // the body walks the table with ipairs or pairs
	ToCall                       // the body calls what is at the place
	ToCallObjects                // the body calls methods of the tables in the table there
	ToReach                      // the body uses computed keys of tables that are members of the table there, as M.state.count[k] for M.state
)

// A Place is where a Lua value is found when a loop begins: in a variable declared outside the loop, or, if Path is not
// empty, in a member of the table there, or in a member of that, and so on.
type Place struct {
	Variable *syntax.Variable
	Path     string // the names, with PathSeparator between them
}

// An Ask is a question about a Place whose answer was not known when a Template was made.
type Ask struct {
	Place
	Purpose
}

// constantSymbolOf returns the symbol that stands for a constant.
func constantSymbolOf(k *Constant) *symbol {
	if x := k.expr(); x != nil {
		return plain(x)
	}
	if k.Kind == LibraryConstant {
		return &symbol{kind: functionSymbol, text: k.S}
	}
	return &symbol{kind: constantSymbol, constant: k}
}

// constantKey returns the constant that the key of TABLE[KEY] is in the source; nil if it is computed.
func constantKey(e *ast.AttrGetExpr) *Constant {
	switch key := e.Key.(type) {
	case *ast.StringExpr:
		return text(key.Value)
	case *ast.NumberExpr:
		if n, ok := syntax.ParseNumber(key.Value); ok {
			return &Constant{N: n}
		}
	}
	return nil
}

// Tables that a body passes to functions it does not know. Such a function may change the table, so it is no constant; what is
// refused then stands elsewhere in the body, and the call is the reason.

// passes notes that an argument of a call is no constant.
func (p *preparer) passes(k known, e *ast.FuncCallExpr) {
	note := func(pl Place) {
		if pl.Variable == nil {
			return
		}
		if _, known := p.passed[pl]; !known {
			name := pl.Variable.Name
			p.passed[pl] = &Reason{File: p.file(), Line: e.Line(), Text: fmt.Sprintf("passes a table of %q to %s", name, callee(e)), Advice: writeElements}
		}
	}
	for _, c := range k.constants {
		note(p.origins[c])
	}
	note(k.place)
	note(k.object)
}

// refusePassed refuses a use of the table in an input that is no constant because the body passes it, or a table in it, to a function.
func (c *lowerer) refusePassed(input int) {
	in := c.t.Inputs[input]
	if r := c.t.passed[Place{in.Variable, in.Member}]; r != nil {
		out := *r
		out.placed = true
		panic(&out)
	}
}
