package ir

// Lua tables that a body writes and does not read. Their elements are not known to a kernel: it records what is
// stored as effects.

// A Sink is a Lua table from around the loop that the body only writes.
type Sink struct {
	Input int // index in the inputs that the loop was lowered with
}

// A TableItem is a value that is stored in a Lua table.
type TableItem struct {
	Kind  ItemKind
	Type  Type         // of an ItemValue
	Items []*TableItem // of an ItemTable: its list part
	Named []NamedItem  // of an ItemTable: the other entries, in the order in which they are set. Names are different
}

// A NamedItem is an entry of a table with a name.
type NamedItem struct {
	Name  string
	Value *TableItem
}

// An ItemKind says what a TableItem is.
type ItemKind uint8

// The kinds of items.
const (
	ItemValue ItemKind = iota // the next argument of the effect
	ItemNil                   // nil, which removes an element
	ItemTable                 // a new table
)

// Types appends the types of the arguments that an item takes, in their order: those of Items, then those of Named.
func (t *TableItem) Types(list []Type) []Type {
	switch t.Kind {
	case ItemValue:
		list = append(list, t.Type)
	case ItemTable:
		for _, x := range t.Items {
			list = x.Types(list)
		}
		for _, x := range t.Named {
			list = x.Value.Types(list)
		}
	case ItemNil:
	}
	return list
}
