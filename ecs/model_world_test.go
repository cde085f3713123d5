package ecs

import (
	"runtime"
)

func (r *machine) worldOp(op int) {
	w := r.w
	switch op {
	case 250, 251:
		r.say("w.BeginFrame(0.5); w.EndFrame()")
		w.BeginFrame(0.5)
		r.m.deliver()
		for k, since := range r.windows { // three systems ask for what the model tracks
			s := &System{progress: progress{window: since}, commands: newCommands(w)}
			for id := range r.m.tracked {
				log := w.components[id].lost
				log.systems = append(log.systems[:min(k, len(log.systems))], s)
			}
		}
		w.EndFrame()
		r.m.frame++
		r.m.watermark = w.Tick() - 1
	case 252:
		n := r.pick(90)
		ids := r.some()
		r.say("w.Reserve(%d%s)", n, r.list(ids))
		if !r.refuse(n, w.Reserve(n, ids...)) {
			r.m.table(ids)
		}
	case 253:
		r.say("w.Shrink()")
		r.ok(w.Shrink())
	case 254:
		if r.byte()%16 == 0 {
			r.say("runtime.GC()")
			runtime.GC()
		}
	default:
		switch r.byte() % 8 {
		case 0, 1, 2, 3:
			r.layerOp()
			return
		case 4, 5, 6:
			r.indexAreaOp()
			return
		}
		v := Number(float64(r.byte()))
		r.say("w.Resource(score).Set(0, %s)", v)
		r.ok(w.Resource(r.score).Set(0, v))
		r.m.resource = v
	}
}

// wholeOp changes all entities of a query or a list at once, copies, saves or restores the world, or gives memory back.
func (r *machine) wholeOp(op int) {
	w, b := r.w, r.bundles[op%3]
	kind := r.byte() % 9
	if kind >= 5 && r.spared() {
		return
	}
	switch kind {
	case 0:
		r.allOf(r.text("bundles[%d].AddAll", op%3), func(q *Query) (int, error) {
			return b.AddAll(q, func(t *Table, from, to int) {
				if from >= to || to > t.Len() || !w.Locked() {
					r.fail("init of rows %d to %d of %d", from, to, t.Len())
				}
			})
		}, func(list []Entity) int {
			for _, e := range list {
				r.m.add(e, b.Components())
			}
			return len(list)
		})
	case 1:
		r.allOf(r.text("bundles[%d].RemoveAll", op%3), b.RemoveAll, func(list []Entity) int {
			for _, e := range list {
				r.m.remove(e, b.Components())
			}
			return len(list)
		})
	case 2:
		r.allOf("DespawnAll", (*Query).DespawnAll, r.m.despawnAll)
	case 3:
		var list []Entity
		for range r.byte() % 20 {
			list = append(list, r.entity())
		}
		n, err := w.DespawnMany(list)
		r.say("w.DespawnMany(%s) -> %d", list, n)
		r.ok(err)
		r.same("despawned", n, r.m.despawnAll(list))
	case 4:
		r.say("w.Release()")
		_, err := w.Release()
		r.ok(err)
	case 5:
		r.checkpointOp()
	case 6:
		r.saveOp()
	default:
		r.restoreOp()
	}
}

// spared says whether this operation on a whole world is left out, as -model.whole asks.
func (r *machine) spared() bool { return *modelWhole > 1 && (r.byte()<<8|r.byte())%*modelWhole != 0 }

// allOf does something to all entities of a query, which is too many where it would leave few alive.
func (r *machine) allOf(name string, inWorld func(q *Query) (int, error), inModel func(list []Entity) int) {
	i := r.pick(len(r.filters))
	list := r.m.query(&r.filters[i], r.m.watermark)
	if name == "DespawnAll" && len(list) > 40 && r.byte()%8 > 0 {
		return
	}
	n, err := inWorld(r.queries[i])
	r.say("%s of w.Query(%s) -> %d", name, r.filter(&r.filters[i]), n)
	r.ok(err)
	r.same("entities", n, inModel(list))
}
