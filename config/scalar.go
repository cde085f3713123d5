package config

import (
	"math"
	"net"
	"strconv"
	"strings"
	"time"
)

// A scalar is a single value of run, limits or log. The table below is what the
// file, the environment, --set and viper share: a value is checked by the same
// read wherever it comes from.
type scalar struct {
	key string // "run.seed"; lower case without dots in its parts, so viper may see it
	rule
}

// A rule reads the values of one kind. schema says the same in the words of JSON Schema.
type rule struct {
	read   func(d *decoder, n *node, path string) (any, bool)
	schema object
}

var scalars = []scalar{
	{"run.frames", count(0, math.MaxUint64)},
	{"run.dt", rule{seconds, object{"type": "number", "exclusiveMinimum": 0}}},
	{"run.realtime", truth},
	{"run.seed", count(0, math.MaxUint64)},
	{"run.settle", truth},
	{"limits.on_error", oneOf(OnErrorStop, OnErrorDisable, OnErrorSkip)},
	{"limits.errors", count(1, math.MaxInt32)},
	{"limits.instructions", count(1, math.MaxInt64)},
	{"limits.system_time", rule{duration, object{"type": "string", "pattern": durationPattern}}},
	{"limits.memory", rule{size, object{"type": "string", "pattern": sizePattern()}}},
	{"limits.world", rule{size, object{"type": "string", "pattern": sizePattern()}}},
	{"limits.entities", count(1, math.MaxUint32)},
	{"limits.allocations", rule{size, object{"type": "string", "pattern": sizePattern()}}},
	{"limits.events", count(1, math.MaxInt32)},
	{"limits.tags", count(1, math.MaxInt32)},
	{"limits.script", rule{size, object{"type": "string", "pattern": sizePattern()}}},
	{"log.level", oneOf("debug", "info", "warn", "error")},
	{"log.format", oneOf("text", "json")},
	{"inspect.addr", rule{address, object{"type": "string", "pattern": ".+:[0-9]+$"}}},
	{"log.every", rule{pause, object{"anyOf": []object{{"type": "string", "pattern": durationPattern}, {"enum": []any{0, "0"}}}}}},
}

// envName is the variable of a scalar: ECSRUN_RUN_SEED.
func (s scalar) envName() string {
	return envPrefix + strings.ToUpper(strings.ReplaceAll(s.key, ".", "_"))
}

func findScalar(key string) (scalar, bool) {
	for _, s := range scalars {
		if s.key == key {
			return s, true
		}
	}
	return scalar{}, false
}

func scalarKeys() []string {
	keys := make([]string, len(scalars))
	for i, s := range scalars {
		keys[i] = s.key
	}
	return keys
}

func count(lo, hi uint64) rule {
	return rule{
		func(d *decoder, n *node, path string) (any, bool) { return boxed(d.whole(n, path, lo, hi)) },
		object{"type": "integer", "minimum": lo, "maximum": hi},
	}
}

var truth = rule{
	func(d *decoder, n *node, path string) (any, bool) { return boxed(d.truth(n, path)) },
	object{"type": "boolean"},
}

func oneOf(words ...string) rule {
	return rule{
		func(d *decoder, n *node, path string) (any, bool) { return boxed(d.word(n, path, words)) },
		object{"enum": words},
	}
}

func boxed[T any](v T, ok bool) (any, bool) { return v, ok }

func seconds(d *decoder, n *node, path string) (any, bool) {
	const hint = "write seconds, as in 0.016666666666666666 for 60 frames a second"
	num, ok := n.number()
	switch {
	case !ok:
		d.add(n.pos, path, "number of seconds expected, got "+n.describe(), hint)
		return nil, false
	case !(num.float > 0) || math.IsInf(num.float, 0): // NaN too
		d.add(n.pos, path, n.text+" is no step: it must be above 0 and finite", hint)
		return nil, false
	}
	return num.float, true
}

func address(d *decoder, n *node, path string) (any, bool) {
	const hint = "write an address and a port, as in 127.0.0.1:8080; port 0 takes a free one"
	if n.kind != kindText && n.kind != kindPlain {
		d.add(n.pos, path, "address expected, got "+n.describe(), hint)
		return nil, false
	}
	if _, port, err := net.SplitHostPort(n.text); err != nil || !isPort(port) {
		d.add(n.pos, path, n.describe()+" is no address", hint)
		return nil, false
	}
	return n.text, true
}

func isPort(text string) bool {
	_, err := strconv.ParseUint(text, 10, 16)
	return err == nil
}

// pause is duration with 0 for none.
func pause(d *decoder, n *node, path string) (any, bool) {
	if n.text == "0" || n.text == "0s" {
		return time.Duration(0), true
	}
	if strings.HasPrefix(n.text, "-") {
		d.add(n.pos, path, n.text+" is out of range", "it must be above 0, or 0 for none; "+durationHint)
		return nil, false
	}
	return duration(d, n, path)
}

func duration(d *decoder, n *node, path string) (any, bool) {
	if n.kind != kindText && n.kind != kindPlain {
		d.add(n.pos, path, "duration expected, got "+n.describe(), durationMeant(n.text))
		return nil, false
	}
	v, hint := parseDuration(n.text)
	switch {
	case hint != "":
		d.add(n.pos, path, "duration expected, got "+n.describe(), hint)
		return nil, false
	case v <= 0:
		d.add(n.pos, path, n.text+" is out of range", "it must be above 0; "+durationHint)
		return nil, false
	}
	return v, true
}

func size(d *decoder, n *node, path string) (any, bool) {
	if n.kind != kindText && n.kind != kindPlain {
		d.add(n.pos, path, "size expected, got "+n.describe(), sizeHint)
		return nil, false
	}
	v, hint := parseSize(n.text)
	switch {
	case hint != "":
		d.add(n.pos, path, "size expected, got "+n.describe(), hint)
		return nil, false
	case v == 0:
		d.add(n.pos, path, n.text+" is out of range", "it must be above 0; "+sizeHint)
		return nil, false
	}
	return v, true
}
