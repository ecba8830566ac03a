import type { ContractCall } from '@holdfast/chain-core'
import { fromHex, toHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, hexToBytes, parseEther } from 'viem'
import devCollectible from '../artifacts/dev-collectible.json' with { type: 'json' }
import devItems from '../artifacts/dev-items.json' with { type: 'json' }
import hostileToken from '../artifacts/hostile-token.json' with { type: 'json' }
import sweeperArtifact from '../artifacts/sweeper.json' with { type: 'json' }
import { codeDelegatingTo, delegateOfCode, delegationTo, encodeCollect, readSweep, sweeper } from '../codec/collect/index.ts'
import { authorizationDigest, buildTransfer, encodeAuthorization, evmCodec, signAuthorization, type SignedAuthorization } from '../codec/index.ts'
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { openOddToken } from '../testing/odd-token.ts'
import { chain, publicKey, sign, signWith } from '../testing/samples.ts'

const CALLER = 9
const target = '0x00000000000000000000000000000000000A11cE'
const at = sweeper.addressOf(target) as Address
const codec = evmCodec({ chain })
/** Who pays for gas, and no key that a network starts with. */
const fuel = codec.addressFromKey(publicKey) as Address
/** Deposit addresses: keys of their own, and never any coin for gas. */
const keys = [1, 2, 3].map((each) => fromHex(String(each).repeat(64)))
const sources = keys.map((key) => codec.addressFromKey(secp256k1.getPublicKey(key, true)) as Address)
const abi = sweeperArtifact.abi as Abi

let anvil: Anvil
let odd: Awaited<ReturnType<typeof openOddToken>>
let clean: Hex

before(async () => {
  anvil = await startAnvil()
  odd = await openOddToken(anvil)
  assert.equal((await odd.call(0, sweeper.deploymentOf(target))).status, 'success')
  await anvil.network.setBalance({ address: fuel, value: parseEther('10') })
  for (const [i, source] of sources.entries()) await odd.write(0, 'mint', [source, 100n + BigInt(i)])
  clean = await anvil.network.snapshot()
})
beforeEach(async () => {
  await anvil.network.revert({ id: clean })
  clean = await anvil.network.snapshot()
})
after(() => anvil.stop())

const collectCall = (pulls: [number, bigint][], { token = odd.address, isWhole = false }: { token?: string | null; isWhole?: boolean } = {}): ContractCall => ({
  contract: at,
  value: 0n,
  data: encodeCollect({ token, pulls: pulls.map(([i, amount]) => ({ source: sources[i]!, amount })), isWhole }),
})

/** Signed by the account itself; nobody else can. */
function delegation(i: number, { nonce = 0n, ends = false } = {}): SignedAuthorization {
  const bytes = encodeAuthorization(delegationTo({ chain, target: ends ? null : target, nonce }))
  return signAuthorization(bytes, signWith(keys[i]!)(authorizationDigest(bytes)))
}

/** A transaction of the fuel wallet, built, read as signers read it, signed and sent. */
async function sent(authorizations: SignedAuthorization[], { contract, data }: ContractCall) {
  const nonce = BigInt(await anvil.network.getTransactionCount({ address: fuel }))
  const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 0n, gasLimit: 2_000_000n }
  const asset = { chain, contract: null }
  const unsigned = buildTransfer({ asset, to: contract, amount: 0n, data, nonce, ...fees, ...(authorizations.length > 0 && { authorizations }) })
  assert.equal(readSweep(codec.decode(unsigned), target).delegations.length, authorizations.length)
  const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
  assert.equal(await anvil.network.sendRawTransaction({ serializedTransaction: `0x${toHex(raw)}` }), txid)
  return anvil.network.waitForTransactionReceipt({ hash: txid as Hex })
}

const delegateAll = () =>
  sent(
    sources.map((_, i) => delegation(i)),
    { contract: at, value: 0n, data: new Uint8Array() },
  )
const codeAt = async (address: Address) => hexToBytes((await anvil.network.getCode({ address })) ?? '0x')
const balances = () => Promise.all([...sources, target, at, fuel].map((each) => odd.balanceOf(each)))
const deploy = async ({ abi: of, bytecode }: { abi: unknown; bytecode: string }): Promise<Address> => {
  const hash = await anvil.walletOf(0).deployContract({ abi: of as Abi, bytecode: bytecode as Hex })
  return getAddress((await anvil.network.waitForTransactionReceipt({ hash })).contractAddress!)
}

describe('the sweeper on a network', () => {
  it('stands where its target says, with the code that is pinned', async () => assert.ok(sweeper.isCode(await codeAt(at), target)))

  it('delegates and sweeps in one transaction that the fuel wallet pays, from addresses that never had a coin', async () => {
    const receipt = await sent(
      sources.map((_, i) => delegation(i)),
      collectCall([
        [0, 100n],
        [1, 101n],
        [2, 50n],
      ]),
    )
    assert.equal(receipt.status, 'success')
    assert.deepEqual(await balances(), [0n, 0n, 52n, 251n, 0n, 0n])
    for (const source of sources) {
      assert.deepEqual(await codeAt(source), codeDelegatingTo(target))
      assert.equal(await anvil.network.getBalance({ address: source }), 0n)
      assert.equal(await anvil.network.getTransactionCount({ address: source }), 1)
    }
    assert.equal((await sent([], collectCall([[2, 52n]]))).status, 'success')
    assert.deepEqual(await balances(), [0n, 0n, 0n, 303n, 0n, 0n])
  })

  it('passes over who has not delegated, has too little or is frozen, and does nothing where the whole was asked for', async () => {
    await sent([delegation(0), delegation(1)], { contract: at, value: 0n, data: new Uint8Array() })
    await odd.write(0, 'setFrozen', [sources[1], true])
    const held = await balances()
    const pulls: [number, bigint][] = [
      [0, 60n],
      [1, 60n],
      [2, 60n],
    ]
    assert.equal((await sent([], collectCall(pulls, { isWhole: true }))).status, 'reverted')
    assert.deepEqual(await balances(), held)
    const missed = odd.missedIn(await sent([], collectCall(pulls)))
    assert.deepEqual(
      missed,
      [1, 2].map((i) => ({ token: odd.address, source: sources[i], asked: 60n, arrived: 0n })),
    )
    assert.equal(await odd.balanceOf(target), 60n)
    assert.equal(odd.missedIn(await sent([], collectCall([[0, 41n]]))).length, 1)
  })

  it('does not count what a token only says', async () => {
    await delegateAll()
    for (const [manner, arrived] of [
      ['saysYesAndKeeps', 0n],
      ['refusesWithFalse', 0n],
      ['takesFee', 18n],
      ['answersNothing', 20n],
      ['floodsAnswer', 20n],
    ] as const) {
      await odd.behave(manner)
      const call = collectCall([[0, 20n]])
      assert.deepEqual(await odd.simulate(call), [arrived])
      assert.equal(odd.missedIn(await sent([], call)).length, arrived < 20n ? 1 : 0, manner)
    }
  })

  it('brings the coin of an address to its last unit, and tells of coin that is not there', async () => {
    await delegateAll()
    await anvil.network.setBalance({ address: sources[0]!, value: 12_345n })
    const missed = odd.missedIn(
      await sent(
        [],
        collectCall(
          [
            [0, 12_345n],
            [1, 1n],
          ],
          { token: null },
        ),
      ),
    )
    assert.deepEqual(
      missed.map(({ source, asked }) => [source, asked]),
      [[sources[1], 1n]],
    )
    assert.equal(await anvil.network.getBalance({ address: sources[0]! }), 0n)
    assert.equal(await anvil.network.getBalance({ address: target }), 12_345n)
  })

  it('lets strangers decide nothing but when: neither what is given to whom, nor calls in the name of an address', async () => {
    await delegateAll()
    const held = await balances()
    const give = fromHex(encodeFunctionData({ abi, functionName: 'give', args: [odd.address, 10n] }).slice(2))
    assert.equal((await odd.call(CALLER, { contract: sources[0]!, value: 0n, data: give })).status, 'reverted')
    assert.equal((await odd.call(CALLER, { ...collectCall([[1, 10n]]), contract: sources[0]! })).status, 'reverted')
    const transfer = `0xa9059cbb${odd.accountOf(CALLER).slice(2).padStart(64, '0')}${'1'.padStart(64, '0')}`
    assert.equal((await odd.call(CALLER, { contract: sources[0]!, value: 0n, data: hexToBytes(transfer as Hex) })).status, 'reverted')
    assert.deepEqual(await balances(), held)
    assert.equal((await odd.call(CALLER, collectCall([[0, 10n]]))).status, 'success')
    assert.equal(await odd.balanceOf(target), 10n)
  })

  it('gives nothing to a hostile token that calls back, nor to one that is named as a source', async () => {
    await delegateAll()
    await odd.behave('callsBack', at, `0x${toHex(collectCall([[1, 30n]]).data)}`)
    const receipt = await odd.call(CALLER, collectCall([[0, 30n]]))
    assert.equal(receipt.status, 'success')
    assert.deepEqual(await balances(), [70n, 71n, 102n, 60n, 0n, 0n])
    await odd.behave('plain')
    const fromToken = encodeCollect({
      token: odd.address,
      pulls: [
        { source: odd.address, amount: 1n },
        { source: sources[2]!, amount: 2n },
      ],
      isWhole: false,
    })
    assert.equal(odd.missedIn(await odd.call(CALLER, { contract: at, value: 0n, data: fromToken })).length, 1)
    assert.equal(await odd.balanceOf(target), 62n)
  })

  it('keeps nothing: what is sent to it by mistake is collected like anything else', async () => {
    await odd.write(0, 'mint', [at, 7n])
    const own = { contract: at, value: 0n, data: encodeCollect({ token: odd.address, pulls: [{ source: at, amount: 7n }], isWhole: true }) }
    assert.equal((await odd.call(CALLER, own)).status, 'success')
    assert.equal(await odd.balanceOf(target), 7n)
  })

  it('is let go by one more authorization, after which it gets nothing', async () => {
    await delegateAll()
    const ended = await sent(
      [delegation(0, { nonce: 1n, ends: true })],
      collectCall([
        [0, 1n],
        [1, 1n],
      ]),
    )
    assert.deepEqual(
      odd.missedIn(ended).map(({ source }) => source),
      [sources[0]],
    )
    assert.equal(delegateOfCode(await codeAt(sources[0]!)), undefined)
    assert.equal((await codeAt(sources[0]!)).length, 0)
  })

  it('is not let in by an authorization that was used, and a transaction goes on without it', async () => {
    await delegateAll()
    await sent([delegation(0, { nonce: 1n, ends: true })], { contract: at, value: 0n, data: new Uint8Array() })
    await sent([delegation(0)], collectCall([[1, 1n]]))
    assert.equal((await codeAt(sources[0]!)).length, 0)
    assert.equal(await odd.balanceOf(target), 1n)
  })
})

describe('an address that delegates', () => {
  const pay = (gas: bigint) => anvil.walletOf(0).sendTransaction({ to: sources[0]!, value: 5n, gas })
  const statusOf = async (hash: Hex) => (await anvil.network.waitForTransactionReceipt({ hash })).status

  it('is paid in coin by contracts and by transactions with gas to spare, and not by those with 21,000, as some exchanges send', async () => {
    assert.equal(await statusOf(await pay(21_000n)), 'success')
    await delegateAll()
    assert.equal(await statusOf(await pay(21_000n)), 'reverted')
    assert.equal(await statusOf(await pay(22_000n)), 'success')
    const passer = await deploy(hostileToken)
    const hash = await anvil
      .walletOf(0)
      .writeContract({ address: passer, abi: hostileToken.abi as Abi, functionName: 'passOn', args: [sources[0]], value: 3n, gas: 200_000n })
    assert.equal(await statusOf(hash), 'success')
    assert.equal(await anvil.network.getBalance({ address: sources[0]! }), 13n)
  })

  it('goes on being given tokens of collections', async () => {
    await delegateAll()
    const [collectible, items] = [await deploy(devCollectible), await deploy(devItems)]
    const calls = [
      { address: collectible, abi: devCollectible.abi as Abi, functionName: 'mint', args: [odd.accountOf(0)] },
      { address: collectible, abi: devCollectible.abi as Abi, functionName: 'safeTransferFrom', args: [odd.accountOf(0), sources[0], 1n] },
      { address: items, abi: devItems.abi as Abi, functionName: 'mint', args: [sources[0], 7n, 2n] },
      { address: items, abi: devItems.abi as Abi, functionName: 'mintBatch', args: [sources[0], [8n, 9n], [1n, 1n]] },
    ]
    for (const call of calls) assert.equal(await statusOf(await anvil.walletOf(0).writeContract({ ...call, gas: 1_000_000n })), 'success', call.functionName)
  })

  it('says of no signature that it is its own', async () => {
    await delegateAll()
    const data = `0x1626ba7e${'0'.repeat(64)}${'40'.padStart(64, '0')}${'0'.repeat(64)}` as Hex
    await assert.rejects(anvil.network.call({ to: sources[0]!, data }))
  })
})
