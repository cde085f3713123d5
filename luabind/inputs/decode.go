package inputs

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// MaxLine is the length of the longest line, in bytes.
const MaxLine = 1 << 20

// A Kind says what an input does.
type Kind uint8

// The kinds.
const (
	Send   Kind = iota // sends an event
	Set                // sets a resource
	Stop               // ends the run
	Spawn              // makes an entity
	Entity             // changes an entity
	System             // changes a system
	Eval               // runs code
)

var kindKeys = [...]string{"send", "set", "stop", "spawn", "entity", "system", "eval"}

// String returns the key that makes a line of this kind.
func (k Kind) String() string { return kindKeys[k] }

// An Input is one decoded line. Its names and types have been checked against the world of the Decoder.
type Input struct {
	Line  int    // counted from 1
	Frame uint64 // the frame before which it is applied
	Kind  Kind
	Name  string       // of the event, resource or system
	Why   string       // of Stop: the reason
	Text  string       // the line as it was, without the end of the line
	Edit  luabind.Edit // what is done, but for Stop
}

// Apply does the edit. Stop does nothing: it is for whoever runs the frames. The world of rt is that of the Decoder, or has the same
// declarations. Call it between frames. Result and errors are those of [luabind.Runtime.Edit].
func (in *Input) Apply(ctx context.Context, rt *luabind.Runtime) (luabind.Result, error) {
	if in.Kind == Stop {
		return luabind.Result{Done: true}, nil
	}
	return rt.Edit(ctx, in.Edit)
}

// An Error is what is wrong with a line.
type Error struct {
	File    string // what the caller calls the source: a path, "stdin"
	Line    int
	Message string
	Fix     string // what to do, "" if the message says it
}

// Error returns "FILE:LINE: MESSAGE; FIX".
func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.Text()) }

// Text returns "MESSAGE; FIX".
func (e *Error) Text() string {
	if e.Fix == "" {
		return e.Message
	}
	return e.Message + "; " + e.Fix
}

// A Decoder decodes lines one after another, and finds the frame of each: the one that it names, or that of the line
// before. Frames may not go backwards.
type Decoder struct {
	World   *ecs.World // knows what is declared
	Systems []string   // names of the systems
	File    string     // for errors
	// Next is the frame of lines before the first that names a frame. With Live it is also the first frame in which a line
	// can still be applied: the caller raises it after each frame.
	Next uint64
	Live bool // lines are applied when they come: one without a frame is for Next at least, and one for an earlier frame is an error

	line  int
	frame uint64 // of the last line that named one; 0 for none
}

// Rewind lets lines name frames from next on again, and makes it the frame of a line that names none: the world went back.
func (d *Decoder) Rewind(next uint64) {
	d.Next = next
	if d.frame >= next {
		d.frame = 0
	}
}

// Line returns the number of lines that were decoded.
func (d *Decoder) Line() int { return d.line }

// Decode decodes the next line, without its end. ok is false for a line without text. The error is an [*Error].
func (d *Decoder) Decode(line []byte) (in Input, ok bool, err error) {
	if d.line++; d.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\ufeff")) // a byte order mark
	}
	if len(line) > MaxLine {
		return in, false, d.wrong("the line is longer than %d bytes", MaxLine)
	}
	if len(bytes.TrimSpace(line)) == 0 {
		return in, false, nil
	}
	text := string(line)
	n, err := parse(text)
	if err != nil {
		return in, false, d.wrong("%v", err)
	}
	if n.kind != objectNode {
		return in, false, d.wrong("an object expected, got %s", n.kind)
	}
	in = Input{Line: d.line, Text: text}
	if err := d.decode(&in, &n); err != nil {
		return in, false, err
	}
	return in, true, nil
}

func (d *Decoder) wrong(format string, args ...any) *Error {
	return &Error{File: d.File, Line: d.line, Message: fmt.Sprintf(format, args...)}
}

// keys lists the keys that a line may have.
var keys = []string{"frame", "send", "with", "set", "to", "stop", "spawn", "tags", "as", "entity", "despawn", "add", "remove", "tag", "untag", "relate", "unrelate", "system", "enabled", "impl", "every", "eval"}

// owners are the keys of kinds whose lines other keys belong to. "set" of an entity is one of those, too.
var owners = map[string]Kind{
	"with": Send, "to": Set, "tags": Spawn, "as": Spawn, "enabled": System, "impl": System, "every": System,
	"despawn": Entity, "add": Entity, "remove": Entity, "tag": Entity, "untag": Entity, "relate": Entity, "unrelate": Entity,
}

func (d *Decoder) decode(in *Input, n *node) error {
	for _, key := range n.keys {
		if !slices.Contains(keys, key) {
			return d.unknown("key", key, keys)
		}
	}
	does := -1
	for k, key := range kindKeys {
		if n.field(key) == nil || key == "set" && n.field("entity") != nil {
			continue
		}
		if does >= 0 {
			return d.wrong("both %q and %q; use a line for each", Kind(does), key)
		}
		does, in.Kind = k, Kind(k)
	}
	if does < 0 {
		return d.wrong(`nothing to do; a line has "send", "set", "stop", "spawn", "entity", "system" or "eval"`)
	}
	for _, key := range n.keys {
		if of, ok := owners[key]; ok && in.Kind != of {
			return d.wrong("%q belongs to %q, and the line has %q", key, of, in.Kind)
		}
	}
	what := n.field(in.Kind.String())
	if what.kind != stringNode && in.Kind != Spawn {
		return d.wrong("%q: a string expected, got %s", in.Kind, what.kind)
	}
	frame, err := d.frameOf(n.field("frame"))
	if err != nil {
		return err
	}
	in.Frame = frame
	switch in.Kind {
	case Send:
		return d.send(in, strings.Clone(what.text), n.field("with"))
	case Set:
		return d.set(in, strings.Clone(what.text), n.field("to"))
	case Spawn:
		return d.spawn(in, what, n)
	case Entity:
		return d.entity(in, what, n)
	case System:
		return d.system(in, strings.Clone(what.text), n)
	case Eval:
		in.Edit.Kind, in.Edit.Code = luabind.EditEval, strings.Clone(what.text)
		if err := luabind.CheckCode(in.Edit.Code); err != nil {
			return d.wrong("%v", err)
		}
		return nil
	default:
		in.Why = strings.Clone(what.text)
		return nil
	}
}

// frameOf returns the frame of a line.
func (d *Decoder) frameOf(n *node) (uint64, error) {
	if n == nil {
		switch {
		case d.Live:
			return max(d.frame, d.Next), nil
		case d.frame > 0:
			return d.frame, nil
		default:
			return d.Next, nil
		}
	}
	v, err := strconv.ParseUint(n.text, 10, 53)
	if n.kind != numberNode || err != nil || v == 0 {
		return 0, d.wrong(`"frame": a whole number from 1 expected`)
	}
	if v < d.frame {
		e := d.wrong("frame %d comes after frame %d", v, d.frame)
		e.Fix = "put the lines in the order of their frames"
		return 0, e
	}
	if d.Live && v < d.Next {
		e := d.wrong("frame %d has been run already; the next one is %d", v, d.Next)
		e.Fix = `leave out "frame" to apply a line as soon as possible`
		return 0, e
	}
	d.frame = v
	return v, nil
}

// send decodes the fields of an event.
func (d *Decoder) send(in *Input, name string, with *node) error {
	id, ok := d.World.LookupEvent(name)
	if !ok {
		return d.undeclared("event", name, d.World.EventNames())
	}
	in.Name, in.Edit.Kind, in.Edit.Event = name, luabind.EditSend, id
	if with == nil {
		return nil
	}
	if with.kind != objectNode {
		return d.wrong(`"with": an object with the fields of %s expected, got %s`, name, with.kind)
	}
	var err error
	in.Edit.Fields, err = d.fields(name, d.World.EventSchema(id), with)
	return err
}

// set decodes the value of a resource. One with several fields takes an object with some of them.
func (d *Decoder) set(in *Input, name string, to *node) error {
	id, ok := d.World.LookupResource(name)
	if !ok {
		return d.undeclared("resource", name, d.World.ResourceNames())
	}
	in.Name, in.Edit.Kind, in.Edit.Resource = name, luabind.EditResource, id
	schema := d.World.Resource(id).Schema()
	switch {
	case to == nil:
		return d.wrong(`%q has no "to", the value to set it to`, name)
	case len(schema.Fields()) != 1 || schema.Fields()[0].Name != "value":
		if to.kind != objectNode {
			return d.wrong(`"to": an object with the fields of %s expected, got %s`, name, to.kind)
		}
		var err error
		in.Edit.Fields, err = d.fields(name, schema, to)
		return err
	}
	v, err := fieldFor(schema, 0, to)
	if err != nil {
		return d.wrong("resource %q: %v", name, err)
	}
	in.Edit.Fields = []luabind.Field{v}
	return nil
}

// fields decodes an object with fields of a schema.
func (d *Decoder) fields(name string, schema *ecs.Schema, n *node) ([]luabind.Field, error) {
	list := make([]luabind.Field, 0, len(n.keys))
	for i, key := range n.keys {
		at := schema.Index(key)
		if at < 0 {
			var known []string
			for _, f := range schema.Fields() {
				known = append(known, f.Name)
			}
			return nil, d.unknown("field of "+name, key, known)
		}
		v, err := fieldFor(schema, at, &n.list[i])
		if err != nil {
			return nil, d.wrong("%s.%s: %v", name, key, err)
		}
		list = append(list, v)
	}
	return list, nil
}
