package ecs

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

var updateVersion = flag.Bool("update-version", false, "write the file of this version in testdata anew; only after snapfile.Version was raised")

// A file that was written when the version of the format was raised still loads, goes on as a new world does, and is what would be written today. If this
// fails because of a change of what is written: raise snapfile.Version, and write the file with -update-version.
func TestFilesOfThisVersion(t *testing.T) {
	path := fmt.Sprintf("testdata/version%d.snap", snapfile.Version)
	today := smallFile(t)
	if *updateVersion {
		ok(t, os.WriteFile(path, today, 0o666))
	}
	file := must[[]byte](t)(os.ReadFile(path))
	old, fresh := must[*Schedule](t)(load(file)), must[*Schedule](t)(load(today))
	check(t, old.world)
	names, contents := rawSections(t, file)
	namesToday, contentsToday := rawSections(t, today)
	if !slices.Equal(names, namesToday) {
		t.Fatalf("there are the sections %q; today they are %q", names, namesToday)
	}
	for i, name := range names {
		if strconv.IntSize == 32 && (name == "world/options" || name == "world/limits") {
			continue // the largest number of entities, and bytes of tables, depend on the size of a word; the file is from a machine with 64 bits
		}
		if !bytes.Equal(contents[i], contentsToday[i]) {
			t.Errorf("section %s is written otherwise today: raise snapfile.Version", name)
		}
	}
	for _, s := range []*Schedule{old, fresh} {
		s.world.Commands().Apply()
		s.world.BeginFrame(0.1)
		s.world.EndFrame()
	}
	if a, b := old.world.Digest(), fresh.world.Digest(); a != b {
		t.Errorf("the world goes on to the digest %s, and one that was saved today to %s", a, b)
	}
}

func TestAFileOfALaterVersionIsRefusedWithTheWayOut(t *testing.T) {
	file := smallFile(t)
	const at = len("ecsrun snapshot")
	if file[at] != snapfile.Version {
		t.Fatalf("byte %d is %d, not the version", at, file[at])
	}
	for _, version := range []int{snapfile.Version + 1, 255} {
		file[at] = byte(version)
		_, err := load(file)
		var later *snapfile.LaterVersion
		want := fmt.Sprintf("a later program has written this snapshot: it has version %d of the format, and this program reads version %d; use the program that has written it, or a newer one", version, snapfile.Version)
		if err == nil || err.Error() != want || !errors.As(err, &later) || later.Version != version || errors.As(err, new(*snapfile.Damage)) {
			t.Errorf("version %d: %v", version, err)
		}
		if _, err := Load(bytes.NewReader(file), Options{}); !errors.As(err, &later) {
			t.Errorf("version %d: %v", version, err)
		}
	}
	file[at] = snapfile.Version - 1
	if _, err := load(file); !errors.As(err, new(*snapfile.Damage)) {
		t.Errorf("a version that never was: %v", err)
	}
}

// A file in which systems run after each other is damaged, and the error names the section.
func TestSystemsInACircleAreDamage(t *testing.T) {
	s := NewSchedule(NewWorld(Options{}))
	nothing := func(*World, float64) error { return nil }
	for _, spec := range []SystemSpec{{Name: "one", After: []string{"two"}, Run: nothing}, {Name: "two", After: []string{"one"}, Run: nothing}} {
		must[*System](t)(s.AddSystem(spec))
	}
	s.sorted = true // so that it is saved as it is
	_, err := load(savedSchedule(t, s))
	var damage *snapfile.Damage
	if !errors.As(err, &damage) || damage.Section != scheduleSection || !strings.Contains(damage.Reason, "one") || !strings.Contains(damage.Reason, "two") {
		t.Errorf("got %v", err)
	}
}
