package ecs

import "unsafe"

// The places of an index. Those of an index with a size are its cells, numbered row after row; all are there from the beginning. Otherwise a place
// is there while somebody is in it: a table with open addressing finds its number by its key. Numbers are used again, so they are no state.

// An indexEnd is the other end of the list of a place: the slot of the last entity plus one, 0 for none, and how many there are.
type indexEnd struct{ last, count uint32 }

// indexPlaces are the lists of the entities of all places.
type indexPlaces struct {
	memory  Memory
	owned   [5]bool    // whether heads, ends, words, free and table are in memory
	heads   []Entity   // by place: the first entity; None: nobody
	ends    []indexEnd // by place
	width   int        // words of a key
	textual bool       // keys have strings
	words   []uint64   // by place: the words of its key
	texts   []string   // by place: the strings of its key, if keys have strings
	free    []uint32   // places without entities
	table   []uint32   // by hash: place plus one, 0 for none; its length is a power of 2, at least twice that of heads
}

// find returns the place of a key, counted from 1; 0 if nobody is there.
func (p *indexPlaces) find(k *indexKey) uint32 {
	if len(p.table) == 0 {
		return 0
	}
	mask := uint64(len(p.table) - 1)
	for at := k.hash(p.width) & mask; ; at = (at + 1) & mask {
		if place := p.table[at]; place == 0 || p.is(place-1, k) {
			return place
		}
	}
}

// is reports whether a place has the key.
func (p *indexPlaces) is(place uint32, k *indexKey) bool {
	words := p.words[int(place)*p.width:][:p.width]
	for i, word := range words {
		if word != k.words[i] {
			return false
		}
	}
	if p.textual {
		for i, text := range p.texts[int(place)*p.width:][:p.width] {
			if text != k.texts[i] {
				return false
			}
		}
	}
	return true
}

// take returns the place of a key, counted from 1, and makes it if it is not there.
func (p *indexPlaces) take(k *indexKey) uint32 {
	if place := p.find(k); place != 0 {
		return place
	}
	if len(p.free) == 0 {
		p.grow()
	}
	n := len(p.free) - 1
	place := p.free[n]
	p.free = p.free[:n]
	copy(p.words[int(place)*p.width:][:p.width], k.words[:])
	if p.textual {
		copy(p.texts[int(place)*p.width:][:p.width], k.texts[:])
	}
	p.enter(place, k.hash(p.width))
	return place + 1
}

// enter records a place in the table.
func (p *indexPlaces) enter(place uint32, hash uint64) {
	mask := uint64(len(p.table) - 1)
	at := hash & mask
	for p.table[at] != 0 {
		at = (at + 1) & mask
	}
	p.table[at] = place + 1
}

// hashOf returns the hash of the key of a place.
func (p *indexPlaces) hashOf(place uint32) uint64 {
	var k indexKey
	copy(k.words[:], p.words[int(place)*p.width:][:p.width])
	return k.hash(p.width)
}

// grow makes room for twice as many places.
func (p *indexPlaces) grow() {
	old := len(p.heads)
	n := max(16, 2*old)
	p.heads = room(p.memory, p.heads, &p.owned[0], n)[:n]
	p.ends = room(p.memory, p.ends, &p.owned[1], n)[:n]
	p.words = room(p.memory, p.words, &p.owned[2], n*p.width)[:n*p.width]
	p.free = room(p.memory, p.free, &p.owned[3], n)
	if p.textual {
		p.texts = append(make([]string, 0, n*p.width), p.texts...)[:n*p.width]
	}
	for i := n - 1; i >= old; i-- {
		p.free = append(p.free, uint32(i))
	}
	p.table = room(p.memory, p.table[:0], &p.owned[4], 2*n)[:2*n]
	clear(p.heads[old:])
	clear(p.ends[old:])
	clear(p.table)
	for i := range uint32(old) {
		p.enter(i, p.hashOf(i)) // each has an entity: nothing was free
	}
}

// drop removes a place that has lost its last entity from the table, and moves those up that it was in the way of.
func (p *indexPlaces) drop(place uint32) {
	mask := uint64(len(p.table) - 1)
	at := p.hashOf(place) & mask
	for p.table[at] != place+1 {
		at = (at + 1) & mask
	}
	for next := (at + 1) & mask; p.table[next] != 0; next = (next + 1) & mask {
		if wish := p.hashOf(p.table[next]-1) & mask; (next-wish)&mask >= (next-at)&mask {
			p.table[at] = p.table[next]
			at = next
		}
	}
	p.table[at] = 0
	if p.textual {
		clear(p.texts[int(place)*p.width:][:p.width])
	}
	p.free = append(p.free, place)
}

// restore makes the places equal to those of o.
func (p *indexPlaces) restore(o *indexPlaces) {
	p.heads = same(p.memory, p.heads, &p.owned[0], o.heads)
	p.ends = same(p.memory, p.ends, &p.owned[1], o.ends)
	p.words = same(p.memory, p.words, &p.owned[2], o.words)
	p.free = room(p.memory, p.free[:0], &p.owned[3], cap(o.free))
	p.free = append(p.free, o.free...)
	p.table = same(p.memory, p.table, &p.owned[4], o.table)
	p.texts = append(p.texts[:0], o.texts...)
}

// same returns a slice with the elements of src, in the memory of dst if there is room.
func same[T any](m Memory, dst []T, owned *bool, src []T) []T {
	return append(room(m, dst[:0], owned, len(src)), src...)
}

// heapBytes returns the memory of places without a size on Go's heap.
func (p *indexPlaces) heapBytes() int64 {
	n := int64(cap(p.texts)) * int64(unsafe.Sizeof(""))
	for i, bytes := range [...]int{cap(p.heads) * 8, cap(p.ends) * 8, cap(p.words) * 8, cap(p.free) * 4, cap(p.table) * 4} {
		if !p.owned[i] {
			n += int64(bytes)
		}
	}
	return n
}
