import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { CallError, TransportError } from '@holdfast/contract'
import { getWithdrawal, listTransactions } from '../../features/transaction/contract.ts'
import { freshAddress } from '../../features/testing/fresh-address.ts'
import { errorNameOf } from '@holdfast/features/error-catalogue'
import { cancelWithdrawal } from '@holdfast/features/transfer/contract'
import { nodePorts as ports } from '@holdfast/ports/node'
import { formatAmount, parseAmount } from '@holdfast/units'
import { depositFromFaucet } from '../../apps/launcher/src/deposit-from-faucet.ts'
import { fastFee, isOver, orderPayment } from '../../apps/launcher/src/order-payment.ts'
import { foundFunded, type FundedOrganisation } from './testing/funded-organisation.ts'
import { type JoinedStack, joinStack, PLAIN_STACK } from './testing/joined-stack.ts'
import { localChain } from './testing/local-chain.ts'
import { assertLedger, coinHeld } from './testing/read-ledger.ts'

const ASKED = 200
const COVERED = 100
const AMOUNT = '10.000001'

let stack: JoinedStack
let org: FundedOrganisation

before(async () => {
  stack = await joinStack(PLAIN_STACK)
  org = await foundFunded(stack, { amount: '1' })
})
after(() => stack?.dispose())

/**
 * Asks once, as a careful client does: again with the same words where the answer was lost, and with a new cap where the network's prices moved since the
 * estimate.
 */
async function ask(i: number): Promise<string | undefined> {
  const member = memberOf(i)
  const order = { subWalletId: org.subWalletId, symbol: 'USDX', amount: AMOUNT, to: freshAddress(), requestId: `concurrent-${i}` }
  let maxFee: string | undefined
  for (let tries = 1; ; tries++) {
    try {
      maxFee ??= await fastFee(member, order)
      return (await orderPayment(ports, member, { ...order, maxFee })).id
    } catch (cause) {
      const refusal = cause instanceof CallError ? errorNameOf(cause.code) : undefined
      if (refusal === 'insufficient_balance') return undefined
      if (tries === 10 || !(cause instanceof TransportError || refusal === 'build_failed')) throw cause
      if (refusal === 'build_failed') maxFee = undefined
    }
  }
}

/** Takes an order back, as a careful client does: where the answer was lost, it looks what became of it. */
async function cancel(i: number, id: string): Promise<void> {
  const { client } = memberOf(i)
  for (let tries = 1; ; tries++) {
    try {
      await client.call(cancelWithdrawal, { withdraw_id: id })
      return
    } catch (cause) {
      if (tries > 1 && isOver(await client.call(getWithdrawal, { id }))) return
      if (tries === 10 || !(cause instanceof TransportError)) throw cause
    }
  }
}

const memberOf = (i: number) => [org.alice, org.bruno, org.chiara][i % 3]!
const held = (symbol: string) => coinHeld(org.alice, org.subWalletId, symbol)

test(`of ${ASKED} withdrawals at once on a balance for ${COVERED}, exactly ${COVERED} are accepted, and cancelling gives every unit back`, async () => {
  const covered = BigInt(COVERED) * parseAmount(AMOUNT, 6)
  await depositFromFaucet(ports, stack.settings, org.alice, { subWalletId: org.subWalletId, symbol: 'USDX', amount: formatAmount(covered, 6) })
  const coins = (await held('ETH')).available

  const answers = await Promise.all(Array.from({ length: ASKED }, (_, i) => ask(i)))
  const accepted = answers.filter((id) => id !== undefined)
  assert.equal(accepted.length, COVERED)
  assert.equal(new Set(accepted).size, COVERED, 'two requests were answered with the same order')
  const { list } = await org.alice.client.call(listTransactions, { type: 'withdraw', page_size: 200 })
  assert.deepEqual(list.map(({ id }) => id).sort(), accepted.toSorted())
  assert.deepEqual(await held('USDX'), { available: 0n, held: covered, total: covered })
  const fees = list.reduce((sum, { fee }) => sum + parseAmount(fee!, 18), 0n)
  assert.deepEqual(await held('ETH'), { available: coins - fees, held: fees, total: coins })
  await assertLedger(stack)

  await Promise.all(answers.flatMap((id, i) => (id === undefined ? [] : [cancel(i, id)])))
  assert.deepEqual(await held('USDX'), { available: covered, held: 0n, total: covered })
  assert.deepEqual(await held('ETH'), { available: coins, held: 0n, total: coins })
  assert.equal(coins, await localChain(stack.settings).balanceOf(org.address))
  await assertLedger(stack)
})
