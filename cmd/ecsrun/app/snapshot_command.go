package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/durable"
	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/export"
	"github.com/ecsrun/ecsrun/ecs"
	"github.com/ecsrun/ecsrun/luabind"
)

// The command snapshot looks into the files that run --snapshot writes. It needs neither config nor scripts.

func (p *program) snapshotCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "snapshot",
		Short: "Look into snapshots: show, verify, diff, export",
		Long: `snapshot looks into the files that ecsrun run --snapshot writes. It needs neither
the config nor the scripts of the run.`,
		Args: unknownCommand,
		RunE: help,
	}
	var asJSON bool
	show := &cobra.Command{
		Use:   "show FILE",
		Short: "Print what a snapshot holds: frame, time, seed, entities, tables, systems, sizes",
		Args:  snapshotArgs(1, 1),
		RunE:  func(_ *cobra.Command, args []string) error { return p.showSnapshot(args[0], asJSON) },
	}
	show.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	verify := &cobra.Command{
		Use:   "verify FILE...",
		Short: "Check that snapshots are whole; exit code 2 if one is damaged",
		Args:  snapshotArgs(1, -1),
		RunE:  func(_ *cobra.Command, args []string) error { return p.verifySnapshots(args) },
	}
	diff := &cobra.Command{
		Use:   "diff A B",
		Short: "List the first 100 differences of two snapshots; exit code 1 if there are any",
		Args:  snapshotArgs(2, 2),
		RunE:  func(_ *cobra.Command, args []string) error { return p.diffSnapshots(args[0], args[1]) },
	}
	var format, out string
	save := &cobra.Command{
		Use:     "export FILE --format jsonl|csv --out DIR",
		Short:   "Write the world of a snapshot as tables: a file per component, _tags, _relations, _resources",
		Example: `  ecsrun snapshot export snapshots/frame-0000000600.snap --format csv --out tables`,
		Args:    snapshotArgs(1, 1),
		RunE:    func(_ *cobra.Command, args []string) error { return p.exportSnapshot(args[0], format, out) },
	}
	save.Flags().StringVar(&format, "format", "", "`FORMAT` of the files: "+strings.Join(export.Formats, ", "))
	save.Flags().StringVar(&out, "out", "", "the folder `DIR` for the files; it is made if it is not there")
	if err := save.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(export.Formats, cobra.ShellCompDirectiveNoFileComp)); err != nil {
		panic("app: " + err.Error()) // the flag is there
	}
	for _, c := range []*cobra.Command{show, verify, diff, save} {
		c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return []string{strings.TrimPrefix(snapshotSuffix, ".")}, cobra.ShellCompDirectiveFilterFileExt
		}
	}
	cmd.AddCommand(show, verify, diff, save)
	return cmd
}

// snapshotArgs requires so many files; most is -1 for any number.
func snapshotArgs(least, most int) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || most >= 0 && len(args) > most {
			return usageError("%s takes %s", cmd.CommandPath(), strings.TrimPrefix(cmd.Use, cmd.Name()+" "))
		}
		return nil
	}
}

// readSnapshot opens a snapshot and reads its world.
func readSnapshot(path string) (*snapshot, *ecs.World, error) {
	s, err := openSnapshot(path)
	if err != nil {
		return nil, nil, err
	}
	saved, err := ecs.LoadSchedule(s.reader, ecs.Options{})
	if err != nil {
		s.close()
		return nil, nil, damaged(path, err)
	}
	return s, saved.World(), nil
}

// A shown is what show prints of a snapshot.
type shown struct {
	File      string             `json:"file"`
	Program   string             `json:"program"`
	Config    string             `json:"config"`
	Overrides []string           `json:"overrides"`
	Mods      []luabind.SavedMod `json:"mods"`
	Frame     uint64             `json:"frame"`
	Time      float64            `json:"time"`
	Seed      uint64             `json:"seed"`
	Failed    bool               `json:"failed"`
	Entities  int                `json:"entities"`
	Tables    int                `json:"tables"`
	Systems   []string           `json:"systems"`
	Bytes     int64              `json:"bytes"`
	Sections  []shownSection     `json:"sections"`
}

type shownSection struct {
	Name   string `json:"name"`
	Bytes  int64  `json:"bytes"`
	Stored int64  `json:"stored"`
}

func (p *program) showSnapshot(path string, asJSON bool) error {
	s, w, err := readSnapshot(path)
	if err != nil {
		return usageError("%w", err)
	}
	defer s.close()
	m := s.meta
	v := shown{
		File: path, Program: m.Program, Config: m.Config, Overrides: append([]string{}, m.Overrides...), Mods: append([]luabind.SavedMod{}, m.Mods...), Frame: m.Frame, Time: m.Time, Seed: m.Seed, Failed: m.Failed,
		Entities: w.Len(), Tables: len(w.Tables()), Systems: append([]string{}, m.Systems...), Bytes: s.size, Sections: []shownSection{},
	}
	for _, part := range s.reader.Sections() {
		v.Sections = append(v.Sections, shownSection{part.Name, part.Raw, part.Stored})
	}
	out := p.console.stdout()
	if asJSON {
		e := json.NewEncoder(out)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(v)
	}
	fmt.Fprintf(out, "%s: after frame %d, %.6g s of world time, seed %d\n", path, v.Frame, v.Time+w.DT(), v.Seed) // as in the summary of a run
	if v.Failed {
		fmt.Fprintf(out, "taken where frame %d had failed; a run cannot go on from it\n", v.Frame)
	}
	fmt.Fprintf(out, "config: %s\n", v.Config)
	if len(v.Overrides) > 0 {
		fmt.Fprintf(out, "overrides: %s\n", strings.Join(v.Overrides, " "))
	}
	if len(v.Mods) > 0 {
		var mods []string
		for _, m := range v.Mods {
			mods = append(mods, m.Name+" "+m.Version)
		}
		fmt.Fprintf(out, "mods: %s\n", strings.Join(mods, ", "))
	}
	fmt.Fprintf(out, "written by %s\n", v.Program)
	fmt.Fprintf(out, "%s in %s\n", counted(v.Entities, "entity"), counted(v.Tables, "table"))
	fmt.Fprintf(out, "systems: %s\n\n", strings.Join(v.Systems, ", "))
	rows := [][]string{{"section", "bytes", "in the file"}}
	for _, part := range v.Sections {
		rows = append(rows, []string{part.Name, grouped(uint64(part.Bytes)), grouped(uint64(part.Stored))})
	}
	rows = append(rows, []string{"file", "", grouped(uint64(v.Bytes))})
	writeColumns(out, rows, 1)
	return nil
}

// verifySnapshots checks the sums of each file, and reads all that is in it.
func (p *program) verifySnapshots(paths []string) error {
	bad := false
	for _, path := range paths {
		s, _, err := readSnapshot(path)
		if err == nil {
			_, err = luabind.ReadVariables(s.reader)
			if err != nil {
				err = damaged(path, err)
			}
			s.close()
		}
		if err != nil {
			bad = true
			fmt.Fprintln(p.console.stderr(), err)
			continue
		}
		fmt.Fprintf(p.console.stdout(), "%s: whole, after frame %d\n", path, s.meta.Frame)
	}
	if bad {
		return &exit{code: exitUsage}
	}
	return nil
}

// mostDifferences is how many differences diff prints.
const mostDifferences = 100

func (p *program) diffSnapshots(pathA, pathB string) error {
	a, worldA, err := readSnapshot(pathA)
	if err != nil {
		return usageError("%w", err)
	}
	defer a.close()
	b, worldB, err := readSnapshot(pathB)
	if err != nil {
		return usageError("%w", err)
	}
	defer b.close()
	if a.meta.Frame != b.meta.Frame {
		fmt.Fprintf(p.console.stderr(), "%s is after frame %d, %s after frame %d\n", pathA, a.meta.Frame, pathB, b.meta.Frame)
	}
	var lines []string
	for _, d := range worldA.Differences(worldB, mostDifferences+1) {
		lines = append(lines, d.String())
	}
	if len(lines) <= mostDifferences {
		more, err := variableDifferences(a, b)
		if err != nil {
			return usageError("%w", err)
		}
		lines = append(lines, more...)
	}
	for i, line := range lines {
		if i == mostDifferences {
			fmt.Fprintf(p.console.stdout(), "… and more: these are the first %d\n", mostDifferences)
			break
		}
		fmt.Fprintln(p.console.stdout(), line)
	}
	if len(lines) > 0 {
		return &exit{code: exitTest}
	}
	return nil
}

// variableDifferences compares what scripts remember, by the names of the variables.
func variableDifferences(a, b *snapshot) (lines []string, err error) {
	var lists [2][]luabind.Variable
	var values [2]map[string]string
	for i, s := range []*snapshot{a, b} {
		if lists[i], err = luabind.ReadVariables(s.reader); err != nil {
			return nil, damaged(s.path, err)
		}
		values[i] = map[string]string{}
		for _, v := range lists[i] {
			values[i][v.Path] = v.Value
		}
	}
	for _, v := range lists[0] {
		other, there := values[1][v.Path]
		switch {
		case !there:
			lines = append(lines, fmt.Sprintf("%s: %s, nothing", v.Path, v.Value))
		case other != v.Value:
			x, y := ecs.Shortened(v.Value, other)
			lines = append(lines, fmt.Sprintf("%s: %s, %s", v.Path, x, y))
		}
	}
	for _, v := range lists[1] {
		if _, there := values[0][v.Path]; !there {
			lines = append(lines, fmt.Sprintf("%s: nothing, %s", v.Path, v.Value))
		}
	}
	return lines, nil
}

func (p *program) exportSnapshot(path, format, dir string) error {
	switch {
	case format == "":
		return usageError("--format is missing; formats are %s", strings.Join(export.Formats, ", "))
	case dir == "":
		return usageError("--out DIR is missing: the folder for the files")
	}
	if !slices.Contains(export.Formats, format) {
		return usageError("there is no format %q; %s", format, meant(format, "formats", export.Formats))
	}
	s, w, err := readSnapshot(path)
	if err != nil {
		return usageError("%w", err)
	}
	defer s.close()
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return usageError("--out: %w", err)
	}
	names, err := export.World(w, export.Format(format), func(name string, fill func(io.Writer) error) error {
		err := durable.Write(durable.OS, filepath.Join(dir, name), fill)
		if errors.Is(err, durable.ErrNotSynced) {
			err = nil // whoever exports again has lost nothing
		}
		return err
	})
	if err != nil {
		return outputError("%w", err)
	}
	fmt.Fprintf(p.console.stdout(), "%s in %s\n", counted(len(names), "file"), dir)
	return nil
}
