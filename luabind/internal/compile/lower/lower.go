package lower

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/syntax"
	"github.com/yuin/gopher-lua/ast"
)

// The second step of lowering: Template.Lower walks the body of a loop, with the kinds of its inputs, and emits the
// statements of a Program. This file has the lowerer with its registers and blocks. The constructs are in other
// files: nesting.go has inner statements, assign.go assignments, expr.go and access.go expressions, call.go,
// method.go and payload.go calls, inline.go functions of the script.

// A larger body is not lowered. These limits bound the time that lowering and back ends take for one loop.
const (
	mostStatements = 1000   // statements of the body, including those of inlined functions
	mostConstructs = 15_000 // likewise, and operands
)

// Lower makes the Program of a loop for inputs of these kinds, in the order of t.Inputs. If no kernel can run the
// loop with them, it returns a reason instead. It may be called several times, for other kinds and contexts; each
// call makes a new Program. It lowers the body repeatedly until no attempt finds out something that it should have
// known from the beginning.
func (t *Template) Lower(kinds []Kind, context Context) (*ir.Program, *Reason) {
	h := newHints()
	var assumed map[int]tableUse
	left := maps.Clone(t.exits)
	for {
		p, seen, at, reason, again := t.attempt(kinds, context, assumed, left, h)
		if again || reason != nil && left.add(at, reason) {
			continue
		}
		if reason != nil || maps.Equal(seen, assumed) {
			return p, reason
		}
		assumed = seen // it only grows, so this ends
	}
}

// lower is one attempt of Lower. It assumes how the body uses tables, and which statements are left to the
// interpreter. It returns how the body really uses tables; and at, the statement that may be made an exit to avoid
// the reason.
func (t *Template) lower(kinds []Kind, context Context, assumed map[int]tableUse, left exits, h *hints) (p *ir.Program, seen map[int]tableUse, at ast.Stmt, reason *Reason) {
	c := &lowerer{
		t: t, exits: left, kinds: kinds, context: context, hints: h, assumed: assumed, seen: maps.Clone(assumed), p: &ir.Program{Views: views(t, context), Inputs: make([]ir.Place, len(kinds)), Origins: make([]ir.Origin, len(kinds))},
		fixed: map[register]bool{}, symbols: map[*syntax.Variable]*symbol{}, members: map[member]*symbol{}, hasValue: map[*symbol]bool{}, entities: map[int]bool{}, texts: map[int][]string{}, held: map[held]int{}, heldMembers: map[heldMember]*symbol{}, fieldReads: map[*ast.AttrGetExpr]*ir.Expr{}, shielded: map[*ast.FuncCallExpr]bool{}, mixed: map[int]bool{},
	}
	defer func() { at = c.exit }()
	defer caught(&reason)
	if c.seen == nil {
		c.seen = map[int]tableUse{}
	}
	for i, in := range t.Inputs {
		c.p.Origins[i].Input = i
		s := &symbol{kind: inputSymbol, i: i}
		if in.Member == "" {
			c.declare(in.Variable, s)
		} else {
			c.members[member{in.Variable, in.Member}] = s
		}
	}
	if len(t.Variables)-1 > ir.MaxViews {
		panic(&Reason{Line: t.Line, Text: "the loop has too many views", Advice: SplitLoop})
	}
	var before func()
	switch {
	case c.context.Cells != nil:
		before = c.walkedCell
	case t.Events:
		c.events()
	default:
		c.declare(t.Variables[0], &symbol{kind: valueSymbol, x: &ir.Expr{Op: ir.Entity}})
		for i, v := range t.Variables[1:] {
			c.declare(v, c.term(i))
		}
	}
	c.p.Body = c.block(t.Body, before)
	c.p.Body = slices.Concat(c.starts, c.p.Body)
	c.p.Price = 1 + c.price
	c.unambiguous()
	c.pairsFit()
	c.dropStores()
	c.always(c.p.Body)
	if !c.context.Unfiltered {
		c.filterNears(c.p.Body)
	}
	c.p.Random = draws(c.p.Body)
	c.asksUntouched()
	if len(c.p.Stores) > ir.MaxStores || c.p.Views+len(c.p.Refs) > ir.MaxViews {
		panic(&Reason{Line: t.Line, Text: "the body has too many variables, views or fields"})
	}
	if err := c.p.Verify(); err != nil {
		panic(&Reason{Line: t.Line, Text: "the loop is lowered to a wrong program, which is a fault of ecsrun: " + err.Error()})
	}
	return c.p, c.seen, nil, nil
}

// views returns the number of views of the query loop. Variables for which the query has no term are nil, and no views.
func views(t *Template, context Context) int {
	if t.Events {
		return 1
	}
	return min(len(t.Variables)-1, len(context.Query.Terms()))
}

// term returns the symbol of the i-th variable after the entity: view i, or nil if the query has fewer terms.
func (c *lowerer) term(i int) *symbol {
	s := &symbol{kind: nilSymbol}
	if terms := c.context.Query.Terms(); i < len(terms) {
		s = c.view(i, terms[i])
		s.nilable, s.entity = i >= c.context.Query.Required(), &ir.Expr{Op: ir.Entity}
		if s.nilable {
			c.p.Optional |= 1 << i
		}
		c.p.Components = append(c.p.Components, s.component)
		if s.schema == nil { // a relation: the variable is the target
			c.p.Entity = true
			s = related(ecs.RelationID(s.component), s.entity, s.nilable)
		}
	}
	return s
}

// A lowerer lowers one body, in one attempt. Its methods panic with a [Reason] where they refuse something; lower
// recovers it.
type lowerer struct {
	t       *Template
	p       *ir.Program
	kinds   []Kind
	context Context

	symbols  map[*syntax.Variable]*symbol // what each variable stands for; for a function that is inlined several times: in the current call
	members  map[member]*symbol           // what members of the Lua tables that inputs hold stand for
	labels   []label                      // the labels that a goto can reach from here, innermost last
	breaks   []int                        // for each loop around here: the label at its end if it is unrolled, 0 if it is not
	out      []*ir.Stmt                   // the statements of the current block so far
	price    int64                        // price of the current row or iteration so far
	size     int                          // number of statements so far; those of a function count at each call
	made     int                          // number of constructs so far, counted in the same way
	starts   []*ir.Stmt                   // what each row does first: it finds the views that variables have kept
	at       ast.PositionHolder           // the statement that was begun last
	where    ast.PositionHolder           // the current statement: after a call, the one with the call, not the last one of the function
	file     string                       // the file of the current statement; "" for the file of the loop
	jumps    int                          // number of labels so far
	fixed    map[register]bool            // registers that are set once, before anything reads them
	hasValue map[*symbol]bool             // variables that may be nil elsewhere, and are known to have a value here
	guesses  []*symbol                    // variables that were read before a value was assigned: see guess

	held           map[held]int                  // the views of components that are looked up repeatedly
	fieldReads     map[*ast.AttrGetExpr]*ir.Expr // the reads of fields of type table, as they were lowered last
	path           ast.Expr                      // the table that is about to be changed, while it is lowered: see changed
	shielded       map[*ast.FuncCallExpr]bool    // calls of functions that pcall or xpcall is given: they get copies of tables in fields
	heldMembers    map[heldMember]*symbol        // the registers with the entities of views that are members of objects; hasValue says whether they are set
	entities       map[int]bool                  // number registers that only hold entities
	texts          map[int][]string              // for text registers that are set once: the strings that they may hold, as far as these are known
	hints          *hints
	mixed          map[int]bool              // registers of type Any that hold a value of several types: see any.go
	resourceTables map[int]ecs.ResourceID    // for registers of type Any that a resource was read into: the resource
	resourceReads  map[*ast.AttrGetExpr]bool // the expressions that read resources of type table
	names          map[ast.Expr]string       // names in the place of arguments that are computed: see namedcall.go
	opens          map[ast.Expr]bool         // calls that stand where all their values are used: see open

	assumed map[int]tableUse // by input: how this attempt assumes that the body uses tables; see use
	seen    map[int]tableUse // by input: how the body was seen to use tables

	flips   []ecs.TagID // tags that the body sets or removes
	choices int         // how many calls of one of several functions are being lowered

	fn *inlined // the inlined function that is being lowered, nil in the loop itself

	exits exits // statements that are left to the interpreter
	position
}

// A register identifies a register of the Program.
type register struct {
	ir.Type
	reg int
}

// declare makes a variable stand for a symbol, and gives the symbol its name.
func (c *lowerer) declare(v *syntax.Variable, s *symbol) *symbol {
	s.name, s.variable = v.Name, v
	c.symbols[v] = s
	return s
}

// lookup returns the symbol of an identifier. Prepare has listed all variables that a loop uses, so the refusal
// here is only a safeguard.
func (c *lowerer) lookup(id *ast.IdentExpr) *symbol {
	s := c.symbols[c.t.Names.Of(id)]
	if s == nil {
		refuseWith(id, LocalOfFile, "uses the global %q", id.Value)
	}
	return s
}

// register returns a new register of a type. A body that needs too many is refused.
func (c *lowerer) register(t ir.Type) int {
	n := &c.p.Numbers
	switch t {
	case ir.Bool:
		n = &c.p.Bools
	case ir.Text:
		n = &c.p.Texts
	case ir.Any:
		n = &c.p.Anys
	case ir.Number:
	}
	if *n == ir.MaxRegisters {
		panic(&Reason{whole: true, Line: c.t.Line, Text: "the body has too many variables, views or fields"})
	}
	*n++
	return *n - 1
}

// emit appends a statement to the current block.
func (c *lowerer) emit(s *ir.Stmt) {
	c.placed(s)
	c.out = append(c.out, s)
}

// placed notes where the current statement stands in the source, unless that is known.
func (c *lowerer) placed(s *ir.Stmt) *ir.Stmt {
	if s.Line == 0 && c.where != nil {
		s.File, s.Line = c.file, c.where.Line()
	}
	return s
}

// set emits an ir.Set. mark is a boolean register or -1.
func (c *lowerer) set(reg, mark int, x *ir.Expr) {
	c.emit(&ir.Stmt{Op: ir.Set, I: reg, Mark: mark, A: x})
}

// departs lists a way in which rows may be left to the interpreter, for reports.
func (c *lowerer) departs(at ast.PositionHolder, format string, args ...any) {
	c.departure(ir.Departure{File: c.file, Line: at.Line(), Text: fmt.Sprintf(format, args...)})
}

// departure lists an ir.Departure once.
func (c *lowerer) departure(d ir.Departure) {
	if !slices.Contains(c.p.Leaves, d) {
		c.p.Leaves = append(c.p.Leaves, d)
	}
}

// collect returns the statements that fn emits, instead of adding them to the current block.
func (c *lowerer) collect(fn func()) []*ir.Stmt {
	saved := c.out
	c.out = nil
	fn()
	out := c.out
	c.out = saved
	return out
}

// within calls fn, and then forgets the labels that fn has declared.
func (c *lowerer) within(fn func()) {
	n := len(c.labels)
	fn()
	c.labels = c.labels[:n]
}

// block lowers the statements of a block. before, if not nil, is called first, to declare variables.
func (c *lowerer) block(stmts []ast.Stmt, before func()) []*ir.Stmt {
	return c.collect(func() {
		c.within(func() {
			if before != nil {
				before()
			}
			c.stmts(stmts)
		})
	})
}

// pay counts a construct: for the price of the current row or iteration, and for the limit of the whole body. The
// limit is needed because functions that call each other several times can multiply to any size.
func (c *lowerer) pay() {
	c.price++
	if c.made++; c.made > mostConstructs {
		refuseWith(c.where, SplitLoop, tooLarge)
	}
}

const tooLarge = "the body is too large, with the functions that become a part of it"

// stmt lowers one statement, as an exit if it is one.
func (c *lowerer) stmt(st ast.Stmt) {
	c.at, c.where = st, st
	c.pay()
	if c.size++; c.size > mostStatements {
		refuseWith(st, SplitLoop, tooLarge)
	}
	if why := c.exits[st]; why != nil {
		c.leaves(why)
		return
	}
	before, n := c.enter(st), len(c.out)
	c.construct(st)
	for _, s := range c.out[min(n, len(c.out)):] {
		c.placedAll(s, st)
	}
	c.position = before
}

// placedAll notes that some statement, and those in it, came of one of the source, unless that is known.
func (c *lowerer) placedAll(s *ir.Stmt, of ast.Stmt) {
	if s.Line > 0 {
		return
	}
	s.File, s.Line = c.file, of.Line()
	for _, s := range s.Body {
		c.placedAll(s, of)
	}
	for _, s := range s.Else {
		c.placedAll(s, of)
	}
}

// construct lowers a statement according to its kind.
func (c *lowerer) construct(st ast.Stmt) {
	switch st := st.(type) {
	case *ast.LocalAssignStmt:
		c.locals(st)
	case *ast.AssignStmt:
		c.assign(st)
	case *ast.FuncCallStmt:
		c.statement(st.Expr.(*ast.FuncCallExpr))
	case *ast.DoBlockStmt:
		c.emit(&ir.Stmt{Op: ir.Block, Body: c.block(st.Stmts, nil)})
	case *ast.IfStmt:
		c.branch(st)
	case *ast.WhileStmt:
		c.while(st)
	case *ast.RepeatStmt:
		c.repeat(st)
	case *ast.NumberForStmt:
		c.count(st)
	case *ast.GenericForStmt:
		c.generic(st)
	case *ast.BreakStmt:
		if n := len(c.breaks); n > 0 && c.breaks[n-1] == noBreak {
			refuse(st, "leaves a loop by a break after a label to which a goto jumps back")
		} else if n > 0 && c.breaks[n-1] != 0 {
			c.emit(&ir.Stmt{Op: ir.Jump, I: c.breaks[n-1]})
			return
		}
		c.emit(&ir.Stmt{Op: ir.Break})
	case *ast.ReturnStmt:
		c.returns(st)
	case *ast.GotoStmt:
		c.jump(st)
	default:
		refuse(st, "has a statement of an unknown kind")
	}
}

// events declares the variables of a loop over events: the first one is the event, all others are nil.
func (c *lowerer) events() {
	c.p.Events, c.p.Components = c.context.Events, []ecs.ComponentID{ir.NoComponent}
	c.declare(c.t.Variables[0], &symbol{kind: viewSymbol, event: true, schema: c.context.Events})
	for _, v := range c.t.Variables[1:] {
		c.declare(v, &symbol{kind: nilSymbol})
	}
}
