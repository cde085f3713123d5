package ecs

import (
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
)

// This file evaluates the conditions of a query. Conditions on components select whole tables when a table appears
// (Query.consider). Conditions on tags and changes select rows: they are joined into one expression, which is
// evaluated for a block of 64 rows at a time into a word with one bit per row. The stamps of blocks and columns
// answer most questions without a look at rows. choice.go and parallel.go are the callers; inherit.go has the same
// for single entities that share components.

// A Filter says which entities a query visits; all of its conditions must hold. Those on components select whole
// tables, those on tags and changes select rows.
type Filter struct {
	Required []ComponentID // the entity has all of them; they are the cursor's terms 0..n-1, in this order
	Optional []ComponentID // further terms of the cursor; their column is nil in a table that lacks the component
	Without  []ComponentID // the entity has none of them
	Any      []ComponentID // the entity has at least one of them, unless the list is empty
	Tagged   []TagID       // the entity has all of these tags
	Untagged []TagID       // the entity has none of these tags
	Changed  []ComponentID // at least one was written since the query's window began, unless the list is empty
	Added    []ComponentID // at least one was gained since then, unless the list is empty
	Where    *Expr         // any further combination, for Go callers

	// Exclusive leaves out entities that have any component or relation beside those in Required, Optional and Any.
	Exclusive bool

	// Prefabs includes the entities of prefabs, which other queries leave out.
	Prefabs bool

	// Inherited makes the query treat components that are shared through IsA as the entity's own, as queries of
	// scripts do. A shared row is not in the entity's own table: read it with Cursor.Row or Component.Shared.
	Inherited bool
}

// appendKey appends a key of the filter: equal for equal filters, different for different ones.
func (f *Filter) appendKey(key []byte) []byte {
	for _, list := range [][]ComponentID{f.Required, f.Optional, f.Without, f.Any, f.Changed, f.Added} {
		key = appendIDs(key, list)
	}
	key = appendIDs(appendIDs(key, f.Tagged), f.Untagged)
	key = strconv.AppendBool(key, f.Inherited)
	key = strconv.AppendBool(key, f.Exclusive)
	key = strconv.AppendBool(key, f.Prefabs)
	if f.Where != nil {
		key = f.Where.appendKey(key)
	}
	return key
}

func appendIDs[T ~uint32](key []byte, list []T) []byte {
	key = binary.AppendUvarint(key, uint64(len(list)))
	for _, id := range list {
		key = binary.AppendUvarint(key, uint64(id))
	}
	return key
}

type exprOp uint8

const (
	opContains exprOp = iota
	opChanged
	opAdded
	opTagged
	opAnd
	opOr
	opXor
	opNot
)

// An Expr is a condition on a row, built from [Contains], [Changed], [Added] and [HasTag], combined with [And],
// [Or], [Xor] and [Not]. It is evaluated for 64 rows at a time and reads only the columns that it names. A block
// of 64 rows in which it cannot hold is skipped as a whole.
type Expr struct {
	op    exprOp
	id    uint32
	parts []*Expr
}

// Contains holds for entities that have the component.
func Contains(id ComponentID) *Expr { return &Expr{op: opContains, id: uint32(id)} }

// Changed holds for rows whose component was written since the window began.
func Changed(id ComponentID) *Expr { return &Expr{op: opChanged, id: uint32(id)} }

// Added holds for rows that gained the component since the window began.
func Added(id ComponentID) *Expr { return &Expr{op: opAdded, id: uint32(id)} }

// HasTag holds for entities that have the tag.
func HasTag(id TagID) *Expr { return &Expr{op: opTagged, id: uint32(id)} }

// And holds where all parts hold.
func And(parts ...*Expr) *Expr {
	allGiven("And", parts)
	return &Expr{op: opAnd, parts: slices.Clone(parts)}
}

// Or holds where at least one part holds.
func Or(parts ...*Expr) *Expr {
	allGiven("Or", parts)
	return &Expr{op: opOr, parts: slices.Clone(parts)}
}

// Xor holds where exactly one of the two holds.
func Xor(a, b *Expr) *Expr {
	parts := []*Expr{a, b}
	allGiven("Xor", parts)
	return &Expr{op: opXor, parts: parts}
}

// Not holds where the part does not.
func Not(a *Expr) *Expr {
	parts := []*Expr{a}
	allGiven("Not", parts)
	return &Expr{op: opNot, parts: parts}
}

// appendKey appends a key of the expression: equal for expressions that are built alike, different for all others.
func (x *Expr) appendKey(key []byte) []byte {
	key = append(key, byte(x.op))
	key = binary.AppendUvarint(key, uint64(x.id))
	key = binary.AppendUvarint(key, uint64(len(x.parts)))
	for _, p := range x.parts {
		key = p.appendKey(key)
	}
	return key
}

// word evaluates the condition for the 64 rows of a block, one bit per row. Bits beyond the end of the table have
// no meaning; the caller clears them.
func (x *Expr) word(t *Table, block int, in window) uint64 {
	switch x.op {
	case opContains:
		if t.mask.has(ComponentID(x.id)) {
			return ^uint64(0)
		}
		return 0
	case opChanged:
		return t.Column(ComponentID(x.id)).changedWord(block, in)
	case opAdded:
		return t.Column(ComponentID(x.id)).addedWord(block, in)
	case opTagged:
		return t.world.tags[x.id].word(t, block)
	case opAnd:
		w := ^uint64(0)
		for _, p := range x.parts {
			if w &= p.word(t, block, in); w == 0 {
				break
			}
		}
		return w
	case opOr:
		w := uint64(0)
		for _, p := range x.parts {
			w |= p.word(t, block, in)
		}
		return w
	case opXor:
		return x.parts[0].word(t, block, in) ^ x.parts[1].word(t, block, in)
	case opNot:
		return ^x.parts[0].word(t, block, in)
	default:
		panic(fmt.Sprintf("ecs: expression %d", x.op))
	}
}

// words evaluates the condition for all blocks of a table, one word per block.
func (x *Expr) words(words []uint64, t *Table, in window) {
	if x.scarceWords(words, t, in) {
		return
	}
	switch {
	case x.op == opChanged:
		t.Column(ComponentID(x.id)).changedWords(words, in)
	case x.op == opAnd && len(x.parts) > 0:
		x.parts[0].words(words, t, in)
		for _, p := range x.parts[1:] {
			p.narrow(words, t, in)
		}
	case x.op == opTagged || x.op == opNot:
		for block := range words {
			words[block] = ^uint64(0)
		}
		x.narrow(words, t, in)
	default:
		for block := range words {
			words[block] = x.word(t, block, in)
		}
	}
}

// quiet reports whether it is certain that no row of t matches, judged by the newest stamps of its columns. It
// looks at no row. False means that rows may match.
func (x *Expr) quiet(t *Table, since uint32) bool {
	switch x.op {
	case opChanged:
		c := t.Column(ComponentID(x.id))
		return c == nil || c.newest.changed <= since
	case opAdded:
		c := t.Column(ComponentID(x.id))
		return c == nil || c.newest.added <= since
	case opAnd:
		for _, p := range x.parts {
			if p.quiet(t, since) {
				return true
			}
		}
		return false
	case opOr:
		for _, p := range x.parts {
			if !p.quiet(t, since) {
				return false
			}
		}
		return true
	default:
		return false
	}
}

// changedWords is changedWord for all blocks of the table. c is not nil: a table that lacks the column is quiet,
// so its words are never asked for.
func (c *Column) changedWords(words []uint64, in window) {
	for block := range words {
		b := &c.blocks[block]
		if b.changedAll < b.changedNewest && b.changedNewest <= in.since { // nobody wrote here: the most frequent case
			words[block] = 0
		} else {
			words[block] = c.changedWord(block, in)
		}
	}
}

// changedWord returns the rows of a block that were written in the window, one bit per row; 0 if c is nil. The
// tests go from cheap to expensive: the stamp of the whole block, the newest stamp in it, the second newest, and
// then the rows one by one.
func (c *Column) changedWord(block int, in window) uint64 {
	if c == nil {
		return 0
	}
	b := &c.blocks[block]
	if b.changedAll >= b.changedNewest {
		return in.all(b.changedAll)
	}
	if b.changedNewest <= in.since {
		return 0
	}
	if b.changedNewest != in.own {
		if b.changedAll > in.since {
			return ^uint64(0)
		}
		if b.changedBefore <= in.since {
			return b.newestRows
		}
	} else if b.changedBefore <= in.since && b.changedAll <= in.since {
		return 0 // only the running system wrote here
	}
	var word uint64
	from := block << blockShift
	for i := range min(blockRows, c.rows()-from) {
		if in.has(b.of(i).changed) {
			word |= 1 << i
		}
	}
	return word
}

// addedWord returns the rows of a block that gained the component in the window, one bit per row; 0 if c is nil.
func (c *Column) addedWord(block int, in window) uint64 {
	if c == nil {
		return 0
	}
	b := &c.blocks[block]
	if b.addedAll >= b.addedNewest {
		return in.all(b.addedAll)
	}
	if b.addedNewest <= in.since {
		return 0
	}
	if b.addedAll > in.since && b.addedNewest != in.own {
		return ^uint64(0)
	}
	var word uint64
	from := block << blockShift
	for i := range min(blockRows, c.rows()-from) {
		if in.has(b.of(i).added) {
			word |= 1 << i
		}
	}
	return word
}

// word returns the rows of a block whose entities have the tag, one bit per row.
func (s *tagSet) word(t *Table, block int) uint64 {
	if len(s.dense) == 0 {
		return 0
	}
	var word uint64
	from := block << blockShift
	for i, e := range t.entities[from:min(from+blockRows, len(t.entities))] {
		bit := uint64(0) // no branch: which rows match cannot be foreseen
		if s.has(e) {
			bit = 1
		}
		word |= bit << (i & (blockRows - 1))
	}
	return word
}

// rowTest joins the filter's conditions on rows into one expression; nil if it has none.
func (f *Filter) rowTest() *Expr {
	var parts []*Expr
	for _, id := range f.Tagged {
		parts = append(parts, HasTag(id))
	}
	for _, id := range f.Untagged {
		parts = append(parts, Not(HasTag(id)))
	}
	any := func(ids []ComponentID, leaf func(ComponentID) *Expr) {
		if len(ids) == 0 {
			return
		}
		one := make([]*Expr, len(ids))
		for i, id := range ids {
			one[i] = leaf(id)
		}
		parts = append(parts, simplest(Or(one...)))
	}
	any(f.Changed, Changed)
	any(f.Added, Added)
	if f.Where != nil {
		parts = append(parts, f.Where)
	}
	if len(parts) == 0 {
		return nil
	}
	return simplest(And(parts...))
}

// simplest returns the only part of a combination that has one part, and x otherwise.
func simplest(x *Expr) *Expr {
	if len(x.parts) == 1 {
		return x.parts[0]
	}
	return x
}

// check returns an error for the first id that the world has not declared.
func (x *Expr) check(w *World) error {
	switch x.op {
	case opContains, opChanged, opAdded:
		if uint(x.id) >= uint(len(w.components)) {
			return unknownID("component", x.id)
		}
	case opTagged:
		if uint(x.id) >= uint(len(w.tags)) {
			return unknownID("tag", x.id)
		}
	}
	for _, p := range x.parts {
		if err := p.check(w); err != nil {
			return err
		}
	}
	return nil
}
