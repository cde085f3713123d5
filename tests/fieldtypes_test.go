package tests

import (
	"fmt"
	"slices"
	"testing"

	"github.com/ecsrun/ecsrun/config"
	"github.com/ecsrun/ecsrun/ecs"
)

// A config file has the field types of the storage, and the same range for each of them.
func TestFieldTypesOfConfigAndStorage(t *testing.T) {
	if got, want := config.FieldTypes(), ecs.FieldTypes(); !slices.Equal(got, want) {
		t.Errorf("config has %v, ecs has %v", got, want)
	}
	integers := 0
	for _, name := range ecs.FieldTypes() {
		typ, _ := ecs.ParseFieldType(name)
		lo, hi, ok := typ.Range()
		if !ok {
			continue
		}
		integers++
		for value, fits := range map[int64]bool{int64(lo): true, int64(hi): true, int64(lo) - 1: false, int64(hi) + 1: false} {
			if _, err := config.ParseField(fmt.Sprintf("n %s = %d", name, value)); (err == nil) != fits {
				t.Errorf("%s = %d: %v", name, value, err)
			}
		}
	}
	if integers != 8 {
		t.Errorf("%d integer types", integers)
	}
}
