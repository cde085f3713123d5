package app

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/confine"
	"github.com/ecsrun/ecsrun/config"
	"github.com/spf13/pflag"
)

// This file has the flags of run that connect it with other programs, and opens their files.

// ioFlags are --input, --emit, --emit-to and --record.
type ioFlags struct {
	input   string // a path, - for stdin, "" for none
	emit    []string
	emitTo  string // "" for stdout
	record  string // "" for none
	samples string // the file of --to; "" for none
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
	for _, path := range []string{f.emitTo, f.record, f.samples} {
		if path != "" {
			write = append(write, path)
		}
	}
	return read, write
}

// ioFiles are the open files of these flags; nil for those that are not used.
type ioFiles struct {
	input   io.ReadSeekCloser
	emit    *output
	record  *output
	samples *output
}

// open opens the files, before a confined process can no longer do so. What they hold stays until begin is called.
func (f *ioFlags) open() (files ioFiles, err error) {
	if f.input != "" && f.input != stdinName {
		if files.input, err = openInput(f.input); err != nil {
			return files, err
		}
	}
	if files.emit, err = openOutput("--emit-to", f.emitTo, os.O_WRONLY); err != nil {
		return files, err
	}
	if files.record, err = openOutput("--record", f.record, os.O_WRONLY); err != nil {
		return files, err
	}
	if files.samples, err = openOutput("--to", f.samples, os.O_RDWR); err != nil {
		return files, err
	}
	outs := []*output{files.emit, files.record, files.samples}
	for i, a := range outs {
		for _, b := range outs[i+1:] {
			if a != nil && b != nil && a.same(b) {
				return files, usageError("%s and %s name the same file", a.flag, b.flag)
			}
		}
	}
	for _, out := range []*output{files.emit, files.record, files.samples} {
		if in, ok := files.input.(*os.File); ok && out != nil && out.same(&output{File: in}) {
			return files, usageError("%s names the file that --input reads", out.flag)
		}
	}
	return files, nil
}

// apart returns an error if a file that the run is to write is one that it reads: of its world, or the snapshot that it goes on from, if there is
// one. Call it before begin.
func (f *ioFiles) apart(path string, c *config.Config, resumed *snapshot) error {
	for _, out := range []*output{f.emit, f.record, f.samples} {
		if out == nil || out.fresh {
			continue
		}
		mine, err := out.Stat()
		if err != nil || !mine.Mode().IsRegular() {
			continue
		}
		if resumed != nil {
			if info, err := resumed.file.Stat(); err == nil && os.SameFile(mine, info) {
				return usageError("%s would overwrite the snapshot that the run goes on from; name another file", out.flag)
			}
		}
		for _, of := range worldFiles(path, c) {
			if info, err := os.Stat(of); err == nil && os.SameFile(mine, info) {
				return usageError("%s %s would overwrite a file of the world; name another one", out.flag, of)
			}
		}
	}
	return nil
}

// worldFiles returns the files of a world: what its config names, and all Lua files in its folders of scripts.
func worldFiles(path string, c *config.Config) []string {
	list := configFiles(path, c)
	folders := []string{c.Scripts.Dir}
	for _, m := range c.Mods {
		folders = append(folders, m.Scripts)
	}
	for _, dir := range folders {
		if dir == "" {
			continue
		}
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error { // what cannot be read is no script
			if err == nil && !d.IsDir() && filepath.Ext(path) == ".lua" {
				list = append(list, path)
			}
			return nil
		})
	}
	return list
}

// configFiles returns the files of a world other than scripts.
func configFiles(path string, c *config.Config) []string {
	list := []string{path}
	for _, m := range c.Mods {
		found, _ := filepath.Glob(filepath.Join(m.Dir, "mod.*")) // the pattern is right
		list = append(list, found...)
	}
	for _, l := range c.Layers {
		if l.File != "" {
			list = append(list, l.File)
		}
	}
	for _, v := range c.Data {
		list = append(list, v.File)
	}
	return list
}

// An output is a file that a run writes.
type output struct {
	*os.File
	flag  string // that names it
	fresh bool   // it was made by this process, and the run has not begun
}

// openOutput opens a file for writing, without a change of what it holds; nil for "".
// mode is os.O_WRONLY or, for a file that a run which goes on reads first, os.O_RDWR.
func openOutput(flag, path string, mode int) (*output, error) {
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	fresh := errors.Is(err, os.ErrNotExist)
	if err == nil && !info.Mode().IsRegular() {
		mode = os.O_WRONLY // opening a pipe for both would not wait for its reader
	}
	file, err := os.OpenFile(filepath.Clean(path), mode|os.O_CREATE, 0o666)
	if err != nil {
		return nil, usageError("%s: %w", flag, err)
	}
	return &output{file, flag, fresh}, nil
}

// same reports whether two outputs are one file, of those that keep what is written.
func (o *output) same(other *output) bool {
	a, errA := o.Stat()
	b, errB := other.Stat()
	return errA == nil && errB == nil && a.Mode().IsRegular() && os.SameFile(a, b)
}

// begin empties the file, or goes to its end.
func (o *output) begin(appends bool) error {
	if o == nil {
		return nil
	}
	o.fresh = false
	info, err := o.Stat()
	switch {
	case err != nil:
	case !info.Mode().IsRegular(): // a pipe or a device
		return nil
	case appends:
		_, err = o.Seek(0, io.SeekEnd)
	default:
		err = o.Truncate(0)
	}
	if err != nil {
		return usageError("%s: %w", o.flag, err)
	}
	return nil
}

func (o *output) close() {
	if o == nil {
		return
	}
	_ = o.Close() // every frame was flushed
	if o.fresh {
		_ = os.Remove(o.Name()) // a confined process may not
	}
}

// begin makes the files ready for a run that begins; continues says that it goes on from a snapshot.
func (f *ioFiles) begin(continues bool) error {
	if err := f.emit.begin(continues); err != nil {
		return err
	}
	if f.samples != nil {
		f.samples.fresh = false // beginSamples empties it
	}
	return f.record.begin(false)
}

func (f *ioFiles) close() {
	if f.input != nil {
		_ = f.input.Close()
	}
	f.emit.close()
	f.record.close()
	f.samples.close()
}

// This file is --confine: before any script is loaded, the process gives up what the run does not need.

// The values of --confine. It is "" without the flag.
const (
	confineBest   = "yes"    // the run goes on where the kernel cannot
	confineStrict = "strict" // it ends there
)

// confine restricts the process to the folders of a config, which it may read, and to those in write. read lists what
// else it may read. What the kernel cannot restrict is said on stderr, or ends the run.
func (p *program) confine(how, path string, c *config.Config, read, write []string) error {
	read = append([]string{filepath.Dir(path), c.Scripts.Dir}, read...)
	for _, m := range c.Mods {
		read = append(read, m.Dir)
	}
	gaps, err := confine.Process(confine.Rules{Read: present(read), Write: write})
	if err != nil {
		return usageError("--confine: %w", err)
	}
	if len(gaps) == 0 {
		return nil
	}
	if how == confineStrict {
		return usageError("--confine=strict: %s", strings.Join(gaps, "; "))
	}
	for _, gap := range gaps {
		fmt.Fprintf(p.console.stderr(), "--confine: %s; the run goes on without that\n", gap)
	}
	return nil
}

// present returns the paths at which there is something: a config without Lua systems may name no script folder.
func present(paths []string) (out []string) {
	for _, path := range paths {
		if _, err := os.Stat(path); err == nil {
			out = append(out, path)
		}
	}
	return out
}
