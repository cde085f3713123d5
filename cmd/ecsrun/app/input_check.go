package app

import (
	"fmt"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/luabind"
	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// An inputCheck finds out, before frame 1, what package inputs cannot know of the lines of a file.
type inputCheck struct {
	lacksNative func(system string) bool
	names       map[string]bool // that lines before have given to entities
	open        bool            // others may have given names: a snapshot, or calls of the control plane
}

func (r *run) inputsKnown() *inputCheck {
	return &inputCheck{
		lacksNative: func(system string) bool {
			i := r.config.FindSystem(system)
			return i >= 0 && r.config.Systems[i].Native == ""
		},
		names: map[string]bool{},
		open:  r.resumed != nil || r.flags.rpc || r.flags.inspect.addr != "",
	}
}

// check returns what is wrong with an input.
func (c *inputCheck) check(in *inputs.Input, file string) error {
	e := &in.Edit
	wrong := func(format string, args ...any) error {
		return &inputs.Error{File: file, Line: in.Line, Message: fmt.Sprintf(format, args...)}
	}
	if e.Impl != nil && *e.Impl == luabind.Native && c.lacksNative(e.Name) {
		return wrong("system %q has no native function; give it one under native in the config, or use another impl", e.Name)
	}
	if !c.open {
		used := []string{e.Entity.Name}
		for _, l := range e.Links {
			used = append(used, l.Target.Name)
		}
		fields := slices.Clone(e.Fields)
		for _, p := range e.Parts {
			fields = append(fields, p.Fields...)
		}
		for _, f := range fields {
			used = append(used, f.Name)
			for _, one := range f.Items {
				used = append(used, one.Name)
			}
		}
		for _, name := range used {
			if name != "" && name != e.As && !c.names[name] {
				text := fmt.Sprintf("no line before gives the name %q to an entity", "@"+name)
				if near, ok := suggest.Closest(name, slices.Sorted(maps.Keys(c.names))); ok {
					text += fmt.Sprintf("; did you mean %q?", "@"+near)
				}
				return wrong("%s", text)
			}
		}
	}
	if e.As != "" {
		c.names[e.As] = true
	}
	return nil
}
