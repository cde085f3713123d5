package worldfile

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
)

// declarePrefabs declares the prefabs of a config, each after those that it is made of. One that is declared differently is revised.
func declarePrefabs(w *ecs.World, list []config.Prefab, try func(err error, path string, args ...any)) {
	at, done := map[string]int{}, map[string]bool{}
	for i, v := range list {
		at[v.Name] = i
	}
	var declare func(v *config.Prefab)
	var bases func(v *config.Prefab)
	bases = func(v *config.Prefab) {
		if i, known := at[v.Base]; known && !done[v.Base] {
			declare(&list[i])
		}
		for i := range v.Children {
			bases(&v.Children[i])
		}
	}
	declare = func(v *config.Prefab) {
		done[v.Name] = true
		bases(v)
		if err := declarePrefab(w, v); !errors.Is(err, errRing) {
			try(err, "prefabs[%d]", at[v.Name])
		}
	}
	for i := range list {
		if !done[list[i].Name] {
			declare(&list[i])
		}
	}
}

// errRing: a prefab is made of itself, or of one that is. Config has said so.
var errRing = errors.New("a base is not declared")

func declarePrefab(w *ecs.World, v *config.Prefab) error {
	spec, err := prefabSpec(w, v)
	if err != nil {
		return err
	}
	if w.LookupPrefab(v.Name) != ecs.None {
		return w.RevisePrefab(spec)
	}
	if _, err = w.DeclarePrefab(spec); errors.Is(err, ecs.ErrUnknown) {
		return errRing
	}
	return err
}

func prefabSpec(w *ecs.World, v *config.Prefab) (ecs.PrefabSpec, error) {
	spec := ecs.PrefabSpec{Name: v.Name, Base: v.Base}
	for _, p := range v.Components {
		id, ok := w.LookupComponent(p.Component)
		if !ok {
			return spec, fmt.Errorf("no component %q", p.Component)
		}
		info, _ := w.ComponentInfo(id)
		part := ecs.PrefabPart{Component: id}
		for _, f := range p.Fields {
			i := info.Schema.Index(f.Name)
			if i < 0 {
				return spec, fmt.Errorf("component %q has no field %q", p.Component, f.Name)
			}
			value, err := prefabValue(f.Value, info.Schema.Fields()[i].Type.Elem())
			if err != nil {
				return spec, fmt.Errorf("%s.%s: %w", p.Component, f.Name, err)
			}
			part.Fields = append(part.Fields, ecs.FieldValue{Index: i, Value: value})
		}
		spec.Components = append(spec.Components, part)
	}
	for _, name := range v.Tags {
		id, ok := w.LookupTag(name)
		if !ok {
			return spec, fmt.Errorf("no tag %q", name)
		}
		spec.Tags = append(spec.Tags, id)
	}
	for i := range v.Children {
		c, err := prefabSpec(w, &v.Children[i])
		if err != nil {
			return spec, fmt.Errorf("child %q: %w", v.Children[i].Name, err)
		}
		spec.Children = append(spec.Children, c)
	}
	return spec, nil
}

// prefabValue converts a value of a field of type t, or in one, which has one of the types that config.PrefabField names.
func prefabValue(v any, t ecs.FieldType) (ecs.Value, error) {
	var entries []ecs.DataEntry
	switch v := v.(type) {
	case int64:
		if t == ecs.I64 || t == ecs.U64 {
			return ecs.Int(v), nil
		}
		return ecs.Number(float64(v)), nil
	case uint64:
		if t == ecs.U64 {
			return ecs.Uint(v), nil
		}
		return ecs.Number(float64(v)), nil
	case float64, bool, string:
		return value(v), nil
	case []any:
		for i, item := range v {
			x, err := prefabValue(item, t)
			if err != nil {
				return ecs.Value{}, err
			}
			entries = append(entries, ecs.DataEntry{Key: ecs.Number(float64(i + 1)), Value: x})
		}
	case []config.PrefabEntry:
		for _, e := range v {
			x, err := prefabValue(e.Value, t)
			if err != nil {
				return ecs.Value{}, err
			}
			entries = append(entries, ecs.DataEntry{Key: ecs.Text(e.Key), Value: x})
		}
	default:
		return ecs.Value{}, fmt.Errorf("a value of type %T", v)
	}
	d, err := ecs.NewData(entries)
	if err != nil {
		return ecs.Value{}, err
	}
	return ecs.TableOf(d), nil
}
