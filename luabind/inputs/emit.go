package inputs

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/ecsrun/ecsrun/ecs"
)

// An Emitter writes events as lines of JSON:
//
//	{"frame":42,"event":"Died","who":"17v2","cause":"poison"}
//
// Fields come in the order of their declaration. A field named frame or event gets a leading underscore. Bytes of
// strings that are no UTF-8 are written as U+FFFD.
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
		one := emitted{event: `,"event":` + string(appendString(nil, name))}
		for _, f := range schema.Fields() {
			key := f.Name
			for key == "frame" || key == "event" || key != f.Name && used[key] {
				key = "_" + key
			}
			used[key] = true
			one.fields = append(one.fields, ","+string(appendString(nil, key))+":")
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
			b = appendValue(b, row.Get(i), one.types[i] == ecs.F32)
		}
		b = append(b, "}\n"...)
	}
	e.tap.Clear()
	e.buf = b
	return b
}

// Close ends the emitter.
func (e *Emitter) Close() { e.tap.Close() }

// appendValue appends a value as JSON. single says that a number is one of 32 bits, whose text is shorter.
func appendValue(b []byte, v ecs.Value, single bool) []byte {
	switch v.Kind() {
	case ecs.NumberValue:
		return appendNumber(b, v.Float(), single)
	case ecs.IntValue, ecs.UintValue:
		return v.AppendText(b, math.MaxInt)
	case ecs.BoolValue:
		return strconv.AppendBool(b, v.Bool())
	case ecs.EntityValue:
		if v.Entity() == ecs.None {
			return append(b, "null"...)
		}
		return append(append(append(b, '"'), v.Entity().String()...), '"')
	case ecs.StringValue:
		return appendString(b, v.Str())
	case ecs.TableValue:
		return appendData(b, v.Data())
	default:
		return append(b, "null"...)
	}
}

// appendNumber appends a number as JavaScript writes it.
func appendNumber(b []byte, f float64, single bool) []byte {
	switch {
	case f != f:
		return append(b, `"nan"`...)
	case math.IsInf(f, 1):
		return append(b, `"inf"`...)
	case math.IsInf(f, -1):
		return append(b, `"-inf"`...)
	}
	format, size := byte('f'), 64
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	if single {
		size = 32
	}
	return strconv.AppendFloat(b, f, format, -1, size)
}

// appendData appends a table: a list if its keys are 1, 2, …, else an object.
func appendData(b []byte, d *ecs.Data) []byte {
	list := d.Len() > 0 && d.Items() == d.Len()
	open, end := byte('{'), byte('}')
	if list {
		open, end = '[', ']'
	}
	b = append(b, open)
	for i := range d.Len() {
		if i > 0 {
			b = append(b, ',')
		}
		key, v := d.At(i)
		if !list {
			name := key.Str()
			if key.Kind() != ecs.StringValue {
				name = key.String()
			}
			b = append(appendString(b, name), ':')
		}
		b = appendValue(b, v, false)
	}
	return append(b, end)
}

// appendString appends a string in quotes. Control characters are escaped, so that a terminal obeys none.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	for _, r := range s { // a byte that is no UTF-8 becomes U+FFFD
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r < ' ' || r >= 0x7f && r <= 0x9f || r == 0x2028 || r == 0x2029:
			b = fmt.Appendf(b, `\u%04x`, r)
		default:
			b = utf8.AppendRune(b, r)
		}
	}
	return append(b, '"')
}
