import { ChainError, SIGNATURES_MAX, slotOf } from '@holdfast/chain-core'
import { childSecret, derivePublicKey } from '@holdfast/mpc'
import { mismatchOf } from '@holdfast/protocol'
import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fromHex } from '@holdfast/encoding'
import { build, chain, codec, coinOf, from, type Made, previousOf, publicKey, recipient, second, secretKey, taprootFrom, third } from '../testing/samples.ts'
import {
  cancelTransfer,
  type CoinLocks,
  consolidationHint,
  dustLimit,
  draftCpfp,
  draftSweep,
  draftTransfer,
  finishDraft,
  lockCoin,
  requireScript,
  networkOf,
  speedUpTransfer,
  spendableCoins,
  unlockCoin,
  type UnsignedTransaction,
} from './index.ts'
import { readUnsigned } from './bitcoin-codec.ts'
import { nameOf, sum } from './select-coins.ts'
import { feeFor, virtualSize } from './size.ts'

const NO_CAP = 10n ** 14n
const sizeOf = ({ inputs, outputs }: UnsignedTransaction) =>
  virtualSize(
    inputs[0]!.script,
    inputs.length,
    outputs.map(({ script }) => script),
  )
const feeOf = ({ inputs, outputs }: UnsignedTransaction) => sum(inputs) - sum(outputs)
const isChange = ({ changePath }: { changePath?: number[] }) => changePath !== undefined
const finished = (draft: UnsignedTransaction, made: readonly Made[]) => finishDraft(draft, previousOf(made))

const amounts = fc.array(fc.oneof(fc.bigInt({ min: 300n, max: 20_000n }), fc.bigInt({ min: 20_000n, max: 10n ** 8n })), { minLength: 1, maxLength: 25 })
const payments = fc.array(fc.record({ to: fc.constantFrom(recipient, second, third), amount: fc.bigInt({ min: 546n, max: 5n * 10n ** 7n }) }), {
  minLength: 1,
  maxLength: 4,
})
const rates = fc.bigInt({ min: 1_000n, max: 100_000n })
const payer = fc.constantFrom(from, taprootFrom)
const madeOf = (address: string, values: readonly bigint[]) => values.map((amount, i) => coinOf(address, amount, i))

describe('a drafted payment', () => {
  it('pays exactly what was ordered, at the rate or a little more, and loses nothing to change that is not made', () => {
    fc.assert(
      fc.property(payer, amounts, payments, rates, (address, values, wanted, satPerKvb) => {
        const made = madeOf(address, values)
        const order = { chain, from: address, payments: wanted, coins: made.map(({ coin }) => coin), satPerKvb, feeCap: NO_CAP }
        let draft: UnsignedTransaction
        try {
          draft = draftTransfer(order)
        } catch (cause) {
          assert.ok(cause instanceof ChainError && /do not suffice/.test(cause.message), String(cause))
          // Even all coins together that are worth their fee would not have paid for it.
          const script = made[0]!.coin.script
          const worth = values.map((each) => each - feeFor(virtualSize(script, 1, []), satPerKvb)).filter((each) => each > 0n)
          assert.ok(worth.reduce((total, each) => total + each, 0n) < sum(wanted) + feeFor(virtualSize(script, 0, []), satPerKvb) + 100_000n)
          return
        }
        assert.deepEqual(
          draft.outputs.filter((output) => !isChange(output)).map(({ amount }) => amount),
          wanted.map(({ amount }) => amount),
        )
        assert.equal(new Set(draft.inputs.map(nameOf)).size, draft.inputs.length)
        const least = feeFor(sizeOf(draft), satPerKvb)
        assert.ok(feeOf(draft) >= least, 'pays less than the rate')
        const change = draft.outputs.filter(isChange)
        assert.ok(change.length <= 1 && change.every((output) => output.amount >= dustLimit(output.script)))
        // Without change, what is left to the fee is less than making and spending an output would have cost.
        const slack = change.length === 1 ? 2n : feeFor(150n, 10_000n) + feeFor(50n, satPerKvb)
        assert.ok(feeOf(draft) - least <= slack, `${feeOf(draft) - least} is given away`)
        assert.deepEqual(draftTransfer(order), draft)
        assert.equal(codec.decode(finished(draft, made)).feeMax, feeOf(draft))
      }),
      { numRuns: 300 },
    )
  })

  it('makes no change where coins pay exactly, and spends one coin alone where one suffices', () => {
    const made = madeOf(taprootFrom, [100_000n, 40_000n, 30_200n, 900_000n])
    const exact = draftTransfer({
      chain,
      from: taprootFrom,
      payments: [{ to: third, amount: 70_000n }],
      coins: made.map(({ coin }) => coin),
      satPerKvb: 1_000n,
      feeCap: NO_CAP,
    })
    assert.deepEqual([exact.inputs.length, exact.outputs.length], [2, 1])
    const single = draftTransfer({
      chain,
      from: taprootFrom,
      payments: [{ to: third, amount: 90_000n }],
      coins: made.map(({ coin }) => coin),
      satPerKvb: 1_000n,
      feeCap: NO_CAP,
    })
    assert.deepEqual(
      single.inputs.map(({ amount }) => amount),
      [100_000n],
    )
  })

  it('does not always put change in the same place', () => {
    const places = Array.from({ length: 40 }, (_, i) => {
      const draft = draftTransfer({
        chain,
        from,
        payments: [{ to: third, amount: 5_000n }],
        coins: [coinOf(from, 900_000n, i).coin],
        satPerKvb: 1_000n,
        feeCap: NO_CAP,
      })
      return draft.outputs.findIndex(isChange)
    })
    assert.deepEqual([...new Set(places)].toSorted(), [0, 1])
  })

  it('is refused where it pays dust, passes the cap, pays a foreign network, or spends coins of others', () => {
    const coins = [coinOf(from, 900_000n).coin]
    const order = { chain, from, payments: [{ to: third, amount: 5_000n }], coins, satPerKvb: 2_000n, feeCap: NO_CAP }
    assert.throws(() => draftTransfer({ ...order, payments: [{ to: third, amount: 293n }] }), /dust; nodes relay 294/)
    assert.throws(() => draftTransfer({ ...order, feeCap: 100n }), /fee cap/)
    assert.throws(
      () => draftTransfer({ ...order, payments: [{ to: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', amount: 5_000n }] }),
      /not an address of regtest/,
    )
    assert.throws(() => draftTransfer({ ...order, coins: [coinOf(taprootFrom, 900_000n).coin] }), /not one of the paying address/)
    assert.throws(() => draftTransfer({ ...order, payments: [] }), /pays nobody/)
  })
})

describe('a replacement', () => {
  it('keeps the slot and the payments and pays what nodes ask of replacements, by change or by further coins', () => {
    const factor = fc.bigInt({ min: 1n, max: 20n })
    fc.assert(
      fc.property(
        payer,
        amounts,
        payments,
        rates,
        factor,
        fc.bigInt({ min: 0n, max: 20_000n }),
        (address, values, wanted, satPerKvb, times, descendantFees) => {
          const made = madeOf(address, [...values, sum(wanted) + 60_000n])
          const spare = madeOf(
            address,
            [500_000n, 40_000_000n].map((each, i) => each + BigInt(i)),
          ).map(({ coin }, i) => ({ coin, made: coinOf(address, coin.amount, 100 + i) }))
          const before = build({ from: address, payments: wanted, made, satPerKvb })
          const coins = spare.map(({ made: { coin } }) => coin)
          const draft = speedUpTransfer({ replaces: before, satPerKvb: satPerKvb * times, feeCap: NO_CAP, coins, descendantFees })
          const after = codec.decode(finished(draft, [...made, ...spare.map((each) => each.made)]))
          const old = codec.decode(before)
          assert.equal(after.slot, old.slot)
          assert.deepEqual(after.transfers, old.transfers)
          assert.deepEqual(after.inputs!.slice(0, old.inputs!.length), old.inputs)
          assert.ok(after.feeMax >= old.feeMax + descendantFees + feeFor(sizeOf(draft), 1_000n), 'BIP125 rules 3 and 4')
          assert.ok(after.feeMax * sizeOf(readUnsigned(before)) > old.feeMax * sizeOf(draft), 'a higher rate')
        },
      ),
      { numRuns: 200 },
    )
  })

  it('that cancels spends the anchor, pays the paying address alone, and pays what nodes ask of it', () => {
    fc.assert(
      fc.property(payer, amounts, rates, (address, values, satPerKvb) => {
        const made = madeOf(address, [...values, 2_000_000n])
        const before = build({ from: address, payments: [{ to: third, amount: 1_500_000n }], made, satPerKvb })
        const draft = cancelTransfer({ replaces: before, satPerKvb, feeCap: NO_CAP })
        const after = codec.decode(finished(draft, made))
        const old = codec.decode(before)
        assert.equal(after.slot, slotOf(old.inputs![0]!.outpoint))
        assert.deepEqual([after.transfers.length, after.transfers[0]!.to, after.change], [1, address, []])
        assert.ok(after.feeMax >= old.feeMax + feeFor(sizeOf(draft), 1_000n))
      }),
      { numRuns: 100 },
    )
  })

  it('adds what most nodes ask for, also where the own node would relay it for less', () => {
    const before = build({ from, payments: [{ to: third, amount: 100_000n }], made: [coinOf(from, 5_000_000n)], satPerKvb: 10_000n })
    const feeBefore = codec.decode(before).feeMax
    for (const [incrementalSatPerKvb, asked] of [
      [100n, 1_000n],
      [0n, 1_000n],
      [3_000n, 3_000n],
    ] as const) {
      const fast = speedUpTransfer({ replaces: before, satPerKvb: 10_001n, feeCap: NO_CAP, incrementalSatPerKvb })
      assert.ok(sum(fast.inputs) - sum(fast.outputs) >= feeBefore + feeFor(sizeOf(fast), asked), `${incrementalSatPerKvb}`)
      const cancel = cancelTransfer({ replaces: before, satPerKvb: 1n, feeCap: NO_CAP, incrementalSatPerKvb })
      assert.ok(sum(cancel.inputs) - sum(cancel.outputs) >= feeBefore + feeFor(sizeOf(cancel), asked))
    }
  })

  it('is refused above the cap, and where nothing can pay for it', () => {
    const made = [coinOf(from, 10_000n)]
    const before = build({ from, payments: [{ to: third, amount: 9_700n }], made, satPerKvb: 1_000n })
    assert.throws(() => speedUpTransfer({ replaces: before, satPerKvb: 50_000n, feeCap: NO_CAP }), /do not suffice/)
    assert.throws(() => cancelTransfer({ replaces: before, satPerKvb: 95_000n, feeCap: NO_CAP }), /cannot bear/)
    assert.throws(() => cancelTransfer({ replaces: before, satPerKvb: 5_000n, feeCap: 10n }), /fee cap/)
  })
})

describe('a sweep', () => {
  it('moves all that coins hold but the fee, in transactions that signers can sign, and leaves what costs more than it is worth', () => {
    const many = fc.array(fc.bigInt({ min: 300n, max: 10n ** 6n }), { minLength: 1, maxLength: 150 })
    fc.assert(
      fc.property(payer, many, rates, (address, values, satPerKvb) => {
        const made = madeOf(address, values)
        const { drafts, left } = draftSweep({ chain, from: address, to: third, coins: made.map(({ coin }) => coin), satPerKvb })
        for (const draft of drafts) {
          const effects = codec.decode(finished(draft, made))
          assert.ok(draft.inputs.length <= SIGNATURES_MAX)
          assert.deepEqual([effects.transfers.length, effects.transfers[0]!.to, effects.change], [1, third, []])
          const least = feeFor(sizeOf(draft), satPerKvb)
          assert.equal(effects.feeMax, least)
        }
        const moved = drafts.flatMap(({ inputs }) => inputs)
        assert.deepEqual(new Set([...moved, ...left].map(nameOf)), new Set(made.map(({ coin }) => nameOf(coin))))
      }),
      { numRuns: 40 },
    )
    assert.throws(
      () => draftSweep({ chain, from, to: third, coins: madeOf(taprootFrom, [10_000n]).map(({ coin }) => coin), satPerKvb: 1_000n }),
      /not one of the paying/,
    )
  })
})

describe('a child that pays for its parent', () => {
  it('brings both to the rate and gives the deposit to ourselves', () => {
    fc.assert(
      fc.property(payer, rates, fc.bigInt({ min: 100n, max: 2_000n }), (address, satPerKvb, size) => {
        const { coin } = coinOf(address, 10_000_000n)
        const stuck = { fee: feeFor(size, satPerKvb) / 2n, size }
        const draft = draftCpfp({ chain, from: address, coin, stuck, satPerKvb, feeCap: NO_CAP })
        assert.ok(stuck.fee + feeOf(draft) >= feeFor(size + sizeOf(draft), satPerKvb))
        assert.deepEqual(codec.decode(finished(draft, [])).transfers[0]!.to, address)
      }),
    )
    const { coin } = coinOf(from, 1_000n)
    const stuck = { fee: 100n, size: 200n }
    assert.throws(() => draftCpfp({ chain, from, coin, stuck, satPerKvb: 20_000n, feeCap: NO_CAP }), /cannot bear/)
    assert.throws(() => draftCpfp({ chain, from, coin, stuck: { fee: 9_000n, size: 200n }, satPerKvb: 2_000n, feeCap: NO_CAP }), /pays this rate already/)
  })
})

describe('the list of coins', () => {
  const coins = [5_000n, 6_000n, 7_000n, 8_000n].map((amount, i) => ({ ...coinOf(from, amount, i).coin, height: i === 3 ? null : 10n }))
  const [a, b] = coins.map(nameOf) as [string, string]

  it('gives out only what is in a block and not locked; a lock ends for the reason for which it began', () => {
    let locks: CoinLocks = lockCoin({}, a, { reason: 'person', note: 'for the auditor' })
    locks = lockCoin(locks, b, { reason: 'inscription', note: 'text/plain' })
    assert.deepEqual(
      spendableCoins(coins, locks).map(({ amount }) => amount),
      [7_000n],
    )
    assert.throws(() => unlockCoin(locks, b, 'person'), /stays locked \(inscription/)
    assert.throws(() => lockCoin(locks, a, { reason: 'order', note: '1' }), /locked already/)
    assert.deepEqual(Object.keys(unlockCoin(locks, a, 'person')), [b])
    assert.deepEqual(spendableCoins([{ ...coins[0]!, isImmature: true }], {}), [])
  })

  it('hints at joining small coins only where that saves more than it costs now', () => {
    const script = requireScript(networkOf(chain), from)
    const many = Array.from({ length: 40 }, (_, i) => ({ txid: i.toString(16).padStart(64, '0'), index: 0, amount: 20_000n, script, height: 1n }))
    const hint = consolidationHint(many, { nowSatPerKvb: 1_000n, laterSatPerKvb: 20_000n })!
    assert.ok(hint.coins === 40 && hint.amount === 800_000n && hint.feeSavedLater > hint.feeNow)
    assert.equal(consolidationHint(many, { nowSatPerKvb: 20_000n, laterSatPerKvb: 10_000n }), undefined)
    assert.equal(consolidationHint(many.slice(0, 5), { nowSatPerKvb: 1_000n, laterSatPerKvb: 20_000n }), undefined)
    assert.equal(consolidationHint([], { nowSatPerKvb: 1n, laterSatPerKvb: 2n }), undefined)
  })
})

describe('a signer', () => {
  const chainCode = new Uint8Array(32).fill(3)
  const keyId = new Uint8Array(32).fill(1)
  const asset = { chain, contract: null }

  for (const protocol of ['dkls23/v1', 'frost-taproot/v1']) {
    const addressAt = (path: number[]) => codec.addressFromKey(derivePublicKey(protocol, publicKey, chainCode, path))
    const [payingPath, changePath] = [
      [4, 2],
      [4, 9],
    ]
    const paying = addressAt(payingPath)
    const intent = {
      kind: 'transfer',
      keyId,
      from: paying,
      path: payingPath.map(BigInt),
      to: third,
      asset,
      feeAsset: asset,
      amount: 5_000n,
      feeCap: 50_000n,
      memo: null,
      slotRule: 'anchor-input',
    }
    const judge = (unsigned: Uint8Array) => mismatchOf(intent as never, codec.decode(unsigned), { keyId, protocol, publicKey, chainCode } as never, codec)
    const made = [coinOf(paying, 900_000n)]
    const order = { from: paying, payments: [{ to: third, amount: 5_000n }], made, satPerKvb: 2_000n }

    it(`takes change of a ${protocol} key that it derives anew, and no other`, () => {
      assert.equal(judge(build(order)), undefined)
      assert.equal(judge(build({ ...order, change: { address: addressAt(changePath), path: changePath } })), undefined)
      assert.match(judge(build({ ...order, change: { address: addressAt(changePath), path: [4, 8] } }))!.reason, /no address of the key/)
      assert.match(judge(build({ ...order, change: { address: recipient, path: changePath } }))!.reason, /no address of the key/)
      assert.match(judge(build({ ...order, payments: [...order.payments, { to: recipient, amount: 600n }] }))!.reason, /2 transfers/)
    })

    it(`signs a payment with the child of a ${protocol} key`, () => {
      const unsigned = build(order)
      const child = fromHex(
        childSecret(protocol, BigInt(`0x${Buffer.from(secretKey).toString('hex')}`), chainCode, payingPath)
          .toString(16)
          .padStart(64, '0'),
      )
      const signatures = codec.sighashes(unsigned).map((digest) => {
        const bytes =
          protocol === 'dkls23/v1' ? secp256k1.sign(digest, child, { prehash: false, format: 'recovered' }) : Uint8Array.of(0, ...schnorr.sign(digest, child))
        return { recovery: bytes[0]!, r: bytes.slice(1, 33), s: bytes.slice(33, 65) }
      })
      assert.equal(codec.detach(codec.attach(unsigned, signatures).raw).from, paying)
    })
  }
})
