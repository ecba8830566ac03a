import { ChainError, type ContractCall } from '@holdfast/chain-core'
import { concatBytes, equalBytes, toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import * as viem from 'viem'
import { compileContracts } from '../../contracts/compile.ts'
import { chain, nativeOrder, publicKey, recipient, sign, token } from '../../testing/samples.ts'
import { authorizationDigest, buildTransfer, encodeAuthorization, evmCodec, signAuthorization } from '../index.ts'
import { pinnedContract } from './pinned-contract.ts'
import {
  allowanceCall,
  codeDelegatingTo,
  type Collect,
  collector,
  decodeCollect,
  delegateOfCode,
  delegationTo,
  DEPLOYER,
  encodeCollect,
  readAllowance,
  readCollect,
  readDelegation,
  readSweep,
  sweeper,
} from './index.ts'

const hex = (bytes: Uint8Array): viem.Hex => `0x${toHex(bytes)}`
const codec = evmCodec({ chain })
const addresses = fc
  .uint8Array({ minLength: 20, maxLength: 20 })
  .filter((bytes) => bytes.some((byte) => byte > 0))
  .map((bytes) => viem.getAddress(hex(bytes)))
const amounts = fc.bigInt(1n, (1n << 256n) - 1n)
const pulls = fc.uniqueArray(fc.record({ source: addresses, amount: amounts }, { noNullPrototype: true }), {
  minLength: 1,
  maxLength: 12,
  selector: ({ source }) => source,
})
const collects: fc.Arbitrary<Collect> = fc.record({ token: fc.option(addresses), pulls, isWhole: fc.boolean() }, { noNullPrototype: true })
const abi = viem.parseAbi([
  'function collect(address token, address[] sources, uint256[] amounts)',
  'function collectWhole(address token, address[] sources, uint256[] amounts)',
  'function approve(address spender, uint256 amount)',
])
const target = recipient
const other = '0x90F79bf6EB2c4f870365E785982E1f101E93b906'
const both = { collector, sweeper }

function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (cause) {
    assert.ok(cause instanceof ChainError, String(cause))
    return undefined
  }
}

/** The same bytes with one of them changed. */
function changed(bytes: Uint8Array, place: number, change: number): Uint8Array {
  const copy = bytes.slice()
  copy[place % bytes.length]! ^= change
  return copy
}
const places = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }))

describe('the pinned contracts', () => {
  it('are what their sources compile to, byte for byte, and other bytes are not taken for them', async () => {
    const artifacts = await compileContracts()
    for (const [name, pinned] of Object.entries(both)) {
      const { bytecode, runtime } = artifacts.get(`${name}.json`)!
      const artifact = { bytecode, runtime: runtime! }
      const pin = { name, artifact, creationHash: viem.keccak256(bytecode).slice(2), runtimeHash: viem.keccak256(runtime!.code).slice(2) }
      assert.equal(pinnedContract(pin).addressOf(target), pinned.addressOf(target))
      assert.ok(equalBytes(pinnedContract(pin).codeOf(target), pinned.codeOf(target)))
      const flipped = (code: viem.Hex): viem.Hex => `${code.slice(0, -1)}${code.endsWith('0') ? 1 : 0}` as viem.Hex
      assert.throws(() => pinnedContract({ ...pin, artifact: { ...artifact, bytecode: flipped(bytecode) } }), /not the one that is pinned/)
      assert.throws(() => pinnedContract({ ...pin, artifact: { ...artifact, runtime: { ...runtime!, code: flipped(runtime!.code) } } }), /not the one/)
      assert.throws(() => pinnedContract({ ...pin, artifact: { ...artifact, runtime: { ...runtime!, immutables: {} } } }), /not the one/)
    }
  })

  it('stand where an independent library says, and name their target in their code alone', () => {
    fc.assert(
      fc.property(addresses, addresses, (one, two) => {
        fc.pre(one !== two)
        for (const pinned of Object.values(both)) {
          const { contract, value, data } = pinned.deploymentOf(one)
          assert.deepEqual([contract, value], [DEPLOYER, 0n])
          const expected = viem.getContractAddress({ opcode: 'CREATE2', from: DEPLOYER, salt: viem.zeroHash, bytecode: hex(data.subarray(32)) })
          assert.equal(pinned.addressOf(one), expected)
          assert.ok(pinned.isCode(pinned.codeOf(one), one))
          assert.ok(!pinned.isCode(pinned.codeOf(one), two))
          assert.ok(!pinned.isCode(concatBytes(pinned.codeOf(one), Uint8Array.of(0)), one))
        }
        assert.ok(!collector.isCode(sweeper.codeOf(one), one))
      }),
    )
  })

  it('are no code in which a byte differs', () => {
    fc.assert(
      fc.property(places, ([place, change]) => {
        for (const pinned of Object.values(both)) assert.ok(!pinned.isCode(changed(pinned.codeOf(target), place, change), target))
      }),
    )
  })

  it('are told with their target from the call that deploys them', () => {
    fc.assert(
      fc.property(addresses, (each) => {
        for (const pinned of Object.values(both)) assert.equal(pinned.readDeployment(pinned.deploymentOf(each)), each)
        assert.throws(() => collector.readDeployment(sweeper.deploymentOf(each)), /not the collector/)
      }),
    )
  })

  it('are not what a changed deployment deploys, unless it is theirs with another target', () => {
    fc.assert(
      fc.property(places, ([place, change]) => {
        const call = collector.deploymentOf(target)
        const read = attempt(() => collector.readDeployment({ ...call, data: changed(call.data, place, change) }))
        if (read === undefined) return
        assert.notEqual(read, target)
        assert.deepEqual(collector.deploymentOf(read).data, changed(call.data, place, change))
      }),
    )
    const call = collector.deploymentOf(target)
    const end = call.data.length - 20
    const changes = Array.from({ length: 20 }, (_, i) => collector.readDeployment({ ...call, data: changed(call.data, end + i, 1) }))
    assert.equal(new Set([target, ...changes]).size, 21)
  })

  const deployment = collector.deploymentOf(target)
  const refused: [string, ContractCall, RegExp][] = [
    ['by another deployer', { ...deployment, contract: token }, /deployed by a call of/],
    ['with coin', { ...deployment, value: 1n }, /nothing is sent along/],
    ['with a byte behind it', { ...deployment, data: concatBytes(deployment.data, Uint8Array.of(0)) }, /not the collector/],
    ['without its target', { ...deployment, data: deployment.data.subarray(0, -32) }, /not the collector/],
    ['with bytes before the target', { ...deployment, data: changed(deployment.data, deployment.data.length - 21, 1) }, /bytes before the address/],
    ['with no target', { ...deployment, data: concatBytes(deployment.data.subarray(0, -32), new Uint8Array(32)) }, /zero address/],
  ]
  for (const [what, call, reason] of refused)
    it(`are not deployed ${what}`, () => assert.throws(() => collector.readDeployment(call), { name: ChainError.name, message: reason }))

  it('have no contract for the zero address', () => assert.throws(() => collector.addressOf(viem.zeroAddress), /zero address/))
})

describe('a call that collects', () => {
  it('is written as an independent library writes it, and comes back from its bytes', () => {
    fc.assert(
      fc.property(collects, (collect) => {
        const data = encodeCollect(collect)
        const args = [
          (collect.token ?? viem.zeroAddress) as viem.Address,
          collect.pulls.map(({ source }) => source as viem.Address),
          collect.pulls.map(({ amount }) => amount),
        ] as const
        assert.equal(hex(data), viem.encodeFunctionData({ abi, functionName: collect.isWhole ? 'collectWhole' : 'collect', args }))
        assert.deepEqual(decodeCollect(data), collect)
      }),
    )
  })

  it('with any changed byte is refused, or says what the changed bytes say', () => {
    fc.assert(
      fc.property(collects, places, (collect, [place, change]) => {
        const data = changed(encodeCollect(collect), place, change)
        const read = attempt(() => decodeCollect(data))
        if (!read) return
        assert.deepEqual(encodeCollect(read), data)
        assert.notDeepEqual(read, collect)
      }),
      { numRuns: 500 },
    )
  })

  it('with bytes behind it, cut short, with nothing to take, or naming a source twice is refused', () => {
    const collect = { token, pulls: [{ source: other, amount: 5n }], isWhole: false }
    const data = encodeCollect(collect)
    assert.throws(() => decodeCollect(concatBytes(data, new Uint8Array(32))), /canonical encoding/)
    assert.throws(() => decodeCollect(data.subarray(0, -1)), ChainError)
    assert.throws(() => encodeCollect({ ...collect, pulls: [] }), /from 1 to 500/)
    assert.throws(() => encodeCollect({ ...collect, pulls: [{ source: other, amount: 0n }] }), /takes nothing/)
    assert.throws(() => encodeCollect({ ...collect, pulls: [...collect.pulls, { source: other.toLowerCase(), amount: 1n }] }), /twice/)
    const unequal = viem.encodeFunctionData({ abi, functionName: 'collect', args: [token, [other], [1n, 2n]] })
    assert.throws(() => decodeCollect(viem.hexToBytes(unequal)), /1 addresses and 2 amounts/)
    const many = Array.from({ length: 501 }, (_, i) => ({ source: viem.getAddress(viem.numberToHex(i + 1, { size: 20 })), amount: 1n }))
    assert.throws(() => encodeCollect({ ...collect, pulls: many }), /not 501/)
    const most = encodeCollect({ ...collect, pulls: many.slice(1) })
    const unsigned = buildTransfer({ ...nativeOrder, to: collector.addressOf(target), amount: 0n, data: most, gasLimit: 1n << 24n })
    assert.deepEqual(codec.decode(unsigned).call?.data, most)
  })

  it('is of the pinned contract with this very target, and sends nothing along', () => {
    const collect = { token, pulls: [{ source: other, amount: 5n }], isWhole: false }
    const data = encodeCollect(collect)
    for (const [by, pinned] of Object.entries(both)) {
      const call = { contract: pinned.addressOf(target), value: 0n, data }
      assert.deepEqual(readCollect(call, target), { by, ...collect })
      assert.throws(() => readCollect(call, other), /neither collector nor sweeper/)
      assert.throws(() => readCollect({ ...call, value: 1n }, target), /sends nothing along/)
      assert.throws(() => readCollect({ ...call, contract: token }, target), /neither/)
      const fromTarget = encodeCollect({ ...collect, pulls: [{ source: target, amount: 1n }] })
      assert.throws(() => readCollect({ ...call, data: fromTarget }, target), /itself is named/)
    }
    const coin = encodeCollect({ ...collect, token: null })
    assert.equal(readCollect({ contract: sweeper.addressOf(target), value: 0n, data: coin }, target).token, null)
    assert.throws(() => readCollect({ contract: collector.addressOf(target), value: 0n, data: coin }, target), /takes tokens/)
  })
})

describe('an allowance for the collector', () => {
  const bounded = fc.bigInt(0n, (1n << 95n) - 1n)

  it('is written as an independent library writes it, and comes back from its bytes', () => {
    fc.assert(
      fc.property(addresses, addresses, bounded, (contract, each, amount) => {
        const call = allowanceCall({ token: contract, target: each, amount })
        const args = [collector.addressOf(each) as viem.Address, amount] as const
        assert.deepEqual([call.contract, hex(call.data)], [contract, viem.encodeFunctionData({ abi, functionName: 'approve', args })])
        assert.deepEqual(readAllowance(call, each), { token: contract, amount })
      }),
    )
  })

  it('with any changed byte is refused, or is of another amount', () => {
    fc.assert(
      fc.property(bounded, places, (amount, [place, change]) => {
        const call = allowanceCall({ token, target, amount })
        const data = changed(call.data, place, change)
        const read = attempt(() => readAllowance({ ...call, data }, target))
        if (!read) return
        assert.notEqual(read.amount, amount)
        assert.deepEqual(allowanceCall({ ...read, target }).data, data)
      }),
    )
  })

  it('has a bound, is for the collector of this target, and sends nothing along', () => {
    const call = allowanceCall({ token, target, amount: 7n })
    assert.throws(() => allowanceCall({ token, target, amount: 1n << 95n }), /no bound/)
    assert.throws(() => readAllowance(call, other), /not the collector of/)
    assert.throws(() => readAllowance({ ...call, value: 1n }, target), /nothing along/)
    assert.throws(() => readAllowance({ ...call, data: concatBytes(call.data, Uint8Array.of(0)) }, target), ChainError)
  })
})

describe('a delegation to the sweeper', () => {
  const signedTo = (authorization: { chain: string; delegate: string | null; nonce: bigint }) => {
    const bytes = encodeAuthorization(authorization)
    return signAuthorization(bytes, sign(authorizationDigest(bytes)))
  }
  const data = encodeCollect({ token, pulls: [{ source: other, amount: 5n }], isWhole: false })
  const order = { ...nativeOrder, to: sweeper.addressOf(target), amount: 0n, data, gasLimit: 300_000n }
  const effectsOf = (delegate: string | null, more: Partial<typeof order> = {}) =>
    codec.decode(buildTransfer({ ...order, ...more, authorizations: [signedTo({ chain, delegate, nonce: 9n })] }))

  it('is read from its bytes, and every other delegate and chain is refused', () => {
    fc.assert(
      fc.property(addresses, fc.bigInt(0n, 1000n), addresses, (each, nonce, stranger) => {
        fc.pre(each !== stranger)
        const bytes = encodeAuthorization(delegationTo({ chain, target: each, nonce }))
        assert.deepEqual(readDelegation(bytes, { chain, target: each }), { ends: false, nonce })
        assert.throws(() => readDelegation(bytes, { chain, target: stranger }), /not the sweeper of/)
        assert.throws(() => readDelegation(bytes, { chain: 'eip155:1', target: each }), /not for eip155:1/)
        assert.throws(() => readDelegation(encodeAuthorization({ chain, delegate: stranger, nonce }), { chain, target: each }), /not the sweeper of/)
        const end = encodeAuthorization(delegationTo({ chain, target: null, nonce }))
        assert.deepEqual(readDelegation(end, { chain, target: each }), { ends: true, nonce })
      }),
    )
    const toCollector = encodeAuthorization({ chain, delegate: collector.addressOf(target), nonce: 0n })
    assert.throws(() => readDelegation(toCollector, { chain, target }), /not the sweeper of/)
  })

  it('is read from a transaction with what it collects, and from one that only begins or ends it', () => {
    const authority = codec.addressFromKey(publicKey)
    const begun = { delegations: [{ authority, ends: false, nonce: 9n }], collect: { token, pulls: [{ source: other, amount: 5n }], isWhole: false } }
    assert.deepEqual(readSweep(effectsOf(sweeper.addressOf(target)), target), begun)
    const ended = { delegations: [{ authority, ends: true, nonce: 9n }], collect: null }
    assert.deepEqual(readSweep(effectsOf(null, { data: new Uint8Array() }), target), ended)
    assert.deepEqual(readSweep(codec.decode(buildTransfer(order)), target).delegations, [])
  })

  it('is refused with any other delegate, any other contract and any other call', () => {
    const pinned = sweeper.addressOf(target)
    assert.throws(() => readSweep(effectsOf(token), target), /not the sweeper of/)
    assert.throws(() => readSweep(effectsOf(pinned), other), /not the sweeper of/)
    assert.throws(() => readSweep(effectsOf(pinned, { to: collector.addressOf(target) }), target), /not the sweeper of/)
    assert.throws(() => readSweep(effectsOf(pinned, { data: Uint8Array.of(1, 2, 3, 4) }), target), ChainError)
    assert.throws(() => readSweep(effectsOf(pinned, { amount: 1n }), target), /sends nothing along/)
    assert.throws(() => readSweep(effectsOf(pinned, { amount: 1n, data: new Uint8Array() }), target), /moves nothing by itself/)
    const effects = effectsOf(pinned)
    assert.throws(() => readSweep({ ...effects, actions: [{ kind: 'vote', facts: {} }] }, target), /vote besides/)
  })

  it('is seen in the code of the account', () => {
    assert.equal(delegateOfCode(codeDelegatingTo(target)), sweeper.addressOf(target))
    for (const code of [new Uint8Array(), codeDelegatingTo(target).subarray(1), sweeper.codeOf(target), changed(codeDelegatingTo(target), 2, 1)])
      assert.equal(delegateOfCode(code), undefined)
  })
})
