package ecs

// What follows takes back changes as if they had never been made, for callers that try something. The last change is taken back first.

// Place returns where in [World.TagMembers] an entity is, -1 when it does not have the tag.
func (s TagSet) Place(e Entity) int {
	if !s.set.has(e) {
		return -1
	}
	return int(s.set.sparse[uint32(e)].place)
}

// PutBack takes back an Untag: the living e gets the tag again, at the place it had. A Tag is taken back by Untag.
func (s TagSet) PutBack(e Entity, place int) {
	s.set.before(e)
	s.set.add(e)
	n := len(s.set.dense) - 1
	if place == n {
		return
	}
	moved := s.set.dense[place]
	s.set.dense[place], s.set.dense[n] = e, moved
	s.set.sparse[uint32(e)].place, s.set.sparse[uint32(moved)].place = uint32(place), uint32(n)
}

// A Stamps is all that stamping a row as changed touches.
type Stamps struct {
	row, newest rowStamp
	block       blockStamp
}

// Stamps returns what is known of changes to row i. Panics when there is no such row.
func (c *Column) Stamps(i int) Stamps { return Stamps{c.rows[i], c.newest, c.blocks[i>>blockShift]} }

// PutBack takes back a [Column.Stamp] of row i.
func (c *Column) PutBack(i int, s Stamps) {
	c.before(i, i+1)
	c.rows[i], c.newest, c.blocks[i>>blockShift] = s.row, s.newest, s.block
}
