import { toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Address, encodeFunctionData, hexToBytes, parseAbi } from 'viem'
import { allowanceCall, collector, encodeCollect, type Pull } from '../codec/collect/index.ts'
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { type Manner, openOddToken } from '../testing/odd-token.ts'

const SOURCES = [1, 2, 3, 4]
const CALLER = 9
const target = '0x00000000000000000000000000000000000A11cE'

let anvil: Anvil
let odd: Awaited<ReturnType<typeof openOddToken>>

before(async () => {
  anvil = await startAnvil()
  odd = await openOddToken(anvil)
  assert.equal((await odd.call(0, collector.deploymentOf(target))).status, 'success')
})
after(() => anvil.stop())

const source = (index: number) => odd.accountOf(index)
const pullsOf = (given: [number, bigint][]): Pull[] => given.map(([index, amount]) => ({ source: source(index), amount }))
const callOf = (given: [number, bigint][], isWhole = false) => ({
  contract: collector.addressOf(target),
  value: 0n,
  data: encodeCollect({ token: odd.address, pulls: pullsOf(given), isWhole }),
})
const allow = (index: number, amount: bigint) => odd.call(index, allowanceCall({ token: odd.address, target, amount }))

/** Everybody who could gain or lose by a call, and what the sources allow. */
async function stateOf() {
  const spender = collector.addressOf(target)
  const [held, others, allowed, received, supply] = await Promise.all([
    Promise.all(SOURCES.map((index) => odd.balanceOf(source(index)))),
    Promise.all([spender, source(CALLER), source(0), odd.address].map((each) => odd.balanceOf(each))),
    Promise.all(SOURCES.map((index) => odd.read('allowance', [source(index), spender]))),
    odd.balanceOf(target),
    odd.read('totalSupply'),
  ])
  return { held, others, allowed, received, supply }
}

type State = Awaited<ReturnType<typeof stateOf>>
const sum = (numbers: bigint[]) => numbers.reduce((all, each) => all + each, 0n)

type Step =
  | { does: 'mint' | 'allow' | 'pass'; index: number; amount: bigint }
  | { does: 'behave'; manner: Manner }
  | { does: 'freeze'; index: number; isFrozen: boolean }
  | { does: 'collect'; pulls: [number, bigint][]; isWhole: boolean }

const indexes = fc.constantFrom(...SOURCES)
const few = fc.bigInt(0n, 100n)
const pullsGiven = fc.uniqueArray(fc.tuple(indexes, fc.bigInt(1n, 60n)), { minLength: 1, selector: ([index]) => index })
const manners = fc.constantFrom<Manner>('plain', 'answersNothing', 'refusesWithFalse', 'reverts', 'saysYesAndKeeps', 'takesFee', 'floodsAnswer')
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ does: fc.constantFrom('mint', 'allow', 'allow', 'pass'), index: indexes, amount: few }) as fc.Arbitrary<Step> },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('behave' as const), manner: manners }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('freeze' as const), index: indexes, isFrozen: fc.boolean() }) },
  { weight: 3, arbitrary: fc.record({ does: fc.constant('collect' as const), pulls: pullsGiven, isWhole: fc.boolean() }) },
)

/** What each source gives, by the rules of a token that behaves so. */
function expected(state: State, pulls: [number, bigint][], manner: Manner, frozen: Set<number>): bigint[] {
  return pulls.map(([index, amount]) => {
    const at = SOURCES.indexOf(index)
    const gives = !['refusesWithFalse', 'reverts', 'saysYesAndKeeps'].includes(manner) && !frozen.has(index)
    if (!gives || state.allowed[at]! < amount || state.held[at]! < amount) return 0n
    return manner === 'takesFee' ? amount - amount / 10n : amount
  })
}

async function checkCollect(state: State, { pulls, isWhole }: Step & { does: 'collect' }, manner: Manner, frozen: Set<number>): Promise<void> {
  const arrives = expected(state, pulls, manner, frozen)
  const misses = pulls.flatMap(([index, asked], i) => (arrives[i]! < asked ? [{ token: odd.address, source: source(index), asked, arrived: arrives[i]! }] : []))
  const receipt = await odd.call(CALLER, callOf(pulls, isWhole))
  const now = await stateOf()
  if (isWhole && misses.length > 0) {
    assert.equal(receipt.status, 'reverted')
    return assert.deepEqual(now, state)
  }
  assert.equal(receipt.status, 'success')
  assert.equal(now.received - state.received, sum(arrives))
  assert.deepEqual(odd.missedIn(receipt), misses)
  const gone = SOURCES.map((index) => pulls.reduce((all, [each, asked], i) => (each === index && arrives[i]! > 0n ? all + asked : all), 0n))
  assert.deepEqual(
    now.held,
    state.held.map((held, i) => held - gone[i]!),
  )
  assert.deepEqual(
    now.allowed,
    state.allowed.map((allowed, i) => allowed - gone[i]!),
  )
  assert.deepEqual(now.others, state.others)
}

describe('the collector on a network', () => {
  it('stands where its target says, with the code that is pinned', async () => {
    const code = await anvil.network.getCode({ address: collector.addressOf(target) as Address })
    assert.ok(collector.isCode(hexToBytes(code!), target))
    assert.equal((await odd.call(0, collector.deploymentOf(target))).status, 'reverted')
  })

  it('moves to the target what was allowed and nothing else, conserves the sum and tells of all that it misses, whatever happens before', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 4, maxLength: 12 }), async (given) => {
        await anvil.undone(async () => {
          let manner: Manner = 'plain'
          const frozen = new Set<number>()
          for (const index of SOURCES) {
            await odd.write(0, 'mint', [source(index), 100n])
            await allow(index, 80n)
          }
          for (const step of given) {
            const state = await stateOf()
            assert.equal(sum(state.held) + sum(state.others) + state.received, state.supply)
            if (step.does === 'mint') await odd.write(0, 'mint', [source(step.index), step.amount])
            if (step.does === 'allow') await allow(step.index, step.amount)
            if (step.does === 'pass') await odd.write(step.index, 'transfer', [source(0), step.amount])
            if (step.does === 'behave') await odd.behave((manner = step.manner))
            if (step.does === 'freeze') await odd.write(0, 'setFrozen', [source(step.index), step.isFrozen])
            if (step.does === 'freeze') frozen[step.isFrozen ? 'add' : 'delete'](step.index)
            if (step.does === 'collect') await checkCollect(state, step, manner, frozen)
          }
        })
      }),
      { numRuns: 40 },
    )
  })

  it('that a token calls back brings what is collected on the way to the target too, above no allowance, and counts the whole right', async () => {
    await fc.assert(
      fc.asyncProperty(pullsGiven, pullsGiven, async (outer, inner) => {
        await anvil.undone(async () => {
          for (const index of SOURCES) {
            await odd.write(0, 'mint', [source(index), 100n])
            await allow(index, 70n)
          }
          await odd.behave('callsBack', collector.addressOf(target), `0x${toHex(callOf(inner).data)}`)
          const state = await stateOf()
          const arrives = await odd.simulate(callOf(outer))
          const receipt = await odd.call(CALLER, callOf(outer))
          const now = await stateOf()
          assert.equal(receipt.status, 'success')
          assert.equal(now.received - state.received, sum(arrives))
          assert.equal(sum(state.held) - sum(now.held), now.received - state.received)
          assert.deepEqual(now.others, state.others)
          const taken = state.held.map((held, i) => held - now.held[i]!)
          assert.deepEqual(
            taken,
            state.allowed.map((allowed, i) => allowed - now.allowed[i]!),
          )
          assert.ok(taken.every((each, i) => each >= 0n && each <= state.allowed[i]!))
        })
      }),
      { numRuns: 25 },
    )
  })

  it('gets for nobody but the target what a token gives to anyone', async () => {
    await odd.write(0, 'mint', [source(1), 40n])
    await odd.behave('allowsAnyone')
    const state = await stateOf()
    await odd.call(CALLER, callOf([[1, 40n]]))
    const now = await stateOf()
    assert.equal(now.received - state.received, 40n)
    assert.deepEqual(now.others, state.others)
    await odd.behave('plain')
  })

  it('takes no token that is none, nor lists of two lengths, and keeps no coin', async () => {
    const noToken = { ...callOf([[1, 1n]]), data: encodeCollect({ token: source(3), pulls: pullsOf([[1, 1n]]), isWhole: false }) }
    assert.equal((await odd.call(CALLER, noToken)).status, 'reverted')
    const abi = parseAbi(['function collect(address token, address[] sources, uint256[] amounts)'])
    const lists = encodeFunctionData({ abi, functionName: 'collect', args: [odd.address, [source(1), source(2)], [1n]] })
    assert.equal((await odd.call(CALLER, { ...callOf([[1, 1n]]), data: hexToBytes(lists) })).status, 'reverted')
    assert.equal((await odd.call(CALLER, { ...callOf([[1, 1n]]), value: 1n })).status, 'reverted')
    assert.equal((await odd.call(CALLER, { ...callOf([[1, 1n]]), value: 1n, data: new Uint8Array() })).status, 'reverted')
  })

  it('takes nothing once the allowance was taken back', async () => {
    await odd.write(0, 'mint', [source(2), 40n])
    await allow(2, 40n)
    await allow(2, 0n)
    const state = await stateOf()
    assert.deepEqual(odd.missedIn(await odd.call(CALLER, callOf([[2, 1n]]))).length, 1)
    assert.deepEqual(await stateOf(), state)
  })
})
