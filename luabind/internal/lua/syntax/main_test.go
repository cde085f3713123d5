package syntax

import (
	"testing"

	"github.com/ecsrun/ecsrun/tests/effort"
)

func TestMain(m *testing.M) { effort.Main(m) }
