package control

import (
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// A where is the expression of a query, evaluated for one row after another.
type where struct {
	world *ecs.World
	expr  *luabind.Expression
	ids   []ecs.ComponentID // of the operands behind entity and frame that it uses
	at    []int             // their places
	buf   []ecs.Value
}

// The places of the operands that are no components.
const (
	ofEntity = iota
	ofFrame
	ofComponents
)

func newWhere(w *ecs.World, text string) (*where, error) {
	operands := []luabind.Operand{{Name: "entity"}, {Name: "frame"}}
	var ids []ecs.ComponentID
	for n := range w.ComponentNames() {
		info, ok := w.ComponentInfo(ecs.ComponentID(n))
		if !ok || info.Relation {
			continue
		}
		fields := []string{}
		for _, f := range info.Schema.Fields() {
			fields = append(fields, f.Name)
		}
		operands, ids = append(operands, luabind.Operand{Name: info.Name, Fields: fields}), append(ids, info.ID)
	}
	expr, err := luabind.NewExpression(text, operands)
	if err != nil {
		return nil, wrong(CodeParams, "where: %v", err)
	}
	x := &where{world: w, expr: expr}
	for i, id := range ids {
		if expr.Uses(ofComponents + i) {
			x.ids, x.at = append(x.ids, id), append(x.at, ofComponents+i)
		}
	}
	return x, nil
}

// holds evaluates the expression for an entity.
func (x *where) holds(e ecs.Entity, frame uint64) (bool, error) {
	if x.expr.Uses(ofEntity) {
		x.expr.Set(ofEntity, ecs.EntityOf(e))
	}
	if x.expr.Uses(ofFrame) {
		x.expr.Set(ofFrame, ecs.Uint(frame))
	}
	for i, id := range x.ids {
		row, err := x.world.Ref(e, id).Row()
		if err != nil {
			x.expr.Set(x.at[i])
			continue
		}
		x.buf = x.buf[:0]
		for f := range row.Schema().Fields() {
			x.buf = append(x.buf, row.Get(f))
		}
		x.expr.Set(x.at[i], x.buf...)
	}
	ok, err := x.expr.Holds()
	if err != nil {
		return false, wrong(CodeFailed, "where: entity %s: %v", e, err)
	}
	return ok, nil
}
