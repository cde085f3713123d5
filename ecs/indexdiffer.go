package ecs

import (
	"fmt"
	"slices"
	"strings"
)

// Differences between the indexes of two worlds.

// placeText returns a place as messages show it: 3,1.
func (x *Index) placeText(place uint32) string {
	if x.spec.Width > 0 {
		return fmt.Sprintf("%d,%d", int(place)%x.spec.Width, int(place)/x.spec.Width)
	}
	parts := make([]string, len(x.fields))
	for i, f := range x.fields {
		switch at := int(place)*x.width + i; {
		case f.Type == String:
			parts[i] = Text(x.texts[at]).String()
		case f.Type == EntityField:
			parts[i] = Entity(x.words[at]).String()
		case f.Type == U64:
			parts[i] = fmt.Sprint(x.words[at])
		default:
			parts[i] = fmt.Sprint(int64(x.words[at]))
		}
	}
	return strings.Join(parts, ",")
}

// indexes compares the order of those that share a place. Who is where follows from the values, which are compared.
func (c *comparison) indexes() {
	for _, name := range c.a.IndexNames() {
		a, b := c.a.LookupIndex(name), c.b.LookupIndex(name)
		switch {
		case b == nil:
			c.differ(Difference{Kind: DifferentDeclaration, Name: "index " + name}, "declared", "not declared")
		case !a.spec.same(b.spec):
			c.differ(Difference{Kind: DifferentDeclaration, Name: "index " + name}, a.spec.String(), b.spec.String())
		default:
			c.places(a, b)
		}
	}
	for _, name := range c.b.IndexNames() {
		if !slices.Contains(c.a.IndexNames(), name) {
			c.differ(Difference{Kind: DifferentDeclaration, Name: "index " + name}, "not declared", "declared")
		}
	}
}

// places compares two indexes with the same spec.
func (c *comparison) places(a, b *Index) {
	var mine, others []Entity
	for place := range a.lists {
		mine = a.members(mine[:0], place)
		at := b.entries.at(mine[0].Index()).place
		if at == 0 {
			continue // its value differs
		}
		others = b.members(others[:0], at-1)
		for i := range min(len(mine), len(others)) {
			if mine[i] != others[i] {
				c.differ(Difference{Kind: DifferentPlace, Name: a.spec.Name, Field: a.placeText(place), Index: i + 1}, mine[i].String(), others[i].String())
				if c.full() {
					return
				}
			}
		}
	}
}
