package ir

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A dump has what is known of a Program, its effects and its statements. Fields that are zero are left out.
func TestDump(t *testing.T) {
	const want = `
Price=9 Numbers=5 Bools=2 Texts=1 Inputs=[{Used=true} {}] Origins=[{} {Input=1}] Outputs=[{Place={Used=true Type=2} Mark=1 Input=1}] Views=2 Components=[3 4] Uses=1 Refs=[{Component=3 Query=-1 Stored=true} {Component=4}] Queries=[{Entity=1 First=3 Views=1}] Tables=[{Input=1 Stored=true} {Input=1 Members=["a" "b"]}] Stores=[{Field=x:f64@0}] Returns=2 Sites=[[] [1 -1]] Random=true
  effect {Op=2 Components=[3] Relations=[5] Fields=[{Field=name:string@16}]}
  effect {Index=1 Line=7 Fields=[{Field=flag:bool@8}]}
  effect {Index=2 Op=3}
  set Mark=1 A=(+ (load Field=x:f64@0) (reg))
  store Field=x:f64@0 A=(select (< bool (const 1) (load Field=who:entity@32)) (const 2) (entity))
  look I=2 A=(entity)
  if A=(present bool I=2)
    store I=2 Field=name:string@16 A=(load text I=2 Field=name:string@16)
  else
    leave
  block I=1
    while A=(const bool 1) Price=1
      jump I=1
    repeat A=(not bool (const bool 1)) Price=1
  count I=2 A=(const 1) B=(const 2) C=(const 1) Price=1
    break
  do A=(tag bool ID=1 (entity))
  put Member=-1 A=(const 1) B=(element I=1 Member=1 (const 1))
  fit I=1 Field=flag:bool@8 A=(const bool 1)
  emit I=3 Args=[(const text S="n") (reg I=1)] effect=0
  emit I=-1 Args=[(const bool 1)] effect=1
  emit I=-1 Args=[(entity)] effect=2
  each Price=1
    set I=4 Mark=-1 A=(call (load I=3 Field=x:f64@0) Func="floor" One=func)
  near I=3 J=-1 A=(const 0) B=(const 0) C=(random (const 6)) Price=1
  return Args=[(const 1) (== bool (const bool 1) (const bool 1))]
`
	got := sample().Dump()
	if a, b := strings.Split(strings.TrimSpace(got), "\n"), strings.Split(strings.TrimSpace(want), "\n"); !slices.Equal(a, b) {
		for i := range max(len(a), len(b)) {
			if i >= len(a) || i >= len(b) || a[i] != b[i] {
				t.Fatalf("line %d differs:\n%s", i+1, got)
			}
		}
	}
}

// Every operation has a name in dumps, and no two have the same.
func TestNamesOfOperations(t *testing.T) {
	for what, names := range map[string][]string{"expressions": operationNames, "statements": statementNames, "types": typeNames[:]} {
		want := map[string]int{"expressions": int(Untag) + 1, "statements": int(Untouched) + 1, "types": int(Any) + 1}[what]
		sorted := slices.Sorted(slices.Values(names))
		if len(slices.Compact(sorted)) != want || len(names) != want {
			t.Errorf("%d names of %s, want %d", len(names), what, want)
		}
	}
}

// What is written is listed once, own and other components, in their order.
func TestWrites(t *testing.T) {
	p := &Program{
		Components: []ecs.ComponentID{7, 9, 2},
		Stores:     []Target{{View: 1, Field: x}, {View: 0, Field: x}, {View: 0, Field: flag}},
		Refs:       []Ref{{Component: 3, Stored: true}, {Component: 2}, {Component: 7, Stored: true}},
	}
	if got := p.Writes(); !reflect.DeepEqual(got, []ecs.ComponentID{3, 7, 9}) {
		t.Errorf("%v", got)
	}
}
