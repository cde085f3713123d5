package ecs

import "strconv"

// An Entity is a handle: a 32-bit slot index and a generation, printed "17v2". It stays valid while the entity lives and never
// matches a later entity in the same slot. Compare with ==. The zero Entity is [None].
//
// The generation is at least 1 and at most [MaxGeneration], so every handle is at least 2^32 and below 2^53: exact in a float64.
//
// The world stops using a slot when its generations are used up. Calls with a dead entity return nothing, false or
// [ErrDead], never another entity's data.
type Entity uint64

// None is entity 0: no entity. It is the default of an entity field and is never alive.
const None Entity = 0

func makeEntity(index, generation uint32) Entity {
	return Entity(generation)<<32 | Entity(index)
}

// EntityFromNumber turns a number, as a script or a file holds it, back into a handle. It reports false when v is not a whole number
// of the right form; 0 gives [None]. Whether the entity lives is another question: see [World.Alive].
func EntityFromNumber(v float64) (Entity, bool) {
	if v == 0 {
		return None, true
	}
	if !(v >= 1<<32 && v < 1<<53) {
		return None, false
	}
	e := Entity(v)
	return e, float64(e) == v
}

// Index returns the slot, counted from 0.
func (e Entity) Index() uint32 { return uint32(e) }

// Generation returns how often the slot had been handed out, counted from 1; 0 for [None].
func (e Entity) Generation() uint32 { return uint32(e >> 32) }

// Number returns the handle as an exact float64.
func (e Entity) Number() float64 { return float64(e) }

// String returns the form all messages use: "17v2", or "none" for entity 0.
func (e Entity) String() string {
	if e == None {
		return "none"
	}
	var buf [24]byte
	b := strconv.AppendUint(buf[:0], uint64(e.Index()), 10)
	b = append(b, 'v')
	b = strconv.AppendUint(b, uint64(e.Generation()), 10)
	return string(b)
}
