import { toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Address, encodeFunctionData, hexToBytes, parseAbi } from 'viem'
import { payouts } from '../codec/payouts/deployment.ts'
import { encodePayMany, PAYOUTS, type Payments } from '../codec/payouts/pay-many.ts'
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { type Manner, MANNERS, openOddToken } from '../testing/odd-token.ts'

const PAYER = 9
const STRANGER = 8
/** Nobody's, so that what they have is what the contract paid. */
const recipients = [1, 2, 3, 4].map((each) => `0x${String(each).repeat(40)}`)

let anvil: Anvil
let odd: Awaited<ReturnType<typeof openOddToken>>

before(async () => {
  anvil = await startAnvil()
  odd = await openOddToken(anvil)
  assert.equal((await odd.call(0, payouts.deployment)).status, 'success')
})
after(() => anvil.stop())

const abi = parseAbi([
  'function payCoin(address[] recipients, uint256[] amounts) payable',
  'function payToken(address token, address[] recipients, uint256[] amounts)',
])
const coinsOf = (address: string) => anvil.network.getBalance({ address: address as Address })
const allow = (amount: bigint) => odd.write(PAYER, 'approve', [PAYOUTS, amount])
const sum = (payments: Payments) => payments.reduce((all, { amount }) => all + amount, 0n)

/** What everybody has whom a call could give to or take from. */
async function stateOf() {
  const payer = odd.accountOf(PAYER)
  const [tokens, coins, others, allowed, supply] = await Promise.all([
    Promise.all(recipients.map(odd.balanceOf)),
    Promise.all(recipients.map(coinsOf)),
    Promise.all([odd.balanceOf(PAYOUTS), coinsOf(PAYOUTS), odd.balanceOf(odd.accountOf(STRANGER)), coinsOf(odd.address)]),
    odd.read('allowance', [payer, PAYOUTS]),
    odd.read('totalSupply'),
  ])
  return { tokens, coins, others, allowed, supply, payer: await odd.balanceOf(payer) }
}

const payments = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...recipients), fc.bigInt(1n, 60n)), { minLength: 2, selector: ([to]) => to })
  .map((lines): Payments => lines.map(([to, amount]) => ({ to, amount })))
const more = (of: Payments) => recipients.map((each) => of.find(({ to }) => to === each)?.amount ?? 0n)
const added = (had: readonly bigint[], gained: readonly bigint[]) => had.map((each, i) => each + gained[i]!)

describe('the contract that pays many, on a network', () => {
  it('stands where everybody computes it to be, with the code that is pinned, once', async () => {
    assert.equal(payouts.address, PAYOUTS)
    assert.ok(payouts.isCode(hexToBytes((await anvil.network.getCode({ address: PAYOUTS }))!)))
    assert.equal((await odd.call(0, payouts.deployment)).status, 'reverted')
  })

  it('pays exactly the coin that is sent along, each its own, and keeps none', async () => {
    await fc.assert(
      fc.asyncProperty(payments, async (lines) => {
        const state = await stateOf()
        assert.equal((await odd.call(PAYER, encodePayMany({ contract: null, payments: lines }))).status, 'success')
        assert.deepEqual(await stateOf(), { ...state, coins: added(state.coins, more(lines)) })
      }),
      { numRuns: 25 },
    )
  })

  it('pays nobody where more or less is sent along, lists differ in length, or one recipient takes nothing', async () => {
    const state = await stateOf()
    const given = async (to: readonly string[], amounts: readonly bigint[], value: bigint) => {
      const data = encodeFunctionData({ abi, functionName: 'payCoin', args: [to as Address[], amounts] })
      return (await odd.call(PAYER, { contract: PAYOUTS, value, data: hexToBytes(data) })).status
    }
    const [one, two] = recipients as [string, string]
    assert.equal(await given([one, two], [3n, 4n], 8n), 'reverted')
    assert.equal(await given([one, two], [3n, 4n], 6n), 'reverted')
    assert.equal(await given([one, two], [3n], 3n), 'reverted')
    assert.equal(await given([one, two], [2n ** 256n - 1n, 2n], 1n), 'reverted')
    // A token's contract takes no coin.
    assert.equal(await given([one, odd.address], [3n, 4n], 7n), 'reverted')
    assert.equal((await odd.call(PAYER, { contract: PAYOUTS, value: 5n, data: new Uint8Array() })).status, 'reverted')
    assert.deepEqual(await stateOf(), state)
  })

  it('pays exactly the lines of a token or nothing, whatever the token does, and takes no more than was allowed', async () => {
    await fc.assert(
      fc.asyncProperty(
        payments,
        fc.constantFrom<Manner>(...MANNERS),
        fc.bigInt(0n, 240n),
        fc.bigInt(0n, 240n),
        fc.boolean(),
        async (lines, manner, has, allowed, isFrozen) => {
          await anvil.undone(async () => {
            await odd.write(0, 'mint', [odd.accountOf(PAYER), has])
            await allow(allowed)
            if (isFrozen) await odd.write(0, 'setFrozen', [odd.accountOf(PAYER), true])
            // A token that calls back tries to be paid a second time on the way.
            const again = encodePayMany({ contract: odd.address, payments: lines })
            await odd.behave(manner, PAYOUTS, `0x${toHex(again.data)}`)
            const state = await stateOf()
            const total = sum(lines)
            // The fee is a tenth, rounded down.
            const takesNoFee = manner === 'takesFee' && lines.every(({ amount }) => amount < 10n)
            const isHonest = ['plain', 'answersNothing', 'floodsAnswer', 'allowsAnyone'].includes(manner) || takesNoFee
            const isPaid = isHonest && !isFrozen && has >= total && (manner === 'allowsAnyone' || allowed >= total)
            const { status } = await odd.call(PAYER, encodePayMany({ contract: odd.address, payments: lines }))
            assert.equal(status, isPaid ? 'success' : 'reverted', manner)
            const paid = { ...state, tokens: added(state.tokens, more(lines)), payer: has - total, allowed: allowed - (manner === 'allowsAnyone' ? 0n : total) }
            assert.deepEqual(await stateOf(), isPaid ? paid : state)
          })
        },
      ),
      { numRuns: 60, examples: [[recipients.slice(0, 2).map((to) => ({ to, amount: 4n })), 'takesFee', 39n, 53n, false]] },
    )
  })

  it('lets nobody spend what somebody else has allowed it', async () => {
    await anvil.undone(async () => {
      await odd.write(0, 'mint', [odd.accountOf(PAYER), 100n])
      await allow(100n)
      const state = await stateOf()
      const lines = recipients.slice(0, 2).map((to) => ({ to, amount: 10n }))
      assert.equal((await odd.call(STRANGER, encodePayMany({ contract: odd.address, payments: lines }))).status, 'reverted')
      assert.deepEqual(await stateOf(), state)
    })
  })

  it('pays no token that is none', async () => {
    const lines = recipients.slice(0, 2).map((to) => ({ to, amount: 1n }))
    assert.equal((await odd.call(PAYER, encodePayMany({ contract: odd.accountOf(1), payments: lines }))).status, 'reverted')
  })
})
