package luabind

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// Each method of a Runtime is called at each wrong time. It returns an error with a sentence; nothing panics, and nothing is done.
func TestMethodsOfARuntimeAtAWrongTime(t *testing.T) {
	ctx := context.Background()
	var none context.Context
	methods := map[string]func(r *Runtime) error{
		"Add":     func(r *Runtime) error { return r.Add(System{Name: "more", Script: "a.lua"}) },
		"Load":    func(r *Runtime) error { return r.Load() },
		"Start":   func(r *Runtime) error { return r.Start(ctx) },
		"Frame":   func(r *Runtime) error { return r.Frame(ctx, 1) },
		"Reload":  func(r *Runtime) error { _, err := r.Reload(ctx, Change{}); return err },
		"Freeze":  func(r *Runtime) error { _, err := r.Freeze(); return err },
		"Save":    func(r *Runtime) error { return r.Save(&bytes.Buffer{}) },
		"Restore": func(r *Runtime) error { return r.Restore(bytes.NewReader(fuzzed.saved(t, 1))) },
		"Close":   func(r *Runtime) error { return r.Close() },

		"Load without a context":   func(r *Runtime) error { return r.LoadContext(none) },
		"Start without a context":  func(r *Runtime) error { return r.Start(none) },
		"Frame without a context":  func(r *Runtime) error { return r.Frame(none, 1) },
		"Reload without a context": func(r *Runtime) error { _, err := r.Reload(none, Change{}); return err },
	}
	const within = "while another call of this Runtime runs"
	for state, c := range map[string]struct {
		wrong map[string]string // by method: what the error says
		in    bool              // the call is made by a script of the Runtime, in a frame
		steps []string          // what is called before
	}{
		"new":     {wrong: map[string]string{"Start": "Start before Load", "Frame": "Frame before Load", "Reload": "Reload before Load", "Freeze": "Freeze before Load", "Save": "Freeze before Load", "Load without a context": "Load without a context"}},
		"loaded":  {steps: []string{"Load"}, wrong: map[string]string{"Add": "is added after Load", "Load": "Load twice", "Start without a context": "Start without a context"}},
		"started": {steps: []string{"Load", "Start"}, wrong: map[string]string{"Add": "is added after Load", "Load": "Load twice", "Start": "Start twice", "Restore": "Restore after Start", "Frame without a context": "Frame without a context", "Reload without a context": "Reload without a context"}},
		"in a frame": {steps: []string{"Load", "Start"}, in: true, wrong: map[string]string{
			"Add": "is added after Load", "Load": within, "Start": within, "Frame": within, "Restore": within, "Close": within, "Reload": "inside of a frame", "Freeze": "inside of a frame", "Save": "inside of a frame",
		}},
		"closed": {steps: []string{"Load", "Start", "Frame", "Close"}, wrong: map[string]string{
			"Add": "Add after Close", "Load": "Load after Close", "Start": "Start after Close", "Frame": "Frame after Close", "Reload": "Reload after Close", "Freeze": "Freeze after Close", "Save": "Freeze after Close", "Restore": "Restore after Close",
		}},
	} {
		for method, want := range c.wrong {
			t.Run(state+"/"+method, func(t *testing.T) {
				var got error
				calls := false
				call := func(r *Runtime) {
					defer func() {
						if p := recover(); p != nil {
							if err, ok := p.(runtime.Error); ok {
								t.Errorf("a crash: %v", err)
							}
							t.Errorf("panicked: %v", p)
						}
					}()
					got = methods[method](r)
				}
				var r *Runtime
				x := *fuzzed
				x.sources = map[string]string{"a.lua": "local host = require(\"host\") return function(world) world:spawn{} host.back() end"}
				x.modules = map[string]map[string]Function{"host": {"back": func([]ecs.Value) ([]ecs.Value, error) {
					if calls {
						calls = false
						call(r)
					}
					return nil, nil
				}}}
				r = x.open(t, &runTrace{})
				for _, step := range c.steps {
					if err := methods[step](r); err != nil {
						t.Fatal(err)
					}
				}
				before := r.World().Digest()
				if calls = c.in; c.in {
					if err := r.Frame(ctx, 1); err != nil {
						t.Errorf("the frame that has called back: %v", err)
					}
				} else if call(r); r.World().Digest() != before {
					t.Error("the world has changed")
				}
				if got == nil || !strings.Contains(got.Error(), want) || !strings.HasPrefix(got.Error(), "luabind: ") && method != "Add" {
					t.Errorf("got %v, want %q", got, want)
				}
				if state == "started" || c.in {
					if err := r.Frame(ctx, 1); err != nil {
						t.Errorf("the frame behind it: %v", err)
					}
				}
				if err := errors.Join(r.Close(), r.Close()); err != nil {
					t.Error(err)
				}
			})
		}
	}
}

// Two goroutines that run frames at a time: one of them is refused.
func TestFramesOnTwoGoroutines(t *testing.T) {
	inside, back := make(chan bool), make(chan bool)
	x := *fuzzed
	x.sources = map[string]string{"a.lua": "local host = require(\"host\") return function(world) host.wait() end"}
	x.modules = map[string]map[string]Function{"host": {"wait": func([]ecs.Value) ([]ecs.Value, error) {
		inside <- true
		<-back
		return nil, nil
	}}}
	r := x.open(t, &runTrace{})
	start(t, r)
	done := make(chan error)
	go func() { done <- r.Frame(context.Background(), 1) }()
	<-inside
	for _, err := range []error{r.Frame(context.Background(), 1), r.Close()} {
		if err == nil || !strings.Contains(err.Error(), "or is on another goroutine") {
			t.Errorf("got %v", err)
		}
	}
	back <- true
	if err := <-done; err != nil || r.World().Frame() != 1 {
		t.Errorf("frame %d: %v", r.World().Frame(), err)
	}
}
