package ecs

import "unsafe"

// A Finder finds one component of any entity, for code that looks up many entities. It stays valid as long as its world.
type Finder struct {
	world *World
	info  *component
}

// A Place is where a component of an entity is stored. Table is -1 when it is not the entity's own, but shared through [IsA]: then it may
// only be read. It holds until the next structural change.
type Place struct {
	Memory     unsafe.Pointer // of the component; nil when the entity is dead or lacks it
	Table, Row int
}

// Find returns where e's component is stored.
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

// Column returns the column of the component in a table, by [Table.ID]; nil when the table lacks it.
func (f Finder) Column(table int) *Column { return f.info.column(uint32(table)) }
