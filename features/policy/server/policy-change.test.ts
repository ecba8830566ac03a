import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'

import { decode, encode, equalBytes, toHex } from '@holdfast/encoding'
import { CoSignerError } from '@holdfast/features/signer-link/server'
import { listProposals } from '@holdfast/features/proposal/server'
import { approvalShape } from '@holdfast/intent'
import { entryShape } from '@holdfast/log'
import {
  checkPolicyChange,
  checkRecord,
  describeChange,
  genesisRecordShape,
  keyOriginOf,
  policyChangeRecordShape,
  policyShape,
  type Policy,
} from '@holdfast/policy'
import { newId, uuidToBytes } from '@holdfast/units'
import { ed25519 } from '@noble/curves/ed25519.js'

import { approve, requestWithdrawal, resetScript, ETH, fund, makeWallet, orderOf, pageCalls, type Member } from '../../testing/test-world.ts'
import { startTransfers } from '../../transfer/server/run-transfers.ts'
import { type PolicyDraft, withdrawPolicyChange } from '../contract.ts'
import { expireOrder } from '../../transfer/server/order/expire.ts'
import { endStaleChange } from './change/apply-policy-change.ts'
import { bringSignersUp } from './change/bring-signers-up.ts'
import { changeView } from './change/change-view.ts'
import { closingOrders } from './change/closing-orders.ts'
import { currentPolicy, recordInForce } from './current-policy.ts'
import { proposals } from '../../../apps/server/src/features.ts'
import { listOwnStrategies } from '../contract.ts'
import { callAs } from '../../testing/call-as.ts'
import { strategyEndpoints } from './routes.ts'
import { policyChanges } from './change/policy-change.ts'
import { policyEndpoints } from './change/policy-routes.ts'
import { startPolicyChanges } from './change/run-policy-changes.ts'
import { addableAssets } from './list-addable-assets.ts'
import { draftIntent } from './change/propose-policy.ts'

import {
  world,
  ann,
  ben,
  cleo,
  dora,
  openPolicyWorld,
  inOrganisation,
  refusedAs,
  draftOf,
  withRule,
  lower,
  propose,
  approvalBy,
  approveAs,
  stateOf,
  apply,
  hireDora,
} from './testing/policy-world.ts'

describe('a change of the policy', () => {
  before(async () => {
    await openPolicyWorld()
    await hireDora()
  })
  beforeEach(() => resetScript(world))
  afterEach(async () => {
    const open = await inOrganisation((tx) => tx.selectFrom('policy_change').select('id').where('is_final', '=', false).execute())
    for (const { id } of open) {
      const change = (await inOrganisation((tx) => policyChanges.read(tx, id)))!
      if (change.row.state === 'approving') await approveAs(change, change.row.initiator === ben.id ? cleo : ben, 'reject')
    }
  })
  after(() => world.close())

  it('is refused in words where nobody could complete an approval it asks for, by a code of its own where it is the people (200143)', async () => {
    const people = 'strategy_personnel_error'
    const bad: [PolicyDraft, RegExp, string?][] = [
      [await draftOf(), /changes nothing/],
      [await draftOf((draft) => ({ ...draft, base_version: 9 })), /has changed since/],
      [await draftOf(withRule(() => ({ threshold: 3 }))), /apart from the requester only 2 can approve/, people],
      [await draftOf(withRule(() => ({ approvers: [ann.id, ben.id], threshold: 2, initiators: [ann.id, ben.id] }))), /only 1 can approve/, people],
      [await draftOf(withRule(() => ({ initiators: [] }))), /lets nobody ask|only 0 can approve/, people],
      [await draftOf(withRule(({ approvers }) => ({ approvers: [...approvers, dora.id] }))), /Dora has no approval key/, people],
      [await draftOf(withRule(({ approvers }) => ({ approvers: [...approvers, newId(1, world.context.ports.random)] }))), /not a member/],
      [await draftOf((draft) => ({ ...draft, governance: { approvers: [ann.id, ben.id], threshold: 2 } })), /changing the policy requires 2/, people],
      [await draftOf((draft) => ({ ...draft, rules: [] })), /rule “payments” is missing/],
      [await draftOf((draft) => lower({ ...draft, add_keys: [toHex(dora.credentialId)] })), /would not name/],
      [await draftOf((draft) => lower({ ...draft, drop_keys: [toHex(ann.credentialId)] })), /Ann has no approval key/, people],
    ]
    for (const [draft, words, name = 'policy_refused'] of bad) await assert.rejects(propose(draft), refusedAs(name, words))
  })

  it('takes in an asset that the server works with, and rules for calls, and nothing that the server does not know', async () => {
    const { network, context } = world
    const { chain, assets } = network
    const coin = { symbol: 'NEW', decimals: 6, chain, contract: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }
    Object.assign(network, { assets: [...assets, coin] })
    const everybody = { initiators: [ann.id, ben.id, cleo.id], approvers: [ann.id, ben.id, cleo.id], threshold: 2 }
    const calls = {
      ...everybody,
      id: 'swaps',
      chain,
      payers: [],
      contracts: [coin.contract.toLowerCase()],
      functions: ['approve(address,uint256)'],
      max_value: '0.5',
      max_tokens: '1000',
      window: { hours: 24, max_value: '2', max_tokens: '5000' },
      unlimited_allowances: false,
      unknown_call_data: false,
    }
    try {
      assert.deepEqual(
        addableAssets(context.networks, world.policy, []).map(({ asset }) => asset),
        [coin],
      )
      // Where holders have wallets of a token of their own, those are pinned with it, or it is not taken in at all.
      const ofTokens = { ...network, node: { ...network.node, tokenWallets: async () => '' } }
      const withWallets = {
        ...context,
        networks: { ...context.networks, find: (asked: string) => (asked === chain ? ofTokens : context.networks.find(asked)) },
      }
      const wallets = { ...coin, decimals: 6n, contract: `${coin.contract}/${'ab'.repeat(32)}/3/c` }
      const drafted = (known: Policy['assets'], adds = [coin.contract]) =>
        inOrganisation(async (tx) => {
          const draft = await draftOf((each) => ({ ...each, add_assets: adds.map((contract) => ({ chain, contract })) }))
          return draftIntent(tx, withWallets as never, { personId: ann.id, language: 'en_US', wallets: known, served: [], draft })
        })
      await assert.rejects(drafted([]), /does not tell now of which code the wallets of/)
      assert.deepEqual((await drafted([wallets])).next.assets.slice(-2), [{ ...coin, decimals: 6n }, wallets])
      // What a version of before pins without them gets them with the next one, also if nothing else changes.
      const before = world.policy.assets.find(({ contract }) => contract !== null)!
      const added = { ...before, contract: `${before.contract}/${'cd'.repeat(32)}/0/-` }
      assert.deepEqual((await drafted([added], [])).next.assets, [...world.policy.assets, added])
      const more = { add_assets: [{ chain, contract: coin.contract }], add_call_rules: [calls] }
      const { next } = await inOrganisation(async (tx) =>
        draftIntent(tx, context, { personId: ann.id, language: 'en_US', wallets: [], served: [], draft: await draftOf((draft) => ({ ...draft, ...more })) }),
      )
      assert.deepEqual(next.assets.at(-1), { ...coin, decimals: 6n })
      const rule = next.rules.at(-1)!
      assert.ok(rule.kind === 'boundedCall')
      assert.deepEqual([rule.contracts, rule.payers, rule.maxValue, rule.maxTokens], [[coin.contract], null, 5n * 10n ** 17n, 1000n])
      assert.deepEqual(rule.window, { lengthMs: 86_400_000n, maxAmount: 2n * 10n ** 18n, maxTokens: 5000n })
      const bad: [Partial<PolicyDraft>, RegExp][] = [
        [{ add_assets: [{ chain, contract: '0x0000000000000000000000000000000000000001' }] }, /not an asset that this server supports/],
        [{ add_assets: [{ chain, contract: '' }] }, /not an asset that this server supports/],
        [{ add_call_rules: [{ ...calls, contracts: ['0x12'] }] }, /not a valid address/],
        [{ add_call_rules: [{ ...calls, chain: 'eip155:5' }] }, /no network/],
        [{ add_call_rules: [{ ...calls, functions: ['approve'] }] }, /not a function signature/],
        [{ add_call_rules: [{ ...calls, id: 'payments' }] }, /two rules of one id/],
        [{ add_call_rules: [{ ...calls, window: { hours: 1, max_value: '0.0000000000000000001', max_tokens: '0' } }] }, /not a valid amount/],
        [{ drop_rules: ['payments'] }, /no rule “payments”/],
      ]
      for (const [changes, words] of bad)
        await assert.rejects(propose(await draftOf((draft) => ({ ...draft, ...changes }))), refusedAs('policy_refused', words))
      const tooMany = await draftOf((draft) => ({ ...draft, add_call_rules: [{ ...calls, threshold: 3 }] }))
      await assert.rejects(propose(tooMany), refusedAs('strategy_personnel_error', /only 2 can approve/))
    } finally {
      Object.assign(network, { assets })
    }
  })

  it('that people rejected meanwhile is not taken back: the call says so by a code of its own (200145)', async () => {
    const change = await propose(await draftOf(lower))
    await approveAs(change, ben, 'reject')
    const withdrawn = policyEndpoints(world.context, { demandSecondFactorWhereSet: async () => {} }).find(({ endpoint }) => endpoint === withdrawPolicyChange)!
    const asked = { orgId: world.orgId, personId: ann.id, language: 'en_US' }
    await assert.rejects(async () => withdrawn.handler(asked as never, { id: change.row.id, remark: '' } as never), refusedAs('strategy_rejected'))
    assert.equal(await stateOf(change), 'rejected')
  })

  it('is one at a time, and the same request is the same change', async () => {
    const draft = await draftOf(lower)
    const change = await propose(draft, ann, 'request-once')
    assert.equal((await propose(draft, ann, 'request-once')).row.id, change.row.id)
    await assert.rejects(propose(await draftOf(withRule(() => ({ initiators: [ann.id] })))), refusedAs('policy_change_open'))
    await assert.rejects(
      inOrganisation((tx) => policyChanges.withdraw(tx, world.context, { id: change.row.id, personId: ben.id, remark: '' })),
      refusedAs('not_permitted'),
    )
    await inOrganisation((tx) => policyChanges.withdraw(tx, world.context, { id: change.row.id, personId: ann.id, remark: 'mistake' }))
    assert.equal(await stateOf(change), 'withdrawn')
  })

  it('waits for whoever governs, in their list, and never for who asked for it', async () => {
    const change = await propose(await draftOf(lower))
    const { context } = world
    const pageOf = (member: Member, state: 'wait' | 'mine' | 'done') =>
      inOrganisation((tx) => {
        const viewer = { tx, context, language: 'en_US' as const, personId: member.id, nowMs: context.ports.clock.nowMs(), fiat: 'USD' as const }
        return listProposals(viewer, proposals, { state, kind: 'policy_change', page_no: 1, page_size: 20 })
      })
    const roleOf = async (member: Member) => {
      const pages = await Promise.all((['wait', 'mine', 'done'] as const).map((state) => pageOf(member, state)))
      return pages.flatMap(({ list }) => list).find((each) => each.item_id === change.row.id)?.mine
    }
    assert.deepEqual(await Promise.all([ann, ben, cleo, dora].map(roleOf)), ['initiator', 'decide', 'decide', undefined])
    await assert.rejects(approveAs(change, ann), refusedAs('invalid_parameters', /may not approve/))
    await assert.rejects(approveAs(change, dora), refusedAs('invalid_parameters', /may not approve/))
    assert.deepEqual(await approveAs(change, ben), { state: 'approving', missing: 1 })
    assert.deepEqual(await approveAs(change, ben), { state: 'approving', missing: 1 }, 'the same word again')
    assert.equal(await roleOf(ben), 'decided')
    assert.deepEqual((await approveAs(change, cleo, 'reject')).state, 'rejected')
    await assert.rejects(approveAs(change, cleo), refusedAs('state_changed'), 'a yes after a no')
    await assert.rejects(approveAs(change, dora), refusedAs('state_changed'))
  })

  it('is ended by the no of somebody who approved it before', async () => {
    const change = await propose(await draftOf(lower))
    assert.deepEqual(await approveAs(change, ben), { state: 'approving', missing: 1 })
    assert.equal((await approveAs(change, ben, 'reject')).state, 'rejected')
    await assert.rejects(approveAs(change, cleo), refusedAs('state_changed'))
  })

  it('finds whom a rule names in the list of their own rules, in their language, and nobody else there', async () => {
    const endpoints = strategyEndpoints(world.context)
    const own = (member: Member, language: 'en_US' | 'zh_CN' = 'en_US', wallet_id?: string) =>
      callAs(endpoints, listOwnStrategies, { wallet_id }, { orgId: world.orgId, personId: member.id, language })
    const mine = await own(ben)
    assert.deepEqual(
      mine.map(({ strategy_id, level, may_ask, my_node }) => [strategy_id, level, may_ask, my_node?.need, my_node?.of]),
      [
        ['payments', 'transfer', true, 2, 3],
        ['', 'governance', false, 2, 3],
      ],
    )
    assert.match(mine[0]!.scope, /^Rule “payments”: .* never the person who asks$/)
    assert.match((await own(ben, 'zh_CN'))[0]!.scope, /^规则 “payments”：.*发起人不得审批$/)
    assert.deepEqual(await own(dora), [])
    const { walletId } = await makeWallet(world)
    assert.deepEqual(
      (await own(ben, 'en_US', walletId)).map((each) => each.strategy_id),
      ['payments'],
    )
    await assert.rejects(own(ben, 'en_US', newId(1, world.context.ports.random)), refusedAs('wallet_not_found'))
  })

  it('is decided by nobody who is suspended', async () => {
    const change = await propose(await draftOf(lower))
    const set = (state: 'active' | 'suspended') =>
      inOrganisation((tx) => tx.updateTable('person').set({ state }).where('org_id', '=', world.orgId).where('id', '=', cleo.id).execute())
    await set('suspended')
    await assert.rejects(approveAs(change, cleo), refusedAs('invalid_parameters', /Cleo is suspended/))
    await set('active')
  })

  it('ends with its time, and a vote after it is refused', async () => {
    const change = await propose(await draftOf(lower))
    const late = await approvalBy(change, ben)
    world.clock.aheadMs = 31 * 86_400_000
    await inOrganisation((tx) => endStaleChange(tx, world.context, change.row.id))
    world.clock.aheadMs = 0
    assert.equal(await stateOf(change), 'expired')
    await assert.rejects(pageCalls(world)['order.approve']!({ approval: toHex(encode(approvalShape, late)) }), refusedAs('approval_expired'))
  })

  it('ends where a signer refuses it, with the words of the signer, before any other follows it', async () => {
    const change = await propose(await draftOf(lower))
    for (const member of [ben, cleo]) await approveAs(change, member)
    const asked: number[] = []
    world.signers.beforePolicy = (party) => void asked.push(party)
    world.signers.beforeEndorsing = (party) => {
      if (party === 3) throw new CoSignerError({ kind: 'refused', party, check: 'c6', message: "rejected at a signer's approval page" })
    }
    assert.equal(await apply(change), 'ended')
    assert.deepEqual(asked, [], 'no signer is told of a change that one of them would not follow')
    world.signers.resetScript()
    const { row } = (await inOrganisation((tx) => policyChanges.read(tx, change.row.id)))!
    assert.deepEqual([row.state, row.reason], ['refused', "c6: rejected at a signer's approval page"])
    assert.equal((await inOrganisation((tx) => currentPolicy(tx))).policy.version, 1n)
  })

  it('takes no key that its person has not confirmed, and says in the document with whose link a key was made', async () => {
    const confirmedAt = (ms: bigint | number | null) =>
      inOrganisation((tx) =>
        tx.updateTable('approval_key').set({ confirmed_at: ms }).where('org_id', '=', world.orgId).where('person_id', '=', dora.id).execute(),
      )
    const withDora = await draftOf((draft) => ({
      ...withRule(({ approvers }) => ({ approvers: [...approvers, dora.id] }))(draft),
      add_keys: [toHex(dora.credentialId)],
    }))
    await confirmedAt(null)
    await assert.rejects(propose(withDora), refusedAs('strategy_personnel_error', /Dora has not confirmed the new approval key/))
    await confirmedAt(world.context.ports.clock.nowMs())
    const change = await propose(withDora)
    const next = decode(policyShape, change.intent.newPolicy)
    const label = next.people.find((person) => equalBytes(person.id, uuidToBytes(dora.id)))!.credentials[0]!.label
    assert.deepEqual(keyOriginOf(label), { label: 'laptop', origin: { linkBy: 'Ann', confirmed: true, page: null } })
    const { policy, signers } = await inOrganisation((tx) => currentPolicy(tx))
    const lines = describeChange(policy, next, 'en-US', signers).join('\n')
    assert.match(lines, /Dora may approve with a new key: [0-9a-f]{66} \(made with a link by Ann, confirmed by Dora\)/)
    await approveAs(change, ben, 'reject')
  })

  it('that brings in a new governor needs the old quorum and the new, comes into force with two signers, and the third catches up', async () => {
    const change = await propose(
      await draftOf((draft) => ({
        ...withRule(({ approvers }) => ({ approvers: [...approvers, dora.id] }))(draft),
        governance: { approvers: [ann.id, ben.id, cleo.id, dora.id], threshold: 2 },
        add_keys: [toHex(dora.credentialId)],
      })),
    )
    const wallet = await makeWallet(world)
    await fund(world, wallet, 5n * ETH)
    const waiting = (await requestWithdrawal(world, wallet)).order.row.id
    const approved = (await requestWithdrawal(world, wallet)).order.row.id
    await approve(world, approved, ben, cleo)
    assert.deepEqual(await approveAs(change, dora), { state: 'approving', missing: 2 }, 'the new governor alone moves nothing')
    assert.equal(await apply(change), 'ended', 'nothing is shown to a signer before the quorum is there')
    assert.equal(await stateOf(change), 'approving')
    await approveAs(change, ben)
    assert.deepEqual(await approveAs(change, cleo), { state: 'approved', missing: 0 })

    world.signers.setOnline(1)
    assert.equal(await apply(change), 'wait')
    assert.equal(world.signers.policyVersions.size, 0, 'one signer alone is not told')
    world.signers.setOnline(1, 2)
    assert.equal(await apply(change), 'wait', 'two do not follow it without the word of the third')
    assert.equal(world.signers.policyVersions.size, 0)
    world.signers.away = 3
    assert.equal(await apply(change), 'applied', 'unless people said that it is away')
    assert.equal(await apply(change), 'ended', 'once')

    const inForce = await inOrganisation((tx) => currentPolicy(tx))
    assert.equal(inForce.policy.version, 2n)
    assert.equal(inForce.policyChanges.length, 1)
    checkPolicyChange(decode(policyChangeRecordShape, inForce.policyChanges[0]!), inForce.genesis.policy, inForce)
    const log = await inOrganisation((tx) =>
      tx.selectFrom('log_entry').select('bytes').where('org_id', '=', world.orgId).orderBy('sequence', 'desc').limit(1).execute(),
    )
    assert.equal(decode(entryShape, new Uint8Array(log[0]!.bytes)).type, 'policy')

    world.signers.away = null
    world.signers.setOnline(1, 2, 3)
    assert.deepEqual(await bringSignersUp(world.context, inForce), [1, 2, 3])
    assert.equal(world.signers.policyVersions.get(3), 2n)

    const transfers = startTransfers(world.context)
    const ended = async (id: string) => {
      const { row } = await orderOf(world, id)
      return row.is_final ? [row.state, row.sub_status] : undefined
    }
    for (const id of [waiting, approved]) {
      while (!(await ended(id))) await world.context.ports.timer.sleep(20)
      assert.deepEqual(await ended(id), ['cancelled', 'strategy_changed'], 'an order of the old policy ends and says why')
    }
    await transfers.stop()
  })

  it('that replaces a signer comes into force when the two that stay follow it; then the new machine is let in, and knows all of it', async () => {
    const newKey = ed25519.getPublicKey(ed25519.utils.randomSecretKey())
    const replacing = (signKey: Uint8Array) => (draft: PolicyDraft) => ({
      ...draft,
      replace_signer: { party: 3, name: 'North', operator: 'North Ltd', sign_key: toHex(signKey) },
    })
    await assert.rejects(propose(await draftOf(replacing(world.signers.signKeys[0]!))), refusedAs('policy_refused', /two signers share a key/))
    const change = await propose(await draftOf(replacing(newKey)))
    for (const member of [ben, cleo]) await approveAs(change, member)
    world.signers.setOnline(1, 3)
    assert.equal(await apply(change), 'wait')
    const versions = () => [1, 2, 3].map((party) => world.signers.policyVersions.get(party))
    const [told] = versions()
    assert.deepEqual(versions(), [told, told, told], 'a signer that goes counts for nothing')
    world.signers.setOnline(1, 2, 3)
    assert.equal(await apply(change), 'applied')
    assert.deepEqual(versions(), [told! + 1n, told! + 1n, told], 'and is not asked')

    const inForce = await inOrganisation((tx) => currentPolicy(tx))
    const proven = checkRecord(decode(genesisRecordShape, recordInForce(inForce)))
    assert.deepEqual([proven.policy, proven.signers[2]!.signKey], [inForce.policy, newKey])
    assert.equal(inForce.genesis.signers[2]!.name, 'Signer 3', 'the founding document is what it was')
    const next = await propose(await draftOf(lower), ben)
    assert.deepEqual(next.next.kind === 'namedSigners' && next.next.signers, inForce.signers, 'a later version keeps who was named')

    world.signers.unpinned.add(3)
    const sweeps = startPolicyChanges(world.context)
    while (!world.signers.pinned.has(3)) await world.context.ports.timer.sleep(20)
    await sweeps.stop()
    assert.deepEqual(world.signers.pinned.get(3), recordInForce(inForce))
    assert.deepEqual(
      world.signers.admitted.map(({ signKeys }) => signKeys[2]),
      [newKey],
    )
  })
})

describe('a change of the policy while orders wait', () => {
  before(async () => {
    await openPolicyWorld()
  })
  after(() => world.close())

  it('names the orders that it closes, to who proposes it, on its own page and on the approval page, and the orders say afterwards what closed them', async () => {
    const wallet = await makeWallet(world, 'Closing')
    await fund(world, wallet, 10n * ETH)
    const waiting = (await requestWithdrawal(world, wallet, { amount: '7.77' })).order.row.id
    const change = await propose(await draftOf(lower))
    const viewer = (language: 'en_US' | 'zh_CN') => (tx: Parameters<Parameters<typeof world.db.asOrganisation>[1]>[0]) =>
      changeView({ tx, context: world.context, language, personId: ben.id }, change)
    const { closes } = await inOrganisation(viewer('en_US'))
    assert.ok(closes && closes.count >= 1)
    assert.ok(closes.named.some(({ id, title }) => id === waiting && title.startsWith('Payment of 7.77 ETH to 0x3C44')))
    assert.ok((await inOrganisation(viewer('zh_CN'))).closes!.named.some(({ title }) => title.startsWith('付款 7.77 ETH 至 0x3C44')))
    const shown = (await pageCalls(world)['order.get']!({ hash: toHex(change.row.intent_hash) })) as { closes: { count: number } }
    assert.equal(shown.closes.count, closes.count)
    const ofPayment = (await orderOf(world, waiting)).row.intent_hash
    assert.equal(((await pageCalls(world)['order.get']!({ hash: toHex(ofPayment) })) as { closes: null }).closes, null)
    for (const member of [ben, cleo]) await approveAs(change, member)
    assert.equal(await apply(change), 'applied')
    await inOrganisation((tx) => expireOrder(tx, world.context, waiting))
    const [last] = await inOrganisation((tx) => tx.selectFrom('transfer_event').selectAll().where('order_id', '=', waiting).orderBy('seq', 'desc').execute())
    assert.deepEqual([last!.state, last!.sub_status], ['cancelled', 'strategy_changed'])
    assert.match(last!.reason!, /^version \d+ of the policy took effect; the order was made under version \d+$/)
    const { policy } = await inOrganisation((tx) => currentPolicy(tx))
    assert.equal((await inOrganisation((tx) => closingOrders(tx, policy, 'en_US'))).named.length, 0)
  })
})
