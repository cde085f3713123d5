package ecs

import (
	"errors"
	"fmt"
)

// This file refuses arguments that are not there. A nil world, function or query is a mistake in the program, which could only end in a nil
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
