import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { AppError, CallInput, Endpoint, OutputOf } from '@holdfast/contract'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { makeWallet, openWorld, resetScript, type Wallet, type World } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { changePlan } from './plan.ts'
import { collectingOf } from './testing/collecting-of.ts'

let world: World
let collecting: ReturnType<typeof collectingOf>
let deposits: Wallet
let treasury: Wallet

before(async () => {
  world = await openWorld()
  collecting = collectingOf(world)
})
beforeEach(async () => {
  resetScript(world)
  deposits = await makeWallet(world, 'Deposits')
  treasury = await makeWallet(world, 'Treasury')
})
after(() => world.close())

const call = <E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> => collecting.call(endpoint, input)
const refused = (name: string) => (cause: AppError) => cause.errorName === name
const of = () => ({ wallet_id: deposits.walletId })
const csv = (text: string) => new File([text], 'rules.csv')
const page = { page_no: 1, page_size: 20 }
const rule = { chain: CHAIN, symbol: 'ETH', collect_min: '0.5', collect_max: '100', max_fee: '0.01' }

/** Everything but the approval. */
async function setUp() {
  await call(contract.saveCollectingSubWallets, { ...of(), collect_sub_wallet_id: treasury.subWalletId })
  await call(contract.setCollectingRule, { ...of(), ...rule })
}

describe('the plan of a wallet', () => {
  it('says so where one thing more is more than it holds', async () => {
    const change = { walletId: deposits.walletId, requesterId: world.members[0].id as never, action: 'black_added' as const }
    const black = Array.from({ length: 1024 }, (_, i) => ({ chain: CHAIN, address: `0x${String(i).padStart(40, '0')}`, reason: '' }))
    await world.db.asOrganisation(world.orgId, (tx) => changePlan(tx, world.context, change, (plan) => ({ ...plan, black })))
    await assert.rejects(call(contract.saveBlackAddress, { ...of(), chain: CHAIN, address: deposits.address, reason: '' }), (cause: AppError) => {
      assert.equal(cause.errorName, 'invalid_parameters')
      return /more than a plan can hold/.test(String(cause.details.reason))
    })
  })
})

describe('a file of rules', () => {
  it('is exported as it can be imported again', async () => {
    await setUp()
    const { content } = await call(contract.exportCollecting, of())
    const { import_id, rows, errors } = await call(contract.importCollecting, { ...of(), file: csv(content) })
    assert.deepEqual([rows, errors], [1, []])
    const before = (await call(contract.listCollectingRules, { ...of(), ...page })).list
    await call(contract.confirmCollectingImport, { import_id })
    assert.deepEqual((await call(contract.listCollectingRules, { ...of(), ...page })).list, before)
    await assert.rejects(call(contract.confirmCollectingImport, { import_id }), refused('state_changed'))
  })

  it('leaves how the fee of a transfer that waits is raised, of which it says nothing', async () => {
    await setUp()
    await call(contract.setCollectingRule, { ...of(), ...rule, rbf_after_s: '1800', rbf_times: '2' })
    const { content } = await call(contract.exportCollecting, of())
    const { import_id } = await call(contract.importCollecting, { ...of(), file: csv(content) })
    await call(contract.confirmCollectingImport, { import_id })
    const [shown] = (await call(contract.listCollectingRules, { ...of(), ...page })).list
    assert.deepEqual([shown?.rbf_after_s, shown?.rbf_times], [1800, 2])
    assert.equal(content.lastIndexOf('\ufeff'), 0)
  })

  it('is taken in whole or not at all, and says what is wrong with each line', async () => {
    const { content } = await call(contract.downloadCollectingTemplate, {})
    const [head] = content.split('\r\n')
    const file = [head, `${CHAIN},ETH,0.5,,,0.01,,,`, `${CHAIN},NONE,1,,,0.01,,,`, `${CHAIN},ETH,x,,,,,,25:00`].join('\n')
    const { import_id, rows, errors } = await call(contract.importCollecting, { ...of(), file: csv(file) })
    assert.equal(rows, 3)
    assert.deepEqual(
      errors.map(({ line, field }) => [line, field]),
      [
        [3, 'symbol'],
        [4, 'collect_min'],
        [4, 'schedule'],
      ],
    )
    await assert.rejects(call(contract.confirmCollectingImport, { import_id }), refused('collecting_import_wrong'))
    const [first] = (await call(contract.importCollecting, { ...of(), file: csv('what,is,this') })).errors
    assert.match(first!.msg, /the first line must name the columns/)
  })
})
