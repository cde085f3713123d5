//go:build unix

package app

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/ecsrun/ecsrun/ecs"
)

// deadly are systems in Go that end the process: in frame 5, and in the process that WORK/NAME does not name yet.
func deadly(name string, do func()) ecs.NativeFunc {
	return turns(func(w *ecs.World) error {
		mark := filepath.Join(os.Getenv("WORK"), name)
		if _, err := os.Stat(mark); w.Frame() != 5 || err == nil {
			return nil
		}
		for saved := os.Getenv("WAITFOR"); saved != ""; time.Sleep(time.Millisecond) { // the save that is in flight
			if _, err := os.Stat(saved); err == nil {
				break
			}
		}
		if !strings.HasPrefix(name, "always") {
			if err := os.WriteFile(mark, nil, 0o666); err != nil {
				return err
			}
		}
		do()
		return nil
	})
}

func killSelf() {
	_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
	select {}
}

// overflow is a fatal error of Go, which no recover catches.
func overflow() {
	debug.SetMaxStack(1 << 20)
	var f func(int) int
	f = func(n int) int { return f(n+1) + 1 }
	f(0)
}

func init() {
	helpers["deadly"] = func() {
		hurry()
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, append(custom(), Natives(map[string]ecs.NativeFunc{
			"killed":        deadly("killed", killSelf),
			"always-killed": deadly("always-killed", killSelf),
			"fatal":         deadly("fatal", overflow),
			"process": turns(func(w *ecs.World) error {
				_, err := fmt.Printf("frame %d %d\n", w.Frame(), os.Getpid())
				return err
			}),
			"bug": deadly("bug", func() { panic("row 4 of table 2 is nobody's") }),
		}))...))
	}
}

// killOften runs a supervised world with a save after every frame and kills the child again and again, as soon as
// another frame has run and a random while later, so often in the middle of a save. It wants that no frame is run again
// that was saved, and that the digest is that of a run that was left alone.
func killOften(times int, config, dir string) (report string, err error) {
	frames := strconv.Itoa(2*times + 5) // on a busy machine, frames pass between two kills
	whole := exec.Command(os.Args[0])
	whole.Args = []string{"deadly", "run", config, "--frames", frames, "--hash", "--quiet"}
	want, err := whole.Output()
	if err != nil {
		return "", fmt.Errorf("the run that is left alone: %w", err)
	}
	cmd := exec.Command(os.Args[0])
	cmd.Args = []string{"deadly", "run", config, "--frames", frames, "--hash", "--quiet", "--supervise", "--snapshot", dir, "--snapshot-every", "1", "--snapshot-keep", "2"}
	var problems bytes.Buffer
	cmd.Stderr = &problems
	out, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	random := rand.New(rand.NewPCG(1, 2))
	kills, lost, last, saved, before, dead := 0, 0, 0, -1, uint64(0), 0
	digest := ""
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		word, rest, _ := strings.Cut(lines.Text(), " ")
		if word == "digest" {
			digest = lines.Text()
			continue
		}
		var frame, child int
		if _, err := fmt.Sscanf(rest, "%d %d", &frame, &child); err != nil {
			return "", fmt.Errorf("%q: %w", lines.Text(), err)
		}
		if child == dead { // written before it was killed
			last = frame
			continue
		}
		if saved >= 0 { // the first line of the next child
			if frame <= saved {
				return "", fmt.Errorf("frame %d is run again, although frame %d was saved", frame, saved)
			}
			lost += max(0, last-frame+1)
			saved = -1
		}
		last = frame
		newest := uint64(0)
		if frames, _ := snapshotsIn(dir); len(frames) > 0 {
			newest = frames[0]
		}
		if kills == times || kills > 0 && newest <= before { // each kill waits for another frame that is saved
			continue
		}
		before = newest
		time.Sleep(time.Duration(random.IntN(3000)) * time.Microsecond)
		if frames, _ := snapshotsIn(dir); len(frames) > 0 {
			saved = int(frames[0])
		} else {
			saved = 0
		}
		if err := syscall.Kill(child, syscall.SIGKILL); err == nil {
			kills++
			dead = child
		} else {
			saved = -1
		}
	}
	if err := cmd.Wait(); err != nil {
		return "", fmt.Errorf("the supervised run: %w\n%s", err, problems.String())
	}
	if text := string(want); !strings.HasSuffix(strings.TrimSpace(text), digest) || digest == "" {
		return "", fmt.Errorf("it ends with %q, the run that was left alone with %q", digest, text[max(0, len(text)-50):])
	}
	if kills < times {
		return "", fmt.Errorf("it was killed %d times only", kills)
	}
	return fmt.Sprintf("killed %d times, %d frames run again, none that was saved", kills, lost), nil
}

// TestKilledDuringSaves kills a child 20 times. With KILLS=1000 it is the proof of docs/reliability.md.
func TestKilledDuringSaves(t *testing.T) {
	times := 20
	if n, err := strconv.Atoi(os.Getenv("KILLS")); err == nil {
		times = n
	} else if testing.Short() {
		times = 5
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"world.yaml": "version: 1\ncomponents: [{ name: P, fields: [x f64, y f64] }]\nsystems:\n  - { name: move, script: move.lua }\n  - { name: say, native: process }\n",
		"move.lua": `return function(world)
  if world.frame == 1 then for i = 1, 20000 do world.commands:spawn { P = { x = i } } end end
  for e, p in world:each("P") do p.x = p.x + math.random() p.y = p.y + 1 end
end`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	report, err := killOften(times, filepath.Join(dir, "world.yaml"), filepath.Join(dir, "snaps"))
	if err != nil {
		t.Fatal(err)
	}
	t.Log(report)
}

// TestPage: notes are whole at every moment, long names are cut, orders arrive.
func TestPage(t *testing.T) {
	p, f, err := newPage()
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	want := orders{Resume: "a/b", Without: []string{"x", "y"}, Claim: true}
	if !p.reset(want) {
		t.Fatal("the orders are too long")
	}
	child, err := mapPage(int(f.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	if got, ok := child.read(); !ok || fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("orders %v, %v", got, ok)
	}
	if p.reset(orders{Resume: strings.Repeat("x", ordersSize)}) {
		t.Error("orders without end are accepted")
	}
	s := ecs.NewSchedule(ecs.NewWorld(ecs.Options{}))
	for _, name := range []string{"a", strings.Repeat("long", 100)} {
		sys, err := s.AddSystem(ecs.SystemSpec{Name: name, Run: func(*ecs.World, float64) error { return nil }})
		if err != nil {
			t.Fatal(err)
		}
		child.turn(sys, 7)
		if got, frame := p.running(); got != name[:min(len(name), noteSize)] || frame != 7 {
			t.Errorf("running %q in frame %d", got, frame)
		}
		if n := testing.AllocsPerRun(100, func() { child.turn(sys, 8); child.turn(nil, 8) }); n != 0 {
			t.Errorf("a note allocates %v times", n)
		}
	}
	if got, frame := p.running(); got != "" || frame != 8 {
		t.Errorf("between turns: %q, frame %d", got, frame)
	}
	if inheritedPage("7000") != nil || inheritedPage("x") != nil || inheritedPage("0") != nil {
		t.Error("a file that is no page is taken for one")
	}
}

// A read of a pipe that waits can be ended, which shows that no thread waits in it.
func TestNoThreadWaitsInAPipe(t *testing.T) {
	var ends [2]int
	if err := syscall.Pipe(ends[:]); err != nil {
		t.Fatal(err)
	}
	in := os.NewFile(uintptr(ends[0]), "stdin")
	waiting := waited(in).(*os.File)
	pipes = append(pipes, in, waiting)
	if err := waiting.SetReadDeadline(time.Now()); err != nil {
		t.Fatal(err)
	}
	if n, err := waiting.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%d, %v", n, err)
	}
	if text := io.Reader(strings.NewReader("lines")); waited(text) != text {
		t.Error("another reader is not what it was")
	}
}

// pipes are two files of one descriptor. They stay reachable: each would close it when it is collected.
var pipes []*os.File
