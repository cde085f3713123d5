package app

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app/sweep/job"
)

// This file is the other side of sweep_child.go: it starts the process, and asks it.

// A jobProcess is a process that runs jobs. It belongs to one goroutine, all but kill.
type jobProcess struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *json.Decoder
	to   *json.Encoder
	said *tail
	mu   sync.Mutex
	over bool
}

// errDied is the error of ask when the process has died.
var errDied = errors.New("the process has died")

// startJobs starts a process for the files in a folder. The calling goroutine has to stay on its thread while the process lives, because the system tells the child of the death of that.
func (p *program) startJobs(dir string, workers int, variables ...string) (*jobProcess, error) {
	path, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(path)
	cmd.Args = commandName(p.args)
	cmd.Env = append(slices.DeleteFunc(slices.Clone(p.env), func(v string) bool { return strings.HasPrefix(v, "ECSRUN_") }), jobsVariable+"="+dir)
	cmd.Env = append(cmd.Env, variables...)
	if os.Getenv("GOMAXPROCS") == "" {
		cmd.Env = append(cmd.Env, fmt.Sprintf("GOMAXPROCS=%d", max(1, runtime.NumCPU()/workers)))
	}
	apart(cmd)
	j := &jobProcess{cmd: cmd, said: &tail{}}
	cmd.Stderr = j.said
	if j.in, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	j.out, j.to = json.NewDecoder(bufio.NewReader(out)), json.NewEncoder(j.in)
	return j, cmd.Start()
}

// ask asks for a job and waits for the answer. The error is errDied with what the process has said.
func (j *jobProcess) ask(r job.Request) (a job.Answer, err error) {
	if err = j.to.Encode(r); err == nil {
		err = j.out.Decode(&a)
	}
	if err == nil {
		return a, nil
	}
	j.kill()
	_ = j.cmd.Wait() // that it died is known
	return a, fmt.Errorf("%w: %s", errDied, causeOf(j.cmd.ProcessState))
}

// end ends the process, which is not working.
func (j *jobProcess) end() {
	_ = j.in.Close()
	_ = j.cmd.Wait() // its answers are there
	j.mu.Lock()
	j.over = true
	j.mu.Unlock()
}

// kill ends the process at once. Any goroutine may call it.
func (j *jobProcess) kill() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.over {
		_ = j.cmd.Process.Kill() // it may be dead already
	}
	j.over = true
}

// A tail keeps the last text that a process writes.
type tail struct {
	mu   sync.Mutex
	text []byte
}

// Write implements [io.Writer].
func (t *tail) Write(b []byte) (int, error) {
	const most = 8 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b...)
	if extra := len(t.text) - most; extra > 0 {
		t.text = slices.Delete(t.text, 0, extra)
	}
	return len(b), nil
}

func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.text)
}
