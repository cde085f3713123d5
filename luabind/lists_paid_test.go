package luabind

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// bytesOfTurns runs a file for four frames, and returns how many bytes of the limit of allocations were left at the end of each turn, and
// the errors.
func bytesOfTurns(t *testing.T, source string, impl Impl) string {
	t.Helper()
	var out, printed bytes.Buffer
	r, err := New(Options{
		World: ecs.NewWorld(ecs.Options{Memory: restlessMemory()}), Stdout: &printed, Limits: Limits{OnError: Skip, Allocations: 1 << 40},
		Report:  func(err *ScriptError) { fmt.Fprintln(&out, err) },
		Scripts: files(map[string]string{"a": source}),
	})
	if err == nil {
		err = r.Add(System{Name: "a", Script: "a.lua", Impl: impl})
	}
	if err == nil {
		err = r.Load()
	}
	if err == nil {
		err = r.Start(context.Background())
	}
	for frame := 0; frame < 4 && err == nil; frame++ {
		err = r.Frame(context.Background(), 1)
		fmt.Fprintln(&out, r.state.Budget().AllocationsLeft())
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, source)
	}
	return out.String()
}

// What rows add to lists, the lists and tables that they make, and empty tables that stand for missing lists cost the same in all
// implementations.
func TestListsArePaidFor(t *testing.T) {
	t.Parallel()
	for source, bodies := range map[string][]string{groupsSource: groupBodies, recordVariablesSource: recordVariables, joinedSource: joinedBodies} {
		for _, body := range bodies {
			source := strings.Replace(source, "BODY", strings.TrimPrefix(body, "exit "), 1)
			want := bytesOfTurns(t, source, Lua)
			for _, impl := range []Impl{Closures, Auto} {
				if got := bytesOfTurns(t, source, impl); got != want {
					t.Errorf("%v: %s: left\n%sinterpreted\n%s", impl, body, got, want)
				}
			}
		}
	}
}
