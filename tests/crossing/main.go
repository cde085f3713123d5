// Command crossing makes random worlds in which features meet: observers, relations, tags, grids, tables, events, limits, layers, indexes, arrays, orders, data
// files, states, waiting events, entities that Go makes, turns and observers
// that fail. Each world is run by each implementation, saved and resumed after each frame, copied and restored, loaded anew with equal scripts, and run without the
// turns that were taken back. All must print the same lines and have the same digests.
//
//	go run ./tests/crossing                 5,000 worlds
//	go run ./tests/crossing -worlds 100 -from 7000
//	go run ./tests/crossing -show 7042      the scripts of one world, and what it prints
//	go run ./tests/crossing -less 7042      the same with all lines taken away that the difference does not need
//
// The exit code is 1 if there is a difference. The first worlds also run as a test.
package main

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"runtime"
	"slices"
	"sync"

	"github.com/ecsrun/ecsrun/luabind"
)

func main() {
	worlds := flag.Int("worlds", 5000, "run `N` worlds")
	from := flag.Uint64("from", 1, "the `seed` of the first one")
	one := flag.Uint64("show", 0, "print the scripts and the trace of one `seed`")
	most := flag.Int("most", 5, "end after `N` differences")
	cores := flag.Int("cores", runtime.GOMAXPROCS(0), "run `N` worlds at a time")
	less := flag.Uint64("less", 0, "print a world that is as small as it can be and differs as that of one `seed`")
	flag.Parse()
	if *less != 0 {
		shrink(*less)
		return
	}
	if *one != 0 {
		show(newWorld(*one))
		return
	}
	if differ := crossAll(*from, *worlds, *most, *cores); differ > 0 {
		os.Exit(1)
	}
}

// crossAll runs worlds, prints differences and a closing line, and returns the number of differences.
func crossAll(from uint64, worlds, most, cores int) int {
	seeds := make(chan uint64)
	var (
		mu              sync.Mutex
		differ, failing int
		done            int
		wait            sync.WaitGroup
	)
	for range cores {
		wait.Go(func() {
			for seed := range seeds {
				fails, err := guarded(newWorld(seed))
				mu.Lock()
				done++
				if fails {
					failing++
				}
				if err != nil {
					differ++
					fmt.Printf("world %d: %v\n", seed, err)
				}
				mu.Unlock()
			}
		})
	}
	for i := range worlds {
		mu.Lock()
		enough := differ >= most
		mu.Unlock()
		if enough {
			break
		}
		seeds <- from + uint64(i)
	}
	close(seeds)
	wait.Wait()
	fmt.Printf("%d worlds, %d of them with turns that were taken back, %d differences\n", done, failing, differ)
	return differ
}

// guarded is cross; a panic is a difference.
func guarded(w *world) (failing bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			stack := make([]byte, 4096)
			err = fmt.Errorf("panic: %v\n%s", p, stack[:runtime.Stack(stack, false)])
		}
	}()
	return cross(w)
}

// show prints a world and its trace.
func show(w *world) {
	for _, name := range slices.Sorted(maps.Keys(w.sources)) {
		if name != "lib.lua" {
			fmt.Printf("-- %s\n%s\n", name, w.sources[name])
		}
	}
	fmt.Printf("policy %v, %d frames, %d instructions, remembers %v, native %v\n", w.policy, w.frames, w.limits.Instructions, w.remember, w.native)
	for _, s := range w.systems {
		fmt.Printf("system %s, every %d, random %q, stage %v, in %v\n", s.Name, s.Every, s.Random, s.Stage, s.In)
	}
	r, err := w.whole(way{impl: luabind.Lua})
	if err != nil {
		fmt.Println(err)
	}
	if r != nil {
		for _, line := range r.text(true, nil) {
			fmt.Println(line)
		}
	}
}
