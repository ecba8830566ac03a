import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import type { CallInput, Endpoint } from '@holdfast/contract'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { callAs } from '../../testing/call-as.ts'
import { makeWallet, type Member, openWorld, resetScript, type Wallet, type World } from '../../testing/test-world.ts'
import { checkKeyShares, checkKeySharesAsBefore, listKeys, listKeysAsBefore } from '../contract.ts'
import { keyEndpoints } from './key-routes.ts'

let world: World
let wallet: Wallet
let ann: Member
before(async () => {
  world = await openWorld()
  ;[ann] = world.members
})
beforeEach(async () => {
  resetScript(world)
  wallet = await makeWallet(world)
})
after(() => world.close())

const asked = <E extends Endpoint>(endpoint: E, fields: Record<string, string>) =>
  callAs(keyEndpoints(world.context), endpoint, fields as CallInput<E>, { orgId: world.orgId, personId: ann.id })

it('a check of shares is asked for by a person, who is told at once which signer did not show its share', async () => {
  const { walletId } = wallet
  world.signers.beforeSession = () => {
    throw new CoSignerError({ kind: 'cheat', party: 2, check: 'c15', message: 'proof that it has its share of the key' })
  }
  const failed = await asked(checkKeyShares, { wallet_id: walletId })
  resetScript(world)
  assert.deepEqual([failed.party, /its share/.test(failed.fault!)], [2, true])
  const keyOf = async () => (await asked(listKeys, { wallet_id: walletId })).list[0]!
  assert.deepEqual([(await keyOf()).check_party, (await keyOf()).check_asked_by], [2, 'Ann'])
  for (const endpoint of [checkKeyShares, checkKeySharesAsBefore])
    assert.deepEqual(await asked(endpoint, { wallet_id: walletId }), { fault: null, party: null })
  assert.deepEqual([(await keyOf()).check_fault, (await keyOf()).checked_at !== null], [null, true])
  assert.deepEqual(await asked(listKeysAsBefore, { wallet_id: walletId }), await asked(listKeys, { wallet_id: walletId }), 'the path of earlier releases')
  await assert.rejects(asked(checkKeyShares, { wallet_id: ann.id }), { code: '200005' })
})

it('keys are listed in pages, or one by its wallet', async () => {
  const list = (fields: Record<string, string>) => asked(listKeys, fields)
  const { list: whole, pageTotal } = await list({ page_size: '200' })
  assert.equal(pageTotal, whole.length)
  const last = await list({ page_size: '1', page_no: String(pageTotal) })
  assert.deepEqual([last.list.map((each) => each.wallet_id), last.has_more], [[wallet.walletId], false])
  assert.equal((await list({ page_size: '1' })).has_more, pageTotal > 1)
  const one = await list({ wallet_id: wallet.walletId })
  assert.deepEqual([one.list.map((each) => each.wallet_id), one.pageTotal], [[wallet.walletId], 1])
})
