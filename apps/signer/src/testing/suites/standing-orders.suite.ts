import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { codecFor } from '@holdfast/chain-evm/codec'
import { decode, encode, toHex } from '@holdfast/encoding'
import { type BookChange, intentHash, type StandingOrderIntent } from '@holdfast/intent'
import { emptyBook, LISTING_COOLING_MS } from '@holdfast/policy'
import { type Evidence, evidenceShape, type Signed, signatureResultShape, verifyEvidence } from '@holdfast/protocol'
import type { SignerCalls } from '../../calls/calls.ts'
import type { AskedSignerOrder } from '../../checks/verify-signer-order.ts'
import { copyFolder, cosignAll, endorsementsOf, PAIRS, PARTIES, restart, resultOf, runSession } from '../cluster.ts'
import { type Founded, journalOf, type Office, type OfficeOrder, openOffice } from '../founded-cluster.ts'
import { actsOf, type Asked } from '../office-acts.ts'
import { addressOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from '../order-of.ts'
import { CHAIN, COIN, DAY_MS, NOW_MS, TOKEN } from '../organisation-of.ts'
import { followedRecord, openNewcomer, replacementOf } from '../replace-signer.ts'
import { bookOrderOf, declareAway, followSignerOrder, type SignerOrderOptions, standingOrderAskedOf } from '../signer-order-of.ts'
import { FEE_MOST, STANDING_ID, SWEEPS_MAX, stopOf, TREASURY_PATH } from '../standing-order-of.ts'
import { ann, ben, cleo, ORDER_MAX, outsider } from '../world-of.ts'

type Move = Pick<OfficeOrder, 'asset' | 'amount' | 'path' | 'changes' | 'parties' | 'salt'>

/** Transfers that nobody is asked about, by three real signers: whatever a server does, they stay within what people approved once. */
export function standingOrdersSuite(get: () => Founded): void {
  const { refused, signs, refuses, genesis } = actsOf(get)
  const thirdOf = (pair: readonly bigint[]) => PARTIES.find((party) => !pair.includes(BigInt(party)))!
  /** Has signers follow a standing order. */
  const follow = async (office: Office, standing: Partial<StandingOrderIntent> = {}, options: SignerOrderOptions = {}) => {
    const made = await standingOrderAskedOf(office, { ...options, standing })
    await followSignerOrder(office, made.asked, options.parties)
    return made
  }
  /** A transfer that the standing order covers, but for what a test changes: the next one, or the same again under its number. */
  const move = async (office: Office, order: StandingOrderIntent, { parties = [1n, 2n], ...options }: Move = {}): Promise<Asked> => {
    const { organisation, key } = get()
    const salt = options.salt ?? office.log.checkpoint.size
    const changes = { to: addressOf(key, TREASURY_PATH), initiator: order.id, ...options.changes }
    const common = { fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator: ann, nonce: BigInt(salt), nowMs: office.time.nowMs }
    const draft = draftOf({ ...common, asset: TOKEN, amount: ORDER_MAX, ...options, salt, changes })
    const { request } = requestOf({ key, draft, approvals: [], log: office.log, parties: [...parties], salt: office.log.checkpoint.size })
    await cosignAll(office, office.log)
    return { ...request, standingOrder: intentHash(order) }
  }
  /** The same once more: a request counts once. */
  let asked = 0
  const again = (request: Asked): Asked => ({ ...request, nonce: new Uint8Array(32).fill(++asked) })
  const stop = (person = ben, order: Pick<StandingOrderIntent, 'id' | 'version'> = { id: STANDING_ID, version: 1n }) =>
    stopOf(person, [order], { genesis: genesis() })
  const stopAt = (office: Office, party: number, encoded = stop()) => office.calls.get(party)!.stopStandingOrders({ genesis: genesis(), stop: encoded })
  const relogged = async (office: Office, asked: AskedSignerOrder): Promise<AskedSignerOrder> => {
    await cosignAll(office, office.log)
    return { ...asked, checkpoint: office.log.note(), logged: asked.logged.map(({ index }) => office.log.logged(Number(index))) }
  }
  const keptBy = async (office: Office, party: number) => (await office.calls.get(party)!.standingOrders({ genesis: genesis() })).orders

  describe('an approved standing order', () => {
    it('is followed by every pair, as often as all three together have not used it up, also after new starts', async (t) => {
      const office = await openOffice(t, get())
      const { order } = await follow(office)
      assert.equal(SWEEPS_MAX, 3n)
      const made: Asked[] = []
      for (const pair of PAIRS) {
        made.push(await move(office, order, { parties: [...pair] }))
        await signs(office, made.at(-1)!)
        await restart(office, Number(pair[0]))
      }
      for (const pair of PAIRS) await refuses(office, await move(office, order, { parties: [...pair] }), 'c9', /3 orders/)
      for (const request of made) await signs(office, again(request))
      await refuses(office, await move(office, await follow(office, { version: 2n }).then((next) => next.order)), 'c9', /3 orders/)
      office.time.nowMs += DAY_MS + 1
      await signs(office, await move(office, await follow(office, { version: 3n }).then((next) => next.order), { parties: [2n, 3n] }))
    })

    it('moves to no other address, for no higher fee, no more, and from nowhere else: of each attempt one signer says why', async (t) => {
      const office = await openOffice(t, get())
      const coins = [{ asset: COIN, max: FEE_MOST, maxShare: 1_000n }]
      const { order } = await follow(office, { fees: coins, never: [addressOf(get().key, [0n, 8n])], untilMs: BigInt(NOW_MS + 2 * DAY_MS) })
      const attempts: [string, Move][] = [
        ['a stranger', { changes: { to: OTHER_ADDRESS } }],
        ['a neighbour', { changes: { to: addressOf(get().key, [1n, 4n]) } }],
        ['more', { amount: ORDER_MAX + 1n }],
        ['less', { amount: 9n }],
        ['a higher fee', { changes: { feeCap: FEE_MOST + 1n } }],
        ['a fee that is more than the tenth of it', { asset: COIN, amount: ORDER_MAX }],
        ['from another wallet', { path: [2n, 7n] }],
        ['from an excluded address', { path: [0n, 8n] }],
        ['open beyond its end', { changes: { expiresAtMs: order.untilMs + 1n } }],
        ['in the name of a person', { changes: { initiator: ann.person.id } }],
      ]
      for (const [i, [, attempt]] of attempts.entries()) await refuses(office, await move(office, order, { ...attempt, parties: [...PAIRS[i % 3]!] }), 'c5')
      const request = await move(office, order)
      await signs(office, request)
      office.time.nowMs += 2 * DAY_MS
      const late = await move(office, order, { changes: { expiresAtMs: order.untilMs } })
      await refuses(office, late, 'c5', /not in force/)
      await signs(office, again(request))
    })

    it('moves to an address on the whitelist only while that is there', async (t) => {
      const office = await openOffice(t, get())
      const { order } = await follow(office, { does: { kind: 'sweep', to: [{ kind: 'listed', chain: CHAIN, address: RECIPIENT_ADDRESS, memo: null }] } })
      const pays = { changes: { to: RECIPIENT_ADDRESS } }
      const id = new Uint8Array(16).fill(1)
      const change = async (changes: BookChange[]) =>
        followSignerOrder(office, (await bookOrderOf(office, journalOf(office, 1).register.book ?? emptyBook(), changes)).asked)
      await refuses(office, await move(office, order, pays), 'c5', /whitelist/)
      await change([{ kind: 'add', id, name: 'Cold', address: RECIPIENT_ADDRESS, chains: [CHAIN], memo: null, lists: [] }])
      await refuses(office, await move(office, order, pays), 'c5', /waiting period/)
      office.time.nowMs += LISTING_COOLING_MS
      await signs(office, await move(office, order, pays))
      await change([{ kind: 'remove', id, name: 'Cold', address: RECIPIENT_ADDRESS }])
      await refuses(office, await move(office, order, { ...pays, parties: [2n, 3n] }), 'c5', /whitelist/)
    })

    it('is followed by nobody without its quorum, unlogged, out of its order, or with a word that is missing', async (t) => {
      const office = await openOffice(t, get())
      const ways: [string, SignerOrderOptions, RegExp][] = [
        ['c5', { approvers: [ben] }, /1 approval/],
        ['c5', { approvers: [ann, ben] }, /1 approval/],
        ['c5', { approvers: [ben, outsider] }, /approval/],
        ['c11', { unlogged: true }, /log/],
        ['c4', { standing: { limits: [] } }, /how many/],
        ['c4', { standing: { does: { kind: 'sweep', to: [{ kind: 'listed', chain: CHAIN, address: 'nowhere', memo: null }] } } }, /spelling/],
        ['c4', { standing: { notBeforeMs: BigInt(NOW_MS - 5000), expiresAtMs: BigInt(NOW_MS - 1) } }, /over/],
      ]
      const endorse = (asked: AskedSignerOrder) => {
        const { genesis: of, ...subject } = asked
        return office.calls.get(2)!.endorse({ genesis: of, subject: { kind: 'order', ...subject } })
      }
      for (const [check, options, words] of ways) await assert.rejects(endorse((await standingOrderAskedOf(office, options)).asked), refused(check, words))
      const { asked } = await standingOrderAskedOf(office)
      await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...asked, endorsements: [] }), refused('c12', /has not said/))
      await follow(office, { version: 2n })
      for (const standing of [{ version: 1n }, { version: 2n, name: 'Other' }])
        await assert.rejects(endorse((await standingOrderAskedOf(office, { standing })).asked), refused('c10', /does not follow/))
    })
  })

  describe('the evidence of a transfer under a standing order', () => {
    it('proves to a stranger, by what real signers said, that people approved the standing order and that it covers the transfer', async (t) => {
      const office = await openOffice(t, get())
      const { organisation, key } = get()
      const { order, asked } = await follow(office)
      const request = await move(office, order)
      const lines = await cosignAll(office, office.log)
      const words: Signed[] = []
      const heard = (given: Signed[], to: number) => {
        if (to === 1) words.push(...given.filter(({ party }) => party === 3n))
        return given
      }
      const outcomes = await runSession(office.calls, request, { words: heard })
      const results = [1, 2].map((party) => decode(signatureResultShape, resultOf(outcomes, party)))
      const signatures = results[0]!.signatures.map(({ r, s, recovery }) => ({ r, s, recovery: Number(recovery) }))
      const evidence: Extract<Evidence, { kind: 'standing' }> = {
        kind: 'standing',
        genesisRecord: organisation.record,
        policyChanges: [],
        intent: request.intent,
        approvals: [],
        raw: codecFor(CHAIN)!.attach(request.unsigned, signatures).raw,
        keyStatements: await Promise.all(PARTIES.map((party) => office.calls.get(party)!.attestKey({ genesis: genesis(), keyId: key.keyId, epoch: 0n }))),
        signatureStatements: results.map(({ statement }) => statement),
        checkpoint: office.log.note(lines),
        logged: request.logged,
        words,
        absence: null,
        standing: {
          intent: asked.intent,
          approvals: asked.approvals,
          logged: asked.logged.map(({ index }) => office.log.logged(Number(index))),
          place: null,
          keyStatements: [],
        },
      }
      const verify = (bundle: Evidence) => verifyEvidence(encode(evidenceShape, bundle), { codecFor, fingerprint: toHex(genesis()) })
      const { approvedBy, standing, standingOrder } = verify(evidence)
      assert.deepEqual([approvedBy, standing, standingOrder?.version], [['Ben', 'Cleo'], { kind: 'word', signer: 'signer 3', isShown: true }, 1n])
      const { order: next, asked: other } = await follow(office, { version: 2n, never: [addressOf(key, [0n, 7n])] })
      await cosignAll(office, office.log)
      const logged = other.logged.map(({ index }) => office.log.logged(Number(index)))
      assert.equal(next.version, 2n)
      assert.throws(() => verify({ ...evidence, standing: { ...evidence.standing, intent: other.intent, approvals: other.approvals, logged } }), /log/)
      assert.throws(() => verify({ ...evidence, standing: { ...evidence.standing, approvals: asked.approvals.slice(1) } }), /approval/)
    })
  })

  describe('what one signer alone knows of a standing order', () => {
    for (const pair of PAIRS) {
      const third = thirdOf(pair)
      it(`a stop that only signer ${third} was told stops signers ${pair.join(' and ')}, who know it from then on`, async (t) => {
        const office = await openOffice(t, get())
        const { order } = await follow(office)
        const before = await move(office, order, { parties: [...pair] })
        await signs(office, before)
        await stopAt(office, third)
        await restart(office, third)
        await refuses(office, await move(office, order, { parties: [...pair] }), 'c6', /Ben stopped/)
        for (const party of pair) await restart(office, Number(party))
        await declareAway(office, third)
        await refuses(office, await move(office, order, { parties: [...pair] }), 'c6', /Ben stopped/)
        await signs(office, again(before))
      })

      it(`a newer version that only signer ${third} follows ends the older at signers ${pair.join(' and ')}`, async (t) => {
        const office = await openOffice(t, get())
        const { order } = await follow(office)
        const next = await follow(office, { version: 2n, never: [addressOf(get().key, [0n, 7n])] }, { parties: PARTIES }).catch(() => undefined)
        assert.ok(next)
        await refuses(office, await move(office, order, { parties: [...pair] }), 'c5', /no such standing order/)
        const three = await standingOrderAskedOf(office, { standing: { version: 3n } })
        await followSignerOrder(office, three.asked, [third])
        await refuses(office, await move(office, next.order, { parties: [...pair], path: [0n, 9n] }), 'c12', /version 3/)
        await followSignerOrder(office, await relogged(office, three.asked), pair.map(Number))
        await signs(office, await move(office, three.order, { parties: [...pair] }))
      })
    }
  })

  describe('a stop', () => {
    it('is one eligible person’s, takes effect at once, and only a newer version that the quorum approved goes on', async (t) => {
      const office = await openOffice(t, get())
      const { order } = await follow(office)
      await assert.rejects(stopAt(office, 1, stop(outsider)))
      await assert.rejects(stopAt(office, 1, stopOf(ben, [order], { genesis: new Uint8Array(32) })))
      const forged = stop().slice()
      forged[forged.length - 1]! ^= 1
      await assert.rejects(stopAt(office, 1, forged))
      await signs(office, await move(office, order))
      for (const party of PARTIES) await stopAt(office, party, stop(cleo))
      for (const pair of PAIRS) await refuses(office, await move(office, order, { parties: [...pair] }), 'c6', /Cleo stopped/)
      assert.deepEqual(
        (await keptBy(office, 2)).map(({ stoppedBy }) => stoppedBy && toHex(stoppedBy)),
        [toHex(cleo.person.id)],
      )
      await followSignerOrder(office, await relogged(office, (await standingOrderAskedOf(office, { standing: order })).asked))
      await refuses(office, await move(office, order), 'c6', /Cleo stopped/)
      const { order: next } = await follow(office, { version: 2n })
      await signs(office, await move(office, next, { parties: [1n, 3n] }))
      for (const party of PARTIES) await stopAt(office, party, stop(cleo))
      await signs(office, await move(office, next, { parties: [2n, 3n] }))
    })

    it('between the joins and the first message ends the session, and at the third signer it is heard in time', async (t) => {
      const office = await openOffice(t, get())
      const { order } = await follow(office)
      const third = office.calls.get(3)!
      const speaking: SignerCalls = { ...third, giveWord: async (joins) => stopAt(office, 3).then(() => third.giveWord(joins)) }
      const heard = await runSession(new Map(office.calls).set(3, speaking), await move(office, order))
      assert.ok(
        [...heard.values()].every((each) => each instanceof Error && /Ben stopped/.test(each.message)),
        [...heard.values()].map(String).join(),
      )
      const { order: next } = await follow(office, { version: 2n })
      const one = office.calls.get(1)!
      const stopping: SignerCalls = { ...one, startSession: async (given) => stopAt(office, 1, stop(ben, next)).then(() => one.startSession(given)) }
      const ended = await runSession(new Map(office.calls).set(1, stopping), await move(office, next))
      assert.ok([...ended.values()].every((each) => each instanceof Error))
      await refuses(office, await move(office, next, { parties: [2n, 3n] }), 'c6', /Ben stopped/)
    })

    it('is not forgotten where the folder of a signer is put back', async (t) => {
      const office = await openOffice(t, get())
      const { order } = await follow(office)
      await signs(office, await move(office, order))
      const copy = `${office.root}/copy`
      await restart(office, 2, (folder) => copyFolder(folder, copy))
      await stopAt(office, 2)
      await refuses(office, await move(office, order, { parties: [1n, 3n] }), 'c6')
      await restart(office, 2, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      for (const parties of PAIRS) {
        const outcomes = await runSession(office.calls, await move(office, order, { parties: [...parties] }))
        assert.ok([...outcomes.values()].every((each) => each instanceof Error))
      }
    })
  })

  describe('a signer that was not there', () => {
    it('signs nothing under a standing order until it follows it, also long after it was approved', async (t) => {
      const office = await openOffice(t, get())
      await declareAway(office, 3)
      const two = PARTIES.filter((party) => party !== 3)
      const { order, asked } = await standingOrderAskedOf(office, { parties: two })
      await followSignerOrder({ ...office, calls: new Map([...office.calls].filter(([party]) => party !== 3)) }, asked, two)
      await refuses(office, await move(office, order, { parties: [1n, 3n] }), 'c5', /no such standing order/)
      office.time.nowMs += 3 * DAY_MS
      await followSignerOrder(office, await relogged(office, asked), [3])
      assert.deepEqual(
        (await keptBy(office, 3)).map(({ hash }) => toHex(hash)),
        [toHex(intentHash(order))],
      )
      await signs(office, await move(office, order, { parties: [1n, 3n] }))
    })

    it('and has the place of another follows it by the word of those that do, and by nobody’s word none that they do not', async (t) => {
      const office = await openOffice(t, get())
      const { organisation } = get()
      const { order, asked } = await follow(office)
      const never = await standingOrderAskedOf(office, { standing: { id: new Uint8Array(16).fill(8) } })
      const newcomer = await openNewcomer(t, office, 3)
      const replaced = replacementOf(get(), organisation.policy, 3, newcomer.signKey)
      const words = await endorsementsOf(office.calls, genesis(), { kind: 'policyChange', record: replaced.record })
      for (const party of [1, 2]) await office.calls.get(party)!.applyPolicy({ genesis: genesis(), record: replaced.record, endorsements: words })
      newcomer.seat()
      await newcomer.calls.pinGenesis({ record: followedRecord(get(), [replaced]) })
      await followSignerOrder(office, await relogged(office, asked), [3])
      assert.deepEqual(
        (await keptBy(office, 3)).map(({ hash }) => toHex(hash)),
        [toHex(intentHash(order))],
      )
      await assert.rejects(followSignerOrder(office, await relogged(office, never.asked), [3]), refused('c12', /has not said/))
    })
  })
}
