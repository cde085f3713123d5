package condition

import "testing"

func TestNative(t *testing.T) {
	for _, tt := range []struct {
		when, name string
		ok         bool
	}{
		{"native:odd", "odd", true},
		{" native: odd ", "odd", true},
		{"native:", "", true},
		{"native: ", "", true},
		{"native", "", false},
		{"resources.native:odd()", "", false},
		{"", "", false},
	} {
		if name, ok := Native(tt.when); name != tt.name || ok != tt.ok {
			t.Errorf("%q: %q, %v", tt.when, name, ok)
		}
	}
}
