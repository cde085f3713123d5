package worldfile

import (
	"context"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// Reload puts changed scripts and a changed config in use between two frames, as [luabind.Runtime.Reload] does. in
// is the config that rt runs with, next the one that was read again; nil says that only scripts have changed.
//
// Of a config, these take effect: the limits, except limits.memory and limits.system_time, which belong to the
// caller; of systems enabled, every, when, impl, after and their order; new systems, components, tags, relations,
// events, resources, layers, indexes, states and prefabs, other values of a state, if the one that holds is among them, and other prefabs; data files. The rest needs a restart, and so do mods that are new, gone or different. Reload returns the keys of what has changed and needs one, such
// as run.seed and systems.poison.script, in the order of a config, and the config that rt runs with from then on.
// Run and Log in it are those of next, and it is for the caller to use what can be used while running.
//
// If anything is wrong, nothing changes; the config is in then.
func Reload(ctx context.Context, rt *luabind.Runtime, in, next *config.Config) (now *config.Config, done *luabind.Reloaded, restart []string, err error) {
	if next == nil {
		done, err = rt.Reload(ctx, luabind.Change{})
		return in, done, nil, err
	}
	c, restart := merge(in, next, rt.World())
	change := luabind.Change{Systems: []luabind.System{}, Declare: func(w *ecs.World) error {
		if problems := declare(w, c); len(problems) > 0 {
			return problems
		}
		return nil
	}}
	for _, s := range c.Systems {
		change.Systems = append(change.Systems, system(s))
	}
	l := limits(c)
	change.Limits, change.Data = &l, dataOf(c)
	if done, err = rt.Reload(ctx, change); err != nil {
		return in, nil, restart, err
	}
	rt.World().SetLimits(limitsOf(c))
	return c, done, restart, nil
}

// merge returns next with everything that needs a restart as it is in the config in use, and the keys of that.
func merge(in, next *config.Config, w *ecs.World) (*config.Config, []string) {
	out := *next
	var restart []string
	keep := func(same bool, key string) bool {
		if !same {
			restart = append(restart, key)
		}
		return same
	}
	for _, v := range []struct {
		key     string
		in, out any
	}{
		{"run.frames", in.Run.Frames, next.Run.Frames},
		{"run.dt", in.Run.DT, next.Run.DT},
		{"run.seed", in.Run.Seed, next.Run.Seed},
		{"run.settle", in.Run.Settle, next.Run.Settle},
		{"scripts", in.Scripts.Dir, next.Scripts.Dir},
	} {
		keep(v.in == v.out, v.key)
	}
	realtime := next.Run.Realtime
	out.Run, out.Scripts = in.Run, in.Scripts
	out.Run.Realtime = realtime
	mods := map[string]bool{} // those whose systems stay as they are: what has changed of them needs a restart
	declared(&out.Mods, folders(in.Mods), folders(next.Mods), func(v config.Mod) string { return v.Name }, "mods", func(same bool, key string) bool {
		mods[strings.TrimPrefix(key, "mods.")] = !same
		return keep(same, key)
	})
	for _, m := range out.Mods[len(in.Mods):] { // new ones have no folder yet
		mods[m.Name] = true
		keep(false, "mods."+m.Name)
	}
	out.Mods = in.Mods
	declared(&out.Components, in.Components, next.Components, func(v config.Component) string { return v.Name }, "components", keep)
	declared(&out.Tags, in.Tags, next.Tags, func(v config.Tag) string { return v.Name }, "tags", keep)
	declared(&out.Relations, in.Relations, next.Relations, func(v config.Relation) string { return v.Name }, "relations", keep)
	declared(&out.Events, in.Events, next.Events, func(v config.Event) string { return v.Name }, "events", keep)
	declared(&out.Resources, in.Resources, next.Resources, func(v config.Resource) string { return v.Name }, "resources", keep)
	out.States = states(in.States, next.States, w, keep)
	out.Prefabs = prefabs(in.Prefabs, next.Prefabs, keep)
	declared(&out.Indexes, in.Indexes, next.Indexes, func(v config.Index) string { return v.Name }, "indexes", keep)
	shape := func(list []config.Layer) []config.Layer { // a layer in use has other values than its file by now
		list = slices.Clone(list)
		for i := range list {
			list[i].File, list[i].Written, list[i].Cells = "", "", nil
		}
		return list
	}
	out.Layers = slices.Clone(in.Layers)
	var layers []config.Layer
	declared(&layers, shape(in.Layers), shape(next.Layers), func(v config.Layer) string { return v.Name }, "layers", keep)
	for _, old := range in.Layers { // the values of its file are the first ones of a run
		i := slices.IndexFunc(next.Layers, func(v config.Layer) bool { return v.Name == old.Name })
		keep(i < 0 || slices.Equal(old.Cells, next.Layers[i].Cells), "layers."+old.Name+".file")
	}
	for _, v := range layers[len(in.Layers):] {
		i := slices.IndexFunc(next.Layers, func(o config.Layer) bool { return o.Name == v.Name })
		out.Layers = append(out.Layers, next.Layers[i])
	}
	out.Systems = scheduled(in.Systems, without(next.Systems, mods), func(same bool, key string) bool {
		name, _, ok := strings.Cut(strings.TrimPrefix(key, "systems."), ".")
		return same || ok && mods[name] || keep(same, key) // the mod was named
	})
	return &out, restart
}

// states returns the states of next. Those of in stay as they are if they are gone, or have no longer the value that holds or was asked for.
func states(in, next []config.State, w *ecs.World, keep func(bool, string) bool) []config.State {
	var out []config.State
	for _, old := range in {
		i := slices.IndexFunc(next, func(v config.State) bool { return v.Name == old.Name })
		id, ok := w.LookupState(old.Name)
		fits := i >= 0 && ok && slices.Contains(next[i].Values, w.State(id)) && (w.NextState(id) == "" || slices.Contains(next[i].Values, w.NextState(id)))
		if keep(fits, "states."+old.Name) {
			old = next[i]
		}
		out = append(out, old)
	}
	for _, v := range next {
		if !slices.ContainsFunc(in, func(old config.State) bool { return old.Name == v.Name }) {
			out = append(out, v)
		}
	}
	return out
}

// prefabs returns the prefabs of next, and those of in that are gone.
func prefabs(in, next []config.Prefab, keep func(bool, string) bool) []config.Prefab {
	out := slices.Clone(next)
	for _, old := range in {
		if !keep(slices.ContainsFunc(next, func(v config.Prefab) bool { return v.Name == old.Name }), "prefabs."+old.Name) {
			out = append(out, old)
		}
	}
	return out
}

// folders returns what the Runtime knows of mods; the rest may change while it runs.
func folders(mods []config.Mod) []config.Mod {
	out := make([]config.Mod, len(mods))
	for i, m := range mods {
		out[i] = config.Mod{Name: m.Name, Scripts: m.Scripts, Depends: m.Depends, Exports: m.Exports}
	}
	return out
}

// without returns the systems that belong to none of these mods.
func without(list []config.System, mods map[string]bool) []config.System {
	return slices.DeleteFunc(slices.Clone(list), func(s config.System) bool { return mods[s.Mod] })
}

// declared sets out to the declarations of in, and the new ones of next. What is gone or different in next is kept
// as it was.
func declared[T any](out *[]T, in, next []T, name func(T) string, section string, keep func(bool, string) bool) {
	*out = slices.Clone(in)
	at := map[string]T{}
	for _, v := range next {
		at[name(v)] = v
	}
	for _, v := range in {
		now, there := at[name(v)]
		keep(there && config.Alike(v, now), section+"."+name(v))
		delete(at, name(v))
	}
	for _, v := range next {
		if _, isNew := at[name(v)]; isNew {
			*out = append(*out, v)
		}
	}
}

// scheduled returns the systems of next. Those of in that are gone stay, each after the one before it, and so do
// the stage, the script and the native function of the others. New systems of the startup stage are left out.
func scheduled(in, next []config.System, keep func(bool, string) bool) []config.System {
	find := func(list []config.System, name string) int {
		return slices.IndexFunc(list, func(s config.System) bool { return s.Name == name })
	}
	var out []config.System
	for _, s := range next {
		i := find(in, s.Name)
		if i < 0 {
			if keep(s.Stage != config.StageStartup, "systems."+s.Name) {
				out = append(out, s)
			}
			continue
		}
		old := in[i]
		keep(s.Stage == old.Stage, "systems."+s.Name+".stage")
		keep(s.Script == old.Script, "systems."+s.Name+".script")
		keep(s.Native == old.Native, "systems."+s.Name+".native")
		s.Stage, s.Script, s.Native = old.Stage, old.Script, old.Native
		out = append(out, s)
	}
	for i, s := range in {
		if find(next, s.Name) >= 0 {
			continue
		}
		keep(false, "systems."+s.Name)
		at := 0
		if i > 0 {
			at = find(out, in[i-1].Name) + 1
		}
		out = slices.Insert(out, at, s)
	}
	return out
}
