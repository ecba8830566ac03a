import { codecFor } from '@holdfast/chain-bitcoin/codec'
import { bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { recipient as destination } from '@holdfast/chain-bitcoin/testing'
import { type BitcoinDevnet, startBitcoinEmulator } from '@holdfast/devnet/bitcoin'
import { derivePublicKey, FROST_TAPROOT, PROTOCOL } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { generateKey } from '../testing/generate-key.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { runCliTyping } from '../testing/run-cli.ts'
import { foundOrganisation } from '../testing/test-organisation.ts'

const acme = foundOrganisation()

describe('recover sweep of Bitcoin', () => {
  let folder = ''
  let network: BitcoinDevnet
  const at = (name: string) => join(folder, name)
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sweep-bitcoin-'))
    network = await startBitcoinEmulator(nodePorts, { rpcPort: 0 })
  })
  after(async () => {
    await network.stop()
    await rm(folder, { recursive: true })
  })

  for (const [name, protocol] of [
    ['P2WPKH', PROTOCOL],
    ['P2TR', FROST_TAPROOT],
  ] as const) {
    it(`moves all coins of an address of the kit (${name}) in a transaction that a node takes as it stands in the file`, async () => {
      const { chain } = network
      const { fetch, timer } = nodePorts
      const node = bitcoinNode({ chain, rpcUrl: network.rpcUrl, fetch, timer })
      const shares = generateKey(acme, `sweep ${name}`, protocol)
      const { publicKey, chainCode } = shares[0]!
      const address = codecFor(chain)!.addressFromKey(derivePublicKey(protocol, publicKey, chainCode, [0, 0]))
      const officers = await Promise.all([0, 1].map((i) => newOfficer(at(`${name}-${i}`))))
      for (const { path, secret } of officers) await writeFile(path, secret)
      const signed = await Promise.all([0, 1].map((i) => sealShare(acme, shares[i]!, [officers[i]!.recipient])))
      await writeFile(at(`${name}-kit`), makeKit(acme, shares[0]!, signed, { addresses: [{ path: [0n, 0n], chain, address }] }))
      for (const amount of [70_000n, 30_000n]) await network.fund(address, amount)
      const coins = await Promise.all(
        (await node.listCoins(address)).map(async ({ txid, index, amount }) => ({
          txid,
          index: String(index),
          amount: String(amount),
          ...(protocol === PROTOCOL ? { transaction: (await network.call('getrawtransaction', txid)) as string } : {}),
        })),
      )
      await writeFile(at(`${name}-plan`), JSON.stringify({ chain, destination, satPerKvb: '2000', sources: [{ address, coins }] }))
      const files = ['--kit', at(`${name}-kit`), '--plan', at(`${name}-plan`), '--out', at(`${name}-raw`)]
      const identities = officers.flatMap(({ path }) => ['--identity', path])
      const typed = (printed: string) => /SWEEP [0-9a-f]{8}/.exec(printed)![0]
      const { code, out, err } = await runCliTyping(typed, {}, ['recover', 'sweep', ...identities, ...files])
      assert.equal(code, 0, err)
      for (const part of [`From ${address} (m/0/0)`, 'spends 2 coin(s) of this address', `1 transaction(s) on ${chain}`]) assert.ok(out.includes(part), out)
      const { transactions } = JSON.parse(await readFile(at(`${name}-raw`), 'utf8')) as { transactions: { txid: string; raw: string }[] }
      const paidBefore = await node.balance(destination, { chain, contract: null })
      assert.equal(await network.call('sendrawtransaction', transactions[0]!.raw), transactions[0]!.txid)
      await network.mine(1)
      const state = await node.transaction(transactions[0]!.txid)
      assert.ok(state.state === 'included')
      assert.equal((await node.balance(destination, { chain, contract: null })) - paidBefore, 100_000n - state.fee)
      assert.equal(await node.balance(address, { chain, contract: null }), 0n)
    })
  }
})
