package surface

import (
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// A Host is the program around a world, as far as scripts can notice it.
type Host interface {
	// World is where declarations of load-time code go; nil: there is none, and declaring is an error.
	World() *ecs.World
	// Random is the stream ecs.random and math.random draw from now; nil: drawing is an error.
	Random() *ecs.Random
	// Log takes what ecs.log writes, with the place of the call.
	Log(pos sandbox.Pos, level slog.Level, message string, attrs []slog.Attr)
}

// A Surface is the part of the Lua surface that all worlds and scripts of a
// State share.
type Surface struct {
	state    *sandbox.State
	views    *lua.LTable // metatables
	events   *lua.LTable
	queries  *lua.LTable
	resource *lua.LTable
	lives    *lua.LTable // of tables in storage that a statement writes to
	loading  int         // files being loaded: they must not touch a world
	pending  []Pending   // names to be resolved when all files are loaded
	places   places
	names    map[string]lua.LValue // of entries of plain data, as Lua values
	tracking bool                  // removals are recorded, of components declared later, too
	world    *World                // the one bound last; nil before
	absence  absence               // for messages about nil
}

// New prepares a State.
func New(state *sandbox.State) *Surface {
	s := &Surface{state: state, names: map[string]lua.LValue{}, places: places{byPos: map[sandbox.Pos]uint16{}, bySite: map[sandbox.Site]uint16{}}}
	s.views = s.metatable("view", viewIndex, viewNewIndex, viewString)
	s.views.RawSetString("__eq", state.NewFunction(viewEqual))
	s.events = s.metatable("event", eventIndex, eventNewIndex, eventString)
	s.queries = s.metatable("query", queryIndex, queryNewIndex, queryString)
	s.resource = s.metatable("resource", recordIndex, recordNewIndex, recordString)
	s.lives = s.metatable("table", liveIndex, liveNewIndex, liveString)
	state.SetHost(describer{s})
	state.SetThaw(s.uncharged)
	return s
}

// metatable makes a metatable a script can neither read nor replace.
func (s *Surface) metatable(name string, index, newIndex, toString lua.LGFunction) *lua.LTable {
	mt := s.state.NewTable()
	mt.RawSetString("__index", s.state.NewFunction(index))
	mt.RawSetString("__newindex", s.state.NewFunction(newIndex))
	mt.RawSetString("__tostring", s.state.NewFunction(toString))
	mt.RawSetString("__metatable", lua.LString(name))
	return mt
}

// Load calls fn, which runs the body of a file: meanwhile worlds and random
// streams are out of reach.
func (s *Surface) Load(fn func() error) error {
	s.loading++
	defer func() { s.loading-- }()
	return fn()
}

// Loading reports whether the body of a file is running.
func (s *Surface) Loading() bool { return s.loading > 0 }

// TrackRemovals makes components declared from now on record who loses them.
func (s *Surface) TrackRemovals() { s.tracking = true }

// A Pending is a name a file used that is looked up when all files are loaded.
type Pending struct {
	Pos     sandbox.Pos
	Resolve func(w *ecs.World) error
}

// Pending returns what waits to be resolved, in the order of the files, and
// forgets it. What is made later is resolved at once.
func (s *Surface) Pending() []Pending {
	p := s.pending
	s.pending = nil
	return p
}

// A World is an ecs.World as one State sees it.
type World struct {
	surface *Surface
	ecs     *ecs.World
	host    Host
	value   *lua.LUserData
	methods *lua.LTable

	commands   lua.LValue
	resources  lua.LValue
	components map[string]*component // by name, as they are used
	byID       []*component
	byTag      map[string]ecs.TagID
	byEvent    map[string]*eventType
	byResource map[string]*resource
	plans      map[string]*plan // by the names given to each, count and first
	bundles    map[string]*ecs.Bundle

	loops  uint64      // over world:each, begun so far
	turn   uint64      // counted up by EndTurn: loops do not outlive their turn
	open   []*eachLoop // begun and not known to be over
	peeks  []*peekLoop // likewise
	outer  *visit      // the loop that adds to the budget, and has no such loop around it; nil when none is known to run
	begun  int         // loops of the turn that began outside of outer
	within int         // loops that began in the row of outer

	boxes   []lua.LValue  // entity numbers as Lua values, by slot
	slab    []view        // views to hand out
	lent    *view         // the one that lend hands out; nil before the first
	recent  [8]*component // see used
	key     []byte        // scratch of plan lookups
	ids     []ecs.ComponentID
	scratch []*spawning // what spawn parses into, by depth of nesting
	depth   int
}

// Bind makes a world visible to the State. The functions of the world object
// check that they are called on a world, so it may be handed to any script.
func (s *Surface) Bind(w *ecs.World, host Host) *World {
	b := &World{
		surface: s, ecs: w, host: host,
		components: map[string]*component{}, byTag: map[string]ecs.TagID{}, byEvent: map[string]*eventType{},
		byResource: map[string]*resource{}, plans: map[string]*plan{}, bundles: map[string]*ecs.Bundle{},
	}
	b.value, b.methods = s.object(b, "world", worldMethods, b.property, b.setProperty, worldString)
	b.commands, _ = s.object(&commandQueue{b}, "world.commands", commandMethods, b.noCommand, b.noCommandSet, commandsString)
	s.world = b
	b.resources = s.state.NewUserData(&resourceTable{b}, s.metatable("resources", b.getResource, b.setResource, func(L *lua.LState) int {
		L.Push(lua.LString("world.resources"))
		return 1
	}))
	return b
}

// object makes a userdata with methods. What is no method goes to index: it is
// the second argument there.
func (s *Surface) object(value any, name string, methods []method, index, newIndex, toString lua.LGFunction) (*lua.LUserData, *lua.LTable) {
	table := s.state.NewTable()
	for _, m := range methods {
		var form interp.Native
		forms := shapedCommands
		if name == "world" {
			form, forms = native(m.name), shapedMethods
		}
		table.RawSetString(m.name, s.state.NewShaped(m.bind(name), form, shaped(forms[m.name])))
	}
	fallback := s.state.NewTable()
	fallback.RawSetString("__index", s.state.NewFunction(index))
	table.Metatable = fallback
	mt := s.metatable(name, index, newIndex, toString)
	mt.RawSetString("__index", table) // a method costs a table look-up, not a call
	return s.state.NewUserData(value, mt), table
}

// Resources is world.resources.
func (w *World) Resources() lua.LValue { return w.resources }

// Commands is world.commands.
func (w *World) Commands() lua.LValue { return w.commands }

// Value is the world object.
func (w *World) Value() lua.LValue { return w.value }

// ECS is the world behind it.
func (w *World) ECS() *ecs.World { return w.ecs }

// Method adds a function to this world object, as world:step is in tests.
func (w *World) Method(name string, fn lua.LGFunction) {
	w.methods.RawSetString(name, w.surface.state.NewFunction(fn))
}

// EndTurn closes every loop still open and makes those of the turn unusable.
// Whoever lets a script run on the world calls it afterwards.
func (w *World) EndTurn() {
	for _, l := range w.open {
		l.cursor.End()
	}
	clear(w.open)
	w.open = w.open[:0]
	w.endVisits()
	clear(w.peeks)
	w.peeks = w.peeks[:0]
	w.turn++
	w.depth = 0
}

// WorldOf returns the binding behind a value, nil if it is no world object.
func WorldOf(v lua.LValue) *World {
	if ud, ok := v.(*lua.LUserData); ok {
		w, _ := ud.Value.(*World)
		return w
	}
	return nil
}
