import { codecFor } from '@holdfast/chain-evm/codec'
import { derivePublicKey, FROST_ED25519 } from '@holdfast/mpc'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { type Address, erc20Abi, erc721Abi, type Hex, parseAbi } from 'viem'
import { type Collection, ensureCollections, mintToken } from '../../../devnet/src/ensure-collections.ts'
import { ensureToken, type Token } from '../../../devnet/src/ensure-token.ts'
import { CHAIN } from '../../../devnet/src/open-network.ts'
import { type Anvil, runAnvil } from '../../../devnet/src/run-anvil.ts'
import type { Identity } from '../recover/recovery-identity.ts'
import { generateKey } from '../testing/generate-key.ts'
import { makeKit, newOfficer, sealShare } from '../testing/make-kit.ts'
import { runCli, runCliTyping } from '../testing/run-cli.ts'
import { foundOrganisation } from '../testing/test-organisation.ts'

const acme = foundOrganisation()
const shares = generateKey(acme, 'sweep')
const addressAtPath = (path: number[]) =>
  codecFor(CHAIN)!.addressFromKey(derivePublicKey(shares[0]!.protocol, shares[0]!.publicKey, shares[0]!.chainCode, path)) as Address
const addressAt = (number: number) => addressAtPath([number, 0])
const VAULT = '0x00000000000000000000000000000000000A11cE' as Address
const GWEI = 10n ** 9n
const ETHER = 10n ** 18n

describe('recover sweep', () => {
  let folder = ''
  let anvil: Anvil
  let token: Token
  const at = (name: string) => join(folder, name)
  const destination = codecFor(CHAIN)!.canonicalAddress(VAULT.toLowerCase())! as Address
  const coinOf = (address: Address) => anvil.network.getBalance({ address })
  const tokensOf = (address: Address) =>
    anvil.network.readContract({ address: token.contract as Address, abi: erc20Abi, functionName: 'balanceOf', args: [address] })

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sweep-'))
    const officers: Identity[] = []
    for (const name of ['one', 'two']) {
      const officer = await newOfficer(at(name))
      await writeFile(officer.path, officer.secret)
      officers.push(officer)
    }
    // The third signer's share is lost: a sweep needs no more than two.
    const signed = await Promise.all([0, 1].map((i) => sealShare(acme, shares[i]!, [officers[i]!.recipient])))
    await writeFile(at('kit'), makeKit(acme, shares[0]!, signed, {}, 2))
    anvil = await runAnvil(nodePorts, 0, at('anvil.log'))
    token = await ensureToken(anvil.network)
  })
  after(async () => {
    await anvil.stop()
    await rm(folder, { recursive: true })
  })

  const planFile = async (name: string, plan: unknown) => {
    await writeFile(at(name), typeof plan === 'string' ? plan : JSON.stringify(plan))
    return at(name)
  }
  const call = (plan: string, out: string, ...more: string[]) =>
    ['recover', 'sweep', '--kit', at('kit'), '--identity', at('one'), '--identity', at('two'), '--plan', plan, '--out', at(out)].concat(more)
  const fees = { maxFeePerGas: String(2n * GWEI), maxPriorityFeePerGas: String(2n * GWEI) }

  async function fund(address: Address, coin: bigint, tokens: bigint): Promise<void> {
    const { network } = anvil
    await network.sendTransaction({ to: address, value: coin })
    await network.mine({ blocks: 1 })
    if (tokens === 0n) return
    await network.writeContract({ address: token.contract as Address, abi: erc20Abi, functionName: 'transfer', args: [address, tokens] })
    await network.mine({ blocks: 1 })
  }

  const source = async (address: Address, withTokens: boolean) => ({
    address,
    nonce: String(await anvil.network.getTransactionCount({ address })),
    balance: String(await coinOf(address)),
    ...(withTokens
      ? { tokens: [{ contract: token.contract, symbol: token.symbol, decimals: String(token.decimals), balance: String(await tokensOf(address)) }] }
      : {}),
  })

  it('moves all coin and all tokens of every address of the plan to one destination, on a real network', async () => {
    // Two addresses of the kit, and one that was given out after the kit was written.
    const [first, second, later] = [addressAt(0), addressAt(1), addressAt(30)]
    await fund(first, 3n * ETHER, 1_250_000n)
    await fund(second, ETHER / 2n, 0n)
    await fund(later, ETHER, 7n)
    const sources = [await source(first, true), await source(second, false), await source(later, true)]
    const plan = await planFile('plan', { chain: CHAIN, destination: destination.toLowerCase(), ...fees, sources })
    let asked = ''
    const { code, out, err } = await runCliTyping((printed) => (asked = /SWEEP [0-9a-f]{8}/.exec(printed)![0]), {}, call(plan, 'raw'))
    assert.equal(code, 0, err)
    assert.match(asked, /^SWEEP /)
    for (const part of [
      'Share of signer 3 (West): MISSING',
      `From ${first} (m/0/0)`,
      `From ${later} (m/30/0)`,
      `sends 1250000 base units of the token ${token.contract} (1.25 USDX, as the plan calls it) to ${destination}`,
      'sends 0.499958 of the own coin of the network',
      '5 transaction(s) on eip155:31337',
      '5 signed transaction(s) are in',
    ]) {
      assert.ok(out.includes(part), `${part}\n${out}`)
    }
    assert.equal((await stat(at('raw'))).mode & 0o777, 0o600)
    const file = JSON.parse(await readFile(at('raw'), 'utf8')) as { chain: string; transactions: { from: string; txid: Hex; raw: Hex }[] }
    let fee = 0n
    for (const { raw, txid } of file.transactions) {
      assert.equal(await anvil.network.sendRawTransaction({ serializedTransaction: raw }), txid)
      await anvil.network.mine({ blocks: 1 })
      const { status, gasUsed, effectiveGasPrice } = await anvil.network.getTransactionReceipt({ hash: txid })
      assert.equal(status, 'success')
      fee += gasUsed * effectiveGasPrice
    }
    assert.equal(await tokensOf(destination), 1_250_007n)
    for (const address of [first, second, later]) assert.equal(await tokensOf(address), 0n)
    // Of the coin only what a token's gas limit was above its use stays; an address without tokens is empty to the last unit.
    assert.equal(await coinOf(second), 0n)
    const left = (await coinOf(first)) + (await coinOf(later))
    assert.ok(left < 2n * 120_000n * 2n * GWEI, String(left))
    assert.equal(await coinOf(destination), 3n * ETHER + ETHER / 2n + ETHER - fee - left)
  })

  it('moves tokens of collections, each named with its number', async () => {
    const { network } = anvil
    const from = addressAt(5)
    await fund(from, ETHER, 0n)
    const collections = await ensureCollections(network)
    for (const collection of collections) await mintToken(network, collection, from, 3n)
    await network.mine({ blocks: 1 })
    const [piece, items] = collections as [Collection, Collection]
    const tokens = [piece, items].map(({ standard, contract }) => ({ contract: `${standard}:${contract}/0x1`, balance: standard === 'erc721' ? '1' : '3' }))
    const plan = await planFile('collections', { chain: CHAIN, destination, ...fees, sources: [{ ...(await source(from, false)), tokens }] })
    const { code, err } = await runCliTyping((printed) => /SWEEP [0-9a-f]{8}/.exec(printed)![0], {}, call(plan, 'collections-raw'))
    assert.equal(code, 0, err)
    for (const { raw } of (JSON.parse(await readFile(at('collections-raw'), 'utf8')) as { transactions: { raw: Hex }[] }).transactions) {
      await network.sendRawTransaction({ serializedTransaction: raw })
      await network.mine({ blocks: 1 })
    }
    const owner = await network.readContract({ address: piece.contract as Address, abi: erc721Abi, functionName: 'ownerOf', args: [1n] })
    const has = { address: items.contract as Address, abi: parseAbi(['function balanceOf(address, uint256) view returns (uint256)']) }
    assert.deepEqual([owner, await network.readContract({ ...has, functionName: 'balanceOf', args: [destination, 1n] })], [destination, 3n])
  })

  it('finds every address that signers let money go to, and by its path also one that no product of ours gave out', async () => {
    const sources = [
      { address: addressAtPath([0, 19]), nonce: '0', balance: String(ETHER) },
      { address: addressAtPath([1999, 0]), nonce: '0', balance: String(ETHER) },
      { address: addressAtPath([541_384_986, 7, 3]), path: '541384986/7/3', nonce: '0', balance: String(ETHER) },
    ]
    const plan = await planFile('siblings', { chain: CHAIN, destination, ...fees, sources })
    assert.match((await runCli(...call(plan, 'siblings-raw'))).out, /3 transaction\(s\) on eip155:31337/)
  })

  it('signs nothing unless exactly the words asked for are typed', async () => {
    const plan = await planFile('unconfirmed', {
      chain: CHAIN,
      destination,
      ...fees,
      sources: [{ address: addressAt(0), path: 'm/0/0', nonce: '0', balance: String(ETHER) }],
    })
    const words = /SWEEP [0-9a-f]{8}/.exec((await runCli(...call(plan, 'never'))).out)![0]
    for (const typed of [undefined, '', 'yes', 'SWEEP 00000000', words.toLowerCase()]) {
      const { code, err } = await runCliTyping(typed === undefined ? undefined : () => typed, {}, call(plan, 'never'))
      assert.equal(code, 1, typed)
      assert.match(err, /Nothing was signed/)
    }
    const dearer = await planFile('dearer', {
      chain: CHAIN,
      destination,
      ...fees,
      maxFeePerGas: '3000000000',
      sources: [{ address: addressAt(0), nonce: '0', balance: String(ETHER) }],
    })
    assert.equal((await runCli(...call(dearer, 'never', '--confirm', words))).code, 1, 'the words are those of these transactions alone')
    assert.equal(await stat(at('never')).catch(() => undefined), undefined)
    assert.equal((await runCli(...call(plan, 'scripted', '--confirm', words))).code, 0)
    assert.equal((await runCli(...call(plan, 'scripted', '--confirm', words))).code, 2, 'signed transactions are never overwritten')
    assert.match((await runCli(...call(plan, 'chinese', '--lang', 'zh-CN'))).out, /尚未签名/)
  })

  it('says what is wrong with a plan, and signs nothing', async () => {
    const good = { chain: CHAIN, destination, ...fees, sources: [{ address: addressAt(0), nonce: '0', balance: String(ETHER) }] }
    const one = good.sources[0]!
    const token5 = { contract: token.contract, balance: '5' }
    const wrong: [unknown, RegExp][] = [
      ['{', /not JSON/],
      [[], /JSON object/],
      [{ ...good, sources: [] }, /names no address/],
      [{ ...good, chain: 'bip122:1' }, /cannot move anything on bip122:1/],
      [{ ...good, destination: '0x12' }, /destination 0x12 is no address/],
      [{ ...good, destination: addressAt(0) }, /emptied and is the destination/],
      [{ ...good, gasprice: '1' }, /"gasprice", which means nothing/],
      [{ ...good, maxFeePerGas: 2e9 }, /must be a text in quotes/],
      [{ ...good, maxFeePerGas: '2e9' }, /whole number of base units/],
      [{ ...good, maxPriorityFeePerGas: '3000000000' }, /priority fee is higher/],
      [{ ...good, sources: [one, one] }, /names an address twice/],
      [{ ...good, sources: [{ ...one, nonce: undefined }] }, /lacks "nonce"/],
      [{ ...good, sources: [{ ...one, note: 'x' }] }, /"note", which means nothing/],
      [{ ...good, sources: [{ ...one, address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }] }, /not among the first 2000 addresses/],
      [{ ...good, sources: [{ ...one, path: '1/0' }] }, /m\/1\/0 does not lead to/],
      [{ ...good, sources: [{ ...one, path: "44'/0" }] }, /is not a path/],
      [{ ...good, sources: [{ ...one, balance: '1' }] }, /nothing to move/],
      [{ ...good, sources: [{ ...one, balance: '1', tokens: [token5] }] }, /send it coin first/],
      [{ ...good, sources: [{ ...one, tokens: [{ ...token5, balance: '0' }] }] }, /moves nothing/],
      [{ ...good, sources: [{ ...one, tokens: [{ ...token5, decimals: '78' }] }] }, /decimals/],
    ]
    for (const [i, [plan, reason]] of wrong.entries()) {
      const { code, err } = await runCli(...call(await planFile(`wrong-${i}`, plan), 'none', '--confirm', 'SWEEP 00000000'))
      assert.equal(code, 2, err)
      assert.match(err, reason)
    }
    assert.equal((await runCli(...call(await planFile('good', good), 'none').slice(0, -2))).code, 2, 'a sweep without a file to write to')
    const single = await runCli('recover', 'sweep', '--kit', at('kit'), '--identity', at('one'), '--plan', at('good'), '--out', at('none'))
    assert.equal(single.code, 1)
    assert.match(single.err, /1 share\(s\) can be used/)
  })

  it('does not sign on a network with a key of another kind', async () => {
    const officers = await Promise.all([0, 1].map((i) => newOfficer(at(`frost-${i}`))))
    for (const { path, secret } of officers) await writeFile(path, secret)
    const keys = generateKey(acme, 'frost', FROST_ED25519)
    const signed = await Promise.all([0, 1].map((i) => sealShare(acme, keys[i]!, [officers[i]!.recipient])))
    await writeFile(at('frost-kit'), makeKit(acme, keys[0]!, signed))
    const identities = officers.flatMap(({ path }) => ['--identity', path])
    const { code, err } = await runCli('recover', 'sweep', '--kit', at('frost-kit'), ...identities, '--plan', at('good'), '--out', at('none'))
    assert.equal(code, 2)
    assert.match(err, /with which nothing is signed on/)
  })
})
