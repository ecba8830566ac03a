import { tronCodec } from '@holdfast/chain-tron/codec'
import { tronNode } from '@holdfast/chain-tron/node'
import { fromHex } from '@holdfast/encoding'
import { derivePublicKey } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startTron, TRON_CHAIN as chain, type TronNetwork } from '../../../devnet/src/tron/start-tron.ts'
import { generateKey } from '../testing/generate-key.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { runCli, runCliTyping } from '../testing/run-cli.ts'
import { foundOrganisation } from '../testing/test-organisation.ts'

const acme = foundOrganisation()
const shares = generateKey(acme, 'sweep-tron')
const codec = tronCodec({ chain })
const { protocol, publicKey, chainCode } = shares[0]!
const addressAt = (number: number) => codec.addressFromKey(derivePublicKey(protocol, publicKey, chainCode, [number, 0]))
const VAULT = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
const TRX = 1_000_000n

describe('recover sweep on TRON', () => {
  let folder = ''
  let tron: TronNetwork
  const at = (name: string) => join(folder, name)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sweep-tron-'))
    const officers = await Promise.all(['one', 'two'].map((name) => newOfficer(at(name))))
    for (const { path, secret } of officers) await writeFile(path, secret)
    const signed = await Promise.all([0, 1].map((i) => sealShare(acme, shares[i]!, [officers[i]!.recipient])))
    await writeFile(at('kit'), makeKit(acme, shares[0]!, signed, {}, 2))
    tron = await startTron(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: 3_000, mining: false })
  })
  after(async () => {
    await tron.stop()
    await rm(folder, { recursive: true })
  })

  const call = (plan: string, out: string) => [
    'recover',
    'sweep',
    '--kit',
    at('kit'),
    '--identity',
    at('one'),
    '--identity',
    at('two'),
    '--plan',
    plan,
    '--out',
    at(out),
  ]
  const planFile = async (plan: unknown) => {
    await writeFile(at('plan'), JSON.stringify(plan))
    return at('plan')
  }

  it('moves the TRC-20 and the TRX of an address to one destination, by bytes that the network takes', async () => {
    const { contract, symbol, decimals } = tron.token
    const node = tronNode({ chain, rpcUrl: tron.url, tokens: [contract], fetch: nodePorts.fetch, timer: nodePorts.timer })
    const address = addressAt(3)
    await tron.pay(null, address, 50n * TRX)
    await tron.pay(contract, address, 7_000_001n)
    await tron.mine(20)
    const { hash, timestampMs } = (await node.readBlock((await node.finalHead!()).height))!
    const tokens = [{ contract, symbol, decimals: String(decimals), balance: '7000001' }]
    const sources = [{ address, balance: String(50n * TRX), tokens }]
    const plan = { chain, destination: VAULT, block: hash, blockTimeMs: String(timestampMs), tokenFeeLimit: String(10n * TRX), sources }
    const { code, out, err } = await runCliTyping((printed) => /SWEEP [0-9a-f]{8}/.exec(printed)![0], {}, call(await planFile(plan), 'raw'))
    assert.equal(code, 0, err)
    for (const part of [`From ${address} (m/3/0)`, `7000001 base units of the token ${contract} (7.000001 USDZ`, 'sends 38.4 of the own coin', 'good until']) {
      assert.ok(out.includes(part), `${part}\n${out}`)
    }
    const { transactions } = JSON.parse(await readFile(at('raw'), 'utf8')) as { transactions: { raw: string; txid: string }[] }
    for (const { raw, txid } of transactions) {
      assert.deepEqual(await node.broadcast(fromHex(raw.slice(2))), { outcome: 'accepted' })
      await tron.mine(1)
      const state = await node.transaction(txid)
      assert.ok(state.state === 'included' && state.success)
    }
    assert.equal(await node.balance(VAULT, { chain, contract }), 7_000_001n)
    assert.equal(await node.balance(VAULT, { chain, contract: null }), 38_400_000n)
  })

  it('says what is wrong with a plan, and signs nothing', async () => {
    const source = { address: addressAt(0), balance: String(9n * TRX) }
    const good = { chain, destination: VAULT, block: '00'.repeat(32), blockTimeMs: '1795000000000', tokenFeeLimit: '1', sources: [source] }
    const wrong: [unknown, RegExp][] = [
      [{ ...good, block: 'ab' }, /64 digits/],
      [{ ...good, hours: '24' }, /1 to 23 hours/],
      [{ ...good, hours: '0' }, /1 to 23 hours/],
      [{ ...good, blockTimeMs: undefined }, /lacks "blockTimeMs"/],
      [{ ...good, destination: '0x00000000000000000000000000000000000A11cE' }, /is no address of/],
      [{ ...good, sources: [{ ...source, nonce: '0' }] }, /"nonce", which means nothing/],
      [{ ...good, sources: [{ ...source, balance: '1100000' }] }, /nothing to move/],
      [{ ...good, tokenFeeLimit: String(9n * TRX), sources: [{ ...source, tokens: [{ contract: VAULT, balance: '5' }] }] }, /send it coin first/],
    ]
    for (const [plan, reason] of wrong) {
      const { code, err } = await runCli(...call(await planFile(plan), 'none'), '--confirm', 'SWEEP 00000000')
      assert.equal(code, 2, err)
      assert.match(err, reason)
    }
  })
})
