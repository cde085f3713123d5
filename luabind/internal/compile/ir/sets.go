package ir

// RegistersOf lists the registers that a statement sets, without those that statements in it set. It may list -1, for a
// result that nothing uses.
func RegistersOf(p *Program, s *Stmt) []Place {
	number, value := func(i int) Place { return Place{Type: Number, Reg: i} }, func(i int) Place { return Place{Type: Any, Reg: i} }
	switch s.Op {
	case Set:
		return []Place{{Type: s.A.Type, Reg: s.I}, {Type: Bool, Reg: s.Mark}}
	case Fit:
		return []Place{{Type: s.A.Type, Reg: s.I}}
	case Count, Emit, Sources:
		return []Place{number(s.I)}
	case Near:
		return []Place{number(s.I), number(s.J)}
	case Each:
		return []Place{number(p.Queries[s.I].Entity)}
	case Make, Remove:
		return []Place{value(s.I)}
	case Sort, Entries:
		return []Place{value(s.I), value(s.J)}
	case Items:
		return []Place{number(s.I), value(s.J)}
	case Invoke:
		var list []Place
		for i := range s.J {
			list = append(list, value(s.I+i))
		}
		return list
	case Recurse:
		return append(append([]Place(nil), s.Recursion.Values...), s.Recursion.Params...)
	case Again:
		return s.Recursion.Values
	case Store, If, While, Repeat, Break, Jump, Block, Do, Look, Put, PutKey, PutItem, Insert, Return, Leave, Untouched:
		return nil
	}
	panic("ir: a statement of unknown operation")
}
