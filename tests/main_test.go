package tests

import (
	"os"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
	"github.com/ecsrun/ecsrun/tests/effort"
)

// asEcsrun makes this program behave as ecsrun, for programs of a page that start it.
const asEcsrun = "ECSRUN_DOCS_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(asEcsrun) != "" || os.Getenv("_ECSRUN_JOBS") != "" { // the second is that of processes of a sweep
		_ = os.Unsetenv(asEcsrun) // package config reads the others that begin like this
		os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	effort.Main(m)
}
