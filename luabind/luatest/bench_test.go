package luatest

import (
	"strings"
	"testing"
	"time"
)

func TestBench(t *testing.T) {
	source := head + `
local made = 0
before_each(function() made = made + 1 end)
local calls = 0
t.bench("counts", function() calls = calls + 1 end)
t.bench("breaks", function() error("oh", 0) end)
t.bench("waits", function() pending("later") end)
t.bench("loops", function() while true do end end)
it("is a test", function() print(calls, made) end)`
	plain := run(t, source, Options{})
	want(t, outcome(plain), "ok is a test")
	want(t, plain.Results[0].Output, "0\t1")

	clock, mallocs := time.Duration(0), uint64(0)
	r := run(t, source, Options{
		Bench: true, Instructions: 1000,
		Now:     func() time.Duration { clock += 20 * time.Millisecond; return clock },
		Mallocs: func() uint64 { mallocs += 64; return mallocs },
	})
	if r.Count(Measured) != 3 || r.Count(Pending) != 1 || r.Count(Passed) != 1 || r.Count(Failed) != 0 {
		t.Fatalf("%d measured, %d pending, %d passed, %d failed", r.Count(Measured), r.Count(Pending), r.Count(Passed), r.Count(Failed))
	}
	counts := r.Results[0].Bench
	if counts.Calls != benchCalls || counts.PerCall != 20*time.Millisecond/benchCalls || counts.Allocs != 64.0/benchCalls || counts.Error != "" {
		t.Errorf("%+v", counts)
	}
	text := report(func(b *strings.Builder) Reporter { return NewText(b, TextOptions{}) }, r)
	for _, line := range []string{
		"  time  counts: 0.019 µs and 0.0 allocations per call, mean of 1048576 calls\n",
		"  time  breaks: cannot be measured: a_test.lua:6: oh\n",
		"  wait  waits: later\n",
		"  time  loops: cannot be measured: a_test.lua:8: more than 1,000 instructions (limits.instructions); is there an endless loop?\n",
		"0 failed, 1 passed, 1 pending, 3 measured in ",
	} {
		if !strings.Contains(text, line) {
			t.Errorf("no %s in\n%s", line, text)
		}
	}
	json := report(func(b *strings.Builder) Reporter { return NewJSON(b) }, r)
	if !strings.Contains(json, `"name":"counts","full_name":"counts","status":"measured"`) || !strings.Contains(json, `"bench":{"calls":1048576,"seconds_per_call":1.9e-8,"allocs_per_call":0.00006103515625}`) {
		t.Error(json)
	}
	if got := (&Bench{Calls: 1, Allocs: -1, PerCall: 1500 * time.Microsecond}).String(); got != "1500 µs per call, mean of 1 call" {
		t.Error(got)
	}
}
