package ecs

import "slices"

// model is a world as a child would write it: maps and lists, no masks, no columns, no caches. The real world must agree with it after
// every operation, in content, order and stamps.
type model struct {
	now         func() Tick // the world's
	schema      func(ComponentID) *Schema
	limit       int
	generations []uint32 // by slot: of the living entity, or the next to hand out
	free        []uint32
	spent       map[uint32]uint32 // by slot in use: how many generations after that of its entity are used up
	entities    map[Entity]*modelEntity
	reserved    map[Entity]bool
	tables      []*modelTable
	tags        [][]Entity
	events      []modelEvent
	frame       int
	readers     []int // next event to look at; -1 is a closed one
	removals    []modelRemoval
	tracked     map[ComponentID]bool
	relations   []*modelRelation
	watermark   Tick
	resource    Value
	waits       []modelWait
	time        float64
	number      uint64
	cells       [2][]float64 // of the layers
	indexes     []*modelIndex
}

type modelEntity struct {
	table *modelTable
	comps []modelOwn // few, in no order
}

type modelOwn struct {
	id ComponentID
	c  *modelComponent
}

// own is a component of the entity, nil if it has none.
func (en *modelEntity) own(id ComponentID) *modelComponent {
	for i := range en.comps {
		if en.comps[i].id == id {
			return en.comps[i].c
		}
	}
	return nil
}

type modelComponent struct {
	fields         []Value
	changed, added Tick
}

// modelTable is the order of the entities that have the same components.
type modelTable struct {
	ids  []ComponentID
	rows []Entity
}

// modelRelation lists the sources of each target, in the order they were related.
type modelRelation struct {
	id      ComponentID
	childOf bool // the sources die with the target
	isA     bool // the sources share what the target has
	sources map[Entity][]Entity
	targets map[Entity][]Entity // nil if there may be only one
}

type modelRemoval struct {
	entity Entity
	id     ComponentID
	tick   Tick
}

func newModel(w *World) *model {
	m := &model{now: w.Tick, entities: map[Entity]*modelEntity{}, reserved: map[Entity]bool{}, tracked: map[ComponentID]bool{}, spent: map[uint32]uint32{}}
	m.schema = func(id ComponentID) *Schema {
		info, _ := w.ComponentInfo(id)
		return info.Schema
	}
	m.table(nil)
	return m
}

// table returns the table of a set of components, which is made when it is first asked for.
func (m *model) table(ids []ComponentID) *modelTable {
	sorted := slices.Clone(ids)
	slices.Sort(sorted)
	sorted = slices.Compact(sorted)
	for _, t := range m.tables {
		if slices.Equal(t.ids, sorted) {
			return t
		}
	}
	t := &modelTable{ids: sorted}
	m.tables = append(m.tables, t)
	return t
}

func (m *model) full(n int) bool {
	return n > m.limit-len(m.entities)-len(m.reserved)
}

// take returns the next handle: the slot freed last, else a new one.
func (m *model) take() Entity {
	if n := len(m.free); n > 0 {
		index := m.free[n-1]
		m.free = m.free[:n-1]
		return makeEntity(index, m.generations[index])
	}
	m.generations = append(m.generations, 1)
	return makeEntity(uint32(len(m.generations)-1), 1)
}

// upcoming returns what take returns after n other calls.
func (m *model) upcoming(n int) Entity {
	if i := len(m.free) - 1 - n; i >= 0 {
		return makeEntity(m.free[i], m.generations[m.free[i]])
	}
	return makeEntity(uint32(len(m.generations)+n-len(m.free)), 1)
}

func (m *model) release(e Entity) {
	next := m.following(e.Index())
	delete(m.spent, e.Index())
	if next > MaxGeneration {
		m.generations[e.Index()] = MaxGeneration
		return // retired
	}
	m.generations[e.Index()] = next
	m.free = append(m.free, e.Index())
}

// following returns the generation that a slot in use gives out next.
func (m *model) following(index uint32) uint32 {
	if m.spent[index] >= 255 {
		return MaxGeneration + 1
	}
	return m.generations[index] + m.spent[index] + 1
}

// given returns, by slot, the first generation that was not given out.
func (m *model) given() (list []uint32) {
	for i := range m.generations {
		list = append(list, min(m.following(uint32(i)), MaxGeneration+1))
	}
	for _, i := range m.free {
		list[i] = m.generations[i]
	}
	return list
}

// useUp makes the handles used up that were given out in work that was taken back.
func (m *model) useUp(given []uint32) {
	for i := len(m.generations); i < len(given); i++ {
		m.generations = append(m.generations, 1)
		m.free = slices.Insert(m.free, 0, uint32(i))
	}
	for i, next := range given {
		switch at := slices.Index(m.free, uint32(i)); {
		case at < 0:
			if more := int(next) - int(m.generations[i]) - 1; more > int(m.spent[uint32(i)]) {
				m.spent[uint32(i)] = uint32(min(more, 255))
			}
		case next > MaxGeneration:
			m.generations[i] = MaxGeneration
			m.free = slices.Delete(m.free, at, at+1)
		default:
			m.generations[i] = next
		}
	}
}

// settle makes e live with these components at their defaults.
func (m *model) settle(e Entity, ids []ComponentID) {
	t := m.table(ids)
	en := &modelEntity{table: t, comps: make([]modelOwn, 0, len(t.ids))}
	for _, id := range t.ids {
		en.comps = append(en.comps, modelOwn{id, m.fresh(id)})
	}
	t.rows = append(t.rows, e)
	m.entities[e] = en
}

func (m *model) fresh(id ComponentID) *modelComponent {
	c := &modelComponent{changed: m.now(), added: m.now()}
	fields := m.schema(id).fields
	c.fields = make([]Value, 0, len(fields))
	for _, f := range fields {
		v := f.Default
		if v.Kind() == NilValue {
			v = zeroValue(f.Type)
		}
		if n := f.Type.Len(); n > 0 {
			v = listOf(slices.Repeat([]Value{f.Type.uniform(v)}, n)...)
		}
		c.fields = append(c.fields, v)
	}
	return c
}

func (t *modelTable) drop(e Entity) {
	i := slices.Index(t.rows, e)
	last := len(t.rows) - 1
	t.rows[i] = t.rows[last]
	t.rows = t.rows[:last]
}

// despawn ends e and, depth first, its children; other relations to the dead end.
func (m *model) despawn(e Entity) bool {
	if m.entities[e] == nil {
		return false
	}
	var children []Entity
	for _, r := range m.relations {
		sources := slices.Clone(r.sources[e])
		if r.childOf {
			children = sources
			delete(r.sources, e)
			continue
		}
		for _, s := range sources {
			m.unrelate(s, r, e)
		}
	}
	m.kill(e)
	for _, c := range children {
		m.despawn(c)
	}
	return true
}

// despawnAll ends the entities of a list and returns how many lived until their turn.
func (m *model) despawnAll(list []Entity) int {
	n := 0
	for _, e := range list {
		if m.despawn(e) {
			n++
		}
	}
	return n
}

func (m *model) kill(e Entity) {
	en := m.entities[e]
	for id := range m.tags {
		m.untag(e, TagID(id))
	}
	for _, id := range en.table.ids {
		m.lose(e, id)
	}
	for _, r := range m.relations {
		m.unlink(r, e)
	}
	en.table.drop(e)
	delete(m.entities, e)
	m.release(e)
}

func (m *model) lose(e Entity, id ComponentID) {
	if m.tracked[id] {
		m.removals = append(m.removals, modelRemoval{e, id, m.now()})
	}
}

// retype gives e exactly these components.
func (m *model) retype(e Entity, ids []ComponentID) {
	en, t := m.entities[e], m.table(ids)
	if t == en.table {
		return
	}
	shared := make([]*modelComponent, len(t.ids))
	for i, id := range t.ids {
		shared[i] = m.visible(en, id)
	}
	for _, id := range en.table.ids {
		if !slices.Contains(t.ids, id) {
			for _, r := range m.relations {
				if r.id == id {
					m.unlink(r, e)
				}
			}
			en.comps = slices.DeleteFunc(en.comps, func(o modelOwn) bool { return o.id == id })
			m.lose(e, id)
		}
	}
	for i, id := range t.ids {
		if en.own(id) == nil {
			own := m.fresh(id)
			if c := shared[i]; c != nil { // its own from now on, starting from the base's
				own.fields = slices.Clone(c.fields)
			}
			en.comps = append(en.comps, modelOwn{id, own})
		}
	}
	en.table.drop(e)
	t.rows = append(t.rows, e)
	en.table = t
}

func (m *model) add(e Entity, ids []ComponentID) bool {
	en := m.entities[e]
	if en != nil {
		m.retype(e, append(slices.Clone(en.table.ids), ids...))
	}
	return en != nil
}

func (m *model) remove(e Entity, ids []ComponentID) bool {
	en := m.entities[e]
	if en != nil {
		m.retype(e, slices.DeleteFunc(slices.Clone(en.table.ids), func(id ComponentID) bool { return slices.Contains(ids, id) }))
	}
	return en != nil
}

func (m *model) set(e Entity, id ComponentID, fields []FieldValue) bool {
	if !m.add(e, []ComponentID{id}) {
		return false
	}
	c := m.entities[e].own(id)
	c.fields = slices.Clone(c.fields)
	for _, fv := range fields {
		c.fields[fv.Index] = fv.Value
	}
	c.changed = m.now()
	return true
}

// write is what a worker does to a component that e has.
func (m *model) write(e Entity, wr modelWrite) {
	c := m.entities[e].own(wr.id)
	c.fields = slices.Clone(c.fields)
	c.fields[0] = wr.v
	if wr.how != writeOnly {
		c.changed = m.now()
	}
}

func (m *model) tag(e Entity, id TagID) bool {
	if m.entities[e] == nil {
		return false
	}
	if !slices.Contains(m.tags[id], e) {
		m.tags[id] = append(m.tags[id], e)
	}
	return true
}

func (m *model) untag(e Entity, id TagID) bool {
	i := slices.Index(m.tags[id], e)
	if i < 0 {
		return false
	}
	last := len(m.tags[id]) - 1
	m.tags[id][i] = m.tags[id][last]
	m.tags[id] = m.tags[id][:last]
	return true
}

// removed returns who lost id after since, each once, unless it has one of its own again.
func (m *model) removed(id ComponentID, since Tick) []Entity {
	var list []Entity
	for _, r := range m.removals {
		if r.id != id || r.tick <= since || slices.Contains(list, r.entity) {
			continue
		}
		if en := m.entities[r.entity]; en != nil && en.own(id) != nil {
			continue
		}
		list = append(list, r.entity)
	}
	return list
}
