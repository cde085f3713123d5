package app

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/pflag"
)

// This file has the flags of run that connect it with other programs, and opens their files.

// ioFlags are --input, --emit, --emit-to and --record.
type ioFlags struct {
	input  string // a path, - for stdin, "" for none
	emit   []string
	emitTo string // "" for stdout
	record string // "" for none
}

func (f *ioFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.input, "input", "", "read lines of JSON from `FILE|-` that send events, set resources or stop the run before\nthe frame that they name; - is stdin")
	flags.StringArrayVar(&f.emit, "emit", nil, "write each of these events as a line of JSON at the end of its frame: `EVENT,EVENT`;\nto stdout, where the summary then goes to stderr")
	flags.StringVar(&f.emitTo, "emit-to", "", "write the lines of --emit to `FILE`")
	flags.StringVar(&f.record, "record", "", "write to `FILE` what `ecsrun replay` needs to run this again and compare: texts, inputs,\ndigests of frames, systems and components")
}

// check returns an error for flags that do not go together.
func (f *ioFlags) check(changed func(string) bool, run runFlags) error {
	switch {
	case f.emitTo != "" && len(f.emit) == 0:
		return usageError("--emit-to needs --emit, which says which events to write")
	case changed("emit") && len(f.emit) > 0 && f.emit[0] == "":
		return usageError("--emit wants names of events, as in --emit Died,Hit")
	case changed("input") && f.input == "":
		return usageError("--input wants a file, or - for stdin")
	case changed("record") && f.record == "":
		return usageError("--record wants a file")
	case f.record != "" && run.watch:
		return usageError("--watch and --record do not go together: a record has one version of the scripts; end the run with --snapshot DIR, and go on with the changed scripts by --resume DIR --record FILE")
	case f.record != "" && run.supervise:
		return usageError("--record and --supervise do not go together: what runs again after a death would be in the record twice; record without --supervise (the record of a run that is killed is replayed to its last whole frame)")
	case f.record != "" && run.verify != "":
		return usageError("--verify and --record do not go together: a record is of one world; record the run, and compare with ecsrun replay or ecsrun bisect")
	}
	return nil
}

// paths returns the files that a confined run still reads, and those that it still writes.
func (f *ioFlags) paths() (read, write []string) {
	if f.input != "" && f.input != stdinName {
		read = append(read, f.input)
	}
	for _, path := range []string{f.emitTo, f.record} {
		if path != "" {
			write = append(write, path)
		}
	}
	return read, write
}

// ioFiles are the open files of these flags; nil for those that are not used.
type ioFiles struct {
	input  io.ReadSeekCloser
	emit   *os.File
	record *os.File
}

// open opens the files.
func (f *ioFlags) open(resumed bool) (files ioFiles, err error) {
	if f.input != "" && f.input != stdinName {
		if files.input, err = openInput(f.input); err != nil {
			return files, err
		}
	}
	if files.emit, err = openEmit(f.emitTo, resumed); err != nil {
		return files, err
	}
	if f.record != "" {
		if files.record, err = os.Create(filepath.Clean(f.record)); err != nil {
			return files, usageError("--record: %w", err)
		}
	}
	return files, nil
}

func (f *ioFiles) close() {
	if f.input != nil {
		_ = f.input.Close()
	}
	if f.emit != nil {
		_ = f.emit.Close() // every frame was flushed
	}
	if f.record != nil {
		_ = f.record.Close()
	}
}
