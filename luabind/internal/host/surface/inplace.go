package surface

import (
	"github.com/ecsrun/ecsrun/ecs"
	lua "github.com/yuin/gopher-lua"
)

// Tables of resources that are changed in place. Stored data does not change, so the first write of a turn copies the table. That copy is known
// to the resource only, and the next writes of the turn change it, until something gets it that may keep it: Go code, a compiled loop.

// An inPlace is the data that a turn has made, and that only a resource has.
type inPlace struct {
	room   map[*ecs.Data]int // for how many values there is memory
	turn   uint64
	calls  uint64 // of observers
	handed uint64 // see Surface.Hand
}

// Hand says that the data of resources may be known to others from now on.
func (s *Surface) Hand() { s.handed++ }

// owned returns the data of this turn that only resources have.
func (w *World) owned() map[*ecs.Data]int {
	o, handed := &w.own, w.surface.handed
	if calls := ecs.Raw.ObserverCalls(w.ecs); o.turn != w.turn || o.calls != calls || o.handed != handed || o.room == nil {
		if o.room == nil {
			o.room = map[*ecs.Data]int{}
		}
		clear(o.room)
		o.turn, o.calls, o.handed = w.turn, calls, handed
	}
	return o.room
}

// resource returns the resource that l is in, nil if it is in something else.
func (l *live) resource() *resource {
	r, _ := l.owner.(*resource)
	return r
}

// inPlace puts a value at a key without a copy of the table, and charges for it. It returns false where that is not possible.
func (l *live) inPlace(key, v ecs.Value) bool {
	r := l.resource()
	if r == nil || r.surface().readOnly {
		return false
	}
	d, err := l.now()
	if err != nil {
		return false
	}
	own := r.world.owned()
	room, ok := own[d]
	if !ok {
		return false
	}
	if !ecs.Raw.Replace(d, key, v) && (l.parent != nil || d.Total() >= mostEntries || !ecs.Raw.Append(d, room, key, v)) {
		return false
	}
	r.surface().state.Budget().Charge(entryCost)
	return true
}

// with returns data in which a key has another value. What is in a resource then belongs to it.
func (l *live) with(d *ecs.Data, key, v ecs.Value) (*ecs.Data, error) {
	r := l.resource()
	if r == nil {
		return d.With(key, v)
	}
	out, room, err := ecs.Raw.WithRoom(d, key, v)
	if err == nil && out != nil && out != d {
		r.world.owned()[out] = room
	}
	return out, err
}

// live returns the live table of a field; the same one again as long as its data is the same.
func (r *resource) live(i int, d *ecs.Data) *lua.LUserData {
	if l := r.last; l != nil && l.field == i && l.data == d {
		return &l.LUserData
	}
	ud := r.surface().live(r, i, d)
	r.last = ud.Value.(*live)
	return ud
}
