package ecs

import (
	"runtime"
	"strings"
	"testing"
)

// Types with very many fields, or none in very much memory, are refused before memory is taken for them.
func TestLargeTypesAreRefusedAtOnce(t *testing.T) {
	type hidden struct {
		perm [1 << 20]int
		call func()
	}
	_ = func(h *hidden) (int, func()) { return h.perm[0], h.call } // unexported fields that are in use
	for name, c := range map[string]struct {
		schema func() (*Schema, error)
		wants  string
	}{
		"bytes":        {SchemaOf[[1 << 20]byte], "type [1048576]uint8: more than 256 fields"},
		"at most":      {SchemaOf[[257]string], "more than 256 fields"},
		"two levels":   {SchemaOf[[1 << 10][1 << 10]byte], "more than 256 fields"},
		"strings":      {SchemaOf[struct{ Names [1 << 20]string }], "more than 256 fields"},
		"functions":    {SchemaOf[struct{ Call [1 << 20]func() }], "more than 256 fields"},
		"padding":      {SchemaOf[struct{ _ [1 << 30]byte }], "a row of 1073741824 bytes is too large"},
		"nothing":      {SchemaOf[[1 << 30]struct{}], ""},
		"hidden":       {SchemaOf[struct{ Noise hidden }], ""},
		"just enough":  {SchemaOf[[256]byte], ""},
		"of functions": {SchemaOf[[200]func()], ""},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := c.schema()
		runtime.ReadMemStats(&after)
		if c.wants == "" && err != nil || c.wants != "" && (err == nil || !strings.Contains(err.Error(), c.wants)) {
			t.Errorf("%s: error %v", name, err)
		}
		if n := after.TotalAlloc - before.TotalAlloc; n > 1<<20 {
			t.Errorf("%s: %d bytes were allocated", name, n)
		}
	}
}
