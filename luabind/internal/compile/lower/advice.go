package lower

import (
	"slices"

	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// Advice: what the author of a script can change so that a refused loop is compiled. `ecsrun explain` shows it
// beside the reason.

// An Advice says what to change in the source of a loop so that it can be compiled. It is chosen where the loop is
// refused, because only that place knows the construct. It is "" where the reason itself says what to do.
type Advice string

// The advice for constructs that loop bodies often have.
const (
	otherMath     Advice = "use another function of math"
	doAfter       Advice = "do it in a loop of its own after this one, or leave it interpreted"
	CallByName    Advice = "call it by its name"
	printAfter    Advice = "collect what to print, and print it after the loop"
	LocalOfFile   Advice = "keep it in a local of the file"
	useFields     Advice = "use its fields"
	keepAndUse    Advice = "keep it in a local, and use its fields"
	useOneWay     Advice = "use one of both ways, or two tables"
	oneValue      Advice = "put the call in parentheses for its first value, or its values in locals"
	oneType       Advice = "give both sides one type, or choose with if and else"
	chooseWithIf  Advice = "keep what is looked up in a component, or choose with if and elseif"
	quoteName     Advice = "write it in quotes, or in a local of the file"
	chooseView    Advice = "choose the view with if"
	ownLocal      Advice = "use a local of your own"
	AssignAfter   Advice = "collect in locals, and assign after the loop"
	KeepEntities  Advice = "keep entities in it, and look their components up with world:get"
	queueIt       Advice = "queue it with world.commands"
	keysAsNames   Advice = "write the keys as names"
	makeBefore    Advice = "make it before the loop"
	keepKey       Advice = "keep its key in the variable, and make missing tables before the loop"
	tableInCall   Advice = "write the table in the call"
	intoLists     Advice = "put keys and values into two lists, and fill the table after the loop"
	membersApart  Advice = "keep each member in a local of its own"
	oneKey        Advice = "keep it in one table with one key, as in t[x * 1000 + y]"
	OneList       Advice = "put all of them into one list, and keep in two tables where each begins and ends"
	writeElements Advice = "write the elements, as in t[1], t[2]"
	nameFirst     Advice = "keep the part in a local of its own before it is put into the table"
	KeepBefore    Advice = "keep the value in a local before the loop"
	numericFor    Advice = "walk a list with a numeric for"
	QueueObserved Advice = "queue the write with world.commands, or find the writes by changed = { … } in a query"
	QueueIndexed  Advice = "queue the write with world.commands, or give the index a width and a height"
	QueryInLocal  Advice = "make it with ecs.query in a local of the file"
	PassQuery     Advice = "pass a query that ecs.query has made"
	SplitLoop     Advice = "split it into several loops"
	MoveToModule  Advice = "move some of them to a module"
	DeclareIt     Advice = "declare it in the file, or name the config that does"
)

// Elsewhere returns the advice for several things that a compiled loop cannot contain.
func Elsewhere() Advice { return doAfter }

// adviceOnCall returns the advice for a call that a compiled loop cannot contain.
func adviceOnCall(call *ast.FuncCallExpr) Advice {
	if fn, ok := call.Func.(*ast.IdentExpr); ok && fn.Value == "print" {
		return printAfter
	}
	if fn, ok := call.Func.(*ast.AttrGetExpr); ok && keyOf(fn) != "" {
		if of, ok := fn.Object.(*ast.IdentExpr); ok && of.Value == "math" {
			return otherMath
		}
	}
	if _, ok := call.Receiver.(*ast.IdentExpr); ok && slices.Contains([]string{"spawn", "instance", "despawn", "relate", "unrelate"}, call.Method) {
		return queueIt
	}
	return doAfter
}

// adviceOnRead returns the advice for a value that a compiled loop cannot read: it can be read before the loop, unless it depends on what
// the row does.
func (c *lowerer) adviceOnRead(e ast.Expr) Advice {
	own := false
	look := func(e ast.Expr) {
		syntax.Search([]ast.Stmt{&ast.ReturnStmt{Exprs: []ast.Expr{e}}}, func(n ast.PositionHolder) syntax.Step {
			if id, ok := n.(*ast.IdentExpr); ok {
				own = own || c.t.own[c.t.Names.Of(id)]
			}
			return syntax.Deeper
		})
	}
	if look(e); own {
		return ""
	}
	return KeepBefore
}

func (c *lowerer) adviceOnPlace(at ast.PositionHolder) Advice {
	if e, ok := at.(ast.Expr); ok {
		return c.adviceOnRead(e)
	}
	return KeepBefore
}

// adviceOnUse returns the advice for something that is used as a number, a boolean or a string and is none.
func adviceOnUse(kind symbolKind) Advice {
	if kind == viewSymbol {
		return keepAndUse
	}
	return ""
}
