package ir

// The rules of expressions: see Verify.

// element demands that a table exists and has a member.
func (v *verifier) element(table, member int) {
	v.below(table, len(v.p.Tables), "table")
	if members := len(v.p.Tables[table].Members); members > 0 || member != -1 {
		v.below(member, members, "member of a table")
	}
}

// keyed demands that a keyed table exists and has a member, and returns the type of that member's values.
func (v *verifier) keyed(table, member int) Type {
	v.below(table, len(v.p.Keyed), "keyed table")
	t := &v.p.Keyed[table]
	v.demand(member == -1 != t.Rows, "keyed table %d is used with the member %d", table, member)
	if member != -1 {
		v.below(member, len(t.Members), "member of a keyed table")
	}
	return t.ValueType(member)
}

// lookup checks a Lookup or a HasKey that gives a value of type t.
func (v *verifier) lookup(x *Expr, t Type) {
	v.demand(x.Type == t && x.B == nil && x.C == nil, "the operation %s gives a %s, not a %s, or has several operands", operationNames[x.Op], typeNames[t], typeNames[x.Type])
	v.key(x.I, x.A)
}

// key checks the key of a keyed table: a Pair if the table has pairs.
func (v *verifier) key(table int, x *Expr) {
	t := &v.p.Keyed[table]
	if !t.Pairs {
		v.typed(x, t.Key)
		return
	}
	v.demand(x != nil && x.Op == Pair && x.Type == Number && x.C == nil, "a keyed table of pairs is looked up by something else than a pair")
	v.typed(x.A, v.p.Keyed[t.Of].Key)
	v.typed(x.B, t.Second)
}

// typed checks an expression and demands its type.
func (v *verifier) typed(x *Expr, t Type) {
	v.expr(x)
	v.demand(x.Type == t, "a %s stands where a %s has to be", typeNames[x.Type], typeNames[t])
}

// expr checks an expression and its operands.
func (v *verifier) expr(x *Expr) {
	v.demand(x != nil, "an operand is missing")
	v.demand(int(x.Type) < len(typeNames), "an expression is of the unknown type %d", x.Type)
	switch x.Op {
	case Const:
		v.operands(x, x.Type)
	case Reg:
		v.operands(x, x.Type)
		v.register(x.Type, x.I)
	case Load:
		v.operands(x, v.fieldType(x.Field))
		v.view(x.I)
	case Entity:
		v.operands(x, Number)
	case Add, Sub, Mul, Div, Mod, Pow, Min, Max:
		v.operands(x, Number, Number, Number)
	case Neg:
		v.operands(x, Number, Number)
	case Less, LessEqual:
		t := Number
		if x.A != nil && x.A.Type == Any {
			t = Any
		}
		v.operands(x, Bool, t, t)
	case Equal:
		v.demand(x.A != nil && int(x.A.Type) < len(typeNames), "an operand is missing")
		v.operands(x, Bool, x.A.Type, x.A.Type)
	case Not:
		v.operands(x, Bool, Bool)
	case And, Or:
		v.operands(x, Bool, Bool, Bool)
	case Select:
		v.operands(x, x.Type, Bool, x.Type, x.Type)
	case Call:
		v.demand((x.One != nil) != (x.Two != nil), "the function %q is not known", x.Func)
		if x.One != nil {
			v.operands(x, Number, Number)
		} else {
			v.operands(x, Number, Number, Number)
		}
	case Present:
		v.operands(x, Bool)
		v.view(x.I)
	case Alive, Has, Tagged, Tag, Untag:
		v.operands(x, Bool, Number)
	case Element:
		v.operands(x, Number, Number)
		if x.Field != nil {
			v.below(x.I, len(v.p.Layers), "layer")
			return
		}
		v.element(x.I, x.Member)
	case Exists:
		v.operands(x, Bool, Number)
		v.below(x.I, len(v.p.Tables), "table")
	case Lookup:
		v.lookup(x, v.keyed(x.I, x.Member))
	case Item:
		v.operands(x, Any, Any, Any)
	case As:
		v.demand(x.Type != Any, "a value is made any")
		v.operands(x, x.Type, Any)
	case Wrap:
		v.demand(x.A != nil && x.A.Type != Any, "a value is any already")
		v.operands(x, Any, x.A.Type)
	case Truth:
		v.operands(x, Bool, Any)
	case Length:
		v.operands(x, Number, Any)
	case Join:
		v.operands(x, Text, Text, Text)
	case Shown:
		v.demand(x.A != nil && (x.A.Type == Number || x.A.Type == Any), "neither a number nor a value of any kind is made a string")
		v.operands(x, Text, x.A.Type)
	case Related:
		v.operands(x, Number, Number)
	case Pair:
		v.demand(false, "a pair stands where no table is looked up by pairs")
	case HasKey:
		v.below(x.I, len(v.p.Keyed), "keyed table")
		v.lookup(x, Bool)
		if x.Member != -1 {
			v.keyed(x.I, x.Member)
		}
	case Random:
		v.draws = true
		switch {
		case x.A == nil:
			v.operands(x, Number)
		case x.B == nil:
			v.operands(x, Number, Number)
		default:
			v.operands(x, Number, Number, Number)
		}
	default:
		v.demand(false, "an expression has the unknown operation %d", x.Op)
	}
}

// view demands that a view exists and that the Program lists it as used.
func (v *verifier) view(i int) {
	v.below(i, v.p.Views+len(v.p.Refs), "view")
	v.demand(i >= v.p.Views || v.p.Uses&(1<<i) != 0, "view %d is used, and not listed as such", i)
}

// operands demands that an expression has type t, and exactly as many operands as want has types, with these types.
func (v *verifier) operands(x *Expr, t Type, want ...Type) {
	v.demand(x.Type == t, "the operation %s gives a %s, not a %s", operationNames[x.Op], typeNames[t], typeNames[x.Type])
	for i, operand := range [...]*Expr{x.A, x.B, x.C} {
		if i < len(want) {
			v.typed(operand, want[i])
		} else {
			v.demand(operand == nil, "the operation %s has more than %d operands", operationNames[x.Op], len(want))
		}
	}
}
