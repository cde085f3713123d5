package native

import (
	"errors"
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// A setup collects what a native needs from a world, and all reasons why it cannot have it. So the code of a
// native is a list of names, and a user sees all mismatches at once.
type setup struct {
	world *ecs.World
	errs  []error
}

func (s *setup) err() error { return errors.Join(s.errs...) }

func (s *setup) fail(err error) { s.errs = append(s.errs, err) }

// component declares a component with the layout of T, or checks that of the existing one. After an error the
// result must not be used.
func component[T any](s *setup, name string) ecs.Component[T] {
	c, err := ecs.Register[T](s.world, name)
	if err != nil {
		s.fail(err)
	}
	return c
}

// event is component for events.
func event[T any](s *setup, name string) ecs.Event[T] {
	e, err := ecs.RegisterEvent[T](s.world, name)
	if err != nil {
		s.fail(err)
	}
	return e
}

// resource returns a resource that the config or a script has declared. It is not declared here, because its zero
// value would have no meaning.
func resource[T any](s *setup, name string) *T {
	if _, ok := s.world.LookupResource(name); !ok {
		s.fail(fmt.Errorf("it needs the resource %q; declare it in the config", name))
		return nil
	}
	r, err := ecs.RegisterResource[T](s.world, name)
	if err != nil {
		s.fail(err)
	}
	return r
}

func (s *setup) tag(name string) ecs.TagID {
	id, err := s.world.DeclareTag(name)
	if err != nil {
		s.fail(err)
	}
	return id
}
