package ecs

import (
	"fmt"
	"strings"
)

// Waiting events as text, for people who compare two worlds.

// waiting compares the events that wait, in the order of sending.
func (c *comparison) waiting() {
	a, b := c.a.waitTexts(), c.b.waitTexts()
	at := func(list []string, i int) string {
		if i < len(list) {
			return list[i]
		}
		return "none"
	}
	for i := range max(len(a), len(b)) {
		if c.full() {
			return
		}
		c.differ(Difference{Kind: DifferentWaiting, Index: i + 1}, at(a, i), at(b, i))
	}
}

func (w *World) waitTexts() (list []string) {
	for e := range w.Waiting {
		list = append(list, e.String())
	}
	return list
}

// String returns the event as text: Ring{door: 17v2} at frame 30, key "door 7".
func (e WaitingEvent) String() string {
	var s strings.Builder
	s.WriteString(e.Name)
	s.WriteByte('{')
	var fields []Field
	if e.Row.schema != nil {
		fields = e.Row.schema.fields
	}
	for i, f := range fields {
		if i > 0 {
			s.WriteString(", ")
		}
		fmt.Fprintf(&s, "%s: %s", f.Name, e.Row.Get(i))
	}
	if e.Frame > 0 {
		fmt.Fprintf(&s, "} at frame %d", e.Frame)
	} else {
		fmt.Fprintf(&s, "} at time %s", Number(e.Time))
	}
	if e.Key != "" {
		fmt.Fprintf(&s, ", key %q", e.Key)
	}
	return s.String()
}
