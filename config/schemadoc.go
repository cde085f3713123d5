package config

// descriptions say what each key means, for schema.go: in an editor they appear beside the key. docs/config.md says more.
var descriptions = map[string]string{
	"version":    "The version of this format: 1.",
	"run":        "How long the run is, and how it begins.",
	"scripts":    "The folder of the scripts, relative to the folder of this file.",
	"components": "The components of the world, with their fields.",
	"tags":       "The names of tags: marks on entities without data.",
	"relations":  "The names of relations, besides ChildOf and IsA, which are built in.",
	"events":     "The events that systems send and read, with their fields.",
	"resources":  "The resources: single values of the whole world.",
	"systems":    "The systems, in the order in which they run within each stage.",
	"limits":     "What scripts may use, and what happens when a system fails.",
	"log":        "Which messages go to stderr, and in which form.",

	"run.frames":   "The number of frames; 0: until interrupted.",
	"run.dt":       "Seconds of world time per frame.",
	"run.realtime": "True: frames run at the pace of the wall clock.",
	"run.seed":     "The seed of all random streams.",
	"run.settle":   "True: what startup wrote does not count as changed on frame 1.",

	"limits.on_error":     "What happens when a system fails: stop ends the run, disable drops the system after so many errors, skip goes on.",
	"limits.errors":       "The number of failures after which on_error: disable drops a system.",
	"limits.instructions": "Lua instructions per call of a system.",
	"limits.system_time":  "Wall-clock time per call of a system, as in 30s; a safeguard behind instructions.",
	"limits.memory":       "What scripts hold beyond the world, as in 512MiB.",
	"limits.world":        "What tables, tags, grids, relations and events hold, as in 4GiB.",
	"limits.entities":     "The number of entities that are alive or queued to be spawned.",

	"log.level":  "The lowest level that is logged.",
	"log.format": "text, or json for one JSON object per line.",

	"components.name":   "The name that scripts use.",
	"components.fields": "The fields. A component without any carries no data.",
	"events.name":       "The name that scripts use.",
	"events.fields":     "The fields of the event.",
	"resources.name":    "The name that scripts use: world.resources.NAME.",
	"resources.type":    "The type of the value.",
	"resources.default": "The first value. It must fit the type.",
	"fields.name":       "The name of the field.",
	"fields.type":       "The type of the field.",
	"fields.default":    "The value of a fresh field. It must fit the type.",

	"systems.name":    "The name that after, --set and messages use.",
	"systems.stage":   "startup runs once; first, update and last run in every frame.",
	"systems.script":  "A file in the script folder.",
	"systems.native":  "The name of a registered Go function.",
	"systems.impl":    "Which implementation runs: auto, lua (interpreter only), closures (compiled, without machine code) or native.",
	"systems.after":   "Systems of the same stage that run before this one.",
	"systems.every":   "The system runs on frames divisible by this number, with a dt that many times as long.",
	"systems.when":    "A Lua expression over resources, frame and time, or native:NAME; the system runs when it holds.",
	"systems.enabled": "False: the system is loaded but does not run.",
}
