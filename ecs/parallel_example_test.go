package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Workers move what is not burning, stamp the rows they write, and queue the end of what has left the field.
func ExampleQuery_Parallel() {
	w := ecs.NewWorld(ecs.Options{})
	pos := ecs.MustRegister[Position](w, "Position")
	burning := must(w.DeclareTag("burning"))
	rats := must(must(w.Bundle(pos.ID())).SpawnMany(10_000, func(t *ecs.Table, from, to int) {
		for i := range pos.Slice(t) {
			pos.Slice(t)[i].X = float64(i)
		}
	}))
	w.Tag(rats[9_999], burning)

	pool := ecs.NewPool(2)
	defer pool.Close()
	calm := must(w.Query(ecs.Filter{Required: []ecs.ComponentID{pos.ID()}, Untagged: []ecs.TagID{burning}}))
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
