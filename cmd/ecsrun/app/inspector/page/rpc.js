// The connection to the run: JSON-RPC 2.0 over one WebSocket, opened again when it is lost.

/** An error that the run answered: its message is what a script would get. */
export class RunError extends Error {}

/**
 * @typedef {{ resolve: (value: any) => void, reject: (error: Error) => void }} Waiting
 * @typedef {{ stream: string, params: Record<string, any>, tell: (data: any, frame: number) => void, id: any }} Watch
 */

/**
 * Calls methods of the control plane. It tells "state" when the connection changes: "connecting", "open", "lost" or "refused".
 */
export class Connection extends EventTarget {
  /**
   * @param {string} address of the WebSocket
   * @param {string} token
   */
  constructor(address, token) {
    super();
    this.address = address;
    this.token = token;
    this.saved = false;
    /** @type {"connecting"|"open"|"lost"|"refused"} */
    this.state = "connecting";
    this.next = 1;
    this.delay = 250;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Set<Watch>} */
    this.watches = new Set();
    /** @type {WebSocket|null} */
    this.socket = null;
    this.opened = false;
  }

  open() {
    const socket = new WebSocket(this.address, ["ecsrun." + this.token]);
    this.socket = socket;
    socket.onopen = () => {
      this.delay = 250;
      this.opened = true;
      this.become("open");
      for (const watch of this.watches) this.begin(watch);
    };
    socket.onmessage = (event) => this.receive(JSON.parse(event.data));
    socket.onclose = () => {
      for (const waiting of this.waiting.values()) waiting.reject(new RunError("the connection was lost"));
      this.waiting.clear();
      for (const watch of this.watches) watch.id = undefined;
      this.become(this.opened ? "lost" : "refused");
      setTimeout(() => this.open(), this.delay);
      this.delay = Math.min(this.delay * 2, 4000);
    };
  }

  /** @param {"connecting"|"open"|"lost"|"refused"} state */
  become(state) {
    if (state === this.state) return;
    this.state = state;
    this.dispatchEvent(new Event("state"));
  }

  /** @param {any} message */
  receive(message) {
    if (Array.isArray(message)) return message.forEach((one) => this.receive(one));
    if (message.method === "watch") {
      for (const watch of this.watches) if (watch.id === message.params.id) watch.tell(message.params.data, message.params.frame);
      return;
    }
    const waiting = this.waiting.get(message.id);
    if (!waiting) return;
    this.waiting.delete(message.id);
    if (message.error) waiting.reject(new RunError(message.error.message));
    else waiting.resolve(message.result);
  }

  /**
   * Calls a method.
   * @param {string} method
   * @param {Record<string, any>} [params]
   * @returns {Promise<any>}
   */
  call(method, params = {}) {
    return new Promise((resolve, reject) => {
      if (!this.socket || this.socket.readyState !== WebSocket.OPEN) {
        reject(new RunError("not connected to a run"));
        return;
      }
      const id = this.next++;
      this.waiting.set(id, { resolve, reject });
      this.socket.send(JSON.stringify({ jsonrpc: "2.0", id, method, params }));
    });
  }

  /**
   * Follows a stream, also after the connection was lost and came back.
   * @param {string} stream
   * @param {Record<string, any>} params
   * @param {(data: any, frame: number) => void} tell
   * @returns {() => void} ends the watch
   */
  watch(stream, params, tell) {
    /** @type {Watch} */
    const watch = { stream, params, tell, id: undefined };
    this.watches.add(watch);
    if (this.state === "open") this.begin(watch);
    return () => {
      this.watches.delete(watch);
      if (watch.id !== undefined && this.state === "open") this.call("watch.stop", { id: watch.id }).catch(() => {});
    };
  }

  /** @param {Watch} watch */
  begin(watch) {
    this.call("watch.start", { ...watch.params, stream: watch.stream }).then(
      (id) => {
        watch.id = id;
        if (!this.watches.has(watch)) this.call("watch.stop", { id }).catch(() => {});
      },
      () => {},
    );
  }
}
