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
// so collects its describes and tests. groups.go runs the tests afterwards, and the bodies of describes when their turn comes.

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

	scripts  *script.Set
	instance *script.Instance // of the file; nil until it is read
	scope    scope
	packages packages
	root     *group
	group    *group // whose body is being run; nil otherwise
	report   *Report
	last     *Result          // of the test that has run last, to which what comes after it belongs; nil: it is in the report
	lastTest *test            // likewise
	stopped  bool             // after a failure, because of FailFast
	inside   bool             // a test runs, or what surrounds tests: worlds can be made
	running  *test            // the test that runs, with its before_each and after_each; nil otherwise
	atEnd    []*lua.LFunction // what finally has set in the running test
	worlds   []*held          // of the groups that are entered, outermost first, then of the running test
	output   output

	words   map[string]lua.LValue // describe, it, assert and so on
	modules map[string]lua.LValue // of busted and luassert, that were required
	find    *lua.LFunction        // string.find

	followed     []member // the values of chains that begin with assert, as far as they are known
	own          owned
	formatters   []lua.LValue // of the test, the last one first asked
	parameters   map[string]lua.LValue
	argumentMeta *lua.LTable // metatable of lists of arguments; nil before the first
	levelMeta    *lua.LTable
	refused      lua.LValue // the message that assert(false, message) has raised last

	spyMeta     *lua.LTable                  // metatable of spies; nil before the first
	spies       map[*lua.LTable]*spy         // by their tables
	refs        map[*lua.LTable][]lua.LValue // the arguments and results of calls, not copied, by their tables
	callMeta    *lua.LTable                  // metatable of the calls in spies
	replaced    []*replacement               // by spies, in tables, the oldest first
	matchers    map[*lua.LTable]*matcher     // by their tables
	matcherMeta *lua.LTable
	goldens     map[string]*golden // by name: those that this run has compared

	scratch *ecs.World  // takes what load-time code declares; t.world copies it from here
	streams *ecs.World  // of the random numbers of tests
	random  *ecs.Random // of what runs; nil between tests
}

func newSuite(ctx context.Context, f File, o *Options) *suite {
	s := &suite{
		file: f, o: o, ctx: ctx,
		state: sandbox.New(sandbox.Options{}), root: &group{}, own: owned{}, parameters: map[string]lua.LValue{}, modules: map[string]lua.LValue{},
		scratch: ecs.NewWorld(ecs.Options{Seed: o.seed()}), streams: ecs.NewWorld(ecs.Options{Seed: o.seed()}),
	}
	s.watch.dog = o.Watchdog
	s.root.layer = layer{}
	s.root.assigns = s.root.layer
	s.surf = surface.New(s.state)
	return s
}

// load runs the body of the file.
func (s *suite) load() error {
	s.scripts = script.NewSet(s.host())
	file, err := s.scripts.Instance(s.file.Path)
	if err != nil {
		return err
	}
	s.instance = file
	require, _ := s.scope.table.RawGetString("require").(*lua.LFunction)
	for _, name := range []string{"package", "require"} { // those of the test file are in _G
		s.scope.table.RawSetString(name, lua.LNil)
	}
	s.addPackage(require)
	s.scope.enter(s.root.layer)
	return s.define(s.root, file.Load)
}

// define runs the body of a group, which defines what is in it.
func (s *suite) define(g *group, body func() error) error {
	s.group = g
	err := s.guarded(body)
	s.group = nil
	s.scope.settle(g.assigns)
	s.surf.Pending() // queries are resolved by the worlds they are used with
	return err
}

// callFor calls a function of a group, which assigns globals of the group.
func (s *suite) callFor(g *group, fn *lua.LFunction) error {
	defer s.scope.settle(g.assigns)
	return s.state.Call(fn)
}

// host returns the suite as package script sees it. Loops of test files are not compiled.
func (s *suite) host() *script.Host {
	return &script.Host{
		State: s.state, Surface: s.surf, Sources: sources{s.file},
		Compile: s.compile, Environment: s.environment,
		Builtins: slices.Concat(slices.Sorted(maps.Keys(s.o.Modules)), []string{"ecs", "ecs.test"}, moduleNames), RequireTakes: "name of a module expected",
	}
}

// compile makes the unit of the test file, or of a file that it requires. The lines of the test file itself are not
// counted.
func (s *suite) compile(path, name, text string) (*script.Unit, error) {
	if _, ok := script.DataName(path); ok {
		return s.compileData(path, name, text)
	}
	if s.o.Coverage == nil || path == s.file.Path {
		return script.CompilePlain(path, name, text)
	}
	return script.CompilePlainCounted(s.o.Coverage.Named(sources{s.file}.Shown))(path, name, text)
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
		var how []ecs.RelationOption
		id, _ := from.LookupRelation(name)
		if info, _ := from.ComponentInfo(id); info.Many {
			how = append(how, ecs.ManyTargets)
		}
		_, err := w.DeclareRelation(name, how...)
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
	for _, name := range from.LayerNames() {
		_, err := w.DeclareLayer(from.LookupLayer(name).Spec())
		try(err)
	}
	for _, name := range from.IndexNames() {
		_, err := w.DeclareIndex(from.LookupIndex(name).Spec())
		try(err)
	}
	return errors.Join(errs...)
}
