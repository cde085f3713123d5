package ecs

import "slices"

// unlink takes e out of the list of its target.
func (m *model) unlink(r *modelRelation, e Entity) {
	for _, target := range m.targetsOf(e, r) {
		r.sources[target] = slices.DeleteFunc(r.sources[target], func(s Entity) bool { return s == e })
	}
	delete(r.targets, e)
}

func (m *model) targetsOf(e Entity, r *modelRelation) []Entity {
	if en := m.entities[e]; en == nil || en.own(r.id) == nil {
		return nil
	} else if r.targets == nil {
		return []Entity{en.own(r.id).fields[0].Entity()}
	}
	return r.targets[e]
}

// unrelate ends one target of an entity.
func (m *model) unrelate(e Entity, r *modelRelation, target Entity) bool {
	list := m.targetsOf(e, r)
	at := slices.Index(list, target)
	switch {
	case at < 0 || m.entities[target] == nil:
		return false
	case len(list) == 1:
		return m.remove(e, []ComponentID{r.id})
	}
	r.targets[e] = slices.Delete(slices.Clone(list), at, at+1)
	r.sources[target] = slices.DeleteFunc(r.sources[target], func(s Entity) bool { return s == e })
	c := m.entities[e].own(r.id)
	c.fields, c.changed = []Value{EntityOf(r.targets[e][0])}, m.now()
	return true
}

// mayRelate returns why a living e, or an entity that is not made yet, cannot have the target.
func (m *model) mayRelate(e Entity, r *modelRelation, target Entity) error {
	if m.entities[target] == nil {
		return ErrDead
	}
	if r.childOf || r.isA {
		for up := target; up != None; {
			if up == e {
				return ErrCycle
			}
			c := m.entities[up].own(r.id)
			if c == nil {
				break
			}
			up = c.fields[0].Entity()
		}
	}
	return nil
}

// relate makes target the one target of e; the error is what the world should return.
func (m *model) relate(e Entity, r *modelRelation, target Entity) (bool, error) {
	if m.entities[e] == nil {
		return false, nil
	}
	if err := m.mayRelate(e, r, target); err != nil {
		return false, err
	}
	if r.targets == nil {
		m.unlink(r, e)
	} else if slices.Contains(r.targets[e], target) {
		return true, nil
	}
	m.add(e, []ComponentID{r.id})
	c := m.entities[e].own(r.id)
	c.fields, c.changed = []Value{EntityOf(target)}, m.now()
	if r.targets != nil {
		r.targets[e] = append(r.targets[e], target)
		c.fields[0] = EntityOf(r.targets[e][0])
	}
	r.sources[target] = append(r.sources[target], e)
	return true, nil
}
