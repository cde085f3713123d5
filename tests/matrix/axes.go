package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/ecsrun/ecsrun/config"
)

// This file lists the axes of the matrix. An axis is something that may differ from one run to another, and must not change what a world
// does.

// A way is how a world is run.
type way struct {
	name     string
	impl     string   // of all systems that have it
	cores    int      // GOMAXPROCS
	env      []string // NAME=VALUE, beyond the environment
	launcher []string // what stands in front of the program: an emulator
	program  []string // nil: this program
	folder   string   // in which it runs; "" is the present one
}

// An axis is a list of ways.
type axis struct {
	name string
	slow bool // large worlds are left out
	// ways returns the ways. dir is a folder for what is built. why says what this machine lacks, and "" if nothing.
	ways func(dir string) (list []way, why string, err error)
}

var axes = []axis{
	{name: "impl", ways: implementations},
	{name: "gc", ways: environments("GOGC=5", "GOGC=off", "GOGC=off GOMEMLIMIT=96MiB")},
	{name: "randautoseed", ways: environments("GODEBUG=randautoseed=0", "GODEBUG=randautoseed=1")},
	{name: "aslr", ways: addresses},
	{name: "folder", ways: folders},
	{name: "race", ways: race},
	{name: "arm64", slow: true, ways: arm64},
	{name: "js", slow: true, ways: js},
}

func axisNames() string {
	var names []string
	for _, a := range axes {
		names = append(names, a.name)
	}
	return strings.Join(names, ",")
}

// axesOf returns the axes of a list of names; all for "".
func axesOf(names string) (list []axis, err error) {
	if names == "" {
		return axes, nil
	}
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(axes, func(a axis) bool { return a.name == name })
		if i < 0 {
			return nil, fmt.Errorf("-axes: there is no axis %q; they are %s", name, axisNames())
		}
		list = append(list, axes[i])
	}
	return list, nil
}

// each returns a way for each implementation, on so many cores.
func each(w way, cores ...int) (list []way) {
	name := w.name
	for _, w.impl = range []string{config.ImplLua, config.ImplClosures, config.ImplAuto, config.ImplNative} {
		for _, w.cores = range cores {
			w.name = strings.TrimSpace(fmt.Sprintf("%s %s on %d", name, w.impl, w.cores))
			list = append(list, w)
		}
	}
	return list
}

func implementations(string) ([]way, string, error) { return each(way{}, 1, 2), "", nil }

// environments returns the ways of an axis of settings, each NAME=VALUE or several with a space between them.
func environments(settings ...string) func(string) ([]way, string, error) {
	return func(string) (list []way, why string, err error) {
		for _, s := range settings {
			list = append(list, way{name: s, impl: config.ImplAuto, cores: 2, env: strings.Fields(s)})
		}
		return list, "", nil
	}
}

// addresses runs without random addresses, and with others than the base.
func addresses(string) (list []way, why string, err error) {
	if _, err := exec.LookPath("setarch"); err != nil {
		return nil, "there is no setarch (Debian: util-linux)", nil
	}
	if out, err := exec.Command("setarch", "-R", "true").CombinedOutput(); err != nil {
		return nil, "setarch -R is refused: " + lastLine(out, err), nil
	}
	if on, err := os.ReadFile("/proc/sys/kernel/randomize_va_space"); err != nil || strings.TrimSpace(string(on)) == "0" {
		return nil, "the kernel gives no random addresses", nil
	}
	return []way{
		{name: "random addresses", impl: config.ImplAuto, cores: 1},
		{name: "setarch -R", impl: config.ImplAuto, cores: 1, launcher: []string{"setarch", "-R"}},
	}, "", nil
}

// folders runs in other working folders.
func folders(dir string) ([]way, string, error) {
	return []way{
		{name: "in a temporary folder", impl: config.ImplAuto, cores: 1, folder: dir},
		{name: "in the folder above", impl: config.ImplAuto, cores: 1, folder: ".."},
	}, "", nil
}

// race runs a build with the race detector, on two cores.
func race(dir string) ([]way, string, error) {
	cc, err := exec.Command("go", "env", "CC").Output()
	if err != nil {
		return nil, "there is no go command", nil
	}
	if _, err := exec.LookPath(strings.TrimSpace(string(cc))); err != nil {
		return nil, "there is no C compiler, which -race needs", nil
	}
	program, err := build(filepath.Join(dir, "race"), []string{"CGO_ENABLED=1"}, "-race")
	return each(way{name: "-race", program: []string{program}, env: []string{"GORACE=halt_on_error=1"}}, 2), "", err
}

// arm64 runs a build for another processor, by emulation. Its code must not multiply and add in one step (fused.go).
func arm64(dir string) ([]way, string, error) {
	if runtime.GOARCH == "arm64" {
		return nil, "this machine is an arm64 itself: the other axes run on one", nil
	}
	if _, err := exec.LookPath("go"); err != nil {
		return nil, "there is no go command", nil
	}
	program, err := build(filepath.Join(dir, "arm64"), []string{"GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0"})
	if err != nil {
		return nil, "", err
	}
	switch places, err := fused(program); {
	case err != nil:
		return nil, "", err
	case len(places) > 0:
		return nil, "", fmt.Errorf("x*y + z is rounded once on arm64, and twice elsewhere; write float64(x*y) + z in\n  %s", strings.Join(places, "\n  "))
	}
	emulator := ""
	for _, name := range []string{"qemu-aarch64", "qemu-aarch64-static"} {
		if path, err := exec.LookPath(name); err == nil {
			emulator = path
			break
		}
	}
	if emulator == "" {
		return nil, "there is no qemu-aarch64 (Debian: qemu-user)", nil
	}
	return each(way{name: "arm64", launcher: []string{emulator}, program: []string{program}}, 2), "", nil
}

// js runs a build for WebAssembly under node, which has one core.
func js(dir string) ([]way, string, error) {
	if _, err := exec.LookPath("node"); err != nil {
		return nil, "there is no node (Debian: nodejs)", nil
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return nil, "there is no go command", nil
	}
	launcher := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	if _, err := os.Stat(launcher); err != nil {
		return nil, "the distribution of Go has no lib/wasm/go_js_wasm_exec", nil
	}
	program, err := build(filepath.Join(dir, "js.wasm"), []string{"GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0"})
	return each(way{name: "js", launcher: []string{launcher}, program: []string{program}}, 1), "", err
}

// build builds this command for another platform, or with other flags.
func build(path string, env []string, flags ...string) (string, error) {
	command := exec.Command("go", append(append([]string{"build", "-o", path}, flags...), "./tests/matrix")...)
	command.Env = append(os.Environ(), env...)
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("the build fails: %s", lastLine(out, err))
	}
	return path, nil
}

// lastLine returns the last line that a command has printed; the error if it printed nothing.
func lastLine(out []byte, err error) string {
	text := strings.TrimSpace(string(out))
	if text == "" {
		return err.Error()
	}
	return text[strings.LastIndexByte(text, '\n')+1:]
}
