import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { formEncode, parseForm, readInput } from '@holdfast/contract'
import { assertConserved, balances } from '@holdfast/ledger'
import { formatAmount, parseAmount, readCsv } from '@holdfast/units'
import fc from 'fast-check'
import { exportTransactions, getReceipt, listTransactions } from '@holdfast/features/transaction/contract'
import { broadcastOrder } from '../../transfer/server/settlement/broadcast-order.ts'
import { transactionEndpoints } from '../../transaction/server/routes.ts'
import { accountingEndpoints } from './routes.ts'
import { signOrder } from '../../transfer/server/signing/sign-order.ts'
import { speedUpInfo } from '../../transfer/server/replacement/speed-up.ts'
import { TOKEN } from '../../testing/scripted-chain.ts'
import {
  approve,
  requestWithdrawal,
  requestApproved,
  resetScript,
  ETH,
  fund,
  makeWallet,
  openWorld,
  orderOf,
  replace,
  scan,
  type Wallet,
  type World,
} from '../../testing/test-world.ts'

let world: World

before(async () => {
  world = await openWorld()
})
after(() => world.close())

async function call(endpoint: unknown, input: Record<string, unknown>): Promise<never> {
  const handled = [...transactionEndpoints(world.context), ...accountingEndpoints(world.context)].find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US', ports: world.context.ports }
  return (await handled.handler(context as never, readInput(handled.endpoint, parseForm(formEncode(input))) as never)) as never
}

type Lines = Record<string, string>[]
async function exported(wallet: Wallet, layout: string): Promise<Lines> {
  const { csv } = (await call(exportTransactions, { tz: 'UTC', layout, sub_wallet_id: wallet.subWalletId })) as { csv: string }
  const [head, ...lines] = readCsv(csv.replace(/^\ufeff/, ''))
  return lines.map((cells) => Object.fromEntries(head!.map((name, i) => [name, cells[i]!])))
}

const DECIMALS: Readonly<Record<string, number>> = { ETH: 18, USDC: 6 }
const inUnits = (text: string | undefined, unit: string | undefined) => (text ? parseAmount(text, DECIMALS[unit!]!) : 0n)

/** What each file says that the sub-wallet has more by all of its lines. */
const SUMS: Record<string, (lines: Lines, unit: string) => bigint> = {
  all: (lines, unit) =>
    lines.reduce((sum, each) => {
      const moved = each.Coin === unit ? inUnits(each['Amount in'], unit) - inUnits(each['Amount out'], unit) : 0n
      return sum + moved - (each['Fee coin'] === unit ? inUnits(each['Fee paid'], unit) : 0n)
    }, 0n),
  koinly: (lines, unit) =>
    lines.reduce((sum, each) => {
      const came = each['Received Currency'] === unit ? inUnits(each['Received Amount'], unit) : 0n
      const went = each['Sent Currency'] === unit ? inUnits(each['Sent Amount'], unit) : 0n
      return sum + came - went - (each['Fee Currency'] === unit ? inUnits(each['Fee Amount'], unit) : 0n)
    }, 0n),
}

/** Of a bank statement the words of a line say the amount, for its value is of another currency. */
function statementSum(lines: Lines, unit: string): bigint {
  return lines.reduce((sum, { Description = '' }) => {
    const [, kind, amount, coin] = /^([^·]+) · ([\d.]+) (\w+)/.exec(Description) ?? []
    if (coin !== unit) return sum
    return kind === 'Deposit' ? sum + inUnits(amount, unit) : sum - inUnits(amount, unit)
  }, 0n)
}

async function assertSums(wallet: Wallet): Promise<void> {
  const ledger = await world.db.asOrganisation(world.orgId, (tx) => balances(tx, wallet.subWalletId))
  for (const [symbol, contract] of [
    ['ETH', null],
    ['USDC', TOKEN],
  ] as const) {
    const has = ledger.filter(({ asset }) => asset.contract === contract).reduce((sum, { available, held }) => sum + available + held, 0n)
    for (const [layout, sum] of Object.entries(SUMS))
      assert.equal(sum(await exported(wallet, layout), symbol), has, `${layout} ${symbol}: ${formatAmount(has, DECIMALS[symbol]!)}`)
    assert.equal(statementSum(await exported(wallet, 'xero'), symbol), has, `xero ${symbol}`)
  }
}

type Step = 'deposit' | 'tokens' | 'pay' | 'payTokens' | 'speedUp' | 'raise' | 'cancel' | 'fail' | 'lie' | 'reorganise' | 'mine' | 'leave' | 'reject'
const STEPS: readonly Step[] = ['deposit', 'tokens', 'pay', 'payTokens', 'speedUp', 'raise', 'cancel', 'fail', 'lie', 'reorganise', 'mine', 'leave', 'reject']

/** What waits for a block, the newest first. */
async function waiting(wallet: Wallet): Promise<string[]> {
  const rows = await world.db.asOrganisation(world.orgId, (tx) =>
    tx
      .selectFrom('transfer_order')
      .select('id')
      .where('sub_wallet_id', '=', wallet.subWalletId)
      .where('replaces', 'is', null)
      .where('state', 'in', ['broadcasting', 'pending'])
      .orderBy('created_at', 'desc')
      .execute(),
  )
  return rows.map(({ id }) => id)
}

async function send(id: string): Promise<void> {
  await signOrder(world.context, world.orgId, id)
  await broadcastOrder(world.context, world.orgId, id)
}

async function change(wallet: Wallet, step: 'speedUp' | 'raise' | 'cancel'): Promise<void> {
  const [id] = await waiting(wallet)
  if (!id) return
  const info = await speedUpInfo(world.context, { orgId: world.orgId }, id)
  if (!info.can) return
  if (step === 'speedUp') {
    if ((await replace(world, id, { maxFee: info.cap }).catch(() => undefined)) === undefined) return
    return send(id)
  }
  const about = await replace(world, id, { cancel: step === 'cancel', maxFee: step === 'cancel' ? info.cancel_fee! : '0.000000000003' }).catch(() => undefined)
  if (!about) return
  if (about.needsApproval) await approve(world, about.order.row.id, world.members[1], world.members[2])
  await send(about.order.row.id)
}

async function take(wallet: Wallet, step: Step): Promise<void> {
  const { chain } = world
  if (step === 'deposit') chain.give(wallet.address, ETH)
  if (step === 'tokens') chain.give(wallet.address, 5_000_000n, TOKEN)
  if (step === 'leave') await requestWithdrawal(world, wallet, { amount: '0.3' }).catch(() => undefined)
  if (step === 'reject') {
    const left = await requestWithdrawal(world, wallet, { amount: '0.2' }).catch(() => undefined)
    if (left) await approve(world, left.order.row.id, world.members[1])
  }
  if (step === 'pay' || step === 'payTokens') {
    const given = step === 'pay' ? { amount: '0.5' } : { symbol: 'USDC', amount: '1.25' }
    const id = await requestApproved(world, wallet, given).catch(() => undefined)
    if (id) await send(id)
  }
  if (step === 'speedUp' || step === 'raise' || step === 'cancel') await change(wallet, step)
  if (step === 'mine' || step === 'fail' || step === 'lie') {
    chain.failing = step === 'fail'
    chain.lyingToken = step === 'lie'
    chain.mine(1)
  }
  if (step === 'reorganise' && chain.blocks.length > 6) {
    chain.reorganise(2)
    chain.mine(3)
  }
  await scan(world)
}

describe('what is exported', () => {
  it('adds up to what the ledger has, coin by coin and in every format, after any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.constantFrom(...STEPS), { minLength: 4, maxLength: 14 }), async (steps) => {
        resetScript(world)
        const wallet = await makeWallet(world, 'History')
        await fund(world, wallet, 10n * ETH)
        await fund(world, wallet, 20_000_000n, TOKEN)
        for (const step of steps) {
          await take(wallet, step)
          await assertSums(wallet)
        }
        world.chain.mine(4)
        await scan(world)
        await assertSums(wallet)
        await world.db.asSystem(assertConserved)
      }),
      {
        numRuns: 12,
        endOnFailure: true,
        examples: [[['pay', 'cancel', 'mine', 'mine', 'mine']], [['pay', 'raise', 'mine', 'mine', 'mine', 'reorganise']], [['pay', 'fail', 'mine', 'mine']]],
      },
    )
  })

  it('never calls a cancellation or a speed-up a payment: it has no amount, its own name, and the fee it cost', async () => {
    resetScript(world)
    const wallet = await makeWallet(world, 'Cancelled')
    await fund(world, wallet, 10n * ETH)
    for (const [step, purpose, name] of [
      ['cancel', 'cancel', 'Cancellation'],
      ['raise', 'speed_up', 'Speed-up'],
    ] as const) {
      await take(wallet, 'pay')
      const [paymentId] = await waiting(wallet)
      await change(wallet, step)
      world.chain.mine(4)
      await scan(world)
      const { list } = (await call(listTransactions, { sub_wallet_id: wallet.subWalletId })) as { list: Record<string, unknown>[] }
      const about = list.find((each) => each.replaces === paymentId)!
      const { row } = await orderOf(world, paymentId!)
      assert.deepEqual([about.purpose, about.status, about.amount, about.worth, about.memo], [purpose, 2000, '0', null, null])
      assert.deepEqual([about.address_to, (about.about as { amount: string }).amount], [wallet.address, '0.5'])
      assert.equal(about.real_fee, step === 'cancel' ? formatAmount(row.fee_paid!, 18) : null)
      const payment = list.find((each) => each.id === paymentId)!
      assert.equal(payment.real_fee, step === 'cancel' ? null : formatAmount(row.fee_paid!, 18), 'the fee is told once')
      const listed = async (type: string) =>
        ((await call(listTransactions, { sub_wallet_id: wallet.subWalletId, type })) as { list: { id: string }[] }).list.map(({ id }) => id)
      assert.ok(!(await listed('withdraw')).includes(about.id as string))
      assert.ok((await listed('replacement')).includes(about.id as string))
      const byAmount = (await call(listTransactions, { sub_wallet_id: wallet.subWalletId, amount_min: '0.5', amount_max: '0.5' })) as { list: { id: string }[] }
      assert.ok(!byAmount.list.some(({ id }) => id === about.id))
      const line = (await exported(wallet, 'all')).find((each) => each.Id === about.id)!
      assert.deepEqual([line.Type, line['Amount out'], line['Amount requested'], line['Value at that time'], line.To], [name, '', '', '', ''])
      assert.equal(line['About the payment'], paymentId)
      const { pdf } = (await call(getReceipt, { id: about.id as string, type: 'withdraw', tz: 'UTC' })) as { pdf: string }
      assert.ok(pdf.length > 0)
    }
  })
})
