import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { draftTransfer, finishDraft } from '@holdfast/chain-bitcoin/codec'
import { previousOf } from '@holdfast/chain-bitcoin/testing'
import { POSTAGE_MAX } from '@holdfast/chain-core'
import { codecFor } from '@holdfast/chain-registry/codec'
import { buildTransfer, requireNetwork, type TransferDraft, WALLET_FEE_MAX } from '@holdfast/chain-ton/codec'
import { type Asset, intentHash, standingOrderFault, type StandingOrderIntent, type TransferIntent } from '@holdfast/intent'
import { derivePublicKey, FROST_ED25519, FROST_TAPROOT } from '@holdfast/mpc'
import { followStandingOrder, stopStandingOrders } from '@holdfast/policy'
import { ed25519 } from '@noble/curves/ed25519.js'
import fc from 'fast-check'
import { applyEvent, type Register } from '../../state/register.ts'
import { bitcoinAddress, coinsOf } from '../../testing/bitcoin-order-of.ts'
import { draftOf, type PublicKey, requestOf } from '../../testing/order-of.ts'
import { BTC, NOW_MS } from '../../testing/organisation-of.ts'
import { STANDING_ID, standingOrderOf } from '../../testing/standing-order-of.ts'
import { ann, ben, checkOf, key as ecdsaKey, organisationWith, registerOf } from '../../testing/world-of.ts'
import { verifySignRequest } from '../verify.ts'

/* Collection on Bitcoin and TON under a standing order, as a real signer judges it by its bytes. */

const SOURCE = [0, 7]
const NEIGHBOUR = [0, 8]
const TREASURY = [1, 3]
const big = (path: readonly number[]) => path.map(BigInt)

type Asked = { changes?: Partial<TransferIntent>; amount: bigint; unsigned: Uint8Array; register?: (own: Register) => void; isStopped?: boolean }

/** What a signer says of a collection of `asset` to an own address under a standing order that it follows. */
function verdictUnder(
  standing: StandingOrderIntent,
  { asset, key, to, organisation }: { asset: Asset; key: PublicKey; to: string; organisation: ReturnType<typeof organisationWith> },
  { changes = {}, amount, unsigned, register: turn, isStopped = false }: Asked,
): string {
  const { policy, fingerprint } = organisation
  const codec = codecFor(asset.chain)!
  const from = codec.addressFromKey(derivePublicKey(key.protocol, key.publicKey, key.chainCode, SOURCE))
  const paid = { from, to, keyId: key.keyId, feeAsset: { ...asset, contract: null }, slotRule: codec.slotRule, initiator: STANDING_ID }
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset, amount, path: big(SOURCE), changes: { ...paid, ...changes } })
  const { request, log } = requestOf({ key, draft, approvals: [], unsigned })
  const register = registerOf(organisation, log)
  const curve = key.protocol === FROST_ED25519 ? 'ed25519' : 'secp256k1'
  if (key !== ecdsaKey) applyEvent(register, { kind: 'keyOfKindMade', ...key, curve }, NOW_MS, 1)
  followStandingOrder(register.standingOrders, standing, { hash: intentHash(standing), sinceMs: NOW_MS })
  if (isStopped) stopStandingOrders(register.standingOrders, { person: ben.person.id, orders: [{ id: STANDING_ID, version: 1n }] })
  turn?.(register)
  const own = [{ address: draft.intent.to, keyId: key.keyId, path: big(TREASURY) }]
  return checkOf(() => verifySignRequest({ ...request, standingOrder: intentHash(standing), own }, { party: 1, register, nowMs: NOW_MS, codecFor }))
}

const FEE_MOST = 20_000n
const RATE = 2_000n
const taprootKey: PublicKey = { ...ecdsaKey, keyId: ecdsaKey.keyId.map((byte) => byte ^ 1), protocol: FROST_TAPROOT }

for (const key of [ecdsaKey, taprootKey]) {
  const organisation = organisationWith()
  const at = (path: number[]) => bitcoinAddress(key, path)
  const collecting = (changes: Partial<StandingOrderIntent> = {}) =>
    standingOrderOf({
      genesis: organisation.fingerprint,
      does: { kind: 'sweep', to: [{ kind: 'own', chain: BTC.chain, name: 'Treasury', keyId: key.keyId, path: big(TREASURY) }] },
      sources: [{ name: 'Deposits', keyId: key.keyId, path: [0n] }],
      assets: [{ asset: BTC, atLeast: 20_000n, atMost: 10_000_000n }],
      fees: [{ asset: BTC, max: FEE_MOST, maxShare: 2_000n }],
      ...changes,
    })
  type Coins = { amounts?: bigint[]; of?: number[]; paid?: string; rate?: bigint; amount?: bigint; change?: { address: string; path: number[] } }
  /** The bytes that join coins of a deposit address and pay them to the treasury. */
  const joined = ({ amounts = [60_000n, 50_000n, 40_000n], of = SOURCE, paid = at(TREASURY), rate = RATE, amount = 120_000n, change }: Coins = {}) => {
    const made = coinsOf(at(of), amounts)
    const order = { chain: BTC.chain, from: at(of), payments: [{ to: paid, amount }], satPerKvb: rate, feeCap: 10n ** 12n, ...(change && { change }) }
    return finishDraft(draftTransfer({ ...order, coins: made.map(({ coin }) => coin), required: made.map(({ coin }) => coin) }), previousOf(made))
  }
  const place = { asset: BTC, key, to: at(TREASURY), organisation }
  const verdict = ({ standing = collecting(), ...asked }: Partial<Asked> & { standing?: StandingOrderIntent } = {}) =>
    verdictUnder(standing, place, {
      amount: 120_000n,
      unsigned: joined(),
      ...asked,
      changes: { feeCap: FEE_MOST, ...asked.changes },
    })

  describe(`a collection of Bitcoin with a key of ${key.protocol} that a standing order covers`, () => {
    it('is signed without people: coins of one deposit address, joined, to the own address that the signer derives', () => {
      assert.equal(standingOrderFault(collecting()), undefined)
      assert.equal(verdict(), 'signed')
      assert.equal(verdict({ unsigned: joined({ amounts: [POSTAGE_MAX + 1n, 150_000n] }) }), 'signed')
    })

    const stranger = at([5, 5])
    const hostile: [string, string, Parameters<typeof verdict>[0]][] = [
      ['another address of the organisation', 'c5', { changes: { to: at([1, 4]) } }],
      ['a stranger', 'c5', { changes: { to: stranger } }],
      ['bytes that pay a stranger', 'c7', { unsigned: joined({ paid: stranger }) }],
      ['bytes that pay less, and keep the rest as change', 'c7', { unsigned: joined({ amount: 60_000n }) }],
      ['change to a stranger', 'c7', { unsigned: joined({ amounts: [200_000n], change: { address: stranger, path: SOURCE } }) }],
      ['change to another sub-wallet', 'c7', { unsigned: joined({ amounts: [200_000n], change: { address: at([2, 0]), path: [2, 0] } }) }],
      ['a fee above what the order says', 'c8', { unsigned: joined({ amounts: [120_000n, 60_000n], rate: 300_000n }) }],
      ['a fee above what people approved', 'c5', { changes: { feeCap: FEE_MOST + 1n } }],
      ['a fee that is a large part of the amount', 'c5', { standing: collecting({ fees: [{ asset: BTC, max: FEE_MOST, maxShare: 100n }] }) }],
      ["coins of another deposit address joined in the order's place", 'c7', { unsigned: joined({ of: NEIGHBOUR }) }],
      ["an inscription's coin of 546 satoshi joined in", 'c7', { unsigned: joined({ amounts: [100_000n, 50_000n, 546n] }) }],
      ["an inscription's coin of 10,000 satoshi joined in", 'c7', { unsigned: joined({ amounts: [100_000n, 50_000n, POSTAGE_MAX] }) }],
      ['an address of a wallet that it does not collect from', 'c5', { standing: collecting({ sources: [{ name: 'Others', keyId: key.keyId, path: [4n] }] }) }],
      ['less than it is worth', 'c5', { standing: collecting({ assets: [{ asset: BTC, atLeast: 120_001n, atMost: 10_000_000n }] }) }],
      ['more than one transfer may move', 'c5', { standing: collecting({ assets: [{ asset: BTC, atLeast: 1n, atMost: 119_999n }] }) }],
      ['an address that is never touched', 'c5', { standing: collecting({ never: [at(SOURCE)] }) }],
      ['anything once a person has stopped it', 'c6', { isStopped: true }],
    ]
    for (const [what, check, asked] of hostile) it(`refuses ${what}`, () => assert.equal(verdict(asked), check))

    it('spends no coin that may carry an inscription, whatever lies beside it, and every other', () => {
      const amount = fc.oneof(fc.bigInt(1n, 2n * POSTAGE_MAX), fc.constantFrom(330n, 546n, POSTAGE_MAX, POSTAGE_MAX + 1n))
      fc.assert(
        fc.property(fc.array(amount, { maxLength: 3 }), (beside) => {
          const seen = verdict({ unsigned: joined({ amounts: [150_000n, ...beside] }) })
          const isSmall = beside.some((each) => each <= POSTAGE_MAX)
          assert.equal(seen, isSmall ? 'c7' : 'signed')
        }),
        { numRuns: 30 },
      )
    })
  })
}

const TON_CHAIN = 'ton:-239'
const TON: Asset = { chain: TON_CHAIN, contract: null, symbol: 'TON', decimals: 9n }
const edKey: PublicKey = {
  ...ecdsaKey,
  keyId: ecdsaKey.keyId.map((byte) => byte ^ 2),
  protocol: FROST_ED25519,
  publicKey: ed25519.getPublicKey(new Uint8Array(32).fill(5)),
}

describe('a collection of TON that a standing order covers', () => {
  const organisation = organisationWith({ assets: [TON] })
  const codec = codecFor(TON_CHAIN)!
  const publicKeyOf = (path: number[]) => derivePublicKey(edKey.protocol, edKey.publicKey, edKey.chainCode, path)
  const at = (path: number[]) => codec.addressFromKey(publicKeyOf(path))
  const FEE = WALLET_FEE_MAX
  const collecting = (changes: Partial<StandingOrderIntent> = {}) =>
    standingOrderOf({
      genesis: organisation.fingerprint,
      does: { kind: 'sweep', to: [{ kind: 'own', chain: TON_CHAIN, name: 'Treasury', keyId: edKey.keyId, path: big(TREASURY) }] },
      sources: [{ name: 'Deposits', keyId: edKey.keyId, path: [0n] }],
      assets: [{ asset: TON, atLeast: 1_000_000_000n, atMost: 100_000_000_000n }],
      fees: [{ asset: TON, max: FEE, maxShare: 2_000n }],
      ...changes,
    })
  const AMOUNT = 5_000_000_000n
  const message = (changes: Partial<TransferDraft> = {}) => {
    const draft = { publicKey: publicKeyOf(SOURCE), to: at(TREASURY), asset: { chain: TON_CHAIN, contract: null }, amount: AMOUNT, seqno: 4n }
    return buildTransfer({ ...draft, validUntil: BigInt(NOW_MS + 600_000) / 1_000n, ...changes }, requireNetwork(TON_CHAIN))
  }
  const place = { asset: TON, key: edKey, to: at(TREASURY), organisation }
  const verdict = ({ standing = collecting(), ...asked }: Partial<Asked> & { standing?: StandingOrderIntent } = {}) =>
    verdictUnder(standing, place, { amount: AMOUNT, unsigned: message(), ...asked, changes: { feeCap: FEE, ...asked.changes } })
  const stranger = codec.canonicalAddress('EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N')!

  it('is signed without people: one message of a deposit address to the own address that the signer derives', () => {
    assert.equal(standingOrderFault(collecting()), undefined)
    assert.equal(verdict(), 'signed')
  })

  const hostile: [string, string, Parameters<typeof verdict>[0]][] = [
    ['a message to a stranger', 'c7', { unsigned: message({ to: stranger }) }],
    ['an order to a stranger', 'c5', { changes: { to: stranger }, unsigned: message({ to: stranger }) }],
    ['a neighbouring address of the organisation', 'c5', { changes: { to: at([1, 4]) }, unsigned: message({ to: at([1, 4]) }) }],
    ['a message that sends more', 'c7', { unsigned: message({ amount: AMOUNT + 1n }) }],
    ['a message of another wallet', 'c7', { unsigned: message({ publicKey: publicKeyOf(NEIGHBOUR) }) }],
    ['a comment that nobody asked for', 'c7', { unsigned: message({ memo: '10042' }) }],
    ['a message for another network', 'c7', { unsigned: buildOther() }],
    ['a fee above what people approved', 'c5', { changes: { feeCap: FEE + 1n } }],
    ['a fee that is a large part of the amount', 'c5', { standing: collecting({ fees: [{ asset: TON, max: FEE, maxShare: 1n }] }) }],
    ['anything once a person has stopped it', 'c6', { isStopped: true }],
  ]
  for (const [what, check, asked] of hostile) it(`refuses ${what}`, () => assert.equal(verdict(asked), check))

  function buildOther(): Uint8Array {
    const test = requireNetwork('ton:-3')
    const to = codecFor('ton:-3')!.addressFromKey(publicKeyOf(TREASURY))
    const draft = { publicKey: publicKeyOf(SOURCE), to, asset: { chain: 'ton:-3', contract: null }, amount: AMOUNT, seqno: 4n }
    return buildTransfer({ ...draft, validUntil: BigInt(NOW_MS + 600_000) / 1_000n }, test)
  }
})
