// The line to the server: requests with numbers, answers, what is told to all windows, and coming back when it breaks.
//
// States: `connecting` at first, `open`, `lost` while it tries again. Requests that may be sent twice wait for the next line;
// those that were on their way and may not are refused with `Lost`.

/** @typedef {{ kind: string, message: string, file?: string, field?: string, footprint?: number, line?: number }} JobError */
/** @typedef {{ head: Record<string, any>, bytes: ArrayBuffer, at: number }} Message JSON, and where bytes begin that come with it */
/** @typedef {"connecting" | "open" | "lost"} LineState */
/**
 * @typedef {{
 *   action: string, text: string, mayRepeat: boolean, isSent: boolean, done: (message: Message) => void, failed: (error: Error) => void,
 *   progress?: (head: Record<string, any>) => void,
 * }} Waiting
 */

/** Milliseconds until the first and between later attempts. */
const PATIENCE = [150, 300, 600, 1000, 2000];

/** A job that could not be done, with what the server says of it. */
export class Refused extends Error {
  /** @param {JobError} error */
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}
/** A newer request made this one needless, or somebody cancelled it. */
export class Stale extends Error {}
/** The line broke before there was an answer. */
export class Lost extends Error {
  constructor() {
    super("The connection broke before the answer came; try again.");
  }
}

/** Requests whose effect is the same when they come twice. */
const REPEATABLE = new Set(["edit", "set", "files", "autosave", "open"]);

export class Connection {
  /** @param {string} address of the socket */
  constructor(address) {
    this.address = address;
    /** @type {LineState} */
    this.state = "connecting";
    this.attempts = 0;
    this.next = 1;
    /** @type {Map<number, Waiting>} */
    this.waiting = new Map();
    /** @type {Map<string, ((message: Message) => void)[]>} */
    this.listeners = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    /** Most bytes of a request; the server ends a connection that sends more. */
    this.mostBytes = Infinity;
  }

  /** Messages of a kind: `plan`, `preview`, `solved`, ..., and `state` when the line's changes. @param {string} kind @param {(message: Message) => void} listener */
  on(kind, listener) {
    this.listeners.set(kind, [...(this.listeners.get(kind) ?? []), listener]);
  }

  /** @param {string} kind @param {Message} message */
  emit(kind, message) {
    for (const listener of this.listeners.get(kind) ?? []) listener(message);
  }

  connect() {
    const socket = new WebSocket(this.address);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.addEventListener("message", (event) => this.receive(readMessage(event.data)));
    socket.addEventListener("close", () => this.broke(socket));
  }

  /** @param {WebSocket} socket */
  broke(socket) {
    if (this.socket !== socket) return;
    this.socket = null;
    for (const [n, waiting] of this.waiting) {
      if (waiting.mayRepeat) waiting.isSent = false;
      else if (waiting.isSent) {
        this.waiting.delete(n);
        waiting.failed(new Lost());
      }
    }
    this.change("lost");
    const wait = PATIENCE[Math.min(this.attempts++, PATIENCE.length - 1)];
    setTimeout(() => this.connect(), wait);
  }

  /** @param {LineState} state */
  change(state) {
    if (this.state === state) return;
    this.state = state;
    this.emit("state", { head: { kind: "state", state }, bytes: new ArrayBuffer(0), at: 0 });
  }

  /** @param {Message} message */
  receive(message) {
    const { head } = message;
    if (head.kind === "hello") {
      this.attempts = 0;
      this.mostBytes = head.message_bytes;
      this.change("open");
      this.emit("hello", message);
      // What waited goes out once everybody knows what the server has now.
      queueMicrotask(() => this.flush());
      return;
    }
    const waiting = this.waiting.get(head.n);
    if (head.kind === "progress") waiting?.progress?.(head);
    else if (waiting && ["done", "result", "error", "stale"].includes(head.kind)) {
      this.waiting.delete(head.n);
      if (head.kind === "error") waiting.failed(new Refused(head.error));
      else if (head.kind === "stale") waiting.failed(new Stale("There is a newer request."));
      else waiting.done(message);
    } else this.emit(head.kind, message);
  }

  flush() {
    if (this.state !== "open" || this.socket?.readyState !== WebSocket.OPEN) return;
    for (const waiting of this.waiting.values()) {
      if (waiting.isSent) continue;
      waiting.isSent = true;
      this.socket.send(waiting.text);
    }
  }

  /**
   * Asks for something.
   *
   * @param {string} action
   * @param {Record<string, unknown>} what
   * @param {(head: Record<string, any>) => void} [progress]
   * @returns {{ n: number, answer: Promise<Message> }}
   */
  ask(action, what, progress) {
    const n = this.next++;
    const text = JSON.stringify({ n, do: action, ...what });
    const bytes = text.length * 3 > this.mostBytes ? new TextEncoder().encode(text).length : 0;
    if (bytes > this.mostBytes) {
      const megabytes = (/** @type {number} */ count) => `${(count / 1e6).toFixed(1)} MB`;
      const message = `This is too large for the studio: ${megabytes(bytes)}; it takes ${megabytes(this.mostBytes)} at once.`;
      return { n, answer: Promise.reject(new Error(message)) };
    }
    const answer = new Promise((done, failed) => {
      this.waiting.set(n, { action, text, mayRepeat: REPEATABLE.has(action), isSent: false, done, failed, progress });
    });
    this.flush();
    return { n, answer };
  }

  /** Forgets requests of a kind that wait: for a server that would not know what they are about. @param {string[]} actions */
  drop(actions) {
    for (const [n, waiting] of this.waiting) {
      if (!actions.includes(waiting.action)) continue;
      this.waiting.delete(n);
      waiting.failed(new Stale("The server was started again."));
    }
  }

  /** Ends a job; its answer is `Stale`. @param {number} n */
  cancel(n) {
    const waiting = this.waiting.get(n);
    if (!waiting) return;
    if (waiting.isSent) this.ask("cancel", { of: n }).answer.catch(() => {});
    else {
      this.waiting.delete(n);
      waiting.failed(new Stale("It was cancelled."));
    }
  }
}

/** @param {ArrayBuffer} bytes @returns {Message} */
export function readMessage(bytes) {
  const length = new DataView(bytes).getUint32(0, true);
  const head = JSON.parse(new TextDecoder().decode(new Uint8Array(bytes, 4, length)));
  return { head, bytes, at: 4 + length };
}
