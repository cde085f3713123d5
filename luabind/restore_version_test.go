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

var updateVersion = flag.Bool("update-version", false, "write another file of this version to testdata; see TestFilesOfThisVersion")

// Files with scripts that were written in this version of the format are restored, and go on as if the run had never stopped. The last of them is what
// would be written today. If this fails because of a change of what is written: write another file with -update-version if programs that read the files
// before it read it as well; otherwise raise snapfile.Version first.
func TestFilesOfThisVersion(t *testing.T) {
	const saved, more = 3, 4
	path := func(i int) string { return fmt.Sprintf("testdata/version%d-%d.snap", snapfile.Version, i) }
	var files [][]byte
	for {
		file, err := os.ReadFile(path(len(files)))
		if err != nil {
			break
		}
		files = append(files, file)
	}
	today := fuzzed.saved(t, saved)
	if *updateVersion {
		if err := os.WriteFile(path(len(files)), today, 0o666); err != nil {
			t.Fatal(err)
		}
		files = append(files, today)
	}
	whole := &runTrace{}
	rt := fuzzed.open(t, whole)
	start(t, rt)
	whole.frames(t, rt, saved)
	at := whole.out.Len()
	whole.frames(t, rt, more)
	for i, file := range files {
		if i == len(files)-1 {
			sameSections(t, file, today)
		}
		resumed := &runTrace{}
		rt = fuzzed.open(t, resumed)
		if err := rt.Restore(bytes.NewReader(file)); err != nil {
			t.Fatal(err)
		}
		resumed.frames(t, rt, more)
		if want := whole.digests[saved:]; !slices.Equal(resumed.digests, want) {
			t.Errorf("file %d: digests %q, without a stop %q", i, resumed.digests, want)
		}
		if got, want := resumed.out.String(), whole.out.String()[at:]; got != want || got == "" {
			t.Errorf("file %d prints %q, without a stop %q", i, got, want)
		}
	}
}

func sameSections(t *testing.T, file, today []byte) {
	t.Helper()
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
			t.Errorf("section %s is written otherwise today", name)
		}
	}
}
