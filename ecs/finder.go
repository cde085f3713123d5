package ecs

import "unsafe"

// A Finder finds one component for any entity. It is for compiled loops and other code that looks up many
// entities. It is valid as long as its world.
//
// The zero value is not usable. The methods are too fast to look for it, and end in a nil dereference.
type Finder struct {
	world *World
	info  *component
}

// A Place says where a component of an entity is stored. If the entity shares the component through [IsA], Table is
// -1 and the memory may only be read. A Place is valid until the next structural change. See the example of
// [Finder].
type Place struct {
	Memory     unsafe.Pointer // address of the component; nil if the entity is dead or lacks it
	Table, Row int
}

// Find returns where the component of e is stored; the zero Place if e is dead or lacks it.
func (f Finder) Find(e Entity) Place {
	sl := f.world.slots.find(e)
	if sl == nil {
		return Place{}
	}
	if base := f.info.base(sl.table); base != nil {
		return Place{unsafe.Add(base, uintptr(sl.row)*f.info.schema.size), int(sl.table), int(sl.row)}
	}
	if f.world.isA == nil {
		return Place{}
	}
	col, row := f.world.shared(f.info, sl)
	if col == nil {
		return Place{}
	}
	return Place{col.at(row), -1, row}
}

// Column returns the column of the component in the table with this [Table.ID], nil if the table lacks it.
func (f Finder) Column(table int) *Column { return f.info.column(uint32(table)) }
