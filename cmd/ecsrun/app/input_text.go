package app

import (
	"bytes"
	"fmt"
	"io"
)

// This file is --input of bisect, bench and explain: the same lines are done to several worlds, or by a command that has nothing to do with stdin.
// Each world reads them by itself, so the text is in memory.

// An inputText is the file of --input.
type inputText struct {
	path string
	text []byte
}

// readInput reads the file for a command. It cannot be stdin: run --input reads that while the run goes on.
func readInput(command, path string) (*inputText, error) {
	switch path {
	case "":
		return nil, usageError("--input wants a file")
	case stdinName:
		return nil, usageError("%s --input wants a file, not -: save the lines in a file first", command)
	}
	file, err := openInput(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	text, err := io.ReadAll(file)
	if err != nil {
		return nil, usageError("--input: %w", err)
	}
	return &inputText{path, text}, nil
}

// start gives the lines to a run whose scripts are loaded, and checks all of them there. The error is a usage error. Without a file it does nothing.
func (i *inputText) start(r *run) error {
	if i == nil {
		return nil
	}
	r.flags.io.input = i.path
	return r.startInput(bytes.NewReader(i.text))
}

// feed does the inputs of the next frame to both worlds. It reports false if the runs are over: an input has stopped both, a
// signal came, or an input fits the limits of one world and not those of the other, which is a difference.
func (b *bisection) feed(signal *interruption) bool {
	inA, inB := b.a.feedFrame(signal), b.b.feedFrame(signal)
	switch {
	case b.a.stopped || b.b.stopped:
		b.stopped = true
	case inA && inB:
		return true
	case inA != inB:
		outcome := map[bool]string{true: "done", false: "refused"}
		b.found = fmt.Sprintf("before frame %d: an input: %s in A, %s in B", b.a.world().Frame()+1, outcome[inA], outcome[inB])
	default:
		b.ending = b.a.run.ended
	}
	return false
}
