//go:build unix

package app

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// driveProcess starts rpc in a process of its own, which saves into the folder snaps.
func driveProcess(t *testing.T) (cmd *exec.Cmd, stdin io.Writer, stdout *bufio.Reader, snaps string) {
	t.Helper()
	config := drivenWorld(t)
	check(t, os.WriteFile(filepath.Join(filepath.Dir(config), "stuck.lua"), []byte("return function() end"), 0o666))
	snaps = filepath.Join(t.TempDir(), "snaps")
	cmd = exec.Command(os.Args[0])
	cmd.Args = []string{"operated", "rpc", config, "--frames", "0", "--quiet", "--history", "1MiB", "--snapshot", snaps}
	cmd.Stderr = &strings.Builder{}
	stdin, err := cmd.StdinPipe()
	check(t, err)
	out, err := cmd.StdoutPipe()
	check(t, err)
	check(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill() })
	return cmd, stdin, bufio.NewReader(out), snaps
}

func saved(t *testing.T, snaps string) {
	t.Helper()
	if files, err := filepath.Glob(filepath.Join(snaps, "frame-*.snap")); len(files) != 1 {
		t.Error(files, err)
	}
}

// A signal ends a run that another program drives, whatever waits: the frame is saved and all calls are answered.
func TestRPCSignals(t *testing.T) {
	const step = `{"jsonrpc":"2.0","id":1,"method":"run.step","params":{"frames":1000000000}}` + "\n"
	const back = `{"jsonrpc":"2.0","id":2,"method":"history.goto","params":{"frame":1}}` + "\n"
	for _, calls := range []string{step, step + step, step + back, "[" + step + "," + back + "," + step + "]\n"} {
		calls = strings.ReplaceAll(calls, "\n,", ",")
		calls = strings.ReplaceAll(calls, "\n]", "]")
		cmd, stdin, stdout, snaps := driveProcess(t)
		_, err := io.WriteString(stdin, `{"jsonrpc":"2.0","id":1,"method":"world.info"}`+"\n"+calls)
		check(t, err)
		if line, err := stdout.ReadString('\n'); err != nil || !strings.Contains(line, `"frame":0,`) {
			t.Fatal(line, err)
		}
		check(t, cmd.Process.Signal(syscall.SIGTERM))
		answers, err := io.ReadAll(stdout)
		check(t, err)
		if got, want := strings.Count(string(answers), "the run has ended: interrupted"), strings.Count(calls, "method"); got != want {
			t.Errorf("%d of %d calls are answered: %s", got, want, answers)
		}
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		saved(t, snaps)
	}
}

// A run whose answers nobody reads is saved and ends, and says how many are lost.
func TestRPCWithoutAReader(t *testing.T) {
	cmd, stdin, stdout, snaps := driveProcess(t)
	for range 200 { // 200 answers of 50 kB and more do not fit into a pipe
		_, err := io.WriteString(stdin, `{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}`+"\n")
		check(t, err)
	}
	if _, err := stdout.ReadByte(); err != nil {
		t.Fatal(err)
	}
	check(t, cmd.Process.Signal(syscall.SIGTERM))
	err := cmd.Wait()
	if said := fmt.Sprint(cmd.Stderr); cmd.ProcessState.ExitCode() != exitScript || !regexp.MustCompile(`lost: 1\d\d answers of rpc\n`).MatchString(said) {
		t.Error(err, said)
	}
	saved(t, snaps)
}
