import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ChildProcess } from '@holdfast/ports'
import { keepRunning } from './keep-running.ts'

/** Programs that end when a test says so, and a clock that stands still but for the pauses. */
function scriptedStack(programs: readonly string[]) {
  const said: string[] = []
  const pauses: number[] = []
  const ends = new Map<string, (code: number | null) => void>()
  const children = new Map<string, ChildProcess>()
  const waiters: { name: string; starts: number; resolve: () => void }[] = []
  const starts = new Map<string, number>()
  let nowMs = 0
  let fails = 0
  const launch = (name: string) => {
    children.set(name, { pid: 1, kill: () => {}, exited: new Promise((resolve) => ends.set(name, resolve)) })
    starts.set(name, (starts.get(name) ?? 0) + 1)
    for (const each of waiters) if (each.name === name && each.starts <= starts.get(name)!) each.resolve()
  }
  for (const name of programs) launch(name)
  return {
    said,
    pauses,
    ports: {
      clock: { nowMs: () => nowMs, monotonicMs: () => nowMs },
      timer: {
        sleep: async (ms: number) => {
          pauses.push(ms)
          nowMs += ms
        },
      },
    },
    stack: {
      programs,
      logOf: (name: string) => `/logs/${name}.log`,
      process: (name: string) => children.get(name)!,
      restart: async (name: string) => {
        launch(name)
        if (fails-- > 0) {
          ends.get(name)!(1)
          throw new Error(`${name} did not start`)
        }
      },
    },
    pass: (ms: number) => (nowMs += ms),
    failStarts: (count: number) => (fails = count),
    end: (name: string, code: number | null) => ends.get(name)!(code),
    /** Waits for the n-th start of a program, and until whoever started it has gone on. */
    started: async (name: string, count: number) => {
      await new Promise<void>((resolve) => ((starts.get(name) ?? 0) >= count ? resolve() : waiters.push({ name, starts: count, resolve })))
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

const PROGRAMS = ['devnet', 'server', 'signer-1', 'signer-2', 'signer-3']
const keep = (world: ReturnType<typeof scriptedStack>) => keepRunning(world.ports as never, world.stack, (line) => world.said.push(line))

test('a program that ends is started again by itself, whichever it is, and people are told', async () => {
  for (const name of PROGRAMS) {
    const world = scriptedStack(PROGRAMS)
    const kept = keep(world)
    world.end(name, null)
    await world.started(name, 2)
    assert.deepEqual(world.said, [`${name} ended (by a signal); see /logs/${name}.log. It is started again in 0.5 s`, `${name} runs again`])
    kept.stop()
  }
})

test('the pause doubles with each end in a row up to a minute, and is short again after a minute of work', async () => {
  const world = scriptedStack(PROGRAMS)
  const kept = keep(world)
  for (let i = 0; i < 9; i++) {
    world.end('server', 1)
    await world.started('server', i + 2)
  }
  assert.deepEqual(world.pauses, [500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000])
  world.pass(60_000)
  world.end('server', 1)
  await world.started('server', 11)
  assert.equal(world.pauses.at(-1), 500)
  kept.stop()
})

test('a start that fails is followed by the next one', async () => {
  const world = scriptedStack(PROGRAMS)
  const kept = keep(world)
  world.failStarts(2)
  world.end('signer-2', null)
  await world.started('signer-2', 4)
  assert.equal(world.said.at(-1), 'signer-2 runs again')
  assert.equal(world.said.filter((line) => line.startsWith('signer-2 did not start')).length, 2)
  kept.stop()
})

test('only a configuration that is wrong is given up on: the server’s ends everything, a signer’s leaves the others', async () => {
  const world = scriptedStack(PROGRAMS)
  const kept = keep(world)
  world.end('signer-3', 78)
  world.end('signer-1', null)
  await world.started('signer-1', 2)
  assert.ok(world.said.includes('signer-3 says that its configuration is wrong, so it is not started again. See /logs/signer-3.log'))
  world.end('server', 78)
  assert.equal(await kept.lost, 'server')
  kept.stop()
})

test('nothing is started again once everything is being stopped', async () => {
  const world = scriptedStack(PROGRAMS)
  const kept = keep(world)
  kept.stop()
  for (const name of PROGRAMS) world.end(name, 0)
  await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(world.said, [])
})
