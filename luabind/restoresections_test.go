package luabind

import (
	"bytes"
	"testing"

	"github.com/ecsrun/ecsrun/ecs/snapfile"
)

// sectionsOf returns the sections of a snapshot file.
func sectionsOf(t *testing.T, file []byte) map[string][]byte {
	t.Helper()
	f, err := snapfile.Read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string][]byte{}
	for _, s := range f.Sections() {
		if s.Name == "schedule" {
			continue
		}
		if out[s.Name], err = f.Bytes(s.Name); err != nil {
			t.Fatal(err)
		}
	}
	return out
}
