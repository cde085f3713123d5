package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// This file is the page of what worlds are made of: layers, indexes, orders, inherited components, and four programs of them beside the same work
// over plain tables.

const worldsTitle = "Worlds"

// worlds is the folder of the programs, whose twins are those of mods.
var worlds = filepath.Join("tests", "bench", "worlds")

var worldsPage = callPage{title: worldsTitle, patterns: []pattern{
	{"World", "^BenchmarkWorld$", "./luabind"},
	{"Inherited", "^BenchmarkInherited$", "./luabind"},
}, rows: []callRow{
	{title: "`for y = 1, 300 do seen[y * 1000 + y] = true end`", bench: "World/seen", unit: perTurn, bar: 45_000},
	{title: "`world.resources.map[i]` read, 3,200 elements, each", bench: "World/map read", unit: perItem, bar: 60},
	{title: "… written", bench: "World/map written", unit: perItem, bar: 120},
	{title: "`layer:get` in a compiled loop", bench: "World/layer get", unit: perItem, bar: 5},
	{title: "`layer:set` in a compiled loop", bench: "World/layer set", unit: perItem, bar: 5},
	{title: "a cell of `for x, y, v in layer:each()` outside of query loops, read and written", bench: "World/cells", unit: perItem, bar: 15},
	{title: "a cell of `layer:around` within such a loop, read", bench: "World/cells around", unit: perItem, bar: 15},
	{title: "`layer:around` outside of compiled loops, 8 cells, interpreted: a walk", bench: "World/few cells", unit: perItem, bar: 1500},
	{title: "`world:at` in a compiled loop", bench: "World/at", unit: perItem, bar: 10},
	{
		title: "who moves in an index, in a compiled loop", bench: "World/moved", unit: perItem, bar: 40,
		why: "a move changes up to ten words in five places of memory that do not follow one another, and logs what was there, so that a row that fails can be restored: that alone takes 45 ns; who is where is asked of each written row again when the turn ends and the next one begins, because Go code may have written it",
	},
	{title: "… outside of one", bench: "World/moved outside", unit: perItem, bar: 100},
	{title: "a loop over 5,000 rows that inherit a component, beside own ones", bench: "Inherited/base", unit: perTurn, floor: "Inherited/own", bar: 1.5, times: true},
	{title: "… as a time", bench: "Inherited/base", unit: perTurn, bar: 8000},
	{title: "a loop of ordinary size in an order, 1 % of 10,000 keys changed, beside none", bench: "World/ordered", unit: perItem, floor: "World/unordered", bar: 3, times: true},
	{
		title: "the shortest loop in an order, likewise", bench: "World/ordered short", unit: perItem, floor: "World/unordered short", bar: 3, times: true,
		why: "two rows at a time without an order take 1 ns; reading the key of each row and the order of the last walk alone take more than 2",
	},
}}

const perItem = "quickest-ns/item"

// A worldRow is the bar of a program: how many times the time of luajit, or of lua5.4, a frame may take.
type worldRow struct {
	name, title string
	after       int // frames that are left out: loops become machine code in them
	frames      int
	bar         float64
	lua         bool // the bar is times lua5.4
}

var worldRows = []worldRow{
	{name: "schelling", title: "72,000 Schelling agents", after: 2, frames: 12, bar: 15. / 19}, // 15 ms where luajit takes 19
	{name: "life", title: "Life from the R-pentomino to its 116 cells", after: 100, frames: 1103, bar: 0.4 / 0.13},
	{name: "grid", title: "Life over all cells of a layer, 200 × 200", after: 20, frames: 200, bar: 0.4, lua: true},
	{name: "dungeon", title: "field of view and paths in a dungeon", after: 100, frames: 600, bar: 1.2, lua: true},
}

// showWorlds prints the programs.
func (p *luaPage) showWorlds() error {
	if err := p.prepare(); err != nil {
		return err
	}
	defer os.RemoveAll(p.work)
	var lines []string
	for _, r := range worldRows {
		m, err := p.worldTimes(r)
		if err != nil {
			return err
		}
		fmt.Fprintln(os.Stderr, r.line(m))
		lines = append(lines, r.line(m))
	}
	fmt.Printf("Programs, ms of user CPU time per frame; the quickest of %d runs, of each frame over plain tables\n\n", p.repeat)
	fmt.Println("| program | ecsrun | lua5.4 | luajit | ratio | bar | | equal sums |\n|---|---|---|---|---|---|---|---|")
	fmt.Printf("%s\n\n", strings.Join(lines, "\n"))
	return nil
}

// worldTimes measures a program and its twin. All of its process counts.
func (p *luaPage) worldTimes(r worldRow) (m modTimes, err error) {
	same, equal, err := p.sameSums(r.name)
	if err != nil {
		return m, err
	}
	m = modTimes{name: r.name, same: same, differs: !equal}
	some, all := math.Inf(1), math.Inf(1)
	for range p.repeat {
		for frames, least := range map[int]*float64{r.after: &some, r.frames: &all} {
			cmd := exec.Command(p.ecsrun, "run", filepath.Join(p.mods, r.name, "config.yaml"), "--quiet", "--frames", strconv.Itoa(frames))
			if out, err := cmd.CombinedOutput(); err != nil {
				return m, fmt.Errorf("%s: %w\n%s", r.name, err, out)
			}
			*least = min(*least, cmd.ProcessState.UserTime().Seconds())
		}
	}
	m.auto = 1e3 * (all - some) / float64(r.frames-r.after)
	return m, p.plain(&m, r.after)
}

func (r worldRow) line(m modTimes) string {
	by, than := m.jit, "luajit"
	if r.lua {
		by, than = m.lua, "lua5.4"
	}
	verdict := ""
	if m.differs {
		verdict = "**differs**"
	} else if by > 0 {
		verdict = verdicts[m.auto <= r.bar*by]
	}
	return fmt.Sprintf("| %s | %.4g | %s | %s | %s | ≤ %.2g × %s | %s | %s |", r.title, m.auto, figure(m.lua), figure(m.jit), times(m.auto, by), r.bar, than, verdict, m.same)
}
