package scalar

import (
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/abi"
)

// Steps of their own are counted apart, and those before go on being counted.
func TestStepsApart(t *testing.T) {
	e := &Emitter{steps: 100}
	e.Spend(30)
	end := e.WithSteps(7)
	e.Spend(7)
	if err := func() (err error) {
		defer abi.Refused(&err)
		e.Spend(1)
		return nil
	}(); err == nil || !strings.Contains(err.Error(), "too long") {
		t.Errorf("an eighth step of seven: %v", err)
	}
	end()
	if e.steps != 70 {
		t.Errorf("%d steps are left", e.steps)
	}
	e.Spend(70)
}
