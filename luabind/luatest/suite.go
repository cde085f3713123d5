package luatest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	"github.com/ecsrun/ecsrun/luabind/internal/surface"
	lua "github.com/yuin/gopher-lua"
)

// A File is a test file.
type File struct {
	Name string // in messages, as its user knows it: "scripts/poison_test.lua"
	FS   fs.FS  // holds it and what it requires
	Path string // in FS
}

// suite is a test file that is being loaded and run.
type suite struct {
	file  File
	o     *Options
	ctx   context.Context
	state *sandbox.State
	surf  *surface.Surface
	watch watch

	chunks  map[string]*sandbox.Chunk // by path in file.FS
	modules map[string]*module        // what require has loaded, by path

	root    *group
	group   *group // whose body is being run; nil once the file is loaded
	running *test  // nil between tests
	worlds  []*held
	output  output

	scratch *ecs.World  // takes what load-time code declares; t.world copies it from here
	streams *ecs.World  // of the random numbers of tests
	random  *ecs.Random // of the running test
}

// group is a describe.
type group struct {
	name          string
	parent        *group // nil for the file itself
	before, after []*lua.LFunction
	items         []item // in the order of the file
}

// item is a test or a group.
type item struct {
	test  *test
	group *group
}

// test is an it or a pending.
type test struct {
	group   *group
	name    string
	line    int
	fn      *lua.LFunction // nil when it is pending
	reason  string
	pending bool
}

func newSuite(ctx context.Context, f File, o *Options) *suite {
	s := &suite{
		file: f, o: o, ctx: ctx,
		state:  sandbox.New(sandbox.Options{}),
		chunks: map[string]*sandbox.Chunk{}, modules: map[string]*module{},
		root:    &group{},
		scratch: ecs.NewWorld(ecs.Options{}), streams: ecs.NewWorld(ecs.Options{Seed: o.seed()}),
	}
	s.watch.dog = o.Watchdog
	s.surf = surface.New(s.state)
	return s
}

// load runs the body of the file, and with it those of its describes.
func (s *suite) load() error {
	chunk, err := s.chunk(s.file.Path)
	if err != nil {
		return err
	}
	env := s.newEnv(s.file.Path)
	s.addWords(env)
	s.group = s.root
	defer func() { s.group = nil }()
	err = s.guarded(func() error {
		return s.surf.Load(func() error { return s.state.Call(env.Load(chunk, nil)) })
	})
	s.surf.Pending() // queries are resolved by the worlds they are used with
	return err
}

// newEnv is the environment of the test file or of one it requires.
func (s *suite) newEnv(file string) *sandbox.Env {
	h := testHost{s}
	env := s.state.NewEnv(sandbox.EnvOptions{Print: &s.output, Random: surface.Stream(h)})
	random := s.surf.GuardRandom(h, env)
	env.Set("require", s.state.NewFunction(s.requirer(file, s.surf.Module(h, random))))
	return env
}

// chunk is a compiled file, named in messages as the test file is.
func (s *suite) chunk(file string) (*sandbox.Chunk, error) {
	if c := s.chunks[file]; c != nil {
		return c, nil
	}
	source, err := sandbox.ReadSource(s.file.FS, file)
	if err != nil {
		return nil, fmt.Errorf("%s: cannot be read: %w", s.shown(file), err)
	}
	c, err := sandbox.Compile(s.shown(file), source)
	if err != nil {
		return nil, err
	}
	s.chunks[file] = c
	return c, nil
}

// shown is how messages name a file of the file system the test file is in.
func (s *suite) shown(file string) string {
	if prefix, ok := cutSuffix(s.file.Name, s.file.Path); ok {
		return prefix + file
	}
	if file == s.file.Path {
		return s.file.Name
	}
	return file
}

func cutSuffix(name, suffix string) (string, bool) {
	n := len(name) - len(suffix)
	if n < 0 || name[n:] != suffix {
		return "", false
	}
	return name[:n], true
}

// folder is the folder of the test file in its file system.
func (s *suite) folder() string { return path.Dir(s.file.Path) }

// guarded calls into Lua under a fresh budget, the watchdog and the context.
func (s *suite) guarded(fn func() error) error {
	b := s.state.Budget()
	b.Reset(int64(min(s.o.instructions(), 1<<62)))
	turn := b.Turn()
	if err := s.ctx.Err(); err != nil {
		return err
	}
	stop := context.AfterFunc(s.ctx, func() { b.TripTurn(turn, s.ctx.Err()) })
	defer stop()
	s.watch.begin(func(err error) { b.TripTurn(turn, err) })
	defer s.watch.end()
	err := fn()
	if err == nil {
		err = b.Spent()
	}
	return err
}

// testHost is the program around the worlds of a test, as the test notices it.
type testHost struct{ *suite }

// World takes the declarations of load-time code. A test itself has no one world.
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

// declared copies what load-time code declared into a world. What the world has
// already must be the same.
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
