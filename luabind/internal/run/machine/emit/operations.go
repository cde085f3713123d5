package emit

import (
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// The operations for which there is code. Whoever adds one to package ir adds it here, after a look at everything that
// walks over a body for some kinds and passes over the rest. Until then, bodies with it run as closures. A form of code may
// still refuse an operation of this list.

// vet refuses a body with an unknown operation, and a Program with registers for which there are no locals, even if no statement
// that can be reached uses them. It runs before anything else looks at the body.
func vet(p *ir.Program) (err error) {
	defer abi.Refused(&err)
	v := vettingOf(p)
	abi.Walk(p.Body, func(s *ir.Stmt) {
		v.knownStmt(s)
		for _, x := range append([]*ir.Expr{s.A, s.B, s.C}, s.Args...) {
			if !v.typed(s, x) {
				v.refuseTables()
			}
		}
	}, v.knownExpr)
	if p.Anys > 0 && len(v.results) == 0 {
		v.refuseTables()
	}
	for _, in := range p.Inputs {
		if in.Used && in.Type == ir.Any {
			v.refuseTables()
		}
	}
	return nil
}

// A vetting looks for unknown operations in a Program.
type vetting struct {
	p       *ir.Program
	results ir.TextResults
}

func vettingOf(p *ir.Program) vetting { return vetting{p, ir.TextResultsOf(p)} }

// typed reports whether a value that a statement uses is of one type. Those of calls on strings need not be.
func (v vetting) typed(s *ir.Stmt, x *ir.Expr) bool {
	return x == nil || x.Type != ir.Any || s.Op == ir.Invoke
}

// refuseTables refuses a body with tables or with values of type Any. It says where they come from.
func (v vetting) refuseTables() {
	if v.p.TableFields {
		abi.Refuse("it has values of several kinds, or tables in fields")
	}
	makes := false
	abi.Walk(v.p.Body, func(s *ir.Stmt) { makes = makes || s.Op == ir.Make }, func(*ir.Expr) {})
	if makes {
		abi.Refuse("its rows make tables")
	}
	abi.Walk(v.p.Body, func(s *ir.Stmt) {
		if s.Op == ir.Invoke && !v.results.Calls(s) {
			refuseCall(s)
		}
	}, func(*ir.Expr) {})
	abi.Refuse("it has values that may be of several kinds")
}

// refuseCall refuses a call of a function of strings or tables.
func refuseCall(s *ir.Stmt) {
	if strings.Contains(s.Func, ".") {
		abi.Refuse("it calls %s", s.Func)
	}
	abi.Refuse("it calls functions of strings or tables")
}

// knownStmt refuses an unknown statement.
func (v vetting) knownStmt(s *ir.Stmt) {
	switch s.Op {
	case ir.Set, ir.Store, ir.If, ir.While, ir.Repeat, ir.Count, ir.Break, ir.Jump, ir.Block,
		ir.Do, ir.Look, ir.Put, ir.PutKey, ir.Fit, ir.Near, ir.Sources, ir.Return, ir.Leave:
	case ir.Each:
		if s.A != nil {
			abi.Refuse("it walks the sources of an entity")
		}
	case ir.Emit:
		knownEffect(s.Effect)
	case ir.Make, ir.PutItem, ir.Insert, ir.Remove, ir.Sort, ir.Items, ir.Entries:
		v.refuseTables()
	case ir.Invoke:
		if !v.results.Calls(s) {
			refuseCall(s)
		}
	default:
		abi.Refuse("it has a statement that is not known (%d)", s.Op)
	}
}

// knownExpr refuses an unknown expression.
func (v vetting) knownExpr(x *ir.Expr) {
	switch x.Op {
	case ir.Const, ir.Reg, ir.Load, ir.Entity, ir.Add, ir.Sub, ir.Mul, ir.Div, ir.Mod, ir.Pow, ir.Neg,
		ir.Less, ir.LessEqual, ir.Equal, ir.Not, ir.And, ir.Or, ir.Select, ir.Call, ir.Min, ir.Max,
		ir.Present, ir.Alive, ir.Has, ir.Tagged, ir.Element, ir.Exists, ir.Lookup, ir.HasKey, ir.Pair, ir.Random, ir.Related, ir.Tag, ir.Untag:
	case ir.As, ir.Truth, ir.Length, ir.Join, ir.Shown:
		if !v.results.Makes(x) {
			v.refuseTables()
		}
		return
	case ir.Wrap: // what it is an operand of is known as well
	case ir.Item:
		v.refuseTables()
	default:
		abi.Refuse("it has an expression that is not known (%d)", x.Op)
	}
	for _, operand := range [...]*ir.Expr{x.A, x.B, x.C} {
		if operand != nil && operand.Type == ir.Any && !v.results.Makes(x) {
			v.refuseTables()
		}
	}
	switch x.Type {
	case ir.Number, ir.Bool, ir.Text:
	case ir.Any:
		if !v.results.Argument(x) {
			v.refuseTables()
		}
	default:
		abi.Refuse("it has a value of a type that is not known (%d)", x.Type)
	}
}

// knownEffect refuses an unknown effect.
func knownEffect(x *ir.Effect) {
	if x.Now {
		abi.Refuse("it changes the structure of the world at once")
	}
	for _, f := range x.Fields {
		if f.Field.Type == ecs.TableField {
			abi.Refuse("it gives tables to fields of events or commands")
		}
	}
	switch x.Op {
	case ir.Send, ir.QueueSend, ir.QueueSpawn, ir.QueueDespawn, ir.QueueAdd, ir.QueueRemove, ir.QueueSet, ir.QueueTag,
		ir.QueueUntag, ir.QueueRelate, ir.QueueUnrelate, ir.Made, ir.TableSet, ir.Print:
	default:
		abi.Refuse("it has an effect that is not known (%d)", x.Op)
	}
}
