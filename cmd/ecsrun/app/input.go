package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/ecsrun/ecsrun/luabind/inputs"
)

// This file is --input: lines of JSON that are done to the world before a frame. Those of a file are all checked before
// frame 1; those of stdin are read while the run goes on.

// stdinName is what --input and messages call stdin.
const stdinName = "-"

// A feed is the source of the inputs of a run.
type feed struct {
	decoder inputs.Decoder
	lines   *inputs.Lines  // of a file
	arrived chan arrival   // of stdin; nil for a file
	held    []inputs.Input // at most one: it has been read, and its frame comes later
	over    bool           // there are no more lines
	passed  int            // lines of frames that were run before the run was resumed
	failed  bool           // a line was wrong while the run was going on
	full    bool           // a line did not fit a limit of the world
}

// An arrival is one line of stdin, or the error at its end.
type arrival struct {
	line []byte
	err  error
}

// aheadLines is how many lines of stdin are read before they are wanted.
const aheadLines = 256

// openInput opens the file of --input. It is called before a confined process can no longer do so. The result of a pipe or
// a device is in memory, because it is read twice.
func openInput(path string) (io.ReadSeekCloser, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, usageError("--input: %w", err)
	}
	info, err := file.Stat()
	switch {
	case err != nil:
	case info.IsDir():
		err = fmt.Errorf("%s is a folder", path)
	case info.Mode().IsRegular():
		return file, nil
	default:
		const most = 1 << 30
		var text []byte
		if text, err = io.ReadAll(io.LimitReader(file, most+1)); err == nil && len(text) > most {
			err = fmt.Errorf("%s: more than %d bytes; pass them with --input -", path, most)
		}
		if err == nil {
			_ = file.Close()
			return memoryFile{bytes.NewReader(text)}, nil
		}
	}
	_ = file.Close()
	return nil, usageError("--input: %w", err)
}

// A memoryFile is a file whose content is in memory.
type memoryFile struct{ *bytes.Reader }

func (memoryFile) Close() error { return nil }

// startInput checks a file whole, or begins to read stdin. The declarations of the world are complete by now.
func (r *run) startInput(file io.ReadSeeker) error {
	world := r.runtime.World()
	f := &feed{decoder: inputs.Decoder{World: world, File: r.flags.io.input, Next: 1}}
	if file == nil {
		f.decoder.File, f.decoder.Next, f.decoder.Live = "stdin", world.Frame()+1, r.config.Run.Realtime
		f.arrived = make(chan arrival, aheadLines)
		go receive(r.stdin, f.arrived)
		r.feed = f
		return nil
	}
	f.lines = inputs.NewLines(file)
	check := f.decoder
	for {
		line, err := f.lines.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			_, _, err = check.Decode(line)
		}
		if err != nil {
			return usageError("--input: %w", err)
		}
	}
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return usageError("--input: %w", err)
	}
	f.lines = inputs.NewLines(file)
	r.feed = f
	return nil
}

// receive passes on the lines of stdin. It ends with stdin, or with the process.
func receive(stdin io.Reader, to chan<- arrival) {
	lines := inputs.NewLines(stdin)
	for {
		line, err := lines.Next()
		to <- arrival{line, err}
		if err != nil {
			return
		}
	}
}

// next returns the next input. ok is false at the end of the inputs, when no live input has come yet, and when a signal came
// while next waited.
func (f *feed) next(signal *interruption) (in inputs.Input, ok bool, err error) {
	if len(f.held) > 0 {
		in, f.held = f.held[0], f.held[:0]
		return in, true, nil
	}
	for !f.over {
		var line []byte
		switch {
		case f.arrived == nil:
			line, err = f.lines.Next()
		case f.decoder.Live:
			select {
			case a := <-f.arrived:
				line, err = a.line, a.err
			default:
				return in, false, nil
			}
		default:
			select {
			case a := <-f.arrived:
				line, err = a.line, a.err
			case <-signal.first.Done():
				return in, false, nil
			}
		}
		if err != nil {
			f.over = true
			if errors.Is(err, io.EOF) {
				return in, false, nil
			}
			return in, false, fmt.Errorf("%s: %w", f.decoder.File, err)
		}
		if in, ok, err = f.decoder.Decode(line); ok || err != nil {
			return in, ok, err
		}
	}
	return in, false, nil
}

// feedFrame applies the inputs of the next frame. It reports false if the run is over: an input has stopped it or is wrong,
// or a signal came.
func (r *run) feedFrame(signal *interruption) bool {
	f := r.feed
	if f == nil {
		return true
	}
	frame := r.runtime.World().Frame() + 1
	if f.arrived != nil { // the first lines of a file are those of frame 1, also when that was run before
		f.decoder.Next = max(f.decoder.Next, frame)
	}
	for {
		in, ok, err := f.next(signal)
		switch {
		case err != nil:
			f.failed = true
			r.ended = "an input is wrong"
			fmt.Fprintf(r.console.stderr(), "ecsrun: --input: %v\n", err)
			return false
		case signal.came():
			r.stopped, r.ended = true, "interrupted"
			return false
		case !ok:
			return true
		case in.Frame < frame:
			f.passed++
			continue
		case in.Frame > frame:
			f.held = append(f.held, in)
			return true
		}
		if r.trace != nil {
			r.trace.input(in.Text)
		}
		if in.Kind == inputs.Stop {
			r.ended = fmt.Sprintf("stopped before frame %d by an input: %s", frame, in.Why)
			return false
		}
		err = in.Apply(r.runtime.World())
		if err == nil && r.verify != nil {
			err = in.Apply(r.verify.b.runtime.World())
		}
		if err != nil {
			f.full = true
			r.ended = "an input does not fit a limit"
			fmt.Fprintf(r.console.stderr(), "ecsrun: --input: %s:%d: %v\n", f.decoder.File, in.Line, err)
			return false
		}
	}
}

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
