// Package script turns source files into what a world runs: units, instances, and the modules that require gives.
//
//		Sources ──Read──> text ──Compile──> Unit ──Set.Instance──> Instance ──Load──> what the file returns
//		                                      │                       │
//		                                      └── Set: units by path, and the instance of each required module
//		                                           └── Environment: one for each mod, shared by all sets of a State
//
//	  - [Sources] are the folders that scripts come from. [Folders] is a script folder with mods beside it; package luatest has its own.
//	  - A [Unit] is a compiled file. It does not change and has no state.
//	  - An [Environment] is the globals, library tables and loaded modules of a mod. All its files share it, in whatever set they are. The config's
//	    own scripts are the mod "", and a test file with what it requires is one. What differs between systems or files is asked when it is needed:
//	    whose random stream it is, which file requires, where print goes.
//	  - An [Instance] is a unit that was loaded once: its variables, what the file returned, and for a system its functions and
//	    its state.
//	  - A [Set] is the units and modules that are in use together in one Lua state. To replace files while a world runs, [Set.Next] makes a second set
//	    beside the first: what is loaded into it changes nothing in the first but the environments, which a [Mark] puts back if the replacement is
//	    refused. Then one of the two is dropped, with [Set.Retire].
//
// Who loads scripts (a Runtime, a test file) gives a [Host]. Calls into Lua are made by the Host, which limits and watches them.
package script
