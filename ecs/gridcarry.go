package ecs

import (
	"fmt"
	"math"
	"unsafe"
)

// nothingCarried are the bits of gridPoint.carried for an entity that lacks what the grid carries. They are a NaN
// that no field yields, because loadCarried replaces every NaN by math.NaN().
const nothingCarried = 0xfff8_0000_0000_0002

// A gridCarry is [GridSpec.Carry] with its names resolved. The zero gridCarry carries nothing.
type gridCarry struct {
	what   carryKind
	offset uintptr   // carryField: of the field in GridSpec.Carry.Component
	kind   FieldType // carryField
	tag    TagID     // carryTag
}

type carryKind uint8

const (
	carryNothing carryKind = iota
	carryField
	carryTag
)

// resolveCarry finds the field or tag that c names; its error says which name is wrong.
func (w *World) resolveCarry(c Carried) (g gridCarry, err error) {
	switch {
	case c.Field != "" && c.Tag != "":
		return g, fmt.Errorf("it carries either a field or a tag, not both %q and %q", c.Field, c.Tag)
	case c.Tag != "":
		tag, ok := w.LookupTag(c.Tag)
		if !ok {
			return g, fmt.Errorf("tag %q: %w", c.Tag, ErrUnknown)
		}
		return gridCarry{what: carryTag, tag: tag}, nil
	case c.Field == "":
		return g, nil
	case uint(c.Component) >= uint(len(w.components)):
		return g, fmt.Errorf("carried field: %w", unknownID("component", c.Component))
	}
	info := w.components[c.Component]
	i := info.schema.Index(c.Field)
	if i < 0 {
		return g, fmt.Errorf("component %q has no field %q", info.name, c.Field)
	}
	f := info.schema.fields[i]
	if t := f.Type; !t.Numeric() && t != Bool && t != EntityField || t == I64 || t == U64 {
		return g, fmt.Errorf("field %q of component %q is of type %s; a grid carries booleans, entities, and numbers that a float64 holds exactly", f.Name, info.name, t)
	}
	return gridCarry{what: carryField, offset: f.Offset, kind: f.Type}, nil
}

// loadCarried sets the carried value of points, which are rows of table t and carry nothing so far. rows has the
// row of each point.
func (g *Grid) loadCarried(t *Table, points []gridPoint, rows []int32) {
	switch g.carry.what {
	case carryNothing:
	case carryTag:
		tag := g.world.tags[g.carry.tag]
		for i := range points {
			if tag.has(points[i].entity) {
				points[i].carried = 1
			}
		}
	case carryField:
		c := t.Column(g.spec.Carry.Component)
		if c == nil {
			return
		}
		for i := range points {
			v := loadNumber(unsafe.Add(c.at(int(rows[i])), g.carry.offset), g.carry.kind)
			if v != v {
				v = math.NaN()
			}
			points[i].carried = v
		}
	default:
		panic("ecs: a grid carries something unknown")
	}
}
