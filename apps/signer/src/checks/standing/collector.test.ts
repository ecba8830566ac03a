import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { buildTransfer, codecFor, encodeFunctionCall, parseSignature } from '@holdfast/chain-evm/codec'
import { allowanceCall, collector, encodeCollect, readAllowance, readCollect, sweeper } from '@holdfast/chain-evm/collect'
import { type ContractCallIntent, intentHash, type StandingOrderIntent, standingOrderFault } from '@holdfast/intent'
import { followStandingOrder, standingRuleId, stopStandingOrders } from '@holdfast/policy'
import fc from 'fast-check'
import { draftOf, addressOf, approvalsOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from '../../testing/order-of.ts'
import { CHAIN, COIN, NOW_MS, TOKEN } from '../../testing/organisation-of.ts'
import { FEE_MOST, STANDING_ID, standingOrderOf, SWEEPS_MAX, TREASURY_PATH } from '../../testing/standing-order-of.ts'
import { acme, ann, ben, checkOf, key, registerOf } from '../../testing/world-of.ts'
import type { Register } from '../../state/register.ts'
import { verifySignRequest } from '../verify.ts'

const TREASURY = addressOf(key, TREASURY_PATH)
const CONTRACT = collector.addressOf(TREASURY)
const MOST = 1_000n
const to = [{ chain: CHAIN, name: 'Treasury', keyId: key.keyId, path: TREASURY_PATH }]
const assets = [{ asset: TOKEN, atLeast: 10n, atMost: MOST }]
const order = (kind: 'allow' | 'collect', changes: Partial<StandingOrderIntent> = {}) => standingOrderOf({ does: { kind, to }, assets, ...changes })
const ALLOW = order('allow')
const COLLECT = order('collect')

type Call = { to: string; data: Uint8Array; signature?: string | null }
const allowing = (amount: bigint, target = TREASURY, token = TOKEN.contract): Call => {
  const { contract, data } = allowanceCall({ token: String(token), target, amount })
  return { to: contract, data, signature: 'approve(address,uint256)' }
}
const collecting = (amount: bigint, { source = OTHER_ADDRESS, token = TOKEN.contract as string | null, isWhole = false, contract = CONTRACT } = {}): Call => ({
  to: contract,
  data: encodeCollect({ token, pulls: [{ source, amount }], isWhole }),
  signature: isWhole ? 'collectWhole(address,address[],uint256[])' : 'collect(address,address[],uint256[])',
})
const deploying = (target: string): Call => {
  const { contract, data } = collector.deploymentOf(target)
  return { to: contract, data, signature: null }
}
const written = (signature: string, ...values: (string | bigint)[]) => encodeFunctionCall(parseSignature(signature), values)

type Change = { intent?: Partial<ContractCallIntent>; register?: (register: Register) => void; path?: bigint[]; bytes?: Partial<Call>; approved?: boolean }

/** What a signer that follows a standing order says of a call that a server has it sign under that, with its real checks. */
function verdictOf(kept: StandingOrderIntent, call: Call, { intent: changes = {}, register: turn, path, bytes, approved }: Change = {}): string {
  const { policy, fingerprint } = acme
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 0n, ...(path && { path }) })
  const { memo: _, screening: __, ...rest } = draft.intent
  const intent: ContractCallIntent = { ...rest, kind: 'contractCall', signature: null, ...call, initiator: STANDING_ID, ...changes }
  const transaction = {
    ...draft.transaction,
    to: intent.to,
    amount: intent.amount,
    data: intent.data,
    gasLimit: 300_000n,
    maxFeePerGas: 10_000_000_000n,
    ...bytes,
  }
  const made = { intent, transaction }
  const approvals = approved ? approvalsOf(made, policy, [ben]) : []
  const { request, log } = requestOf({ key, draft: made, approvals, unsigned: buildTransfer(transaction) })
  const register = registerOf(acme, log)
  followStandingOrder(register.standingOrders, kept, { hash: intentHash(kept), sinceMs: NOW_MS })
  turn?.(register)
  const view = { party: 1, register, nowMs: NOW_MS, codecFor }
  return checkOf(() => verifySignRequest({ ...request, standingOrder: intentHash(kept) }, view))
}

describe('calls of the collector that a standing order covers', () => {
  it('are signed without people: an allowance within its bound, its end, the deployment, and what is taken of each address', () => {
    assert.equal(standingOrderFault(ALLOW), undefined)
    assert.equal(standingOrderFault(COLLECT), undefined)
    assert.equal(verdictOf(ALLOW, allowing(MOST)), 'signed')
    assert.equal(verdictOf(ALLOW, allowing(0n)), 'signed', 'a right can always be taken back')
    assert.equal(verdictOf(COLLECT, deploying(TREASURY)), 'signed')
    assert.equal(verdictOf(COLLECT, collecting(MOST)), 'signed')
    assert.equal(verdictOf(COLLECT, collecting(10n, { isWhole: true })), 'signed')
  })

  const hostile: [string, StandingOrderIntent, Call, Change?][] = [
    ['another spender', ALLOW, { ...allowing(5n), data: written('approve(address,uint256)', OTHER_ADDRESS, 5n) }],
    ['the collector of another target', ALLOW, allowing(5n, RECIPIENT_ADDRESS)],
    ['the collector of a neighbouring own address', ALLOW, allowing(5n, addressOf(key, [1n, 4n]))],
    ['the sweeper as spender', ALLOW, { ...allowing(5n), data: written('approve(address,uint256)', sweeper.addressOf(TREASURY), 5n) }],
    ['an allowance above the bound', ALLOW, allowing(MOST + 1n)],
    ['an allowance without bound', ALLOW, { ...allowing(5n), data: written('approve(address,uint256)', CONTRACT, 2n ** 256n - 1n) }],
    ['another token', ALLOW, allowing(5n, TREASURY, OTHER_ADDRESS as typeof TOKEN.contract)],
    [
      'a transfer in place of an allowance',
      ALLOW,
      { ...allowing(5n), data: written('transfer(address,uint256)', OTHER_ADDRESS, 5n), signature: 'transfer(address,uint256)' },
    ],
    [
      'an allowance that is raised by another function',
      ALLOW,
      { ...allowing(5n), data: written('increaseAllowance(address,uint256)', CONTRACT, 5n), signature: 'increaseAllowance(address,uint256)' },
    ],
    ['an allowance with coin along', ALLOW, allowing(5n), { intent: { amount: 1n } }],
    ['an allowance of another wallet', ALLOW, allowing(5n), { path: [2n, 7n] }],
    ['a collection under the order for allowances', ALLOW, collecting(50n)],
    ['an allowance under the order for collections', COLLECT, allowing(5n)],
    ['the deployment for another target', COLLECT, deploying(RECIPIENT_ADDRESS)],
    ['the deployment of other code', COLLECT, { ...deploying(TREASURY), data: sweeper.deploymentOf(TREASURY).data }],
    ['a collection by the contract of another target', COLLECT, collecting(50n, { contract: collector.addressOf(RECIPIENT_ADDRESS) })],
    ['a collection by the sweeper', COLLECT, collecting(50n, { contract: sweeper.addressOf(TREASURY) })],
    ['a collection of another token', COLLECT, collecting(50n, { token: OTHER_ADDRESS })],
    ['more of an address than the most', COLLECT, collecting(MOST + 1n)],
    ['less of an address than the least', COLLECT, collecting(9n)],
    ['a collection from the target itself', COLLECT, collecting(50n, { source: TREASURY })],
    ['a collection from an address that is never touched', order('collect', { never: [OTHER_ADDRESS] }), collecting(50n)],
    [
      'a function that the contract does not have',
      COLLECT,
      { to: CONTRACT, data: written('approve(address,uint256)', OTHER_ADDRESS, 5n), signature: 'approve(address,uint256)' },
    ],
    ['a higher fee', COLLECT, collecting(50n), { intent: { feeCap: FEE_MOST + 1n } }],
    ['what a person asks for', COLLECT, collecting(50n), { intent: { initiator: ann.person.id } }],
    ['what people are said to approve', COLLECT, collecting(50n), { approved: true }],
    ['an order that is open beyond its end', COLLECT, collecting(50n), { intent: { expiresAtMs: COLLECT.untilMs + 1n } }],
  ]
  for (const [what, kept, call, change] of hostile) it(`refuse ${what}`, () => assert.equal(verdictOf(kept, call, change), 'c5'))

  it('refuse bytes that do something else than the order says', () => {
    assert.equal(verdictOf(ALLOW, allowing(5n), { bytes: { data: allowing(6n).data } }), 'c7')
    assert.equal(verdictOf(COLLECT, collecting(50n), { bytes: { data: collecting(51n).data } }), 'c7')
  })

  it('end when somebody stops the standing order, and are no more than people approved in a time', () => {
    const stop = (register: Register) => stopStandingOrders(register.standingOrders, { person: ben.person.id, orders: [{ id: STANDING_ID, version: 1n }] })
    assert.equal(verdictOf(COLLECT, collecting(50n), { register: stop }), 'c6')
    const used = (count: bigint) => (register: Register) => {
      for (let i = 0n; i < count; i++)
        register.spends.set(`order ${i}`, { ruleId: standingRuleId(COLLECT, { notBeforeMs: 0n }), asset: null, amount: 0n, atMs: NOW_MS })
    }
    assert.equal(verdictOf(COLLECT, collecting(50n), { register: used(SWEEPS_MAX - 1n) }), 'signed')
    assert.equal(verdictOf(COLLECT, collecting(50n), { register: used(SWEEPS_MAX) }), 'c9')
  })

  it('with any changed byte are refused, or are still within what people approved', () => {
    fc.assert(
      fc.property(fc.boolean(), fc.nat(), fc.integer({ min: 1, max: 255 }), (isAllowing, place, change) => {
        const call = isAllowing ? allowing(500n) : collecting(500n)
        const data = call.data.slice()
        data[place % data.length]! ^= change
        if (verdictOf(isAllowing ? ALLOW : COLLECT, { ...call, data }) !== 'signed') return
        const made = { contract: call.to, value: 0n, data }
        const amounts = isAllowing ? [readAllowance(made, TREASURY).amount] : readCollect(made, TREASURY).pulls.map(({ amount }) => amount)
        assert.ok(amounts.every((amount) => amount <= MOST))
      }),
      { numRuns: 200 },
    )
  })
})

describe('a standing order about the collector', () => {
  const faulty: [string, Partial<StandingOrderIntent>][] = [
    ['of a coin', { assets: [{ asset: COIN, atLeast: 1n, atMost: 2n }] }],
    [
      'of a network that has no such contract',
      { assets: [{ asset: { ...TOKEN, chain: 'tron:1' }, atLeast: 1n, atMost: 2n }], fees: [{ asset: { ...COIN, chain: 'tron:1' }, max: 1n, maxShare: 1n }] },
    ],
    ['without a target', { does: { kind: 'allow', to: [] } }],
    ['whose target is no address', { does: { kind: 'collect', to: [{ ...to[0]!, path: [] }] } }],
    ['that limits amounts', { limits: [...COLLECT.limits, { ...COLLECT.limits[0]!, amounts: [{ chain: CHAIN, asset: TOKEN.contract ?? '', max: 5n }] }] }],
  ]
  for (const [what, changes] of faulty) it(`${what} makes no sense`, () => assert.notEqual(standingOrderFault(order('allow', changes)), undefined))
})
