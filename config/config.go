package config

import "time"

// A Config is everything that a run needs to know before it starts. It is plain data. Make it in Go, starting from
// [Default], or read it with [Load].
type Config struct {
	Version    int // 1
	Run        Run
	Scripts    Scripts
	Components []Component
	Tags       []Tag
	Relations  []Relation // besides ChildOf and IsA, which are always there
	Events     []Event
	Resources  []Resource
	Layers     []Layer
	Data       []Data
	States     []State
	Indexes    []Index
	Prefabs    []Prefab
	Renamed    Renamed
	Systems    []System // the schedule: systems of mods, in load order, then those of the file; with mods, in running order
	Mods       []Mod    // the mods in use, in load order; what they declare and schedule is in the lists above
	Limits     Limits
	Log        Log
	Inspect    Inspector

	file  string         // name given to Load or Parse
	where map[string]Pos // key path -> where its value was written
	items map[Pos]string // where an item of a list was written -> its key path

	listed  []listedMod // what the file says of mods
	modsDir string      // the folder of the mods
	unread  bool        // the mods were not read, because the config came from memory
}

// Run says how many frames a run has and how long they are.
type Run struct {
	Frames   uint64  // frames to run; 0 = until interrupted
	DT       float64 // seconds of world time per frame, above 0
	Realtime bool    // pace frames to the wall clock
	Seed     uint64  // of all random streams
	Settle   bool    // what startup wrote does not count as changed on frame 1
}

// Scripts is the folder in which the script paths of systems start.
type Scripts struct {
	Dir     string // cleaned, joined with the folder of the config file unless absolute
	Written string // as in the file; "." if it says nothing
	Pos     Pos    // zero if the file says nothing
}

// A Component has fields; a Component without any is allowed.
type Component struct {
	Name   string
	Fields []Field
	Pos    Pos
}

// A Field is a named, typed field of a component or an event.
type Field struct {
	Name    string
	Type    string // the name of an ecs.FieldType
	Default any    // nil: none given. Else a float64 for each type of numbers, a bool or a string, as Type says
	Pos     Pos
}

// A Tag is a name that can be set on an entity.
type Tag struct {
	Name string
	Pos  Pos
}

// A Relation is a named link from an entity to one other, or to many.
type Relation struct {
	Name string
	Many bool // targets: many
	Pos  Pos
}

// targets returns what the relation is, for two that are not alike.
func (r Relation) targets() string {
	if r.Many {
		return "targets: many"
	}
	return "targets: one"
}

// An Event is a message that systems send and read.
type Event struct {
	Name   string
	Fields []Field
	Input  bool // it comes from outside, so that no script sends it
	Pos    Pos
}

// A Resource is one value of the whole world.
type Resource struct {
	Name    string
	Type    string // the name of an ecs.FieldType
	Default any    // as in Field
	Pos     Pos
}

// Renamed has names of now by the names that snapshots have: what was saved under the one goes on under the other. Those of
// fields have their component, event or resource in front: "Health.hp" is "Health.current" now.
type Renamed struct {
	Components, Relations, Tags, Events, Resources, Layers, Prefabs, Fields map[string]string
}

// The stages, in running order. Startup runs once, the others in every frame.
const (
	StageStartup = "startup"
	StageFirst   = "first"
	StageUpdate  = "update" // the default
	StageLast    = "last"
)

// The stages of systems that run once at a change of a state, at the beginning of a frame. Their System.In is the value.
const (
	StageEnter = "enter" // the value begins to hold
	StageLeave = "leave" // it ends to
)

// The implementations of a system.
const (
	ImplAuto     = "auto"     // the default: Lua, its loops compiled where they can be
	ImplLua      = "lua"      // the interpreter only
	ImplClosures = "closures" // compiled, without machine code
	ImplNative   = "native"   // the Go function registered under Native
)

// A System is one entry of the schedule.
type System struct {
	Name    string
	Stage   string   // StageStartup, StageFirst, StageUpdate, StageLast, StageEnter or StageLeave
	Script  string   // slash-separated, below Scripts.Dir, or for a system of a mod MOD/PATH; empty if it is Go only
	Native  string   // name of a registered Go function; empty if it is Lua only
	Impl    string   // ImplAuto, ImplLua, ImplClosures or ImplNative; never ImplAuto without a script
	After   []string // systems of the same stage that run before this one
	Every   int      // runs on frames divisible by it, at least 1
	In      []string // values of states, as in game.playing: it runs while one of them holds; empty = always
	When    string   // Lua expression, or "native:NAME"; empty = always
	Enabled bool
	Random  string // the name of its random stream; empty = Name
	Hot     bool   // `ecsrun check` refuses loops of its script that are not compiled
	Mod     string // the mod that it belongs to; empty = the config itself
	Pos     Pos
}

// What happens when a system fails.
const (
	OnErrorStop    = "stop"    // the run ends at once
	OnErrorDisable = "disable" // the system is dropped after Limits.Errors failures
	OnErrorSkip    = "skip"    // its turn of that frame is lost
)

// Limits limit what scripts may do and hold.
type Limits struct {
	OnError      string        // OnErrorStop, OnErrorDisable or OnErrorSkip
	Errors       int           // failures before OnErrorDisable drops a system, at least 1
	Instructions uint64        // per call of a system, at least 1
	SystemTime   time.Duration // wall clock per call of a system, above 0
	Memory       uint64        // bytes that scripts hold beyond the world, at least 1
	World        uint64        // bytes of tables, tags, grids, relations and events, at least 1
	Entities     uint64        // alive at a time, 1 to 4294967295
	Allocations  uint64        // bytes of Lua values made by one call of a system, at least 1
	Events       uint64        // kept at a time, of all kinds, at least 1
	Tags         uint64        // tag entries, at least 1
	Script       uint64        // bytes of a script file, at least 1
}

// Log says which messages are written to stderr, and in which form.
type Log struct {
	Level  string        // debug, info, warn or error
	Format string        // text or json
	Every  time.Duration // between two lines about how the run is going, off a terminal; 0: none
}

// Inspector says where the inspector listens, for runs that open it.
type Inspector struct {
	Addr string // host:port
}

// Default returns the config of a file that has only its version: the scalars have their defaults (600 frames of
// 1/60 s, seed 42, …), and there are no items.
func Default() *Config {
	return &Config{
		Version: 1,
		Run:     Run{Frames: 600, DT: 1.0 / 60, Seed: 42},
		Scripts: Scripts{Dir: ".", Written: "."},
		Limits: Limits{
			OnError:      OnErrorStop,
			Errors:       1,
			Instructions: 50_000_000,
			SystemTime:   30 * time.Second,
			Memory:       512 << 20,
			World:        4 << 30,
			Entities:     10_000_000,
			Allocations:  1 << 30,
			Events:       10_000_000,
			Tags:         100_000_000,
			Script:       8 << 20,
		},
		Log:     Log{Level: "info", Format: "text", Every: time.Minute},
		Inspect: Inspector{Addr: "127.0.0.1:0"},
	}
}

// At returns where the value of a key path was written: "run.seed", "systems[1].script",
// "components[0].fields[2]". For a path that was not written it returns the position of the nearest enclosing
// value, and at last the start of the file.
func (c *Config) At(path string) Pos {
	for {
		if pos, ok := c.where[path]; ok {
			return pos
		}
		if path == "" {
			return Pos{File: c.file}
		}
		path = enclosing(path)
	}
}

// Problem returns a problem with the value at path, with its position, in the form of the problems that Load
// finds. The hint may be empty.
func (c *Config) Problem(path, message, hint string) *Problem {
	return &Problem{Pos: c.At(path), Path: path, Message: message, Hint: hint}
}
