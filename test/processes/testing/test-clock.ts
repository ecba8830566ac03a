import { closeSync, openSync, readSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/*
 * A clock that tests set. Programs that load this first read the time of day from it: the test itself, and every program that it starts from `setClock` on,
 * since they inherit its environment. Nothing of the product knows of it. One file, which all of them read, says by how much the clock is ahead, so that a jump
 * reaches programs that run. Timers and `monotonicMs` go on as ever: what waits for a time of day has to notice by itself that it has come, as after the sleep
 * of a machine. The database takes no part, for no statement of the product asks it what time it is.
 *
 * What a jump brings about, as it would for people: sessions end (after 15 minutes without a call and after 12 hours in any case), so one signs in again;
 * codes and links expire; an order or a change whose time is over ends. A browser has a clock of its own, and signs with it (`test/e2e/browser-clock.ts`). A
 * product that several files share must never have its clock set.
 */

const VARIABLE = 'HOLDFAST_TEST_CLOCK'
/** A number of as many characters always, so that no reader finds a half of it. */
const WIDTH = 16
/** How long a program goes by what it read, so that asking for the time stays cheap. */
const KEPT_MS = 5

const realNow = Date.now
let file: number | undefined
let shiftMs = 0
let readAtMs = -Infinity

function shift(): number {
  if (file === undefined || performance.now() - readAtMs < KEPT_MS) return shiftMs
  readAtMs = performance.now()
  const read = Buffer.alloc(WIDTH)
  if (readSync(file, read, 0, WIDTH, 0) === WIDTH) shiftMs = Number(read.toString())
  return shiftMs
}

const now = () => realNow() + shift()

const path = process.env[VARIABLE]
if (path !== undefined) file = openSync(path, 'r')
globalThis.Date = new Proxy(Date, {
  construct: (date, given, target) => Reflect.construct(date, given.length === 0 ? [now()] : given, target) as Date,
  get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
})

/** Sets the clock of this program, and of all that it started since it first set it or starts from now on. */
export function setClock(nowMs: number): void {
  const isFirst = process.env[VARIABLE] === undefined
  const at = (process.env[VARIABLE] ??= join(tmpdir(), `holdfast-clock-${process.pid}`))
  const ahead = Math.round(nowMs - realNow())
  const written = openSync(at, isFirst ? 'w' : 'r+')
  if (isFirst) process.once('exit', () => rmSync(at, { force: true }))
  writeSync(written, String(ahead).padStart(WIDTH), 0)
  closeSync(written)
  file ??= openSync(at, 'r')
  readAtMs = -Infinity
  process.env.NODE_OPTIONS = `--import=${import.meta.url}`
}

/** Moves the clock on by so much, for this program and all that it started. */
export function passTime(ms: number): void {
  setClock(Date.now() + ms)
}

/** By how much the clock is ahead of that of the machine, in milliseconds. */
export function clockAheadMs(): number {
  return shift()
}
