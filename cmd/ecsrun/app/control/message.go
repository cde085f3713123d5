package control

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
)

// MaxMessage is the length of the longest message, in bytes.
const MaxMessage = 1 << 20

// MaxBatch is the largest number of calls in a batch.
const MaxBatch = 100

// The codes of errors. Those above -32000 belong to JSON-RPC.
const (
	CodeParse   = -32700 // the message is no JSON
	CodeRequest = -32600 // it is JSON, and no call
	CodeMethod  = -32601 // there is no such method
	CodeParams  = -32602 // the params are wrong
	CodeFailed  = -32000 // the call was right, and could not be done
	CodeEnded   = -32001 // the run has ended, or stands at its end
)

// An Error is the error of a call.
type Error struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func wrong(code int, format string, args ...any) *Error {
	return &Error{code, fmt.Sprintf(format, args...)}
}

// A request is one call of a message.
type request struct {
	id     json.RawMessage // nil: it is a notification, and nobody gets an answer
	method string
	params json.RawMessage
	err    *Error // why it is no call
}

// decode decodes a message. The calls of a batch are in its order. The error is that of the whole message.
func decode(message []byte) (calls []request, batch bool, err *Error) {
	if len(message) > MaxMessage {
		return nil, false, wrong(CodeRequest, "the message is longer than %d bytes", MaxMessage)
	}
	message = bytes.TrimSpace(message)
	if len(message) == 0 {
		return nil, false, wrong(CodeParse, "the message is empty")
	}
	if !json.Valid(message) {
		return nil, false, wrong(CodeParse, "the message is no JSON: %v", reason(message))
	}
	if message[0] != '[' {
		return []request{decodeOne(message)}, false, nil
	}
	var parts []json.RawMessage
	if e := json.Unmarshal(message, &parts); e != nil {
		return nil, false, wrong(CodeParse, "the message is no JSON: %v", e)
	}
	switch {
	case len(parts) == 0:
		return nil, false, wrong(CodeRequest, "the batch is empty")
	case len(parts) > MaxBatch:
		return nil, false, wrong(CodeRequest, "the batch has %d calls; %d is the most", len(parts), MaxBatch)
	}
	for _, part := range parts {
		calls = append(calls, decodeOne(part))
	}
	return calls, true, nil
}

// reason returns why a text is no JSON.
func reason(text []byte) error {
	var v any
	err := json.Unmarshal(text, &v)
	if err == nil {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// decodeOne decodes a message with one call, or an element of a batch.
func decodeOne(text []byte) (r request) {
	r.id = json.RawMessage("null")
	var members map[string]json.RawMessage
	if err := json.Unmarshal(text, &members); err != nil || members == nil {
		r.err = wrong(CodeRequest, "a call is an object with jsonrpc, method, params and id")
		return r
	}
	id, called := members["id"]
	switch {
	case !called:
		id = nil
	case id[0] == '{' || id[0] == '[' || id[0] == 't' || id[0] == 'f':
		r.err = wrong(CodeRequest, `"id": a string or a number expected`)
		return r
	}
	for key := range members {
		switch key {
		case "jsonrpc", "id", "method", "params":
		default:
			r.err = wrong(CodeRequest, "a call has no %q; it has jsonrpc, method, params and id", key)
		}
	}
	if id != nil {
		r.id = id
	}
	if r.err != nil {
		return r
	}
	var version string
	if json.Unmarshal(members["jsonrpc"], &version) != nil || version != "2.0" {
		r.err = wrong(CodeRequest, `"jsonrpc": "2.0" expected`)
		return r
	}
	if m := members["method"]; len(m) == 0 || m[0] != '"' || json.Unmarshal(m, &r.method) != nil {
		r.err = wrong(CodeRequest, `"method": a string expected`)
		return r
	}
	r.params = members["params"]
	if p := r.params; len(p) > 0 && p[0] != '{' && p[0] != '[' {
		r.err = wrong(CodeRequest, `"params": an object expected`)
		return r
	}
	r.id = id
	return r
}

// answer appends the response to a call.
func answer(b []byte, id json.RawMessage, result any, err error) []byte {
	var text []byte
	if err == nil {
		if text, err = json.Marshal(result); err != nil {
			err = wrong(CodeFailed, "the result cannot be written as JSON: %v", err)
		}
	}
	b = append(append(b, `{"jsonrpc":"2.0","id":`...), id...)
	if err == nil {
		b = append(append(b, `,"result":`...), text...)
		return append(b, '}')
	}
	e, ok := err.(*Error)
	if !ok {
		e = &Error{CodeFailed, err.Error()}
	}
	text, _ = json.Marshal(e) // a number and a string
	b = append(append(b, `,"error":`...), text...)
	return append(b, '}')
}
