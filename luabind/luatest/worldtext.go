package luatest

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
)

// A world as text, for golden files: a line for each entity and component, sorted by entity and then by name, and a
// line for each resource and each row of a layer. Numbers have all their digits, so equal texts mean equal values.

// mostText is the largest number of bytes of such a text.
const mostText = 8 << 20

// worldText returns the text of a world:
//
//	17v2
//	17v2 Health = {current = 3, max = 100}
//	17v2 ChildOf = 4v1
//	17v2 tags = enemy, selected
//	resource score = 7
//	prefab goblin/sword Blade = {edge = 3}
//	layer ground 0 = 5, 5, 9
//	waiting Hit = {amount = 1} at frame 30, key "door 7"
//
// An entity has a line of its own only if it has no component and no tag.
func (s *suite) worldText(w *ecs.World) (string, error) {
	entities := make([]ecs.Entity, 0, w.Len())
	for e := range w.Entities {
		entities = append(entities, e)
	}
	slices.SortFunc(entities, func(a, b ecs.Entity) int { return cmp.Compare(a.Index(), b.Index()) })
	var b strings.Builder
	for _, e := range entities {
		lines := entityLines(w, e)
		for _, line := range lines {
			b.WriteString(line + "\n")
		}
		switch {
		case !s.state.Budget().Charge(4 * int64(1+len(lines))):
			return "", s.state.Budget().Spent()
		case b.Len() > mostText:
			return "", sandbox.Limitf("the world has more than %d MiB of text; compare a smaller one", mostText>>20)
		}
	}
	names := slices.Clone(w.ResourceNames())
	slices.Sort(names)
	for _, name := range names {
		id, _ := w.LookupResource(name)
		fmt.Fprintf(&b, "resource %s = %s\n", name, valueText(w.Resource(id).Get(0)))
	}
	for _, name := range slices.Sorted(slices.Values(w.StateNames())) {
		id, _ := w.LookupState(name)
		fmt.Fprintf(&b, "state %s = %q", name, w.State(id))
		if next := w.NextState(id); next != "" {
			fmt.Fprintf(&b, ", next %q", next)
		}
		b.WriteByte('\n')
	}
	for _, name := range slices.Sorted(slices.Values(w.PrefabNames())) {
		for _, e := range w.PrefabEntities(name) {
			for _, line := range entityLines(w, e) {
				b.WriteString("prefab " + w.PrefabOf(e) + strings.TrimPrefix(line, e.String()) + "\n")
			}
		}
	}
	for _, name := range slices.Sorted(slices.Values(w.LayerNames())) {
		if err := s.layerText(&b, w.LookupLayer(name)); err != nil {
			return "", err
		}
	}
	for e := range w.Waiting {
		fmt.Fprintf(&b, "waiting %s = %s at ", e.Name, fieldsText(e.Row))
		if e.Frame > 0 {
			fmt.Fprintf(&b, "frame %d", e.Frame)
		} else {
			b.WriteString("time " + valueText(ecs.Number(e.Time)))
		}
		if e.Key != "" {
			fmt.Fprintf(&b, ", key %q", e.Key)
		}
		b.WriteByte('\n')
		switch {
		case !s.state.Budget().Charge(8):
			return "", s.state.Budget().Spent()
		case b.Len() > mostText:
			return "", sandbox.Limitf("the world has more than %d MiB of text; compare a smaller one", mostText>>20)
		}
	}
	return b.String(), nil
}

// layerText writes a line for each row of a layer.
func (s *suite) layerText(b *strings.Builder, l *ecs.AnyLayer) error {
	spec := l.Spec()
	cells := make([]string, spec.Width)
	for y := range spec.Height {
		for x := range cells {
			cells[x] = valueText(ecs.Must(l.Get(x, y)))
		}
		fmt.Fprintf(b, "layer %s %d = %s\n", spec.Name, y, strings.Join(cells, ", "))
		switch {
		case !s.state.Budget().Charge(int64(spec.Width)):
			return s.state.Budget().Spent()
		case b.Len() > mostText:
			return sandbox.Limitf("the world has more than %d MiB of text; compare a smaller one", mostText>>20)
		}
	}
	return nil
}

// fieldsText returns the fields of a row as {current = 3, max = 100}.
func fieldsText(row ecs.Row) string {
	var fields []string
	for i, f := range row.Schema().Fields() {
		fields = append(fields, f.Name+" = "+valueText(row.Get(i)))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

// entityLines returns the lines of an entity: its components and relations by name, then its tags.
func entityLines(w *ecs.World, e ecs.Entity) []string {
	var lines []string
	table, row := w.TableOf(e)
	for _, id := range table.Components() {
		info, _ := w.ComponentInfo(id)
		var text string
		if info.Relation {
			var targets []string
			for to := range w.Targets(e, id) {
				targets = append(targets, to.String())
			}
			text = strings.Join(targets, ", ")
		} else {
			text = fieldsText(table.Column(id).Row(row))
		}
		lines = append(lines, fmt.Sprintf("%s %s = %s", e, info.Name, text))
	}
	slices.Sort(lines)
	var tags []string
	for _, id := range w.TagsOf(e) {
		tags = append(tags, w.TagName(id))
	}
	slices.Sort(tags)
	if len(tags) > 0 {
		lines = append(lines, fmt.Sprintf("%s tags = %s", e, strings.Join(tags, ", ")))
	}
	if lines == nil {
		lines = append(lines, e.String())
	}
	return lines
}

// valueText returns a value on one line: numbers with all digits, strings quoted.
func valueText(v ecs.Value) string {
	switch v.Kind() {
	case ecs.NumberValue:
		f := v.Float()
		switch {
		case math.IsNaN(f):
			return "nan"
		case f == math.Trunc(f) && math.Abs(f) < 1<<53:
			if f == 0 && math.Signbit(f) {
				return "-0"
			}
			return v.String()
		}
		return exact(f)
	case ecs.StringValue:
		return strconv.Quote(v.Str())
	case ecs.TableValue:
		var parts []string
		n := 0.0
		for key, v := range v.Data().All() {
			if n++; key.Kind() == ecs.NumberValue && key.Float() == n {
				parts = append(parts, valueText(v))
			} else if key.Kind() == ecs.StringValue && isName(key.Str()) {
				parts = append(parts, key.Str()+" = "+valueText(v))
			} else {
				parts = append(parts, "["+valueText(key)+"] = "+valueText(v))
			}
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return v.String()
}
