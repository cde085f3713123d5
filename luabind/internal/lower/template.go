package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// What comes into this package, and what the first step makes of it: [Prepare] turns a Source into a
// Template.

// A Source is a loop as it is written. A [Template] keeps its syntax trees and those of the functions, so nobody may change
// them.
type Source struct {
	Line      int
	Names     *syntax.Bindings   // of the file
	Variables []*syntax.Variable // of the loop: the entity, or the event, and then the views
	Events    bool               // it is a loop over events
	Body      []ast.Stmt

	// Function returns the function that a variable from around the loop always holds, if it is one of the file; nil otherwise.
	Function func(v *syntax.Variable) *Function
}

// A Function is a function of the file that a loop may call. It is inlined.
type Function struct {
	Line   int
	Params []*syntax.Variable
	Vararg bool
	Body   []ast.Stmt
}

// A Template is a loop that can be lowered when the kinds of its inputs are known. It does not change.
type Template struct {
	Source
	Inputs  []Input // what the loop uses from around itself, each variable and member once
	Returns []int   // by return statement of the loop: the number of its values

	functions map[*syntax.Variable]*Function // by the variable that holds it; nil: the variable holds none
	entered   map[*syntax.Variable]bool      // functions whose bodies were walked, by variable
	counts    map[*syntax.Variable]int       // by variable: the largest number of values that the function returns
	own       map[*syntax.Variable]bool      // variables that the loop and these functions declare; all others are inputs
	assigned  map[*syntax.Variable]bool      // variables that the loop or these functions assign
	cleared   map[*syntax.Variable]bool      // variables that they assign nil, written or because there is no value
	sites     map[*ast.ReturnStmt]int        // number of each return of the loop
}

// An Input is a value from around the loop that is read once, when the loop begins: a variable, or
// a member of the Lua table that a variable holds (NAME.MEMBER).
type Input struct {
	Variable *syntax.Variable
	Member   string // "": it is the variable itself

	Read     bool // the body uses it as a value
	Assigned bool // the body assigns it
	object   bool // the body uses members or elements of it, or calls its methods
	Named    bool // it is the name of a component, tag, grid or the like, so its string is a part of its kind
	Line     int  // of the first use
}

// Name returns the name of the variable in the source.
func (in Input) Name() string { return in.Variable.Name }

// Global reports whether the variable is global.
func (in Input) Global() bool { return in.Variable.Kind == syntax.Global }

// text returns the input as the source has it.
func (in Input) text() string {
	if in.Member != "" {
		return in.Name() + "." + in.Member
	}
	return in.Name()
}

// A member names an input that is a member of a table.
type member struct {
	variable *syntax.Variable
	name     string
}

// values returns the number of values of a list of expressions. A call of a function of the file at its
// end gives all values that the function returns.
func (t *Template) values(list []ast.Expr) int {
	n := len(list)
	if n == 0 {
		return 0
	}
	if call, ok := list[n-1].(*ast.FuncCallExpr); ok && !call.AdjustRet {
		if v := t.Names.Variable(call.Func); t.functions[v] != nil {
			return n - 1 + t.results(v)
		}
	}
	return n
}

// results returns the largest number of values that the function which a variable holds returns.
func (t *Template) results(v *syntax.Variable) int {
	if n, ok := t.counts[v]; ok {
		return n
	}
	most := 0
	syntax.Search(t.functions[v].Body, func(n ast.PositionHolder) syntax.Step {
		if st, ok := n.(*ast.ReturnStmt); ok {
			most = max(most, t.values(st.Exprs))
		}
		return syntax.Deeper
	})
	t.counts[v] = most
	return most
}
