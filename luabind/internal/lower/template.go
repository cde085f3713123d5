package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// A Source is a query loop as it is written. A [Template] keeps the trees of it and of the functions, so nobody may change them.
type Source struct {
	Line      int
	Names     *syntax.Bindings
	Variables []*syntax.Variable // of the loop: the entity, or the event, and then the views
	Events    bool               // it walks events, not entities
	Body      []ast.Stmt

	// Function returns what a variable from around the loop holds when that is always the same function of the file; nil otherwise.
	Function func(v *syntax.Variable) *Function
}

// A Function is a function of a file that may become a part of the loop.
type Function struct {
	Line   int
	Params []*syntax.Variable
	Vararg bool
	Body   []ast.Stmt
}

// A Template is a loop that may become a kernel.
type Template struct {
	Source
	Inputs  []Input
	Returns []int // by return statement of the loop: how many values

	functions map[*syntax.Variable]*Function // by the variable that holds it; nil: it holds none
	entered   map[*syntax.Variable]bool      // functions that have been looked at
	counts    map[*syntax.Variable]int       // how many values they return
	own       map[*syntax.Variable]bool      // variables of the loop and of these functions: all others are inputs
	assigned  map[*syntax.Variable]bool      // in the loop or in these functions
	cleared   map[*syntax.Variable]bool      // … nil, by name or for want of a value
	sites     map[*ast.ReturnStmt]int
}

// An Input is a value from around the loop, read once when it begins: a variable,
// or NAME.MEMBER of one or of the global math.
type Input struct {
	Variable *syntax.Variable
	Member   string // of the table that the variable holds; "": it is the variable itself

	Read     bool // as a value
	Assigned bool
	object   bool // it has members or elements, or is called with a colon
	Named    bool // it stands for the name of a component, tag, grid …: its text is part of its kind
	Line     int  // of the source where it is first used
}

// Name returns the name of the variable in the source.
func (in Input) Name() string { return in.Variable.Name }

// Global reports whether the variable is global.
func (in Input) Global() bool { return in.Variable.Kind == syntax.Global }

func (in Input) text() string {
	if in.Member != "" {
		return in.Name() + "." + in.Member
	}
	return in.Name()
}

// A member is what an input is found by.
type member struct {
	variable *syntax.Variable
	name     string
}

// values is how many values a list of expressions gives: a call of a function of
// the file at its end gives all of its own.
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

// results is how many values the function of the file that a variable holds returns at most.
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
