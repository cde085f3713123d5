package app

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// slowSweep is a sweep of one world that takes a second or two, and is recorded.
const slowSweep = `version: 1
config: world.yaml
frames: 700
seeds: { from: 1, count: 1 }
measure: [{ name: score, value: resources.score }]
worst: max(score)
`

// startSweep starts the slow sweep into the folder s.
func startSweep(t *testing.T) (*exec.Cmd, *bytes.Buffer) {
	t.Helper()
	sweepFolder(t)
	check(t, os.WriteFile("slow.yaml", []byte(slowSweep), 0o600))
	cmd, out := exec.Command("ecsrun", "sweep", "slow.yaml", "--out", "s", "--workers", "1"), &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = out, out
	check(t, cmd.Start())
	t.Cleanup(func() {
		_ = cmd.Process.Kill() // it may be over
		_ = cmd.Wait()
	})
	return cmd, out
}

// A signal that comes while records are made ends their runs; the results are whole, and the next start makes the records.
func TestSignalWhileRecordsAreMade(t *testing.T) {
	cmd, out := startSweep(t)
	for {
		if _, err := os.Stat("s/report.html"); err == nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	check(t, cmd.Process.Signal(syscall.SIGTERM))
	_ = cmd.Wait() // the code is what counts
	if code := cmd.ProcessState.ExitCode(); code != 130 || !strings.Contains(out.String(), "1 of 1 row, 1 ok") || !strings.Contains(out.String(), "a signal came before all records were made") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if _, err := os.Stat("s/.work"); err == nil {
		t.Error("files of the sweep are left")
	}
	if made, _ := os.ReadDir("s/records"); len(made) != 0 {
		t.Errorf("%d records", len(made))
	}
	ecsrun(t, 0, "sweep", "slow.yaml", "--out", "s")
	if made, _ := os.ReadDir("s/records"); len(made) != 1 {
		t.Errorf("%d records after the next start", len(made))
	}
}

// A world that ended its process three times is parked, and the coordinator does not run it for a record.
func TestParkedWorldsAreNotRecorded(t *testing.T) {
	cmd, out := startSweep(t)
	ended := make(chan bool)
	go func() {
		_ = cmd.Wait() // the code is what counts
		close(ended)
	}()
	for over := false; !over; {
		select {
		case <-ended:
			over = true
		case <-time.After(200 * time.Millisecond): // it has taken the job
			for _, pid := range children(cmd.Process.Pid) {
				_ = syscall.Kill(pid, syscall.SIGKILL) // it may be over
			}
		}
	}
	if code := cmd.ProcessState.ExitCode(); code != 4 || !strings.Contains(out.String(), "1 parked") {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if _, err := os.Stat("s/records"); err == nil {
		t.Error("it was recorded")
	}
}
