package luabind

import (
	"fmt"
	"io"
	"io/fs"
	"log/slog"

	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/internal/without"
)

// The options of a Runtime and of its systems: plain data that a caller fills, and the names of policies and
// implementations in config files. Package worldfile fills them from a config file.

// Options are what a [Runtime] runs with. Only World is required. Functions in them are called on the goroutine of
// the Runtime, unless they say otherwise.
type Options struct {
	World   *ecs.World   // belongs to the Runtime from then on
	Scripts fs.FS        // the script folder; paths in messages are relative to it; nil: there are no files
	Stdout  io.Writer    // where print writes, one Write per line; nil discards
	Log     *slog.Logger // where ecs.log writes; nil discards
	Mods    []Mod        // more folders of scripts, each with a name
	Data    []DataFile   // the files that ecs.data reads
	Limits  Limits

	Natives    map[string]ecs.NativeFunc                 // by the name that System.Native gives
	Predicates map[string]func(*ecs.World) (bool, error) // by the name after "native:" in System.When
	Modules    map[string]map[string]Function            // require("NAME").FUNCTION(…)

	Report   func(*ScriptError)                      // gets every error that does not end the run, when it happens; nil: it is logged
	Near     func(system string, used, limit uint64) // is told once of each system that has a turn which uses more than 90 % of Limits.Instructions, with what rows add; nil: nobody is
	Watchdog Watchdog                                // wall clock and memory; nil: neither is limited
	Pool     ecs.Pool                                // the cores on which large loops run; nil: one core. The results are the same
	Sparing  bool                                    // in small worlds, a loop is closures until it has done enough for machine code; the results are the same
	Prompt   bool                                    // with Sparing, a loop is machine code at once if that would leave rows to closures: for reports of what loops become
	Settle   bool                                    // writes before frame 1 do not count as changes in frame 1
	Adopting ecs.Adopting                            // names that Restore finds under other names, and what it may drop
	Inputs   []string                                // events that come from outside, so that Lint does not miss who sends them
	Coverage *Coverage                               // counts the lines of scripts that run; the interpreter runs all loops then; nil: nothing is counted

	Compiled *Compiled // keeps compiled files for several Runtimes; nil: each Runtime compiles its own

	ParseData func(file, text string) (ecs.Value, error) // makes plain data of the text of a data file, by the ending of its name; nil: there are none. An error with a place is a [*DataError]

	without without.Set // mechanisms that only make it quicker, of which tests turn some off
}

// A Mod is a named folder of scripts. Its file tick.lua is poison/tick.lua in [System].Script and in messages, if
// the name is poison. Its files require each other by their names in the folder. Files of the script folder may
// require what any mod exports, as require("poison.lib.toxins"); files of a mod may require what its dependencies
// export.
type Mod struct {
	Name    string   // letters, digits, _ and -; it must differ from the other mods and from the folders in Options.Scripts
	Scripts fs.FS    // the files
	Depends []string // names of other mods
	Exports []string // modules that others may require, by their names in this folder: "lib.toxins"
	Off     bool     // the mod is switched off: the rest does not count, and an error about its modules says so
}

// A Function is a Go function that scripts may call. Arguments and results are
// plain values; a script's entity arrives as a number (see
// [ecs.EntityFromNumber]), and [ecs.EntityOf] goes back as one. An error is
// raised in the script, and errors.Is finds it in the error that [Runtime.Frame] returns.
type Function func(args []ecs.Value) ([]ecs.Value, error)

// A Watchdog limits wall-clock time and memory. Begin is called before
// every call into Lua, End after it, both on the goroutine of the Runtime. interrupt
// ends that call with the error; it may be called from any goroutine, and has no
// effect once the call is over.
type Watchdog interface {
	Begin(interrupt func(error))
	End()
}

// Limits bound what scripts may do. The zero value stops the run at the first error and sets no limit on
// instructions.
type Limits struct {
	OnError      Policy
	Errors       int    // failing turns before Disable disables a system; 0 means 1
	Instructions uint64 // of one call into a system; 0: no limit
	Allocations  uint64 // bytes of Lua strings, tables, functions and coroutines that one call into a system makes, freed or not; 0: no limit
	Script       uint64 // bytes of a script file or a data file; 0, or more than 15 MiB: 15 MiB
}

// A Policy says what a failing turn of a system means for the run.
type Policy uint8

// The policies.
const (
	Stop    Policy = iota // the run ends
	Disable               // the system is disabled after Limits.Errors failing turns
	Skip                  // the run goes on; the system has its next turn as usual
)

var policyNames = [...]string{Stop: "stop", Disable: "disable", Skip: "skip"}

// String returns the name used in config files.
func (p Policy) String() string { return name(policyNames[:], int(p), "Policy") }

// An Impl says which implementation of a system runs.
type Impl uint8

// The implementations.
const (
	Auto     Impl = iota // Lua, with loops compiled where possible; the Go function if the system has no script
	Lua                  // Lua, interpreted
	Closures             // Lua, with loops compiled to Go closures where possible
	Native               // the Go function
)

var implNames = [...]string{Auto: "auto", Lua: "lua", Closures: "closures", Native: "native"}

// String returns the name used in config files.
func (i Impl) String() string { return name(implNames[:], int(i), "Impl") }

// name returns the name with an index, or a text with kind and number if the index is out of range.
func name(names []string, i int, kind string) string {
	if i < len(names) {
		return names[i]
	}
	return fmt.Sprintf("%s(%d)", kind, i)
}

// A System is an entry of the schedule: what runs, as which implementation, and when. It needs a Script, a Native
// function, or both. A file that returns a list of systems names a system of the mod poison, "poison.tick", by the
// part after the dot.
type System struct {
	Name     string
	Script   string // path in Options.Scripts; "": it has no script
	Native   string // name in Options.Natives; "": it has no Go function
	Impl     Impl
	Stage    ecs.Stage
	After    []string // systems of the same stage that run before this one
	Every    int      // frames between turns, with dt times it; 0 means 1
	In       []string // values of states, as in "game.playing": it runs while one of them holds. Of the stages Enter and Leave: one
	When     string   // a Lua expression over resources, states, frame and time, or "native:NAME"; "": it always runs
	Disabled bool     // loaded, but takes no turns; its init is not called
	Random   string   // the name of its random stream; "" means Name. Systems that give the same name share the stream
}

// native reports whether the system runs its Go function.
func (s System) native() bool {
	return s.Impl == Native || s.Impl == Auto && s.Script == "" && s.Native != ""
}
