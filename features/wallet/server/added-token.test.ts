import { type FirstRule } from '@holdfast/policy'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { AppError } from '@holdfast/contract'
import { appliedTokens, assetsOf } from '@holdfast/features/network/server'
import { bytesToUuid, newId } from '@holdfast/units'
import { applyPolicyChange } from '../../policy/server/change/apply-policy-change.ts'
import { currentPolicy } from '../../policy/server/current-policy.ts'
import { proposePolicyChange } from '../../policy/server/change/propose-policy.ts'
import { balanceOf, ETH, fund, makeWallet, openWorld, approveAs, scan, approvalOn, type World } from '../../testing/test-world.ts'
import { applyForToken, describeNewToken, listApplications, refuseToken } from './apply-for-token.ts'
import { callAs } from '../../testing/call-as.ts'
import { keyOf } from '../../testing/request-key.ts'
import { applyForToken as applyEndpoint } from '../token-contract.ts'
import { walletEndpoints } from './routes.ts'

let world: World

const inOrganisation = <T>(act: Parameters<typeof world.db.asOrganisation<T>>[1]) => world.db.asOrganisation(world.orgId, act)
const refusedAs = (name: string) => (error: unknown) => error instanceof AppError && error.errorName === name

/** Proposes, approves and puts into force a version of the policy that names a token. */
async function nameInPolicy(token: { chain: string; contract: string }): Promise<string> {
  const [ann, ...others] = world.members
  const { policy } = await inOrganisation(currentPolicy)
  const people = ({ approvers, threshold }: { approvers: Uint8Array[]; threshold: bigint }) => ({
    approvers: approvers.map(bytesToUuid),
    threshold: Number(threshold),
  })
  const draft = {
    base_version: Number(policy.version),
    governance: people(policy.governance),
    rules: (policy.rules as FirstRule[]).map((rule) => ({ id: rule.id, initiators: rule.initiators.map(bytesToUuid), ...people(rule) })),
    add_keys: [],
    drop_keys: [],
    add_pages: [],
    drop_pages: [],
    add_assets: [token],
    add_call_rules: [],
    add_stake_rules: [],
    drop_rules: [],
  }
  const proposal = {
    personId: ann.id,
    language: 'en_US' as const,
    wallets: [],
    served: [],
    key: keyOf('name-a-token'),
    draft,
    demandSecondFactor: async () => {},
  }
  const { change } = await inOrganisation((tx) => proposePolicyChange(tx, world.context, proposal))
  for (const member of others) await approveAs(world, approvalOn(world, change.intent, member))
  return applyPolicyChange(world.context, world.orgId, change.row.id)
}

describe('an unlisted token', () => {
  before(async () => {
    world = await openWorld()
  })
  after(() => world.close())

  it('is opened by a version of the policy, for its requester alone: its deposits are credited from then on, and from the stated block on', async () => {
    const { network, context, chain } = world
    const contract = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'
    const watched: string[] = []
    const told = { symbol: 'USDC', decimals: 18, name: '<b>USD Coin</b>' }
    const watch = (token: string) => void watched.push(token)
    const tokenSigns = async () => ({ functions: [], compared: 0, differing: 0 })
    const telling = (describeToken: () => Promise<unknown>) => Object.assign(network.node, { contracts: { describeToken, watch, tokenSigns } })
    telling(async () => told)
    const wallet = await makeWallet(world)
    await fund(world, wallet, ETH)
    const fromHeight = chain.tip.height
    chain.give(wallet.address, 3n * ETH, contract)
    chain.mine(3)
    await scan(world)
    assert.deepEqual(await balanceOf(world, wallet, contract), { available: 0n, held: 0n }, 'nobody asked for it')

    const token = await describeNewToken(context, { chain: network.chain, contract: contract.toLowerCase() })
    assert.deepEqual([token.symbol, token.listedAs, token.name, token.decimals], ['USDC', 'USDC.A96045', '<b>USD Coin</b>', 18])
    for (const [symbol, listedAs] of [
      ['USDС', 'USDС.A96045'],
      ['ＥTＨ', 'ETH.A96045'],
      ['Uѕdс', 'Uѕdс.A96045'],
      ['USDY', 'USDY'],
    ]) {
      telling(async () => ({ ...told, symbol }))
      assert.equal((await describeNewToken(context, { chain: network.chain, contract })).listedAs, listedAs, 'drawn like a coin that is listed')
    }
    telling(async () => told)
    const application = { token, reason: 'We are paid in it', fromHeight, personId: world.members[0].id }
    const asker = { orgId: world.orgId, personId: world.members[0].id }
    const input = { chain: network.chain, contract_address: contract, reason: application.reason, from_height: String(fromHeight) }
    assert.equal((await callAs(walletEndpoints(context), applyEndpoint, input as never, asker)).audit_status, 0)
    await assert.rejects(callAs(walletEndpoints(context), applyEndpoint, input as never, asker), refusedAs('coin_application_duplicate'))
    await assert.rejects(
      inOrganisation((tx) => applyForToken(tx, context, application)),
      refusedAs('coin_application_duplicate'),
    )
    const [asked] = await inOrganisation((tx) => listApplications(tx, context.networks))
    const refusal = { id: asked!.id, reason: 'Not in this quarter', personId: world.members[1].id }
    await inOrganisation((tx) => refuseToken(tx, context, refusal))
    await assert.rejects(
      inOrganisation((tx) => refuseToken(tx, context, refusal)),
      refusedAs('state_changed'),
    )
    const [refused] = await inOrganisation((tx) => listApplications(tx, context.networks))
    assert.deepEqual([refused!.audit_status, refused!.refused?.by, refused!.refused?.reason], [2, 'Ben', 'Not in this quarter'])
    assert.deepEqual(await inOrganisation(appliedTokens), [], 'no version of the policy can name it')
    await inOrganisation((tx) => applyForToken(tx, context, { ...application, reason: 'It is that quarter now' }))
    const [again] = await inOrganisation((tx) => listApplications(tx, context.networks))
    assert.deepEqual([again!.id, again!.audit_status, again!.refused, again!.reason], [asked!.id, 0, null, 'It is that quarter now'])
    assert.equal(await nameInPolicy({ chain: network.chain, contract }), 'applied')
    assert.deepEqual(
      (await inOrganisation((tx) => listApplications(tx, context.networks))).map((each) => [each.symbol, each.audit_status, each.by]),
      [['USDC.A96045', 1, 'Ann']],
    )
    chain.give(wallet.address, 2n * ETH, contract)
    chain.mine(4)
    await scan(world)
    chain.mine(1)
    await scan(world)
    assert.deepEqual(watched, [contract])
    assert.deepEqual(await balanceOf(world, wallet, contract), { available: 5n * ETH, held: 0n })
    assert.deepEqual(assetsOf(network, world.orgId).at(-1)!.contract, contract)
    assert.ok(!assetsOf(network, newId(1, context.ports.random)).some((each) => each.contract === contract), 'another organisation has not asked for it')
    await assert.rejects(
      inOrganisation((tx) => applyForToken(tx, context, application)),
      refusedAs('coin_exists'),
    )
    for (const bad of [{ symbol: 'US\u202EDC' }, { symbol: 'a b' }, { decimals: 77 }, undefined]) {
      telling(async () => bad && { ...told, ...bad })
      await assert.rejects(describeNewToken(context, { chain: network.chain, contract }), refusedAs('invalid_parameters'))
    }
  })
})
