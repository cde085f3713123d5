package luabind

import (
	"context"
	"encoding/json"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

// Bytes of coroutines that no program has written are damage, or a run that goes on in some way; never a panic.
func TestDamagedCoroutines(t *testing.T) {
	x := scriptOf(play(4, true))
	tr := &runTrace{}
	rt := x.open(t, tr)
	start(t, rt)
	tr.frames(t, rt, 4)
	f, err := rt.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	files, err := json.Marshal(f.files)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for at := 0; at < len(f.scripts); at += max(1, len(f.scripts)/effort.Of(2000)) {
		for _, by := range []byte{1, 0x80} {
			damaged := slices.Clone(f.scripts)
			damaged[at] += by
			of := &savedFiles{}
			if err := json.Unmarshal(files, of); err != nil {
				t.Fatal(err)
			}
			y := scriptOf(x.sources["a.lua"])
			y.policy, y.instructions = Skip, 20_000
			rt := y.open(t, &runTrace{})
			if rt.resume(f.schedule, of, damaged) == nil {
				_ = rt.Frame(context.Background(), 1)
			}
			tried++
		}
	}
	if tried < 100 {
		t.Error("only", tried)
	}
}
