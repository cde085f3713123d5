package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// Events wait for a time or a frame. Another one under the same key replaces the first, and what waits can be cancelled.
func ExampleCommands_SendAfter() {
	w := ecs.NewWorld(ecs.Options{})
	hit := ecs.Must(ecs.RegisterEvent[Hit](w, "Hit"))
	amount := w.EventSchema(hit.ID()).Index("amount")
	of := func(n float64) ecs.FieldValue { return ecs.FieldValue{Index: amount, Value: ecs.Number(n)} }
	q := w.Commands()
	ecs.Must(q.SendAfter(hit.ID(), 1, "", of(1)))
	ecs.Must(q.SendAt(hit.ID(), 2, "door", of(2)))
	ecs.Must(q.SendAt(hit.ID(), 3, "door", of(3)))
	q.Cancel(ecs.Must(q.SendAt(hit.ID(), 3, "", of(4))))
	try(q.Apply())
	for e := range w.Waiting {
		fmt.Println(e)
	}
	for range 3 {
		w.BeginFrame(0.5)
		for _, row := range hit.Peek() {
			fmt.Println("frame", w.Frame(), row.Amount)
		}
		w.EndFrame()
	}
	// Output:
	// Hit{target: none, amount: 1} at time 1
	// Hit{target: none, amount: 3} at frame 3, key "door"
	// frame 3 1
	// frame 3 3
}
