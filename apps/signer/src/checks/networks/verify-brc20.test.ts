import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  cancelTransfer,
  commitInscription,
  draftTransfer,
  finishDraft,
  type InscriptionProof,
  networkOf,
  requireScript,
  revealInscription,
  speedUpTransfer,
  type SpentCoin,
  withoutWitnesses,
  writeBrc20Transfer,
} from '@holdfast/chain-bitcoin/codec'
import { coinOf, previousOf, secretKey, taprootKey } from '@holdfast/chain-bitcoin/testing'
import { brc20Asset } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { encode, fromHex, toHex } from '@holdfast/encoding'
import {
  type Asset,
  type Brc20BatchIntent,
  type Brc20TransferIntent,
  type InscribedIntent,
  intentShape,
  renderIntent,
  type SpendingIntent,
} from '@holdfast/intent'
import { approvalContext } from '@holdfast/policy'
import { schnorr } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bitcoinAddress, bitcoinOrderOf, PATH, STRANGER } from '../../testing/bitcoin-order-of.ts'
import { approvalsOf, requestOf } from '../../testing/order-of.ts'
import { BTC, NOW_MS } from '../../testing/organisation-of.ts'
import { ann, anyTwo, beginOrder, ben, checkOf, cleo, key, organisationWith, registerOf } from '../../testing/world-of.ts'
import { verifySignRequest } from '../verify.ts'

const ONE = 10n ** 18n
const ORDI: Asset = { chain: BTC.chain, contract: brc20Asset('ordi'), symbol: 'ordi', decimals: 18n }
const POSTAGE = 546n
const { chain } = BTC
const from = bitcoinAddress(key, PATH)

/** A transfer inscription on a coin of the paying address, with what proves it. */
function inscribed(amount = 5n * ONE, ticker = 'ordi', seed = 50): SpentCoin & { inscription: InscriptionProof } {
  const { contentType, body } = writeBrc20Transfer(ticker, amount)
  const commit = commitInscription(taprootKey, contentType, body)
  const paid = { ...coinOf(from, 3_000n, seed) }
  // The same bytes as that coin's, but for the script that they pay.
  const made = replaceScript(paid.made, commit.script)
  const txid = withId(made)
  const reveal = revealInscription({ chain, commit, coin: { txid, index: 0, amount: 3_000n }, to: from }, POSTAGE)
  const raw = reveal.finish(schnorr.sign(reveal.digest, secretKey))
  return { txid: reveal.txid, index: 0, amount: POSTAGE, script: requireScript(networkOf(chain), from), inscription: { reveal: raw, commit: made } }
}

function replaceScript(bytes: Uint8Array, script: Uint8Array): Uint8Array {
  const own = toHex(requireScript(networkOf(chain), from))
  return fromHex(toHex(bytes).replace(`16${own}`, `22${toHex(script)}`))
}

function withId(bytes: Uint8Array): string {
  return toHex(sha256(sha256(withoutWitnesses(bytes))).toReversed())
}

type Change = {
  order?: Partial<Brc20TransferIntent>
  /** Where the order is for several: what it says of them, and the coins that the bytes spend first. */
  parts?: Brc20BatchIntent['inscriptions']
  batch?: readonly SpentCoin[]
  coin?: SpentCoin
  outputs?: readonly { to: string; amount: bigint }[]
  bytes?: (honest: Uint8Array) => Uint8Array
  about?: 'speed-up' | 'cancel'
  limit?: { asset: string | null; maxAmount: bigint }
}

const coins = [coinOf(from, 60_000n, 1), coinOf(from, 50_000n, 2)]

/** A coin without what proves the inscription on it. */
const bare = ({ txid, index, amount, script }: SpentCoin): SpentCoin => ({ txid, index, amount, script })

/** What a signer says of a request to send the inscription, honest but for the change. */
function verdictOf({ order, parts, coin = inscribed(), batch = [coin], outputs, bytes, about, limit }: Change = {}) {
  const rule = {
    kind: 'transfer' as const,
    id: 'tokens',
    chain: null,
    asset: limit?.asset ?? null,
    maxAmount: limit?.maxAmount ?? null,
    window: null,
    ...anyTwo,
  }
  const organisation = organisationWith({ rules: [rule], assets: [BTC, ORDI] })
  const { fingerprint, policy } = organisation
  const { draft } = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann })
  const honest = { amount: 5n * ONE, asset: ORDI, inscription: `${inscribed().txid}i0`, postage: POSTAGE }
  const single: Brc20TransferIntent = { ...draft.intent, kind: 'brc20Transfer', ...honest, ...order }
  const { inscription: _, postage: __, ...common } = single
  const sum = (parts ?? []).reduce((total, { amount }) => total + amount, 0n)
  const payment: InscribedIntent = parts ? { ...common, amount: sum, ...order, kind: 'brc20Batch', inscriptions: parts } : single
  const plain = batch.map(bare)
  const payments = outputs ?? batch.map(() => ({ to: STRANGER, amount: POSTAGE }))
  const wanted = { chain, from, payments, required: plain, coins: coins.map((each) => each.coin), satPerKvb: 2_000n, feeCap: 10n ** 9n }
  const first = draftTransfer(wanted)
  const drafted = { ...first, inputs: [...batch, ...first.inputs.slice(batch.length)] }
  const previous = previousOf(coins)
  for (const each of batch) previous.set(each.txid, withoutWitnesses(each.inscription?.reveal ?? inscribed().inscription.reveal))
  const unsigned = finishDraft(drafted, previous)
  const raised = { replaces: unsigned, satPerKvb: 5_000n, feeCap: 20_000n, coins: [] }
  const made = about === undefined ? unsigned : finishDraft(about === 'cancel' ? cancelTransfer(raised) : speedUpTransfer(raised), previous)
  const slot = about === undefined ? 0n : codecFor(chain)!.decode(unsigned).slot
  const { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce } = payment
  const shared = { genesis, orderId, notBeforeMs, expiresAtMs, policyVersion, policyHash, initiator, nonce }
  const intent: SpendingIntent =
    about === undefined ? payment : { kind: 'replacement', ...shared, action: about, original: encode(intentShape, payment), slot, feeCap: 20_000n, remark: '' }
  const asked = { intent, transaction: draft.transaction } as never
  const { request, log } = requestOf({ key, draft: asked, approvals: approvalsOf(asked, policy, [ben, cleo]), unsigned: bytes ? bytes(made) : made })
  const register = registerOf(organisation, log)
  if (about !== undefined) beginOrder(register, payment, slot)
  return verifySignRequest(request, { party: 1, register, nowMs: NOW_MS, codecFor })
}

const judged = (change: Change) => checkOf(() => verdictOf(change))

describe('a signer asked to send an inscribed token', () => {
  it('reads from the bytes what is inscribed, counts the token, and sees the coin that goes along', () => {
    const { effects, reservation } = verdictOf()
    assert.deepEqual(
      effects.transfers.map(({ asset, to, amount }) => [asset.contract, to, amount]),
      [
        ['brc20:ordi', STRANGER, 5n * ONE],
        [null, STRANGER, POSTAGE],
      ],
    )
    assert.ok(reservation.kind === 'told' && reservation.amount === 5n * ONE && reservation.contract === 'brc20:ordi')
  })

  it('refuses another inscription, amount, token, recipient or coin than was approved, and bytes that show none', () => {
    const [token] = [inscribed()]
    const other = coinOf(from, 20_000n, 9).coin
    const wrong: [string, Change, string][] = [
      ['more of the token', { coin: inscribed(6n * ONE) }, 'c7'],
      ['the same amount by another inscription', { order: { inscription: `${'ab'.repeat(32)}i0` } }, 'c7'],
      ['another token', { coin: inscribed(5n * ONE, 'sats') }, 'c5'],
      ['another recipient', { outputs: [{ to: from, amount: POSTAGE }] }, 'c7'],
      [
        'a recipient beside',
        {
          outputs: [
            { to: STRANGER, amount: POSTAGE },
            { to: from, amount: 1_000n },
          ],
        },
        'c7',
      ],
      ['more coin along', { outputs: [{ to: STRANGER, amount: 9_000n }] }, 'c7'],
      ['no proof of what is inscribed', { coin: bare(token) }, 'c7'],
      ['the proof of another coin', { coin: { ...other, inscription: token.inscription } }, 'c7'],
      ['more coin along than lies under inscriptions', { order: { postage: 20_001n } }, 'c4'],
      ['an order for the coin of the network', { order: { asset: BTC } }, 'c4'],
      ['a memo', { order: { memo: '7' } }, 'c4'],
    ]
    assert.deepEqual(
      wrong.map(([name, change]) => [name, judged(change)]),
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('believes no inscription that the output which was revealed does not commit to', () => {
    const honest = inscribed()
    const bigger = inscribed(500n * ONE)
    const { reveal } = honest.inscription
    // The id of a transaction says nothing of its witnesses: here they show another amount.
    const lie = fromHex(toHex(reveal).replace(toHex(new TextEncoder().encode('"amt":"5"')), toHex(new TextEncoder().encode('"amt":"4"'))))
    assert.equal(withId(lie), honest.txid)
    assert.equal(judged({ coin: { ...honest, inscription: { ...honest.inscription, reveal: lie } }, order: { amount: 4n * ONE } }), 'c7')
    assert.equal(judged({ coin: { ...honest, inscription: { ...honest.inscription, commit: bigger.inscription.commit } } }), 'c7')
  })

  it('judges the policy by the token and its amount', () => {
    assert.equal(judged({ limit: { asset: 'brc20:ordi', maxAmount: 5n * ONE } }), 'signed')
    assert.equal(judged({ limit: { asset: 'brc20:ordi', maxAmount: 5n * ONE - 1n } }), 'c5')
    assert.equal(judged({ limit: { asset: '', maxAmount: 100n * ONE } }), 'c5')
  })

  it('pays a higher fee for the same, and cancels by bytes that bring the coin back', () => {
    assert.equal(verdictOf({ about: 'speed-up' }).effects.transfers.length, 2)
    const { effects } = verdictOf({ about: 'cancel' })
    assert.deepEqual(
      effects.transfers.map(({ asset, to }) => [asset.contract, to]),
      [[null, from]],
    )
  })

  it('is shown to people with the token, its inscription and the coin that goes along, in both languages', () => {
    const { intent } = verdictOf()
    const { policy } = organisationWith()
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const { title, rows } = renderIntent(intent, approvalContext(policy), locale)
      assert.match(title, /5 ordi/)
      const shown = rows.map(({ value }) => value)
      assert.ok(shown.includes(`${inscribed().txid}i0`) && shown.includes('0.00000546 BTC'))
    }
  })
})

describe('a signer asked to send several inscribed tokens at once', () => {
  const [two, three] = [inscribed(2n * ONE, 'ordi', 51), inscribed(3n * ONE, 'ordi', 52)]
  const part = (coin: SpentCoin, amount: bigint) => ({ inscription: `${coin.txid}i0`, amount, postage: POSTAGE })
  const parts = [part(two, 2n * ONE), part(three, 3n * ONE)]
  const honest: Change = { parts, batch: [two, three] }

  it('reads each from the bytes, counts them together, and sees that each goes to the output in its place', () => {
    const { effects, reservation } = verdictOf(honest)
    assert.deepEqual(
      effects.transfers.map(({ asset, to, amount }) => [asset.contract, to, amount]),
      [
        ['brc20:ordi', STRANGER, 2n * ONE],
        ['brc20:ordi', STRANGER, 3n * ONE],
        [null, STRANGER, POSTAGE],
        [null, STRANGER, POSTAGE],
      ],
    )
    assert.ok(reservation.kind === 'told' && reservation.amount === 5n * ONE && reservation.contract === 'brc20:ordi')
    assert.equal(judged({ ...honest, limit: { asset: 'brc20:ordi', maxAmount: 5n * ONE } }), 'signed')
    assert.equal(judged({ ...honest, limit: { asset: 'brc20:ordi', maxAmount: 5n * ONE - 1n } }), 'c5')
    assert.equal(verdictOf({ ...honest, about: 'speed-up' }).effects.transfers.length, 4)
  })

  it('refuses others than were approved, in another order, to somebody else, and bytes by which an inscription goes elsewhere', () => {
    const paying = (...amounts: bigint[]) => amounts.map((amount) => ({ to: STRANGER, amount }))
    const other = inscribed(3n * ONE, 'ordi', 53)
    const wrong: [string, Change, string][] = [
      ['the other way round', { batch: [three, two] }, 'c7'],
      ['another inscription of the same amount', { batch: [two, other] }, 'c7'],
      ['one of them alone', { batch: [two] }, 'c7'],
      ['one that is not shown', { batch: [two, bare(three)] }, 'c7'],
      ['one that is shown behind a plain coin', { batch: [bare(two), three] }, 'c7'],
      ['one of another token', { batch: [two, inscribed(3n * ONE, 'sats', 54)] }, 'c7'],
      [
        'one to somebody else',
        {
          outputs: [
            { to: STRANGER, amount: POSTAGE },
            { to: from, amount: POSTAGE },
          ],
        },
        'c7',
      ],
      ['more than it holds in the place of the first, so that the second goes along with it', { outputs: paying(POSTAGE + 400n, 692n) }, 'c7'],
      ['all in one output', { outputs: paying(2n * POSTAGE) }, 'c7'],
      ['parts that do not add up', { order: { amount: 6n * ONE } }, 'c4'],
      ['one inscription twice', { parts: [parts[0]!, parts[0]!] }, 'c4'],
      ['a batch of one', { parts: [parts[0]!], batch: [two] }, 'c4'],
    ]
    assert.deepEqual(
      wrong.map(([name, change]) => [name, judged({ ...honest, ...change })]),
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('is shown to people with every inscription, its part of the amount and its coin, in both languages', () => {
    const { intent } = verdictOf(honest)
    const { policy } = organisationWith()
    for (const locale of ['en-US', 'zh-CN'] as const) {
      const { title, rows } = renderIntent(intent, approvalContext(policy), locale)
      assert.match(title, /5 ordi/)
      const shown = rows.map(({ value }) => value)
      for (const value of [...parts.map(({ inscription }) => inscription), '2 ordi', '3 ordi', '0.00000546 BTC']) assert.ok(shown.includes(value), value)
    }
  })
})
