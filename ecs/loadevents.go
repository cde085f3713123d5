package ecs

import (
	"math"
	"slices"
)

func loadEvents(w *World, l *loader) {
	for i := range l.count(9) {
		name, s := l.text(), l.schema()
		id, err := w.DeclareEvent(name, s)
		l.must(err)
		if int(id) != i {
			l.fail("event %q is declared twice", name)
		}
		l.log(w, w.events[id])
	}
	w.clock.readers = l.readers(w)
}

// mostSent is the number of events of a type that is believed.
const mostSent = 1 << 60

// log reads the marks, the events and the readers of a log.
func (l *loader) log(w *World, e *eventLog) {
	at := l.below(mostSent, "a mark of events")
	next := func() uint64 {
		at += l.below(mostSent-at, "a mark of events")
		return at
	}
	e.first = at
	e.hole, e.previous, e.current, e.end = next(), next(), next(), next()
	held := e.end - e.first
	if held > math.MaxInt32 || e.schema.shortest(int(held)) > l.c.Left() {
		l.fail("%d events do not fit into the section", held)
	}
	l.charge(int(held), max(e.schema.size, 1))
	n := int(held)
	e.capacity = l.unused(n, uint64(e.schema.size))
	e.base, _ = allocRows(nil, e.schema, e.capacity)
	e.full = e.first + uint64(e.capacity)
	l.rows(e.schema, e.base, n)
	for range l.count(2) {
		r := &EventReader{log: e, home: e, next: e.first + l.below(held+1, "the position of a reader"), free: l.flag(), loose: true, saved: true}
		r.root = r
		e.readers = append(e.readers, r)
	}
}

// readers reads which readers belong to a system, or to the code between systems.
func (l *loader) readers(w *World) []*EventReader {
	n := l.count(1)
	if n > len(w.events) {
		l.fail("readers of %d events, %d are declared", n, len(w.events))
	}
	list := make([]*EventReader, n)
	for id := range list {
		e := w.events[id]
		switch at := l.below(uint64(len(e.readers))+2, "a reader"); at {
		case 0:
		case 1:
			list[id] = &EventReader{log: &eventLog{name: e.name, schema: e.schema}, home: e}
			list[id].root = list[id]
		default:
			r := e.readers[at-2]
			if !r.loose {
				l.fail("a reader of event %q belongs to two systems", e.name)
			}
			r.loose = false
			list[id] = r
		}
	}
	return list
}

func loadCommands(w *World, l *loader) { l.queue(w.commands) }

// queue reads queued commands, and checks them as the functions that queue commands do.
func (l *loader) queue(c *Commands) {
	w := c.world
	c.ops = make([]command, l.count(7))
	for i := range c.ops {
		c.ops[i] = command{
			op: commandOp(l.below(uint64(unrelateFromCommand)+1, "a command")), entity: Entity(l.number()), id: uint32(l.below(math.MaxUint32+1, "what a command names")),
			from: uint32(l.below(math.MaxUint32, "a range")), to: uint32(l.below(math.MaxUint32, "a range")), place: uint16(l.below(math.MaxUint16+1, "a place")), joined: l.flag(),
		}
	}
	c.ids = make([]ComponentID, l.count(1))
	for i := range c.ids {
		c.ids[i] = ComponentID(l.below(math.MaxUint32+1, "a component"))
	}
	c.fields = make([]FieldValue, l.count(2))
	for i := range c.fields {
		c.fields[i] = FieldValue{int(l.below(MaxFields, "a field")), l.value(0)}
	}
	c.goals = make([]Target, l.count(2))
	for i := range c.goals {
		c.goals[i] = Target{RelationID(l.below(uint64(len(w.components)), "a relation")), Entity(l.number())}
		if _, err := w.relation("relate", None, c.goals[i].Relation); err != nil {
			l.must(err)
		}
	}
	if slices.ContainsFunc(c.ops, command.hasOrder) {
		l.orders(c)
	}
	c.place = uint16(l.below(math.MaxUint16+1, "a place"))
	n := l.count(1)
	if n > len(w.components) {
		l.fail("values of %d components, %d are declared", n, len(w.components))
	}
	c.values = make([]commandStore, n)
	for i := range c.values {
		s := w.components[i].schema
		v := &c.values[i]
		if v.n = l.count(1); v.n > 0 {
			c.stored = append(c.stored, ComponentID(i))
		}
		if s.shortest(v.n) > l.c.Left() {
			l.fail("%d values do not fit into the section", v.n)
		}
		l.charge(v.n, max(s.size, 1))
		v.base, _ = allocRows(nil, s, v.n)
		v.capacity = v.n
		l.rows(s, v.base, v.n)
	}
	for i := range c.ops {
		l.checkCommand(c, i)
	}
}

// checkCommand checks what a command refers to.
func (l *loader) checkCommand(c *Commands, i int) {
	w, op := c.world, &c.ops[i]
	in := func(ok bool, what string) {
		if !ok {
			l.fail("command %d of the queue names %s that is not there", i, what)
		}
	}
	if op.joined && (i == 0 || op.makes() || op.op == despawnCommand) {
		l.fail("command %d of the queue belongs to no spawn", i)
	}
	switch op.op {
	case spawnCommand, instanceCommand:
		in(op.from <= op.to && uint64(op.to) < uint64(len(c.ids)), "a list of components")
		l.must(c.checkIDs("spawn", c.ids[op.from:op.to]))
		in(uint64(op.id)+uint64(c.ids[op.to]) <= uint64(len(c.goals)), "a list of targets")
		in(op.op == spawnCommand || c.ids[op.to] > 0 && c.goals[op.id].Relation == w.componentNames[IsA], "a prefab")
		l.reserved(w, op.entity)
	case addCommand, removeCommand:
		var one [1]ComponentID
		in(op.from > op.to && op.from == 1 && op.to == 0 || op.from <= op.to && uint64(op.to) <= uint64(len(c.ids)), "a list of components")
		list := c.list(op, &one)
		name := "add"
		if op.op == removeCommand {
			name = "remove"
		}
		l.must(c.checkIDs(name, list))
		for k := 1; k < len(list); k++ {
			in(list[k-1] < list[k], "a component")
		}
	case setCommand:
		l.must(c.checkIDs("set", []ComponentID{ComponentID(op.id)}))
		l.checkFields(c, op, w.components[op.id].schema)
	case sendCommand:
		in(int64(op.id) < int64(len(w.events)), "an event")
		l.checkFields(c, op, w.events[op.id].schema)
	case waitCommand:
		in(int64(op.id) < int64(len(w.events)), "an event")
		in(uint64(op.entity) < uint64(len(c.orders)) && c.orders[op.entity].event == EventID(op.id), "an order")
		l.checkFields(c, op, w.events[op.id].schema)
	case cancelCommand:
		in(uint64(op.entity) < uint64(len(c.orders)), "an order")
	case stateCommand:
		in(int64(op.id) < int64(len(w.states)) && slices.Contains(w.states[op.id].tags, TagID(op.from)), "a value of a state")
	case storeCommand:
		l.must(c.checkIDs("set", []ComponentID{ComponentID(op.id)}))
		in(int64(op.id) < int64(len(c.values)) && int64(op.from) < int64(c.values[op.id].n), "a value")
	case tagCommand, untagCommand:
		in(int64(op.id) < int64(len(w.tags)), "a tag")
	case relateCommand, unrelateFromCommand:
		in(int64(op.id) < int64(len(c.goals)), "a target")
	case unrelateCommand:
		_, err := w.relation("unrelate", None, RelationID(op.id))
		l.must(err)
	case despawnCommand:
	}
}

// checkFields checks the values of a set or a send.
func (l *loader) checkFields(c *Commands, op *command, s *Schema) {
	if op.from > op.to || uint64(op.to) > uint64(len(c.fields)) {
		l.fail("a command names fields %d to %d of %d", op.from, op.to, len(c.fields))
	}
	for _, fv := range c.fields[op.from:op.to] {
		if fv.Index >= len(s.fields) {
			l.fail("a command sets field %d of %d", fv.Index, len(s.fields))
		}
		l.must(s.check(fv))
	}
}

// reserved checks that a queued spawn has a reserved slot of its own.
func (l *loader) reserved(w *World, e Entity) {
	if l.spawns == nil {
		l.spawns = map[uint32]bool{}
		for _, index := range w.slots.free {
			l.spawns[index] = true // not reserved
		}
	}
	index := e.Index()
	if int64(index) >= int64(len(w.slots.all)) || l.spawns[index] || w.slots.all[index].meta&^slotSpent != e.Generation()|slotFree || e.Generation() == 0 {
		l.fail("a queued spawn has not reserved %s", e)
	}
	l.spawns[index] = true
	if len(l.spawns)-len(w.slots.free) > w.pending {
		l.fail("more spawns are queued than slots are reserved")
	}
}
