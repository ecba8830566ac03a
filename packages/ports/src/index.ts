/**
 * The only door to the outside. A program asks for what it needs by these interfaces, so that a simulator
 * can put its own clock, randomness, disk and network behind them.
 */
export type Ports = {
  clock: Clock
  random: Random
  kernelRandom: Random
  timer: Timer
  disk: Disk
  net: Net
  process: Process
  threads: Threads
  fetch: typeof globalThis.fetch
}

export type Clock = {
  /** Milliseconds since the epoch. */
  nowMs(): number
  /** Monotonic milliseconds, for durations only. */
  monotonicMs(): number
}

/**
 * `Ports.random` is the generator of this process, seeded by the operating system. `Ports.kernelRandom` is the operating system's own, asked anew at each call: it
 * learns that a virtual machine was copied or set back, which a generator in the memory of a process does not.
 */
export type Random = {
  /** `length` fresh bytes from a cryptographic generator. */
  bytes(length: number): Uint8Array
}

export type Timer = {
  /** Resolves after `ms`; rejects with the signal's reason when aborted before. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls back once after `ms`. Returns the function that cancels it. */
  after(ms: number, callback: () => void): () => void
}

export type Disk = {
  /** The file's bytes, or undefined if there is none. */
  read(path: string): Promise<Uint8Array | undefined>
  /** Replaces a file whole: temporary file, fsync, rename, fsync of the folder. */
  writeAtomic(path: string, content: Uint8Array, mode?: number): Promise<void>
  /** Opens a file to append to; every append is on disk (fsync) before it resolves. */
  openAppend(path: string): Promise<{ append(content: Uint8Array): Promise<void>; truncate(length: number): Promise<void>; close(): Promise<void> }>
  /** The file's bytes in pieces, for files that do not fit in memory. Fails on the first piece where there is none. */
  readPieces(path: string): AsyncIterable<Uint8Array>
  list(folder: string): Promise<string[]>
  makeFolder(folder: string): Promise<void>
  /** What stands at a path, or undefined if nothing does. Does not follow a symbolic link. */
  stat(path: string): Promise<PathFacts | undefined>
  /** Makes a symbolic link to `target` unless something stands at `path` already. */
  link(target: string, path: string): Promise<void>
  /** Renames within one file system; on disk (fsync of the folder) before it resolves. Fails where `to` is a folder with content. */
  move(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  /** Bytes that this user can still write to the file system of a folder; 0 if there is no such folder. */
  freeBytes(folder: string): Promise<number>
}

export type PathFacts = {
  kind: 'file' | 'folder' | 'link' | 'other'
  sizeBytes: number
  /** The permission bits, such as 0o700. */
  mode: number
  /** True if the user that runs this program owns it. */
  ours: boolean
}

export type Connection = {
  /** The address of the other side, where the network says it. */
  peerAddress?: string
  /** What arrives, in pieces of any size; ends when the peer closes. */
  incoming: AsyncIterable<Uint8Array>
  write(content: Uint8Array): Promise<void>
  close(): void
}

export type Net = {
  connect(host: string, port: number): Promise<Connection>
  /** Listens on a TCP port (0 = any free one) and calls back for each connection. */
  listen(host: string, port: number, accept: (connection: Connection) => void): Promise<{ port: number; close(): Promise<void> }>
  /** A small HTTP server over web-standard Request and Response. Give `limits` wherever anybody but this machine may reach it. */
  serveHttp(host: string, port: number, handler: HttpHandler, limits?: HttpLimits): Promise<{ port: number; close(): Promise<void> }>
  /** The IP addresses a name has now, by the system's resolver; an IP address answers itself. Rejects where there are none. */
  resolve(host: string): Promise<string[]>
  /**
   * One HTTP request to exactly `address`, whatever the name in `url` resolves to by now; the name is used for TLS and the Host
   * header. No redirect is followed and no connection is kept. Rejects with SendError.
   */
  send(request: OutgoingRequest): Promise<OutgoingAnswer>
}

export type HttpHandler = (request: Request) => Promise<Response>

/** What is known of a request before any of its body is read. */
export type RequestHead = {
  method: string
  url: URL
  headers: Headers
  /** The peer's address or, where a trusted proxy is the peer, the one that it names. */
  address: string
}

/** What strangers may take of a server. */
export type HttpLimits = {
  /** A larger body is refused, before it is read where its length is told. */
  bodyBytesMax: number
  /** For a request's headers, from the connection's beginning or from the answer before. */
  headWithinMs: number
  /** For a request whole. */
  requestWithinMs: number
  /** From the last header to the last byte of the answer that the peer has taken. */
  exchangeWithinMs: number
  connectionsMax: number
  /** Does not count the connections of trusted proxies. */
  connectionsPerAddressMax: number
  /** Addresses and CIDR ranges whose X-Forwarded-For is believed. */
  trustedProxies: readonly string[]
  /** Answers a request that goes no further: nothing of its body is kept. */
  admit(head: RequestHead): Response | undefined
}

export type OutgoingRequest = {
  url: string
  /** An IP address that was checked before. */
  address: string
  method: 'GET' | 'POST'
  headers: Readonly<Record<string, string>>
  body: Uint8Array
  /** For the whole exchange. */
  timeoutMs: number
  /** Of the answer's body; the rest is not read. */
  answerBytesMax: number
  signal?: AbortSignal
}

export type OutgoingAnswer = { status: number; headers: Readonly<Record<string, string>>; body: Uint8Array; isCut: boolean }

/** Why a request has no answer. Unless it says `refused`, the other side may have got it all the same. */
export class SendError extends Error {
  override name = 'SendError'
  readonly reason: 'timeout' | 'refused' | 'tls' | 'lost' | 'aborted'
  constructor(reason: SendError['reason'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.reason = reason
  }
}

export type Threads = {
  /** A module that answers questions in a thread of its own, by `answerInThread` (`@holdfast/ports/node`). The thread begins with the first question. */
  open(module: URL, limits: ThreadLimits): Thread
}

export type ThreadLimits = {
  heapMegabytes: number
  /** A question that takes longer ends the thread. */
  longestMs: number
  /** A thread that is asked nothing for so long ends, and its memory is free again. */
  idleMs: number
}

export type Thread = {
  /**
   * Puts a question (anything that can be cloned) after those that were put before, and resolves with the answer. Rejects with
   * what the module threw, or where the thread ended; the next question then has a new thread.
   */
  ask(question: unknown): Promise<unknown>
}

/** The exit code of a program that was configured wrong, EX_CONFIG of sysexits.h: started again with the same configuration it ends the same. */
export const CONFIGURATION_EXIT_CODE = 78

export type ChildProcess = {
  pid: number
  /** Resolves with the exit code, or null if a signal ended it. */
  exited: Promise<number | null>
  kill(signal?: NodeJS.Signals): void
}

export type SpawnOptions = { env?: Record<string, string | undefined>; cwd?: string; logPath?: string; detached?: boolean }

export type Process = {
  env: Record<string, string | undefined>
  argv: readonly string[]
  cwd(): string
  /** Facts about the machine and the user; `userId` is undefined if the system has none, and 0 for root. */
  host: { platform: string; arch: string; userId: number | undefined; temporaryFolder: string }
  /**
   * Starts a program; its output goes to the file `logPath`, or to this process's own output. A detached one does not
   * hear a Ctrl-C in our terminal and does not keep this process alive: who starts it stops it, in its own order.
   */
  spawn(command: string, args: readonly string[], options?: SpawnOptions): ChildProcess
  /** Sends a signal to any process of this machine (0 only asks). False if there is no such process or it is not ours. */
  signal(pid: number, signal: NodeJS.Signals | 0): boolean
  /** Calls back when this program is told to stop, the last one first; then the program ends, once what it printed is taken. Told again, it ends at once. */
  onStop(callback: () => Promise<void>): void
  /** From now on no signal opens an inspector into this process, through which whoever may send one could read its secrets. */
  keepInspectorsOut(): void
  /** Ends this process once everything that it printed has been taken; the caller awaits it. */
  exit(code: number): Promise<never>
  print(line: string): void
  printError(line: string): void
  /** The next line that somebody types, or undefined if the input has ended. */
  readLine(): Promise<string | undefined>
}
