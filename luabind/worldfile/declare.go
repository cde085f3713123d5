package worldfile

import (
	"fmt"

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
			problems = append(problems, c.Problem(fmt.Sprintf(path, args...), err.Error(), ""))
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
	for i, v := range c.Relations {
		_, err := w.DeclareRelation(v.Name)
		try(err, "relations[%d]", i)
	}
	return problems
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
