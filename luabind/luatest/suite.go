package luatest

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"slices"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/surface"
	"github.com/ecsrun/ecsrun/luabind/internal/load/script"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// This file loads a test file: it makes a Lua state with the environment of tests, runs the body of the file, and
// so collects its describes and tests. runner.go runs the tests afterwards.

// A File is a test file.
type File struct {
	Name string // in messages, as its user knows it: "scripts/poison_test.lua"
	FS   fs.FS  // holds it and what it requires
	Path string // in FS
}

// suite is one test file, while it is loaded and run. Each file has its own.
type suite struct {
	file  File
	o     *Options
	ctx   context.Context
	state *sandbox.State
	surf  *surface.Surface
	watch watch

	instance *script.Instance // of the file; nil until it is read
	root     *group
	group    *group           // whose body is being run; nil once the file is loaded
	count    int              // of tests
	open     []*group         // the groups that are entered, the file first
	inside   bool             // a test runs, or what surrounds tests: worlds can be made
	running  *test            // the test that runs, with its before_each and after_each; nil otherwise
	atEnd    []*lua.LFunction // what finally has set in the running test
	worlds   []*held          // of the groups that are entered, outermost first, then of the running test
	output   output

	find        *lua.LFunction           // string.find
	spyMeta     *lua.LTable              // metatable of spies; nil before the first
	modules     map[string]lua.LValue    // the modules of busted and luassert that are words here
	spies       map[*lua.LTable]*spy     // by their tables
	callMeta    *lua.LTable              // metatable of the calls in spies
	replaced    []*replacement           // by spies, in tables, the oldest first
	matchers    map[*lua.LTable]*matcher // by their tables
	matcherMeta *lua.LTable
	goldens     map[string]*golden // by name: those that this run has compared

	scratch *ecs.World  // takes what load-time code declares; t.world copies it from here
	streams *ecs.World  // of the random numbers of tests
	random  *ecs.Random // of what runs; nil between tests
}

func newSuite(ctx context.Context, f File, o *Options) *suite {
	s := &suite{
		file: f, o: o, ctx: ctx,
		state: sandbox.New(sandbox.Options{}), root: &group{},
		scratch: ecs.NewWorld(ecs.Options{}), streams: ecs.NewWorld(ecs.Options{Seed: o.seed()}),
	}
	s.watch.dog = o.Watchdog
	s.surf = surface.New(s.state)
	return s
}

// load runs the body of the file, and with it the bodies of its describes.
func (s *suite) load() error {
	file, err := script.NewSet(s.host()).Instance(s.file.Path)
	if err != nil {
		return err
	}
	s.instance = file
	s.addWords(file.Env)
	s.group = s.root
	defer func() { s.group = nil }()
	err = s.guarded(file.Load)
	s.surf.Pending() // queries are resolved by the worlds they are used with
	return err
}

// host returns the suite as package script sees it. Loops of test files are not compiled.
func (s *suite) host() *script.Host {
	return &script.Host{
		State: s.state, Surface: s.surf, Sources: sources{s.file},
		Compile: s.compile, Environment: s.environment,
		Builtins: append(slices.Sorted(maps.Keys(s.o.Modules)), "ecs", "ecs.test"), RequireTakes: "name of a module expected",
	}
}

// compile makes the unit of the test file, or of a file that it requires. The lines of the test file itself are not
// counted.
func (s *suite) compile(path, name, text string) (*script.Unit, error) {
	if s.o.Coverage == nil || path == s.file.Path {
		return script.CompilePlain(path, name, text)
	}
	return script.CompilePlainCounted(s.o.Coverage.Named(sources{s.file}.Shown))(path, name, text)
}

// environment makes the globals of the test file, or of a file that it requires. Besides files it can require its
// own instances of the modules ecs and ecs.test, and those of Options.Modules.
func (s *suite) environment() (*sandbox.Env, func(name string) lua.LValue) {
	h := testHost{s}
	env := s.state.NewEnv(sandbox.EnvOptions{Print: &s.output, Random: surface.Stream(h)})
	module := s.surf.Module(h, env, s.surf.GuardRandom(h, env))
	return env, func(name string) lua.LValue {
		switch {
		case name == "ecs":
			return module
		case name == "ecs.test":
			return s.testModule()
		case s.modules[name] != nil:
			return s.modules[name]
		case s.o.Modules[name] != nil:
			return surface.Functions(s.surf, env, name, s.o.Modules[name])
		}
		return lua.LNil
	}
}

// guarded calls fn, which calls into Lua, under a fresh budget, the watchdog and the context.
func (s *suite) guarded(fn func() error) error {
	b := s.state.Budget()
	b.Reset(int64(min(s.o.instructions(), 1<<62)))
	turn := b.Turn()
	if err := s.ctx.Err(); err != nil {
		return err
	}
	stop := context.AfterFunc(s.ctx, func() { b.InterruptTurn(turn, s.ctx.Err()) })
	defer stop()
	s.watch.begin(func(err error) { b.InterruptTurn(turn, err) })
	defer s.watch.end()
	err := fn()
	if err == nil {
		err = b.Spent()
	}
	return err
}

// testHost represents the program around the worlds of a test to package surface.
type testHost struct{ *suite }

// World returns the world that takes the declarations of load-time code. A test itself has no world of its own.
func (h testHost) World() *ecs.World {
	if h.surf.Loading() {
		return h.scratch
	}
	return nil
}

func (h testHost) Random() *ecs.Random { return h.random }

func (h testHost) Log(pos sandbox.Pos, level slog.Level, message string, attrs []slog.Attr) {
	if pos.Line > 0 {
		attrs = append(attrs, slog.String("script", pos.String()))
	}
	h.output.logger().LogAttrs(h.ctx, level, message, attrs...)
}

// Observe declares an observer for a test. Its error ends the frame, or the test if no frame runs.
func (h testHost) Observe(w *surface.World, spec ecs.ObserverSpec, fn *lua.LFunction, at sandbox.Pos) error {
	spec.Label = at.String()
	spec.Run = func(_ *ecs.World, c ecs.Change) error {
		args := w.ObserverArgs(&spec, c)
		open := w.Aside()
		defer w.Back(open)
		return h.state.Call(fn, args...)
	}
	_, err := w.ECS().Observe(spec)
	return err
}

// declared copies the declarations of load-time code into a world. If the world has a declaration already, the two
// must agree.
func (s *suite) declared(w *ecs.World) error {
	from := s.scratch
	var errs []error
	try := func(err error) {
		if err != nil {
			errs = append(errs, err)
		}
	}
	for id, name := range from.ComponentNames() {
		if info, _ := from.ComponentInfo(ecs.ComponentID(id)); !info.Relation {
			_, err := w.DeclareComponent(name, info.Schema)
			try(err)
		}
	}
	for _, name := range from.RelationNames() {
		_, err := w.DeclareRelation(name)
		try(err)
	}
	for _, name := range from.TagNames() {
		_, err := w.DeclareTag(name)
		try(err)
	}
	for id, name := range from.EventNames() {
		_, err := w.DeclareEvent(name, from.EventSchema(ecs.EventID(id)))
		try(err)
	}
	for id, name := range from.ResourceNames() {
		row := from.Resource(ecs.ResourceID(id))
		_, err := w.DeclareResource(name, row.Schema().Fields()[0].Type, row.Get(0))
		try(err)
	}
	return errors.Join(errs...)
}
