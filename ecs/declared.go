package ecs

// The functions of this file turn an id into the declaration behind it. An id is an index into a list of its
// world. They panic for an id that this world has not declared, with a constant text, so that the test is small
// enough to be inlined. Functions that return errors test the id themselves.
const (
	noSuchComponent = "ecs: no component of this id was declared in this world"
	noSuchTag       = "ecs: no tag of this id was declared in this world"
	noSuchEvent     = "ecs: no event of this id was declared in this world"
	noSuchResource  = "ecs: no resource of this id was declared in this world"
)

func (w *World) component(id ComponentID) *component {
	if uint(id) >= uint(len(w.components)) {
		panic(noSuchComponent)
	}
	return w.components[id]
}

func (w *World) tag(id TagID) *tagSet {
	if uint(id) >= uint(len(w.tags)) {
		panic(noSuchTag)
	}
	return w.tags[id]
}

func (w *World) event(id EventID) *eventLog {
	if uint(id) >= uint(len(w.events)) {
		panic(noSuchEvent)
	}
	return w.events[id]
}

func (w *World) resource(id ResourceID) *resource {
	if uint(id) >= uint(len(w.resources)) {
		panic(noSuchResource)
	}
	return w.resources[id]
}
