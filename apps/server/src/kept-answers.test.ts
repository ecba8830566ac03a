import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type CallInput, type Endpoint, formEncode, parseForm, readInput } from '@holdfast/contract'
import { listUserAddresses } from '@holdfast/features/deposit-address/contract'
import { depositAddressEndpoints } from '@holdfast/features/deposit-address/server'
import { listTransactions } from '@holdfast/features/transaction/contract'
import { transactionEndpoints } from '@holdfast/features/transaction/server'
import { listCoinAssets, listSubWallets, listWallets } from '@holdfast/features/wallet/contract'
import { walletEndpoints } from '@holdfast/features/wallet/server'
import { readAlong } from '@holdfast/db'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { sql } from 'kysely'
import { approve, ETH, fund, makeWallet, openWorld, requestWithdrawal, type Wallet, type World } from '../../../features/testing/test-world.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

let world: World
let wallet: Wallet
let handled: HandledEndpoint[]

before(async () => {
  world = await openWorld()
  const { context } = world
  handled = [...walletEndpoints(context), ...depositAddressEndpoints(context), ...transactionEndpoints(context)]
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  const { id } = (await requestWithdrawal(world, wallet, { amount: '2.5' })).order.row
  await approve(world, id, world.members[1], world.members[2])
  await requestWithdrawal(world, wallet, { amount: '1' })
})
after(() => world.close())

/** Each call whose answers are kept, with what it is asked. */
const calls = (): Endpoint[] => [listWallets, listSubWallets, listCoinAssets, listUserAddresses, listTransactions]
function inputOf(endpoint: Endpoint): Record<string, unknown> {
  const page = { page_no: 1, page_size: 20 }
  const inputs = new Map<Endpoint, Record<string, unknown>>([
    [listWallets, { type: 0, need_stat: 1, fiat: 'USD' } satisfies CallInput<typeof listWallets>],
    [listSubWallets, { wallet_id: wallet.walletId, ...page, fiat: 'USD' } satisfies CallInput<typeof listSubWallets>],
    [listCoinAssets, { sub_wallet_id: wallet.subWalletId, fiat: 'USD' } satisfies CallInput<typeof listCoinAssets>],
    [listUserAddresses, { sub_wallet_id: wallet.subWalletId, ...page } satisfies CallInput<typeof listUserAddresses>],
    [listTransactions, { ...page, fiat: 'USD' } satisfies CallInput<typeof listTransactions>],
  ])
  return inputs.get(endpoint) ?? assert.fail(`${endpoint.path} has no input here`)
}

/** Makes an answer as the server does, and says on what it rests. */
async function make(endpoint: Endpoint) {
  const found = handled.find((each) => each.endpoint === endpoint)
  assert.ok(found, `${endpoint.path} is not handled here`)
  const context = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US', timezone: 'UTC', ports: world.context.ports }
  const act = () => found.handler(context as unknown as MemberContext, readInput(endpoint, parseForm(formEncode(inputOf(endpoint)))) as never)
  const { ended, restsOn } = await readAlong(world.orgId, (tx) => sql`select holdfast_shown.revision()`.execute(tx), act)
  if (ended.status === 'rejected') throw ended.reason
  return { answer: ended.value, restsOn }
}

test('every call whose answers are kept is looked at here', async () => {
  const contracts = await Promise.all(globSync(`${root}/features/*/*contract.ts`).map(async (path) => Object.values(await import(resolve(path)))))
  const kept = contracts.flat().filter((each) => (each as Partial<Endpoint> | null)?.keptForMs !== undefined)
  assert.deepEqual(new Set(kept), new Set(calls()))
})

test('what is kept rests on nothing but what a revision of the organisation covers', async () => {
  for (const endpoint of calls()) {
    // The first time it may have to ask for what is remembered from then on.
    await make(endpoint)
    assert.equal((await make(endpoint)).restsOn.isCovered, true, endpoint.path)
  }
})

test('what is kept would be the same if it were made again within the time that it is kept for', async () => {
  for (const endpoint of calls()) {
    const { answer } = await make(endpoint)
    world.clock.aheadMs += endpoint.keptForMs! - 1
    assert.deepEqual((await make(endpoint)).answer, answer, endpoint.path)
  }
})
