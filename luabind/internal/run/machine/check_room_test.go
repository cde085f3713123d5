package machine

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// A row that runs out of fuel in the closures may have run out of room in the code
// before: both leave it, and the fuel they used says nothing.
func TestCheckOfRowsWithoutRoom(t *testing.T) {
	for name, body := range map[string]string{
		"commands without an end":    `while a.x == a.x do world.commands:set(e, "A", { x = 1 }) end`,
		"commands by number":         `for i = 1, 100000 do world.commands:set(e, "A", { x = i }) end`,
		"a tag without an end":       `while a.x == a.x do world:tag(e, "red") end`,
		"commands then a count":      `for i = 1, 3000 do world.commands:tag(e, "red") end local n = 0 while n < 100000 do n = n + 1 end`,
		"stores without an end":      `local b = world:get(e, "A") while b and a.y == a.y do b.x = b.x + 1 end`,
		"own stores beside others":   `local b = world:get(e, "A") if b then b.y = 1 end for i = 1, 20000 do a.x = i end`,
		"a few stores in a long row": `local b = world:get(e, "A") if b then for i = 1, 300 do b.x = b.x + i end end for i = 1, 6000 do a.x = i end`,
		"in an if":                   `if a.x > 1 then while a.x == a.x do world.commands:set(e, "A", { x = 1 }) end end a.y = 3`,
	} {
		if err := checkBed(t, "A").checkAs(body, body); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The same where the code runs out of room in the portion of fuel in which the closures starve.
func TestCheckOfRowsWithoutRoomInTheLastPortion(t *testing.T) {
	for n := 1000; n <= 12_000; n += 500 {
		body := fmt.Sprintf(`local n = 0 for i = 1, %d do n = n + 1 end a.y = n
			for i = 1, 100000 do world.commands:tag(e, "red") world.commands:tag(e, "red") world.commands:tag(e, "red") world.commands:tag(e, "red") world.commands:tag(e, "red") world.commands:tag(e, "red") end`, n)
		if err := checkBed(t, "A").checkAs(body, body); err != nil {
			t.Errorf("%d: %v", n, err)
		}
	}
}

// A check knows of rows that may do more than there is room to record, loops or not.
func TestCheckKnowsWhatNeedsRoom(t *testing.T) {
	wide := `world.commands:spawn({ A = { x = a.x, y = 2 }, B = { x = 1, y = a.x }, C = { x = 1, y = a.x, z = a.y }, E = { x = 1, y = 2, z = 3, w = 4 } }) `
	for body, want := range map[string]bool{
		wide:                                false,
		strings.Repeat(wide, 345):           true,
		"for i = 1, 3 do a.x = a.x + i end": false,
		"for i = 1, 3 do " + wide + " end":  true,
		`local b = world:get(e, "B") if b then b.x = 1 end`:                             false,
		`local b = world:get(e, "A") if b then b.x = 1 end for i = 1, 3 do a.x = i end`: true,
	} {
		b := checkBed(t, "A")
		p, _, reason := b.program(body)
		if reason != nil {
			t.Fatal(reason)
		}
		if got := abi.NeedsRoom(p); got != want {
			t.Errorf("%.80s: %v", body, got)
		}
	}
}
