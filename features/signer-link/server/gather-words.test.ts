import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { SessionRequest, Signed } from '@holdfast/protocol'
import { CoSignerError } from './co-signers.ts'
import type { CoSigners } from './types.ts'
import { absenceInForce, gatherEndorsements, gatherWords, isSigningStopped, noWordOf, signerAway } from './gather-words.ts'

const genesis = new Uint8Array(32).fill(7)
const request = { genesis, parties: [1n, 2n] } as unknown as SessionRequest
const wordOf = (party: number): Signed => ({ message: new Uint8Array(1), party: BigInt(party), signature: new Uint8Array(64) })
const away = (party: number, order = 1) => ({ party: BigInt(party), untilMs: 9n, intentHash: new Uint8Array(32).fill(order) })
const failure = (party: number, kind: CoSignerError['kind'], message: string = kind) => new CoSignerError({ kind, party, check: '', message })

type Said = { word?: Error; endorsement?: Error; away?: ReturnType<typeof away>; frozen?: number; unpinned?: boolean; isGone?: boolean }

/** Three signers of which each says what a test has it say. */
function signersOf(said: Record<number, Said>): Pick<CoSigners, 'call' | 'online'> {
  const call = async (party: number, { name }: { name: string }) => {
    const { word, endorsement, away: absent = null, frozen = 0, unpinned, isGone } = said[party] ?? {}
    if (isGone) throw failure(party, 'unavailable')
    if (name.endsWith('status')) return { pinned: !unpinned, away: absent, frozen: Array.from({ length: frozen }, () => new Uint8Array(1)) }
    const fault = name.endsWith('endorse') ? endorsement : word
    if (fault) throw fault
    return wordOf(party)
  }
  return { call: call as unknown as CoSigners['call'], online: () => [1, 2, 3].filter((party) => !said[party]?.isGone) }
}

const gather = async (said: Record<number, Said>) => (await gatherWords(signersOf(said).call, request, [])).map(({ party }) => Number(party))
const needs = (said: Record<number, Said>) => ({ coSigners: signersOf(said) as CoSigners })

describe('the words of signers on a session', () => {
  it('are of all three, and of two only where both say that people said the third is away', async () => {
    assert.deepEqual(await gather({}), [1, 2, 3])
    const gone = { 3: { isGone: true } }
    await assert.rejects(gather(gone), { kind: 'unavailable', party: 3, message: noWordOf(3) })
    await assert.rejects(gather({ ...gone, 1: { away: away(3) } }), { message: noWordOf(3) }, 'one of them does not say so')
    await assert.rejects(gather({ ...gone, 1: { away: away(1) }, 2: { away: away(1) } }), { message: noWordOf(3) }, 'another one is away')
    assert.deepEqual(await gather({ ...gone, 1: { away: away(3) }, 2: { away: away(3) } }), [1, 2])
  })

  it('say why where the third is there and gives none, and do without one that was put back only where people say that it is away', async () => {
    const refusal = failure(3, 'refused', 'its state was put back to an older copy')
    await assert.rejects(gather({ 3: { word: refusal } }), refusal)
    assert.deepEqual(await gather({ 1: { away: away(3) }, 2: { away: away(3) }, 3: { word: refusal } }), [1, 2])
  })

  it('are never left out of a signer that takes part', async () => {
    const fault = failure(2, 'unavailable')
    await assert.rejects(gather({ 1: { away: away(2) }, 2: { word: fault }, 3: { away: away(2) } }), fault)
  })
})

describe('a signer that is away', () => {
  it('is the one of which all that are there say so, by one order; nobody knows where fewer than two are there', async () => {
    const both = { 1: { away: away(3) }, 2: { away: away(3) }, 3: { isGone: true } }
    assert.deepEqual(await absenceInForce(needs(both), genesis), { party: 3, untilMs: 9, intentHash: new Uint8Array(32).fill(1) })
    assert.equal(await signerAway(needs(both), genesis), 3)
    assert.equal(await absenceInForce(needs({}), genesis), 'none')
    assert.equal(await absenceInForce(needs({ ...both, 2: { away: away(3, 2) } }), genesis), 'none', 'by two orders')
    assert.equal(await absenceInForce(needs({ ...both, 3: {} }), genesis), 'none', 'it is there, and says otherwise')
    assert.equal(await absenceInForce(needs({ ...both, 2: { isGone: true } }), genesis), 'unknown')
    assert.equal(await absenceInForce(needs({ ...both, 2: { unpinned: true } }), genesis), 'unknown')
    assert.equal(await signerAway(needs({ ...both, 2: { isGone: true } }), genesis), undefined)
  })
})

describe('signing', () => {
  it('is stopped where one signer says so, and not because one does not answer', async () => {
    assert.equal(await isSigningStopped(needs({}), genesis), false)
    assert.equal(await isSigningStopped(needs({ 2: { frozen: 1 }, 3: { isGone: true } }), genesis), true)
    assert.equal(await isSigningStopped(needs({ 1: { isGone: true }, 2: { isGone: true }, 3: { isGone: true } }), genesis), false)
  })
})

describe('the words of signers that they would follow something', () => {
  it('are told apart from refusals and from silence, and asked of nobody that is left out', async () => {
    const refusal = failure(2, 'refused')
    const asked = { genesis, subject: { kind: 'policyChange' as const, record: new Uint8Array(1) } }
    const { given, refusals, missing } = await gatherEndorsements(needs({ 2: { endorsement: refusal }, 3: { isGone: true } }), asked)
    assert.deepEqual([given.map(({ party }) => party), refusals, missing], [[1n], [refusal], [3]])
    assert.deepEqual(
      (await gatherEndorsements(needs({}), asked, [2])).given.map(({ party }) => party),
      [1n, 3n],
    )
    await assert.rejects(gatherEndorsements(needs({ 1: { endorsement: new Error('nobody foresaw this') } }), asked), /nobody foresaw/)
  })
})
