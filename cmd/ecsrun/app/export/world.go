package export

import (
	"fmt"
	"io"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
)

// A Format is a kind of file.
type Format string

// The formats; each is also the extension of its files.
const (
	JSONL Format = "jsonl"
	CSV   Format = "csv"
)

// Formats lists the formats.
var Formats = []string{string(JSONL), string(CSV)}

// A table is what one file holds.
type table struct {
	name    string
	columns []column
	rows    func(yield func(row []ecs.Value) bool) // the slice is used again for the next row
}

// A column has a name and a type. The type 0 is that of values of any kind.
type column struct {
	name string
	typ  ecs.FieldType
}

// An encoder writes one table.
type encoder interface {
	row(values []ecs.Value) error
	end() error
}

// World writes all files of a world. create writes one file with a name, whose contents come from fill. World returns
// the names in the order in which they were written, and the first error of create or fill.
func World(w *ecs.World, format Format, create func(name string, fill func(io.Writer) error) error) (names []string, err error) {
	taken := map[string]bool{}
	for _, t := range tables(w) {
		name := fileName(t.name, taken) + "." + string(format)
		err := create(name, func(to io.Writer) error {
			e, err := newEncoder(format, to, t.columns)
			if err != nil {
				return err
			}
			for row := range t.rows {
				if err := e.row(row); err != nil {
					return err
				}
			}
			return e.end()
		})
		if err != nil {
			return names, err
		}
		names = append(names, name)
	}
	more, err := layers(w, taken, create)
	return append(names, more...), err
}

func newEncoder(format Format, to io.Writer, columns []column) (encoder, error) {
	switch format {
	case JSONL:
		return newJSONLines(to, columns), nil
	case CSV:
		return newSeparated(to, columns)
	default:
		return nil, fmt.Errorf("there is no format %q; formats are %s", format, strings.Join(Formats, ", "))
	}
}

// fileName makes the name of a file from that of a component. Names that differ only in what a file system does not
// tell apart get a number.
func fileName(name string, taken map[string]bool) string {
	safe := strings.Map(func(c rune) rune {
		if c < ' ' || strings.ContainsRune(`/\:*?"<>|`, c) {
			return '-'
		}
		return c
	}, name)
	if safe == "" || safe[0] == '.' {
		safe = "component" + safe
	}
	unique := safe
	for n := 2; taken[strings.ToLower(unique)]; n++ {
		unique = fmt.Sprintf("%s-%d", safe, n)
	}
	taken[strings.ToLower(unique)] = true
	return unique
}

// tables lists what is written. The three that are not components and always there come first, so that they have their names.
func tables(w *ecs.World) []table {
	list := []table{tags(w), relations(w), resources(w)}
	for id := range w.ComponentNames() {
		if info, _ := w.ComponentInfo(ecs.ComponentID(id)); !info.Relation {
			list = append(list, component(w, info))
		}
	}
	if len(w.StateNames()) > 0 {
		list = append(list, states(w))
	}
	if len(w.PrefabNames()) > 0 {
		list = append(list, prefabs(w))
	}
	if w.Stats().Waiting > 0 {
		list = append(list, waiting(w))
	}
	return list
}

// states has the states with their values, and those that were asked for.
func states(w *ecs.World) table {
	t := table{name: "_states", columns: []column{{"state", ecs.String}, {"value", ecs.String}, {"next", ecs.String}}}
	t.rows = func(yield func([]ecs.Value) bool) {
		for id, name := range w.StateNames() {
			next := ecs.Value{}
			if v := w.NextState(ecs.StateID(id)); v != "" {
				next = ecs.Text(v)
			}
			if !yield([]ecs.Value{ecs.Text(name), ecs.Text(w.State(ecs.StateID(id))), next}) {
				return
			}
		}
	}
	return t
}

// waiting has the events that wait, in the order of sending. Of frame and time the other one is null.
func waiting(w *ecs.World) table {
	t := table{name: "_waiting", columns: []column{{"number", ecs.U64}, {"event", ecs.String}, {"key", ecs.String}, {"frame", 0}, {"time", 0}, {"fields", ecs.TableField}}}
	t.rows = func(yield func([]ecs.Value) bool) {
		for e := range w.Waiting {
			row := []ecs.Value{ecs.Int(int64(e.Number)), ecs.Text(e.Name), ecs.Text(e.Key), {}, {}, {}}
			if e.Frame > 0 {
				row[3] = ecs.Int(int64(e.Frame))
			} else {
				row[4] = ecs.Number(e.Time)
			}
			var fields []ecs.DataEntry
			for i, f := range e.Row.Schema().Fields() {
				fields = append(fields, ecs.DataEntry{Key: ecs.Text(f.Name), Value: e.Row.Get(i)})
			}
			row[5] = ecs.TableOf(ecs.Must(ecs.NewData(fields))) // values of fields are data
			if !yield(row) {
				return
			}
		}
	}
	return t
}

// identity are the columns of an entity, and identify sets them.
var identity = []column{{"entity", ecs.U32}, {"generation", ecs.U32}}

func identify(row []ecs.Value, e ecs.Entity) {
	row[0], row[1] = ecs.Int(int64(e.Index())), ecs.Int(int64(e.Generation()))
}

func component(w *ecs.World, info ecs.ComponentInfo) table {
	t := table{name: info.Name, columns: append([]column{}, identity...)}
	fields := info.Schema.Fields()
	taken := map[string]bool{"entity": true, "generation": true}
	for _, f := range fields {
		name := f.Name
		if name == "" {
			name = "value" // of a Go type that is no struct
		}
		for taken[name] {
			name = "_" + name
		}
		taken[name] = true
		t.columns = append(t.columns, column{name, f.Type})
	}
	t.rows = func(yield func([]ecs.Value) bool) {
		row := make([]ecs.Value, len(t.columns))
		for _, of := range w.Tables() {
			c := of.Column(info.ID)
			if c == nil || of.Prefab() {
				continue
			}
			for i, e := range of.Entities() {
				identify(row, e)
				values := c.Row(i)
				for k := range fields {
					row[2+k] = values.Get(k)
				}
				if !yield(row) {
					return
				}
			}
		}
	}
	return t
}

func tags(w *ecs.World) table {
	t := table{name: "_tags", columns: append([]column{{"tag", ecs.String}}, identity...)}
	t.rows = func(yield func([]ecs.Value) bool) {
		row := make([]ecs.Value, len(t.columns))
		for id, name := range w.TagNames() {
			row[0] = ecs.Text(name)
			for _, e := range w.TagMembers(ecs.TagID(id)) {
				if ecs.Raw.IsPrefab(w, e) {
					continue
				}
				identify(row[1:], e)
				if !yield(row) {
					return
				}
			}
		}
	}
	return t
}

func relations(w *ecs.World) table {
	t := table{name: "_relations", columns: append(append([]column{{"relation", ecs.String}}, identity...), column{"target", ecs.EntityField})}
	t.rows = func(yield func([]ecs.Value) bool) {
		row := make([]ecs.Value, len(t.columns))
		for _, name := range w.RelationNames() {
			id, _ := w.LookupRelation(name)
			row[0] = ecs.Text(name)
			for _, of := range w.Tables() {
				if of.Column(id) == nil || of.Prefab() {
					continue
				}
				for _, e := range of.Entities() {
					identify(row[1:], e)
					for to := range w.Targets(e, id) {
						if row[3] = ecs.EntityOf(to); !yield(row) {
							return
						}
					}
				}
			}
		}
	}
	return t
}

func resources(w *ecs.World) table {
	t := table{name: "_resources", columns: []column{{"resource", ecs.String}, {"field", ecs.String}, {"type", ecs.String}, {"value", 0}}}
	t.rows = func(yield func([]ecs.Value) bool) {
		for id, name := range w.ResourceNames() {
			values := w.Resource(ecs.ResourceID(id))
			for i, f := range values.Schema().Fields() {
				if !yield([]ecs.Value{ecs.Text(name), ecs.Text(f.Name), ecs.Text(f.Type.String()), values.Get(i)}) {
					return
				}
			}
		}
	}
	return t
}
