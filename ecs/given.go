package ecs

import (
	"errors"
	"fmt"
)

// This file refuses arguments that are not there. A nil world, function or query is a mistake in the program, which could only end in a nil
// pointer somewhere inside of this package, or stay in the world until it is looked at. The zero value of a handle (Component, Event, TagSet, Row, Ref, Walk1) is not looked for,
// because that would cost something in each call: using one is Go's own panic, as is an index of a field or term that there is not.

// errNoSchema is the error of a declaration without a schema.
var errNoSchema = errors.New("there is no schema; NewSchema() makes one without fields")

// given panics if an argument is missing. call and what are named.
func given(is bool, call, what string) {
	if !is {
		panic("ecs: " + call + " without " + what)
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
