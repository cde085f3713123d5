package worldfile

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// NewWorld returns a world with everything that the config declares. What cannot be declared is returned as problems, and
// the world has the rest.
func NewWorld(c *config.Config) (*ecs.World, config.Problems) {
	w := ecs.NewWorld(options(c))
	return w, declare(w, c)
}

// options returns the options of the world of a config.
func options(c *config.Config) ecs.Options {
	o := limitsOf(c)
	o.Seed, o.Memory = c.Run.Seed, luabind.NewMemory()
	return o
}

// limitsOf returns the limits of the world of a config, as options without anything else.
func limitsOf(c *config.Config) ecs.Options {
	l := c.Limits
	return ecs.Options{MaxEntities: int(l.Entities), MaxBytes: l.World, MaxEvents: int(l.Events), MaxTags: int(l.Tags)}
}

// declare declares in a world what the config names. It passes over what the world has already, declared alike.
func declare(w *ecs.World, c *config.Config) config.Problems {
	var problems config.Problems
	try := func(err error, path string, args ...any) {
		if err != nil {
			problem := c.Problem(fmt.Sprintf(path, args...), err.Error(), "")
			if problem.Err = err; errors.Is(err, ecs.ErrBytes) {
				problem.Hint = "raise limits.world, or make it smaller"
			}
			problems = append(problems, problem)
		}
	}
	for i, v := range c.Components {
		s, err := schema(v.Fields)
		if err == nil {
			_, err = w.DeclareComponent(v.Name, s)
		}
		try(err, "components[%d]", i)
	}
	for i, v := range c.Tags {
		_, err := w.DeclareTag(v.Name)
		try(err, "tags[%d]", i)
	}
	for i, v := range c.Events {
		s, err := schema(v.Fields)
		if err == nil {
			_, err = w.DeclareEvent(v.Name, s)
		}
		try(err, "events[%d]", i)
	}
	for i, v := range c.Resources {
		t, _ := ecs.ParseFieldType(v.Type)
		_, err := w.DeclareResource(v.Name, t, value(v.Default))
		try(err, "resources[%d]", i)
	}
	for i, v := range c.States {
		err := declareState(w, ecs.StateSpec{Name: v.Name, Values: v.Values, First: v.First})
		try(err, "states[%d]", i)
	}
	for i, v := range c.Layers {
		try(declareLayer(w, v), "layers[%d]", i)
	}
	for i, v := range c.Indexes {
		_, err := w.DeclareIndex(ecs.IndexSpec{Name: v.Name, Component: v.Component, Fields: v.Fields, Width: v.Width, Height: v.Height, Wrap: v.Wrap})
		try(err, "indexes[%d]", i)
	}
	for i, v := range c.Relations {
		var how []ecs.RelationOption
		if v.Many {
			how = append(how, ecs.ManyTargets)
		}
		_, err := w.DeclareRelation(v.Name, how...)
		try(err, "relations[%d]", i)
	}
	declarePrefabs(w, c.Prefabs, try)
	return problems
}

// declareState declares a state. If there is one with other values, it is revised.
func declareState(w *ecs.World, spec ecs.StateSpec) error {
	if id, ok := w.LookupState(spec.Name); ok && !slices.Equal(w.StateSpec(id).Values, spec.Values) {
		return w.ReviseState(spec)
	}
	_, err := w.DeclareState(spec)
	return err
}

// declareLayer declares a layer, with the values of its file if it is new.
func declareLayer(w *ecs.World, v config.Layer) error {
	t, _ := ecs.ParseFieldType(v.Type)
	isNew := w.LookupLayer(v.Name) == nil
	l, err := w.DeclareLayer(ecs.LayerSpec{Name: v.Name, Type: t, Width: v.Width, Height: v.Height, Wrap: v.Wrap, Default: value(v.Default)})
	if err != nil || !isNew {
		return err
	}
	for i, x := range v.Cells {
		cell := ecs.Number(x)
		if t == ecs.Bool {
			cell = ecs.Boolean(x != 0)
		}
		if err := l.Set(i%v.Width, i/v.Width, cell); err != nil {
			return err
		}
	}
	return nil
}

func schema(fields []config.Field) (*ecs.Schema, error) {
	list := make([]ecs.Field, len(fields))
	for i, f := range fields {
		t, _ := ecs.ParseFieldType(f.Type) // config knows the same names; otherwise NewSchema says so
		list[i] = ecs.Field{Name: f.Name, Type: t, Default: value(f.Default)}
	}
	return ecs.NewSchema(list...)
}

// value converts a default of the config, which has one of the types that config.Field names.
func value(v any) ecs.Value {
	switch v := v.(type) {
	case nil:
		return ecs.Value{}
	case float64:
		return ecs.Number(v)
	case bool:
		return ecs.Boolean(v)
	case string:
		return ecs.Text(v)
	default:
		panic(fmt.Sprintf("worldfile: default of type %T", v))
	}
}
