import { codecFor, jettonWalletAddress, requireAddress } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import { toHex } from '@holdfast/encoding'
import { derivePublicKey, FROST_ED25519, PROTOCOL } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import { encodeKits, readKits } from '@holdfast/protocol'
import jettonWallet from '@holdfast/chain-ton/artifacts/jetton-wallet.json' with { type: 'json' }
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { WALLET_FORM } from '../../../devnet/src/ton/first-accounts.ts'
import { startTon, TON_CHAIN as chain, type TonNetwork } from '../../../devnet/src/ton/start-ton.ts'
import { generateKey } from '../testing/generate-key.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { runCli, runCliTyping } from '../testing/run-cli.ts'
import { foundOrganisation } from '../testing/test-organisation.ts'

const acme = foundOrganisation()
const shares = generateKey(acme, 'sweep-ton', FROST_ED25519)
const codec = codecFor(chain)!
const { protocol, publicKey, chainCode } = shares[0]!
const keyAt = (number: number) => derivePublicKey(protocol, publicKey, chainCode, [number, 0])
const VAULT = codec.addressFromKey(new Uint8Array(32).fill(3))
const TON = 1_000_000_000n

describe('recover sweep on TON', () => {
  let folder = ''
  let ton: TonNetwork
  const at = (name: string) => join(folder, name)

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sweep-ton-'))
    const officers = await Promise.all(['one', 'two'].map((name) => newOfficer(at(name))))
    for (const { path, secret } of officers) await writeFile(path, secret)
    // The file of a treasury: its ECDSA key comes first, and what is on TON is swept with the other.
    const kits = await Promise.all(
      [generateKey(acme, 'sweep-evm', PROTOCOL), shares].map(async (each) => {
        const signed = await Promise.all([0, 1].map((i) => sealShare(acme, each[i]!, [officers[i]!.recipient])))
        return readKits(makeKit(acme, each[0]!, signed, {}, 2))
      }),
    )
    await writeFile(at('kit'), encodeKits(kits.flat()))
    ton = await startTon(nodePorts, { port: 0, dataFolder: folder, blockTimeMs: 1_000, mining: false })
  })
  after(async () => {
    await ton.stop()
    await rm(folder, { recursive: true })
  })

  const identities = () => ['one', 'two'].flatMap((name) => ['--identity', at(name)])
  const call = (out: string) => ['recover', 'sweep', '--kit', at('kit'), ...identities(), '--plan', at('plan'), '--out', at(out)]

  it('moves the jetton and the TON of a wallet that was never made to one destination, by messages that the network takes', async () => {
    const { contract, symbol, decimals } = ton.token
    const { fetch, timer } = nodePorts
    const node = tonNode({ chain, rpcUrl: ton.url, tokens: [contract], fetch, timer, publicKeyOf: async () => undefined })
    const address = codec.addressFromKey(keyAt(3))
    await ton.pay(null, address, 5n * TON)
    await ton.pay(contract, address, 7_000_001n)
    await ton.mine(1)
    const { timestampMs } = (await node.readBlock((await node.head()).height))!
    const { workchain, hash } = jettonWalletAddress(WALLET_FORM, requireAddress(contract, true), requireAddress(address, true))
    const token = { contract, symbol, decimals: String(decimals), balance: '7000001', wallet: `${workchain}:${toHex(hash)}`, walletCode: jettonWallet.code }
    const source = { address, seqno: '0', balance: String(await node.balance(address, { chain, contract: null })), tokens: [token] }
    const plan = { chain, destination: VAULT, blockTimeMs: String(timestampMs), sources: [source] }
    await writeFile(at('plan'), JSON.stringify(plan))
    const { code, out, err } = await runCliTyping((printed) => /SWEEP [0-9a-f]{8}/.exec(printed)![0], {}, call('raw'))
    assert.equal(code, 0, err)
    for (const part of [`From ${address} (m/3/0)`, '7000001 base units of the token', `7.000001 ${symbol}`, 'of the own coin', 'good until'])
      assert.ok(out.includes(part), `${part}\n${out}`)
    const { transactions } = JSON.parse(await readFile(at('raw'), 'utf8')) as { transactions: { raw: string; txid: string }[] }
    for (const { raw, txid } of transactions) {
      const response = await fetch(ton.url, { method: 'POST', body: JSON.stringify({ id: 1, method: 'sendBoc', params: { boc: raw } }) })
      assert.ok(response.ok, await response.clone().text())
      await ton.mine(1)
      const state = await node.transaction(txid)
      assert.ok(state.state === 'included' && state.success)
    }
    assert.equal(await node.balance(VAULT, { chain, contract }), 7_000_001n)
    assert.ok((await node.balance(VAULT, { chain, contract: null })) > 4n * TON)
    assert.ok((await node.balance(address, { chain, contract: null })) < TON / 5n)
  })

  it('says what is wrong with a plan, and signs nothing', async () => {
    const source = { address: codec.addressFromKey(keyAt(0)), seqno: '0', balance: String(9n * TON) }
    const good = { chain, destination: VAULT, blockTimeMs: '1795000000000', sources: [source] }
    const token = { contract: VAULT, balance: '5', wallet: VAULT, walletCode: jettonWallet.code }
    const wrong: [unknown, RegExp][] = [
      [{ ...good, hours: '25' }, /1 to 24 hours/],
      [{ ...good, blockTimeMs: undefined }, /lacks "blockTimeMs"/],
      [{ ...good, destination: `U${VAULT.slice(1)}` }, /is no address of/],
      [{ ...good, sources: [{ ...source, nonce: '0' }] }, /"nonce", which means nothing/],
      [{ ...good, sources: [{ ...source, balance: '50000000' }] }, /nothing to move/],
      [{ ...good, sources: [{ ...source, tokens: [token] }] }, /is not that of/],
      [{ ...good, sources: [{ ...source, tokens: [{ ...token, walletCode: 'AAAA' }] }] }, /can be built/],
    ]
    for (const [plan, reason] of wrong) {
      await writeFile(at('plan'), JSON.stringify(plan))
      const { code, err } = await runCli(...call('none'), '--confirm', 'SWEEP 00000000')
      assert.equal(code, 2, err)
      assert.match(err, reason)
    }
  })
})
