// Package luabind runs systems written in Lua over an [ecs.World], beside systems
// written in Go.
//
// A [Runtime] is one world, its scripts and its schedule. Scripts come from any
// [fs.FS]; print, log, limits and native systems are options:
//
//	rt, err := luabind.New(luabind.Options{World: world, Scripts: os.DirFS("scripts"), Stdout: os.Stdout})
//	err = rt.Add(luabind.System{Name: "movement", Script: "movement.lua"})
//	err = rt.Load()
//	err = rt.Start(ctx)
//	for err == nil { err = rt.Frame(ctx, 1.0/60) }
//
// A file returns a function, called once per frame with the world and dt; or a
// table with init, update, on_reload and state; or a list of such tables with
// names. Each system has its own instance of its file; the files of a mod share their globals. What
// scripts can call is described in docs/lua-api.md.
//
// # Values
//
// Values are copied between Lua and storage; nothing is coerced. A number that
// does not fit its field, or a value of another kind, is an error that names
// component, field and value, and writes nothing.
//
//	field                          Lua value             remark
//	f64                            number                NaN and infinities are values
//	f32                            number                rounded to nearest on the way in; beyond its range infinity
//	i32 u32 i16 u16 i8 u8          number                whole and in range
//	bool                           boolean
//	string                         string                bytes, as they are
//	entity                         number                at least 2^32 and exact; 0 is no entity; nil is stored as 0
//	table                          table                 plain data, copied both ways: numbers, strings, booleans, and tables of them
//	i64 u64                        number                whole, from -2^53 (u64: 0) to 2^53; reading a larger one that Go code stored is an error
//
//	[Function] argument or result  Lua value
//	NilValue                       nil
//	NumberValue, IntValue, UintValue number               integers beyond 2^53 are rounded to the nearest double
//	BoolValue                      boolean
//	StringValue                    string
//	TableValue                     table                 copied
//	EntityValue                    number                arrives as NumberValue: see [ecs.EntityFromNumber]
//
// # Views
//
// world:get and world:each return views. A view reads and writes the storage
// directly, and a write stamps the change. A view is an entity and a component. It
// follows the entity from table to table, and a script may keep it. Using it is an
// error while the entity lacks the component, and once the entity is dead. It never
// reads another entity's row. Events are read-only copies, which a script may keep,
// too. An iterator belongs to its turn: calling it in a later turn is an error.
//
// # Locking
//
// Structure is locked while a for loop over world:each is being run. Leaving the
// loop by break, return, goto or an error unlocks it at once; nothing stays
// locked when the system returns. A coroutine that is suspended in such a loop
// counts as running it until the turn ends.
//
// # Errors
//
// An error in a script is returned as a [*ScriptError]. Its text is one line with
// position, system and frame; the source line and the traceback are separate fields.
// errors.Is finds causes through any number of Lua calls and pcalls: the error of a
// Go function, [ecs.ErrLocked], [ErrLimit], [ErrInit], [ErrBug]. The policy in
// [Limits] says whether the run continues; [Runtime.Failures] counts the errors that
// did not end it. The queued commands of a failing turn are dropped. Under [Stop] its other
// changes stay; under [Skip] and [Disable] they are taken back, so that the world is as it was when
// the turn began. pcall does not catch the end of a turn by Limits.Instructions, Limits.Allocations
// or the watchdog. It catches the limits of the world and those that are built in.
//
// world:spawn and world:spawn_many check everything before they make anything:
// if a value does not fit, or the function given to spawn_many fails, no entity of
// that call exists.
//
// # Reloading
//
// [Runtime.Reload] puts changed files in use between two frames. The world stays, and
// so does what systems have seen and drawn. A system with a changed file gets a new
// instance; its state is handed over. If anything is wrong, nothing changes.
//
// # Embedding
//
// Runtimes share nothing. Any number may run in a process, each on one goroutine
// at a time. On its own the package starts no goroutines, reads no clock and prints
// nothing. No exported name mentions the Lua implementation.
package luabind

// # Files
//
// The files of this package are in layers: a file calls its own functions, those of files
// in lower lines of this list, and the packages in the last line. layers_test.go reads this list.
// What a file belongs to stands in front of its name: load, turn, save, reload, edit, report.
//
//	edit.go                             an edit gets its turn
//	save_copyback.go save_goback.go     a run goes back to a copy
//	edit_system.go                      the schedule is edited
//	save_restore.go                     a run goes on from a snapshot file
//	save_restorescripts.go              what scripts remember is brought back from it
//	reload.go                           scripts and schedule are reloaded
//	reload_trial.go                     a reload is tried beside what runs
//	runtime.go                          a Runtime is made, systems are added
//	reload_rehearse.go reload_replace.go reload_handover.go turn_run.go
//		observers of a reload; scripts are replaced, states handed over; start and frames
//	reload_coroutines.go                coroutines that a reload leaves suspended
//	load.go load_begin.go save_freeze.go
//		systems get their scripts, and the init that they have not had; a run is saved
//	save_values.go save_latenames.go save_places.go
//		what is saved of scripts, and of what they have declared
//	edit_eval.go edit_entity.go         code from outside; entities are edited
//	load_ahead.go report_explain.go report_lint.go report_live.go report_matches.go save_copy.go load_undeclared.go turn.go turn_when.go
//		what is known of loaded scripts; a turn; a condition
//	turn_observer.go                    observers in Lua
//	load_scripts.go turn_policy.go turn_dropped.go
//		what package script needs; what a failing turn means; scripts that are dropped
//	load_data.go load_compiled.go       data files; files that Runtimes share
//	edit_names.go                       names that edits give
//	expression.go look.go               expressions over values that their caller gives; code that only looks at the world
//	turn_callorder.go                   calls of a Runtime at a wrong time are refused
//	report_errors.go                    errors in words
//	report_traceback.go                 the frames of a stack, and how they are printed
//	report_differs.go report_fell.go system.go save_scripts.go
//		machine code that is wrong; loops that run interpreted; a system
//	turn_guard.go host.go options.go edit_kinds.go report_coverage.go memory.go doc.go
//		calls into Lua; what scripts notice; options
//	internal/load/script internal/lua/coverage internal/host/heap internal/host/surface internal/run/loops internal/compile/lower internal/run/machine internal/run/closures internal/run/kernel internal/compile/ir internal/lua/sandbox
