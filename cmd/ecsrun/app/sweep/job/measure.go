package job

import (
	"fmt"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sample"
	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
)

// A Measure reads a value from a world.
type Measure struct {
	world    *ecs.World
	frame    bool
	sample   *sample.Sample // nil for a resource and for the frame
	resource ecs.ResourceID
	field    int
}

// Parse makes the measure of a text: frame, resources.NAME or resources.NAME.FIELD, or a function of --sample.
func Parse(w *ecs.World, text string) (*Measure, error) {
	text = strings.TrimSpace(text)
	m := &Measure{world: w, frame: text == "frame"}
	if m.frame {
		return m, nil
	}
	path, isResource := strings.CutPrefix(text, "resources.")
	if !isResource {
		if !strings.Contains(text, "(") {
			return nil, fmt.Errorf("%q is nothing that can be measured; write frame, resources.NAME, or a function: count, sum, mean, min, max", text)
		}
		var err error
		m.sample, err = sample.Parse(w, text)
		return m, err
	}
	name, field, dotted := strings.Cut(path, ".")
	id, ok := w.LookupResource(name)
	if !ok {
		hint := "resources are " + strings.Join(w.ResourceNames(), ", ")
		if near, ok := suggest.Closest(name, w.ResourceNames()); ok {
			hint = fmt.Sprintf("did you mean %q?", near)
		}
		return nil, fmt.Errorf("resource %q is not declared; %s", name, hint)
	}
	schema := w.Resource(id).Schema()
	if !dotted {
		field = "value"
	}
	m.resource, m.field = id, schema.Index(field)
	if m.field < 0 {
		var names []string
		for _, f := range schema.Fields() {
			names = append(names, name+"."+f.Name)
		}
		return nil, fmt.Errorf("resource %q has no field %q; it has %s", name, field, strings.Join(names, ", "))
	}
	if t := schema.Fields()[m.field].Type; !t.Numeric() && t != ecs.Bool && t != ecs.String {
		return nil, fmt.Errorf("%q is of type %s, which is no value to measure; measure a number, a bool or a string", text, t)
	}
	return m, nil
}

// IsText reports whether the values are texts; if not, they are numbers, or true and false.
func (m *Measure) IsText() bool {
	return !m.frame && m.sample == nil && m.world.Resource(m.resource).Schema().Fields()[m.field].Type == ecs.String
}

// Read returns the value of now.
func (m *Measure) Read() Value {
	switch {
	case m.frame:
		return Value(config.ShortNumber(float64(m.world.Frame())))
	case m.sample != nil:
		v, ok := m.sample.Read()
		if !ok {
			return ""
		}
		return Value(config.ShortNumber(v))
	}
	row := m.world.Resource(m.resource)
	switch row.Schema().Fields()[m.field].Type {
	case ecs.Bool:
		if row.Get(m.field).Bool() {
			return "true"
		}
		return "false"
	case ecs.String:
		return Text(row.Get(m.field).Str())
	default:
		return Value(config.ShortNumber(row.Number(m.field)))
	}
}
