package main

import (
	"os"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/cmd/ecsrun/app"
)

// The tests run themselves as ecsrun, as the command does.
func TestMain(m *testing.M) {
	if os.Getenv(asEcsrun) != "" {
		_ = os.Unsetenv(asEcsrun)
		os.Exit(app.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	os.Exit(m.Run())
}

func TestAxesAreChosenByName(t *testing.T) {
	if list, err := axesOf(""); err != nil || len(list) != len(axes) {
		t.Errorf("%d axes, %v", len(list), err)
	}
	if list, err := axesOf("js,gc"); err != nil || len(list) != 2 || list[0].name != "js" || list[1].name != "gc" {
		t.Errorf("%v, %v", list, err)
	}
	if _, err := axesOf("gc,jss"); err == nil || !strings.Contains(err.Error(), `there is no axis "jss"; they are impl,gc,`) {
		t.Error(err)
	}
}

// What the machine lacks is said, and is no way that passes.
func TestAxesThatCannotRunSayWhy(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for _, name := range []string{"aslr", "race", "arm64", "js"} {
		list, err := axesOf(name)
		if err != nil {
			t.Fatal(err)
		}
		ways, why, err := list[0].ways(t.TempDir())
		if len(ways) != 0 || why == "" || err != nil {
			t.Errorf("%s: %d ways, %q, %v", name, len(ways), why, err)
		}
	}
	t.Chdir("../..")
	if code := matrix("", "^tutorial$", "js", 1); code != 2 {
		t.Errorf("an axis that was asked for and cannot run: exit code %d, want 2", code)
	}
}

// The ways of the quick axes are run; a world that differs in one of them is found.
func TestCompare(t *testing.T) {
	t.Chdir("../..")
	if code := matrix("", "^(tutorial|duel)$", "impl,gc,randautoseed,folder", 4); code != 0 {
		t.Errorf("exit code %d, want 0", code)
	}
	w := world{name: "duel", config: "config/gallery/duel.yaml"}
	other := way{name: "another seed", impl: "auto", cores: 1, env: []string{"ECSRUN_RUN_SEED=77"}}
	bases := map[string]string{}
	if ran, same := w.compare(axis{name: "seed"}, []way{other}, bases, 4); same || ran != 1 {
		t.Errorf("another seed: %d runs, the same: %v", ran, same)
	}
	other.env = []string{"ECSRUN_RUN_SEED=no"}
	if _, same := w.compare(axis{name: "seed"}, []way{other}, bases, 4); same {
		t.Error("a run that does not begin counts as the same")
	}
}

// A build that fails is a failure, and not an axis that cannot run.
func TestABuildThatFails(t *testing.T) {
	t.Chdir("../..")
	if _, err := build(t.TempDir()+"/x", []string{"GOARCH=z80"}); err == nil || !strings.Contains(err.Error(), "the build fails: ") {
		t.Error(err)
	}
}

// Instructions that multiply and add in one step are found, with function and line; others are not.
func TestFusedInstructionsAreFound(t *testing.T) {
	const text = "TEXT github.com/ecsrun/ecsrun/ecs.a(SB) /a.go\n  a.go:3\t0x10\t1e601800\tFMULD F0, F1, F2\n" +
		"TEXT github.com/ecsrun/ecsrun/ecs.b(SB) /b.go\n  b.go:7\t0x10\t1f400400\tFMADDD F0, F1, F2, F3\n  b.go:8\t0x14\t1f400400\tFNMSUBS F0, F1, F2, F3\n  b.go:8\t0x18\t1f400400\tFNMSUBS F0, F1, F2, F3\n"
	places, err := fusedIn([]byte(text))
	if got, want := strings.Join(places, ", "), "github.com/ecsrun/ecsrun/ecs.b at b.go:7, github.com/ecsrun/ecsrun/ecs.b at b.go:8"; got != want || err != nil {
		t.Errorf("%s, %v; want %s", got, err, want)
	}
	if _, err := fusedIn(nil); err == nil {
		t.Error("a program without functions passes")
	}
}
