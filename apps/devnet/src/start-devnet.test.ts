import { evmNode } from '@holdfast/chain-evm/node'
import { nodePorts } from '@holdfast/ports/node'
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { bitcoinNode } from '@holdfast/chain-bitcoin/node'
import { recipient as BITCOIN_ADDRESS } from '@holdfast/chain-bitcoin/testing'
import { tonNode } from '@holdfast/chain-ton/node'
import { tronNode } from '@holdfast/chain-tron/node'
import { type Devnet, type DevnetConfig, readConfig, startDevnet } from './index.ts'
import { TON_CHAIN } from './ton/start-ton.ts'
import { TRON_CHAIN } from './tron/start-tron.ts'

const TOKEN = '0x5FbDB2315678afecb367f032d93F642f64180aa3'
const bob = '0x1111111111111111111111111111111111111111'
const { fetch, timer } = nodePorts
const folders: string[] = []

async function configFor(changes: Partial<DevnetConfig> = {}): Promise<DevnetConfig> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'devnet-'))
  folders.push(dataFolder)
  return { rpcPort: 0, faucetPort: 0, dataFolder, blockTimeMs: 50, ...changes }
}

function nodeOf({ chain, rpcUrl }: { chain: string; rpcUrl: string }) {
  return evmNode({ chain, rpcUrl, tokens: [TOKEN], fetch, timer })
}

async function post(url: string, body: unknown, type = 'application/json') {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await fetch(`${url}/api/fund`, { method: 'POST', headers: { 'content-type': type }, body: text })
  return { status: response.status, answer: (await response.json()) as { txid?: string; height?: string; error?: { code: string; message: string } } }
}

async function answers(url: string): Promise<boolean> {
  return fetch(url, { method: 'POST', body: '{}' }).then(
    () => true,
    () => false,
  )
}

after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
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

describe('a running development network', () => {
  let devnet: Devnet
  before(async () => {
    devnet = await startDevnet(nodePorts, await configFor())
  })
  after(() => devnet.stop())

  it('says what it is', async () => {
    const info = (await (await fetch(`${devnet.faucetUrl}/api/info`)).json()) as Record<string, unknown>
    assert.equal(info.label, 'local development network')
    assert.deepEqual([info.chain, info.rpcUrl, info.tokens], ['eip155:31337', devnet.rpcUrl, devnet.tokens])
    assert.deepEqual(devnet.tokens, [{ symbol: 'USDX', name: 'Development Dollar', contract: TOKEN, decimals: 6 }])
  })

  it('pays the coin and the token to whoever asks, and a node of the chain sees both arrive', async () => {
    const node = nodeOf(devnet)
    for (const [asset, contract, amount, units] of [
      ['ETH', null, '1.5', 1_500_000_000_000_000_000n],
      ['USDX', TOKEN, '250.000001', 250_000_001n],
    ] as const) {
      const { status, answer } = await post(devnet.faucetUrl, { address: bob, asset, amount })
      assert.equal(status, 200, JSON.stringify(answer))
      const block = await node.readBlock(BigInt(answer.height!))
      const arrived = block!.transfers.map(({ txid, asset: { contract: token }, to, amount: got }) => ({ txid, token, to, got }))
      assert.deepEqual(arrived, [{ txid: answer.txid, token: contract, to: bob, got: units }])
      assert.equal(await node.balance(bob, { chain: devnet.chain, contract }), units)
    }
  })

  it('makes a token of either collection for whoever asks, one at a time of the collectible, and a node of the chain sees it arrive', async () => {
    const texts = devnet.collections.map(({ standard, contract }) => `${standard}:${contract}`)
    const node = evmNode({ chain: devnet.chain, rpcUrl: devnet.rpcUrl, tokens: texts, fetch, timer })
    for (const [at, asset, amount] of [
      [0, 'DEVC', '1'],
      [1, 'DEVI', '7'],
    ] as const) {
      const { status, answer } = await post(devnet.faucetUrl, { address: bob, asset, amount })
      assert.equal(status, 200, JSON.stringify(answer))
      const block = await node.readBlock(BigInt(answer.height!))
      assert.deepEqual(
        block!.transfers.map(({ asset: { contract }, to, amount: got }) => ({ contract, to, got })),
        [{ contract: `${texts[at]}/0x1`, to: bob, got: BigInt(amount) }],
      )
    }
    assert.equal((await post(devnet.faucetUrl, { address: bob, asset: 'DEVC', amount: '2' })).answer.error?.code, 'over_limit')
    assert.equal((await post(devnet.faucetUrl, { address: bob, asset: 'DEVI', amount: '0.5' })).answer.error?.code, 'bad_amount')
  })

  it('pays many at once, each exactly once', async () => {
    const carol = '0x2222222222222222222222222222222222222222'
    const paid = await Promise.all(Array.from({ length: 20 }, () => post(devnet.faucetUrl, { address: carol, asset: 'ETH', amount: '1' })))
    assert.ok(
      paid.every(({ status }) => status === 200),
      JSON.stringify(paid),
    )
    assert.equal(new Set(paid.map(({ answer }) => answer.txid)).size, 20)
    assert.equal(await nodeOf(devnet).balance(carol, { chain: devnet.chain, contract: null }), 20n * 10n ** 18n)
  })

  it('mines by itself, each block joined to the one before and later than it', async () => {
    const node = nodeOf(devnet)
    const { height } = await node.head()
    while ((await node.head()).height < height + 3n) await timer.sleep(20)
    for (let at = height + 1n; at <= height + 3n; at++) {
      const [block, parent] = [(await node.readBlock(at))!, (await node.readBlock(at - 1n))!]
      assert.equal(block.parentHash, parent.hash)
      assert.ok(block.timestampMs >= parent.timestampMs)
    }
  })

  it('refuses what it cannot pay, and says why', async () => {
    const good = { address: bob, asset: 'ETH', amount: '1' }
    const refused: [unknown, string][] = [
      ...['0x123', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD', 7].map((address): [unknown, string] => [{ ...good, address }, 'bad_address']),
      [{ ...good, asset: 'BTC' }, 'bad_asset'],
      [{ ...good, asset: 'toString' }, 'bad_asset'],
      ...['0', '-1', '1e3', 1, '1,5', '', '1.0000000000000000001'].map((amount): [unknown, string] => [{ ...good, amount }, 'bad_amount']),
      [{ ...good, asset: 'USDX', amount: '0.0000001' }, 'bad_amount'],
      [{ ...good, amount: '1000.1' }, 'over_limit'],
      [{ ...good, asset: 'USDX', amount: '1000001' }, 'over_limit'],
      [{}, 'bad_address'],
      ['[]', 'bad_address'],
      ['null', 'bad_request'],
      ['{', 'bad_request'],
      [`"${'x'.repeat(5000)}"`, 'bad_request'],
      [{ address: TOKEN, asset: 'ETH', amount: '1' }, 'refused'],
    ]
    for (const [body, code] of refused) {
      const { status, answer } = await post(devnet.faucetUrl, body)
      assert.ok(status >= 400 && answer.error!.message.length > 10, JSON.stringify(body))
      assert.equal(answer.error!.code, code, JSON.stringify(body))
    }
    assert.equal((await post(devnet.faucetUrl, good, 'text/plain')).answer.error!.code, 'bad_request')
    assert.equal((await fetch(`${devnet.faucetUrl}/api/fund`)).status, 405)
    assert.equal((await fetch(`${devnet.faucetUrl}/nothing`)).status, 404)
  })

  it('serves its page under a policy that allows its own script and style alone', async () => {
    const response = await fetch(devnet.faucetUrl)
    const html = await response.text()
    const policy = response.headers.get('content-security-policy')!
    for (const tag of ['script', 'style']) {
      const inner = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(html)![1]!
      const digest = Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(inner))).toString('base64')
      assert.ok(policy.includes(`${tag}-src 'sha256-${digest}'`))
    }
    assert.ok(policy.startsWith("default-src 'none';") && !/unsafe|https?:|\*/.test(policy))
    assert.doesNotMatch(html, /\son\w+=|style=|src="http|href="http/)
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
  })

  it('speaks both languages with the same words', async () => {
    const html = await (await fetch(devnet.faucetUrl)).text()
    const words = new Function(`${/const words = \{[^]*?\n\}\n/.exec(html)![0]}; return words`)() as Record<string, Record<string, string>>
    const holes = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort().join()
    assert.deepEqual(Object.keys(words['zh-CN']!), Object.keys(words['en-US']!))
    for (const [key, text] of Object.entries(words['en-US']!)) assert.equal(holes(words['zh-CN']![key]!), holes(text), key)
    for (const [, key] of html.matchAll(/data-word="(\w+)"/g)) assert.ok(words['en-US']![key!], key)
  })

  it('tells clearly that a port is taken, and leaves nothing running', async () => {
    const rpcPort = Number(new URL(devnet.rpcUrl).port)
    const faucetPort = Number(new URL(devnet.faucetUrl).port)
    const taken = (port: number, variable: string) => new RegExp(`port ${port} is in use by another program.*${variable}`)
    await assert.rejects(startDevnet(nodePorts, await configFor({ rpcPort })), taken(rpcPort, 'DEVNET_PORT'))
    await assert.rejects(startDevnet(nodePorts, await configFor({ faucetPort })), taken(faucetPort, 'DEVNET_FAUCET_PORT'))
  })
})

describe('a development network that ends', () => {
  it('comes back after a stop with every block, balance and transaction', async () => {
    const config = await configFor()
    const first = await startDevnet(nodePorts, config)
    const { answer } = await post(first.faucetUrl, { address: bob, asset: 'USDX', amount: '7' })
    const before = await nodeOf(first).readBlock(BigInt(answer.height!))
    await first.stop()
    await first.stop()
    assert.equal(await first.ended, undefined)
    assert.equal(await answers(first.rpcUrl), false)
    const second = await startDevnet(nodePorts, config)
    try {
      const node = nodeOf(second)
      assert.deepEqual(await node.readBlock(BigInt(answer.height!)), before)
      assert.equal((await node.transaction(answer.txid!)).state, 'included')
      assert.equal(await node.balance(bob, { chain: second.chain, contract: TOKEN }), 7_000_000n)
      assert.equal((await post(second.faucetUrl, { address: bob, asset: 'USDX', amount: '1' })).status, 200)
    } finally {
      await second.stop()
    }
  })

  it('says that it ended when its program dies', async () => {
    let pid = 0
    const spawnNoted: typeof nodePorts.process.spawn = (...args) => {
      const child = nodePorts.process.spawn(...args)
      pid = child.pid
      return child
    }
    const devnet = await startDevnet({ ...nodePorts, process: { ...nodePorts.process, spawn: spawnNoted } }, await configFor())
    process.kill(pid, 'SIGKILL')
    assert.match((await devnet.ended)!.message, /ended by itself \(by a signal\)/)
    assert.equal(await answers(devnet.faucetUrl), false)
  })

  it('does not start from a state it cannot read, and says which file to remove', async () => {
    const config = await configFor()
    await writeFile(join(config.dataFolder, 'state.bin'), 'half a fi')
    await assert.rejects(startDevnet(nodePorts, config), /state\.bin cannot be read: remove the file/)
    assert.equal(await readFile(join(config.dataFolder, 'state.bin'), 'utf8'), 'half a fi')
  })
})

describe('the program', () => {
  async function startProgram(dataFolder: string, env: Record<string, string> = {}) {
    const [rpc, faucet] = await Promise.all([freePort(), freePort()])
    const program = spawn(process.execPath, [fileURLToPath(new URL('./main.ts', import.meta.url))], {
      env: {
        ...process.env,
        DEVNET_PORT: String(rpc),
        DEVNET_FAUCET_PORT: String(faucet),
        DEVNET_DATA: dataFolder,
        DEVNET_TRON_PORT: 'off',
        DEVNET_BLOCK_TIME_S: '0.05',
        ...env,
      },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let errors = ''
    program.stderr.on('data', (piece) => (errors += piece))
    const ended = new Promise<number | null>((resolve) => program.once('exit', resolve))
    return { program, ended, errors: () => errors, rpcUrl: `http://127.0.0.1:${rpc}`, faucetUrl: `http://127.0.0.1:${faucet}`, chain: 'eip155:31337' }
  }

  const savedAtMs = (dataFolder: string): number => statSync(`${dataFolder}/state.bin`, { throwIfNoEntry: false })?.mtimeMs ?? 0

  async function freePort(): Promise<number> {
    const { port, close } = await nodePorts.net.listen('127.0.0.1', 0, (connection) => connection.close())
    await close()
    return port
  }

  async function untilReady({ program, faucetUrl, errors }: { program: ChildProcess; faucetUrl: string; errors(): string }): Promise<void> {
    while (!(await answers(faucetUrl))) {
      assert.equal(program.exitCode, null, errors())
      await timer.sleep(20)
    }
  }

  it('stops its network on SIGTERM and on SIGINT, and loses nothing; killed outright it leaves nothing behind and loses no payment', async () => {
    const { dataFolder } = await configFor()
    let paid = 0n
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGTERM'] as const) {
      const running = await startProgram(dataFolder)
      try {
        await untilReady(running)
        assert.equal(await nodeOf(running).balance(bob, { chain: running.chain, contract: null }), paid, `before ${signal}`)
        assert.equal((await post(running.faucetUrl, { address: bob, asset: 'ETH', amount: '1' })).status, 200)
        paid += 10n ** 18n
        // Saving takes at most a fifth of the time, so on a busy machine it comes rarer than blocks. The first save that begins after the payment has it.
        for (let saves = 0; saves < 2; saves++) {
          const before = savedAtMs(dataFolder)
          while (savedAtMs(dataFolder) === before) await timer.sleep(20)
        }
      } finally {
        running.program.kill(signal)
      }
      assert.equal(await running.ended, signal === 'SIGKILL' ? null : 0, running.errors())
      while (await answers(running.rpcUrl)) await timer.sleep(20)
    }
  })

  it('ends with one line and status 1 where it cannot start', async () => {
    const { ended, errors } = await startProgram('/nonexistent', { DEVNET_PORT: '99999' })
    assert.equal(await ended, 1)
    assert.match(errors(), /^devnet: DEVNET_PORT is "99999": write .*\n$/)
  })
})

describe('the configuration', () => {
  it('has defaults, and an empty variable counts as missing', () => {
    const defaults = { rpcPort: 8545, faucetPort: 8546, dataFolder: 'var/devnet', blockTimeMs: 1000, tronPort: 8547, tonPort: 8549, bitcoinPort: 8548 }
    assert.deepEqual(readConfig({}), defaults)
    assert.deepEqual(readConfig({ DEVNET_PORT: '', DEVNET_DATA: '' }), defaults)
    const given = { DEVNET_PORT: '20001', DEVNET_FAUCET_PORT: '0', DEVNET_DATA: '/x', DEVNET_BLOCK_TIME_S: '0.25' }
    assert.deepEqual(readConfig(given), { rpcPort: 20001, faucetPort: 0, dataFolder: '/x', blockTimeMs: 250, tronPort: 8547, tonPort: 8549, bitcoinPort: 8548 })
    assert.equal(readConfig({ DEVNET_TRON_PORT: 'off' }).tronPort, undefined)
    assert.equal(readConfig({ DEVNET_TRON_PORT: '0' }).tronPort, 0)
    assert.equal(readConfig({ DEVNET_TON_PORT: 'off' }).tonPort, undefined)
    assert.equal(readConfig({ DEVNET_TON_PORT: '0' }).tonPort, 0)
  })

  it('is refused where it makes no sense, and the refusal names the variable', () => {
    const wrong = {
      DEVNET_PORT: ['99999', '-1', '8545a', '1.5', '0x10'],
      DEVNET_FAUCET_PORT: ['x', ' 1', '8545'],
      DEVNET_BLOCK_TIME_S: ['0', '-1', '1e3', 'NaN', '3601', '1,5', '0.0001'],
    }
    for (const [name, values] of Object.entries(wrong)) {
      for (const value of values) assert.throws(() => readConfig({ [name]: value }), new RegExp(name), `${name}=${value}`)
    }
  })
})
