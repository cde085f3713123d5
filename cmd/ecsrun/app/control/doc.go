// Package control is the control plane of a run: what other programs may ask of a running world, and may do to it.
//
// # Outline
//
//   - message.go decodes JSON-RPC 2.0; params.go checks the params of a call; json.go writes values.
//   - method.go is the list of methods, which describes itself: openrpc.go answers rpc.discover with it, and
//     docs/inspector.md is compared to it.
//   - plane.go is the mailbox. Calls come from any goroutine; the goroutine of the world drains it on a frame edge, and
//     between turns where a frame takes long. stand.go is pausing, stepping and the end of a run.
//   - session.go is one connection: the order of its calls, and its watches. lines.go is the transport of `ecsrun rpc`;
//     HTTP and WebSocket are package inspector.
//   - Reads: info.go, entity.go; match.go (rows; the words of a query are package query), rows.go (pages), where.go;
//     writers.go knows who wrote a value last.
//   - watch.go: what a client is told without asking.
//
// # Costs
//
// While nobody asks anything, a frame costs one atomic load, and a turn the noting of its ticks. Reads of a running world take at
// most 5 % of the time: what does not fit goes on at the next edge. A world that was only looked at has the digests of one that
// was not.
package control
