import { type AbiValue, buildTransfer, encodeFunctionCall, parseSignature, type TransferTransaction, UNLIMITED_FROM, codecFor } from '@holdfast/chain-evm/codec'
import type { ContractCallIntent } from '@holdfast/intent'
import type { BoundedCallRule, Comparison, NamedRule } from '@holdfast/policy'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approveBy, namedRule, personOf } from '../../../../packages/policy/src/testing/named-rules.ts'
import { approvalsOf, draftOf, OTHER_ADDRESS, RECIPIENT_ADDRESS, requestOf } from '../testing/order-of.ts'
import { CHAIN, COIN, NOW_MS } from '../testing/organisation-of.ts'
import { ann, anyTwo, ben, checkOf, cleo, key, organisationWith, registerOf } from '../testing/world-of.ts'
import { verifySignRequest } from './verify.ts'

const CONTRACT = RECIPIENT_ADDRESS
const SPENDER = OTHER_ADDRESS
const APPROVE = 'approve(address,uint256)'
const SHARES = 'transferShares(address,uint256)'
const rule: BoundedCallRule = {
  kind: 'boundedCall',
  id: 'calls',
  chain: CHAIN,
  payers: null,
  contracts: [CONTRACT],
  functions: [APPROVE, 'deposit()'],
  maxValue: 1_000n,
  maxTokens: 100n,
  window: { lengthMs: 86_400_000n, maxAmount: 1_500n, maxTokens: 150n },
  unlimitedAllowances: false,
  unknownCallData: false,
  ...anyTwo,
}
const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)
const approve = (amount: bigint) => write(APPROVE, SPENDER, amount)

type Change = {
  rule?: Partial<BoundedCallRule>
  named?: NamedRule
  order?: Partial<ContractCallIntent>
  transaction?: Partial<TransferTransaction>
  counts?: [string, bigint]
}

/** What a signer says of a request to sign a call, honest but for the change. */
function verdictOf({ rule: changedRule = {}, named, order = {}, transaction = {}, counts }: Change, used = 0n, usedOf: string | null = null): string {
  const acme = organisationWith({ rules: [named ?? { ...rule, ...changedRule }] })
  const { policy, fingerprint } = acme
  const draft = draftOf({ fingerprint, policy, key, initiator: ann, asset: COIN, amount: 0n })
  const { memo: _, screening: __, ...rest } = draft.intent
  const intent: ContractCallIntent = { ...rest, kind: 'contractCall', to: CONTRACT, data: approve(5n), signature: APPROVE, ...order }
  const { to, amount, data } = intent
  const call = { intent, transaction: { ...draft.transaction, to, amount, data, gasLimit: 65_000n, ...transaction } }
  const { request, log } = requestOf({ key, draft: call, approvals: approvalsOf(call, policy, [ben, cleo]), unsigned: buildTransfer(call.transaction) })
  const register = registerOf(acme, log)
  if (used > 0n) register.spends.set('another order', { ruleId: 'calls', asset: usedOf && `${CHAIN}|${usedOf}`, amount: used, atMs: NOW_MS })
  return checkOf(() => {
    const { effects, reservation } = verifySignRequest(request, { party: 1, register, nowMs: NOW_MS, codecFor })
    assert.deepEqual(effects.call, { contract: to, value: amount, data })
    assert.deepEqual(effects.transfers, [])
    const counted = reservation.kind === 'told' && [reservation.contract, reservation.amount]
    assert.deepEqual(counted, counts ?? [null, amount])
  })
}

describe('a signer asked to sign a call of a contract', () => {
  it('takes part in what the people approved and the rule covers', () => {
    assert.equal(verdictOf({ counts: [CONTRACT, 5n] }), 'signed')
    assert.equal(verdictOf({ order: { amount: 1_000n, signature: 'deposit()', data: write('deposit()') } }), 'signed')
    assert.equal(verdictOf({ rule: { unlimitedAllowances: true }, order: { data: approve(UNLIMITED_FROM) } }), 'signed')
    assert.equal(verdictOf({ rule: { unknownCallData: true }, order: { signature: null, data: Uint8Array.of(1, 2, 3, 4, 5) } }), 'signed')
  })

  it('refuses bytes that do something else than the order', () => {
    const transfer = write('transfer(address,uint256)', SPENDER, 5n)
    const transferFrom = write('transferFrom(address,address,uint256)', CONTRACT, SPENDER, 5n)
    const multicall = 'multicall(bytes[])'
    const anything = { functions: [multicall, 'transfer(address,uint256)'], unknownCallData: true, unlimitedAllowances: true }
    const wrong: [string, Change, string][] = [
      ['call another contract', { transaction: { to: SPENDER } }, 'c5'],
      ['call another contract that the rule covers too', { rule: { contracts: [CONTRACT, SPENDER] }, transaction: { to: SPENDER } }, 'c7'],
      ['send more coin along', { rule: { window: null }, transaction: { amount: 1n } }, 'c7'],
      ['send more coin along than the rule lets', { order: { amount: 1_001n } }, 'c5'],
      ['carry other arguments', { transaction: { data: approve(6n) } }, 'c7'],
      ['carry another function than the order names', { order: { signature: 'deposit()' } }, 'c5'],
      ['carry something behind the arguments', { order: { data: Uint8Array.of(...approve(5n), 0) } }, 'c5'],
      ['carry an address with something before it', { order: { data: approve(5n).map((byte, i) => (i === 4 ? 1 : byte)) } }, 'c5'],
      ['give an endless allowance', { order: { data: approve(UNLIMITED_FROM) } }, 'c5'],
      ['cannot be read', { order: { signature: null, data: Uint8Array.of(1, 2, 3, 4) } }, 'c5'],
      ['are a transfer under the name of a call', { rule: anything, order: { signature: 'transfer(address,uint256)', data: transfer } }, 'c5'],
      ['are a transfer that nobody named', { rule: anything, order: { signature: null, data: transfer } }, 'c5'],
      ['carry a transfer inside', { rule: anything, order: { signature: multicall, data: write(multicall, [transferFrom]) } }, 'c5'],
      ['pay in place of calling', { transaction: { amount: 1n, data: new Uint8Array() } }, 'c5'],
      ['send a token along', { order: { asset: { ...COIN, contract: CONTRACT } } }, 'c4'],
      ['may cost more than the cap', { order: { feeCap: 1n } }, 'c8'],
    ]
    const tried = wrong.map(([name, change]) => {
      try {
        return [name, verdictOf(change)]
      } catch (cause) {
        return [name, String(cause)]
      }
    })
    assert.deepEqual(
      tried,
      wrong.map(([name, , check]) => [name, check]),
    )
  })

  it('compares parameters in the bytes, where a rule says what they may be', () => {
    const multicall = 'multicall(bytes[])'
    const covers = { chain: CHAIN, contracts: [CONTRACT], functions: [APPROVE, 'deposit()', multicall], maxValue: 1_000n, maxTokens: 100n }
    const spender = (addresses: string[]) => ({ signature: APPROVE, position: 0n, addresses, atLeast: 0n, atMost: null })
    const named = (addresses: string[]) =>
      namedRule('calls', {
        covers: { kind: 'calls', ...covers, unlimitedAllowances: false, unknownCallData: false },
        conditions: [{ kind: 'parameters', parameters: [spender(addresses)] }],
        action: approveBy([{ need: 2n, who: [ben, cleo].map(({ person }) => personOf(person)) }]),
      })
    const other = write(APPROVE, CONTRACT, 5n)
    const tried: [Change, string][] = [
      [{ named: named([SPENDER]), counts: [CONTRACT, 5n] }, 'signed'],
      [{ named: named([CONTRACT]) }, 'c5'],
      [{ named: named([SPENDER]), order: { data: other } }, 'c5'],
      // People approved the spender that the rule names, and the bytes name another one.
      [{ named: named([SPENDER]), transaction: { data: other } }, 'c5'],
      [{ named: named([SPENDER]), order: { signature: multicall, data: write(multicall, [approve(5n)]) } }, 'c5'],
      [{ named: named([CONTRACT]), order: { amount: 1n, signature: 'deposit()', data: write('deposit()') } }, 'signed'],
    ]
    assert.deepEqual(
      tried.map(([change]) => verdictOf(change)),
      tried.map(([, check]) => check),
    )
  })

  it('compares lists, numbers with a sign, booleans, bytes and text in the bytes, and no server hides an address among others', () => {
    const pay = 'pay(address[],int64,bool,bytes4,string)'
    const reason = Uint8Array.of(1, 2, 3, 4)
    const told = (place: bigint, test: Comparison['test'], lengthAtMost: bigint | null = null) => ({ signature: pay, path: [place], lengthAtMost, test })
    const named = namedRule('calls', {
      covers: {
        ...{ kind: 'calls', chain: CHAIN, contracts: [CONTRACT], functions: [pay], maxValue: 0n, maxTokens: 0n },
        ...{ unlimitedAllowances: false, unknownCallData: false },
      },
      conditions: [
        {
          kind: 'comparisons',
          comparisons: [
            told(0n, { kind: 'addresses', addresses: [SPENDER, CONTRACT] }, 3n),
            told(1n, { kind: 'numbers', atLeast: BigInt.asUintN(256, -5n), atMost: 5n }),
            told(2n, { kind: 'truth', is: true }),
            told(3n, { kind: 'bytes', values: [reason] }),
            told(4n, { kind: 'texts', values: ['rent'] }),
          ],
        },
      ],
      action: approveBy([{ need: 2n, who: [ben, cleo].map(({ person }) => personOf(person)) }]),
    })
    const foreign = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb'
    const honest = [[SPENDER, CONTRACT], -5n, true, reason, 'rent'] as const
    const data = (...changes: [place: number, value: AbiValue][]) => {
      const values: AbiValue[] = [[...honest[0]], ...honest.slice(1)] as AbiValue[]
      return write(pay, ...changes.reduce((before, [place, value]) => before.with(place, value), values))
    }
    const ordered = (bytes: Uint8Array): Change => ({ named, order: { signature: pay, data: bytes } })
    assert.equal(verdictOf(ordered(data())), 'signed')
    // The list moved behind everything else, and its offset with it; where it stood there is one of the rule's own addresses.
    const moved = Uint8Array.of(...data(), ...write('f(address[])', [foreign]).subarray(4 + 32))
    moved.set(new Uint8Array(32), 4)
    new DataView(moved.buffer).setUint32(4 + 28, data().length - 4)
    const refused: Uint8Array[] = [
      data([0, [SPENDER, foreign]]),
      data([0, [foreign, SPENDER]]),
      data([0, [SPENDER, SPENDER, CONTRACT, CONTRACT]]),
      data([1, -6n]),
      data([1, 6n]),
      data([2, false]),
      data([3, Uint8Array.of(1, 2, 3, 5)]),
      data([4, 'Rent']),
      moved,
      Uint8Array.of(...data(), ...new Uint8Array(32)),
      // A number with a sign whose upper bytes do not follow from it.
      data().with(4 + 32, 0),
      // A boolean that is two.
      data().with(4 + 95, 2),
    ]
    assert.deepEqual(
      refused.map((bytes) => verdictOf(ordered(bytes))),
      refused.map(() => 'c5'),
    )
    // People approved what the rule lets through, and the bytes that the server hands on pay somebody else as well.
    assert.equal(verdictOf({ ...ordered(data()), transaction: { data: data([0, [SPENDER, foreign]]) } }), 'c5')
  })

  it('counts the coin that goes along in the window of the rule', () => {
    const sent = { order: { amount: 1_000n, signature: 'deposit()', data: write('deposit()') } }
    assert.equal(verdictOf(sent, 500n), 'signed')
    assert.equal(verdictOf(sent, 501n), 'c9')
  })

  it('counts the tokens that it moves or lets others take in the window of the rule, for each contract that is called', () => {
    const [five, many] = [approve(5n), approve(100n)]
    assert.equal(verdictOf({ order: { data: five }, counts: [CONTRACT, 5n] }, 145n, CONTRACT), 'signed')
    assert.equal(verdictOf({ order: { data: five } }, 146n, CONTRACT), 'c9')
    assert.equal(verdictOf({ order: { data: many }, counts: [CONTRACT, 100n] }, 146n, OTHER_ADDRESS), 'signed')
    const shares = { order: { signature: SHARES, data: write(SHARES, SPENDER, 100n) }, rule: { functions: [SHARES] } }
    assert.equal(verdictOf({ ...shares, counts: [CONTRACT, 100n] }, 50n, CONTRACT), 'signed')
    assert.equal(verdictOf(shares, 51n, CONTRACT), 'c9')
  })

  it('refuses what moves tokens or gives rights where no rule names it or has a limit for it', () => {
    const SEND = 'multiSend(bytes)'
    const packed = Uint8Array.of(0, ...new Uint8Array(20).fill(0x5a), ...new Uint8Array(63), 68, ...approve(5n))
    const carrying = { signature: SEND, data: write(SEND, packed) }
    const own = 'transferOwnership(address)'
    const refused: Change[] = [
      { order: { data: approve(101n) } },
      { order: { signature: SHARES, data: write(SHARES, SPENDER, 1n) } },
      { order: { signature: own, data: write(own, SPENDER) } },
      { order: carrying, rule: { functions: [SEND] } },
    ]
    assert.deepEqual(
      refused.map((change) => verdictOf(change)),
      refused.map(() => 'c5'),
    )
    assert.equal(verdictOf({ order: carrying, rule: { functions: [SEND, APPROVE] }, counts: [CONTRACT, 5n] }), 'signed')
  })
})
