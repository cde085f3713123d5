package ecs

import (
	"runtime"
)

func (r *machine) worldOp(op int) {
	w := r.w
	switch op {
	case 250, 251:
		r.say("frame")
		w.BeginFrame(0.5)
		w.scheduled, w.oldest = true, min(r.windows[0], r.windows[1], r.windows[2])
		w.EndFrame()
		r.m.frame++
		r.m.watermark = w.Tick() - 1
	case 252:
		n := r.pick(90)
		ids := r.some()
		r.say("w.Reserve(%d%s)", n, r.list(ids))
		r.ok(w.Reserve(n, ids...))
		r.m.table(ids)
	case 253:
		r.say("w.Shrink()")
		r.ok(w.Shrink())
	case 254:
		if r.byte()%16 == 0 {
			r.say("runtime.GC()")
			runtime.GC()
		}
	default:
		v := Number(float64(r.byte()))
		r.say("score = %s", v)
		r.ok(w.Resource(r.score).Set(0, v))
		r.m.resource = v
	}
}

// wholeOp changes all entities of a query at once, copies the world or gives memory back.
func (r *machine) wholeOp(op int) {
	w, m := r.w, r.m
	i, b := r.pick(len(r.filters)), r.bundles[op%3]
	q := r.queries[i]
	list := m.query(&r.filters[i], m.watermark)
	switch r.byte() % 6 {
	case 0:
		n, err := b.AddAll(q, func(t *Table, from, to int) {
			if from >= to || to > t.Len() || !w.Locked() {
				r.fail("init of rows %d to %d of %d", from, to, t.Len())
			}
		})
		r.say("bundle %d.AddAll(query %d %+v) -> %d", op%3, i, r.filters[i], n)
		r.ok(err)
		r.same("matches", n, len(list))
		for _, e := range list {
			m.add(w, e, b.Components(), r.now())
		}
	case 1:
		n, err := b.RemoveAll(q)
		r.say("bundle %d.RemoveAll(query %d %+v) -> %d", op%3, i, r.filters[i], n)
		r.ok(err)
		r.same("matches", n, len(list))
		for _, e := range list {
			m.remove(w, e, b.Components(), r.now())
		}
	case 2:
		if len(list) > 40 && r.byte()%8 > 0 {
			return // keep some alive
		}
		n, err := q.DespawnAll()
		r.say("query %d %+v.DespawnAll() -> %d", i, r.filters[i], n)
		r.ok(err)
		want := 0
		for _, e := range list {
			if m.despawn(w, e, r.now()) {
				want++
			}
		}
		r.same("despawned", n, want)
	case 3:
		var some []Entity
		for range r.byte() % 20 {
			some = append(some, r.entity())
		}
		n, err := w.DespawnMany(some)
		r.say("w.DespawnMany(%v) -> %d", some, n)
		r.ok(err)
		want := 0
		for _, e := range some {
			if m.despawn(w, e, r.now()) {
				want++
			}
		}
		r.same("despawned", n, want)
	case 4:
		r.say("w.Release()")
		_, err := w.Release()
		r.ok(err)
	default:
		r.say("w.Copy()")
		c, err := w.Copy()
		r.ok(err)
		r.ok(c.Check())
		r.sameWorld(c)
	}
}
