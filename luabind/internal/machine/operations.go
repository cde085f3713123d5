package machine

import (
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
)

// The operations that this package knows, which is not to say that each form of code
// has them. Who adds one to package kernel adds it here, after a look at all that walks
// over a body for some kinds and passes over the rest; until then bodies with it run as
// closures.

// vet refuses a body with something unknown in it. It comes before all else that
// looks at a body.
func vet(p *kernel.Program) (err error) {
	defer refused(&err)
	walk(p.Body, knownStmt, knownExpr)
	return nil
}

// refused makes an error of a refusal, where a function is left by it.
func refused(err *error) {
	switch r := recover().(type) {
	case nil:
	case refusal:
		*err = r
	default:
		panic(r)
	}
}

func knownStmt(s *kernel.Stmt) {
	switch s.Op {
	case kernel.Set, kernel.Store, kernel.If, kernel.While, kernel.Repeat, kernel.Count, kernel.Break, kernel.Jump, kernel.Block,
		kernel.Do, kernel.Look, kernel.Put, kernel.Fit, kernel.Each, kernel.Near, kernel.Return, kernel.Leave:
	case kernel.Emit:
		knownEffect(s.Effect)
	default:
		refuse("it has a statement that is not known (%d)", s.Op)
	}
}

func knownExpr(x *kernel.Expr) {
	switch x.Op {
	case kernel.Const, kernel.Reg, kernel.Load, kernel.Entity, kernel.Add, kernel.Sub, kernel.Mul, kernel.Div, kernel.Mod, kernel.Pow, kernel.Neg,
		kernel.Less, kernel.LessEqual, kernel.Equal, kernel.Not, kernel.And, kernel.Or, kernel.Select, kernel.Call, kernel.Min, kernel.Max,
		kernel.Present, kernel.Alive, kernel.Has, kernel.Tagged, kernel.Element, kernel.Random, kernel.Tag, kernel.Untag:
	default:
		refuse("it has an expression that is not known (%d)", x.Op)
	}
	switch x.Type {
	case kernel.Number, kernel.Bool, kernel.Text:
	default:
		refuse("it has a value of a type that is not known (%d)", x.Type)
	}
}

func knownEffect(x *kernel.Effect) {
	switch x.Op {
	case kernel.Send, kernel.QueueSend, kernel.QueueSpawn, kernel.QueueDespawn, kernel.QueueAdd, kernel.QueueRemove, kernel.QueueSet, kernel.QueueTag,
		kernel.QueueUntag, kernel.QueueRelate, kernel.QueueUnrelate:
	default:
		refuse("it has an effect that is not known (%d)", x.Op)
	}
}
