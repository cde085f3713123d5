package ecs

import (
	"errors"
	"fmt"
	"strings"
)

// The mistakes of a caller. Functions return them wrapped in an [OpError]; test for them with errors.Is.
var (
	// ErrLocked: a structural change was asked for while a query loop is open, or in an observer. Queue it on
	// [Commands].
	ErrLocked = errors.New("structure is locked by an open query loop; queue the change on Commands")
	// ErrDead: the entity is dead, or never existed.
	ErrDead = errors.New("the entity is dead")
	// ErrNoComponent: the entity lives but lacks the component.
	ErrNoComponent = errors.New("the entity lacks the component")
	// ErrUnknown: the name or id is not declared in this world.
	ErrUnknown = errors.New("not declared")
	// ErrMismatch: the name is already declared with another layout or as something else.
	ErrMismatch = errors.New("declared differently")
	// ErrLimit: a limit of the world is reached, such as [Options.MaxEntities].
	ErrLimit = errors.New("limit reached")
	// ErrBytes: something would grow beyond [Options.MaxBytes]. It is an [ErrLimit]. The operation has not
	// happened, and the world is unchanged.
	ErrBytes = fmt.Errorf("%w: bytes", ErrLimit)
	// ErrEntities: there would be more than [Options.MaxEntities]. It is an [ErrLimit].
	ErrEntities = fmt.Errorf("%w: entities", ErrLimit)
	// ErrEvents: there would be more than [Options.MaxEvents]. It is an [ErrLimit].
	ErrEvents = fmt.Errorf("%w: events", ErrLimit)
	// ErrTags: there would be more than [Options.MaxTags]. It is an [ErrLimit].
	ErrTags = fmt.Errorf("%w: tag entries", ErrLimit)
	// ErrDepth: a chain of [IsA] would be longer than [MaxBases]. It is an [ErrLimit].
	ErrDepth = fmt.Errorf("%w: a chain of %s has at most %d bases", ErrLimit, IsA, MaxBases)
	// ErrCycle: a ChildOf or IsA relation would lead from an entity back to itself.
	ErrCycle = errors.New("the relation would form a cycle")
	// ErrInherited: a write was refused because the entity only shares the component with its base.
	// [World.Set] gives the entity its own component, which starts with the base's values.
	ErrInherited = errors.New("the component is inherited: the entity has none of its own")
	// ErrPrefab: a prefab cannot be despawned or copied, and its base and its children are those of its declaration.
	ErrPrefab = errors.New("it is a prefab: its base and its children are declared, and it lives as long as the declaration; use an instance of it")
	// ErrObserverChain: observers call each other without an end.
	ErrObserverChain = errors.New("observers call each other without an end")
)

// An OpError says which operation failed, on which entity and component, and why.
//
// A mistake of the caller is an error of one line that names operation, component and entity. Test with errors.Is
// for [ErrLocked], [ErrDead] and the others. Structural calls for a dead entity return false and no error. Indexes
// out of range, handles of another world and broken invariants panic. An id is a number: that of another world means what
// has the number in this one, or is [ErrUnknown].
type OpError struct {
	Op        string // "spawn", "add", "set" …
	Entity    Entity // None when no entity is concerned
	Component string // "Position, Velocity" for several, "" when none is concerned; "Position.x" when a field is
	Err       error  // the cause, never nil
}

// Error returns one line: set Position.x on 17v2: 300 does not fit u8 (0 to 255).
func (e *OpError) Error() string {
	s := e.Op
	if e.Component != "" {
		s += " " + e.Component
	}
	if e.Entity != None {
		if e.Component != "" {
			s += " on"
		}
		s += " " + e.Entity.String()
	}
	return fmt.Sprint(s, ": ", e.Err)
}

// Unwrap returns the cause.
func (e *OpError) Unwrap() error { return e.Err }

func fail(op string, e Entity, component string, err error) error {
	return &OpError{Op: op, Entity: e, Component: component, Err: err}
}

// list names components for a message: "Position, Velocity".
func (w *World) list(ids []ComponentID) string {
	var b strings.Builder
	for i, id := range ids {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(w.components[id].name)
	}
	return b.String()
}

func unknown(what, name string) error {
	return fmt.Errorf("%s %q is %w", what, name, ErrUnknown)
}

func unknownID[ID ~int | ~int32 | ~uint32](what string, id ID) error {
	return fmt.Errorf("%s id %d is %w", what, id, ErrUnknown)
}

// Must returns v, and panics with err if it is not nil. It is for set-up code and tests, where an error is a bug:
//
//	moving := ecs.Must(ecs.NewQuery2[ecs.Mut[Position], Velocity](w))
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// The rest of this file refuses arguments that are not there. A nil world, function or query is a mistake in the program, which could only end in a nil
// pointer somewhere inside of this package, or stay in the world until it is looked at. So is the zero value of a type that a function of this package must make. The methods
// that take a few nanoseconds do not look for it, because that is a measurable part of them: there, and for an index of a field or term that there is not, the panic is that of Go.

// errNoSchema is the error of a declaration without a schema.
var errNoSchema = errors.New("there is no schema; NewSchema() makes one without fields")

// given panics if an argument is missing. call and what are named.
func given(is bool, call, what string) {
	if !is {
		panic("ecs: " + call + " without " + what)
	}
}

// made panics if a value is the zero value of its type. by is the function that makes one.
func made(is bool, of, by string) {
	if !is {
		panic("ecs: the zero value of " + of + " is not usable; use " + by)
	}
}

// noSource is the error of a world or schedule that is to be taken over and is nil.
func noSource(call, what string) error {
	return fail(call, None, "", fmt.Errorf("there is no %s to take it from", what))
}

// allGiven panics if a part of an expression is nil.
func allGiven(call string, parts []*Expr) {
	for _, p := range parts {
		given(p != nil, call, "a part: one is nil")
	}
}
