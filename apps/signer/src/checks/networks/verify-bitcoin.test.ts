import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ADDRESSES_MAX, SUB_WALLETS_MAX } from '@holdfast/chain-core'
import { draftTransfer, finishDraft, networkOf, requireScript } from '@holdfast/chain-bitcoin/codec'
import { previousOf } from '@holdfast/chain-bitcoin/testing'
import { codecFor } from '@holdfast/chain-registry/codec'
import { toHex } from '@holdfast/encoding'
import type { TransferIntent } from '@holdfast/intent'
import { FROST_TAPROOT, PROTOCOL } from '@holdfast/mpc'
import fc from 'fast-check'
import { Refused } from '../refused.ts'
import { applyEvent } from '../../state/register.ts'
import { bitcoin, bitcoinAddress, type BitcoinOrder, bitcoinOrderOf, CHANGE_PATH, coinsOf, PATH, STRANGER } from '../../testing/bitcoin-order-of.ts'
import { approvalsOf, type PublicKey, requestOf } from '../../testing/order-of.ts'
import { BTC, NOW_MS } from '../../testing/organisation-of.ts'
import { ann, ben, cleo, key as ecdsaKey, organisationWith, registerOf } from '../../testing/world-of.ts'
import { type SignerView, type SignOrder, verifySignRequest } from '../verify.ts'

const organisation = organisationWith()
const taprootKey: PublicKey = { ...ecdsaKey, keyId: ecdsaKey.keyId.map((byte) => byte ^ 1), protocol: FROST_TAPROOT }
const CAP = 20_000n

type Change = Partial<BitcoinOrder> & { bytes?: (unsigned: Uint8Array) => Uint8Array; intent?: Partial<TransferIntent>; register?: (view: SignerView) => void }

/** An attempt to have a Bitcoin order signed: honest but for the change. */
function attempt(key: PublicKey, { bytes = (unsigned) => unsigned, intent, register, ...order }: Change = {}): SignOrder {
  const { fingerprint, policy } = organisation
  const made = bitcoinOrderOf({ fingerprint, policy, key, initiator: ann, ...order, changes: intent })
  const { request, log } = requestOf({ key, draft: made.draft, approvals: approvalsOf(made.draft, policy, [ben, cleo]), unsigned: bytes(made.unsigned) })
  const view: SignerView = { party: 1, register: registerOf(organisation, log), nowMs: NOW_MS, codecFor }
  applyEvent(view.register, { kind: 'keyOfKindMade', ...taprootKey, curve: 'secp256k1' }, NOW_MS, 1)
  register?.(view)
  return verifySignRequest(request, view)
}

function refused(key: PublicKey, check: string, words: RegExp, change: Change): void {
  assert.throws(
    () => attempt(key, change),
    (cause) => cause instanceof Refused && cause.check === check && words.test(cause.message),
    `${check} ${words}`,
  )
}

for (const key of [ecdsaKey, taprootKey]) {
  const from = bitcoinAddress(key, PATH)
  const isTaproot = key.protocol !== PROTOCOL
  /** The bytes of a transaction like the order's, drafted otherwise. */
  const drafted =
    (change: Partial<Parameters<typeof draftTransfer>[0]>, amounts: readonly bigint[] = [60_000n, 50_000n, 40_000n], payer = from) =>
    () => {
      const made = coinsOf(payer, amounts)
      const order = { chain: BTC.chain, from: payer, payments: [{ to: STRANGER, amount: 120_000n }], satPerKvb: 2_000n, feeCap: 10n ** 12n, ...change }
      return finishDraft(draftTransfer({ ...order, coins: made.map(({ coin }) => coin) }), previousOf(made))
    }
  const changeTo = (address: string, path: number[]) => ({ change: { address, path } })

  describe(`a signer asked to sign a Bitcoin transaction with a key of ${key.protocol}`, () => {
    it('takes part in one that is the order, with one signature for each coin, and computes what is signed itself', () => {
      const order = attempt(key)
      const unsigned = bitcoinOrderOf({ fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator: ann }).unsigned
      assert.equal(order.effects.inputs!.length, 3)
      assert.deepEqual(
        order.toSign.map(({ digest }) => toHex(digest)),
        bitcoin.sighashes(unsigned).map(toHex),
      )
      assert.equal(new Set(order.toSign.map(({ digest }) => toHex(digest))).size, 3)
      assert.deepEqual(
        order.effects.change!.map(({ address, path }) => ({ address, path })),
        [{ address: bitcoinAddress(key, CHANGE_PATH), path: CHANGE_PATH }],
      )
    })

    it('signs nothing but the transfer of the order, whichever bit of the transaction is flipped', () => {
      const honest = attempt(key)
      const known = new Set(honest.toSign.map(({ digest }) => toHex(digest)))
      const { length } = bitcoinOrderOf({ fingerprint: organisation.fingerprint, policy: organisation.policy, key, initiator: ann }).unsigned
      fc.assert(
        fc.property(fc.nat(length - 1), fc.nat(7), (at, bit) => {
          let order: SignOrder
          try {
            order = attempt(key, { bytes: (unsigned) => unsigned.map((byte, i) => (i === at ? byte ^ (1 << bit) : byte)) })
          } catch (cause) {
            assert.ok(cause instanceof Refused && ['c5', 'c7', 'c8'].includes(cause.check), String(cause))
            return
          }
          // Less may come back, within the cap of the fee; or a taproot coin is another or holds something else, and no signature of the true one comes of it.
          assert.deepEqual(order.effects.transfers, honest.effects.transfers)
          assert.ok(order.effects.feeMax <= CAP)
          assert.deepEqual(
            order.effects.change!.map(({ address }) => address),
            honest.effects.change!.map(({ address }) => address),
          )
          assert.ok(order.toSign.every(({ digest }) => !known.has(toHex(digest))))
        }),
        { numRuns: 400 },
      )
    })

    it('refuses change that does not come back to the key, at each byte of its path', () => {
      refused(key, 'c7', /gives .* back to .* no address of the key/, { bytes: drafted(changeTo(STRANGER, CHANGE_PATH)) })
      refused(key, 'c7', /gives .* back/, { bytes: drafted(changeTo(bitcoinAddress(key, CHANGE_PATH), [0, 8])) })
      refused(key, 'c7', /gives .* back/, { bytes: drafted(changeTo(bitcoinAddress(key, CHANGE_PATH), [0, 19])) })
      const marker = Uint8Array.from([0, 0, 0, 0, 9, 0, 0, 0])
      for (let at = 0; at < marker.length; at++) {
        for (let bit = 0; bit < 8; bit++) {
          const flip = (unsigned: Uint8Array) => {
            const place = Buffer.from(unsigned).lastIndexOf(marker)
            assert.ok(place > 0)
            return unsigned.map((byte, i) => (i === place + at ? byte ^ (1 << bit) : byte))
          }
          refused(key, 'c7', /no address of the key|the path of change|change of \d+ base units goes to/, { bytes: flip })
        }
      }
    })

    it('refuses change at a path that only who made the bytes would know, though its address is one of the key', () => {
      const far = (path: number[]) => drafted(changeTo(bitcoinAddress(key, path), path))
      const attacked = [541384986, 1013003342, 71, 9, 2147483647, 3, 0, 930367577]
      for (let length = 1; length <= attacked.length; length++) refused(key, 'c7', /the path of change/, { bytes: far(attacked.slice(0, length)) })
      refused(key, 'c7', /names address 1048576 of sub-wallet 0/, { bytes: far([0, ADDRESSES_MAX]) })
      refused(key, 'c7', /names sub-wallet 65536/, { bytes: far([SUB_WALLETS_MAX, 0]) })
      refused(key, 'c7', /change of \d+ base units goes to m\/1\/0/, { bytes: far([1, 0]) })
      assert.ok(attempt(key, { bytes: far([0, ADDRESSES_MAX - 1]) }))
      const index = fc.oneof(fc.nat(25), fc.nat(2 ** 31 - 1), fc.constantFrom(SUB_WALLETS_MAX - 1, SUB_WALLETS_MAX))
      fc.assert(
        fc.property(fc.array(index, { minLength: 1, maxLength: 8 }), (path) => {
          const isNear = path.length === 2 && path[0] === PATH[0] && path[1]! < ADDRESSES_MAX
          if (isNear) assert.deepEqual(attempt(key, { bytes: far(path) }).effects.change![0]!.path, path)
          else refused(key, 'c7', /path of change|goes to m/, { bytes: far(path) })
        }),
        { numRuns: 150 },
      )
    })

    it('refuses an order of an address that nobody would find again, whatever its path', () => {
      const paths = [
        [],
        [0],
        [0, ADDRESSES_MAX],
        [SUB_WALLETS_MAX - 1, 256],
        [SUB_WALLETS_MAX, 0],
        [0, 7, 0],
        [2147483647, 2147483647],
        [0, 0, 0, 0, 0, 0, 0, 0],
      ]
      for (const path of paths) {
        const payer = bitcoinAddress(key, path)
        const order = { intent: { path: path.map(BigInt), from: payer }, bytes: drafted({}, undefined, payer) }
        refused(key, 'c7', /the order's path m/, order)
      }
    })

    it('refuses other amounts, other payments, other coins, another network and a fee above the cap', () => {
      const two = [
        { to: STRANGER, amount: 120_000n },
        { to: from, amount: 1_000n },
      ]
      refused(key, 'c7', /2 transfers/, { bytes: drafted({ payments: two }) })
      refused(key, 'c7', /pays 119999 base units/, { bytes: drafted({ payments: [{ to: STRANGER, amount: 119_999n }] }) })
      refused(key, 'c7', /the transaction pays bcrt1/, { bytes: drafted({ payments: [{ to: from, amount: 120_000n }] }) })
      refused(key, 'c7', /spends .* of bcrt1/, { bytes: drafted({}, undefined, bitcoinAddress(key, [0, 8])) })
      refused(key, 'c8', /fee can reach/, { satPerKvb: 150_000n, coins: [60_000n, 190_000n] })
      refused(key, 'c7', /path leads to/, { intent: { path: [0n, 8n] } })
      refused(key, 'c8', /slot rule/, { intent: { slotRule: 'account-nonce' } })
      const mainnet = codecFor('bip122:000000000019d6689c085ae165831e93')!
      refused(key, 'c7', /is for "bip122/, { register: (view) => Object.assign(view, { codecFor: () => mainnet }) })
    })

    it('refuses to sign with a key of another kind, though both are of one curve', () => {
      const other = isTaproot ? ecdsaKey : taprootKey
      refused(other, 'c7', /path leads to/, { intent: { from }, bytes: drafted(changeTo(from, [])) })
    })

    it('binds the order to its anchor: a replacement with a higher fee passes, other coins do not, and no other order spends the anchor', () => {
      const bind = (slot: bigint, order: string) => (view: SignerView) => {
        const slotKey = `${BTC.chain}|${from}|${slot}`
        view.register.slots.set(slotKey, order)
        view.register.bindings.set(order, { slotKey, committed: true, bytes: null, cancelled: false, before: null })
      }
      const first = attempt(key)
      const hash = toHex(first.intentHash)
      assert.equal(attempt(key, { satPerKvb: 5_000n, register: bind(first.effects.slot, hash) }).effects.slot, first.effects.slot)
      refused(key, 'c10', /bound to slot/, { firstCoin: 50, register: bind(first.effects.slot, hash) })
      refused(key, 'c10', /bound to order/, { salt: 1, register: bind(first.effects.slot, 'another order') })
    })
  })
}

it('a P2WPKH coin of several is refused without the transaction that proves its amount, so that nobody has a huge fee signed in two halves', () => {
  const script = requireScript(networkOf(BTC.chain), bitcoinAddress(ecdsaKey, PATH))
  const lie = (unsigned: Uint8Array) => {
    const amount = Buffer.alloc(8)
    amount.writeBigUInt64LE(60_000n)
    const claimed = Buffer.concat([amount, Buffer.from([script.length]), script])
    const place = Buffer.from(unsigned).lastIndexOf(claimed)
    assert.ok(place > 0)
    return unsigned.map((byte, i) => (i === place ? byte ^ 1 : byte))
  }
  refused(ecdsaKey, 'c7', /does not prove its amount/, { bytes: lie })
})
