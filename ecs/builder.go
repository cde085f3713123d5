package ecs

import "unsafe"

// A Builder collects components with values, and tags, and then spawns an entity directly into its table, so that
// no row moves. It can be used again after each Spawn. A builder that has been used once allocates nothing.
type Builder struct {
	world *World
	ids   []ComponentID
	tags  []TagID
	queue *Commands // holds the values
	refs  []builderValue
}

// A builderValue is a typed value that waits in the builder's queue.
type builderValue struct {
	info *component
	at   uint32 // index of the value among those of its component, in queue.values
}

// Build returns an empty builder.
func (w *World) Build() *Builder { return &Builder{world: w, queue: newCommands(w)} }

// With adds a component at its defaults.
func (b *Builder) With(ids ...ComponentID) *Builder {
	b.ids = append(b.ids, ids...)
	return b
}

// Tag adds a tag. Panics for an id this world never gave out.
func (b *Builder) Tag(ids ...TagID) *Builder {
	for _, id := range ids {
		b.world.tag(id)
	}
	b.tags = append(b.tags, ids...)
	return b
}

// With adds the component with a value to a builder and returns the builder. Panics for a builder of another world.
func (c Component[T]) With(b *Builder, v T) *Builder {
	made(c.info != nil, "Component", "ecs.Register")
	given(b != nil, "Component.With", "a builder")
	c.world.mustBe(b.world)
	p, at := b.queue.store(c.info)
	*(*T)(p) = v
	b.refs = append(b.refs, builderValue{c.info, at})
	b.ids = append(b.ids, c.info.id)
	return b
}

// Spawn makes the entity and empties the builder. Errors are as for [World.Spawn].
func (b *Builder) Spawn() (Entity, error) {
	made(b.world != nil, "Builder", "World.Build")
	b.world.holdReports()
	defer b.world.releaseReports()
	e, err := b.world.Spawn(b.ids...)
	if err == nil {
		for _, v := range b.refs {
			sl := b.world.slots.find(e)
			col := v.info.column(sl.table)
			v.info.schema.copyRow(col.at(int(sl.row)), unsafe.Add(b.queue.values[v.info.id].base, uintptr(v.at)*v.info.schema.size)) // stamped by Spawn
		}
		for _, t := range b.tags {
			b.world.Tag(e, t)
		}
	}
	b.ids, b.tags, b.refs = b.ids[:0], b.tags[:0], b.refs[:0]
	b.queue.reset()
	return e, err
}
