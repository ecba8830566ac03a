import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  authorizationDigest,
  buildTransfer,
  codecFor,
  encodeAuthorization,
  encodeFunctionCall,
  evmCodec,
  parseSignature,
  signAuthorization,
  type SignedAuthorization,
} from '@holdfast/chain-evm/codec'
import { collector, encodeCollect, readCollect, readDelegation, sweeper } from '@holdfast/chain-evm/collect'
import { fromHex, toHex } from '@holdfast/encoding'
import {
  type AuthorizationIntent,
  type ContractCallIntent,
  ENDS_DELEGATION,
  EVERYTHING,
  intentHash,
  type StandingOrderIntent,
  standingOrderFault,
} from '@holdfast/intent'
import { evaluateOrder, followStandingOrder, standingRuleId, stopStandingOrders } from '@holdfast/policy'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import fc from 'fast-check'
import { signWith } from '../../../../../packages/chains/evm/testing/samples.ts'
import { recentChild } from '../../../../../packages/mpc/src/key/scheme.ts'
import { addressOf, approvalsOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from '../../testing/order-of.ts'
import { CHAIN, COIN, NOW_MS, TOKEN } from '../../testing/organisation-of.ts'
import { FEE_MOST, STANDING_ID, standingOrderOf, SWEEPS_MAX, TREASURY_PATH } from '../../testing/standing-order-of.ts'
import { acme, ann, ben, checkOf, cleo, key, registerOf } from '../../testing/world-of.ts'
import { type Register, slotKeyOf } from '../../state/register.ts'
import { verifySignRequest } from '../verify.ts'

const TREASURY = addressOf(key, TREASURY_PATH)
const CONTRACT = sweeper.addressOf(TREASURY)
const MOST = 1_000n
const to = [{ chain: CHAIN, name: 'Treasury', keyId: key.keyId, path: TREASURY_PATH }]
const everything = [{ asset: COIN, atLeast: 0n, atMost: EVERYTHING }]
const AUTHORIZE = standingOrderOf({ does: { kind: 'authorize', to }, assets: everything, fees: [] })
const take = (changes: Partial<StandingOrderIntent> = {}) =>
  standingOrderOf({ does: { kind: 'take', to }, assets: [{ asset: TOKEN, atLeast: 10n, atMost: MOST }], ...changes })
const TAKE = take()

const { Fn } = secp256k1.Point
const bytesToNumber = (bytes: Uint8Array): bigint => BigInt(`0x${toHex(bytes)}`)
const numberToBytes = (number: bigint): Uint8Array => fromHex(number.toString(16).padStart(64, '0'))

/** The secret of the tests' key, which nobody has in one piece elsewhere, and of its address at a path. */
const whole = bytesToNumber(sha256(new TextEncoder().encode('key')))
const secretAt = (path: readonly bigint[]): Uint8Array => {
  const { factor, tweak } = recentChild(key.protocol, key.publicKey, key.chainCode, path.map(Number))
  return numberToBytes(Fn.create(factor * whole + tweak))
}

const DEPOSIT_PATH = [0n, 5n]
const DEPOSIT = addressOf(key, DEPOSIT_PATH)
const own = (path: bigint[] = DEPOSIT_PATH, address = addressOf(key, path)) => [{ address, keyId: key.keyId, path }]
const strangersKey = new Uint8Array(32).fill(7)
const STRANGER = evmCodec({ chain: CHAIN }).addressFromKey(secp256k1.getPublicKey(strangersKey, true))

type Turn = (register: Register) => void
type Asked = { intent?: object; register?: Turn; path?: bigint[]; approved?: boolean; own?: { address: string; keyId: Uint8Array; path: bigint[] }[] }

/** What a signer that follows a standing order says of bytes that a server has it sign under that, with its real checks. */
function verdictOf(
  kept: StandingOrderIntent,
  made: object,
  unsigned: Uint8Array,
  { intent: changes, register: turn, path, approved, own: shown = [] }: Asked = {},
): string {
  const { policy, fingerprint } = acme
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 0n, ...(path && { path }) })
  const { memo: _, screening: __, ...rest } = draft.intent
  const intent = { ...rest, ...made, initiator: STANDING_ID, ...changes } as unknown as ContractCallIntent | AuthorizationIntent
  const { request, log } = requestOf({ key, draft: { ...draft, intent }, approvals: approved ? approvalsOf({ intent }, policy, [ben]) : [], unsigned })
  const register = registerOf(acme, log)
  followStandingOrder(register.standingOrders, kept, { hash: intentHash(kept), sinceMs: NOW_MS })
  turn?.(register)
  const view = { party: 1, register, nowMs: NOW_MS, codecFor }
  return checkOf(() => verifySignRequest({ ...request, own: shown, standingOrder: intentHash(kept) }, view))
}

type Authorizing = Asked & { kept?: StandingOrderIntent; delegate?: string | null; chain?: string; nonce?: bigint; bytes?: Uint8Array }
function authorizing({ kept = AUTHORIZE, delegate = CONTRACT, chain = CHAIN, nonce = 3n, bytes, ...asked }: Authorizing = {}): string {
  const made = { kind: 'authorization', to: delegate ?? ENDS_DELEGATION, feeCap: 0n }
  return verdictOf(kept, made, bytes ?? encodeAuthorization({ chain, delegate, nonce }), asked)
}

type Taking = Asked & {
  kept?: StandingOrderIntent
  contract?: string
  data?: Uint8Array
  signature?: string | null
  amount?: bigint
  carries?: SignedAuthorization[]
  bytes?: { data?: Uint8Array; to?: string }
}
const pulling = (amount: bigint, { source = OTHER_ADDRESS, token = TOKEN.contract as string | null, isWhole = true } = {}) => ({
  data: encodeCollect({ token, pulls: [{ source, amount }], isWhole }),
  signature: `collect${isWhole ? 'Whole' : ''}(address,address[],uint256[])`,
})
function taking({ kept = TAKE, contract = CONTRACT, amount = 0n, carries = [], bytes, ...asked }: Taking = {}): string {
  const { data, signature } = { ...pulling(50n), ...asked }
  const transaction = { asset: { chain: CHAIN, contract: null }, to: contract, amount, data, nonce: 0n, gasLimit: 400_000n, ...bytes }
  const unsigned = buildTransfer({
    ...{ ...transaction, maxFeePerGas: 10_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n },
    ...(carries.length > 0 && { authorizations: carries }),
  })
  return verdictOf(kept, { kind: 'contractCall', to: contract, amount, data, signature }, unsigned, asked)
}

/** What the key of an account signs. */
function signed(delegate: string | null, { chain = CHAIN, nonce = 3n, by = secretAt(DEPOSIT_PATH) } = {}): SignedAuthorization {
  const bytes = encodeAuthorization({ chain, delegate, nonce })
  return signAuthorization(bytes, signWith(by)(authorizationDigest(bytes)))
}

const holding =
  (slot: bigint, from = addressOf(key, [0n, 7n])): Turn =>
  (register) =>
    register.slots.set(slotKeyOf({ chain: CHAIN, from, slot }), 'another order')
const stop: Turn = (register) => stopStandingOrders(register.standingOrders, { person: ben.person.id, orders: [{ id: STANDING_ID, version: 1n }] })
const used =
  (kept: StandingOrderIntent, count: bigint): Turn =>
  (register) => {
    for (let i = 0n; i < count; i++)
      register.spends.set(`order ${i}`, { ruleId: standingRuleId(kept, { notBeforeMs: 0n }), asset: null, amount: 0n, atMs: NOW_MS })
  }

describe('authorizations that a standing order covers', () => {
  it('are signed without people: for the sweeper of the one target, and the end of any', () => {
    assert.equal(standingOrderFault(AUTHORIZE), undefined)
    assert.equal(authorizing(), 'signed')
    assert.equal(authorizing({ delegate: null }), 'signed')
  })

  const hostile: [string, Authorizing, string][] = [
    ['for a delegate of somebody else', { delegate: OTHER_ADDRESS }, 'c5'],
    ['for the sweeper of another target', { delegate: sweeper.addressOf(RECIPIENT_ADDRESS) }, 'c5'],
    ['for the sweeper of a neighbouring own address', { delegate: sweeper.addressOf(addressOf(key, [1n, 4n])) }, 'c5'],
    ['for the collector', { delegate: collector.addressOf(TREASURY) }, 'c5'],
    ['for a token', { delegate: TOKEN.contract }, 'c5'],
    ['of another chain', { chain: 'eip155:1' }, 'c7'],
    ['of every chain', { bytes: everyChain() }, 'c7'],
    ['of an address of another wallet', { path: [2n, 7n] }, 'c5'],
    ['of the target itself', { path: TREASURY_PATH, kept: { ...AUTHORIZE, sources: [{ name: 'All', keyId: key.keyId, path: [] }] } }, 'c5'],
    ['of an address that is never touched', { kept: { ...AUTHORIZE, never: [addressOf(key, [0n, 7n])] } }, 'c5'],
    ['of an address that the path does not lead to', { intent: { from: OTHER_ADDRESS } }, 'c7'],
    ['whose bytes name another delegate than the order', { bytes: encodeAuthorization({ chain: CHAIN, delegate: OTHER_ADDRESS, nonce: 3n }) }, 'c7'],
    ['whose bytes begin what the order ends', { delegate: null, bytes: encodeAuthorization({ chain: CHAIN, delegate: CONTRACT, nonce: 3n }) }, 'c7'],
    ['whose bytes are a transaction', { bytes: buildTransfer(plainTransfer()) }, 'c7'],
    ['with a nonce that another order of the address has', { register: holding(3n) }, 'c10'],
    ['that moves coin', { intent: { amount: 1n } }, 'c4'],
    ['that pays a fee', { intent: { feeCap: 1n } }, 'c4'],
    ['under the order for calls', { kept: TAKE }, 'c5'],
    ['under an order for allowances', { kept: standingOrderOf({ does: { kind: 'allow', to }, assets: TAKE.assets }) }, 'c5'],
    ['that a person asks for', { intent: { initiator: ann.person.id } }, 'c5'],
    ['that people are said to approve', { approved: true }, 'c5'],
    ['after somebody stopped it', { register: stop }, 'c6'],
    ['beyond how many there may be', { register: used(AUTHORIZE, SWEEPS_MAX) }, 'c9'],
    ['that is open beyond the end', { intent: { expiresAtMs: AUTHORIZE.untilMs + 1n } }, 'c5'],
  ]
  for (const [what, change, check] of hostile) it(`refuse one ${what}`, () => assert.equal(authorizing(change), check))

  it('take the nonce of the account, so that nothing else of it is signed with that', () => {
    const { policy, fingerprint } = acme
    const draft = draftOf({ fingerprint, policy, key, initiator: ann, nonce: 3n })
    const { request, log } = requestOf({ key, draft, approvals: approvalsOf(draft, policy, [ben, cleo]) })
    const register = registerOf(acme, log)
    holding(3n)(register)
    assert.equal(
      checkOf(() => verifySignRequest(request, { party: 1, register, nowMs: NOW_MS, codecFor })),
      'c10',
    )
  })

  it('are let through by no people, whatever the rules of the policy are', () => {
    const { policy, fingerprint } = acme
    const { memo: _, screening: __, ...rest } = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 0n }).intent
    const intent: AuthorizationIntent = { ...rest, kind: 'authorization', to: CONTRACT, feeCap: 0n }
    assert.equal(evaluateOrder(policy, intent).kind, 'deny')
    const draft = draftOf({ fingerprint, policy, key, initiator: ann })
    const unsigned = encodeAuthorization({ chain: CHAIN, delegate: CONTRACT, nonce: 3n })
    const { request, log } = requestOf({ key, draft: { ...draft, intent }, approvals: approvalsOf({ intent }, policy, [ben, cleo]), unsigned })
    const view = { party: 1, register: registerOf(acme, log), nowMs: NOW_MS, codecFor }
    assert.equal(
      checkOf(() => verifySignRequest(request, view)),
      'c7',
    )
  })

  it('with any changed byte are refused, or authorize the one contract on the one chain, or nobody', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const bytes = encodeAuthorization({ chain: CHAIN, delegate: CONTRACT, nonce: 300n })
        bytes[place % bytes.length]! ^= change
        if (authorizing({ bytes }) !== 'signed') return
        assert.equal(readDelegation(bytes, { chain: CHAIN, target: TREASURY }).ends, false)
      }),
      { numRuns: 200 },
    )
  })
})

describe('calls of the sweeper that a standing order covers', () => {
  it('are signed without people: its deployment, what is taken, and the authorizations of own addresses that go along', () => {
    assert.equal(standingOrderFault(TAKE), undefined)
    const { contract, data } = sweeper.deploymentOf(TREASURY)
    assert.equal(taking({ contract, data, signature: null }), 'signed')
    assert.equal(taking(), 'signed')
    assert.equal(taking(pulling(10n, { isWhole: false })), 'signed')
    assert.equal(taking({ ...pulling(MOST, { source: DEPOSIT }), carries: [signed(CONTRACT)], own: own() }), 'signed')
    assert.equal(taking({ carries: [signed(null)], own: own() }), 'signed', 'what ends goes along as well')
    assert.equal(taking({ data: new Uint8Array(0), signature: null, carries: [signed(null)], own: own() }), 'signed')
  })

  const plain = { own: own() }
  const hostile: [string, Taking, string][] = [
    ['an authorization for a delegate of somebody else', { ...plain, carries: [signed(OTHER_ADDRESS)] }, 'c5'],
    ['an authorization for the sweeper of another target', { ...plain, carries: [signed(sweeper.addressOf(RECIPIENT_ADDRESS))] }, 'c5'],
    ['an authorization of a stranger', { carries: [signed(CONTRACT, { by: strangersKey })] }, 'c5'],
    [
      'an authorization of a stranger who is said to be an own address',
      { own: own(DEPOSIT_PATH, STRANGER), carries: [signed(CONTRACT, { by: strangersKey })] },
      'c5',
    ],
    ['an authorization of an own address that nobody shows to be one', { carries: [signed(CONTRACT)] }, 'c5'],
    ['one foreign authorization among good ones', { ...plain, carries: [signed(CONTRACT), signed(CONTRACT, { by: strangersKey })] }, 'c5'],
    ['an authorization of the address that pays', { own: own([0n, 7n]), carries: [signed(CONTRACT, { by: secretAt([0n, 7n]) })] }, 'c5'],
    ['an authorization of the target', { own: own(TREASURY_PATH), carries: [signed(CONTRACT, { by: secretAt(TREASURY_PATH) })] }, 'c5'],
    ['an authorization of an address that is never touched', { ...plain, kept: take({ never: [DEPOSIT] }), carries: [signed(CONTRACT)] }, 'c5'],
    [
      'authorizations under an order for the collector',
      { ...plain, kept: collecting(), contract: collector.addressOf(TREASURY), carries: [signed(CONTRACT)] },
      'c5',
    ],
    ['authorizations that people are said to approve', { ...plain, carries: [signed(CONTRACT)], approved: true }, 'c5'],
    ['a call without data that carries nothing', { data: new Uint8Array(0), signature: null, bytes: { data: Uint8Array.of(1, 2, 3, 4) } }, 'c5'],
    [
      'a call without data of another contract',
      { ...plain, contract: OTHER_ADDRESS, data: new Uint8Array(0), signature: null, carries: [signed(CONTRACT)] },
      'c5',
    ],
    ['the sweeper of another target', { contract: sweeper.addressOf(RECIPIENT_ADDRESS) }, 'c5'],
    ['the collector', { contract: collector.addressOf(TREASURY) }, 'c5'],
    ['the deployment for another target', { ...deploying(sweeper, RECIPIENT_ADDRESS) }, 'c5'],
    ['the deployment of other code', { ...deploying(collector, TREASURY) }, 'c5'],
    ['another token', pulling(50n, { token: OTHER_ADDRESS }), 'c5'],
    ["the network's own coin", pulling(50n, { token: null }), 'c5'],
    ['more of an address than the most', pulling(MOST + 1n), 'c5'],
    ['less of an address than the least', pulling(9n), 'c5'],
    ['what is taken from the target itself', pulling(50n, { source: TREASURY }), 'c5'],
    ['what is taken from an address that is never touched', { kept: take({ never: [OTHER_ADDRESS] }) }, 'c5'],
    ['coin that goes along', { amount: 1n }, 'c5'],
    ['what the contract answers to itself alone', { data: giving(), signature: 'give(address,uint256)' }, 'c5'],
    ['bytes that take more than the order says', { bytes: { data: pulling(51n).data } }, 'c7'],
    ['bytes that call another contract', { bytes: { to: sweeper.addressOf(RECIPIENT_ADDRESS) } }, 'c7'],
    ['a higher fee', { intent: { feeCap: FEE_MOST + 1n } }, 'c5'],
    ['what a person asks for', { intent: { initiator: ann.person.id } }, 'c5'],
    ['an order that somebody stopped', { register: stop }, 'c6'],
    ['more calls than there may be', { register: used(TAKE, SWEEPS_MAX) }, 'c9'],
  ]
  for (const [what, change, check] of hostile) it(`refuse ${what}`, () => assert.equal(taking(change), check))

  it('refuse authorizations with a call that people approve', () => {
    const { policy, fingerprint } = acme
    const draft = draftOf({ fingerprint, policy, key, initiator: ann })
    const unsigned = buildTransfer({ ...draft.transaction, gasLimit: 100_000n, authorizations: [signed(CONTRACT)] })
    const { request, log } = requestOf({ key, draft, approvals: approvalsOf(draft, policy, [ben, cleo]), unsigned })
    const view = { party: 1, register: registerOf(acme, log), nowMs: NOW_MS, codecFor }
    assert.equal(
      checkOf(() => verifySignRequest({ ...request, own: own() }, view)),
      'c7',
    )
  })

  it('with any changed byte are refused, or are still within what people approved', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const { data, signature } = pulling(500n)
        data[place % data.length]! ^= change
        if (taking({ data, signature }) !== 'signed') return
        const { by, pulls } = readCollect({ contract: CONTRACT, value: 0n, data }, TREASURY)
        assert.ok(by === 'sweeper' && pulls.every(({ amount }) => amount >= 10n && amount <= MOST))
      }),
      { numRuns: 200 },
    )
  })
})

describe('a standing order about the sweeper', () => {
  const faulty: [string, StandingOrderIntent][] = [
    ['that takes a coin', take({ assets: [{ asset: COIN, atLeast: 1n, atMost: 2n }] })],
    ['without a target', take({ does: { kind: 'take', to: [] } })],
    ['whose target is no address', { ...AUTHORIZE, does: { kind: 'authorize', to: [{ ...to[0]!, path: [] }] } }],
    ['that lets code run and names a token', { ...AUTHORIZE, assets: [{ asset: TOKEN, atLeast: 0n, atMost: EVERYTHING }] }],
    ['that lets code run and names a bound, which there is none of', { ...AUTHORIZE, assets: [{ asset: COIN, atLeast: 0n, atMost: 5n }] }],
    ['that lets code run and bounds a fee', { ...AUTHORIZE, fees: TAKE.fees }],
    ['that counts nothing', { ...AUTHORIZE, limits: [] }],
    ['that limits amounts', take({ limits: [...TAKE.limits, { ...TAKE.limits[0]!, amounts: [{ chain: CHAIN, asset: TOKEN.contract ?? '', max: 5n }] }] })],
  ]
  for (const [what, kept] of faulty) it(`${what} makes no sense`, () => assert.notEqual(standingOrderFault(kept), undefined))
})

function collecting(): StandingOrderIntent {
  return standingOrderOf({ does: { kind: 'collect', to }, assets: TAKE.assets })
}
function deploying(what: typeof sweeper, target: string): Taking {
  const { contract, data } = what.deploymentOf(target)
  return { contract, data, signature: null }
}
function giving(): Uint8Array {
  return encodeFunctionCall(parseSignature('give(address,uint256)'), [TOKEN.contract!, 50n])
}
function plainTransfer() {
  return draftOf({ fingerprint: acme.fingerprint, policy: acme.policy, key, initiator: ann, nonce: 3n }).transaction
}
/** An authorization whose chain is number 0, which would hold everywhere; the codec makes none, so it is put together by hand. */
function everyChain(): Uint8Array {
  const bytes = encodeAuthorization({ chain: 'eip155:1', delegate: CONTRACT, nonce: 3n })
  bytes[2] = 0x80
  return bytes
}
