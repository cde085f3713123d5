package luatest

import "testing"

// What a test prints has what scripts log, and no remarks of the runtime about itself.
func TestOutputOfTheLog(t *testing.T) {
	var o output
	log := o.logger()
	log.Debug("the compiled loop runs interpreted", "at", "a.lua:1")
	log.Debug("seen", "script", "a.lua:2", "n", 1)
	log.Warn("a limit is near")
	if got, want := o.take(), "level=DEBUG msg=seen script=a.lua:2 n=1\nlevel=WARN msg=\"a limit is near\"\n"; got != want {
		t.Errorf("%q", got)
	}
}
