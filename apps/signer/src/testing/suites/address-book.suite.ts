import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { decode, encode, fromHex, toHex } from '@holdfast/encoding'
import { approvalShape, type BookChange, intentHash, intentShape } from '@holdfast/intent'
import { emptyBook, listedAt, LISTING_COOLING_MS } from '@holdfast/policy'
import { endorsementShape, signMessage } from '@holdfast/protocol'
import type { BookFacts } from '../../page/book-facts.ts'
import type { AskedSignerOrder } from '../../checks/verify-signer-order.ts'
import { applyPolicy, copyFolder, cosignAll, endorsementsOf, PARTIES, restart } from '../cluster.ts'
import { type Founded, journalOf, type Office, openOffice } from '../founded-cluster.ts'
import { actsOf } from '../office-acts.ts'
import { CHAIN, DAY_MS, NOW_MS } from '../organisation-of.ts'
import { approve } from '../people.ts'
import { policyChangeOf } from '../policy-change-of.ts'
import { followedRecord, openNewcomer, replacementOf } from '../replace-signer.ts'
import { bookOrderOf, followSignerOrder, type SignerOrderOptions } from '../signer-order-of.ts'
import { ann, ben, cleo, outsider } from '../world-of.ts'

const EXCHANGE = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const PAYROLL = '0x9fB29AAc15b9A4B7F17c3385939b007540f4d791'
const idOf = (number: number) => new Uint8Array(16).fill(number)
const add = (number: number, address: string, changes: Partial<Extract<BookChange, { kind: 'add' }>> = {}): BookChange => ({
  kind: 'add',
  id: idOf(number),
  name: `Entry ${number}`,
  address,
  chains: [CHAIN],
  memo: null,
  lists: [],
  ...changes,
})
const takeOff = (number: number, address: string, name = `Entry ${number}`): BookChange => ({ kind: 'remove', id: idOf(number), name, address })
const first = emptyBook()

/** The whitelist that signers keep themselves: what a server says of it counts for nothing. */
export function addressBookSuite(get: () => Founded): void {
  const { refused, pageOf, freezeOf, genesis } = actsOf(get)
  const bookOf = (office: Office, party = 1) => journalOf(office, party).register.book
  const standing = (office: Office, address: string, party = 1, memo: string | null = null) =>
    listedAt(bookOf(office, party), { chain: CHAIN, address, memo }, office.time.nowMs).state
  /** Has all signers follow a change of the list that signer 1 has. */
  const change = async (office: Office, changes: BookChange[], options: SignerOrderOptions = {}) => {
    const made = await bookOrderOf(office, bookOf(office), changes, options)
    await followSignerOrder(office, made.asked, options.parties)
    return made
  }
  const endorses = async (office: Office, asked: AskedSignerOrder, party = 1) => {
    const { genesis: of, ...order } = asked
    return office.calls.get(party)!.endorse({ genesis: of, subject: { kind: 'order', ...order } })
  }
  /** One more proof of the same order and its approvals, by the newest checkpoint. */
  const relogged = async (office: Office, asked: AskedSignerOrder): Promise<AskedSignerOrder> => {
    await cosignAll(office, office.log)
    const logged = asked.logged.map(({ index }) => office.log.logged(Number(index)))
    return { ...asked, checkpoint: office.log.note(), logged }
  }

  describe('an address of the whitelist', () => {
    it('counts at each signer after its waiting period by its own clock, and no more as soon as it is taken off, also after new starts', async (t) => {
      const office = await openOffice(t, get())
      assert.equal(standing(office, EXCHANGE), 'none')
      const { order } = await change(office, [add(1, EXCHANGE, { lists: ['Exchanges'] }), add(2, PAYROLL, { memo: '77' })])
      for (const party of PARTIES) {
        const { version, hash, entries } = await office.calls.get(party)!.bookStatus({ genesis: genesis() })
        assert.deepEqual([version, toHex(hash), entries], [1n, toHex(intentHash(order)), 2n])
        assert.equal(standing(office, EXCHANGE, party), 'cooling')
      }
      office.time.nowMs += LISTING_COOLING_MS - 1
      assert.equal(standing(office, EXCHANGE), 'cooling')
      office.time.nowMs += 1
      for (const party of PARTIES) await restart(office, party)
      for (const party of PARTIES) assert.equal(standing(office, EXCHANGE, party), 'listed')
      assert.deepEqual(listedAt(bookOf(office), { chain: CHAIN, address: EXCHANGE, memo: null }, office.time.nowMs).lists, ['Exchanges'])
      assert.equal(standing(office, PAYROLL, 1), 'none', 'without its memo')
      assert.equal(standing(office, PAYROLL, 1, '77'), 'listed')
      await change(office, [takeOff(1, EXCHANGE)])
      for (const party of PARTIES) assert.equal(standing(office, EXCHANGE, party), 'none')
    })

    it('is put on and off as often as those who govern say, each order once, and asking again does no harm', async (t) => {
      const office = await openOffice(t, get())
      const { asked } = await change(office, [add(1, EXCHANGE)])
      office.time.nowMs += 1000
      const { usableAtMs } = bookOf(office).entries.get(toHex(idOf(1)))!
      await followSignerOrder(office, asked)
      assert.equal(bookOf(office).entries.get(toHex(idOf(1)))!.usableAtMs, usableAtMs, 'its time does not begin again')
      const gone = await change(office, [takeOff(1, EXCHANGE)])
      await followSignerOrder(office, asked)
      assert.equal(standing(office, EXCHANGE), 'none', 'the order before does nothing any more')
      office.time.nowMs += LISTING_COOLING_MS
      await followSignerOrder(office, gone.asked).catch(() => undefined)
      await change(office, [add(1, EXCHANGE)])
      assert.equal(standing(office, EXCHANGE), 'cooling', 'the waiting period begins again')
    })
  })

  describe('a change of the whitelist', () => {
    it('is followed by nobody without the quorum of those who govern, by the one who asked, by a stranger, unlogged, or with a word that is missing', async (t) => {
      const office = await openOffice(t, get())
      const ways: [string, SignerOrderOptions, RegExp][] = [
        ['c5', { approvers: [ben] }, /1 approval/],
        ['c5', { approvers: [ann, ben] }, /1 approval/],
        ['c5', { approvers: [ben, ben] }, /1 approval/],
        ['c5', { approvers: [ben, outsider] }, /approval/],
        ['c11', { unlogged: true }, /log/],
        ['c4', { book: { expiresAtMs: BigInt(NOW_MS - 1), notBeforeMs: BigInt(NOW_MS - 5000) } }, /over, and this signer does not follow it/],
        ['c5', { approvers: [ben], book: { expiresAtMs: BigInt(NOW_MS - 1), notBeforeMs: BigInt(NOW_MS - 5000) } }, /1 approval/],
        ['c4', { book: { notBeforeMs: BigInt(NOW_MS + 5000) } }, /not open/],
        ['c3', { book: { policyVersion: 2n } }, /version 2/],
        ['c2', { book: { genesis: new Uint8Array(32).fill(3) } }, /organisation/],
      ]
      for (const [check, options, words] of ways) {
        const { asked } = await bookOrderOf(office, first, [add(1, EXCHANGE)], options)
        await assert.rejects(endorses(office, { ...asked, genesis: genesis() }), refused(check, words), `${check} ${words}`)
      }
      const { asked } = await bookOrderOf(office, first, [add(1, EXCHANGE)])
      await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...asked, endorsements: [] }), refused('c12', /signer 2 has not said/))
      const other = await bookOrderOf(office, first, [add(2, PAYROLL)])
      const { genesis: of, ...subject } = other.asked
      const words = await endorsementsOf(office.calls, of, { kind: 'order', ...subject })
      await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...asked, endorsements: words }), refused('c12', /has not said/), 'words on another order')
      await assert.rejects(endorses(office, { ...asked, intent: other.asked.intent }), refused('c5'), 'approvals of another order')
      for (const party of PARTIES) assert.equal(bookOf(office, party).version, 0n)
    })

    it('does not leave out, repeat or replace a version', async (t) => {
      const office = await openOffice(t, get())
      const one = await change(office, [add(1, EXCHANGE)])
      const book = bookOf(office)
      const refusedWith = async (check: string, words: RegExp, after: Parameters<typeof bookOrderOf>[1], changes: BookChange[]) =>
        assert.rejects(endorses(office, (await bookOrderOf(office, after, changes)).asked), refused(check, words))
      await refusedWith('c12', /before version 3/, { version: 2n, hash: book.hash }, [add(2, PAYROLL)])
      await refusedWith('c10', /does not follow/, first, [add(2, PAYROLL)])
      await refusedWith('c10', /does not follow/, { version: 1n, hash: new Uint8Array(32).fill(1) }, [add(2, PAYROLL)])
      await refusedWith('c10', /entry 0101.* already/, book, [add(1, PAYROLL)])
      await refusedWith('c10', /address already, as entry/, book, [add(2, EXCHANGE)])
      await refusedWith('c10', /no entry/, book, [takeOff(3, EXCHANGE)])
      await refusedWith('c10', /another than/, book, [takeOff(1, PAYROLL)])
      await refusedWith('c10', /another than/, book, [takeOff(1, EXCHANGE, 'Somebody else')])
      await refusedWith('c10', /own spelling/, book, [add(2, PAYROLL.toLowerCase())])
      await refusedWith('c10', /cannot read/, book, [add(2, PAYROLL, { chains: ['moon:1'] })])
      await refusedWith('c4', /address twice/, book, [add(2, PAYROLL), add(3, PAYROLL)])
      await refusedWith('c4', /entry twice/, book, [add(2, PAYROLL), add(2, EXCHANGE)])
      assert.deepEqual(toHex(bookOf(office).hash), toHex(intentHash(one.order)))
      await change(office, [takeOff(1, EXCHANGE), add(2, EXCHANGE)])
      assert.equal(bookOf(office).version, 2n)
    })

    it('that somebody rejected at one page is followed by nobody; while signing is stopped addresses are only taken off', async (t) => {
      const office = await openOffice(t, get())
      await change(office, [add(1, EXCHANGE)])
      const { order, asked } = await bookOrderOf(office, bookOf(office), [add(2, PAYROLL)])
      const no = toHex(encode(approvalShape, approve(cleo, order, get().organisation.policy, { decision: 'reject' })))
      assert.equal((await pageOf(office, 3, asked.intent)('order.approve', { approval: no })).status, 200)
      await assert.rejects(endorses(office, asked, 3), refused('c6', /rejected/))
      await assert.rejects(followSignerOrder(office, asked, [1]), refused('c12', /signer 3 has not said/))
      const rejecting = [...asked.approvals, fromHex(no)]
      const indexes = [order, ...rejecting].map((_, i) =>
        i === 0 ? office.log.append('intent', asked.intent) : office.log.append('approval', rejecting[i - 1]!),
      )
      await cosignAll(office, office.log)
      const told = { ...asked, approvals: rejecting, checkpoint: office.log.note(), logged: indexes.map((index) => office.log.logged(index)) }
      await assert.rejects(endorses(office, told, 1), refused('c6', /rejected by Cleo/))
      const { encoded } = freezeOf(ben)
      for (const party of PARTIES) await office.calls.get(party)!.freeze({ genesis: genesis(), freeze: encoded })
      await assert.rejects(endorses(office, (await bookOrderOf(office, bookOf(office), [add(2, PAYROLL)])).asked), refused('c6', /frozen/))
      await change(office, [takeOff(1, EXCHANGE)])
      assert.equal(standing(office, EXCHANGE), 'none')
    })

    it('carries a thousand addresses at once', async (t) => {
      const office = await openOffice(t, get())
      const address = (number: number) => `0x${(number + 0x1000).toString(16).repeat(10)}`
      const many = Array.from({ length: 1000 }, (_, i) => ({
        ...add(1, office.signers.get(1)!.options.codecFor(CHAIN)!.canonicalAddress(address(i))!),
        id: fromHex((i + 1).toString(16).padStart(32, '0')),
      }))
      const { asked } = await change(office, many)
      assert.ok(asked.intent.length > 1 << 16)
      office.time.nowMs += LISTING_COOLING_MS
      for (const { address: listed } of many) assert.equal(standing(office, listed), 'listed')
    })
  })

  describe('a signer that does not know the whitelist', () => {
    it('that was put back follows it again from where it is, also after the time of its orders, by the word of those that followed them', async (t) => {
      const office = await openOffice(t, get())
      const copy = `${office.root}/copy`
      const one = await change(office, [add(1, EXCHANGE)])
      await restart(office, 1, (folder) => copyFolder(folder, copy))
      const two = await change(office, [takeOff(1, EXCHANGE), add(2, PAYROLL)])
      await restart(office, 1, async (folder) => {
        await rm(folder, { recursive: true })
        await copyFolder(copy, folder)
      })
      assert.deepEqual([bookOf(office, 1).version, bookOf(office, 2).version], [1n, 2n])
      office.time.nowMs += 9 * DAY_MS
      const asked = await relogged(office, two.asked)
      const { genesis: of, ...subject } = asked
      const words = await endorsementsOf(office.calls, of, { kind: 'order', ...subject })
      assert.deepEqual(
        words.map(({ party }) => party),
        [2n, 3n],
        'it does not say so of itself',
      )
      for (const few of [[], [words[0]!], [words[1]!, words[1]!]])
        await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...asked, endorsements: few }), refused('c12', /has not said/))
      office.time.nowMs += 11 * 60_000
      await assert.rejects(
        office.calls.get(1)!.followSignerOrder({ ...asked, endorsements: words }),
        refused('c12', /no other signer says now/),
        'said long ago',
      )
      await followSignerOrder(office, asked, [1])
      assert.equal(standing(office, EXCHANGE), 'none')
      assert.equal(standing(office, PAYROLL), 'cooling', 'it waits by its own clock')
      assert.deepEqual(toHex(bookOf(office, 1).hash), toHex(bookOf(office, 2).hash))
      await followSignerOrder(office, await relogged(office, one.asked), [1])
      assert.equal(bookOf(office, 1).version, 2n)
    })

    it('does not follow an order that is over and that nobody followed in its time, whoever approved it', async (t) => {
      const office = await openOffice(t, get())
      const { asked, order } = await bookOrderOf(office, first, [add(1, EXCHANGE)])
      const { genesis: of, ...subject } = asked
      const words = await endorsementsOf(office.calls, of, { kind: 'order', ...subject })
      assert.equal(words.length, 3)
      office.time.nowMs += 2 * DAY_MS
      const late = await relogged(office, asked)
      await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...late, endorsements: words }), refused('c12', /no other signer says now/))
      const forged = PARTIES.slice(1).map((party) => {
        const { secretKey } = office.signers.get(1)!.options.identity
        const word = {
          genesis: of,
          party: BigInt(party),
          kind: order.kind,
          subject: intentHash(order),
          policyVersion: 1n,
          policyHash: order.policyHash,
          atMs: BigInt(office.time.nowMs),
        }
        return signMessage(endorsementShape, word, BigInt(party), secretKey)
      })
      await assert.rejects(office.calls.get(1)!.followSignerOrder({ ...late, endorsements: forged }), refused('c12', /has not said/), 'words by another key')
    })

    it('that took the place of another follows it from the first, under the versions of the policy that approved it', async (t) => {
      const office = await openOffice(t, get())
      const { organisation } = get()
      const one = await change(office, [add(1, EXCHANGE)])
      const newcomer = await openNewcomer(t, office, 3)
      const replaced = replacementOf(get(), organisation.policy, 3, newcomer.signKey)
      const two = await change(office, [add(2, PAYROLL)])
      const words = await endorsementsOf(office.calls, genesis(), { kind: 'policyChange', record: replaced.record })
      for (const party of [1, 2]) await office.calls.get(party)!.applyPolicy({ genesis: genesis(), record: replaced.record, endorsements: words })
      newcomer.seat()
      await newcomer.calls.pinGenesis({ record: followedRecord(get(), [replaced]) })
      assert.deepEqual((await newcomer.calls.bookStatus({ genesis: genesis() })).version, 0n)
      await cosignAll(office, office.log)
      await assert.rejects(followSignerOrder(office, await relogged(office, two.asked), [3]), refused('c12', /before version 2/))
      for (const { asked } of [one, two]) await followSignerOrder(office, await relogged(office, asked), [3])
      const reached = await newcomer.calls.bookStatus({ genesis: genesis() })
      assert.deepEqual([reached.version, toHex(reached.hash)], [2n, toHex(bookOf(office, 1).hash)])
      const next = policyChangeOf(organisation, replaced.next, { expiresAtMs: BigInt(NOW_MS + 9 * DAY_MS) }, [ben, cleo], { initiator: ann })
      await applyPolicy(office.calls, genesis(), next.record)
      const stale = await bookOrderOf(office, bookOf(office), [add(4, '0x90F79bf6EB2c4f870365E785982E1f101E93b906')], { policy: replaced.next })
      await assert.rejects(
        followSignerOrder(office, stale.asked, [1]),
        refused('c12', /has not said/),
        'approved under a version that is over, and followed by nobody',
      )
    })
  })

  describe('what the page of a signer says of a destination', () => {
    it('is what that signer keeps itself, with and without the server’s word, and of a new address which listed one it looks like', async (t) => {
      const office = await openOffice(t, get())
      const { intent } = await office.request()
      const { to } = decode(intentShape, intent) as { to: string }
      const said = async (bytes = intent) =>
        ((await pageOf(office, 1, bytes)('order.get', { hash: toHex(intentHash(decode(intentShape, bytes))) })).body as { book: BookFacts }).book
      assert.deepEqual((await said()).payments, [{ state: 'none', since: null, usable_at: null, lists: [] }])
      await change(office, [add(1, to, { lists: ['Exchanges'] })])
      const [cooling] = (await said()).payments
      assert.deepEqual([cooling!.state, cooling!.since, cooling!.usable_at, cooling!.lists], ['cooling', NOW_MS, NOW_MS + LISTING_COOLING_MS, ['Exchanges']])
      office.time.nowMs += LISTING_COOLING_MS
      assert.equal((await said()).payments[0]!.state, 'listed')
      const planted = `${to.slice(0, 8)}${'0'.repeat(28)}${to.slice(-6)}`.toLowerCase()
      const canonical = office.signers.get(1)!.options.codecFor(CHAIN)!.canonicalAddress(planted)!
      const { asked } = await bookOrderOf(office, bookOf(office), [add(2, canonical), add(3, PAYROLL)])
      assert.deepEqual((await said(asked.intent)).alike, [{ address: canonical, name: 'Entry 1', other: to }])
      const { asked: instead } = await bookOrderOf(office, bookOf(office), [takeOff(1, to), add(2, canonical)])
      assert.deepEqual((await said(instead.intent)).alike, [], 'it takes the place of the other')
    })
  })

  it('whatever order it is, the bytes of the whitelist are those that were approved', async (t) => {
    const office = await openOffice(t, get())
    const { asked, order } = await bookOrderOf(office, first, [add(1, EXCHANGE)])
    const other = encode(intentShape, { ...order, changes: [add(1, PAYROLL)] })
    await assert.rejects(endorses(office, { ...asked, intent: other }), refused('c5'))
    await assert.rejects(endorses(office, { ...asked, intent: asked.intent.slice(1) }), refused('c4'))
  })
}
