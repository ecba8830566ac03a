import { type AbiValue, ANY_SUPPLY, encodeFunctionCall, KNOWN_FUNCTIONS, parseSignature } from '@holdfast/chain-evm/codec'
import type { ContractCallIntent, TransferIntent } from '@holdfast/intent'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { approvalContext, type BoundedCallRule, type CallRule, evaluateIntent, evaluateOrder, isUnlimitedGrant, type Policy } from '../index.ts'
import type { StoredLimit } from '../rules/limits.ts'
import { dayLimit, namedRule, personOf, thirdForm } from '../testing/named-rules.ts'
import { CHAIN, ETH, member, samplePolicy, sampleTransfer } from '../testing/sample-organisation.ts'

const people = [0, 1, 2].map(member)
const ids = people.map((each) => each.id)
const [contract, payer, stranger, DEAD] = [
  '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
  '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
  '0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB',
  '0x000000000000000000000000000000000000dEaD',
]
const asked = { initiators: ids, approvers: ids, threshold: 2n }
const HARMLESS = 'deposit()'
const rule: BoundedCallRule = {
  kind: 'boundedCall',
  id: 'calls',
  chain: CHAIN,
  payers: null,
  contracts: [contract],
  functions: [HARMLESS],
  maxValue: 10n,
  maxTokens: 100n,
  window: null,
  unlimitedAllowances: false,
  unknownCallData: true,
  ...asked,
}
const { maxTokens: _, ...shared } = rule
const firstForm: CallRule = { ...shared, kind: 'call', functions: null, window: null }
const policyWith = (...rules: CallRule[]): Policy => {
  const policy = samplePolicy(people, 2)
  return { ...policy, rules: [...policy.rules, ...rules] }
}
const write = (signature: string, ...values: AbiValue[]) => encodeFunctionCall(parseSignature(signature), values)

function callOf(signature: string | null, data: Uint8Array, changes: Partial<ContractCallIntent> = {}): ContractCallIntent {
  const { memo: __, screening: ___, ...order } = sampleTransfer(policyWith(), people[0]!.id)
  return { ...order, kind: 'contractCall', from: payer, to: contract, asset: ETH, amount: 0n, signature, data, ...changes }
}
function verdict(policy: Policy, signature: string | null, data: Uint8Array, changes: Partial<ContractCallIntent> = {}): string {
  const outcome = evaluateIntent(policy, callOf(signature, data, changes))
  return outcome.kind === 'deny' ? outcome.reason : 'passes'
}

const role = new Uint8Array(32).fill(1)
const ALL = (1n << 256n) - 1n
const packed = (data: Uint8Array) => Uint8Array.of(0, ...new Uint8Array(20).fill(0x5a), ...new Uint8Array(63), data.length, ...data)
const approveAll = write('approve(address,uint256)', stranger, ALL)

/** Each call with what the rule says that names the functions in it and lets 100 base units through; the amount is 101 where one is read. */
const disguised: [signature: string, values: AbiValue[], named: string, inside?: string][] = [
  ['transferShares(address,uint256)', [stranger, 101n], 'tokens-too-high'],
  ['push(address,uint256)', [stranger, 101n], 'tokens-too-high'],
  ['move(address,address,uint256)', [payer, stranger, 101n], 'tokens-too-high'],
  ['transfer(address,uint256,uint256)', [stranger, 1n, 101n], 'tokens-too-high'],
  [
    'bulkTransfer(address[],uint256[])',
    [
      [stranger, payer],
      [50n, 51n],
    ],
    'tokens-too-high',
  ],
  ['redeem(uint256,address,address)', [101n, stranger, payer], 'tokens-too-high'],
  ['withdraw(uint256,address,address)', [101n, stranger, payer], 'tokens-too-high'],
  ['burn(uint256)', [101n], 'tokens-too-high'],
  ['setOperator(address,bool)', [stranger, true], 'unlimited-allowance'],
  ['authorizeOperator(address)', [stranger], 'unlimited-allowance'],
  ['approve(address,uint256,uint256)', [stranger, 1n, ALL], 'unlimited-allowance'],
  ['safeApprove(address,uint256)', [stranger, ALL], 'unlimited-allowance'],
  ['transferOwnership(address)', [stranger], 'passes'],
  ['upgradeToAndCall(address,bytes)', [stranger, new Uint8Array()], 'passes'],
  ['grantRole(bytes32,address)', [role, stranger], 'passes'],
  ['multiSend(bytes)', [packed(approveAll)], 'unlimited-allowance', 'approve(address,uint256)'],
  ['exec(bytes)', [Uint8Array.of(1, ...approveAll)], 'unlimited-allowance', 'approve(address,uint256)'],
  ['approve(address,uint256)', [stranger, (1n << 96n) - 2n], 'unlimited-allowance'],
  ['increaseAllowance(address,uint256)', [stranger, 1n << 95n], 'unlimited-allowance'],
]

describe('a call that moves tokens or gives rights under a name of its own', () => {
  for (const [signature, values, named, inside] of disguised) {
    it(`does not pass as a harmless one: ${signature}${inside === undefined ? '' : ` with ${inside} inside`}`, () => {
      const data = write(signature, ...values)
      assert.equal(verdict(policyWith(rule), signature, data), 'function-not-allowed')
      if (inside !== undefined) assert.equal(verdict(policyWith({ ...rule, functions: [signature] }), signature, data), 'hidden-function')
      assert.equal(verdict(policyWith({ ...rule, functions: [signature, ...(inside === undefined ? [] : [inside])] }), signature, data), named)
      // Nor does data that is claimed to be unreadable, nor a rule of the first form, which named no functions and had no limit.
      assert.notEqual(verdict(policyWith(rule), null, data), 'passes')
      assert.notEqual(verdict(policyWith(firstForm), signature, data), 'passes')
      assert.notEqual(verdict(policyWith({ ...firstForm, functions: [signature] }), signature, data), 'passes')
    })
  }

  it('passes up to the limit of the rule, all that one call moves and allows together', () => {
    const [MULTI, SHARES, APPROVE] = ['multicall(bytes[])', 'transferShares(address,uint256)', 'approve(address,uint256)']
    const functions = [MULTI, SHARES, APPROVE]
    const shares = (amount: bigint) => write(SHARES, stranger, amount)
    const approve = (amount: bigint) => write(APPROVE, stranger, amount)
    const policy = policyWith({ ...rule, functions })
    assert.equal(verdict(policy, SHARES, shares(100n)), 'passes')
    assert.equal(verdict(policy, APPROVE, approve(100n)), 'passes')
    assert.equal(verdict(policy, APPROVE, approve(0n)), 'passes')
    assert.equal(verdict(policy, APPROVE, approve(101n)), 'tokens-too-high')
    assert.equal(verdict(policy, MULTI, write(MULTI, [shares(50n), approve(50n)])), 'passes')
    assert.equal(verdict(policy, MULTI, write(MULTI, [shares(50n), approve(51n)])), 'tokens-too-high')
    assert.equal(verdict(policyWith({ ...rule, functions, unlimitedAllowances: true }), APPROVE, approve(ALL)), 'passes')
    assert.equal(verdict(policyWith({ ...rule, functions, unlimitedAllowances: true }), SHARES, shares(101n)), 'tokens-too-high')
  })

  it('may raise an allowance only where a limit over time counts how often', () => {
    const RAISE = 'increaseAllowance(address,uint256)'
    const window = { lengthMs: 1_000n, maxAmount: 0n, maxTokens: 100n }
    assert.equal(verdict(policyWith({ ...rule, functions: [RAISE] }), RAISE, write(RAISE, stranger, 1n)), 'unlimited-allowance')
    assert.equal(verdict(policyWith({ ...rule, functions: [RAISE], window }), RAISE, write(RAISE, stranger, 1n)), 'passes')
    const { chain, contracts, maxValue, maxTokens, unlimitedAllowances, unknownCallData } = rule
    const covers = { kind: 'calls' as const, chain, contracts, functions: [RAISE], maxValue, maxTokens, unlimitedAllowances, unknownCallData }
    const steps = [{ need: 1n, who: people.map(personOf) }]
    const named = (...limits: StoredLimit[]) => thirdForm(people, { rules: [namedRule('calls', { covers, limits, steps })] })
    const ofCoin = dayLimit({ amounts: [{ chain: CHAIN, asset: '', max: 5n }] })
    assert.equal(verdict(named(ofCoin), RAISE, write(RAISE, stranger, 1n)), 'unlimited-allowance', 'a limit of the coin counts no tokens')
    for (const limit of [{ maxTokens: 5n }, { maxCount: 5n }]) assert.equal(verdict(named(dayLimit(limit)), RAISE, write(RAISE, stranger, 1n)), 'passes')
  })

  it('does not move coin and tokens at once where a limit over time counts them', () => {
    const [SHARES, window] = ['transferShares(address,uint256)', { lengthMs: 1_000n, maxAmount: 10n, maxTokens: 100n }]
    const policy = policyWith({ ...rule, functions: [SHARES], window })
    assert.equal(verdict(policy, SHARES, write(SHARES, stranger, 1n), { amount: 1n }), 'uncountable-call')
    assert.equal(verdict(policyWith({ ...rule, functions: [SHARES] }), SHARES, write(SHARES, stranger, 1n), { amount: 1n }), 'passes')
  })

  it('sends nothing to where nobody can spend it', () => {
    const REDEEM = 'redeem(uint256,address,address)'
    const policy = policyWith({ ...rule, functions: [REDEEM] })
    assert.equal(verdict(policy, REDEEM, write(REDEEM, 1n, stranger, payer)), 'passes')
    assert.equal(verdict(policy, REDEEM, write(REDEEM, 1n, DEAD, payer)), 'dead-destination')
  })

  it('gives away one token of a collection that the policy pins, whatever its number, and never number 0 as if it were nothing', () => {
    const APPROVE = 'approve(address,uint256)'
    const policy = policyWith({ ...rule, functions: [APPROVE], maxTokens: 0n })
    const pinned = { ...policy, assets: [...policy.assets, { ...ETH, contract: `erc721:${contract}`, decimals: 0n }] }
    const nobody = `0x${'0'.repeat(40)}`
    assert.equal(verdict(pinned, APPROVE, write(APPROVE, stranger, 0n)), 'tokens-too-high')
    assert.equal(verdict(pinned, APPROVE, write(APPROVE, nobody, 7n)), 'passes')
  })

  it('is found at any depth of whatever carries it', () => {
    const dangerous = KNOWN_FUNCTIONS.filter(({ deed }) => deed === 'rights')
    const carriers = ['run(bytes)', 'run(bytes[])', 'run((address,bytes)[])', 'run((bytes,uint256))', 'multicall(bytes[])'] as const
    const carry = (signature: string, data: Uint8Array) =>
      write(
        signature,
        signature.includes('(bytes,uint256)')
          ? [data, 1n]
          : signature.includes('(address,bytes)')
            ? [[contract, data]]
            : signature.includes('[]')
              ? [data]
              : data,
      )
    fc.assert(
      fc.property(
        fc.constantFrom(...dangerous),
        fc.array(fc.tuple(fc.constantFrom(...carriers), fc.uint8Array({ maxLength: 9 })), { minLength: 1, maxLength: 4 }),
        ({ signature }, around) => {
          const { selector } = parseSignature(signature)
          const inner = Uint8Array.from([...selector.match(/../g)!.map((byte) => Number.parseInt(byte, 16)), ...new Uint8Array(64).fill(1)])
          const data = around.reduce<Uint8Array>((each, [carrier, junk]) => carry(carrier, Uint8Array.of(...junk, ...each)), inner)
          const outer = around.at(-1)![0]
          assert.equal(verdict(policyWith({ ...rule, functions: [outer] }), outer, data), 'hidden-function')
        },
      ),
    )
  })
})

describe('a rule for calls of the first form', () => {
  const [APPROVE, WRAP] = ['approve(address,uint256)', 'multicall(bytes[])']
  const approve = write(APPROVE, stranger, 5n)

  it('lets no function through where it names none, and nothing that moves tokens or gives rights', () => {
    assert.equal(verdict(policyWith(firstForm), HARMLESS, write(HARMLESS)), 'rule-outdated')
    const named = policyWith({ ...firstForm, functions: [HARMLESS, APPROVE, WRAP] })
    assert.equal(verdict(named, HARMLESS, write(HARMLESS)), 'passes')
    assert.equal(verdict(named, APPROVE, approve), 'rule-outdated')
    assert.equal(verdict(named, WRAP, write(WRAP, [approve])), 'rule-outdated')
  })

  it('still lets allowances be taken back', () => {
    assert.equal(verdict(policyWith({ ...firstForm, functions: [APPROVE] }), APPROVE, write(APPROVE, stranger, 0n)), 'passes')
  })

  it('proves what was signed under it, in the words of its time', () => {
    const policy = policyWith(firstForm)
    assert.equal(evaluateIntent(policy, callOf(APPROVE, approve), { judged: 'then' }).kind, 'needs')
    assert.equal(approvalContext(policy).tellsFinds, false)
    const grant = { kind: 'allowance' as const, token: contract, spender: stranger, amount: ANY_SUPPLY, adds: false }
    assert.deepEqual([isUnlimitedGrant(policy, CHAIN, grant), isUnlimitedGrant(policyWith(rule), CHAIN, grant)], [false, true])
  })
})

describe('a payment that would be lost for good', () => {
  const policy = policyWith()
  const payment = (changes: Partial<TransferIntent>): TransferIntent => ({ ...sampleTransfer(policy, people[0]!.id), ...changes })
  const reasonOf = (intent: Parameters<typeof evaluateOrder>[1]) => {
    const outcome = evaluateOrder(policy, intent)
    return outcome.kind === 'deny' ? outcome.reason : null
  }

  it('is denied whatever the rules say, whoever approves', () => {
    assert.equal(reasonOf(payment({ to: stranger })), null)
    for (const to of [DEAD, `0x${'0'.repeat(40)}`, `0x${'0'.repeat(39)}1`]) assert.equal(reasonOf(payment({ to })), 'dead-destination', to)
    const { memo, screening, ...rest } = payment({ to: stranger })
    const outputs = [stranger, DEAD].map((to) => ({ to, amount: 1n }))
    assert.equal(reasonOf({ ...rest, memo, screening, kind: 'payout', outputs }), 'dead-destination')
    assert.equal(reasonOf(callOf(HARMLESS, write(HARMLESS), { to: DEAD })), 'dead-destination')
  })

  it('is one of a token to its own contract', () => {
    const token = { ...ETH, contract }
    assert.equal(reasonOf(payment({ asset: token, to: contract })), 'own-contract')
    assert.equal(reasonOf(payment({ asset: { ...ETH, contract: `erc721:${contract}/0x1` }, to: contract })), 'own-contract')
    assert.notEqual(reasonOf(payment({ asset: token, to: stranger })), 'own-contract')
  })

  it('stays proven where it was signed before, and can be cancelled', () => {
    assert.equal(evaluateIntent(policy, payment({ to: DEAD }), { judged: 'then' }).kind, 'needs')
  })
})
