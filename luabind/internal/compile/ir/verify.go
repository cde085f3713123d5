package ir

import (
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
)

// The self-test of the IR: Verify checks that a Program keeps the rules that all back ends rely on. Tests and
// lowering call it, so that a bug in lowering is an error and not wrong code.

// Verify checks the rules of a Program, and returns an error for the first one that is broken: an index of a
// register, view, table, query or effect that does not exist, operands of a wrong type or number, a jump to a label
// that no block has, a store that Stores or Refs do not list. Every Program that lower returns keeps the rules.
// Back ends rely on them and do not check.
func (p *Program) Verify() (err error) {
	v := verifier{p: p}
	defer func() {
		if r := recover(); r != nil {
			broken, ok := r.(brokenRule)
			if !ok {
				panic(r)
			}
			err = broken
		}
	}()
	v.head()
	v.body(p.Body)
	v.demand(v.draws == p.Random, "Random is %v, and whether the body draws random numbers is %v", p.Random, v.draws)
	return nil
}

// A brokenRule is the error of Verify. It ends the walk as a panic that Verify recovers.
type brokenRule string

func (e brokenRule) Error() string { return string(e) }

// A verifier walks a Program.
type verifier struct {
	p      *Program
	labels []int // labels of the blocks around the current statement
	draws  bool  // a random number was drawn so far
}

// demand ends the walk with an error if ok is false.
func (v *verifier) demand(ok bool, format string, args ...any) {
	if !ok {
		panic(brokenRule(fmt.Sprintf(format, args...)))
	}
}

// below demands that an index is less than n and not negative. what names the things that it is an index of.
func (v *verifier) below(i, n int, what string) {
	v.demand(i >= 0 && i < n, "there is no %s %d of %d", what, i, n)
}

// register demands that a register of a type exists.
func (v *verifier) register(t Type, i int) {
	v.demand(int(t) < len(typeNames), "a register is of the unknown type %d", t)
	v.below(i, [...]int{Number: v.p.Numbers, Bool: v.p.Bools, Text: v.p.Texts, Any: v.p.Anys}[t], typeNames[t]+" register")
}

// registerOrNone demands that a register exists, or is -1.
func (v *verifier) registerOrNone(t Type, i int) {
	if i != -1 {
		v.register(t, i)
	}
}

// head checks everything but the statements.
func (v *verifier) head() {
	p := v.p
	v.demand(p.Price > 0, "a row has the price %d", p.Price)
	v.demand(max(p.Numbers, p.Bools, p.Texts, p.Anys) <= MaxRegisters, "there are more than %d registers of a type", MaxRegisters)
	v.demand(p.Views+len(p.Refs) <= MaxViews, "there are more than %d views", MaxViews)
	v.demand(len(p.Stores) <= MaxStores, "more than %d fields are stored", MaxStores)
	v.demand(p.Views == len(p.Components), "%d views have %d components", p.Views, len(p.Components))
	v.demand((p.Optional|p.Uses)>>p.Views == 0, "a view without a component is used")
	v.demand(len(p.Inputs) == len(p.Origins), "there are %d inputs with %d origins", len(p.Inputs), len(p.Origins))
	for _, in := range p.Inputs {
		if in.Used {
			v.register(in.Type, in.Reg)
			v.demand(in.Type != Any, "an input is of type any")
		}
	}
	for _, out := range p.Outputs {
		v.register(out.Type, out.Reg)
		v.demand(out.Type != Any, "the output %d is of type any", out.Input)
		v.registerOrNone(Bool, out.Mark)
		v.demand(!out.View || out.Type == Number, "the output %d is a view without an entity", out.Input)
		v.below(out.Input, len(p.Inputs), "input")
	}
	for _, t := range p.Tables {
		v.below(t.Input, len(p.Inputs), "input")
	}
	for i, t := range p.Keyed {
		v.below(t.Input, len(p.Inputs), "input")
		v.demand(t.Key != Bool, "a keyed table is looked up by booleans")
		if t.Pairs {
			v.below(t.Of, i, "keyed table before the one with its pairs")
			of := p.Keyed[t.Of]
			v.demand(t.Key == Number && !t.Rows && (t.Second == Number || t.Second == Text), "a keyed table of pairs has tables, or other keys")
			v.demand(of.Rows && !of.Pairs && of.Input == t.Input, "the pairs of a keyed table are in no table of tables")
		}
		v.demand(t.Rows || len(t.Members) == 0, "a keyed table has members, and its values are no tables")
	}
	for _, t := range p.Stores {
		v.below(t.View, len(p.Components), "view")
	}
	for _, ref := range p.Refs {
		if ref.Query != -1 {
			v.below(ref.Query, len(p.Queries), "query")
		}
	}
	for _, q := range p.Queries {
		v.registerOrNone(Number, q.Entity)
		v.demand(q.First >= p.Views && q.First+q.Views <= p.Views+len(p.Refs), "a query has the views from %d on, %d of them", q.First, q.Views)
	}
	for _, s := range p.Sinks {
		v.below(s.Input, len(p.Inputs), "input")
	}
	for i, e := range p.Effects {
		v.demand(e.Index == i, "effect %d has the index %d", i, e.Index)
	}
	for _, places := range p.Sites {
		for _, place := range places {
			v.demand(place >= -1 && place < p.Returns, "a return has no value %d of %d", place, p.Returns)
		}
	}
}

// body checks a list of statements.
func (v *verifier) body(list []*Stmt) {
	for _, s := range list {
		v.stmt(s)
	}
}

// stmt checks one statement and those inside it.
func (v *verifier) stmt(s *Stmt) {
	switch s.Op {
	case Set:
		v.expr(s.A)
		v.register(s.A.Type, s.I)
		v.registerOrNone(Bool, s.Mark)
	case Store:
		v.typed(s.A, v.fieldType(s.Field))
		v.stored(s)
	case If:
		v.typed(s.A, Bool)
	case While, Repeat:
		v.typed(s.A, Bool)
		v.price(s)
	case Count:
		v.typed(s.A, Number)
		v.typed(s.B, Number)
		v.typed(s.C, Number)
		v.register(Number, s.I)
		v.price(s)
	case Jump:
		found := false
		for _, label := range v.labels {
			found = found || label == s.I
		}
		v.demand(found && s.I != 0, "there is no block around a jump to label %d", s.I)
	case Block:
		v.labels = append(v.labels, s.I)
		v.body(s.Body)
		v.labels = v.labels[:len(v.labels)-1]
		return
	case Do:
		v.expr(s.A)
	case Look:
		v.typed(s.A, Number)
		v.below(s.I-v.p.Views, len(v.p.Refs), "view of another entity")
		v.demand(v.p.Refs[s.I-v.p.Views].Query == -1, "a component is looked up for view %d, which a query moves", s.I)
	case Untouched:
		if s.A != nil {
			v.typed(s.A, Number)
		}
		v.demand(s.J >= 0 && s.J <= len(v.p.Queries), "a statement asks for a query that is not there")
		v.demand(v.p.Events != nil && s.I >= TagOrder, "a statement asks for changes of structure where there are none")
	case Put:
		v.typed(s.A, Number)
		v.typed(s.B, Number)
		if s.Field != nil {
			v.below(s.I, len(v.p.Layers), "layer")
			v.demand(v.p.Layers[s.I].Stored, "cells of layer %d are written, and it is not stored", s.I)
			break
		}
		v.element(s.I, s.Member)
		v.demand(v.p.Tables[s.I].Stored, "elements of table %d are assigned, and not written back", s.I)
	case PutKey:
		v.below(s.I, len(v.p.Keyed), "keyed table")
		v.key(s.I, s.A)
		v.typed(s.B, v.keyed(s.I, s.Member))
		v.demand(v.p.Keyed[s.I].Stored, "values of keyed table %d are assigned, and not listed as such", s.I)
	case Make:
		v.register(Any, s.I)
		v.demand(s.Item != nil && v.p.Drafts, "a table is made of nothing, or has no identity")
		v.arguments(s.Args, s.Item.Types(nil), "a table that is made")
	case PutItem:
		v.demand(v.p.Drafts, "a table is changed, and has no identity")
		v.typed(s.A, Any)
		v.typed(s.B, Any)
		v.typed(s.C, Any)
	case Insert, Remove:
		v.demand(v.p.Drafts, "a table is changed, and has no identity")
		v.typed(s.A, Any)
		if s.B != nil {
			v.typed(s.B, Number)
		}
		if s.Op == Insert {
			v.typed(s.C, Any)
		} else {
			v.registerOrNone(Any, s.I)
		}
	case Sort:
		v.demand(v.p.Drafts, "a table is changed, and has no identity")
		v.typed(s.A, Any)
		v.price(s)
		if s.B == nil {
			v.demand(len(s.Body) == 0 && s.I == -1 && s.J == -1, "items are compared, and their order is not used")
			break
		}
		v.register(Any, s.I)
		v.register(Any, s.J)
		v.body(s.Body)
		v.typed(s.B, Bool)
		return
	case Invoke:
		v.demand(s.Func != "", "a function without a name is called")
		for i := range s.J {
			v.register(Any, s.I+i)
		}
		for _, x := range s.Args {
			v.typed(x, Any)
		}
	case Items, Entries:
		v.typed(s.A, Any)
		key := Number
		if s.Op == Entries {
			key = Any
		}
		v.register(key, s.I)
		v.registerOrNone(Any, s.J)
		v.price(s)
	case Fit:
		v.typed(s.A, v.fieldType(s.Field))
		v.register(s.A.Type, s.I)
	case Emit:
		v.effect(s)
	case Each:
		v.below(s.I, len(v.p.Queries), "query")
		if v.p.Queries[s.I].Narrowed {
			v.typed(s.A, Number)
		} else {
			v.demand(s.A == nil, "a loop over all rows of query %d has a target", s.I)
		}
		v.price(s)
	case Near:
		v.typed(s.A, Number)
		v.typed(s.B, Number)
		v.typed(s.C, Number)
		v.registerOrNone(Number, s.I)
		v.registerOrNone(Number, s.J)
		v.demand(len(s.Args) <= 1, "a loop over near entities has %d conditions", len(s.Args))
		if x := s.Filter(); x != nil {
			v.typed(x, Bool)
		}
		v.price(s)
	case Sources:
		v.typed(s.A, Number)
		v.registerOrNone(Number, s.I)
		v.price(s)
	case Return:
		v.demand(len(s.Args) > 0 && len(s.Args) <= v.p.Returns && s.Args[0].Op == Const, "a return has %d values of %d, or not the number of its source", len(s.Args), v.p.Returns)
		for _, x := range s.Args {
			v.expr(x)
			v.demand(x.Type != Any, "a value of type any is returned")
		}
	case Break, Leave:
	default:
		v.demand(false, "a statement has the unknown operation %d", s.Op)
	}
	v.body(s.Body)
	v.body(s.Else)
}

// price demands that an iteration of a loop costs something, so that every loop ends with the budget.
func (v *verifier) price(s *Stmt) { v.demand(s.Price > 0, "an iteration has the price %d", s.Price) }

// stored demands that the Program lists the field that a Store stores.
func (v *verifier) stored(s *Stmt) {
	if s.I >= v.p.Views {
		v.below(s.I-v.p.Views, len(v.p.Refs), "view")
		v.demand(v.p.Refs[s.I-v.p.Views].Stored, "view %d is stored, and not listed as such", s.I)
		return
	}
	for _, t := range v.p.Stores {
		if t.View == s.I && t.Field == s.Field {
			return
		}
	}
	v.demand(false, "the field %q of view %d is stored, and not listed as such", s.Field.Name, s.I)
}

// effect demands that an Emit has the arguments that its effect takes.
func (v *verifier) effect(s *Stmt) {
	e := s.Effect
	v.demand(e != nil && e.Index >= 0 && e.Index < len(v.p.Effects) && v.p.Effects[e.Index] == e, "an effect is not listed")
	v.demand(!e.Now || (e.Op == QueueSpawn || e.Op == QueueDespawn || e.Op == QueueAdd || e.Op == QueueRemove || e.Op == QueueSet || e.Op == QueueRelate || e.Op == QueueUnrelate) && v.p.Events != nil, "effect %d changes the structure of the world", e.Index)
	v.demand(s.I == -1 || e.Op == QueueSpawn, "effect %d gives an entity", e.Index)
	v.registerOrNone(Number, s.I)
	var want []Type
	if e.Op == TableSet {
		v.below(e.Sink, len(v.p.Sinks), "table that is only written")
		v.demand(e.Value != nil && len(s.Args) > 0, "an element of a table is set without a key or a value")
		v.expr(s.Args[0])
		want = e.Value.Types(append(want, e.Key))
	}
	if e.Op == Print {
		want = append(want, Text)
	}
	if e.ForEntity() {
		want = append(want, Number)
	}
	v.demand(!slices.Contains(want, Any), "effect %d takes a value of type any", e.Index)
	for _, f := range e.Fields {
		want = append(want, v.fieldType(f.Field))
	}
	if e.Op != QueueUnrelate {
		for range e.Relations {
			want = append(want, Number)
		}
	}
	v.arguments(s.Args, want, fmt.Sprintf("effect %d", e.Index))
}

// arguments checks the arguments of something, and demands their types.
func (v *verifier) arguments(args []*Expr, want []Type, what string) {
	v.demand(len(args) == len(want), "%s has %d arguments, not %d", what, len(args), len(want))
	for i, x := range args {
		v.typed(x, want[i])
	}
}

// fieldType returns the type of an expression that reads or sets a field.
func (v *verifier) fieldType(f *ecs.Field) Type {
	v.demand(f != nil, "a field is missing")
	if f.Type == ecs.TableField {
		return Any
	}
	t, ok := TypeOf(f)
	v.demand(ok, "the field %q of type %v is used", f.Name, f.Type)
	return t
}
