// Package inspector serves the control plane of a run by HTTP: POST /rpc, WebSocket at /rpc, and the page of the inspector.
//
// # Outline
//
//   - listen.go opens the listener and makes the token, before the world is made; a confined process cannot do it later.
//   - guard.go refuses: which Host, which Origin, which method, whose token.
//   - server.go serves; socket.go is one WebSocket.
//   - page/ has the files of the page, embedded. They are the same for every run, hold nothing of the world, and need no token.
//
// Only programs on this machine reach it, unless somebody asks for more; a page of another site reaches nothing, because its
// Origin differs, a name that leads here is no Host of ours, and it has no token.
package inspector
