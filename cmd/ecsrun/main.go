// Command ecsrun runs worlds whose systems are Lua scripts or Go functions. See package app for a build with functions of your own.
package main

import (
	"os"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
)

func main() { os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }
