package ecs

import (
	"errors"
	"fmt"
	"math"
	"testing"
)

// The first id that was not given out, and the last that there could be, are refused like any other: by an error, by an absent answer, or by a panic
// that says so.
func TestTheNextIdIsRefused(t *testing.T) {
	w := newWorld(Options{})
	pos := MustRegister[position](w, "Position")
	likes := must[RelationID](t)(w.DeclareRelation("Likes"))
	must[TagID](t)(w.DeclareTag("tag"))
	hits(t, w)
	must[ResourceID](t)(w.DeclareResource("score", F64, Value{}))
	e, o := must[Entity](t)(w.Spawn(pos.ID())), must[Entity](t)(w.Spawn())
	q := must[*Query](t)(w.Query(Filter{Required: []ComponentID{pos.ID()}}))
	c := w.Commands()
	last := func(_ any, err error) error { return err }
	for _, id := range []uint32{2, math.MaxUint32} {
		comp, tag, event, res := ComponentID(id), TagID(id-1), EventID(id-1), ResourceID(id-1)
		for name, err := range map[string]error{
			"Spawn": last(w.Spawn(comp)), "Add": last(w.Add(e, comp)), "Remove": last(w.Remove(e, comp)), "Set": last(w.Set(e, comp)), "Bundle": last(w.Bundle(comp)),
			"Relate": last(w.Relate(e, comp, o)), "Relate to a component": last(w.Relate(e, pos.ID(), o)), "Unrelate": last(w.Unrelate(e, comp)),
			"SpawnRelated": last(w.SpawnRelated([]Target{{comp, o}})), "BeginTarget": last(q.beginTarget(comp, o)),
			"Query, Required": last(w.Query(Filter{Required: []ComponentID{comp}})), "Query, Optional": last(w.Query(Filter{Optional: []ComponentID{comp}})),
			"Query, Without": last(w.Query(Filter{Without: []ComponentID{comp}})), "Query, Any": last(w.Query(Filter{Any: []ComponentID{comp}})),
			"Query, Changed": last(w.Query(Filter{Changed: []ComponentID{comp}})), "Query, Added": last(w.Query(Filter{Added: []ComponentID{comp}})),
			"Query, Tagged": last(w.Query(Filter{Tagged: []TagID{tag}})), "Query, Untagged": last(w.Query(Filter{Untagged: []TagID{tag}})),
			"Contains": last(w.Query(Filter{Where: Contains(comp)})), "Not Contains": last(w.Query(Filter{Where: Not(Contains(comp))})),
			"HasTag": last(w.Query(Filter{Where: HasTag(tag)})), "Where Changed": last(w.Query(Filter{Where: Changed(comp)})), "Where Added": last(w.Query(Filter{Where: Added(comp)})),
			"DeclareGrid":    last(w.DeclareGrid(GridSpec{Name: "g", Component: comp, X: "x", Y: "y", Cell: 1})),
			"Commands.Spawn": last(c.Spawn(comp)), "Commands.Add": c.Add(e, comp), "Commands.Remove": c.Remove(e, comp), "Commands.Set": c.Set(e, comp),
			"Commands.Send": c.Send(event), "Commands.Relate": c.Relate(e, comp, o), "Commands.Unrelate": c.Unrelate(e, comp), "Commands.SpawnRelated": last(c.SpawnRelated([]Target{{comp, o}})),
		} {
			if !errors.Is(err, ErrUnknown) {
				t.Errorf("%s of %d: %v", name, id, err)
			}
		}
		info, known := w.ComponentInfo(comp)
		table, _ := w.TableOf(e)
		if known || info.Schema != nil || w.Has(e, comp) || w.Related(e, comp) != None || len(w.Sources(nil, comp, o)) != 0 || w.SourceCount(comp, o) != 0 ||
			table.Column(comp) != nil || table.Has(comp) {
			t.Errorf("there is a component %d", id)
		}
		for name, call := range map[string]func(){
			"Tag": func() { w.Tag(e, tag) }, "Untag": func() { w.Untag(e, tag) }, "Tagged": func() { w.Tagged(e, tag) }, "TagName": func() { w.TagName(tag) },
			"Commands.Tag": func() { c.Tag(e, tag) }, "Commands.Untag": func() { c.Untag(e, tag) },
			"Send": func() { panic(w.Send(event)) }, "Peek": func() { w.Peek(event) }, "Drain": func() { w.Drain(event) }, "EventCount": func() { w.EventCount(event) },
			"EventReader": func() { w.EventReader(event) }, "Resource": func() { w.Resource(res) }, "Ref": func() { w.Ref(e, comp) }, "Finder": func() { Raw.Finder(w, comp) },
			"TrackRemoved": func() { w.TrackRemoved(comp) }, "Removed": func() { w.Removed(nil, comp) },
		} {
			func() {
				defer func() {
					got := fmt.Sprint(recover())
					if len(got) < 4 || got[:4] != "ecs:" {
						t.Errorf("%s of %d: %s", name, id, got)
					}
				}()
				call()
			}()
		}
	}
	if w.Related(e, likes) != None || w.Related(e, pos.ID()) != None || w.SourceCount(pos.ID(), o) != 0 || len(w.Sources(nil, pos.ID(), o)) != 0 {
		t.Error("a relation that nobody has")
	}
	if c.Len() != 0 || w.Stats().Reserved != 0 || w.Len() != 2 {
		t.Errorf("something was queued: %d, %+v", c.Len(), w.Stats())
	}
	for _, dead := range []Entity{makeEntity(2, 1), makeEntity(3, 1), makeEntity(math.MaxUint32, 1)} { // the next slots
		if w.Alive(dead) || pos.Get(dead) != nil || pos.Write(dead) != nil || pos.Has(dead) || w.Tag(dead, 0) || w.Related(dead, likes) != None || pos.Shared(dead) != nil {
			t.Errorf("%s lives", dead)
		}
	}
	check(t, w)
}
