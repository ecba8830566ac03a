import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { METHODS } from './bitcoin/rpc-methods.ts'
import { startBitcoinEmulator } from './bitcoin/start-emulator.ts'
import { startTon } from './ton/start-ton.ts'
import { startTron } from './tron/start-tron.ts'

/* Who asks a network of this machine may be broken or hostile: it answers that it cannot, and goes on as before. */

type Emulator = {
  name: string
  start(dataFolder: string): Promise<{ stop(): Promise<void>; urlOf(method: string): string }>
  bodyOf(method: string, params: unknown): unknown
  head: string
  methods: readonly string[]
}

const TRON = ['getnowblock', 'getblockbynum', 'getaccount', 'getaccountresource', 'triggerconstantcontract', 'broadcasttransaction', 'broadcasthex']
const TON = ['getMasterchainInfo', 'lookupBlock', 'shards', 'getBlockHeader', 'getBlockTransactionsExt', 'getTransactions', 'runGetMethod', 'sendBoc']
// What the network's own operator may do is no question.
const OPERATOR = /^(generate|invalidate|reconsider)/
const emulators: Emulator[] = [
  {
    name: 'the TRON emulator',
    start: async (dataFolder) => {
      const network = await startTron(nodePorts, { port: 0, dataFolder, blockTimeMs: 1_000, mining: false })
      return { stop: network.stop, urlOf: (method) => `${network.url}/wallet/${encodeURIComponent(method)}` }
    },
    bodyOf: (_, params) => params,
    head: 'getnowblock',
    methods: TRON,
  },
  {
    name: 'the TON emulator',
    start: async (dataFolder) => {
      const network = await startTon(nodePorts, { port: 0, dataFolder, blockTimeMs: 1_000, mining: false })
      return { stop: network.stop, urlOf: () => network.url }
    },
    bodyOf: (method, params) => ({ jsonrpc: '2.0', id: 1, method, params }),
    head: 'getMasterchainInfo',
    methods: TON,
  },
  {
    name: 'the Bitcoin emulator',
    start: async (dataFolder) => {
      const network = await startBitcoinEmulator(nodePorts, { rpcPort: 0, dataFolder })
      return { stop: network.stop, urlOf: () => network.rpcUrl }
    },
    bodyOf: (method, params) => ({ id: 1, method, params }),
    head: 'getblockchaininfo',
    methods: Object.keys(METHODS).filter((method) => !OPERATOR.test(method)),
  },
]

const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
const brokenBodies = [
  '',
  '{',
  '"',
  'null',
  '7',
  '[]',
  '{}',
  'nonsense',
  deep,
  `{"method":"x","id":${deep}}`,
  `{"method":{"x":1},"params":7}`,
  'x'.repeat(3 << 20),
]
const foreignMethods = ['', 'x', '__proto__', 'constructor', 'toString', 'hasOwnProperty', '../wallet', 'x'.repeat(1_000)]
const junk = fc.oneof(fc.constantFrom<unknown>(null, '', '0x', 'f'.repeat(65), -1, 1e300, 2 ** 53, '999999999999999999999', true, [], {}), fc.jsonValue())
const names = fc.constantFrom(
  'address',
  'value',
  'num',
  'seqno',
  'workchain',
  'shard',
  'count',
  'boc',
  'method',
  'stack',
  'raw_data_hex',
  'transaction',
  'owner_address',
  'data',
)
const params = fc.oneof(fc.dictionary(names, junk, { maxKeys: 5 }), fc.array(junk, { maxLength: 4 }), junk)

for (const { name, start, bodyOf, head, methods } of emulators) {
  describe(`${name}, asked by whoever`, () => {
    let folder: string
    let network: Awaited<ReturnType<Emulator['start']>>
    before(async () => {
      folder = await mkdtemp(join(tmpdir(), 'holdfast-hostile-'))
      network = await start(folder)
    })
    after(async () => {
      await network?.stop()
      await rm(folder, { recursive: true, force: true })
    })
    const post = async (method: string, body: string) => {
      const response = await nodePorts.fetch(network.urlOf(method), { method: 'POST', headers: { 'content-type': 'application/json' }, body })
      return { status: response.status, text: await response.text() }
    }
    const question = (method: string, given: unknown) => post(method, JSON.stringify(bodyOf(method, given)))

    it('answers what is no question, and methods that are none, and stays as it was', async () => {
      const before = await question(head, [])
      for (const body of brokenBodies) assert.ok((await post(methods[0]!, body)).status < 600)
      for (const method of foreignMethods) assert.ok((await question(method, [])).status < 600)
      assert.deepEqual(await question(head, []), before)
    })

    it('answers any parameters of any method with less than a page, and stays as it was', async () => {
      const before = await question(head, [])
      await fc.assert(
        fc.asyncProperty(fc.constantFrom(...methods), params, async (method, given) => {
          const { status, text } = await question(method, given)
          assert.ok(status < 600)
          // Whatever it says, it says it as its family does.
          assert.doesNotThrow(() => text === '' || JSON.parse(text), text.slice(0, 100))
        }),
        { numRuns: 120 },
      )
      assert.deepEqual(await question(head, []), before)
    })
  })
}
