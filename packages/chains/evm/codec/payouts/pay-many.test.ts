import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ChainError } from '@holdfast/chain-core'
import fc from 'fast-check'
import { parseSignature } from '../abi-type.ts'
import { encodeFunctionCall } from '../abi-value.ts'
import { checksumAddress } from '../address.ts'
import { evmCodec } from '../evm-codec.ts'
import { readCall } from '../read-call.ts'
import { leastReplacement } from '../replace-transfer.ts'
import { buildTransfer, GAS_LIMIT_MAX } from '../transfer.ts'
import { payouts } from './deployment.ts'
import { isPayoutsDeployment } from './is-deployment.ts'
import { decodePayMany, encodePayMany, PAYMENTS_MAX, type Payments, PAYOUTS } from './pay-many.ts'

const chain = 'eip155:1'
const token = checksumAddress(new Uint8Array(20).fill(7))
const address = fc.uint8Array({ minLength: 20, maxLength: 20 }).map(checksumAddress)
const payments = fc.uniqueArray(fc.record({ to: address, amount: fc.bigInt(1n, 10n ** 24n) }, { noNullPrototype: true }), {
  minLength: 2,
  maxLength: 40,
  selector: ({ to }) => to,
})
const contracts = fc.constantFrom(null, token)
const fees = { gasLimit: GAS_LIMIT_MAX, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }

describe('a call that pays many', () => {
  it('is read back as what it was made of, and is the only call that says so', () => {
    fc.assert(
      fc.property(payments, contracts, fc.nat(), (lines, contract, where) => {
        const call = encodePayMany({ contract, payments: lines })
        assert.deepEqual(decodePayMany(call), { contract, payments: lines })
        const changed = { ...call, data: call.data.slice() }
        changed.data[where % changed.data.length]! ^= 1
        const read = (() => {
          try {
            return decodePayMany(changed)
          } catch (cause) {
            assert.ok(cause instanceof ChainError)
            return undefined
          }
        })()
        assert.notDeepEqual(read, { contract, payments: lines })
      }),
    )
  })

  it('is signed as payments to those whom it pays, in their sequence, and by no other bytes', () => {
    const codec = evmCodec({ chain })
    fc.assert(
      fc.property(payments, contracts, (lines, contract) => {
        const amount = lines.reduce((sum, each) => sum + each.amount, 0n)
        const unsigned = buildTransfer({ asset: { chain, contract }, to: lines[0]!.to, amount, payments: lines, nonce: 3n, ...fees })
        const { transfers, through, call } = codec.decode(unsigned)
        assert.deepEqual(
          transfers,
          lines.map((each) => ({ asset: { chain, contract }, ...each })),
        )
        assert.equal(through, PAYOUTS)
        assert.equal(call, undefined)
      }),
    )
  })

  it('is replaced for a higher fee by the same payments alone', () => {
    const amountOf = (lines: Payments) => lines.reduce((sum, each) => sum + each.amount, 0n)
    fc.assert(
      fc.property(payments, contracts, fc.nat(), (lines, contract, which) => {
        const order = (paid: Payments) => ({
          ...{ from: token, to: paid[0]!.to, asset: { chain, contract }, amount: amountOf(paid), payments: paid, slot: 3n, tier: 1 as const, feeCap: 1n },
        })
        const unsigned = buildTransfer({ asset: { chain, contract }, to: lines[0]!.to, amount: amountOf(lines), payments: lines, nonce: 3n, ...fees })
        assert.ok(leastReplacement(order(lines), unsigned).maxFeePerGas > fees.maxFeePerGas)
        const more = lines.map((each, i) => (i === which % lines.length ? { ...each, amount: each.amount + 1n } : each))
        for (const other of [more, lines.slice(0, -1), lines.toReversed()]) assert.throws(() => leastReplacement(order(other), unsigned), /another payment/)
      }),
    )
  })

  it('is refused where it pays too few, too many, nothing, twice, or sends along something else', () => {
    const of = (count: number) => Array.from({ length: count }, (_, i) => ({ to: checksumAddress(new Uint8Array(20).fill(i + 1)), amount: 1n }))
    const [one, two] = of(2) as [{ to: string; amount: bigint }, { to: string; amount: bigint }]
    for (const lines of [[], [one], of(PAYMENTS_MAX + 1), [one, { ...two, amount: 0n }], [one, { ...two, to: one.to }]])
      assert.throws(() => encodePayMany({ contract: null, payments: lines }), ChainError)
    const call = encodePayMany({ contract: null, payments: [one, two] })
    assert.throws(() => decodePayMany({ ...call, value: 3n }), /sends 3/)
    assert.throws(() => decodePayMany({ ...encodePayMany({ contract: token, payments: [one, two] }), value: 2n }), /sends 2/)
    const lists = encodeFunctionCall(parseSignature('payCoin(address[],uint256[])'), [[one.to, two.to], [2n]])
    assert.throws(() => decodePayMany({ ...call, data: lists }), /2 recipients and 1 amounts/)
    const other = encodeFunctionCall(parseSignature('approve(address,uint256)'), [one.to, 1n])
    assert.throws(() => decodePayMany({ ...call, data: other }), ChainError)
    assert.equal(decodePayMany({ ...call, contract: token }), undefined)
  })

  it('goes to the address that follows from the code, whose deployment moves nothing, as no other call of the deployer is read', () => {
    assert.equal(payouts.address, PAYOUTS)
    const { contract, data } = payouts.deployment
    const findsIn = (given: Uint8Array, of = contract) => readCall({ contract: of, data: given, signature: null }).finds.length
    assert.ok(isPayoutsDeployment({ contract, data }))
    assert.equal(findsIn(data), 0)
    assert.ok(findsIn(data, token) > 0)
    const changed = data.slice()
    changed[changed.length - 1]! ^= 1
    assert.ok(findsIn(changed) > 0)
    assert.ok(findsIn(Uint8Array.of(...data, 0)) > 0)
    assert.throws(() => findsIn(data, PAYOUTS), /called by batches/)
  })
})
