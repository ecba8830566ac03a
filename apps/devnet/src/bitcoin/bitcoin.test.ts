import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { nodePorts } from '@holdfast/ports/node'
import { p2ms, p2pkh, p2tr, p2wpkh, p2wsh, RawTx, SigHash, Transaction } from '@scure/btc-signer'
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type BitcoinDevnet, findBitcoind, RpcError, runBitcoind, startBitcoin, startBitcoinEmulator } from './index.ts'

const REGTEST = { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef }
const folders: string[] = []
const newFolder = async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bitcoin-'))
  folders.push(folder)
  return folder
}
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

const keys = [1, 2, 3].map((seed) => sha256(Uint8Array.of(seed, 99)))
const pubs = keys.map((key) => secp256k1.getPublicKey(key, true))
const own = p2wpkh(pubs[0]!, REGTEST)
const multisig = p2wsh(p2ms(2, pubs), REGTEST)
const taproot = p2tr(schnorr.getPublicKey(keys[0]!), undefined, REGTEST)
const other = p2wpkh(pubs[1]!, REGTEST)

type Coin = { txid: string; index: number; amount: bigint }
type Spend = { coin: Coin; to?: string; amount?: bigint; fee?: bigint; more?: Coin[]; sign?: boolean }

/** A payment of a P2WPKH coin, with what is left over back to it. */
function spend({ coin, to = other.address!, amount = 100_000n, fee = 1_000n, more = [], sign = true }: Spend): Transaction {
  const transaction = new Transaction({ version: 2 })
  const coins = [coin, ...more]
  for (const each of coins) transaction.addInput({ ...each, witnessUtxo: { script: own.script, amount: each.amount }, sequence: 0xfffffffd })
  transaction.addOutputAddress(to, amount, REGTEST)
  transaction.addOutputAddress(own.address!, coins.reduce((sum, each) => sum + each.amount, 0n) - amount - fee, REGTEST)
  if (!sign) return transaction
  transaction.sign(keys[0]!)
  transaction.finalize()
  return transaction
}

const changeOf = (transaction: Transaction): Coin => ({ txid: transaction.id, index: 1, amount: transaction.getOutput(1).amount! })

const binary = await findBitcoind(nodePorts)
const networks = [
  { name: 'the emulator', start: () => startBitcoinEmulator(nodePorts, { rpcPort: 0 }) },
  {
    name: 'a real bitcoind',
    start: binary === undefined ? undefined : async () => runBitcoind(nodePorts, binary, { rpcPort: 0, dataFolder: await newFolder() }),
  },
]

for (const { name, start } of networks) {
  describe(`a Bitcoin network of this machine: ${name}`, { skip: start ? false : 'there is no bitcoind on the PATH, and DEVNET_BITCOIND names none' }, () => {
    let network: BitcoinDevnet
    const call = (method: string, ...params: unknown[]): Promise<any> => network.call(method, ...params)
    const send = (transaction: Transaction): Promise<string> => call('sendrawtransaction', transaction.hex)
    const refused = (transaction: Transaction, reason: RegExp) =>
      assert.rejects(send(transaction), (error: Error) => error instanceof RpcError && reason.test(error.message))
    const funded = async (address: string, amount: bigint): Promise<Coin> => {
      const { txid } = await network.fund(address, amount)
      const { vout } = await call('getrawtransaction', txid, 1)
      return { txid, index: vout.findIndex((each: { scriptPubKey: { address?: string } }) => each.scriptPubKey.address === address), amount }
    }
    before(async () => {
      network = await start!()
    })
    after(() => network?.stop())

    it('takes a P2WPKH spend, shows it while it waits, and mines it with its fee', async () => {
      const coin = await funded(own.address!, 1_000_000n)
      const transaction = spend({ coin })
      const [verdict] = await call('testmempoolaccept', [transaction.hex])
      assert.deepEqual([verdict.allowed, verdict.fees.base, verdict.vsize], [true, 0.00001, transaction.vsize])
      assert.equal(await send(transaction), transaction.id)
      assert.deepEqual(await call('getrawmempool'), [transaction.id])
      assert.equal(await call('gettxout', coin.txid, coin.index), null)
      assert.notEqual(await call('gettxout', coin.txid, coin.index, false), null)
      await network.mine(1)
      const found = await call('getrawtransaction', transaction.id, 2)
      assert.deepEqual([found.confirmations, found.fee, found.vin[0].prevout.value], [1, 0.00001, 0.01])
      await refused(transaction, /already in (utxo set|block chain)/)
    })

    it('verifies signatures: a wrong key, another amount, a changed output and no witness are refused', async () => {
      const coin = await funded(own.address!, 1_000_000n)
      const wrong = spend({ coin: { ...coin, amount: 1_000_001n } })
      await refused(wrong, /script-verify-flag/)
      const bytes = spend({ coin }).extract()
      // Version, marker, count, outpoint, no script, sequence, count: there the first output's amount begins.
      const at = 4 + 2 + 1 + 36 + 1 + 4 + 1
      bytes[at] = bytes[at]! ^ 1
      await assert.rejects(call('sendrawtransaction', Buffer.from(bytes).toString('hex')), /script-verify-flag/)
      const bare = spend({ coin, sign: false })
      await assert.rejects(call('sendrawtransaction', Buffer.from(bare.unsignedTx).toString('hex')), /Witness|script-verify-flag/)
      await refused(spend({ coin: { ...coin, amount: 3_000_000n }, amount: 2_000_000n }), /in-belowout/)
    })

    it('verifies P2WSH multisig: two of three pay, one does not', async () => {
      const coin = await funded(multisig.address!, 500_000n)
      const transaction = new Transaction({ version: 2 })
      transaction.addInput({ ...coin, witnessUtxo: { script: multisig.script, amount: coin.amount }, witnessScript: multisig.witnessScript })
      transaction.addOutputAddress(other.address!, 499_000n, REGTEST)
      transaction.sign(keys[0]!)
      const once = transaction.getInput(0).partialSig![0]![1]
      transaction.sign(keys[2]!)
      transaction.finalize()
      const half = RawTx.encode({ ...RawTx.decode(transaction.extract()), witnesses: [[new Uint8Array(), once, once, multisig.witnessScript!]] })
      await assert.rejects(call('sendrawtransaction', Buffer.from(half).toString('hex')), /script-verify-flag/)
      assert.equal(await send(transaction), transaction.id)
      await network.mine(1)
    })

    it('verifies taproot by the key, with a signature made outside', async () => {
      const coin = await funded(taproot.address!, 500_000n)
      const transaction = new Transaction({ version: 2 })
      transaction.addInput({ ...coin, witnessUtxo: { script: taproot.script, amount: coin.amount }, tapInternalKey: schnorr.getPublicKey(keys[0]!) })
      transaction.addOutputAddress(other.address!, 499_000n, REGTEST)
      transaction.sign(keys[0]!, [SigHash.DEFAULT])
      transaction.finalize()
      const bytes = transaction.extract()
      bytes[bytes.length - 10] = bytes[bytes.length - 10]! ^ 1
      await assert.rejects(call('sendrawtransaction', Buffer.from(bytes).toString('hex')), /Schnorr/)
      assert.equal(await send(transaction), transaction.id)
      await network.mine(1)
    })

    it('replaces by BIP125: not for too little, not for a lower rate, for enough; and the replaced one is gone with its child', async () => {
      const coin = await funded(own.address!, 1_000_000n)
      const first = spend({ coin, fee: 1_000n })
      await send(first)
      const child = spend({ coin: changeOf(first), fee: 2_000n })
      await send(child)
      await refused(spend({ coin, fee: 1_050n, to: own.address! }), /insufficient fee/)
      // All that falls with it was paid 3,000; nodes differ in what they ask on top, for the relay.
      const { incrementalrelayfee } = await call('getmempoolinfo')
      const relay = BigInt(Math.ceil(incrementalrelayfee * 1e5 * first.vsize))
      await refused(spend({ coin, fee: 3_000n + relay - 2n }), /insufficient fee/)
      const second = spend({ coin, fee: 3_000n + relay })
      assert.equal(await send(second), second.id)
      assert.deepEqual(await call('getrawmempool'), [second.id])
      await assert.rejects(call('getrawtransaction', first.id), /No such mempool/)
      await network.mine(1)
      await refused(first, /missingorspent/)
    })

    it('tells what waits for what, and mines a poor parent for its rich child', async () => {
      const coin = await funded(own.address!, 1_000_000n)
      const parent = spend({ coin, fee: 150n })
      await send(parent)
      const child = spend({ coin: changeOf(parent), fee: 9_000n })
      await send(child)
      const entry = await call('getmempoolentry', child.id)
      assert.deepEqual([entry.ancestorcount, entry.ancestorsize, entry.fees.ancestor], [2, parent.vsize + child.vsize, 0.0000915])
      await network.mine(1)
      const block = await call('getblock', await call('getbestblockhash'), 1)
      assert.deepEqual(block.tx.slice(1), [parent.id, child.id])
    })

    it('refuses dust, less than relay costs, and a reward that is not ripe', async () => {
      const coin = await funded(own.address!, 1_000_000n)
      await refused(spend({ coin, amount: 293n }), /dust/)
      await refused(spend({ coin, fee: 13n }), /min relay fee/)
      const [hash] = await call('generatetoaddress', 1, own.address)
      const { tx } = await call('getblock', hash, 2)
      const reward = { txid: tx[0].txid, index: 0, amount: BigInt(Math.round(tx[0].vout[0].value * 1e8)) }
      await refused(spend({ coin: reward }), /premature-spend-of-coinbase/)
      await refused(spend({ coin: { txid: 'ab'.repeat(32), index: 0, amount: 1_000_000n } }), /missingorspent/)
    })

    it('reorganises: what was in a block waits again, and a double spend can win', async () => {
      const coin = await funded(own.address!, 1_000_000n)
      const paid = spend({ coin })
      await send(paid)
      await network.mine(1)
      const hash = await call('getbestblockhash')
      await call('invalidateblock', hash)
      assert.deepEqual(await call('getrawmempool'), [paid.id])
      const stolen = spend({ coin, to: own.address!, fee: 9_000n })
      await call('generateblock', own.address, [stolen.hex])
      await network.mine(1)
      assert.deepEqual(await call('getrawmempool'), [])
      assert.equal((await call('getrawtransaction', stolen.id, 1)).confirmations, 2)
      assert.equal((await call('getrawtransaction', paid.id, 1)).confirmations ?? 0, 0)
      assert.ok((await call('getchaintips')).some((tip: { hash: string; status: string }) => tip.hash === hash && tip.status === 'invalid'))
    })
  })
}

describe('the emulator', () => {
  it('is the same chain each time it is new, and the same one again after it was stopped', async () => {
    const dataFolder = await newFolder()
    const first = await startBitcoinEmulator(nodePorts, { rpcPort: 0, dataFolder })
    const twin = await startBitcoinEmulator(nodePorts, { rpcPort: 0 })
    assert.equal(await first.call('getbestblockhash'), await twin.call('getbestblockhash'))
    assert.match(first.label, /^Bitcoin emulator/)
    await twin.stop()
    const { txid } = await first.fund(own.address!, 700_000n)
    const coin = { txid, index: 0, amount: 700_000n }
    const { value } = (await first.call('gettxout', txid, 0)) as { value: number }
    const waiting = spend({ coin: value === 0.007 ? coin : { ...coin, index: 1 } })
    await first.call('sendrawtransaction', waiting.hex)
    const tip = await first.call('getbestblockhash')
    await first.stop()
    const again = await startBitcoinEmulator(nodePorts, { rpcPort: 0, dataFolder })
    assert.equal(await again.call('getbestblockhash'), tip)
    assert.deepEqual(await again.call('getrawmempool'), [waiting.id])
    await again.stop()
    await writeFile(join(dataFolder, 'bitcoin-regtest.json'), '{')
    await assert.rejects(startBitcoinEmulator(nodePorts, { rpcPort: 0, dataFolder }), /remove the file/)
  })

  it('mines by itself where it is asked to, and forgets none of those blocks', async () => {
    const dataFolder = await newFolder()
    const network = await startBitcoinEmulator(nodePorts, { rpcPort: 0, blockTimeMs: 20, dataFolder })
    const height = (await network.call('getblockcount')) as number
    while (((await network.call('getblockcount')) as number) < height + 2) await nodePorts.timer.sleep(10)
    await network.stop()
    const again = await startBitcoinEmulator(nodePorts, { rpcPort: 0, dataFolder })
    assert.ok(((await again.call('getblockcount')) as number) >= height + 2)
    await again.stop()
  })

  it('answers what it does not know, and what is no question, as Core does; a page of another origin gets nothing', async () => {
    const network = await startBitcoinEmulator(nodePorts, { rpcPort: 0 })
    await assert.rejects(network.call('getwalletinfo'), /Method not found/)
    await assert.rejects(network.call('toString'), /Method not found/)
    await assert.rejects(network.call('getblockhash', 10_000), /out of range/)
    await assert.rejects(network.call('sendrawtransaction', 'zz'), /TX decode failed/)
    await assert.rejects(network.call('generatetoaddress', 1, p2pkh(pubs[0]!).address), /Invalid address/)
    const post = (body: string, headers: Record<string, string> = {}) => nodePorts.fetch(network.rpcUrl, { method: 'POST', body, headers })
    assert.equal((await post('{')).status, 500)
    assert.equal((await post('{}', { origin: 'http://example.com' })).status, 403)
    assert.equal((await nodePorts.fetch(network.rpcUrl)).status, 405)
    await network.stop()
  })

  it('gives way to a bitcoind that is set, and says so where there is none at that place', async () => {
    const none = { ...nodePorts, process: { ...nodePorts.process, env: { DEVNET_BITCOIND: '/nowhere/bitcoind' } } }
    await assert.rejects(startBitcoin(none, { rpcPort: 0, dataFolder: await newFolder() }), /DEVNET_BITCOIND is \/nowhere/)
    const bare = { ...nodePorts, process: { ...nodePorts.process, env: { PATH: '/nowhere' } } }
    const network = await startBitcoin(bare, { rpcPort: 0, dataFolder: await newFolder() })
    assert.equal(network.isEmulator, true)
    await network.stop()
  })
})
