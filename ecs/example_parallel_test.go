package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Workers move what is not burning, stamp the rows they write, and queue the end of what has left the field.
func ExampleQuery_Parallel() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	burning := ecs.Must(w.DeclareTag("burning"))
	rats := ecs.Must(ecs.Must(w.Bundle(pos.ID())).SpawnMany(10_000, func(t *ecs.Table, from, to int) {
		for i := range pos.Slice(t) {
			pos.Slice(t)[i].X = float64(i)
		}
	}))
	w.Tag(rats[9_999], burning)

	pool := ecs.NewPool(2)
	defer pool.Close()
	calm := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{pos.ID()}, Untagged: []ecs.TagID{burning}}))
	err := calm.Parallel(pool, 1000, func(p *ecs.Part) {
		from, _ := p.Range()
		positions, entities := pos.PartSlice(p), p.Entities()
		for i := range p.Rows {
			positions[i].X++
			pos.Column(p.Table()).Stamp(from + i)
			if positions[i].X > 9_990 {
				p.Commands().Despawn(entities[i])
			}
		}
	})
	fmt.Println(err, w.Commands().Len(), "leave")
	fmt.Println(w.Commands().Apply(), w.Len(), "stay")
	// Output:
	// <nil> 9 leave
	// <nil> 9991 stay
}

// A program may bring its own pool, for instance that of its engine. This one does everything on the calling goroutine.
func ExamplePool() {
	w := ecs.NewWorld(ecs.Options{})
	health := ecs.MustRegister[Health](w, "Health")
	ecs.Must(ecs.Must(ecs.NewSpawner1[Health](w)).SpawnMany(nil, make([]Health, 5)))
	all := ecs.Must(w.Query(ecs.Filter{Required: []ecs.ComponentID{health.ID()}}))
	try(all.Parallel(inline{}, 0, func(p *ecs.Part) {
		values := health.PartSlice(p)
		for i := range p.Rows {
			values[i].Current++
		}
		health.StampPart(p)
		fmt.Println(values)
	}))
	// Output:
	// [{1} {1} {1} {1} {1}]
}

// inline is a Pool of one worker.
type inline struct{}

func (inline) Workers() int { return 1 }

func (inline) Run(n int, task func(i int)) {
	for i := range n {
		task(i)
	}
}

// A pool of goroutines serves any work that can be split, and all worlds of a program.
func ExampleWorkers() {
	pool := ecs.NewPool(2)
	defer pool.Close()
	squares := make([]int, 6)
	pool.Run(len(squares), func(i int) { squares[i] = i * i })
	fmt.Println(pool.Workers(), squares)
	// Output:
	// 2 [0 1 4 9 16 25]
}
