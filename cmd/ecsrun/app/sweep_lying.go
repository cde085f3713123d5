//go:build lyingworker

package app

import (
	"fmt"
	"os"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
)

// lie makes the digest of a result that of this process, as a machine with a bad memory might: tests of --audit build with the tag lyingworker.
func lie(r *job.Result) { r.Digest = fmt.Sprintf("%032x", os.Getpid()) }
