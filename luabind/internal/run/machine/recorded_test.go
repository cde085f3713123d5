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

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/packing"
	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/selfcheck"
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
			t.Fatalf("%s:%d differs: got %q. If the change is meant, run go test ./luabind/internal/run/machine -run %s -record", name, i+1, have[min(i, len(have)-1)], t.Name())
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
		for i := -1; i < len(packing.Forms); i++ {
			chosen, anyway := packing.Forms, false
			if i >= 0 {
				chosen, anyway = packing.Forms[i:i+1], true
			}
			u, err := emitFor(p, b.query, b.world, chosen, anyway, 0)
			if err != nil {
				fmt.Fprintf(&out, "%d form %d: %v\n", seed, i, err)
				continue
			}
			fmt.Fprintf(&out, "%d form %d: %d bytes %08x packed %v cost %d steps %d tolls %v nanoseconds %.6g\n", seed, i, len(u.Code), crc32.ChecksumIEEE(u.Code), u.Packed, u.Cost, u.Steps, u.FuelChecks, u.Nanoseconds)
		}
	}
	asRecorded(t, "forms.txt", out.String())
}

// A check makes the recorded rows, and as many of them: the state of its generator, its work and its worlds are the recorded ones.
func TestRecordedChecks(t *testing.T) {
	var bodies []checkedBody
	for _, name := range slices.Sorted(maps.Keys(checkedBodies)) {
		for _, body := range checkedBodies[name] {
			bodies = append(bodies, checkedBody{"A", body})
		}
	}
	for _, list := range guardedBodies {
		bodies = append(bodies, checkedBody{"A", list[0]})
	}
	for _, c := range conditional {
		bodies = append(bodies, checkedBody{c.names, c.body})
	}
	bodies = append(bodies, drivenBodies...)
	var out strings.Builder
	for _, body := range bodies {
		b := checkBed(t, body.names)
		p, _, reason := b.program(body.text)
		if reason != nil {
			t.Fatalf("%s: %v", body.text, reason)
		}
		u, c := b.codeOf(body.text)
		err := selfcheck.CheckWith(p, b.query, b.world, uint64(len(u.Code)), underTest(u, c), func(d selfcheck.Report) {
			fmt.Fprintf(&out, "%s\n  work %d draws %x want %v got %v\n", body.text, d.Work, d.Draws, d.Want, d.Got)
			for i, side := range d.Conditions {
				fmt.Fprintf(&out, "  condition %d: seen %v often %v, depends on inputs %b rows %v\n", i, side.Seen, side.Often, side.Inputs, side.Rows)
			}
			for _, in := range d.Inputs {
				fmt.Fprintf(&out, "  input %v %v %v\n", in.N, in.Is, in.Text)
			}
		})
		if err != nil {
			t.Errorf("%s: %v", body.text, err)
		}
	}
	asRecorded(t, "checks.txt", out.String())
}

// A checkedBody is a loop body and the components of the loop.
type checkedBody struct{ names, text string }

// drivenBodies have conditions over each kind of value that a check can change: inputs of each type alone, beside others and through locals, fields of each
// type, and both at once.
var drivenBodies = []checkedBody{
	{"A", "if n == 7.25 then a.x = 1 end if k > n then a.y = 1 end"},
	{"A", "if n + k == 1234.5 then a.x = 1 end"},
	{"A", "if n * n == 16 then a.x = 1 end"},
	{"A", "if n > 1e9 and k < -1e9 then a.x = 1 end"},
	{"A", "if math.abs(n - 55.5) < 0.001 then a.x = 1 end"},
	{"A", "if n <= 3 and n >= 3 then a.x = 1 end"},
	{"A", "if 1 / n > 1e6 then a.x = 1 end"},
	{"A", "if n ~= n then a.x = 1 end"},
	{"A", "if flag and n == 3 then a.x = 1 end"},
	{"A", "if flag == (n > 3) then a.x = 1 end"},
	{"A", `if word == "calm" then a.x = 1 end`},
	{"A", `if word ~= "calm" and n == 5 then a.x = 1 end`},
	{"A", `local s = flag and word or "x" if s == "loud" then a.x = 1 end`},
	{"A", "local u = n * 2 local v = u + k if v == 77 then a.x = 1 end"},
	{"A", "local u = 0 if flag then u = n end if u == 99 then a.x = 1 end"},
	{"A", "local u = a.x + n if u == 4321 then a.y = 1 end"},
	{"A", "local u = a.x for i = 1, 3 do u = u + n end if u == 100 then a.y = 1 end"},
	{"A", "for i = n, n + 2 do if i == 50 then a.y = 1 end end"},
	{"A", "for i = 1, 3, n * n + 1 do if i == 3 then a.y = 1 end end"},
	{"A", "local t = 0 t = t + n t = t + a.x if t == 8765 then a.y = 1 end"},
	{"A", "sum = sum + a.x if sum == 333 then a.y = 1 end"},
	{"A", "if best == nil or a.x < best then best = a.x end"},
	{"A", "if e == n then a.x = 1 end"},
	{"A", "if list[1] == 5 then a.x = 1 end if list[n] == 6 then a.y = 1 end"},
	{"A", "if rows[2].x == 5 then a.x = 1 end"},
	{"F", "if f.on then f.x = 1 end"},
	{"F", "if f.on and f.k == 1.5 then f.y = 1 end"},
	{"F", "if f.n == 77 then f.y = 1 end"},
	{"F", "if f.n > 2e9 then f.y = 1 end if f.n < -2e9 then f.z = 1 end"},
	{"F", "f.n = f.n % 100 if f.on then f.n = f.n + 1 end"},
	{"D", "if d.x == 0.1 then d.y = 1 end"},
	{"D", "if d.x > 3e38 then d.y = 1 end"},
	{"D", "if d.x * d.x == 2.25 then d.y = 1 end"},
	{"AB", "if a.x == b.y + 3.5 then a.y = 1 end"},
	{"AB", "if a.x - b.x > 5e6 and a.y - b.y < -5e6 then a.y = 1 end"},
	{"A", `for o, q in world:each("B") do if q.x == 123 then a.x = 1 end end`},
	{"A", `for o, q in world:each("B") do if o == e then a.x = 1 end if q.x > n then a.y = 1 end end`},
	{"A", `local o = world:get(n, "B") if o and o.x == 17 then a.x = 1 end`},
	{"A", `if world:alive(n) then a.x = 1 end`},
	{"A", `if world:has(n, "B") then a.x = 1 end`},
	{"A", `if world:tagged(n, "red") and a.x == 3 then a.x = 1 end`},
	{"A", "if ecs.random() > 0.999999 then a.x = 1 end"},
	{"A", "if ecs.random(1000) == 7 then a.x = n end"},
	{"A", "if math.sin(a.x) > 0.9999 then a.y = 1 end"},
	{"A", "if a.x % 17 == 3 then a.y = 1 end"},
	{"A", "if a.x ^ 2 == 49 then a.y = 1 end"},
	{"A", "if a.x > 1 then if a.x > 2 then if a.x > 3 then if a.x == 4 then a.y = 1 end end end end"},
	{"A", "while n > 5 and a.x > 1e7 do a.x = a.x / 2 end"},
	{"A", "repeat a.x = a.x / 2 until a.x < 10 or n == 3"},
	{"A", "if a.x == 600 then return n, word end"},
	{"A", "if a.x == 601 and flag then break end"},
	{"A", "if a.x < a.y then goto next end if a.x == a.y then a.x = 3 end ::next::"},
	{"A", "a.x = not flag and n == 2 and a.x or a.y"},
	{"A", "a.x = math.max(n, a.x) == 4 and 1 or 2"},
}
