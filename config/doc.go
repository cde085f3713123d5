// Package config reads the file that describes a run: which components, tags,
// events and resources there are, which systems run in what order, and within
// which limits. It knows neither the storage nor Lua: it yields plain values,
// and whoever starts a run turns them into options.
//
// # Outline
//
//   - Read: [Load] takes a path, [Parse] takes bytes; both take YAML, TOML and
//     JSON and give a [Config] or [Problems].
//     [Inspect] gives what it could read beside the problems, to look for more.
//   - Report: a [Problem] has a [Pos], the key path and a suggestion. All problems
//     of a file are reported together, in the order of its lines. [Config.Problem] makes
//     one for an item of the config, so that later stages (a script that is not
//     there, a name nobody registered) report in the same form.
//   - Change from outside: [Overrides] carries flags, --set and the environment.
//   - Embed: [Default] is the config of an empty file; [Config.Validate] checks
//     one that was made or changed in Go; [ParseField] reads "x f64 = 1".
//
// # How a file becomes a Config
//
// The three formats are parsed into one tree of nodes that know their line and
// column. One strict decoder walks that tree: it keeps the case of every name
// and reports every unknown key, wrong type and bad value it meets. viper then
// layers flags over environment over file over defaults, but only for the
// scalars of run, limits and log, whose keys are fixed. viper changes the case of
// keys and accepts unknown ones silently, so it never gets names that a user
// chose. Finally the items are checked against each other, with their final values
// (duplicate names, cycles in after, impl: native without a native).
//
// # Limits
//
// A file may have 1 MiB, and lists and mappings may be 32 deep. Anchors, aliases
// and tags of YAML are refused. Nothing here reads the environment or the clock;
// [Load] reads the one file and, when it is missing, the names beside it.
package config
