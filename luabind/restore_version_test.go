package luabind

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

var updateVersion = flag.Bool("update-version", false, "write the file of this version in testdata anew; only after snapfile.Version was raised")

// A file with scripts that was written when the version of the format was raised is restored, and goes on as if the run had never stopped. What is written of
// scripts today is what was written then. If this fails because of a change of what is written: raise snapfile.Version, and write the file with -update-version.
func TestFilesOfThisVersion(t *testing.T) {
	const saved, more = 3, 4
	path := fmt.Sprintf("testdata/version%d.snap", snapfile.Version)
	today := fuzzed.saved(t, saved)
	if *updateVersion {
		if err := os.WriteFile(path, today, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sections := func(file []byte) (names []string, contents [][]byte) {
		f, err := snapfile.Read(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range f.Sections() {
			b, err := f.Bytes(s.Name)
			if err != nil {
				t.Fatal(err)
			}
			names, contents = append(names, s.Name), append(contents, b)
		}
		return names, contents
	}
	names, contents := sections(file)
	namesToday, contentsToday := sections(today)
	if !slices.Equal(names, namesToday) {
		t.Fatalf("there are the sections %q; today they are %q", names, namesToday)
	}
	for i, name := range names {
		if !bytes.Equal(contents[i], contentsToday[i]) {
			t.Errorf("section %s is written otherwise today: raise snapfile.Version", name)
		}
	}

	whole, resumed := &runTrace{}, &runTrace{}
	rt := fuzzed.open(t, whole)
	start(t, rt)
	whole.frames(t, rt, saved)
	at := whole.out.Len()
	whole.frames(t, rt, more)
	rt = fuzzed.open(t, resumed)
	if err := rt.Restore(bytes.NewReader(file)); err != nil {
		t.Fatal(err)
	}
	resumed.frames(t, rt, more)
	if want := whole.digests[saved:]; !slices.Equal(resumed.digests, want) {
		t.Errorf("digests %q, without a stop %q", resumed.digests, want)
	}
	if got, want := resumed.out.String(), whole.out.String()[at:]; got != want || got == "" {
		t.Errorf("prints %q, without a stop %q", got, want)
	}
}
