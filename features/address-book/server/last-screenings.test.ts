import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { OrganisationTx } from '@holdfast/db'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import type { ScreeningLevel } from '@holdfast/intent'
import { submitBatch, uploadBatch } from '../../batch-transfer/contract.ts'
import { batchTransferEndpoints } from '../../batch-transfer/server/routes.ts'
import { keyOf } from '../../testing/request-key.ts'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { ETH, fund, makeWallet, openWorld, requestWithdrawal, STRANGER, type Wallet, type World } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { bookEndpoints } from './book/book-routes.ts'
import { lastScreenings } from './last-screenings.ts'
import { addressBookEndpoints } from './routes.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const NOBODY = '0x976EA74026E726554dB657fA54763abd0C3a0aa9'

let world: World
let wallet: Wallet
let endpoints: HandledEndpoint[]
before(async () => {
  world = await openWorld()
  wallet = await makeWallet(world)
  await fund(world, wallet, 10n * ETH)
  const session = { demandSecondFactorWhereSet: async () => {} }
  endpoints = [
    ...bookEndpoints(world.context, session),
    ...addressBookEndpoints(world.context),
    ...batchTransferEndpoints(world.context, session),
  ] as HandledEndpoint[]
})
after(() => world.close())

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<OutputOf<E>> {
  const { handler } = endpoints.find((each) => each.endpoint === endpoint)!
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes)) as Record<string, unknown>
  const request = typeof fields.request_id === 'string' ? keyOf(fields.request_id, fields) : undefined
  const caller = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US', request } as unknown as MemberContext
  return endpoint.output.parse(await handler(caller, fields as never)) as OutputOf<E>
}
const inOrganisation = <T>(act: (tx: OrganisationTx) => Promise<T>) => world.db.asOrganisation(world.orgId, act)

/** A screener says something of an order. Whose word it is, and that it may say so, is tried elsewhere. */
async function says(hash: Uint8Array, { level, at, provider = 'deny list' }: { level: ScreeningLevel; at: number; provider?: string }): Promise<void> {
  const word = { intent_hash: hash, machine: 'lists', screened_at: at, provider, level, bytes: new Uint8Array(64), sequence: BigInt(at), created_at: at }
  await inOrganisation((tx) =>
    tx
      .insertInto('screening_word')
      .values({ org_id: world.orgId, ...word })
      .execute(),
  )
}
const ask = async (to: string) => new Uint8Array((await requestWithdrawal(world, wallet, { to })).order.row.intent_hash)
const addEntry = async (name: string, address: string) =>
  (await call(contract.saveBookEntry, { request_id: `add-entry-${name}`, name, address, chains: [CHAIN], whitelist: '0', ack: 'lookalike' } as never)).id

it('both books say of each address what a screener said last of what pays it, and of others that nobody did', async () => {
  const ids = new Map([
    [STRANGER, await addEntry('Stranger', STRANGER)],
    [NOBODY, await addEntry('Nobody', NOBODY)],
  ])
  for (const address of ids.keys()) await call(contract.savePersonal, { name: address.slice(0, 8), chain: CHAIN, address, ack: 'lookalike' })
  const shown = async (address: string) => {
    const { list } = await call(contract.listBook, {} as never)
    const personal = await call(contract.listPersonalBook, {} as never)
    const all = [list.find((each) => each.address === address), personal.list.find((each) => each.address === address)]
    const info = await call(contract.getBookEntry, { id: ids.get(address)! })
    return [...all, info].map((each) => each!.kyt)
  }
  const [first, later] = [await ask(STRANGER), await ask(STRANGER)]
  assert.deepEqual(await shown(STRANGER), [null, null, null], 'it was asked for, and screened by nobody')
  await says(later, { level: 'unknown', at: 5_000 })
  await says(first, { level: 'high', at: 9_000, provider: 'two lists' })
  await says(first, { level: 'low', at: 2_000 })
  const last = { level: 'high', provider: 'two lists', at: 9_000 }
  assert.deepEqual(await shown(STRANGER), [last, last, last])
  assert.deepEqual(await shown(NOBODY), [null, null, null])
})

it('who decides on the whitelist sees it of each address that is put on', async () => {
  await says(await ask(OTHER), { level: 'medium', at: 7_000 })
  const { trade_no: id } = await call(contract.saveBookEntry, {
    ...{ request_id: 'ask-whitelist-1', name: 'Other', address: OTHER, chains: [CHAIN], whitelist: '1' },
  } as never)
  const { checks } = await call(contract.getBookAudit, { id: id! })
  assert.deepEqual(
    checks.map(({ kyt }) => kyt),
    [{ level: 'medium', provider: 'deny list', at: 7_000 }],
  )
})

it('what is said of a batch is said of every address in it, though none of its lines was opened; an address of another network is another place', async () => {
  const [one, two] = ['1', '2'].map((digit) => `0x${digit.repeat(40)}`) as [string, string]
  const file = new File([`address,amount\n${one},0.1\n${two},0.1`], 'payroll.csv')
  const { handler } = endpoints.find((each) => each.endpoint === uploadBatch)!
  const caller = { orgId: world.orgId, personId: world.members[0].id, language: 'en_US' } as unknown as MemberContext
  const made = await handler(caller, { sub_wallet_id: wallet.subWalletId, chain: CHAIN, symbol: 'ETH', file } as never)
  const { batch_id: id } = uploadBatch.output.parse(made)
  await call(submitBatch, { batch_id: id, mode: 'single', execution: 'strict', fee_tier: 'normal', remark: '' } as never)
  const row = await inOrganisation((tx) => tx.selectFrom('batch_transfer').select('intent_hash').where('id', '=', id).executeTakeFirstOrThrow())
  await says(new Uint8Array(row.intent_hash!), { level: 'severe', at: 8_000 })
  const places = [
    { address: two, chains: [CHAIN] },
    { address: NOBODY, chains: [CHAIN] },
    { address: two, chains: ['eip155:1'] },
    { address: one, chains: ['eip155:1', CHAIN] },
  ]
  const severe = { level: 'severe', provider: 'deny list', at: 8_000 }
  assert.deepEqual(await inOrganisation((tx) => lastScreenings(tx, places)), [severe, null, null, severe])
  assert.deepEqual(await inOrganisation((tx) => lastScreenings(tx, [])), [])
})
