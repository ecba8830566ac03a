import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { test } from 'node:test'
import { announcedTopics, type Endpoint, isMutating, untoldTopics } from '@holdfast/contract'

// A page stays true because its calls say what makes their answers stale, and those that change something say what they change.

type Named = { name: string; endpoint: Endpoint }

const isEndpoint = (value: unknown): value is Endpoint => typeof value === 'object' && value !== null && 'path' in value && 'permission' in value

async function readContracts(): Promise<Named[]> {
  const modules = await Promise.all(globSync('features/*/*contract.ts').map((path) => import(resolve(path)) as Promise<object>))
  return modules.flatMap((module) => Object.entries(module).flatMap(([name, endpoint]) => (isEndpoint(endpoint) ? [{ name, endpoint }] : [])))
}

const calls = await readContracts()
const namesOf = (found: Named[]) => found.map(({ name }) => name)
const readsStaleOn = (topic: string) => namesOf(calls.filter(({ endpoint }) => endpoint.staleOn?.some((each) => each === topic)))
const changing = (topic: string) => namesOf(calls.filter(({ endpoint }) => endpoint.changes?.some((each) => each === topic)))

test('every call of a member that reads says what makes its answer stale, and every one that writes what it changes', () => {
  const members = calls.filter(({ endpoint }) => endpoint.permission !== 'public')
  assert.ok(members.length > 100, `${members.length} calls`)
  assert.deepEqual(namesOf(members.filter(({ endpoint }) => !isMutating(endpoint) && endpoint.staleOn === undefined)), [])
  assert.deepEqual(namesOf(members.filter(({ endpoint }) => isMutating(endpoint) && endpoint.changes === undefined)), [])
  assert.deepEqual(namesOf(calls.filter(({ endpoint }) => !isMutating(endpoint) && endpoint.changes !== undefined)), [])
})

test('every topic makes some answer stale', () => {
  assert.deepEqual(
    [...announcedTopics, ...untoldTopics].filter((topic) => readsStaleOn(topic).length === 0),
    [],
  )
})

test('every topic is announced by the server, or else changed by a call', () => {
  const sources = globSync('features/*/server/**/*.ts')
    .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n')
  const isAnnounced = (topic: string) => sources.includes(`topic: '${topic}'`) || sources.includes(`, '${topic}', {`)
  assert.deepEqual(
    announcedTopics.filter((topic) => !isAnnounced(topic)),
    [],
  )
  assert.deepEqual(
    untoldTopics.filter((topic) => changing(topic).length === 0),
    [],
  )
})
