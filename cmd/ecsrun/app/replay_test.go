package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A record with changed bytes is no success: what lies behind them was not compared. One that is cut is repeated to its last whole frame, if it has one.
func TestReplayOfDamagedRecords(t *testing.T) {
	dir := t.TempDir()
	config, path := drivenWorld(t), filepath.Join(dir, "run.rec")
	run := func(args ...string) (int, string) {
		var out, err strings.Builder
		code := Main(args, strings.NewReader(""), &out, &err)
		return code, out.String() + err.String()
	}
	if code, said := run("run", config, "--frames", "6", "--quiet", "--record", path); code != exitOK {
		t.Fatal(code, said)
	}
	whole, err := os.ReadFile(path)
	check(t, err)
	before := strings.Index(string(whole), "return function(world) if world.resources.score") // in the text of a script
	for _, c := range []struct {
		flip, cut int
		code      int
		want      string
	}{
		{-1, len(whole), exitOK, "replay: equal: 6 frames\n"},
		{-1, len(whole) - 5, exitOK, "replay: equal: 6 frames; the run was killed after frame 6, its disk was full, or the file is cut (cut at offset "},
		{-1, before, exitUsage, ", before the first frame: "},
		{before, len(whole), exitUsage, "damaged at offset "},
		{len(whole) - 1, len(whole), exitUsage, "replay: equal: 6 frames; behind frame 6 the record is damaged, and nothing was compared (damaged at offset "},
	} {
		bytes := []byte(string(whole[:c.cut]))
		if c.flip >= 0 {
			bytes[c.flip] ^= 1
		}
		check(t, os.WriteFile(path, bytes, 0o666))
		if code, said := run("replay", path); code != c.code || !strings.Contains(said, c.want) {
			t.Errorf("flipped at %d, cut at %d of %d: code %d, %s\nwant code %d, %s", c.flip, c.cut, len(whole), code, said, c.code, c.want)
		}
	}
}
