import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { recipient as BITCOIN_ADDRESS } from '@holdfast/chain-bitcoin/testing'
import { tonNode } from '@holdfast/chain-ton/node'
import { tronNode } from '@holdfast/chain-tron/node'
import { nodePorts } from '@holdfast/ports/node'
import { mnemonicToAccount } from 'viem/accounts'
import { startDevnet } from './index.ts'
import { MNEMONIC } from './open-network.ts'
import { bob, configFor, fetch, nodeOf, post, timer, TOKEN } from './testing/ask-devnet.ts'
import { TON_CHAIN } from './ton/start-ton.ts'
import { TRON_CHAIN } from './tron/start-tron.ts'

describe('the second EVM network beside it', () => {
  it('has the same addresses and other coins: the faucet pays where it is told to, and what is signed for one network is refused by the other', async () => {
    const config = await configFor({ secondPort: 0, blockTimeMs: 20 })
    const devnet = await startDevnet(nodePorts, config)
    try {
      const { second } = (await (await fetch(`${devnet.faucetUrl}/api/info`)).json()) as { second: { chain: string; url: string } }
      assert.deepEqual([second.chain, second.url], ['eip155:31338', devnet.second!.rpcUrl])
      const nodes = [nodeOf(devnet), nodeOf(devnet.second!)]
      const balances = (contract: string | null) => Promise.all(nodes.map((node) => node.balance(bob, { chain: node.chain, contract })))
      for (const [asset, contract, amount] of [
        ['ETH', null, 10n ** 18n],
        ['USDX', TOKEN, 1_000_000n],
      ] as const) {
        const there = contract === null ? 'DEV' : asset
        assert.equal((await post(devnet.faucetUrl, { address: bob, chain: second.chain, asset: there, amount: '1' })).status, 200)
        assert.deepEqual(await balances(contract), [0n, amount])
        assert.equal((await post(devnet.faucetUrl, { address: bob, asset, amount: '1' })).status, 200)
        assert.deepEqual(await balances(contract), [amount, amount])
      }
      for (const [address, chain] of [
        [bob, 'eip155:1'],
        [bob, 7],
        [BITCOIN_ADDRESS, second.chain],
      ] as const) {
        assert.equal((await post(devnet.faucetUrl, { address, chain, asset: 'ETH', amount: '1' })).status, 400)
      }
      const fees = { gas: 21_000n, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n, nonce: 0 }
      const raw = await mnemonicToAccount(MNEMONIC, { addressIndex: 2 }).signTransaction({ to: bob, value: 1n, chainId: 31_337, ...fees })
      const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendRawTransaction', params: [raw] })
      const sent = (url: string) => fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      assert.match(await (await sent(second.url)).text(), /chain id/i)
      assert.match(await (await sent(devnet.rpcUrl)).text(), /"result":"0x[0-9a-f]{64}"/)
    } finally {
      await devnet.stop()
    }
    const again = await startDevnet(nodePorts, config)
    try {
      const { chain, rpcUrl } = again.second!
      assert.equal(await nodeOf({ chain, rpcUrl }).balance(bob, { chain, contract: null }), 10n ** 18n)
    } finally {
      await again.stop()
    }
  })
})

describe('the TRON emulator beside it', () => {
  it('is named as an emulator, and the faucet pays on it whoever names an address of TRON', async () => {
    const devnet = await startDevnet(nodePorts, await configFor({ tronPort: 0, blockTimeMs: 20 }))
    try {
      const { tron } = (await (await fetch(`${devnet.faucetUrl}/api/info`)).json()) as { tron: { label: string; chain: string; url: string } }
      assert.deepEqual([tron.label, tron.chain, tron.url], ['TRON emulator', TRON_CHAIN, devnet.tron!.url])
      const node = tronNode({ chain: tron.chain, rpcUrl: tron.url, tokens: [devnet.tron!.token.contract], fetch, timer })
      const address = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
      for (const [asset, contract] of [
        ['TRX', null],
        ['USDZ', devnet.tron!.token.contract],
      ] as const) {
        const { status, answer } = await post(devnet.faucetUrl, { address, asset, amount: '2.5' })
        assert.equal(status, 200, JSON.stringify(answer))
        assert.equal(await node.balance(address, { chain: tron.chain, contract }), 2_500_000n)
        const state = await node.transaction(answer.txid!)
        assert.ok(state.state === 'included' && state.height === BigInt(answer.height!))
      }
      const refused = await post(devnet.faucetUrl, { address, asset: 'ETH', amount: '1' })
      assert.deepEqual([refused.status, refused.answer.error?.code], [400, 'bad_asset'])
    } finally {
      await devnet.stop()
    }
  })
})

describe('the Bitcoin network beside it', () => {
  it('is named as what it is, and the faucet pays on it whoever names an address of it', async () => {
    const devnet = await startDevnet(nodePorts, await configFor({ bitcoinPort: 0, blockTimeMs: 20 }))
    try {
      const { bitcoin } = (await (await fetch(`${devnet.faucetUrl}/api/info`)).json()) as { bitcoin: { label: string; chain: string; url: string } }
      assert.match(bitcoin.label, /^Bitcoin (emulator \(no Bitcoin Core\)|node of this machine \(regtest\))$/)
      const node = bitcoinNode({ chain: bitcoin.chain, rpcUrl: bitcoin.url, fetch, timer })
      const { status, answer } = await post(devnet.faucetUrl, { address: BITCOIN_ADDRESS, asset: 'BTC', amount: '2.5' })
      assert.equal(status, 200, JSON.stringify(answer))
      assert.equal(await node.balance(BITCOIN_ADDRESS, { chain: bitcoin.chain, contract: null }), 250_000_000n)
      const state = await node.transaction(answer.txid!)
      assert.ok(state.state === 'included' && state.height === BigInt(answer.height!))
      const { height } = await node.head()
      while ((await node.head()).height < height + 2n) await timer.sleep(20)
      // While mining is paused what the faucet pays waits, until it goes on.
      const pause = (body: object) => post(devnet.faucetUrl, body, undefined, '/api/mining')
      assert.equal((await pause({ chain: bitcoin.chain, paused: true })).status, 200)
      const waiting = await post(devnet.faucetUrl, { address: BITCOIN_ADDRESS, asset: 'BTC', amount: '1' })
      assert.deepEqual([waiting.status, waiting.answer.height], [200, null])
      await timer.sleep(100)
      assert.deepEqual(await node.transaction(waiting.answer.txid!), { state: 'pending' })
      assert.equal(((await (await fetch(`${devnet.faucetUrl}/api/info`)).json()) as { bitcoin: { paused: boolean } }).bitcoin.paused, true)
      for (const wrong of [{ chain: bitcoin.chain }, { chain: devnet.chain, paused: true }, { paused: false }]) assert.equal((await pause(wrong)).status, 400)
      assert.equal((await pause({ chain: bitcoin.chain, paused: false })).status, 200)
      while ((await node.transaction(waiting.answer.txid!)).state === 'pending') await timer.sleep(20)
      for (const [asset, amount, code] of [
        ['ETH', '1', 'bad_asset'],
        ['BTC', '11', 'over_limit'],
      ]) {
        const refused = await post(devnet.faucetUrl, { address: BITCOIN_ADDRESS, asset, amount })
        assert.deepEqual([refused.status, refused.answer.error?.code], [400, code])
      }
    } finally {
      await devnet.stop()
    }
  })
})

describe('the TON emulator beside it', () => {
  it('is named as an emulator, and the faucet pays on it whoever names an address of TON', async () => {
    const devnet = await startDevnet(nodePorts, await configFor({ tonPort: 0, blockTimeMs: 20 }))
    try {
      const { ton } = (await (await fetch(`${devnet.faucetUrl}/api/info`)).json()) as { ton: { label: string; chain: string; url: string } }
      assert.deepEqual([ton.label, ton.chain, ton.url], ['TON emulator', TON_CHAIN, devnet.ton!.url])
      const { contract } = devnet.ton!.token
      const node = tonNode({ chain: ton.chain, rpcUrl: ton.url, tokens: [contract], publicKeyOf: async () => undefined, fetch, timer })
      const address = `0:${'17'.repeat(32)}`
      for (const [asset, of, amount] of [
        ['TON', null, 2_500_000_000n],
        ['USDJ', contract, 2_500_000n],
      ] as const) {
        const { status, answer } = await post(devnet.faucetUrl, { address, asset, amount: '2.5' })
        assert.equal(status, 200, JSON.stringify(answer))
        assert.equal(await node.balance(address, { chain: ton.chain, contract: of }), amount)
        const state = await node.transaction(answer.txid!)
        assert.ok(state.state === 'included' && state.height === BigInt(answer.height!))
      }
    } finally {
      await devnet.stop()
    }
  })
})
