package control

import (
	"encoding/json"
	"errors"

	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

const evalMethod = "lua.eval"

// Writes are inputs: each becomes the line of `--input` that says the same, and is done, recorded and replayed as that.

func writing() []*Method {
	entity := Param{"entity", Entity, true, "which one"}
	bool := "true; false if the entity is dead"
	return []*Method{
		{
			Name: "entity.spawn", Doc: "Makes an entity.", Result: "the entity",
			Params: []Param{
				{"set", Object, false, `components with fields, as in {"Health": {"current": 3}}`},
				{"tags", Strings, false, "its tags"},
				{"as", Text, false, `a name for it, which later calls and inputs may use as "@name"`},
			},
			do: write("", func(a args) line { return line{"spawn": a.or("set", `{}`), "tags": a["tags"], "as": a["as"]} }),
		},
		{
			Name: "entity.set", Doc: "Sets fields, and adds the components that are missing.", Result: bool,
			Params: []Param{entity, {"set", Object, true, `components with fields, as in {"Health": {"current": 3}}`}},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "set": a["set"]} }),
		},
		{
			Name: "entity.add", Doc: "Adds components, at their defaults.", Result: bool,
			Params: []Param{entity, {"add", Strings, true, "their names"}},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "add": a["add"]} }),
		},
		{
			Name: "entity.remove", Doc: "Removes components.", Result: bool,
			Params: []Param{entity, {"remove", Strings, true, "their names"}},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "remove": a["remove"]} }),
		},
		{
			Name: "entity.tag", Doc: "Sets tags.", Result: bool,
			Params: []Param{entity, {"tags", Strings, true, "their names"}},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "tag": a["tags"]} }),
		},
		{
			Name: "entity.untag", Doc: "Removes tags.", Result: bool,
			Params: []Param{entity, {"tags", Strings, true, "their names"}},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "untag": a["tags"]} }),
		},
		{
			Name: "entity.relate", Doc: "Sets the target of a relation, or adds one where there may be many.", Result: bool,
			Params: []Param{entity, {"relation", Text, true, "its name, as in ChildOf"}, {"target", Entity, true, "which one"}},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "relate": a.pair()} }),
		},
		{
			Name: "entity.unrelate", Doc: "Ends a relation, or takes one of its targets away.", Result: "true; false if the entity is dead or has another target",
			Params: []Param{entity, {"relation", Text, true, "its name"}, {"target", Entity, false, "only if that is the target, or one of them"}},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "unrelate": a.pair()} }),
		},
		{
			Name: "entity.despawn", Doc: "Removes an entity.", Result: bool,
			Params: []Param{entity},
			do:     write("", func(a args) line { return line{"entity": a["entity"], "despawn": json.RawMessage("true")} }),
		},
		{
			Name: "resource.set", Doc: "Sets a resource.",
			Params: []Param{{"resource", Text, true, "its name"}, {"to", Any, true, "the value; of one with several fields an object with some of them"}},
			do:     write("null", func(a args) line { return line{"set": a["resource"], "to": a["to"]} }),
		},
		{
			Name: "event.send", Doc: "Sends an event.",
			Params: []Param{{"event", Text, true, "its name"}, {"with", Object, false, "its fields"}},
			do:     write("null", func(a args) line { return line{"send": a["event"], "with": a["with"]} }),
		},
		{
			Name: "system.set", Doc: "Changes how a system runs.",
			Params: []Param{
				{"system", Text, true, "its name"},
				{"enabled", Truth, false, "whether it has turns"},
				{"impl", Text, false, "auto, lua, closures or native"},
				{"every", Whole, false, "the frames in which it runs are divisible by it"},
			},
			do: write("null", func(a args) line {
				return line{"system": a["system"], "enabled": a["enabled"], "impl": a["impl"], "every": a["every"]}
			}),
		},
		{
			Name: evalMethod, Doc: "Runs code in an environment of its own, which is kept between calls: one for reads, and one for writes. It may use 1,000,000 instructions and make 16 MiB. A write that fails is taken back.", Result: "values, printed, as_of of a read",
			Params: []Param{
				{"code", Text, true, "Lua, with the globals world and ecs"},
				{"as", Text, false, "read, which cannot write, or write; read if it is left out"},
			},
			do: (*Plane).eval,
		},
	}
}

// A line is an input. Keys without a value are left out.
type line map[string]json.RawMessage

// or returns a param, or something else where it is left out.
func (a args) or(name, otherwise string) json.RawMessage {
	if a.has(name) {
		return a[name]
	}
	return json.RawMessage(otherwise)
}

// pair returns {relation: target}.
func (a args) pair() json.RawMessage {
	text, _ := json.Marshal(map[string]json.RawMessage{a.text("relation"): a.or("target", "null")}) // strings
	return text
}

// write makes the function of a method that does an input. What it answers is the entity of a spawn, or whether something was done,
// or null.
func write(result string, of func(args) line) func(*Plane, *call) (any, error) {
	return func(p *Plane, c *call) (any, error) {
		done, err := p.edit(of(c.args))
		switch {
		case err != nil:
			return nil, err
		case result == "null":
			return nil, nil
		case c.method.Name == "entity.spawn":
			return done.Entity.String(), nil
		}
		return done.Done, nil
	}
}

// edit does an input.
func (p *Plane) edit(l line) (luabind.Result, error) {
	for key, value := range l {
		if value == nil {
			delete(l, key)
		}
	}
	text, err := json.Marshal(l)
	if err != nil {
		return luabind.Result{}, err
	}
	done, err := p.host.Edit(text)
	if wrong := (*inputs.Error)(nil); errors.As(err, &wrong) {
		message := wrong.Message
		if wrong.Fix != "" {
			message += "; " + wrong.Fix
		}
		err = &Error{CodeParams, message}
	}
	return done, err
}

type evalOf struct {
	Values  []field `json:"values"`
	Printed string  `json:"printed"`
	AsOf    any     `json:"as_of,omitempty"`
}

func (p *Plane) eval(c *call) (any, error) {
	var done luabind.Result
	var err error
	out := evalOf{Values: []field{}}
	switch as := c.args.text("as"); as {
	case "", "read":
		done, err = p.host.Runtime.Look(c.args.text("code"))
		out.AsOf = p.asOf(p.firstFrame())
	case "write":
		done, err = p.edit(line{"eval": c.args["code"]})
	default:
		return nil, wrong(CodeParams, `lua.eval: "as": read or write expected, got %.60q`, as)
	}
	if err != nil {
		return nil, err
	}
	for _, v := range done.Values {
		out.Values = append(out.Values, field{value: v})
	}
	out.Printed = done.Printed
	return out, nil
}
