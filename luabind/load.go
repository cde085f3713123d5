package luabind

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config/suggest"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/machine"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// Load compiles and runs the files of all systems, in the order of Add; then
// resolves the names that queries use, makes the native systems and compiles the
// conditions. It does not stop at the first problem: the error joins all of
// them, each a *[ScriptError] and an [ErrLoad].
func (r *Runtime) Load() error { return r.LoadContext(context.Background()) }

// LoadContext is Load that ends when ctx is cancelled, in the middle of a file that runs, too: the error is one of ctx then. No file takes long to compile.
func (r *Runtime) LoadContext(ctx context.Context) error {
	if r.loaded {
		return errors.New("luabind: Load twice")
	}
	r.loaded, r.loading = true, true
	r.heed(ctx)
	defer func() { r.loading, r.ctx = false, context.Background() }()
	var errs []error
	for _, sys := range r.systems {
		if err := ctx.Err(); err != nil {
			return errors.Join(append(errs, err)...)
		}
		if sys.Script != "" {
			errs = append(errs, r.loadSystem(sys))
		}
	}
	errs = append(errs, r.resolve()...)
	for _, sys := range r.systems {
		errs = append(errs, r.makeNative(sys), r.compileWhen(sys))
	}
	if err := r.schedule.Sort(); err != nil {
		errs = append(errs, r.loadError("", "", "%w", err))
	}
	r.trackRemovals()
	return errors.Join(errs...)
}

// loadSystem runs the file of a system in an environment of its own and takes
// out what belongs to the system.
func (r *Runtime) loadSystem(sys *system) error {
	chunk, err := r.chunk(sys.Script)
	if err != nil {
		se := r.scriptError(sys.Name, err)
		se.System = sys.Name
		return se
	}
	r.file = sys
	defer func() { r.file = nil }()
	env := r.newEnv()
	sys.env = env
	var results []lua.LValue
	err = r.guarded(func() error {
		return r.surface.Load(func() (err error) {
			results, err = r.state.CallResults(env.Load(chunk, r.loops[sys.Script].Fill(r.state, env)), 1)
			return err
		})
	})
	if err != nil {
		return r.scriptError(sys.Name, err)
	}
	if err := r.adopt(sys, results[0]); err != nil {
		return r.loadError(sys.Script, sys.Name, "%w", err)
	}
	return nil
}

// adopt takes the functions of a system out of what its file returned.
func (r *Runtime) adopt(sys *system, v lua.LValue) error {
	switch v := v.(type) {
	case *lua.LFunction:
		sys.update = v
		r.state.NameFunction(v, "update")
		return nil
	case *lua.LTable:
		t, err := entryOf(v, sys.Name)
		if err != nil {
			return err
		}
		sys.table = t
		for _, f := range []struct {
			name string
			to   **lua.LFunction
		}{{"init", &sys.init}, {"update", &sys.update}, {"on_reload", &sys.onReload}} {
			switch fn := t.RawGetString(f.name).(type) {
			case *lua.LFunction:
				*f.to = fn
				r.state.NameFunction(fn, f.name)
			case *lua.LNilType:
			default:
				return fmt.Errorf("%s is a %s; it must be a function", f.name, fn.Type())
			}
		}
		if sys.init == nil && sys.update == nil {
			return fmt.Errorf("the table the file returns has neither update nor init%s", nearKey(t))
		}
		if st := t.RawGetString("state"); st != lua.LNil && st.Type() != lua.LTTable {
			return fmt.Errorf("state is a %s; it must be a table", st.Type())
		}
		return nil
	case *lua.LNilType:
		return errors.New("the file returns nothing; a system's file returns a function or a table with update")
	}
	return fmt.Errorf("the file returns a %s; a system's file returns a function or a table with update", v.Type())
}

// nearKey suggests what a key of a system's table was meant to be.
func nearKey(t *lua.LTable) string {
	for k, _ := t.Next(lua.LNil); k != lua.LNil; k, _ = t.Next(k) {
		if name, ok := k.(lua.LString); ok {
			if near, ok := suggest.Closest(string(name), []string{"init", "update", "on_reload"}); ok {
				return fmt.Sprintf(": %q; did you mean %q?", string(name), near)
			}
		}
	}
	return ""
}

// entryOf is the table of the system of that name: the table itself, or the one
// of a list that has the name.
func entryOf(t *lua.LTable, name string) (*lua.LTable, error) {
	if t.RawGetInt(1) == lua.LNil {
		return t, nil
	}
	var known []string
	for i := 1; ; i++ {
		item := t.RawGetInt(i)
		if item == lua.LNil {
			break
		}
		entry, ok := item.(*lua.LTable)
		if !ok {
			return nil, fmt.Errorf("item %d of the list the file returns is a %s; it must be a table with a name", i, item.Type())
		}
		n, ok := entry.RawGetString("name").(lua.LString)
		if !ok {
			return nil, fmt.Errorf("item %d of the list the file returns has no name", i)
		}
		if string(n) == name {
			return entry, nil
		}
		known = append(known, string(n))
	}
	text := fmt.Sprintf("the file returns no system of the name %q", name)
	if near, ok := suggest.Closest(name, known); ok {
		text += fmt.Sprintf("; did you mean %q?", near)
	} else {
		text += "; it has " + quoted(known)
	}
	return nil, errors.New(text)
}

func quoted(names []string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(out, ", ")
}

// newEnv is an environment for one instance of a file.
func (r *Runtime) newEnv() *sandbox.Env {
	h := host{r}
	env := r.state.NewEnv(sandbox.EnvOptions{Print: r.options.Stdout, Random: surface.Stream(h)})
	random := r.surface.GuardRandom(h, env)
	env.Set("require", r.state.NewFunction(r.requirer(r.surface.Module(h, random))))
	return env
}

// chunk is a compiled file. Systems that share a file share its code.
func (r *Runtime) chunk(file string) (*sandbox.Chunk, error) {
	if c := r.chunks[file]; c != nil {
		return c, nil
	}
	source, err := r.source(file)
	if err != nil {
		return nil, r.loadError(file, "", "%w", err)
	}
	var found []mention
	var asked removals
	program := &loops.Program{Compile: r.compiles, Machine: r.machineCode, Place: func(line int) uint16 {
		return r.surface.Place(sandbox.Pos{File: file, Line: line})
	}, Differs: func(line int, d *kernel.Difference) { r.differs(file, line, d) }}
	c, err := sandbox.Compile(file, source, mentionsIn(&found, &asked), loops.Pass(program))
	if err != nil { // a function may have too many locals with the calls of kernels
		found, asked, program = nil, removals{}, nil
		c, err = sandbox.Compile(file, source, mentionsIn(&found, &asked))
	}
	if err != nil {
		return nil, err
	}
	r.chunks[file], r.mentions[file], r.removals[file], r.loops[file] = c, found, asked, program
	return c, nil
}

// compiles reports whether the loops of the running system run as kernels.
func (r *Runtime) compiles() bool { return r.running != nil && r.running.Impl != Lua }

// machineCode makes machine code for a loop of the running system, nil when its
// implementation is another or there is none.
func (r *Runtime) machineCode(p *kernel.Program, q *ecs.Query) kernel.Code {
	if r.running.Impl != Auto {
		return nil
	}
	k, err := machine.Compile(p, q, r.world, r.state.Budget(), r.options.Pool)
	switch {
	case err == nil:
		return k
	case errors.Is(err, machine.ErrDiffers) && r.options.Log != nil:
		r.options.Log.Warn("a loop runs as closures", "system", r.running.Name, "reason", err)
	}
	return nil
}

// source reads a file of the script folder.
func (r *Runtime) source(file string) (string, error) {
	if !fs.ValidPath(file) {
		return "", errors.New("not a path inside the script folder: no \"..\", no leading \"/\"")
	}
	if r.options.Scripts == nil {
		return "", errors.New("there is no script folder")
	}
	source, err := sandbox.ReadSource(r.options.Scripts, file)
	if errors.Is(err, fs.ErrNotExist) {
		if near, ok := suggest.Closest(file, r.files()); ok {
			return "", fmt.Errorf("there is no such file in the script folder; did you mean %q? (%w)", near, fs.ErrNotExist)
		}
		return "", fmt.Errorf("there is no such file in the script folder (%w)", fs.ErrNotExist)
	}
	return source, err
}

// files lists the Lua files of the script folder, for suggestions.
func (r *Runtime) files() []string {
	const most = 10_000 // a folder that large is not a script folder
	var out []string
	// An unreadable folder has no suggestions.
	_ = fs.WalkDir(r.options.Scripts, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && d != nil && d.IsDir():
			return fs.SkipDir
		case err != nil:
			return nil
		case path.Ext(p) == ".lua":
			out = append(out, p)
		}
		if len(out) >= most {
			return fs.SkipAll
		}
		return nil
	})
	return out
}

// resolve looks up the names that load-time code used.
func (r *Runtime) resolve() (errs []error) {
	for _, p := range r.surface.Pending() {
		if err := p.Resolve(r.world); err != nil {
			se := r.loadError(p.Pos.File, "", "%w", err)
			se.Line = p.Pos.Line
			if c := r.chunks[p.Pos.File]; c != nil {
				se.Excerpt = c.Excerpt(p.Pos.Line)
			}
			errs = append(errs, se)
		}
	}
	return errs
}

// makeNative prepares the Go function of a system.
func (r *Runtime) makeNative(sys *system) error {
	if sys.Native == "" {
		return nil
	}
	make := r.options.Natives[sys.Native]
	if make == nil {
		known := keys(r.options.Natives)
		text := fmt.Sprintf("no native system %q is registered", sys.Native)
		if near, ok := suggest.Closest(sys.Native, known); ok {
			text += fmt.Sprintf("; did you mean %q?", near)
		}
		return r.loadError("", sys.Name, "%w", errors.New(text))
	}
	if !sys.native() {
		return nil
	}
	run, err := make(r.world)
	if err != nil {
		return r.loadError("", sys.Name, "%s: %w", sys.nativeName(), err)
	}
	if run == nil {
		return r.loadError("", sys.Name, "%s: there is no function", sys.nativeName())
	}
	sys.run = run
	return nil
}

// nativeName says which native function is meant, in messages that have said which
// system.
func (s *system) nativeName() string {
	if s.Native == s.Name {
		return "native"
	}
	return fmt.Sprintf("native %q", s.Native)
}

func keys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// Undeclared lists what a check of the sources finds without running them: uses
// of globals that do not exist, and constant names of components, fields, tags,
// events and resources that nothing declares, where they are given to world. Each
// would fail when its line runs. The order is that of the systems, the globals of
// a file first; files that were required come last.
func (r *Runtime) Undeclared() []error {
	var errs []error
	seen := map[string]bool{}
	for _, sys := range r.systems {
		c := r.chunks[sys.Script]
		if c == nil || sys.env == nil || seen[sys.Script] {
			continue
		}
		seen[sys.Script] = true
		for _, e := range sys.env.Undeclared(c) {
			se := r.loadError(e.Pos.File, "", "%s", e.Message)
			se.Line, se.Excerpt = e.Pos.Line, e.Excerpt()
			errs = append(errs, se)
		}
		errs = append(errs, r.misnamed(sys.Script, true)...)
	}
	for _, file := range keys(r.chunks) {
		if !seen[file] {
			errs = append(errs, r.misnamed(file, false)...)
		}
	}
	return errs
}
