package ir

// A Keyed is a Lua table from around the loop that the body looks up by strings, or by numbers. Its values are
// numbers, booleans or strings of one type, or tables with Members. It is read while the loop runs, key by
// key: a key that no row looks up costs nothing. A value of another type than expected leaves the row to the
// interpreter.
type Keyed struct {
	Input   int      // index in Inputs
	Key     Type     // of the keys: Text or Number
	Type    Type     // of the values; of no meaning when there are Members
	Members []Member // members of the values in use; none: the values have Type
	Rows    bool     // the values are tables, even if no member of them is in use
	Stored  bool     // values or members are assigned
}

// A Member is a member of the tables that a [Keyed] holds. It may be nil.
type Member struct {
	Name string
	Type Type
}

// Width returns how many values a kernel keeps for a key.
func (k *Keyed) Width() int { return max(1, len(k.Members)) }

// ValueType returns the type of a member, or of the values themselves for -1.
func (k *Keyed) ValueType(member int) Type {
	if member < 0 {
		return k.Type
	}
	return k.Members[member].Type
}
