import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '@holdfast/contract'
import { createSessionStore, type SessionFacts } from './session-store.ts'

const signedOut: SessionFacts = { signed_in: false, organisation_ready: true, demo: false, methods: ['passkey'], session: null }
const signedIn: SessionFacts = {
  ...signedOut,
  signed_in: true,
  session: { open_token: 'open-1', person_id: 'p1', role: 'owner', expires_at: 1, organisation_id: 'o1', name: 'Alice' },
}

function answering(...answers: (SessionFacts | Promise<SessionFacts> | Error)[]) {
  let calls = 0
  const client = {
    call: async () => {
      const answer = answers[calls++]
      if (answer instanceof Error) throw answer
      return answer
    },
  } as unknown as Client
  return { client, calls: () => calls }
}

test('the server is asked once, and again only when wanted', async () => {
  const store = createSessionStore()
  const { client, calls } = answering(signedOut, signedIn)
  await Promise.all([store.load(client), store.load(client)])
  assert.equal(calls(), 1)
  assert.equal(store.openToken(), undefined)
  await store.load(client, { again: true })
  assert.equal(store.openToken(), 'open-1')
  assert.equal(store.facts()?.session?.name, 'Alice')
})

test('a failed question is asked again', async () => {
  const store = createSessionStore()
  const { client } = answering(new Error('no connection'), signedIn)
  await assert.rejects(store.load(client), /no connection/)
  assert.equal((await store.load(client)).signed_in, true)
})

test('leaving forgets the open token and the person, and tells so', async () => {
  const store = createSessionStore()
  const { client } = answering(signedIn)
  await store.load(client)
  let told = 0
  store.subscribe(() => told++)
  store.left()
  assert.equal(store.openToken(), undefined)
  assert.equal(store.facts()?.session, null)
  assert.equal((await store.load(client)).signed_in, false)
  assert.equal(told, 1)
})

test('signing out lasts until the server has answered, and is over where the server fails to', async () => {
  const store = createSessionStore()
  let refuse: (error: Error) => void = () => undefined
  const { client } = answering(signedIn, new Promise<SessionFacts>((_, reject) => (refuse = reject)))
  await store.load(client)
  const told: boolean[] = []
  store.subscribe(() => told.push(store.isSigningOut()))
  const asked = store.signOut(client)
  assert.equal(store.isSigningOut(), true)
  refuse(new Error('no connection'))
  await assert.rejects(asked, /no connection/)
  assert.equal(store.isSigningOut(), false)
  // The pages are told of the beginning; of the end they hear once the person has left, and never show themselves in between.
  assert.deepEqual(told, [true])
})

test('an answer that comes late does not bring back who has left', async () => {
  const store = createSessionStore()
  let answerNow: (facts: SessionFacts) => void = () => undefined
  const { client } = answering(signedOut, new Promise((resolve) => (answerNow = resolve)))
  await store.load(client)
  const late = store.load(client, { again: true })
  store.left()
  answerNow(signedIn)
  await late
  assert.equal(store.openToken(), undefined)
  assert.equal(store.facts()?.session, null)
})

test('a session that ended by itself is told apart from one that the person ended', async () => {
  const { client } = answering(signedIn, signedIn, {} as never)
  const store = createSessionStore()
  await store.load(client)
  assert.equal(store.hasExpired(), false)
  store.left()
  assert.equal(store.hasExpired(), true)
  store.entered({ open_token: 'next' } as never)
  assert.equal(store.hasExpired(), false)
  await store.load(client, { again: true })
  await store.signOut(client).catch(() => undefined)
  store.left()
  assert.equal(store.hasExpired(), false)
})
