package config

import (
	"fmt"
	"strings"
	"testing"
)

func TestFieldsOfAComponentAreCounted(t *testing.T) {
	for _, kind := range []string{"components", "events"} {
		for n, want := range map[int]string{
			256: "<nil>",
			257: "c.yaml:3:27: " + kind + "[0].fields: 257 fields are too many; at most 256 are allowed",
		} {
			var fields []string
			for i := range n {
				fields = append(fields, fmt.Sprintf("f%d f64", i))
			}
			_, err := Parse("c.yaml", []byte("version: 1\n"+kind+":\n  - { name: Wide, fields: ["+strings.Join(fields, ", ")+"] }\n"), YAML)
			if !strings.Contains(fmt.Sprint(err), want) {
				t.Errorf("%d fields: %v, want %s", n, err, want)
			}
		}
	}
}
