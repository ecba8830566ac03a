import { BRC20_DECIMALS, ChainError, SIGNATURES_MAX } from '@holdfast/chain-core'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { chain, codec, coinOf, from, recipient, signTaproot, taprootFrom, third } from '../testing/samples.ts'
import { readUnsigned } from './bitcoin-codec.ts'
import {
  cancelTransfer,
  draftTransfer,
  finishDraft,
  followInscriptions,
  type Inscribed,
  networkBytes,
  networkTransactions,
  parseWithWitnesses,
  readBrc20,
  readInscriptions,
  speedUpTransfer,
  type UnsignedTransaction,
} from './index.ts'
import { serializePsbt } from './psbt.ts'
import { nameOf, sum } from './select-coins.ts'
import { feeFor } from './size.ts'
import { idOfSteps, stepsOf } from './steps.ts'

const POSTAGE = 546n
const tickers = fc.constantFrom('ordi', 'sats', '$a"\\', '猫a', 'ab c')
const parts = fc.bigInt({ min: 1n, max: ((1n << 64n) - 1n) * 10n ** BigInt(BRC20_DECIMALS) })
const values = fc.array(fc.bigInt({ min: 400n, max: 200_000n }), { minLength: 1, maxLength: 6 })
const rates = fc.bigInt({ min: 1_000n, max: 60_000n })

type Asked = { values?: readonly bigint[]; satPerKvb?: bigint; ticker?: string; amount?: bigint; to?: string; address?: string }

function drafted({ values: amounts = [60_000n], satPerKvb = 2_000n, ticker = 'ordi', amount = 5n, to = third, address = taprootFrom }: Asked = {}) {
  const coins = amounts.map((each, i) => coinOf(address, each, i).coin)
  const order = { chain, from: address, payments: [{ to, amount: POSTAGE }], coins, satPerKvb, feeCap: 10n ** 12n }
  return draftTransfer({ ...order, inscribes: { ticker, amount } })
}

const finished = (draft: UnsignedTransaction) => finishDraft(draft, new Map())
const signed = (unsigned: Uint8Array) => codec.attach(unsigned, codec.sighashes(unsigned).map(signTaproot))

describe('a token that is inscribed on the way', () => {
  it('is read back by whoever reads blocks: amount, ticker and recipient, and every transaction pays the rate', () => {
    fc.assert(
      fc.property(values, rates, tickers, parts, fc.constantFrom(third, recipient), (amounts, satPerKvb, ticker, amount, to) => {
        let draft: UnsignedTransaction
        try {
          draft = drafted({ values: amounts, satPerKvb, ticker, amount, to })
        } catch (cause) {
          if (!(cause instanceof ChainError)) throw cause
          assert.ok(sum(amounts.map((each) => ({ amount: each }))) < 1_500n + feeFor(600n + 60n * BigInt(amounts.length), satPerKvb), cause.message)
          return
        }
        const unsigned = finished(draft)
        const effects = codec.decode(unsigned)
        const { raw, txid } = signed(unsigned)
        assert.deepEqual(codec.detach(raw), { unsigned, txid, from: taprootFrom })
        const sent = networkTransactions(chain, raw).map(({ txid: id, bytes }) => ({ id, ...parseWithWitnesses(bytes), bytes }))
        assert.equal(sent.at(-1)!.id, txid)

        // Somebody who knows nothing of us follows the satoshi through the three.
        let carried: Inscribed[] = []
        const known = new Map(draft.inputs.map((coin) => [nameOf(coin), coin.amount]))
        let fee = 0n
        for (const { id, transaction, witnesses, bytes } of sent) {
          const inputs = transaction.inputs.map((input, i) => ({
            outpoint: nameOf(input),
            spent: { amount: known.get(nameOf(input))! },
            witness: witnesses[i]!,
          }))
          carried = followInscriptions(carried, { txid: id, isCoinbase: false, inputs, outputs: transaction.outputs }).inscribed
          transaction.outputs.forEach((output, index) => known.set(`${id}:${index}`, output.amount))
          const paid = sum(inputs.map(({ spent }) => spent)) - sum(transaction.outputs)
          const stripped = bytes.length - 2 - witnesses.flat().reduce((total, item) => total + item.length + 1, witnesses.length)
          const size = BigInt(Math.ceil((stripped * 3 + bytes.length) / 4))
          assert.ok(paid >= feeFor(size, satPerKvb) - 1n, `${paid} for ${size} at ${satPerKvb}`)
          fee += paid
        }
        assert.equal(fee, effects.feeMax)
        const [found, ...others] = carried
        assert.deepEqual([others, found!.id, found!.outpoint, found!.offset, found!.inscription.isCursed], [[], effects.inscribes, `${txid}:0`, 0n, false])
        const [inscription] = readInscriptions(sent[1]!.witnesses[0]!)
        const operation = readBrc20(inscription!)
        assert.ok(operation?.op === 'transfer' && operation.amount === amount && operation.ticker === ticker)
        assert.deepEqual(effects.transfers, [
          { asset: { chain, contract: `brc20:${ticker}` }, to, amount },
          { asset: { chain, contract: null }, to, amount: POSTAGE },
        ])
        assert.equal(sum(effects.inputs!), POSTAGE + sum(effects.change!) + effects.feeMax)
      }),
      { numRuns: 12 },
    )
  })

  it('leaves nothing that somebody else could spend: what comes between goes to the paying address or needs its key', () => {
    const [commit, reveal, payment] = stepsOf(drafted())
    const [commitment, rest] = commit!.transaction.outputs
    const own = readUnsigned(finished(drafted())).inputs[0]!.script
    assert.deepEqual([commitment!.amount, rest!.script], [330n, own])
    assert.deepEqual(
      reveal!.transaction.outputs.map(({ script }) => script),
      [own],
    )
    // The leaf begins with the key that it asks for, which is the address's own.
    assert.deepEqual(reveal!.reveals!.leaf.slice(1, 33), own.slice(2))
    assert.deepEqual(
      payment!.coins.map(({ script }) => script),
      [own],
    )
  })

  it('is refused where a byte was changed, or reads as other bytes do that are as whole', () => {
    const unsigned = finished(drafted({ values: [30_000n, 20_000n], amount: 7n * 10n ** 18n }))
    const honest = codec.decode(unsigned)
    const idOf = (bytes: Uint8Array) => idOfSteps(stepsOf(readUnsigned(bytes)))
    let refused = 0
    for (let at = 0; at < unsigned.length; at++) {
      const changed = unsigned.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte))
      try {
        const effects = codec.decode(changed)
        assert.notDeepEqual({ ...effects, feeParameters: null }, { ...honest, feeParameters: null }, `byte ${at}`)
        assert.notEqual(idOf(changed), idOf(unsigned), `byte ${at}`)
      } catch (cause) {
        if (!(cause instanceof ChainError)) throw cause
        refused++
      }
    }
    assert.ok(refused > unsigned.length / 2)
    const { raw } = signed(unsigned)
    for (let at = 0; at < raw.length; at += 5) {
      const changed = raw.map((byte, i) => (i === at ? byte ^ (1 << (at % 8)) : byte))
      assert.throws(() => networkTransactions(chain, changed), ChainError, `byte ${at}`)
    }
  })

  it('is for taproot addresses alone, in as many signatures as signers make, and is not replaced', () => {
    assert.throws(() => drafted({ address: from }), /only a taproot address/)
    assert.equal(codec.sighashes(finished(drafted())).length, 4)
    const one = readUnsigned(finished(drafted()))
    const many = (count: number) => ({ ...one, inputs: Array.from({ length: count }, (_, i) => coinOf(taprootFrom, 60_000n, i).coin) })
    assert.throws(() => codec.decode(serializePsbt(many(SIGNATURES_MAX - 2))), /signers make 64 at most/)
    assert.equal(codec.sighashes(serializePsbt(many(SIGNATURES_MAX - 3))).length, SIGNATURES_MAX)
    const replaces = finished(drafted())
    for (const replace of [speedUpTransfer, cancelTransfer]) assert.throws(() => replace({ replaces, satPerKvb: 9_000n, feeCap: 10n ** 9n }), /not replaced/)
    assert.throws(() => networkBytes(chain, signed(replaces).raw), /several transactions/)
  })
})
