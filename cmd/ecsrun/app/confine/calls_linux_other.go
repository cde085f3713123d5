//go:build linux && !amd64 && !arm64

package confine

import (
	"fmt"
	"runtime"
)

func filterCalls() error { return fmt.Errorf("there is no filter for %s", runtime.GOARCH) }
