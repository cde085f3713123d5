package lower

import (
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
)

// Where the tables live that rows make. In a body that uses fields of type table, a Make makes data that a field can hold.
// Such a table has no metatable and no views, and its lists have no holes; stored in a table of the script, it becomes one
// only while the order of its keys is known (draft/escape.go). So a Make makes a table of the script instead, if the body needs
// that: the table is stored in one from around the loop, gets computed keys, or gets a view. Stored in a field, it is copied.
//
// Which tables reach which others is found by Steensgaard's points-to analysis: a node stands for the values of some
// registers, and has one node for the elements of all tables among them. A statement that passes a value on joins two
// nodes, and with them their elements.

// A node is a number of a homes.
type node = int

// homes are the nodes of a body. The first ones are those of the registers of type Any; the next one stands for all fields,
// resources and effects.
type homes struct {
	parent, element []node // element: -1 if nothing is known of it
	fields          node
	makes           []*ir.Stmt
	script          []node // tables that have to be those of the script
	keyed           []node // tables that get computed keys: they have to be, unless they may be those of fields
}

// newHomes returns the nodes of a body with some registers.
func newHomes(registers int) *homes {
	h := &homes{fields: registers}
	for range registers + 1 {
		h.add()
	}
	h.element[h.fields] = h.fields
	return h
}

// add adds a node.
func (h *homes) add() node {
	h.parent, h.element = append(h.parent, len(h.parent)), append(h.element, -1)
	return len(h.parent) - 1
}

// find returns the node that stands for all nodes with which one was joined.
func (h *homes) find(n node) node {
	for h.parent[n] != n {
		n = h.parent[n]
	}
	return n
}

// join makes one node of two.
func (h *homes) join(a, b node) {
	if a, b = h.find(a), h.find(b); a == b {
		return
	}
	h.parent[b] = a
	switch inA, inB := h.element[a], h.element[b]; {
	case inA < 0:
		h.element[a] = inB
	case inB >= 0:
		h.join(inA, inB)
	}
}

// elements returns the node of the elements of a node.
func (h *homes) elements(n node) node {
	n = h.find(n)
	if h.element[n] < 0 {
		inner := h.add()
		h.element[n] = inner
	}
	return h.find(h.element[n])
}

// pass joins a node with the values that an expression may have.
func (h *homes) pass(to node, x *ir.Expr) {
	if x == nil || x.Type != ir.Any {
		return
	}
	switch x.Op {
	case ir.Wrap, ir.Box, ir.Const: // no tables
	case ir.Select:
		h.pass(to, x.B)
		h.pass(to, x.C)
	default:
		h.join(to, h.of(x))
	}
}

// of returns the node of an expression of type Any.
func (h *homes) of(x *ir.Expr) node {
	switch x.Op {
	case ir.Reg:
		return h.find(x.I)
	case ir.Item:
		return h.elements(h.of(x.A))
	case ir.Select, ir.Wrap, ir.Box, ir.Const:
		n := h.add()
		h.pass(n, x)
		return h.find(n)
	default: // it may be a table of a field
		return h.find(h.fields)
	}
}

// settleMakes decides for each Make of a finished body where its table lives.
func (c *lowerer) settleMakes() {
	if !c.p.TableFields || c.p.Anys == 0 {
		return
	}
	h := newHomes(c.p.Anys)
	if !h.body(c.p.Body) {
		return
	}
	for _, in := range c.p.Inputs {
		if in.Used && in.Type == ir.Any {
			h.script = append(h.script, in.Reg)
		}
	}
	script := h.scripts()
	for _, s := range h.makes {
		if script[h.find(s.I)] {
			s.Script, c.p.Lua = true, true
		}
	}
}

// scripts returns the nodes whose tables are those of the script: those that have to be, what is in them, and what they are in.
func (h *homes) scripts() map[node]bool {
	out, fields := map[node]bool{}, h.find(h.fields)
	for _, n := range h.keyed {
		if h.find(n) != fields {
			h.script = append(h.script, n)
		}
	}
	for _, n := range h.script {
		for n = h.find(n); !out[n]; n = h.find(h.element[n]) {
			if out[n] = true; h.element[n] < 0 {
				break
			}
		}
	}
	for again := true; again; {
		again = false
		for n := range h.parent {
			if n = h.find(n); !out[n] && h.element[n] >= 0 && out[h.find(h.element[n])] {
				out[n], again = true, true
			}
		}
	}
	return out
}

// body joins the nodes of what statements pass on. It returns false for a body of which it knows too little.
func (h *homes) body(body []*ir.Stmt) bool {
	for _, s := range body {
		switch s.Op {
		case ir.Recurse, ir.Again:
			return false
		case ir.Set:
			if s.A.Type == ir.Any {
				h.pass(s.I, s.A)
			}
		case ir.Store:
			h.pass(h.fields, s.A)
		case ir.Emit:
			for _, x := range s.Args {
				h.pass(h.fields, x)
			}
		case ir.Make:
			h.makes = append(h.makes, s)
			h.made(s.I, s.Item, s.Args)
		case ir.PutItem:
			of := h.of(s.A)
			h.pass(h.elements(of), s.C)
			if s.C.Op == ir.Box {
				h.script = append(h.script, of)
			} else if !isNamed(s.B) {
				h.keyed = append(h.keyed, of)
			}
		case ir.Insert:
			h.pass(h.elements(h.of(s.A)), s.C)
		case ir.Remove, ir.Sort, ir.Items, ir.Entries:
			in := h.elements(h.of(s.A))
			if s.I >= 0 && s.Op != ir.Items {
				h.join(in, s.I)
			}
			if s.J >= 0 && s.Op != ir.Remove {
				h.join(in, s.J)
			}
		case ir.Invoke:
			h.invoked(s)
		case ir.If, ir.While, ir.Repeat, ir.Count, ir.Block, ir.Each, ir.Near, ir.Sources: // what is in them follows
		case ir.Break, ir.Jump, ir.Return, ir.Leave, ir.Do, ir.Look, ir.Put, ir.PutKey, ir.Fit: // they pass on no tables
		default:
			return false
		}
		if !h.body(s.Body) || !h.body(s.Else) {
			return false
		}
	}
	return true
}

// made joins the elements of a table that is made with its values. It returns the values that are left.
func (h *homes) made(n node, item *ir.TableItem, args []*ir.Expr) []*ir.Expr {
	part := func(of *ir.TableItem) {
		switch of.Kind {
		case ir.ItemTable:
			args = h.made(h.elements(n), of, args)
		case ir.ItemValue:
			h.pass(h.elements(n), args[0])
			if args[0].Op == ir.Box {
				h.script = append(h.script, n)
			}
			args = args[1:]
		}
	}
	for _, x := range item.Items {
		part(x)
	}
	for _, x := range item.Named {
		part(x.Value)
	}
	return args
}

// invoked joins the arguments of a library function with its results, as if each were passed on, or a part of another.
func (h *homes) invoked(s *ir.Stmt) {
	switch s.Func {
	case "method", "value", "operator", "comparison", "tostring", "<": // a number, a boolean or a string
		return
	case "setmetatable":
		h.script = append(h.script, h.of(s.Args[0]))
		return
	}
	all := h.add()
	h.join(all, h.elements(all))
	for _, x := range s.Args {
		h.pass(all, x)
	}
	for i := range s.J {
		h.join(all, s.I+i)
	}
	if s.Func == "resource" || s.Func == "set resource" {
		h.join(all, h.fields)
	}
}

// isNamed reports whether a key is a name in the source, or follows the last item of a list.
func isNamed(key *ir.Expr) bool {
	if key.Op != ir.Wrap {
		return false
	}
	switch x := key.A; x.Op {
	case ir.Const:
		return x.Type == ir.Text
	case ir.Add:
		return x.A.Op == ir.Length
	default: // a computed number or string
		return false
	}
}
