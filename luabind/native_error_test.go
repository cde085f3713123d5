package luabind

import (
	"errors"
	"testing"

	"github.com/ecsrun/ecsrun/ecs"
)

// A native system that cannot be made is told from other errors by its kind, whatever its words.
func TestErrNative(t *testing.T) {
	for name, make := range map[string]ecs.NativeFunc{
		"fails":   func(*ecs.World) (ecs.SystemFunc, error) { return nil, errors.New("no such thing") },
		"nothing": func(*ecs.World) (ecs.SystemFunc, error) { return nil, nil },
	} {
		_, err := run(t, Options{Natives: map[string]ecs.NativeFunc{name: make}}, 0, System{Name: "a", Native: name})
		if !errors.Is(err, ErrNative) || !errors.Is(err, ErrLoad) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	// The first word of a script's error may be the same.
	_, err := run(t, Options{Scripts: files(map[string]string{"a": "error('native code', 0)"})}, 0, System{Name: "a"})
	if err == nil || errors.Is(err, ErrNative) {
		t.Errorf("error %v", err)
	}
}
