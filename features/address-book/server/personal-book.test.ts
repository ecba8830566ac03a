import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CallInput, type Endpoint, formEncode, type OutputOf, parseForm, readInput } from '@holdfast/contract'
import type { HandledEndpoint, MemberContext } from '@holdfast/http'
import { CHAIN } from '../../testing/scripted-chain.ts'
import { openWorld, STRANGER, type World } from '../../testing/test-world.ts'
import * as contract from '../contract.ts'
import { addressBookEndpoints } from './routes.ts'

const OTHER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'

let world: World
let endpoints: HandledEndpoint[]
before(async () => {
  world = await openWorld()
  endpoints = addressBookEndpoints(world.context)
})
after(() => world.close())

async function call<E extends Endpoint>(endpoint: E, input: CallInput<E>, member = 0): Promise<OutputOf<E>> {
  const handled = endpoints.find((each) => each.endpoint === endpoint)!
  const context = { orgId: world.orgId, personId: world.members[member]!.id, language: 'en_US' } as unknown as MemberContext
  const fields = readInput(endpoint, parseForm(formEncode(input), endpoint.maxBodyBytes))
  return endpoint.output.parse(await handled.handler(context, fields as never)) as OutputOf<E>
}
const refused = (code: string) => (cause: { code?: string }) => cause.code === code
const names = async (input: object = {}, member = 0) => (await call(contract.listPersonalBook, input, member)).list.map((each) => each.name)
/** Another address with the same first and last characters: in lower case there is no checksum to be wrong. */
const alike = (address: string) => `${address.slice(0, 6)}${'0'.repeat(32)}${address.slice(-4)}`.toLowerCase()

test('a contact is its person’s alone, is found by any of its words, and keeps the chain’s own spelling', async () => {
  const { id } = await call(contract.savePersonal, { name: 'Landlord', chain: CHAIN, address: STRANGER.toLowerCase(), note: 'rent, März' })
  const [entry] = (await call(contract.listPersonalBook, {})).list
  assert.deepEqual([entry!.id, entry!.address, entry!.network, entry!.base_symbol, entry!.last_used_at], [id, STRANGER, 'Test network', 'ETH', null])
  for (const keyword of ['landl', 'MÄRZ', STRANGER.slice(4, 12)]) assert.deepEqual(await names({ keyword }), ['Landlord'], keyword)
  assert.deepEqual(await names({ keyword: '%' }), [])
  assert.deepEqual(await names({ chain: 'eip155:1' }), [])
  assert.deepEqual(await names({}, 1), [])
  await assert.rejects(call(contract.savePersonal, { id, name: 'Mine now', chain: CHAIN, address: STRANGER }, 1), refused('300014'))
  await assert.rejects(call(contract.removePersonal, { ids: [id] }, 1), refused('300014'))
  await call(contract.removePersonal, { ids: [id] })
})

test('the same address twice is refused; once removed it can come back; a wrong checksum never gets in', async () => {
  const { id } = await call(contract.savePersonal, { name: 'One', chain: CHAIN, address: OTHER })
  await assert.rejects(call(contract.savePersonal, { name: 'Two', chain: CHAIN, address: OTHER.toLowerCase() }), refused('200137'))
  assert.equal((await call(contract.checkPersonalAddress, { chain: CHAIN, address: OTHER })).duplicate_of, 'One')
  await call(contract.savePersonal, { name: 'Two', chain: CHAIN, address: OTHER, memo: '7' })
  await call(contract.removePersonal, { ids: [id] })
  assert.equal((await call(contract.checkPersonalAddress, { chain: CHAIN, address: OTHER })).duplicate_of, null)
  await call(contract.savePersonal, { name: 'One again', chain: CHAIN, address: OTHER })
  assert.deepEqual(await names(), ['One again', 'Two'])
  const wrong = OTHER.replace('C8', 'c8')
  await assert.rejects(call(contract.savePersonal, { name: 'x', chain: CHAIN, address: wrong }), refused('110055'))
  assert.equal((await call(contract.checkPersonalAddress, { chain: CHAIN, address: wrong })).valid, false)
  await assert.rejects(call(contract.savePersonal, { name: 'x', chain: 'eip155:1', address: OTHER }), refused('120202'))
  await call(contract.removePersonal, { ids: (await call(contract.listPersonalBook, {})).list.map((each) => each.id) })
})

test('an entry is changed in place, and becomes another where its address does', async () => {
  const { id } = await call(contract.savePersonal, { name: 'Old', chain: CHAIN, address: TOKEN })
  assert.equal((await call(contract.savePersonal, { id, name: 'New', chain: CHAIN, address: TOKEN, note: 'n' })).id, id)
  const moved = await call(contract.savePersonal, { id, name: 'New', chain: CHAIN, address: STRANGER })
  assert.notEqual(moved.id, id)
  assert.deepEqual(
    (await call(contract.listPersonalBook, {})).list.map((each) => [each.name, each.address]),
    [['New', STRANGER]],
  )
  await call(contract.removePersonal, { ids: [moved.id] })
})

test('an address that begins and ends like a known one must be acknowledged, and says whom it is like', async () => {
  await call(contract.savePersonal, { name: 'Real', chain: CHAIN, address: STRANGER })
  const lure = alike(STRANGER)
  const check = await call(contract.checkPersonalAddress, { chain: CHAIN, address: lure })
  assert.deepEqual(check.similar_to, [{ address: STRANGER, name: 'Real', kind: 'personal' }])
  await assert.rejects(call(contract.savePersonal, { name: 'Lure', chain: CHAIN, address: lure }), refused('300005'))
  await call(contract.savePersonal, { name: 'Lure', chain: CHAIN, address: lure, ack: 'lookalike' })
  assert.deepEqual(
    (await call(contract.listPersonalBook, {})).list.map((each) => each.similar),
    [true, true],
  )
  const [begins] = (await call(contract.listPersonalBook, { keyword: 'Lure' })).list
  await call(contract.removePersonal, { ids: [begins!.id] })
  const other = `${STRANGER.slice(0, 8)}${'7'.repeat(34)}`.toLowerCase()
  await call(contract.savePersonal, { name: 'Begins', chain: CHAIN, address: other, ack: 'lookalike' })
  assert.deepEqual(
    (await call(contract.listPersonalBook, {})).list.map((each) => each.similar),
    [true, true],
    'it only begins alike',
  )
  await call(contract.removePersonal, { ids: (await call(contract.listPersonalBook, {})).list.map((each) => each.id) })
})

test('an import adds what is right and says of each other line what is wrong', async () => {
  await call(contract.savePersonal, { name: 'Known', chain: CHAIN, address: OTHER })
  const { added, results } = await call(contract.importPersonal, {
    rows: [
      { name: ' First ', chain: 'test NETWORK', address: STRANGER, memo: '', note: '' },
      { name: 'Again', chain: CHAIN, address: OTHER, memo: '', note: '' },
      { name: 'Like', chain: CHAIN, address: alike(OTHER), memo: '', note: '' },
      { name: '', chain: CHAIN, address: TOKEN, memo: '', note: '' },
      { name: 'Knоwn', chain: CHAIN, address: TOKEN, memo: '', note: '' },
      { name: 'Nowhere', chain: 'moon', address: TOKEN, memo: '', note: '' },
      { name: 'Wrong', chain: CHAIN, address: '0x12', memo: '', note: '' },
      { name: 'Note', chain: CHAIN, address: TOKEN, memo: '', note: 'x'.repeat(300) },
    ],
  })
  assert.equal(added, 1)
  assert.deepEqual(results, ['added', 'duplicate', 'similar', 'bad_name', 'name_taken', 'bad_chain', 'bad_address', 'bad_text'])
  assert.deepEqual(await names(), ['First', 'Known'])
})

test('a contact whose name would be taken for another one is refused, and one contact may have several addresses', async () => {
  await call(contract.savePersonal, { name: 'Binance', chain: CHAIN, address: '0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1' })
  for (const name of ['BINANCE', 'Вinance', 'Bіnance', 'Ｂinance', 'Bınance', 'B1nance'.replace('1', 'і')])
    await assert.rejects(call(contract.savePersonal, { name, chain: CHAIN, address: '0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2' }), refused('300098'), name)
  await call(contract.savePersonal, { name: 'Binance', chain: CHAIN, address: '0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2' })
  const { id } = await call(contract.savePersonal, { name: 'Kraken', chain: CHAIN, address: '0xc3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3' })
  await assert.rejects(
    call(contract.savePersonal, { id, name: 'binance', chain: CHAIN, address: '0xc3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3' }),
    refused('300098'),
    'renamed',
  )
  await call(contract.savePersonal, { id, name: 'KRAKEN', chain: CHAIN, address: '0xc3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3c3' })
  await call(contract.savePersonal, { name: 'BINANCE', chain: CHAIN, address: '0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2' }, 1)
})
