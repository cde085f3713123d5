// Package worldfile makes a [luabind.Runtime] from a config file, as the command ecsrun does, for programs that embed it:
//
//	rt, c, err := worldfile.Open("world.yaml", config.Overrides{}, luabind.Options{Stdout: os.Stdout})
//	err = rt.Start(ctx)
//	for err == nil { err = rt.Frame(ctx, c.Run.DT) }
//
// [NewWorld] declares what a config names, [New] adds the scripts and the schedule, [Open] also reads the file and loads the scripts. Package config knows
// nothing of worlds, and package luabind nothing of config files.
package worldfile
