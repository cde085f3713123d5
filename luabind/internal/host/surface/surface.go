package surface

import (
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/host/api"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/interp"
	"github.com/ecsrun/ecsrun/luabind/internal/lua/sandbox"
	lua "github.com/yuin/gopher-lua"
)

// The Surface and its Worlds: what scripts of one State share, and what they see of one world.

// A Host is the program around a world, as far as scripts notice it. A Runtime is one, and so is a test file.
type Host interface {
	// World returns the world that declarations go to while files are loaded; if it is nil, declaring is an error.
	World() *ecs.World
	// Random returns the stream that ecs.random and math.random draw from now; if it is nil, drawing is an error.
	Random() *ecs.Random
	// Log gets what ecs.log writes, with the place of the call.
	Log(pos sandbox.Pos, level slog.Level, message string, attrs []slog.Attr)
}

// A Surface is what all worlds and scripts of one State share: metatables, and names that wait to be resolved. It
// belongs to the goroutine of the State.
type Surface struct {
	state     *sandbox.State
	views     *lua.LTable // metatables
	events    *lua.LTable
	queries   *lua.LTable
	resource  *lua.LTable
	lives     *lua.LTable // metatable of live tables
	readers   readers
	handed    uint64
	ofReaders *lua.LTable // metatable of readers
	arrays    *lua.LTable // metatable of arrays
	layers    *lua.LTable
	ofLayers  *lua.LTable     // the functions of layers
	loading   int             // number of files that are being loaded; their code must not use a world
	files     []file          // these files, innermost last
	prefabs   []*scriptPrefab // of the files that are being loaded
	pending   []Pending       // names that are resolved when all files are loaded
	terms     []api.Terms     // of the queries that files have made, each once
	termKeys  map[string]bool
	places    places
	names     map[string]lua.LValue // names of entries of plain data, as Lua values
	tracking  bool                  // removals are also recorded for components that are declared later
	world     *World                // the world that was bound last; nil before the first
	absences  absences              // for messages about nil

	readOnly bool // see World.ReadOnly

	rows func(sandbox.Pos) *int // see CountRows; nil if nothing is counted

	// Reloading says that files are loaded again: a prefab that one declares differently is revised.
	Reloading bool
}

// New prepares a State for scripts: it makes the metatables, and sets what describes values in errors.
func New(state *sandbox.State) *Surface {
	s := &Surface{state: state, names: map[string]lua.LValue{}, termKeys: map[string]bool{}, places: places{byPos: map[sandbox.Pos]uint16{}, bySite: map[sandbox.Site]uint16{}}}
	s.views = s.metatable("view", viewIndex, viewNewIndex, viewString)
	s.views.RawSetString("__eq", state.NewFunction(viewEqual))
	s.events = s.metatable("event", eventIndex, eventNewIndex, eventString)
	s.queries = s.metatable("query", queryIndex, queryNewIndex, queryString)
	s.resource = s.metatable("resource", recordIndex, recordNewIndex, recordString)
	s.layers, s.ofLayers = s.layerObject()
	s.lives = s.metatable("table", liveIndex, liveNewIndex, liveString)
	s.ofReaders = s.readerObject()
	s.arrays = s.arrayObject()
	state.SetHost(describer{s})
	return s
}

// metatable makes a metatable that scripts can neither read nor replace.
func (s *Surface) metatable(name string, index, newIndex, toString lua.LGFunction) *lua.LTable {
	mt := s.state.NewTable()
	if index != nil {
		mt.RawSetString("__index", s.state.NewFunction(index))
	}
	mt.RawSetString("__newindex", s.state.NewFunction(newIndex))
	mt.RawSetString("__tostring", s.state.NewFunction(toString))
	mt.RawSetString("__metatable", lua.LString(name))
	return mt
}

// A file is one whose body runs.
type file struct {
	name   string
	random *ecs.Random // its stream; nil before the first use
}

// Load calls fn, which runs the body of the file of that name; "" for other code that has no world. Meanwhile worlds cannot be used.
func (s *Surface) Load(name string, fn func() error) error {
	s.loading++
	s.files = append(s.files, file{name: name})
	defer func() {
		s.loading--
		s.files = s.files[:len(s.files)-1]
	}()
	return fn()
}

// CountRows makes the interpreter count the rows that its loops over entities and events visit. of returns the counter
// of the loop at a place of the source. It is called whenever a loop begins, and nil is a loop that is not counted.
func (s *Surface) CountRows(of func(sandbox.Pos) *int) { s.rows = of }

// Loading reports whether the body of a file is running.
func (s *Surface) Loading() bool { return s.loading > 0 }

// TrackRemovals makes components that scripts declare from now on record their removals.
func (s *Surface) TrackRemovals() { s.tracking = true }

// A Pending is a name that a file has used, and that is resolved when all files are loaded.
type Pending struct {
	Pos     sandbox.Pos
	Resolve func(w *ecs.World) error
}

// Pending returns the names that wait to be resolved, in the order of the files, and forgets them. Names that are
// used while no file is loaded are resolved at once.
func (s *Surface) Pending() []Pending {
	p := s.pending
	s.pending = nil
	return p
}

// A World is an ecs.World as the scripts of one State see it. It keeps what was looked up by name, the open loops,
// and Lua values that are used again.
type World struct {
	surface *Surface
	ecs     *ecs.World
	host    Host
	value   *lua.LUserData
	methods *lua.LTable

	commands      lua.LValue
	resources     lua.LValue
	layers        lua.LValue
	states        lua.LValue
	components    map[string]*component // by name: components that scripts have used
	byID          []*component
	byTag         map[string]ecs.TagID
	byEvent       map[string]*eventType
	byResource    map[string]*resource // those that scripts have used
	usedResources []*resource
	byLayer       map[string]*layer // those that scripts have used
	plans         map[string]*plan  // by the names given to each, count and first
	bundles       map[string]*ecs.Bundle

	turn  uint64      // number of the turn, increased by EndTurn; a loop is only valid in its turn
	open  []*eachLoop // loops that have begun, and are not known to be over
	peeks []*peekLoop // the same for loops over world:peek
	visits

	boxes   []lua.LValue  // entity numbers as Lua values, by slot
	slab    []view        // views that were allocated and not used yet
	lent    *view         // the view that lend returns; nil before the first call
	recent  [8]*component // see used
	key     []byte        // memory for lookups of plans
	ids     []ecs.ComponentID
	scratch []*spawning // memory for spawn, by depth of nesting
	depth   int
	own     inPlace

	observed []lua.LValue // memory for ObserverArgs

	nearLists [][]found // memory for the lists of loops over near entities
}

// Bind makes a world accessible to the State. The functions of the world object check that they are called on a
// world, so any script may get the object.
func (s *Surface) Bind(w *ecs.World, host Host) *World {
	b := &World{
		surface: s, ecs: w, host: host,
		components: map[string]*component{}, byTag: map[string]ecs.TagID{}, byEvent: map[string]*eventType{},
		byResource: map[string]*resource{}, plans: map[string]*plan{}, bundles: map[string]*ecs.Bundle{},
	}
	b.value, b.methods = s.object(b, "world", worldMethods, b.property, b.setProperty, worldString)
	b.commands, _ = s.object(&commandQueue{b}, "world.commands", commandMethods, b.noCommand, b.noCommandSet, commandsString)
	s.world = b
	b.bindLayers()
	b.bindStates()
	b.resources = s.state.NewUserData(&resourceTable{b}, s.metatable("resources", b.getResource, b.setResource, func(L *lua.LState) int {
		L.Push(lua.LString("world.resources"))
		return 1
	}))
	return b
}

// object makes a userdata with methods. Names that are no methods go to index, as its second argument.
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
	mt.RawSetString("__index", table) // so a method costs a lookup in a table, and no call
	return s.state.NewUserData(value, mt), table
}

// Resources returns the object world.resources.
func (w *World) Resources() lua.LValue { return w.resources }

// Layers returns the object world.layers.
func (w *World) Layers() lua.LValue { return w.layers }

// LayerOf returns the name of the layer of this world that a value is, "" if it is none.
func (w *World) LayerOf(v lua.LValue) string {
	if l := layerOf(v); l != nil && l.world == w {
		return l.name()
	}
	return ""
}

// Commands returns the object world.commands.
func (w *World) Commands() lua.LValue { return w.commands }

// Value returns the object world.
func (w *World) Value() lua.LValue { return w.value }

// Surface returns what the world is bound to.
func (w *World) Surface() *Surface { return w.surface }

// ECS returns the world behind the object.
func (w *World) ECS() *ecs.World { return w.ecs }

// Method adds a function to this world object, such as world:step in tests.
func (w *World) Method(name string, fn lua.LGFunction) {
	w.methods.RawSetString(name, w.surface.state.NewFunction(func(L *lua.LState) int {
		w.surface.Hand()
		return fn(L)
	}))
}

// EndTurn closes all open loops, and makes the generators of this turn unusable. It must be called after each call
// of a script on the world.
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
	clear(w.surface.readers[:])
	w.depth = 0
}

// WorldOf returns the World behind a value, nil if the value is not a world object.
func WorldOf(v lua.LValue) *World {
	if ud, ok := v.(*lua.LUserData); ok {
		w, _ := ud.Value.(*World)
		return w
	}
	return nil
}
