package ir

// Functions that call themselves: the statements Recurse and Again.

// A Recursion belongs to a Recurse, and to each Again that calls it. An Again keeps the Locals and Views, gives the Args to the
// Params, runs the body of the Recurse, and puts the Locals and Views back. The body leaves its values in the registers Values,
// which are no Locals. Registers that are no Locals belong to all calls.
type Recursion struct {
	Params []Place
	Values []Place
	Locals []Place
	Views  []int  // what statements Look and Each in the body set
	First  [4]int // by type: registers from here on were made for the body

	FirstView int // views from here on were made for the body
}

// MostDeep is how many Lua functions may be called within one another by an Again: each counts for its Mark. A row that goes
// deeper is left to the interpreter, which allows 200 in a coroutine.
const MostDeep = 150

// Recurs reports whether a statement contains an Again of a Recurse around it, so that it may run while it runs.
func Recurs(s *Stmt) bool {
	within := map[int]bool{}
	var find func(body []*Stmt) bool
	find = func(body []*Stmt) bool {
		for _, s := range body {
			if s.Op == Recurse {
				within[s.I] = true
			}
			if s.Op == Again && !within[s.I] || find(s.Body) || find(s.Else) {
				return true
			}
		}
		return false
	}
	return find([]*Stmt{s})
}
