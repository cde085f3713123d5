package without

import (
	"strings"
	"testing"
)

func TestNames(t *testing.T) {
	if 1<<len(names) != last {
		t.Fatalf("%d names of other mechanisms than there are", len(names))
	}
	for list, want := range map[string]Set{"": 0, "packing": Packing, "interp,forged": Interp | Forged, All.String(): All} {
		if got, err := Parse(list); err != nil || got != want || got.String() != list {
			t.Errorf("%q: %v, %v", list, got, err)
		}
	}
	if _, err := Parse("packing,speed"); err == nil || !strings.Contains(err.Error(), `"speed"`) {
		t.Errorf("an unknown name: %v", err)
	}
}
