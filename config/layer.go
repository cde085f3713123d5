package config

import "github.com/spf13/viper"

// layers are the scalars of run, limits and log by source. Each value is checked and has its final type.
type layers struct {
	file, env, set map[string]any // "run.seed" -> uint64(7)
	flags          map[string]any
}

// fill lets viper choose for each scalar: a flag over --set over the environment over the file over the default
// that c has.
//
// viper could read the environment by itself, but only that of the process: a test or an embedding program could
// not provide another one, and a bad value would silently become zero. So the checked values are merged here, the
// stronger source later.
func (l layers) fill(c *Config) {
	v := viper.New()
	for key, value := range c.scalarValues() {
		v.SetDefault(key, value)
	}
	for _, layer := range []map[string]any{l.file, l.env} {
		tree := map[string]any{}
		for key, value := range layer {
			setNested(tree, key, value)
		}
		// It only fails for a nil map.
		if err := v.MergeConfigMap(tree); err != nil {
			panic("config: merging checked values: " + err.Error())
		}
	}
	for _, layer := range []map[string]any{l.set, l.flags} {
		for key, value := range layer {
			v.Set(key, value)
		}
	}
	c.Run = Run{
		Frames:   v.GetUint64("run.frames"),
		DT:       v.GetFloat64("run.dt"),
		Realtime: v.GetBool("run.realtime"),
		Seed:     v.GetUint64("run.seed"),
		Settle:   v.GetBool("run.settle"),
	}
	c.Limits = Limits{
		OnError:      v.GetString("limits.on_error"),
		Errors:       v.GetInt("limits.errors"),
		Instructions: v.GetUint64("limits.instructions"),
		SystemTime:   v.GetDuration("limits.system_time"),
		Memory:       v.GetUint64("limits.memory"),
		World:        v.GetUint64("limits.world"),
		Entities:     v.GetUint64("limits.entities"),
		Allocations:  v.GetUint64("limits.allocations"),
		Events:       v.GetUint64("limits.events"),
		Tags:         v.GetUint64("limits.tags"),
		Script:       v.GetUint64("limits.script"),
	}
	c.Inspect = Inspector{Addr: v.GetString("inspect.addr")}
	c.Log = Log{Level: v.GetString("log.level"), Format: v.GetString("log.format"), Every: v.GetDuration("log.every")}
}

// scalarValues returns the values of all scalars by key.
func (c *Config) scalarValues() map[string]any {
	return map[string]any{
		"run.frames":          c.Run.Frames,
		"run.dt":              c.Run.DT,
		"run.realtime":        c.Run.Realtime,
		"run.seed":            c.Run.Seed,
		"run.settle":          c.Run.Settle,
		"limits.on_error":     c.Limits.OnError,
		"limits.errors":       c.Limits.Errors,
		"limits.instructions": c.Limits.Instructions,
		"limits.system_time":  c.Limits.SystemTime,
		"limits.memory":       c.Limits.Memory,
		"limits.world":        c.Limits.World,
		"limits.entities":     c.Limits.Entities,
		"limits.allocations":  c.Limits.Allocations,
		"limits.events":       c.Limits.Events,
		"limits.tags":         c.Limits.Tags,
		"limits.script":       c.Limits.Script,
		"log.level":           c.Log.Level,
		"log.format":          c.Log.Format,
		"inspect.addr":        c.Inspect.Addr,
		"log.every":           c.Log.Every,
	}
}

// setNested stores a value under section and name, the form viper merges.
func setNested(tree map[string]any, key string, value any) {
	for i := range key {
		if key[i] == '.' {
			section, _ := tree[key[:i]].(map[string]any)
			if section == nil {
				section = map[string]any{}
				tree[key[:i]] = section
			}
			section[key[i+1:]] = value
			return
		}
	}
}
