import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { closeSync, createReadStream, existsSync, openSync, readSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, readdir, readFile, rename, rm, statfs, symlink } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildProcess, Connection, HttpHandler, HttpLimits, PathFacts, Ports, SpawnOptions } from './index.ts'
import { resolveName, sendToAddress } from './send-to-address.ts'
import { createLimitedServer } from './serve-http.ts'
import { openThread } from './thread.ts'

export { answerInThread } from './thread.ts'

/** The real world, for programs that run under Node. */
export const nodePorts: Ports = {
  clock: { nowMs: () => Date.now(), monotonicMs: () => performance.now() },
  random: { bytes: (length) => new Uint8Array(randomBytes(length)) },
  kernelRandom: { bytes: readKernelRandom },
  timer: {
    sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : undefined),
    after: (ms, callback) => {
      const timer = setTimeout(callback, ms)
      return () => clearTimeout(timer)
    },
  },
  disk: {
    read: readIfThere,
    writeAtomic,
    openAppend,
    readPieces: (path) => createReadStream(path),
    list,
    makeFolder,
    stat,
    link,
    move,
    remove: (path) => rm(path, { recursive: true, force: true }),
    freeBytes,
  },
  net: { connect: connectTo, listen, serveHttp, resolve: resolveName, send: sendToAddress },
  process: {
    env: process.env,
    argv: process.argv.slice(2),
    cwd: () => process.cwd(),
    host: { platform: process.platform, arch: process.arch, userId: process.getuid?.(), temporaryFolder: tmpdir() },
    spawn: spawnProcess,
    signal: signalProcess,
    onStop,
    keepInspectorsOut: () => void process.on('SIGUSR1', () => {}),
    exit,
    print: (line) => void process.stdout.write(`${line}\n`),
    printError: (line) => void process.stderr.write(`${line}\n`),
    readLine,
  },
  threads: { open: openThread },
  fetch: (...args) => fetch(...args),
}

/** Throws where the system has no such device, or it gives too little: what asks for these bytes must not go on without them. */
function readKernelRandom(length: number): Uint8Array {
  const drawn = new Uint8Array(length)
  const device = openSync('/dev/urandom', 'r')
  try {
    for (let at = 0; at < length; ) {
      const read = readSync(device, drawn, at, length - at, null)
      if (read === 0) throw new Error('the random device of the system has ended')
      at += read
    }
  } finally {
    closeSync(device)
  }
  return drawn
}

async function readLine(): Promise<string | undefined> {
  const lines = createInterface({ input: process.stdin, terminal: false })
  try {
    for await (const line of lines) return line
    return undefined
  } finally {
    lines.close()
  }
}

async function readIfThere(path: string): Promise<Uint8Array | undefined> {
  try {
    return new Uint8Array(await readFile(path))
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

async function list(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw cause
  }
}

async function makeFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
}

async function stat(path: string): Promise<PathFacts | undefined> {
  try {
    const facts = await lstat(path)
    const kind = facts.isFile() ? 'file' : facts.isDirectory() ? 'folder' : facts.isSymbolicLink() ? 'link' : 'other'
    return { kind, sizeBytes: facts.size, mode: facts.mode & 0o7777, ours: facts.uid === process.getuid?.() }
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw cause
  }
}

async function freeBytes(folder: string): Promise<number> {
  try {
    const { bavail, bsize } = await statfs(folder)
    return bavail * bsize
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw cause
  }
}

async function link(target: string, path: string): Promise<void> {
  try {
    await symlink(target, path)
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause
  }
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to)
  await withHandle(dirname(to), 'r', 0, (handle) => handle.sync())
}

async function withHandle<T>(path: string, flags: string, mode: number, act: (handle: FileHandle) => Promise<T>): Promise<T> {
  const handle = await open(path, flags, mode)
  try {
    return await act(handle)
  } finally {
    await handle.close()
  }
}

async function writeAtomic(path: string, content: Uint8Array, mode = 0o600): Promise<void> {
  const temporary = `${path}.${process.pid}.${randomBytes(6).toString('hex')}.tmp`
  await withHandle(temporary, 'wx', mode, async (handle) => {
    await handle.writeFile(content)
    await handle.sync()
  })
  await rename(temporary, path)
  // The rename itself is durable only when the folder is synced.
  await withHandle(dirname(path), 'r', 0, (handle) => handle.sync())
}

async function openAppend(path: string) {
  const handle = await open(path, 'a+', 0o600)
  return {
    append: async (content: Uint8Array) => {
      await handle.appendFile(content)
      await handle.datasync()
    },
    truncate: async (length: number) => {
      await handle.truncate(length)
      await handle.sync()
    },
    close: () => handle.close(),
  }
}

function connectionOf(socket: Socket): Connection {
  socket.setNoDelay(true)
  // An error also ends the iteration of `incoming`; without a listener it would end the process.
  socket.on('error', () => socket.destroy())
  return {
    ...(socket.remoteAddress !== undefined && { peerAddress: socket.remoteAddress }),
    incoming: socket,
    write: (content) => new Promise((resolve, reject) => socket.write(content, (error) => (error ? reject(error) : resolve()))),
    close: () => socket.destroy(),
  }
}

function connectTo(host: string, port: number): Promise<Connection> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host, port })
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.removeListener('error', reject)
      resolve(connectionOf(socket))
    })
  })
}

function listen(host: string, port: number, accept: (connection: Connection) => void): Promise<{ port: number; close(): Promise<void> }> {
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    accept(connectionOf(socket))
  })
  return listenWith(server, host, port, () => {
    for (const socket of open) socket.destroy()
  })
}

/** Begins to listen; `cut` breaks off what is open when that ends. */
function listenWith(server: Server, host: string, port: number, cut: () => void): Promise<{ port: number; close(): Promise<void> }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const close = () =>
        new Promise<void>((done) => {
          cut()
          server.close(() => done())
        })
      resolve({ port: (server.address() as { port: number }).port, close })
    })
  })
}

function serveHttp(host: string, port: number, handler: HttpHandler, limits?: HttpLimits): Promise<{ port: number; close(): Promise<void> }> {
  const server = createLimitedServer(handler, limits)
  return listenWith(server, host, port, () => server.closeAllConnections())
}

function spawnProcess(command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
  const output = options.logPath === undefined ? 'inherit' : openSync(options.logPath, 'a', 0o600)
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', output, output],
    detached: options.detached ?? false,
  })
  // The child has its own copy of the log's descriptor; keeping ours would leak one with every start.
  if (typeof output === 'number') closeSync(output)
  if (options.detached) child.unref()
  const exited = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code))
  })
  return { pid: child.pid ?? -1, exited, kill: (signal) => void child.kill(signal) }
}

function signalProcess(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch {
    return false
  }
}

const SHELL = '/bin/sh'

/**
 * What waits in a pipe whose reader is slow would be lost with the process; a reader that has gone takes nothing more, which is no fault.
 *
 * Node's own way to end waits for its threads that compile, and one of those may wait for a collection that the main thread no longer makes: such a process
 * never ends (nodejs/node#54918). So what is left of the process becomes a shell, which has no threads and ends with the code.
 */
async function exit(code: number): Promise<never> {
  const taken = (stream: NodeJS.WriteStream) => new Promise<unknown>((resolve) => stream.on('error', () => {}).write('', resolve))
  await Promise.all([taken(process.stdout), taken(process.stderr)])
  if (!process.execve || !existsSync(SHELL)) return process.exit(code)
  process.emit('exit', code)
  flushCompileCache()
  // As Node does: others that write to the same pipe expect to wait for its reader.
  for (const stream of [process.stdout, process.stderr] as { _handle?: { setBlocking?(isBlocking: boolean): void } }[]) stream._handle?.setBlocking?.(true)
  return process.execve(SHELL, ['sh', '-c', `exit ${code}`], {})
}

const stopCallbacks: (() => Promise<void>)[] = []

function onStop(callback: () => Promise<void>): void {
  stopCallbacks.unshift(callback)
  if (stopCallbacks.length > 1) return
  const stop = async () => {
    for (const each of stopCallbacks.splice(0)) await each().catch((cause) => process.stderr.write(`${cause}\n`))
    await exit(0)
  }
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
}

/** The folder of the project that contains `url`, climbing until its root `package.json` with workspaces. */
export async function projectFolder(url: string): Promise<string> {
  for (let folder = dirname(new URL(url).pathname); ; folder = dirname(folder)) {
    const manifest = await readIfThere(join(folder, 'package.json'))
    if (manifest && JSON.parse(new TextDecoder().decode(manifest)).workspaces) return folder
    if (folder === dirname(folder)) throw new Error('not inside the project: start the program from its checkout')
  }
}
