package ir

import "github.com/ecsrun/ecsrun/ecs"

// Lua tables that a body looks up by key, as in prices[name]. In contrast to a Table (program.go), their elements
// are not copied when the loop begins: a kernel asks for each key when a row first uses it (kernel.Keyed).

// A Keyed is a Lua table declared outside the loop that the body looks up by strings or by numbers. Its values are
// numbers, booleans or strings, all of one type, or tables with Members. A kernel reads a key when a row uses it,
// so a key that no row looks up costs nothing. A row that finds a value of another type than expected is left to
// the interpreter. Nothing else changes the table while the loop runs.
type Keyed struct {
	Input   int      // index in Inputs
	Key     Type     // type of the keys: Text or Number
	Type    Type     // type of the values; not used if Rows is set
	Members []Member // the members of the values that the body uses
	Rows    bool     // the values are tables; Members may be empty even then
	Stored  bool     // the body assigns values or members
	Methods []string // the methods of the values that the body calls; no value may have such a member of its own

	// Pairs says that the values are those in the tables in another Keyed, Of, as in prices[town][good]. A key is a Pair of the key in that
	// one and of a key of type Second. There is no table in a value, and where Of has no table, there is no value.
	Pairs  bool
	Of     int
	Second Type
}

// A Member is a named value in the tables that a [Keyed] holds. It may be nil in some of them.
type Member struct {
	Name      string
	Type      Type
	Kind      MemberKind
	Component ecs.ComponentID // of a View
	Own       bool            // of a View: the entity is probably the key
	Classes   int             // of a Class: how many there are
	Stored    bool            // the body assigns it
}

// Named reports whether a member is an entry of the tables, under its Name.
func (m *Member) Named() bool { return m.Kind == Plain || m.Kind == View }

// A MemberKind says what the value of a Member stands for.
type MemberKind uint8

// The kinds of members.
const (
	Plain MemberKind = iota // the value itself
	View                    // a view of Component: the number of its entity
	Class                   // the number of the class of the table, from 1 on; it has no Name
)

// Width returns the number of values that a kernel keeps for each key. It is at least 1.
func (k *Keyed) Width() int { return max(1, len(k.Members)) }

// ValueType returns the type of a member, given its index in Members, or the type of the values themselves for -1.
func (k *Keyed) ValueType(member int) Type {
	if member < 0 {
		return k.Type
	}
	return k.Members[member].Type
}
