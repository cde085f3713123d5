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

var updateVersion = flag.Bool("update-version", false, "write another file of this version to testdata; see TestFilesOfThisVersion")

// Files that were written in this version of the format still load, and go on as a new world does; the last of them is what would be written
// today. If this fails because of a change of what is written: write another file with -update-version if programs that
// read the files before it read it as well; otherwise raise snapfile.Version first.
func TestFilesOfThisVersion(t *testing.T) {
	path := func(i int) string { return fmt.Sprintf("testdata/version%d-%d.snap", snapfile.Version, i) }
	var files [][]byte
	for {
		file, err := os.ReadFile(path(len(files)))
		if err != nil {
			break
		}
		files = append(files, file)
	}
	today := smallFile(t)
	if *updateVersion {
		ok(t, os.WriteFile(path(len(files)), today, 0o666))
		files = append(files, today)
	}
	fresh := must[*Schedule](t)(load(today))
	for i, file := range files {
		old := must[*Schedule](t)(load(file))
		check(t, old.world)
		sameDump(t, path(i), dump(old.world), dump(must[*Schedule](t)(load(today)).world))
		names, contents := rawSections(t, file)
		namesToday, contentsToday := rawSections(t, today)
		if !slices.Equal(names, namesToday) {
			t.Fatalf("file %d has the sections %q; today they are %q", i, names, namesToday)
		}
		for k, name := range names {
			if strconv.IntSize == 32 && (name == "world/options" || name == "world/limits") {
				continue // the largest number of entities, and bytes of tables, depend on the size of a word; the file is from a machine with 64 bits
			}
			if i == len(files)-1 && !bytes.Equal(contents[k], contentsToday[k]) {
				t.Errorf("section %s is written otherwise today", name)
			}
		}
		goOn(old)
		if i == 0 {
			goOn(fresh)
		}
		if a, b := old.world.Digest(), fresh.world.Digest(); a != b {
			t.Errorf("file %d: the world goes on to the digest %s, and one that was saved today to %s", i, a, b)
		}
	}
}

func goOn(s *Schedule) {
	s.world.Commands().Apply()
	s.world.BeginFrame(0.1)
	s.world.EndFrame()
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
	s := NewSchedule(newWorld(Options{}))
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
