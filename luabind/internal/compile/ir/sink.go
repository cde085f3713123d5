package ir

import "github.com/ecsrun/ecsrun/ecs"

// Lua tables that a body writes and does not read. A kernel does not know their elements: it records what is stored
// as effects (TableSet).

// A Sink is a Lua table declared outside the loop that the body only writes.
type Sink struct {
	Input int // index in the inputs that the loop was lowered with
}

// A TableItem describes a value that is stored in a Lua table: a constant structure whose parts come from the
// arguments of the effect.
type TableItem struct {
	Kind  ItemKind
	Type  Type            // of an ItemValue
	View  ecs.ComponentID // of an ItemView
	Items []*TableItem    // of an ItemTable: the items of its list part
	Named []NamedItem     // of an ItemTable: the other entries, in the order in which they are set. No name occurs twice
}

// A NamedItem is an entry of a table whose key is a name.
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
	ItemView                  // a view of the row, whose entity is the next argument of the effect
)

// Types appends to list the types of the arguments that an item takes, in the order of the arguments: those of
// Items, then those of Named.
func (t *TableItem) Types(list []Type) []Type {
	switch t.Kind {
	case ItemValue:
		list = append(list, t.Type)
	case ItemView:
		list = append(list, Number)
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
