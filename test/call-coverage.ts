import { readFileSync } from 'node:fs'
import type { Endpoint } from '@holdfast/contract'
import { isOfTests, reachedByPrograms, type Source } from './read-imports.ts'

/** The calls that the console is built to make, of one area, each as `GET /api/mpc/...`. */
export type CallArea = { area: string; calls: string[] }

/** Why the console makes another call than one that there is: a remark in place of the files that would make it. */
export type CallRemark = { instead: string; why: string }

/** What there is of a call: the right that its contract demands, and the files where it is handled, made, and tried. */
export type CallCover = { permission: string | null; server: string[]; console: string[]; test: string[] }

export type Coverage = ReadonlyMap<string, CallCover>

type Sources = ReadonlyMap<string, Source>

export function readCallAreas(): CallArea[] {
  return JSON.parse(readFileSync(new URL('spec/calls.json', import.meta.url), 'utf8')) as CallArea[]
}

export function readCallRemarks(): Record<string, CallRemark> {
  return JSON.parse(readFileSync(new URL('spec/call-remarks.json', import.meta.url), 'utf8')) as Record<string, CallRemark>
}

/** The name of a call that stands for nothing yet. */
const NOTHING: CallCover = { permission: null, server: [], console: [], test: [] }

export const coverOf = (coverage: Coverage, call: string): CallCover => coverage.get(call) ?? NOTHING

/** Whether a call has a contract and something that answers it. */
export const isAnswered = ({ permission, server }: CallCover): boolean => permission !== null && server.length > 0

/**
 * Every call that a contract declares, with what there is of it, read from the sources: what `handle`s it on the server, the files of the console that
 * take it from the contract and that a program consists of, and the tests that take it or name its path. Tests that try every call there is name none.
 */
export async function readCoverage(sources: Sources): Promise<Coverage> {
  const calls = await readContracts(sources)
  const reached = reachedByPrograms(sources)
  const coverage = new Map<string, CallCover>()
  for (const { call, permission } of calls.values()) coverage.set(call, { permission, server: [], console: [], test: [] })
  for (const source of sources.values()) {
    const kind = kindOf(source.path)
    if (kind === undefined || (kind !== 'test' && !reached.has(source.path))) continue
    for (const call of callsIn(source, calls, kind)) coverage.get(call)?.[kind].push(source.path)
  }
  return coverage
}

type Declared = { call: string; permission: string }
/** By the file of the contract and the name there. */
type Contracts = ReadonlyMap<string, Declared>

const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'path' in value && 'permission' in value

async function readContracts(sources: Sources): Promise<Contracts> {
  const contracts = new Map<string, Declared>()
  for (const path of sources.keys()) {
    if (!/^features\/[^/]+\/[a-z-]*contract\.ts$/.test(path)) continue
    const module = (await import(new URL(`../${path}`, import.meta.url).href)) as Record<string, unknown>
    for (const [name, value] of Object.entries(module)) {
      if (isEndpoint(value)) contracts.set(`${path}#${name}`, { call: `${value.method} ${value.path}`, permission: value.permission })
    }
  }
  return contracts
}

function kindOf(path: string): 'server' | 'console' | 'test' | undefined {
  if (isOfTests(path)) return 'test'
  if (/^features\/[^/]+\/server\//.test(path)) return 'server'
  return /^(features\/[^/]+\/console|apps\/console|packages\/client)\//.test(path) ? 'console' : undefined
}

function callsIn({ text, imports }: Source, contracts: Contracts, kind: 'server' | 'console' | 'test'): Set<string> {
  const found = new Set<string>()
  const note = (key: string, name: string) => {
    const declared = contracts.get(key)
    if (declared && (kind !== 'server' || new RegExp(`\\bhandle\\(\\s*${name.replace('.', '\\.')},`).test(text))) found.add(declared.call)
  }
  for (const { path, names } of imports) {
    for (const [here, name] of names) {
      if (name !== '*') note(`${path}#${name}`, here)
      else for (const [whole, member = ''] of text.matchAll(new RegExp(`\\b${here}\\.(\\w+)`, 'g'))) note(`${path}#${member}`, whole)
    }
  }
  if (kind === 'test') {
    for (const [, path = ''] of text.matchAll(/['"`](\/api\/[\w/]+)['"`?]/g)) {
      for (const { call } of contracts.values()) if (call.endsWith(` ${path}`)) found.add(call)
    }
  }
  return found
}

const MISSING = '**missing**'
const SHOWN = 2

const fileName = (path: string) => path.replace(/^.*\//, '')

function filesCell(paths: readonly string[]): string {
  if (paths.length === 0) return MISSING
  // What says most about a call are the tests themselves; what they are made with comes after.
  const sorted = [...new Set(paths)].toSorted((a, b) => Number(!a.includes('.test.')) - Number(!b.includes('.test.')) || (a < b ? -1 : 1))
  const shown = sorted.slice(0, SHOWN).map((path) => `\`${fileName(path)}\``)
  return [...shown, ...(sorted.length > SHOWN ? [`and ${sorted.length - SHOWN} more`] : [])].join(', ')
}

/** A table of the calls of each area: a row for each, and for each column what there is or that it is missing. */
export function callsSection(areas: readonly CallArea[], coverage: Coverage): string[] {
  const all = areas.flatMap(({ calls }) => calls).map((call) => coverOf(coverage, call))
  const count = (has: (cover: CallCover) => boolean) => all.filter(has).length
  const remarks = readCallRemarks()
  const consoleCell = (call: string, files: readonly string[]) => {
    const remark = remarks[call]
    return files.length > 0 || remark === undefined ? filesCell(files) : `makes \`${remark.instead}\`: ${remark.why}`
  }
  const row = (call: string) => {
    const { permission, server, console, test } = coverOf(coverage, call)
    return `| ${call} | ${permission === null ? MISSING : `\`${permission}\``} | ${filesCell(server)} | ${consoleCell(call, console)} | ${filesCell(test)} |`
  }
  return [
    '\n## The calls, one by one\n',
    'Made from `test/spec/calls.json`, the contracts, what the server handles, and what the console and the tests take from the contracts. A call counts for the',
    'console if a file of it that the program consists of makes it; tests that try every call (other organisations, hostile input) are not named. Where the console',
    'makes another call on purpose, the table says which and why (`test/spec/call-remarks.json`); it is not counted as made.',
    `Of ${all.length} calls ${count(({ permission }) => permission !== null)} have a contract, ${count(isAnswered)} are answered by the server, ${count(({ console }) => console.length > 0)} are made by the console, ${count(({ test }) => test.length > 0)} are named by a test.`,
    ...areas.flatMap(({ area, calls }) => {
      const answered = calls.filter((call) => isAnswered(coverOf(coverage, call))).length
      const title = `\n### ${area} (${answered} of ${calls.length})\n`
      return [title, '| call | contract: the right | server | console | tests |', '|---|---|---|---|---|', ...calls.map(row)]
    }),
  ]
}
