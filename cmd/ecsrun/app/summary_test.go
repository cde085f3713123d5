package app

import (
	"strings"
	"testing"
	"time"
)

func TestSummary(t *testing.T) {
	s := &summary{
		frames: 600, world: 10, wall: 834 * time.Millisecond, entities: 1204, events: 1, ended: "all frames done",
		failures: []string{"failed: 2 turns"},
		systems: []systemTime{
			{"populate", "lua", "", 1, 1500 * time.Microsecond},
			{"poison.tick", "lua", "poison", 600, 600 * time.Millisecond},
			{"movement", "native", "", 600, 60 * time.Millisecond},
			{"poison.never", "lua", "poison", 0, 0},
		},
	}
	want := `
600 frames, 10.0 s of world time in 0.83 s; 1,204 entities, 1 event
ended: all frames done
failed: 2 turns

system        impl    turns  total ms  share  µs/turn
poison.tick   lua       600     600.0   91 %   1000.0
movement      native    600      60.0    9 %    100.0
populate      lua         1       1.5    0 %   1500.0
poison.never  lua         0       0.0    0 %      0.0

mod       systems  total ms  share
poison          2     600.0   91 %
(config)        2      61.5    9 %
`
	var got strings.Builder
	s.write(&got)
	if "\n"+got.String() != want {
		t.Errorf("got\n%s\nwant%s", got.String(), want)
	}
}

func TestGrouped(t *testing.T) {
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1,000", 1234567: "1,234,567"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %s, want %s", n, got, want)
		}
	}
}
