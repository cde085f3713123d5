package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
)

// This file measures what the inspector, the history and the metrics cost a run: whole runs, one after the other, of which the part between
// two lines that the world prints is measured.

const (
	million    = "tests/bench/window/million.yaml"
	tick       = 10 * time.Millisecond // the unit of /proc/PID/stat
	browserBin = "chromium-headless-shell"
)

// A variant is a way to run the world.
type variant struct {
	name    string
	flags   []string
	page    bool // a browser shows the page
	asked   bool // what the page asks for is asked, without a browser
	scraped bool // the metrics are read each second
}

var variants = []variant{
	{name: "no flag"},
	{name: "no flag, again"},
	{name: "--inspect, nobody there", flags: []string{"--inspect"}},
	{name: "--inspect, one page open", flags: []string{"--inspect", "--inspect-wait"}, page: true},
	{name: "--inspect, what a page asks for", flags: []string{"--inspect", "--inspect-wait"}, asked: true},
	{name: "--inspect --history 256MiB", flags: []string{"--inspect", "--history", "256MiB"}},
	{name: "--metrics, read each second", flags: []string{"--metrics", "127.0.0.1:0"}, scraped: true},
}

// A span is what the part between the two lines took.
type span struct{ wall, cpu time.Duration }

// showWindow measures every variant, in turn, rounds times, and prints medians. The program is built from this tree.
func showWindow(rounds int, units string) error {
	work, err := os.MkdirTemp("", "ecsrun-window")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	program := filepath.Join(work, "ecsrun")
	if _, err := output("go", "build", "-o", program, "./cmd/ecsrun"); err != nil {
		return err
	}
	took := map[string][]span{}
	for round := range rounds {
		fmt.Fprintf(os.Stderr, "round %d of %d\n", round+1, rounds)
		for i := range variants {
			v := variants[(i+round)%len(variants)]
			s, err := v.run(program, units)
			if err != nil {
				return fmt.Errorf("%s: %w", v.name, err)
			}
			took[v.name] = append(took[v.name], s)
		}
	}
	fmt.Printf("## The window\n\n%s entities that move; medians of %d interleaved runs, and the median of the ratios of each round\n\n", units, rounds)
	fmt.Println("| run | seconds | ratio | CPU seconds | ratio |\n|---|---|---|---|---|")
	base := took[variants[0].name]
	for _, v := range variants {
		var wall, cpu, wallRatio, cpuRatio []float64
		for i, s := range took[v.name] {
			wall, cpu = append(wall, s.wall.Seconds()), append(cpu, s.cpu.Seconds())
			wallRatio, cpuRatio = append(wallRatio, s.wall.Seconds()/base[i].wall.Seconds()), append(cpuRatio, s.cpu.Seconds()/base[i].cpu.Seconds())
		}
		fmt.Printf("| %s | %.3f | %.3f × | %.2f | %.3f × |\n", v.name, middle(wall), middle(wallRatio), middle(cpu), middle(cpuRatio))
	}
	return nil
}

// middle returns the median.
func middle(list []float64) float64 {
	slices.Sort(list)
	return list[len(list)/2]
}

// run runs the world once.
func (v variant) run(program, units string) (span, error) {
	cmd := exec.Command(program, append([]string{"run", million, "--set", "resources.units=" + units}, v.flags...)...)
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return span{}, err
	}
	stderr, err := cmd.StderrPipe()
	if err != nil {
		return span{}, err
	}
	if err := cmd.Start(); err != nil {
		return span{}, err
	}
	defer cmd.Wait() // after the kill
	defer cmd.Process.Kill()
	addresses := make(chan string, 8)
	go func() {
		for lines := bufio.NewScanner(stderr); lines.Scan(); {
			for _, what := range []string{"inspector: ", "metrics: "} {
				if address, ok := strings.CutPrefix(lines.Text(), what); ok {
					addresses <- address
				}
			}
		}
		close(addresses)
	}()
	done := make(chan struct{})
	defer close(done)
	if v.page || v.asked || v.scraped {
		address, ok := <-addresses
		if !ok {
			return span{}, errors.New("the run does not say its address")
		}
		var end func()
		var err error
		switch {
		case v.scraped:
			go scrape(address, done)
		case v.page:
			end, err = look(address)
		default:
			end, err = ask(address)
		}
		if err != nil {
			return span{}, err
		}
		if end != nil {
			defer end()
		}
	}
	var at [2]span
	began := time.Now()
	lines := bufio.NewScanner(stdout)
	for n := 0; n < len(at) && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "mark\t") {
			cpu, err := processorTime(cmd.Process.Pid)
			if err != nil {
				return span{}, err
			}
			at[n] = span{time.Since(began), cpu}
			n++
		}
	}
	if at[1].wall == 0 {
		return span{}, errors.New("the run ended before its second line")
	}
	return span{at[1].wall - at[0].wall, at[1].cpu - at[0].cpu}, nil
}

// look opens the page in a browser, and lets the run begin when the page is there.
func look(address string) (end func(), err error) {
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		return nil, err
	}
	browser := exec.Command(browserBin, "--no-sandbox", "--user-data-dir="+profile, "--remote-debugging-port=0", "--window-size=1280,800", address)
	if err := browser.Start(); err != nil {
		return nil, err
	}
	end = func() {
		_ = browser.Process.Kill()
		_ = browser.Wait()
		_ = os.RemoveAll(profile)
	}
	time.Sleep(4 * time.Second) // the page has its rows
	host, token := parts(address)
	if !connected(host) {
		end()
		return nil, errors.New("the browser is not connected to the run")
	}
	return end, resume(host, token)
}

// parts returns host and token of the address of a page.
func parts(address string) (host, token string) {
	host, token, _ = strings.Cut(strings.TrimPrefix(address, "http://"), "/#t=")
	return host, token
}

// connected reports whether somebody has a connection to a port of this machine.
func connected(host string) bool {
	const established = "01"
	_, port, _ := strings.Cut(host, ":")
	n, err := strconv.Atoi(port)
	if err != nil {
		return false
	}
	for _, path := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		text, _ := os.ReadFile(path) // none: nobody
		for line := range strings.Lines(string(text)) {
			cells := strings.Fields(line)
			if len(cells) > 3 && strings.HasSuffix(cells[1], fmt.Sprintf(":%04X", n)) && cells[3] == established {
				return true
			}
		}
	}
	return false
}

// resume lets the run begin.
func resume(host, token string) error {
	request, err := http.NewRequest("POST", "http://"+host+"/rpc", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"run.resume"}`))
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("run.resume: %s", answer.Status)
	}
	return nil
}

// ask asks four times a second for what the view of entities asks for, and lets the run begin.
func ask(address string) (end func(), err error) {
	ctx, cancel := context.WithCancel(context.Background())
	host, token := parts(address)
	socket, _, err := websocket.Dial(ctx, "ws://"+host+"/rpc", &websocket.DialOptions{Subprotocols: []string{"ecsrun." + token}})
	if err != nil {
		cancel()
		return nil, err
	}
	socket.SetReadLimit(-1)
	go func() {
		for ctx.Err() == nil {
			for _, method := range []string{`"world.info"`, `"world.query","params":{"query":"?Position, ?Velocity","limit":100}`} {
				if socket.Write(ctx, websocket.MessageText, []byte(`{"jsonrpc":"2.0","id":1,"method":`+method+`}`)) != nil {
					return
				}
				if _, _, err := socket.Read(ctx); err != nil {
					return
				}
			}
			time.Sleep(250 * time.Millisecond)
		}
	}()
	return cancel, resume(host, token)
}

// scrape reads the metrics each second until done is closed.
func scrape(address string, done chan struct{}) {
	for {
		if answer, err := http.Get(address); err == nil {
			_ = answer.Body.Close()
		}
		select {
		case <-done:
			return
		case <-time.After(time.Second):
		}
	}
}

// processorTime returns what a process has used of the processors: user and system time of all its threads, in steps of 10 ms.
func processorTime(pid int) (time.Duration, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(after)
	var sum time.Duration
	for _, field := range fields[11:13] {
		n, err := strconv.Atoi(field)
		if err != nil {
			return 0, err
		}
		sum += time.Duration(n) * tick
	}
	return sum, nil
}
