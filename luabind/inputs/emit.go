package inputs

import (
	"fmt"
	"strconv"

	"github.com/ecsrun/ecsrun/ecs"
)

// An Emitter writes events as lines of JSON:
//
//	{"frame":42,"event":"Died","who":"17v2","cause":"poison"}
//
// Fields come in the order of their declaration, as [ecs.Value.AppendJSON] writes them. A field named frame or event gets
// a leading underscore.
type Emitter struct {
	world  *ecs.World
	tap    *ecs.EventTap
	events map[ecs.EventID]emitted
	buf    []byte
}

// An emitted event type has the texts in front of its values.
type emitted struct {
	event  string   // `,"event":"Died"`
	fields []string // `,"who":`
	types  []ecs.FieldType
}

// NewEmitter returns an emitter of the events with these names that are sent from now on. The error names an event that
// is not declared, with a suggestion.
func NewEmitter(w *ecs.World, names ...string) (*Emitter, error) {
	e := &Emitter{world: w, events: map[ecs.EventID]emitted{}}
	var ids []ecs.EventID
	for _, name := range names {
		id, ok := w.LookupEvent(name)
		if !ok {
			text := fmt.Sprintf("event %s is not declared", quoted(name))
			if fix := meant(name, "events", w.EventNames()); fix != "" {
				text += "; " + fix
			}
			return nil, fmt.Errorf("%s", text)
		}
		schema := w.EventSchema(id)
		used := map[string]bool{"frame": true, "event": true}
		for _, f := range schema.Fields() {
			if f.Name != "frame" && f.Name != "event" {
				used[f.Name] = true
			}
		}
		one := emitted{event: `,"event":` + string(ecs.AppendJSONString(nil, name))}
		for _, f := range schema.Fields() {
			key := f.Name
			for key == "frame" || key == "event" || key != f.Name && used[key] {
				key = "_" + key
			}
			used[key] = true
			one.fields = append(one.fields, ","+string(ecs.AppendJSONString(nil, key))+":")
			one.types = append(one.types, f.Type)
		}
		e.events[id] = one
		ids = append(ids, id)
	}
	e.tap = w.TapEvents(ids...)
	return e, nil
}

// Lines returns the lines of all events since the last call, in the order in which they were sent, each with an end of
// line. Call it at the end of each frame. The result is valid until the next call.
func (e *Emitter) Lines() []byte {
	b := e.buf[:0]
	for id, row := range e.tap.All {
		one := e.events[id]
		b = append(b, `{"frame":`...)
		b = strconv.AppendUint(b, e.world.Frame(), 10)
		b = append(b, one.event...)
		for i, key := range one.fields {
			b = append(b, key...)
			b = row.Get(i).AppendJSON(b, one.types[i])
		}
		b = append(b, "}\n"...)
	}
	e.tap.Clear()
	e.buf = b
	return b
}

// Close ends the emitter.
func (e *Emitter) Close() { e.tap.Close() }
