package ecs

// Ids are given out by their world and index its lists. Functions without an error panic for one that was never given out: the texts are
// constants, so that the test for it costs no call.
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
