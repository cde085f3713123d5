package luabind

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"weak"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/compile/ir"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/run/kernel"
	"github.com/ecsrun/ecsrun/luabind/internal/run/loops"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
	lua "github.com/yuin/gopher-lua"
)

// What package script needs of a Runtime, as a script.Host: where files come from, how an environment is made, and
// what runs the loops of a unit. The choice between machine code, closures and the interpreter is made here
// (compiles, machineCode).

// folders returns the sources of scripts: the script folder, and one folder for each mod.
func (o *Options) folders() script.Folders {
	out := script.Folders{{Files: o.Scripts, Most: o.Limits.Script}}
	for _, m := range o.Mods {
		out = append(out, script.Folder{Name: m.Name, Files: m.Scripts, Depends: m.Depends, Exports: m.Exports, Off: m.Off, Most: o.Limits.Script})
	}
	return out
}

// scriptHost returns the Host through which package script sees the Runtime. It is made once, by New.
func (r *Runtime) scriptHost() *script.Host {
	compile := script.Compile
	if r.options.Coverage != nil {
		compile = script.CompileCounted(r.options.Coverage)
	}
	each := func(path, name, text string) (*script.Unit, error) {
		if _, ok := script.DataName(path); ok {
			return r.compileData(path, name, text)
		}
		return compile(path, name, text)
	}
	if kept := r.options.Compiled; kept != nil && r.options.Coverage == nil {
		first := each
		each = func(path, name, text string) (*script.Unit, error) { return kept.compile(path, name, text, first) }
	}
	return &script.Host{
		State: r.state, Surface: r.surface, Sources: r.sources,
		Compile: each, Runner: r.loopRunner, Environment: r.environment, Required: r.resolveRequired,
		Builtins: append(slices.Sorted(maps.Keys(r.options.Modules)), "ecs"), RequireTakes: "string expected",
		Made:    r.madeInstance,
		Dropped: func(u *script.Unit) { r.library.Forget(u.Loops) },
		Unreadable: func(module string, err *script.ReadError) error {
			return fmt.Errorf("require %q: %s cannot be read: %w", cut(module), err.Shown, err.Err)
		},
	}
}

// madeInstance notes a new instance. It is not kept alive: functions that have loops keep their instance.
func (r *Runtime) madeInstance(i *script.Instance) {
	if len(r.made) >= 32 && len(r.made) >= 2*r.alive {
		r.made = slices.DeleteFunc(r.made, func(p weak.Pointer[script.Instance]) bool { return p.Value() == nil })
		r.alive = len(r.made)
	}
	r.made = append(r.made, weak.Make(i))
}

// environment makes the globals of a mod, or of the console, and the function that finds its built-in modules: its
// own copy of the module ecs, and of each of Options.Modules. The function returns nil of Lua for any other
// name; require then looks for a file.
func (r *Runtime) environment(mod string) (*sandbox.Env, func(name string) lua.LValue) {
	h := host{r}
	var out io.Writer
	if r.options.Stdout != nil {
		out = quiet{r, r.options.Stdout}
	}
	if mod == script.Console {
		out = printed{r, out}
	}
	env := r.state.NewEnv(sandbox.EnvOptions{Print: out, Random: r.surface.Stream(h), Open: mod == script.Console, Scripts: true})
	module := r.surface.Module(h, env, r.surface.GuardRandom(h, env))
	return env, func(name string) lua.LValue {
		switch {
		case name == "ecs":
			return module
		case r.options.Modules[name] != nil:
			return surface.Functions(r.surface, env, name, r.options.Modules[name])
		}
		return lua.LNil
	}
}

// resolveRequired looks up the names that a file has used which was required while the world runs. While files are
// loaded it does nothing, because resolve looks up all names at the end.
func (r *Runtime) resolveRequired() error {
	if r.loading || r.surface.Loading() {
		return nil
	}
	for _, p := range r.surface.Pending() {
		if err := p.Resolve(r.world); err != nil {
			return err
		}
	}
	return nil
}

// loopRunner makes what runs the loops of a unit in this Runtime. There is one Runner for each unit in use.
func (r *Runtime) loopRunner(u *script.Unit) *loops.Runner {
	var partial func(p *ir.Program) bool
	if r.options.Prompt {
		partial = machine.Partial
	}
	return &loops.Runner{
		File: u.Loops, Compile: r.compiles, Observing: r.observing, Machine: r.machineCode,
		Place: func(file string, line int) uint16 {
			if file == "" {
				file = u.Path
			}
			return r.surface.Place(sandbox.Pos{File: file, Line: line})
		},
		Library: r.library,
		Sparing: r.sparing(), Partial: partial,
		Differs: func(line int, d *kernel.Difference) { r.differs(u.Path, line, d) },
		Fell:    func(f loops.Fall) { r.fell(u.Path, f) },
	}
}

// compiles reports whether the loops of the running system run as kernels; if not, the interpreter runs them.
func (r *Runtime) compiles() bool {
	return r.running != nil && r.running.Impl != Lua && r.rehearsal == nil && !r.options.without.Has(without.Loops)
}

// observing reports whether an observer runs. Its loops are interpreted, because what observers use decides where a chain of them ends,
// and what kernels are charged is an estimate.
func (r *Runtime) observing() bool { return r.asides > 0 }

// sparing reports whether loops of small worlds wait for machine code.
func (r *Runtime) sparing() bool { return r.options.Sparing && !r.options.without.Has(without.Pace) }

// usesMachineCode reports whether loops of the running system become machine code.
func (r *Runtime) usesMachineCode() bool {
	return r.running.Impl == Auto && !r.options.without.Has(without.Machine)
}

// machineCode makes machine code for the Program of a loop of the running system. It returns nil when the system
// does not use machine code, or when the Program cannot be compiled; then the loop runs as closures. Code that
// fails its self-check is a bug of the compiler, and is logged.
func (r *Runtime) machineCode(p *ir.Program, q *ecs.Query) kernel.Kernel {
	if !r.usesMachineCode() {
		return nil
	}
	k, err := machine.Compile(p, q, r.world, r.state.Budget(), r.options.Pool, r.options.without)
	if refusal := machine.Refused(""); err != nil && !errors.As(err, &refusal) { // explain cannot tell that without compiling
		if r.codeless == nil {
			r.codeless = map[*ir.Program]string{}
		}
		r.codeless[p] = err.Error()
	}
	switch {
	case err == nil:
		return k
	case (errors.Is(err, machine.ErrDiffers) || errors.Is(err, machine.ErrInvalid)) && r.options.Log != nil:
		r.options.Log.Warn("a loop runs as closures", "system", r.running.Name, "reason", err)
	}
	return nil
}
