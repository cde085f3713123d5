package export

import "github.com/ecsrun/ecsrun/ecs"

// prefabs has the entities of prefabs, which are in no other table, with their own components, tags and relations.
func prefabs(w *ecs.World) table {
	t := table{name: "_prefabs", columns: append(append([]column{{"prefab", ecs.String}}, identity...),
		column{"components", ecs.TableField}, column{"tags", ecs.TableField}, column{"relations", ecs.TableField})}
	t.rows = func(yield func([]ecs.Value) bool) {
		row := make([]ecs.Value, len(t.columns))
		for _, name := range w.PrefabNames() {
			for _, e := range w.PrefabEntities(name) {
				row[0] = ecs.Text(w.PrefabOf(e))
				identify(row[1:], e)
				row[3], row[4], row[5] = has(w, e)
				if !yield(row) {
					return
				}
			}
		}
	}
	return t
}

// has returns what an entity has itself, as data.
func has(w *ecs.World, e ecs.Entity) (components, tags, relations ecs.Value) {
	var parts, names, targets []ecs.DataEntry
	of, row := w.TableOf(e)
	for _, id := range of.Components() {
		info, _ := w.ComponentInfo(id)
		if info.Relation {
			to := ecs.EntityOf(w.Related(e, id))
			if info.Many {
				var all []ecs.DataEntry
				for target := range w.Targets(e, id) {
					all = append(all, ecs.DataEntry{Key: ecs.Number(float64(len(all) + 1)), Value: ecs.EntityOf(target)})
				}
				to = data(all)
			}
			targets = append(targets, ecs.DataEntry{Key: ecs.Text(info.Name), Value: to})
			continue
		}
		var fields []ecs.DataEntry
		for i, f := range info.Schema.Fields() {
			fields = append(fields, ecs.DataEntry{Key: ecs.Text(f.Name), Value: of.Column(id).Row(row).Get(i)})
		}
		parts = append(parts, ecs.DataEntry{Key: ecs.Text(info.Name), Value: data(fields)})
	}
	for i, id := range w.TagsOf(e) {
		names = append(names, ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: ecs.Text(w.TagName(id))})
	}
	tags = ecs.Value{} // an empty list would be an empty object
	if len(names) > 0 {
		tags = data(names)
	}
	return data(parts), tags, data(targets)
}

// data makes a table of what fields hold, which is data.
func data(entries []ecs.DataEntry) ecs.Value { return ecs.TableOf(ecs.Must(ecs.NewData(entries))) }
