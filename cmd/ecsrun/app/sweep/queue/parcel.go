package queue

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"

	"github.com/nats-io/nats.go/jetstream"
)

// A message that is larger than the server takes (its max_payload, 1 MB if nobody has changed it) lies in the object store of the sweep, and a parcel is sent in its place.

// A parcel names the object with the bytes of a message.
type parcel struct {
	Object string `json:"object"`
}

// put stores bytes under a name, in pieces that the server takes.
func (c *Connection) put(ctx context.Context, store jetstream.ObjectStore, name string, data []byte) error {
	_, err := store.Put(ctx, jetstream.ObjectMeta{Name: name, Opts: &jetstream.ObjectMetaOptions{ChunkSize: uint32(min(mostChunk, c.room()))}}, bytes.NewReader(data))
	return err
}

// mostChunk is how many bytes a piece has.
const mostChunk = 128 << 10

// pack returns what is sent for a message: the message itself, or a parcel.
func (c *Connection) pack(ctx context.Context, id string, message any) ([]byte, error) {
	text, err := json.Marshal(message)
	if err != nil || len(text) <= c.room() {
		return text, err
	}
	store, err := c.js.ObjectStore(ctx, filesPrefix+id)
	if err != nil {
		return nil, err
	}
	p := parcel{"message-" + rand.Text()}
	if err := c.put(ctx, store, p.Object, text); err != nil {
		return nil, err
	}
	return json.Marshal(p)
}

// errNoMessage says that something was sent that is no message of a sweep, or one whose parcel is gone.
var errNoMessage = errors.New("it is no message of a sweep")

// unpack reads a message that was packed. object is the name of its parcel, "" without one.
func (c *Connection) unpack(ctx context.Context, id string, text []byte, message any) (object string, err error) {
	var p parcel
	if json.Unmarshal(text, &p) == nil && p.Object != "" {
		store, err := c.js.ObjectStore(ctx, filesPrefix+id)
		if err == nil {
			text, err = store.GetBytes(ctx, p.Object)
		}
		if errors.Is(err, jetstream.ErrObjectNotFound) || errors.Is(err, jetstream.ErrBucketNotFound) {
			return "", errNoMessage
		}
		if err != nil {
			return "", err
		}
	}
	if json.Unmarshal(text, message) != nil {
		return "", errNoMessage
	}
	return p.Object, nil
}

// drop deletes the parcel of a message that was read; none for "".
func (c *Connection) drop(ctx context.Context, id, object string) {
	if object == "" {
		return
	}
	if store, err := c.js.ObjectStore(ctx, filesPrefix+id); err == nil {
		_ = store.Delete(ctx, object) // the end of the sweep deletes it, too
	}
}
