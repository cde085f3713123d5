package app

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/ecsrun/ecsrun/config/files"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind/inputs"
	"github.com/ecsrun/ecsrun/luabind/luatest"
)

// t.world{ input = "play.jsonl" }: the lines of a file are done to the world of a test before the frames that they name.

// A testInput is the lines of the file, by frame.
type testInput struct {
	world *ecs.World
	name  string // as the test has written it
	text  []byte
	lines map[uint64][]inputs.Input
}

// testInputOf reads the file, which lies in the folder of the test. It returns nil if the test names none.
func testInputOf(spec luatest.WorldSpec, world *ecs.World, reading *reading) (func(frame uint64) error, error) {
	if spec.Input == "" {
		return nil, nil
	}
	folder, name := filepath.Dir(filepath.FromSlash(spec.File.Name)), path.Clean(spec.Input)
	if !fs.ValidPath(name) {
		return nil, fmt.Errorf("input: %q lies outside of the folder of the test; put the file beside the test", spec.Input)
	}
	reading.note(filepath.Join(folder, filepath.FromSlash(name)))
	text, err := fs.ReadFile(files.Folder(folder), name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("input: there is no file %q", spec.Input)
	case err != nil:
		return nil, fmt.Errorf("input: %w", err)
	}
	i := &testInput{world: world, name: spec.Input, text: text}
	return i.before, nil
}

// before does the lines of a frame; for frame 0 it decodes all of them.
func (i *testInput) before(frame uint64) error {
	if frame == 0 {
		return i.decode()
	}
	for _, in := range i.lines[frame] {
		if in.Kind == inputs.Stop {
			i.world.Stop(in.Why)
			return nil
		}
		if err := in.Apply(i.world); err != nil {
			return fmt.Errorf("%s:%d: %w", i.name, in.Line, err)
		}
	}
	return nil
}

func (i *testInput) decode() error {
	i.lines = map[uint64][]inputs.Input{}
	d, lines := inputs.Decoder{World: i.world, File: i.name, Next: 1}, inputs.NewLines(bytes.NewReader(i.text))
	for {
		line, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		in, ok, err := d.Decode(line)
		if err != nil {
			return err
		}
		if ok {
			i.lines[in.Frame] = append(i.lines[in.Frame], in)
		}
	}
}
