package surface

import "github.com/ecsrun/ecsrun/ecs"

// A NameKind is what a name in a script stands for.
type NameKind uint8

// The kinds of names.
const (
	ComponentName NameKind = iota
	TagName
	PartName // a tag or a component: an item of a list that describes an entity
	EventName
	ResourceName
	RelationName
)

// Known returns nil for a name that is declared, otherwise the error that using
// it will raise.
func Known(w *ecs.World, kind NameKind, name string) error {
	_, component := w.LookupComponent(name)
	_, tag := w.LookupTag(name)
	switch kind {
	case ComponentName:
		if !component {
			return undeclared(w, "component", name, w.ComponentNames())
		}
	case TagName:
		if !tag {
			return undeclared(w, "tag", name, w.TagNames())
		}
	case PartName:
		if !component && !tag {
			return undeclared(w, "tag or component", name, append(w.TagNames(), w.ComponentNames()...))
		}
	case RelationName:
		if _, ok := w.LookupRelation(name); !ok {
			return undeclared(w, "relation", name, w.RelationNames())
		}
	case EventName:
		if _, ok := w.LookupEvent(name); !ok {
			return undeclared(w, "event", name, w.EventNames())
		}
	case ResourceName:
		if _, ok := w.LookupResource(name); !ok {
			return undeclared(w, "resource", name, w.ResourceNames())
		}
	}
	return nil
}

// KnownField is Known for a field of a component or an event; of an owner that is
// not declared itself it says nothing.
func KnownField(w *ecs.World, kind NameKind, owner, field string) error {
	var s *ecs.Schema
	if id, ok := w.LookupEvent(owner); ok && kind == EventName {
		s = w.EventSchema(id)
	} else if id, ok := w.LookupComponent(owner); ok && kind == ComponentName {
		info, _ := w.ComponentInfo(id)
		s = info.Schema
	}
	if s == nil || s.Index(field) >= 0 {
		return nil
	}
	return noField(owner, s, field)
}
