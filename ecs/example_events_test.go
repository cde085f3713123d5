package ecs_test

import (
	"fmt"

	"github.com/ecsrun/ecsrun/ecs"
)

// A reader gets each event once, no matter how rarely it reads.
func ExampleEventReader() {
	w := ecs.NewWorld(ecs.Options{})
	hit := ecs.Must(ecs.RegisterEvent[Hit](w, "Hit"))
	late := w.EventReader(hit.ID())
	defer late.Close() // the world keeps events for open readers
	for frame := range 4 {
		w.BeginFrame(1)
		hit.Send(Hit{Amount: float64(frame)})
		w.EndFrame()
	}
	fmt.Println(late.Len(), "unread,", len(hit.Peek()), "to peek at")
	amount := w.EventSchema(hit.ID()).Index("amount")
	for row, ok := late.Next(); ok; row, ok = late.Next() {
		fmt.Println(row.Number(amount))
	}
	// Output:
	// 4 unread, 1 to peek at
	// 0
	// 1
	// 2
	// 3
}

// Events that are declared at run time are sent and read by field.
func ExampleEvents() {
	w := ecs.NewWorld(ecs.Options{})
	schema := ecs.Must(ecs.NewSchema(ecs.Field{Name: "item", Type: ecs.String}, ecs.Field{Name: "price", Type: ecs.F64}))
	sold := ecs.Must(w.DeclareEvent("Sold", schema))
	item, price := schema.Index("item"), schema.Index("price")
	for i, name := range []string{"rope", "sword"} {
		try(w.Send(sold, ecs.FieldValue{Index: item, Value: ecs.Text(name)}, ecs.FieldValue{Index: price, Value: ecs.Int(int64(i + 5))}))
	}
	events := w.Peek(sold)
	for i := range events.Len() {
		fmt.Println(events.Row(i).Get(item), events.Row(i).Number(price))
	}
	// Output:
	// "rope" 5
	// "sword" 6
}

// Drain takes events away from everybody, for a consumer that must be the only one.
func ExampleDrained() {
	w := ecs.NewWorld(ecs.Options{})
	hit := ecs.Must(ecs.RegisterEvent[Hit](w, "Hit"))
	hit.Send(Hit{Amount: 3})
	hit.Send(Hit{Amount: 4})
	var sum float64
	hits := w.Drain(hit.ID())
	for i := range hits.Len() {
		sum += hits.Row(i).Number(1)
	}
	fmt.Println(sum, len(hit.Peek()))
	// Output:
	// 7 0
}

// Peek shows two frames of events, as often as asked; a reader gets each event once.
func ExampleEvent() {
	w := ecs.NewWorld(ecs.Options{})
	hit := ecs.Must(ecs.RegisterEvent[Hit](w, "Hit"))
	for frame := range 3 {
		w.BeginFrame(1)
		if frame < 2 {
			hit.Send(Hit{Amount: float64(frame + 1)})
		}
		fmt.Println("frame", w.Frame(), "peek", len(hit.Peek()), "read", len(hit.Read()))
		w.EndFrame()
	}
	// Output:
	// frame 1 peek 1 read 1
	// frame 2 peek 2 read 1
	// frame 3 peek 1 read 0
}
