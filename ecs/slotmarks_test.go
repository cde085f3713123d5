package ecs

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSlotMarksAgreeWithSets(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, most := range []int{1, 64, 65, 4096, 4097, 300_000} {
		var m slotMarks
		w := newWorld(Options{})
		sets := map[uint32]map[uint32]bool{}
		declared := min(most, 60)
		m.cover(w, declared)
		for range 4_000 {
			slot := uint32(random.IntN(20))
			switch random.IntN(20) {
			case 0:
				declared = min(most, declared*2)
				m.cover(w, declared)
			case 1, 2:
				var want []uint32
				for number := range sets[slot] {
					want = append(want, number)
				}
				slices.Sort(want)
				if got := m.list(nil, slot); !slices.Equal(got, want) {
					t.Fatalf("most %d: slot %d has %v, want %v", most, slot, got, want)
				}
				if got := m.take(nil, slot); !slices.Equal(got, want) {
					t.Fatalf("most %d: slot %d gave %v, want %v", most, slot, got, want)
				}
				delete(sets, slot)
			default:
				number := uint32(random.IntN(declared))
				ok(t, m.reserve(w, number, slot))
				m.mark(number, slot)
				if sets[slot] == nil {
					sets[slot] = map[uint32]bool{}
				}
				sets[slot][number] = true
				if r, bit := m.row(number); !r.has(slot, bit) {
					t.Fatalf("the row of %d does not know of slot %d", number, slot)
				}
			}
		}
	}
}

// The end of an entity costs what it has, not what is declared: steps are counted, not seconds.
func TestTheEndOfAnEntityCostsWhatItHas(t *testing.T) {
	for _, declared := range []int{4, 1_000, 20_000} {
		w := newWorld(Options{})
		var tags []TagID
		var relations []RelationID
		for i := range declared {
			tags = append(tags, must[TagID](t)(w.DeclareTag("t"+string(rune('a'+i%26))+Number(float64(i)).String())))
			relations = append(relations, must[RelationID](t)(w.DeclareRelation("r"+Number(float64(i)).String())))
		}
		var es []Entity
		for range 100 {
			es = append(es, must[Entity](t)(w.Spawn()))
		}
		for i, e := range es {
			w.Tag(e, tags[0])
			w.Tag(e, tags[declared-1])
			if i > 0 {
				must[bool](t)(w.Relate(e, relations[declared-1], es[i-1]))
			}
		}
		if got := w.TagsOf(es[5]); !slices.Equal(got, []TagID{tags[0], tags[declared-1]}) {
			t.Errorf("tags of %s: %v", es[5], got)
		}
		w.Untag(es[5], tags[0])
		ok(t, w.Check())
		before := Raw.Work(w)
		for _, e := range es {
			must[bool](t)(w.Despawn(e))
		}
		if work := Raw.Work(w) - before; work > 600 {
			t.Errorf("%d tags and relations declared: 100 entities ended in %d steps", declared, work)
		}
		ok(t, w.Check())
		for _, id := range []TagID{tags[0], tags[declared-1]} {
			if n := len(w.TagMembers(id)); n != 0 {
				t.Errorf("%d of the dead have tag %d", n, id)
			}
		}
	}
}
