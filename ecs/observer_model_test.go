package ecs

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// The model of observers: random operations are made in a world with observers and in a naive model, which says after
// each operation what the observers must have been told. The model keeps maps, and finds what changed by comparing
// what it held before and after an operation. A stream that fails is shrunk to the operations that it needs.

// An observedOp is one operation; the numbers choose its arguments.
type observedOp struct {
	kind    int
	a, b, c int
}

// observedKinds names the operations; each returns the reports that it must cause.
var observedKinds = []struct {
	name string
	run  func(m *observedModel, op observedOp)
}{
	{"spawn", func(m *observedModel, op observedOp) {
		e := must[Entity](m.t)(m.w.Spawn(m.components(op.a)...))
		m.born(e, op.a, nil)
	}},
	{"spawn related", func(m *observedModel, op observedOp) {
		target := m.some(op.b)
		if target == None {
			return
		}
		to := []Target{{m.relations[op.c%2], target}}
		e := must[Entity](m.t)(m.w.SpawnRelated(to, m.components(op.a)...))
		m.born(e, op.a, to)
	}},
	{"spawn many", func(m *observedModel, op observedOp) {
		bundle := must[*Bundle](m.t)(m.w.Bundle(m.components(op.a)...))
		for _, e := range must[[]Entity](m.t)(bundle.SpawnMany(op.b%3, nil)) {
			m.born(e, op.a, nil)
		}
	}},
	{"queued spawn with values", func(m *observedModel, op observedOp) {
		q := m.w.Commands()
		e := must[Entity](m.t)(q.Spawn(m.ids[0]))
		q.Join(true)
		ok(m.t, q.Set(e, m.ids[0], FieldValue{0, Number(1)}))
		q.Tag(e, m.tags[0])
		q.Join(false)
		apply(m.t, q)
		m.live = append(m.live, e)
		m.is[e] = &observedEntity{parts: 1, tags: 1}
		m.expect(e, "spawned", "added A", "tagged x")
	}},
	{"despawn", func(m *observedModel, op observedOp) {
		e := m.some(op.a)
		must[bool](m.t)(m.w.Despawn(e))
		m.die(e)
	}},
	{"queued despawn", func(m *observedModel, op observedOp) {
		e := m.some(op.a)
		m.w.Commands().Despawn(e)
		apply(m.t, m.w.Commands())
		m.die(e)
	}},
	{"despawn all", func(m *observedModel, op observedOp) {
		q := must[*Query](m.t)(m.w.Query(Filter{Required: m.components(1 << (op.a % 3))}))
		list := q.AppendEntities(nil)
		must[int](m.t)(q.DespawnAll())
		for _, e := range list {
			m.die(e)
		}
	}},
	{"add", func(m *observedModel, op observedOp) { m.gain(op, true, false) }},
	{"remove", func(m *observedModel, op observedOp) { m.gain(op, false, false) }},
	{"queued add", func(m *observedModel, op observedOp) { m.gain(op, true, true) }},
	{"queued remove", func(m *observedModel, op observedOp) { m.gain(op, false, true) }},
	{"add to all", func(m *observedModel, op observedOp) { m.gainAll(op, true) }},
	{"remove from all", func(m *observedModel, op observedOp) { m.gainAll(op, false) }},
	{"set", func(m *observedModel, op observedOp) {
		e, part := m.some(op.a), op.b%3
		done := false
		switch op.c % 3 {
		case 0:
			done = must[bool](m.t)(m.w.Set(e, m.ids[part], FieldValue{0, Number(float64(op.c))}))
		case 1:
			ok(m.t, m.w.Commands().Set(e, m.ids[part], FieldValue{0, Number(float64(op.c))}))
			apply(m.t, m.w.Commands())
			done = e != None
		default:
			done = m.w.Ref(e, m.ids[part]).SetNumber(0, 3) == nil
		}
		if !done {
			return
		}
		name := string(rune('A' + part))
		reports := []string{"set " + name}
		if of := m.is[e]; of.parts&(1<<part) == 0 {
			reports = append(reports, "added "+name)
			reports = append(reports, together(of.parts, of.parts|1<<part)...)
			of.parts |= 1 << part
		}
		m.expect(e, reports...)
	}},
	{"tag", func(m *observedModel, op observedOp) { m.tag(op, true) }},
	{"untag", func(m *observedModel, op observedOp) { m.tag(op, false) }},
	{"relate", func(m *observedModel, op observedOp) {
		e, to, r := m.some(op.a), m.some(op.b), op.c%2
		of := m.is[e]
		if e == None {
			return
		}
		if _, err := m.w.Relate(e, m.relations[r], to); err != nil {
			return // a cycle
		}
		of.since[r] = m.now() // also if the target stays: it moves to the end of the list
		if of.to[r] == to {
			return
		}
		if of.to[r] != None {
			m.expect(e, fmt.Sprintf("unrelated %s %s", m.names[r], of.to[r]))
		}
		of.to[r] = to
		m.expect(e, fmt.Sprintf("related %s %s", m.names[r], to))
	}},
	{"unrelate", func(m *observedModel, op observedOp) {
		e, r := m.some(op.a), op.c%2
		must[bool](m.t)(m.w.Unrelate(e, m.relations[r]))
		if of := m.is[e]; e != None && of.to[r] != None {
			m.expect(e, fmt.Sprintf("unrelated %s %s", m.names[r], of.to[r]))
			of.to[r] = None
		}
	}},
}

// observedFailure makes the operations in a new world, and says after which one the observers were told something
// else, and what; "" if never.
func observedFailure(t testing.TB, seed uint64, ops []observedOp) string {
	m := newObservedModel(t, seed)
	for i, op := range ops {
		m.told, m.want = nil, nil
		observedKinds[op.kind].run(m, op)
		if !slices.Equal(m.told, m.want) {
			return fmt.Sprintf("operation %d (%s %d %d %d) told\n\t%s\nwant\n\t%s", i, observedKinds[op.kind].name, op.a, op.b, op.c,
				strings.Join(m.told, "\n\t"), strings.Join(m.want, "\n\t"))
		}
		if err := m.w.Check(); err != nil {
			return err.Error()
		}
	}
	return ""
}

func TestObserversAreToldWhatTheModelSays(t *testing.T) {
	for seed := range uint64(effort.Of(600)) {
		random := rand.New(rand.NewPCG(seed, 0))
		ops := make([]observedOp, 60)
		for i := range ops {
			ops[i] = observedOp{random.IntN(len(observedKinds)), random.IntN(64), random.IntN(64), random.IntN(64)}
		}
		if observedFailure(t, seed, ops) == "" {
			continue
		}
		ops = shortest(ops, func(ops []observedOp) bool { return observedFailure(t, seed, ops) != "" })
		var text strings.Builder
		for _, op := range ops {
			fmt.Fprintf(&text, "\t%s %d %d %d\n", observedKinds[op.kind].name, op.a, op.b, op.c)
		}
		t.Fatalf("seed %d:\n%s%s", seed, text.String(), observedFailure(t, seed, ops))
	}
}
