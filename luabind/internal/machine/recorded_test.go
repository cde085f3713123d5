package machine

import (
	"flag"
	"fmt"
	"hash/crc32"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var record = flag.Bool("record", false, "write what is recorded anew: look at what git diff says of it")

// asRecorded compares text with the file of that name in testdata.
func asRecorded(t *testing.T, name, got string) {
	t.Helper()
	name = "testdata/" + name
	if *record {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	have, need := strings.Split(got, "\n"), strings.Split(string(want), "\n")
	for i := range max(len(have), len(need)) {
		if i >= len(have) || i >= len(need) || have[i] != need[i] {
			t.Fatalf("%s:%d differs: got %q. If the change is meant, run go test ./luabind/internal/machine -run %s -record", name, i+1, have[min(i, len(have)-1)], t.Name())
		}
	}
}

// Code of random bodies, in the form that is chosen and in each form that can be had, is the recorded one.
func TestRecordedForms(t *testing.T) {
	var out strings.Builder
	for seed := range uint64(150) {
		body, names := randomMirrored(seed)
		b := newBed(t, 1, names, func() float64 { return 1 })
		p, _, reason := b.program(body)
		if reason != nil {
			fmt.Fprintf(&out, "%d: %v\n", seed, reason)
			continue
		}
		for i := -1; i < len(forms); i++ {
			chosen, anyway := forms, false
			if i >= 0 {
				chosen, anyway = forms[i:i+1], true
			}
			u, err := emitFor(p, b.query, b.world, chosen, anyway)
			if err != nil {
				fmt.Fprintf(&out, "%d form %d: %v\n", seed, i, err)
				continue
			}
			fmt.Fprintf(&out, "%d form %d: %d bytes %08x packed %v cost %d steps %d tolls %v nanoseconds %.6g\n", seed, i, len(u.code), crc32.ChecksumIEEE(u.code), u.packed, u.cost, u.steps, u.fuelChecks, u.nanoseconds)
		}
	}
	asRecorded(t, "forms.txt", out.String())
}

// A check makes the recorded rows, and as many of them: the state of its generator, its work and its worlds are the recorded ones.
func TestRecordedChecks(t *testing.T) {
	var bodies []string
	for _, name := range slices.Sorted(maps.Keys(checkedBodies)) {
		bodies = append(bodies, checkedBodies[name]...)
	}
	for _, list := range guardedBodies {
		bodies = append(bodies, list[0])
	}
	var out strings.Builder
	for _, body := range bodies {
		b := checkBed(t, "A")
		p, _, reason := b.program(body)
		if reason != nil {
			t.Fatal(reason)
		}
		u, c := b.codeOf(body)
		err := checkWith(p, u, c, b.query, b.world, forms, false, func(d *selfTest) {
			fmt.Fprintf(&out, "%s\n  work %d draws %x want %v got %v\n", body, d.work, d.rng.Uint64(), d.want.world.Digest(), d.got.world.Digest())
			for i, side := range d.sides.list {
				fmt.Fprintf(&out, "  condition %d: seen %v often %v\n", i, side.seen, side.often)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", body, err)
		}
	}
	asRecorded(t, "checks.txt", out.String())
}
