package app

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A driven is an `ecsrun rpc` that a test drives.
type driven struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Scanner
	err  *strings.Builder
	code chan int
	id   int
}

const drivenConfig = `
version: 1
run: { frames: 100, dt: 0.5, seed: 3 }
scripts: .
components:
  - { name: Health, fields: [current f64 = 10, big i64] }
  - { name: Note, fields: [text string, data table] }
tags: [enemy]
resources: [{ name: score, type: i32 }]
events: [{ name: Hit, fields: [who entity] }]
systems:
  - { name: populate, stage: startup, script: populate.lua }
  - { name: poison, script: poison.lua }
  - { name: heal, script: heal.lua, every: 2 }
  - { name: stuck, script: stuck.lua }
`

var drivenScripts = map[string]string{
	"populate.lua": `return function(world)
	for i = 1, 5 do
		local e = world:spawn({ Health = { current = 10 * i } })
		if i % 2 == 0 then world:tag(e, "enemy") end
	end
	local child = world:spawn({ Note = { text = "a", data = { 1, 2 ^ 60 } } })
	world:relate(child, "ChildOf", (world:first("Health")))
end`,
	"poison.lua": `return function(world) for e, h in world:each("Health") do if world:tagged(e, "enemy") then h.current = h.current - ecs.random() end end end`,
	"heal.lua":   `return function(world) world.resources.score = world.resources.score + 1 print("healed", world.frame) end`,
	"stuck.lua":  `return function(world) if world.resources.score == 4 then world.resources.score = 5 while true do end end end`,
}

// drivenWorld writes the files of a world, and returns the path of its config.
func drivenWorld(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range drivenScripts {
		if strings.Contains(text, "ecs.") {
			text = "local ecs = require(\"ecs\")\n" + text
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "world.yaml")
	if err := os.WriteFile(path, []byte(drivenConfig), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func drive(t *testing.T, args ...string) *driven {
	t.Helper()
	in, stdin := io.Pipe()
	out, stdout := io.Pipe()
	d := &driven{t: t, in: stdin, out: bufio.NewScanner(out), err: &strings.Builder{}, code: make(chan int, 1)}
	d.out.Buffer(nil, 1<<24)
	go func() {
		code := Main(append([]string{"rpc"}, args...), in, stdout, d.err)
		_ = stdout.Close()
		d.code <- code
	}()
	return d
}

// send sends a message.
func (d *driven) send(message string) {
	d.t.Helper()
	if _, err := io.WriteString(d.in, message+"\n"); err != nil {
		d.t.Fatal(err)
	}
}

// receive returns the next line.
func (d *driven) receive() string {
	d.t.Helper()
	if !d.out.Scan() {
		d.t.Fatalf("the end: %v\n%s", d.out.Err(), d.err)
	}
	return d.out.Text()
}

// call calls a method, and returns the result, or the error as text.
func (d *driven) call(method, params string) string {
	d.t.Helper()
	d.id++
	d.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":{%s}}`, d.id, method, params))
	return d.result(d.receive())
}

func (d *driven) result(line string) string {
	d.t.Helper()
	var r struct {
		Result json.RawMessage
		Error  *struct {
			Code    int
			Message string
		}
	}
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		d.t.Fatalf("%v: %s", err, line)
	}
	if r.Error != nil {
		return fmt.Sprint(r.Error.Code, " ", r.Error.Message)
	}
	return string(r.Result)
}

func (d *driven) wants(method, params, want string) {
	d.t.Helper()
	if got := d.call(method, params); !strings.Contains(got, want) {
		d.t.Errorf("%s {%s}: %s\nwants %s", method, params, got, want)
	}
}

// end closes stdin, and returns the exit code.
func (d *driven) end() int {
	_ = d.in.Close()
	for d.out.Scan() {
	}
	return <-d.code
}

// digestOf is the digest of a run of some frames that nobody looks at.
func digestOf(t *testing.T, config string, frames int) string {
	t.Helper()
	var out, err strings.Builder
	if code := Main([]string{"run", config, "--frames", fmt.Sprint(frames), "--hash", "--quiet"}, strings.NewReader(""), &out, &err); code != exitOK {
		t.Fatal(code, err.String())
	}
	return strings.TrimSpace(out.String()[strings.LastIndex(out.String(), "digest ")+len("digest "):])
}

// Pause and steps give the digests of a run that nobody looks at, whatever is read meanwhile.
func TestRPCSteps(t *testing.T) {
	config := drivenWorld(t)
	d := drive(t, config)
	d.wants("world.info", "", `"frame":0,"time":0,`)
	for frame := 1; frame <= 5; frame++ {
		d.wants("run.step", "", "null")
		d.call("world.query", `"query":"Health, #enemy, ?Note, changed(Health)","where":"Health.current > 1","sort":"-Health.current"`)
		d.call("entity.get", `"entity":"0v1"`)
		d.wants("world.info", `"digest":true`, `"digest":"`+digestOf(t, config, frame))
	}
	for _, turn := range []string{`"poison"`, `"heal"`, `"stuck"`, "null", `"poison"`} {
		if turn != `"poison"` {
			d.wants("run.step", `"system":true`, "null")
		}
		if turn == `"poison"` {
			continue
		}
		d.wants("world.info", "", `"turn":`+turn)
	}
	d.wants("world.info", `"digest":true`, `"frame":6,`)
	if code := d.end(); code != exitOK {
		t.Error(code, d.err)
	}
	if !strings.Contains(d.err.String(), "healed\t2") {
		t.Error("prints are not on stderr:", d.err)
	}
}

// An endless turn answers run.pause, and run.interrupt ends it.
// The end of stdin ends a step that nobody waits for any more, and calls that follow a step are answered as ever. A reason takes one line.
func TestRPCStdinEndsStep(t *testing.T) {
	config := drivenWorld(t)
	for _, params := range []string{`"until":"Health, Note"`, `"frames":1000000000`} {
		d := drive(t, config, "--frames", "0")
		d.send(`{"jsonrpc":"2.0","id":1,"method":"run.step","params":{` + params + `}}`)
		if code := d.end(); code != exitOK || !strings.Contains(d.err.String(), "ended: stopped: stdin was closed") {
			t.Error(params, code, d.err)
		}
	}
	d := drive(t, config)
	d.call("run.stop", `"reason":"a\nb"`)
	if code := d.end(); code != exitOK || !strings.Contains(d.err.String(), `ended: stopped: "a\nb"`+"\n") {
		t.Error(code, d.err)
	}
}

func TestRPCEndlessTurn(t *testing.T) {
	d := drive(t, drivenWorld(t), "--set", "limits.instructions=1000000000000")
	d.wants("run.resume", "", "null")
	for deadline := time.Now().Add(time.Minute); ; {
		if got := d.call("run.pause", ""); strings.Contains(got, `"system":"stuck","frame":8,`) {
			break
		} else if time.Now().After(deadline) {
			t.Fatal(got)
		} else if !strings.Contains(got, `"frame":8,`) { // in which nothing is answered any more but run.pause and run.interrupt
			d.wants("run.resume", "", "null")
			time.Sleep(time.Millisecond)
		}
	}
	d.wants("run.interrupt", "", "null")
	d.wants("world.info", "", `"ended":"system \"stuck\" failed in frame 8"`)
	d.wants("run.step", "", "-32001 the run has ended: system \"stuck\" failed in frame 8")
	d.wants("run.stop", `"reason":"seen"`, "null")
	if code := d.end(); code != exitLimit {
		t.Error(code, d.err)
	}
}

func TestRPCReads(t *testing.T) {
	d := drive(t, drivenWorld(t))
	for _, c := range [][3]string{
		{"world.query", `"query":"Health","limit":2`, `"total":5,"cursor":"`},
		{"world.query", `"query":"Health, #enemy"`, `{"rows":[{"entity":"1v1","components":{"Health":{"current":20,"big":0}},"tags":["enemy"]},{"entity":"3v1",`},
		{"world.query", `"query":"Health, !#enemy","limit":1`, `"total":3,`},
		{"world.query", `"query":"Health","cursor":4`, `{"rows":[{"entity":"4v1",`},
		{"world.query", `"query":"Health","where":"Health.current >= 30 and entity","sort":"-Health.current","limit":2`, `[{"entity":"4v1","components":{"Health":{"current":50,"big":0}},"tags":[]},{"entity":"3v1",`},
		{"world.query", `"query":"?Health, (ChildOf, 0v1)"`, `{"rows":[{"entity":"5v1","components":{},"tags":[],"relations":{"ChildOf":"0v1"}}],"total":1,"cursor":null,"as_of":0}`},
		{"world.query", `"query":"(ChildOf, *)"`, `"total":1`},
		{"world.query", `"query":"!(ChildOf, *)"`, `"total":5`},
		{"world.query", `"where":"Health and ecs.name(entity) == '3v1'"`, `"total":1`},
		{"world.query", `"where":"Health and ecs.random() > 2"`, `-32000 where: entity `},
		{"world.query", `"where":"Health and ecs.tag('new')"`, `-32000 where: entity `},
		{"world.query", `"where":"Health == nil"`, `"total":1`},
		{"world.query", `"query":"Helth"`, `-32602 component "Helth" is not declared; did you mean "Health"?`},
		{"world.query", `"query":"Health,"`, `-32602 query: a word is missing`},
		{"world.query", `"query":"#enmy"`, `did you mean "enemy"?`},
		{"world.query", `"where":"Health.curent > 1"`, `did you mean "current"?`},
		{"world.query", `"where":"Health.current >"`, `-32602 where: `},
		{"world.query", `"where":"Health.current > 1"`, `-32000 where: entity 5v1: `},
		{"world.query", `"limit":-1`, `-32602 world.query: "limit": whole number from 0 expected, got -1`},
		{"world.query", `"limit":1,"limit":2`, `-32602 world.query: "limit" is there twice`},
		{"world.query", `"limt":1`, `did you mean "limit"?`},
		{"world.query", `"cursor":"x"`, `-32602 `},
		{"entity.get", `"entity":"5v1"`, `{"Note":{"set":{"text":"a","data":[1,"1152921504606846976"]},"by":"populate","in":0}},"tags":[],"relations":{"ChildOf":"0v1"},"as_of":0}`},
		{"entity.get", `"entity":"77v1"`, `-32000 entity 77v1 is dead`},
		{"entity.get", `"entity":"x"`, `-32602 an entity expected`},
		{"entity.get", ``, `-32602 entity.get: "entity" is missing`},
		{"run.step", `"frames":0`, `-32602 `},
		{"run.step", `"until":"!Health, !Note","frames":4`, `null`},
		{"world.info", ``, `"frame":4,`},
		{"world.query", `"query":"changed(Health)"`, `"total":2`},
		{"world.query", `"query":"changed(Health, 0)"`, `"total":5`},
		{"entity.get", `"entity":"1v1"`, `"by":"poison","in":4}`},
		{"run.step", `"until":"#enemy"`, `null`},
		{"world.info", ``, `"frame":5,`},
		{"run.speed", `"speed":-1`, `-32602 `},
		{"run.snapshot", ``, `-32000 there is no folder for snapshots`},
		{"run.pasue", ``, `-32601 there is no method "run.pasue"; did you mean "run.pause"?`},
		{"rpc.discover", ``, `{"info":{"title":"ecsrun",`},
	} {
		d.wants(c[0], c[1], c[2])
	}
	if code := d.end(); code != exitOK {
		t.Error(code, d.err)
	}
}

// What is no call is answered as JSON-RPC says.
func TestRPCMessages(t *testing.T) {
	d := drive(t, drivenWorld(t))
	batch := strings.TrimSuffix(strings.Repeat(`{"jsonrpc":"2.0","id":1,"method":"run.step"},`, 101), ",")
	for _, c := range [][2]string{
		{`nonsense`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,`},
		{`{"jsonrpc":"2.0","id":1,`, `"code":-32700`},
		{`[]`, `{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"message":"the batch is empty"}}`},
		{`[1]`, `[{"jsonrpc":"2.0","id":null,"error":{"code":-32600,`},
		{`7`, `"code":-32600`},
		{`{"id":1,"method":"world.info"}`, `"id":1,"error":{"code":-32600,`},
		{`{"jsonrpc":"2.0","id":{},"method":"world.info"}`, `"id":null,"error":{"code":-32600,`},
		{`{"jsonrpc":"2.0","id":1,"method":"world.info","params":7}`, `"code":-32600`},
		{`{"jsonrpc":"2.0","id":1,"method":"world.info","params":[1]}`, `"code":-32602`},
		{"[" + batch + "]", `the batch has 101 calls; 100 is the most`},
		{`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`, `the message is longer than 1048576 bytes`},
		{`[{"jsonrpc":"2.0","id":"a","method":"run.step"},{"jsonrpc":"2.0","method":"run.step"},{"jsonrpc":"2.0","id":"b","method":"run.pause"}]`, `[{"jsonrpc":"2.0","id":"a","result":null},{"jsonrpc":"2.0","id":"b","result":{`},
	} {
		d.send(c[0])
		if got := d.receive(); !strings.Contains(got, c[1]) {
			t.Errorf("%.80s: %s", c[0], got)
		}
	}
	d.send(`{"jsonrpc":"2.0","id":1,"method":"run.step","params":{"frames":3}}`) // in frame 8 the world is stuck, and run.pause may have come before or after a step
	d.send(`nonsense`)
	d.send(`{"jsonrpc":"2.0","id":2,"method":"no.such"}`)
	for _, want := range []string{`"id":1,"result":null`, `-32700`, `"id":2,"error":{"code":-32601`} { // mistakes do not overtake
		if got := d.receive(); !strings.Contains(got, want) {
			t.Error(got)
		}
	}
	d.send(`{"jsonrpc":"2.0","method":"run.step"}`) // a notification has no answer
	d.wants("world.info", "", `"paused":true`)
	if code := d.end(); code != exitOK {
		t.Error(code, d.err)
	}
}
