package main

// This file is the table of query loops in Lua: the benchmarks, the floors to which they are compared, and the
// marks.

// Reasons that several rows of loops share.
const (
	calls = "each effect is written to memory as a record, and Go applies the records afterwards; that takes more stores and loads than a direct call in Go"
	cold  = "0.2 to 1.1 ms in two runs on a shared machine; 1.5 to 3.7 in a run with a collection before each load, after which wazero has to make its scratch memory anew"
	first = "0.02 to 0.15 ms in two runs; one collection within the frames that are timed is more than that"
	arena = "movement, bounce and targeting are within 1.4 of native by themselves; a system that meets twenty entities costs 1.6 µs, mostly the interpreter around its loop, " +
		"where Go takes 0.1; where the rest goes has not been found"
	cores2 = "two workers have two cores only while the machine has no other load"
)

// loopRows are the marks of query loops in Lua. Each compares the loop under impl auto with the same loop in Go
// over slices of the components, which stamps nothing.
var loopRows = []row{
	{title: "move, two fields, 10k entities", bench: "Loop/move/entities=10000/auto", floor: "Loop/move/entities=10000/native", mark: 1},
	{title: "… 100k", bench: "Loop/move/entities=100000/auto", floor: "Loop/move/entities=100000/native", mark: 1},
	{title: "move, three fields, 10k", bench: "Loop/move3/entities=10000/auto", floor: "Loop/move3/entities=10000/native", mark: 1},
	{title: "… 100k", bench: "Loop/move3/entities=100000/auto", floor: "Loop/move3/entities=100000/native", mark: 1},
	{title: "bounce, 10k", bench: "Loop/bounce/entities=10000/auto", floor: "Loop/bounce/entities=10000/native", mark: 0.8},
	{title: "… 100k", bench: "Loop/bounce/entities=100000/auto", floor: "Loop/bounce/entities=100000/native", mark: 0.8},
	{title: "wrap at borders, 10k", bench: "Loop/wrap/entities=10000/auto", floor: "Loop/wrap/entities=10000/native", mark: 1.3},
	{title: "… 100k", bench: "Loop/wrap/entities=100000/auto", floor: "Loop/wrap/entities=100000/native", mark: 1.3},
	{title: "pull to a point, 10k", bench: "Loop/pull/entities=10000/auto", floor: "Loop/pull/entities=10000/native", mark: 1.2},
	{title: "… 100k", bench: "Loop/pull/entities=100000/auto", floor: "Loop/pull/entities=100000/native", mark: 1.2},
	{title: "heavy, 32 square roots, 10k", bench: "Loop/heavy/entities=10000/auto", floor: "Loop/heavy/entities=10000/native", mark: 0.35},
	{title: "… 100k", bench: "Loop/heavy/entities=100000/auto", floor: "Loop/heavy/entities=100000/native", mark: 0.35},
	{title: "pairs, 1,000 × 1,000", bench: "Loop/pairs/entities=1000/auto", floor: "Loop/pairs/entities=1000/native", mark: 0.9},
	{title: "… the result written into the component that is read", bench: "Loop/pairsown/entities=1000/auto", floor: "Loop/pairsown/entities=1000/native", mark: 0.9},
	{title: "damage: tag, event, despawn in rare branches, 10k", bench: "Loop/damage/entities=10000/auto", floor: "Loop/damage/entities=10000/native", mark: 2.5, why: calls},
	{title: "… 100k", bench: "Loop/damage/entities=100000/auto", floor: "Loop/damage/entities=100000/native", mark: 2.5, why: calls},
	{title: "heavy, 1M, two cores: times as fast as one", bench: "LoopCores/cores=1", floor: "LoopCores/cores=2", mark: 1.9, times: true, why: cores2},
	{title: "move, closures: times as fast as the interpreter", bench: "Loop/move/entities=10000/lua", floor: "Loop/move/entities=10000/closures", mark: 40, times: true},
	{title: "move, auto: times as fast as the interpreter", bench: "Loop/move/entities=10000/lua", floor: "Loop/move/entities=10000/auto", mark: 200, times: true},
	{title: "compile a loop and check it, before the first frame: move", bench: "LoopLoad/move", mark: 2e6, unit: "ns/loop", why: cold},
	{title: "… wrap", bench: "LoopLoad/wrap", mark: 2e6, unit: "ns/loop", why: cold},
	{title: "… pull", bench: "LoopLoad/pull", mark: 2e6, unit: "ns/loop", why: cold},
	{title: "… damage", bench: "LoopLoad/damage", mark: 2e6, unit: "ns/loop", why: cold},
	{title: "what is left of it in the first frame: wrap", bench: "LoopLoad/wrap", mark: 1e5, unit: "ns/first-frame", why: first},
	{title: "… damage", bench: "LoopLoad/damage", mark: 1e5, unit: "ns/first-frame", why: first},
	{title: "arena, 10,000 soldiers: frame rate with all systems in Lua against the hot ones in Go", bench: "Arena/native", floor: "Arena/auto", mark: 0.8, unit: "ns/frame", times: true, why: arena},
}
