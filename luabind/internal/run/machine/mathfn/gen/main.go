// Command gen writes code.go from the source of package portable. Run go generate in the folder above.
package main

import (
	"fmt"
	"os"

	"github.com/ecsrun/ecsrun/luabind/internal/run/machine/mathfn/source"
)

func main() {
	text, err := source.Generate("../../../../../ecs/portable")
	if err == nil {
		err = os.WriteFile("code.go", text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
