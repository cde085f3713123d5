package kernel

import "slices"

// Lua evaluates from left to right. Some expressions need statements of their own
// (a called function, a component of another entity); these go in front of the
// statement that is being checked, so what stands to the left of such an
// expression, and what must not run, has to be kept in order here.

// after lowers something that comes after values that are there already. Where it
// needs statements, the values go into registers in front of those.
func (c *checker) after(lower func(), earlier ...**Expr) {
	n := len(c.out)
	lower()
	if len(c.out) == n {
		return
	}
	var kept []*Stmt
	for _, x := range earlier {
		if c.stable(*x) {
			continue
		}
		if alters(c.out[n:], *x) {
			panic(&Reason{Line: c.t.Line, Text: "a variable is used and changed by a function in one expression"})
		}
		reg := c.temporary((*x).Type)
		kept = append(kept, &Stmt{Op: Set, I: reg.I, Mark: -1, A: *x})
		*x = reg
	}
	c.out = slices.Insert(c.out, n, kept...)
}

// temporary is a register that is set once.
func (c *checker) temporary(t Type) *Expr {
	reg := c.register(t)
	c.fixed[cell{t, reg}] = true
	return &Expr{Op: Reg, Type: t, I: reg}
}

// keep evaluates a value now, once.
func (c *checker) keep(x *Expr) *Expr {
	if c.stable(x) {
		return x
	}
	reg := c.temporary(x.Type)
	c.entities[reg.I] = c.entities[reg.I] || x.Type == Number && c.isEntity(x)
	c.set(reg.I, -1, x)
	return reg
}

// stable reports whether a value is the same, and costs nothing, wherever it is
// evaluated.
func (c *checker) stable(x *Expr) bool {
	return x.Op == Const || x.Op == Entity || x.Op == Reg && c.fixed[cell{x.Type, x.I}]
}

// alters reports whether statements set a register that a value reads.
func alters(body []*Stmt, x *Expr) bool {
	return x != nil && (x.Op == Reg && sets(body, x) || alters(body, x.A) || alters(body, x.B) || alters(body, x.C))
}

func sets(body []*Stmt, x *Expr) bool {
	return slices.ContainsFunc(body, func(s *Stmt) bool {
		switch s.Op {
		case Set, Count:
			if s.I == x.I && s.A.Type == x.Type { // what counts is a number, as its bounds are
				return true
			}
		case Store, If, While, Repeat, Break, Jump, Block, Do, Look, Put, Return, Leave:
		case Fit, Emit, Each, Near: // the registers they set are those of a resource, or nobody has read them before
		default:
			panic("kernel: a statement of unknown operation")
		}
		return sets(s.Body, x) || sets(s.Else, x)
	})
}

// acts reports whether evaluating a value does something.
func acts(x *Expr) bool {
	return x != nil && (x.Op == Random || x.Op == Tag || x.Op == Untag || acts(x.A) || acts(x.B) || acts(x.C))
}

// fails reports whether evaluating a value may fail.
func (c *checker) fails(x *Expr) bool {
	if x == nil {
		return false
	}
	switch x.Op {
	case Element, Random:
		return true
	case Load:
		if x.I >= c.p.Views || c.p.Optional&(1<<x.I) != 0 {
			return true
		}
	case Const, Reg, Entity, Add, Sub, Mul, Div, Mod, Pow, Neg, Less, LessEqual, Equal, Not, And, Or, Select, Call, Min, Max, Present, Alive, Has, Tagged, Tag, Untag:
	default:
		panic("kernel: an expression of unknown operation")
	}
	return c.fails(x.A) || c.fails(x.B) || c.fails(x.C)
}

// discard evaluates a value nobody wants, where that can be noticed.
func (c *checker) discard(x *Expr) {
	if acts(x) || c.fails(x) {
		c.emit(&Stmt{Op: Do, A: x})
	}
}

// either is cond and a or b; mixed is called when the types differ.
func (c *checker) either(cond *Expr, a, b func() *Expr, mixed func()) *Expr {
	var x, y *Expr
	first := c.collect(func() { c.branching(func() { x = a() }) })
	if x.Type == Bool { // a may be false, then b is looked at
		return c.both(Or, c.joined(And, cond, x, first), func() *Expr {
			if y = b(); y.Type != Bool {
				mixed()
			}
			return y
		})
	}
	second := c.collect(func() { c.branching(func() { y = b() }) })
	if x.Type != y.Type {
		mixed()
	}
	if len(first)+len(second) == 0 {
		return &Expr{Op: Select, Type: x.Type, A: cond, B: x, C: y}
	}
	reg := c.temporary(x.Type)
	first = append(first, &Stmt{Op: Set, I: reg.I, Mark: -1, A: x})
	second = append(second, &Stmt{Op: Set, I: reg.I, Mark: -1, A: y})
	c.emit(&Stmt{Op: If, A: cond, Body: first, Else: second})
	return reg
}

// both is a and b, or a or b, of booleans.
func (c *checker) both(op Op, a *Expr, lower func() *Expr) *Expr {
	var b *Expr
	second := c.collect(func() { c.branching(func() { b = lower() }) })
	return c.joined(op, a, b, second)
}

// joined is a and b, or a or b, where b takes statements.
func (c *checker) joined(op Op, a, b *Expr, second []*Stmt) *Expr {
	if len(second) == 0 {
		return &Expr{Op: op, Type: Bool, A: a, B: b}
	}
	x := &Expr{Op: Reg, Type: Bool, I: c.register(Bool)}
	c.set(x.I, -1, a)
	cond := x
	if op == Or {
		cond = not(x)
	}
	c.emit(&Stmt{Op: If, A: cond, Body: append(second, &Stmt{Op: Set, I: x.I, Mark: -1, A: b})})
	c.fixed[cell{Bool, x.I}] = true
	return x
}

func not(x *Expr) *Expr {
	if x.Op == Const {
		return boolean(x.N == 0)
	}
	return &Expr{Op: Not, Type: Bool, A: x}
}

func boolean(b bool) *Expr {
	e := &Expr{Op: Const, Type: Bool}
	if b {
		e.N = 1
	}
	return e
}

// branching checks what may not run: what it learns of variables is forgotten.
func (c *checker) branching(fn func()) (learned map[*symbol]bool) {
	saved := c.known
	c.known = map[*symbol]bool{}
	for s := range saved {
		c.known[s] = true
	}
	fn()
	learned = c.known
	c.known = saved
	return learned
}
