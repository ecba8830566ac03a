import { readdirSync, readFileSync } from 'node:fs'

/* Where the processor's time goes while tests run: they start browsers, databases and whole products, of which few tell whoever started them what they took. */

/** A process as Linux tells of it. A number is given out again after its process has ended; with the moment of its start it is one process alone. */
export interface Running {
  pid: number
  parent: number
  startedAt: string
  /** Of its own, without what it started. */
  seconds: number
  command: string
}

const TICKS_PER_SECOND = 100
const LOOK_EVERY_MS = 1_000

/** The first that fits; whatever else tests start are programs of the product or tools. */
const KINDS = [
  ['browser', /chrom/],
  ['database', /postgres/],
  ['programs', /\bapps\/\S+\.ts\b/],
  ['tests', /\.test\.ts\b/],
] as const
const OTHER = 'other'

/** What a process counts as. A test file may lie in a folder of the programs or be made for several, so its name is looked at first. */
export function kindOf(command: string): string {
  return /\.test\.(?:ts|mjs)\s*$/.test(command) ? 'tests' : (KINDS.find(([, words]) => words.test(command))?.[0] ?? OTHER)
}

/**
 * Adds up what the processes below `root` take, by kind, in seconds of one core. `look` is told what runs now. Whoever was once below the root stays so, also
 * when its parent has ended; what a process took after it was last seen is not known, nor is one that came and went between two looks.
 */
export function sumBelow(root: number) {
  const below = new Map<string, { pid: number; seconds: number; kind: string }>()
  const keyOf = ({ pid, startedAt }: Running) => `${pid} ${startedAt}`
  return {
    look: (running: readonly Running[]): void => {
      const pids = new Set([root, ...running.filter((each) => below.has(keyOf(each))).map(({ pid }) => pid)])
      for (let size = 0; size !== pids.size; ) {
        size = pids.size
        for (const { pid, parent } of running) if (pids.has(parent)) pids.add(pid)
      }
      for (const each of running) {
        if (each.pid === root || !pids.has(each.pid)) continue
        // One that has ended, and whose end nobody has asked for yet, has no command any more.
        const kind = each.command === '' ? (below.get(keyOf(each))?.kind ?? OTHER) : kindOf(each.command)
        below.set(keyOf(each), { pid: each.pid, seconds: each.seconds, kind })
      }
    },
    sums: (): Record<string, number> => {
      const sums: Record<string, number> = {}
      for (const { kind, seconds } of below.values()) sums[kind] = (sums[kind] ?? 0) + seconds
      return sums
    },
  }
}

/** All processes of this machine; none where the system does not say. */
export function readRunning(): Running[] {
  return namesIn('/proc').flatMap((name) => (/^\d+$/.test(name) ? readProcess(Number(name)) : []))
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

function readProcess(pid: number): Running[] {
  try {
    const facts = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name of the program stands in brackets and may contain anything.
    const [, parent, , , , , , , , , , user, system, , , , , , , startedAt = ''] = facts.slice(facts.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
    return [{ pid, parent: Number(parent), startedAt, seconds: (Number(user) + Number(system)) / TICKS_PER_SECOND, command }]
  } catch {
    // It has ended meanwhile.
    return []
  }
}

/**
 * Measures everything that runs below this process from now on, and looks once a second. `end` answers it in words, the greatest first; nothing where it
 * is next to nothing or the system does not say.
 */
export function measureChildren(): { end(): string } {
  const sum = sumBelow(process.pid)
  const look = () => sum.look(readRunning())
  const timer = setInterval(look, LOOK_EVERY_MS)
  return {
    end: () => {
      clearInterval(timer)
      look()
      const parts = Object.entries(sum.sums())
        .filter(([, seconds]) => seconds >= 0.5)
        .toSorted(([, a], [, b]) => b - a)
      const total = parts.reduce((seconds, [, each]) => seconds + each, 0)
      if (total === 0) return ''
      return `, ${total.toFixed(0)} s of processor (${parts.map(([kind, seconds]) => `${kind} ${seconds.toFixed(0)}`).join(', ')})`
    },
  }
}
