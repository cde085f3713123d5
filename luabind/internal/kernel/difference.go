package kernel

import "github.com/ecsrun/ecsrun/ecs"

// A Difference is something that code did otherwise than closures do. It is a fault
// of the compiler.
type Difference struct {
	Entity    ecs.Entity // whose row it was; None where that is not known, and of a loop over events
	Row       int        // of the table, or of the events that were walked; -1 where that is not known
	Component string     // whose field it is; "" of anything else
	Field     string
	Input     int    // of a variable from around the loop; -1 otherwise
	What      string // of anything else, as "the fuel it uses"

	Code, Closures string // both values
}

// Watched is a [Code] that is compared with closures while it runs.
type Watched interface {
	Code
	// Watch sets who is told, once, of the first Difference. The world is then as it was
	// before the rows that differ, which closures do next.
	Watch(report func(*Difference))
}
