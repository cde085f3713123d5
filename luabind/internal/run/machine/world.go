package machine

import (
	"unsafe"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/memory"
)

// Words: what code needs to know of the world beyond the current table, such as the addresses of slots, tags and columns.
// They are set before a run, and those that effects can change also after effects.

// outside is what a kernel knows of the world for its words. It is looked up when the layout of the world has changed.
type outside struct {
	world   *ecs.World
	layout  uint64               // of the columns, when they were looked up
	columns map[int]*memory.List // by component: the address of its column in each table
	walks   map[int]*memory.List // by query within: its tables, see abi.WalkedRows
	rows    map[int]int64        // by query within: how many rows it has
	pages   map[int]*memory.List // by tag, and by ^layer for an index: the addresses of the pages of its entries, 0 for a page that does not exist
	paged   map[int]uint64       // likewise: when its pages were found, the number of [ecs.RawAccess.TagPages]
	heirs   heirs
	inherit bool // some entity inherits a component for which code asks, which code does not know
	lost    bool // effects have moved something to where code cannot reach it: see lookAgain
}

// look sets the words for a run. It reports whether code can reach everything that they are about.
func (k *Kernel) look(w *ecs.World) bool {
	o := k.outside
	if len(k.unit.Words) == 0 {
		o.world = w // calls of the host ask it for sources
		return true
	}
	if w != o.world || ecs.Raw.Layout(w) != o.layout {
		if !k.findColumns(w) {
			o.world = nil // what was found is not to be used
			return false
		}
	}
	if o.inherit = o.heirs.inherit(w); o.inherit {
		return false
	}
	for i, word := range k.unit.Words {
		switch word.Kind {
		case abi.WordWalk:
			if !k.findWalk(word.ID) {
				return false
			}
			k.frame.Words[i] = o.walks[word.ID].Address
		case abi.WordColumns:
			k.frame.Words[i] = o.columns[word.ID].Address
		case abi.WordRingEnd:
			k.frame.Words[i] = k.frame.Ring.Start + abi.RingSize/2
		case abi.WordLogEnd:
			k.frame.Words[i] = k.frame.Log.Start + abi.LogSize/2
		case abi.WordTable, abi.WordTableFrom, abi.WordTableCount:
			k.frame.Words[i] = k.frame.TableWord(word)
		case abi.WordLayer, abi.WordLayerOpen, abi.WordIndexEnds:
			l := &k.program.Layers[word.ID]
			p := l.Cell(w)
			switch word.Kind {
			case abi.WordLayerOpen:
				p = ecs.Raw.Layer(w.LookupLayer(l.Name)).Open
			case abi.WordIndexEnds:
				_, p = ecs.Raw.Places(w.LookupIndex(l.Name))
			}
			at, reached := k.memory.Address(p)
			if !reached {
				return false
			}
			k.frame.Words[i] = at
		case abi.WordKeyed, abi.WordKeyedCount:
			k.frame.Words[i] = k.frame.KeyedWord(word)
		}
	}
	for i, word := range k.unit.Words { // the lists are complete now
		if word.Kind == abi.WordWalkCount {
			k.frame.Words[i] = uint32(o.walks[word.ID].Len / (2 + k.program.Queries[word.ID].Views))
		}
	}
	return k.lookAgain()
}

// lookAgain sets the words that effects may have changed, and reports whether code can reach what they are about. If it
// cannot, because there was no memory left for the members of a tag, lost is set, and closures do the following rows.
func (k *Kernel) lookAgain() bool {
	o := k.outside
	o.lost = false
	for i, word := range k.unit.Words {
		var p unsafe.Pointer
		n := 0
		switch word.Kind {
		case abi.WordSlots, abi.WordSlotCount:
			p, n = ecs.Raw.Slots(o.world)
		case abi.WordTag, abi.WordTagCount, abi.WordIndexPages, abi.WordIndexPageCount:
			var pages *memory.List
			if word.Kind == abi.WordTag || word.Kind == abi.WordTagCount {
				pages = k.findTag(word.ID)
			} else {
				pages = k.findEntries(word.ID)
			}
			switch {
			case pages == nil:
				o.lost = true
			case word.Kind == abi.WordTagCount:
				k.frame.Words[i] = uint32(pages.Len) << ecs.TagPageShift
			case word.Kind == abi.WordIndexPageCount:
				k.frame.Words[i] = uint32(pages.Len)
			default:
				k.frame.Words[i] = pages.Address
			}
			continue
		default:
			continue
		}
		at, reached := k.memory.Address(p)
		switch {
		case !reached && n > 0:
			o.lost = true
		case word.Kind == abi.WordSlotCount:
			k.frame.Words[i] = uint32(n)
		default:
			k.frame.Words[i] = at
		}
	}
	return !o.lost
}

// findTag lists the pages of a tag; nil if code cannot reach one of them.
func (k *Kernel) findTag(id int) *memory.List {
	w, tag := k.outside.world, ecs.TagID(id)
	n, made := ecs.Raw.TagPages(w, tag)
	return k.findPages(id, n, made, func(page int) unsafe.Pointer { return ecs.Raw.TagPage(w, tag, page) })
}

// findEntries lists the pages of entries of the index that a layer names; nil if code cannot reach one of them.
func (k *Kernel) findEntries(layer int) *memory.List {
	x := k.outside.world.LookupIndex(k.program.Layers[layer].Name)
	n, made := ecs.Raw.IndexPages(x)
	return k.findPages(^layer, n, made, func(page int) unsafe.Pointer { return ecs.Raw.IndexPage(x, page) })
}

// findPages lists the addresses of n pages, if they are not the same as the last time. made changes when a page is made or freed.
func (k *Kernel) findPages(key, n int, made uint64, page func(int) unsafe.Pointer) *memory.List {
	o := k.outside
	l := o.pages[key]
	if l == nil {
		l = &memory.List{Memory: k.memory}
		o.pages[key] = l
	}
	if at, found := o.paged[key]; found && at == made && l.Len == n {
		return l
	}
	delete(o.paged, key)
	addresses := l.Set(n)
	if addresses == nil && n > 0 {
		return nil
	}
	for i := range addresses {
		addresses[i] = 0
		if p := page(i); p != nil {
			at, reached := k.memory.Address(p)
			if !reached {
				return nil
			}
			addresses[i] = at
		}
	}
	o.paged[key] = made
	return l
}

// findColumns looks up the columns of the components that words are about.
func (k *Kernel) findColumns(w *ecs.World) bool {
	o := k.outside
	o.world, o.layout = w, ecs.Raw.Layout(w)
	clear(o.paged)
	tables := w.Tables()
	o.heirs.find(w, tables, k.asked())
	if !k.findMirrors(tables) {
		return false
	}
	for _, word := range k.unit.Words {
		if word.Kind != abi.WordColumns {
			continue
		}
		l := o.columns[word.ID]
		if l == nil {
			l = &memory.List{Memory: k.memory}
			o.columns[word.ID] = l
		}
		addresses := l.Set(len(tables))
		if addresses == nil && len(tables) > 0 {
			return false
		}
		for i, t := range tables {
			if !k.addressBeyond(ecs.ComponentID(word.ID), t, &addresses[i]) {
				return false
			}
		}
	}
	return true
}

// addressBeyond sets at to what code uses as the address of a column for other rows than those of the walk: that of its
// mirror, if there is one; 0 for no column. It is false if code cannot reach it.
func (k *Kernel) addressBeyond(id ecs.ComponentID, t *ecs.Table, at *uint32) bool {
	col := t.Column(id)
	if m := k.mirrorOf(id); m != nil && col != nil {
		*at = m.tables[t.ID()].base
		return true
	}
	if info, _ := k.outside.world.ComponentInfo(id); col != nil && !info.Schema.PointerFree() { // code only asks whether it is there
		*at = memory.Lowest
		return true
	}
	return k.addressOf(col, t, at)
}

// addressOf sets at to the address of a column, 0 for no column. It is false if code cannot reach the column.
func (k *Kernel) addressOf(col *ecs.Column, t *ecs.Table, at *uint32) bool {
	*at = 0
	if col == nil {
		return true
	}
	base, size := ecs.Raw.Column(col)
	if size == 0 || ecs.Raw.Capacity(t) == 0 { // there is nothing to read; a table that gets room changes the layout
		*at = memory.Lowest
		return true
	}
	var ok bool
	*at, ok = k.memory.Address(base)
	return ok
}

// findWalk lists the tables of a query within; false if code cannot reach one of them.
func (k *Kernel) findWalk(id int) bool {
	o, sub := k.outside, &k.program.Queries[id]
	l := o.walks[id]
	if l == nil {
		l = &memory.List{Memory: k.memory}
		o.walks[id] = l
	}
	width := 2 + sub.Views
	terms := sub.Query.Terms()
	ok, n := true, 0
	for t := range sub.Query.Tables {
		n++
		_ = t
	}
	all := l.Set(n * width)
	if all == nil && n > 0 {
		return false
	}
	n, o.rows[id] = 0, 0
	for t := range sub.Query.Tables {
		record := all[n*width : (n+1)*width]
		n++
		record[0] = uint32(t.Len())
		o.rows[id] += int64(t.Len())
		at, reached := k.memory.Address(ecs.Raw.Entities(t))
		record[1], ok = at, ok && reached
		for i := range sub.Views {
			ok = k.addressBeyond(terms[i], t, &record[2+i]) && ok
		}
	}
	return ok
}
