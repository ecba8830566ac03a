import { fetchPlain } from '@holdfast/ports/fetch-plain'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AssetRef, type Block, type ChainCodec, ChainError, type ChainNode, type Signature, type TransferOrder } from './index.ts'
import { everyAnswerBroken, openWith, recorder, refused, replaced, SECRET } from './testing/broken-answers.ts'

/** A running network of the chain that the suite may do with as it likes. */
export type NodeNetwork = {
  url: string
  /** A token the node under test watches, or null if the chain has none. */
  token: AssetRef | null
  /** Pays from money of the network's own; answers once the payment is in a block. */
  fund(asset: AssetRef, to: string, amount: bigint): Promise<{ txid: string; height: bigint }>
  mine(blocks: number): Promise<void>
  /** Replaces the last blocks by as many others without their transactions; absent if blocks are never replaced. */
  reorganise?(depth: number): Promise<void>
  stop(): Promise<void>
}

/** A network that mines when it is told to. */
type Emulated = Pick<NodeNetwork, 'url' | 'mine' | 'reorganise' | 'stop'> & {
  chain: string
  token: { contract: string }
  pay(contract: string | null, to: string, amount: bigint): Promise<string>
  heightOf(txid: string): bigint | undefined
}

/** An emulated network as the suite wants it: what is paid is in the next block. */
export function emulated({ chain, token, pay, heightOf, ...network }: Emulated): NodeNetwork {
  return {
    ...network,
    token: { chain, contract: token.contract },
    fund: async (asset, to, amount) => {
      const txid = await pay(asset.contract, to, amount)
      await network.mine(1)
      return { txid, height: heightOf(txid)! }
    },
  }
}

export type Connection = { url: string; fetch: typeof globalThis.fetch; timer: typeof nodePorts.timer; timeoutMs?: number; answerMaxBytes?: number }

export type NodeSuite = {
  name: string
  codec: ChainCodec
  coin: AssetRef
  /** Starts a network; `foreign` asks for one of the same kind that is another chain. */
  start(options: { foreign: boolean }): Promise<NodeNetwork>
  open(network: NodeNetwork, connection: Connection): ChainNode
  /** Who pays in the tests; `sign` is given one digest of `sighashes`. */
  payer: { publicKey: Uint8Array; sign(digest: Uint8Array): Signature }
  /** An address that nothing on the network belongs to. */
  strangers(): string
  /** What the payer starts with and pays, in base units of the coin; the payment is also made in the token. */
  amounts: { start: bigint; payment: bigint }
}

/** Registers the tests that the node of every chain must pass, against a real network of it. */
export function chainNodeSuite(suite: NodeSuite): void {
  describe(`${suite.name}: what every chain's node promises`, () => {
    const running: Running = {} as Running
    before(async () => {
      const network = await suite.start({ foreign: false })
      Object.assign(running, { suite, network, from: suite.codec.addressFromKey(suite.payer.publicKey) })
      running.node = suite.open(network, { url: network.url, ...nodePorts, fetch: fetchPlain })
      for (const asset of assetsOf(running)) await network.fund(asset, running.from, suite.amounts.start)
    })
    after(() => running.network?.stop())
    registerReading(running)
    registerSending(running)
    registerReorganisation(running)
    registerBrokenAnswers(running)
    registerBrokenConnections(running)
  })
}

type Running = { suite: NodeSuite; network: NodeNetwork; node: ChainNode; from: string }

function assetsOf({ suite, network }: Running): AssetRef[] {
  return network.token ? [suite.coin, network.token] : [suite.coin]
}

/** Reads every block from one height up to the head, and sees that each stands on the one before. */
async function scan(node: ChainNode, from: bigint): Promise<Block[]> {
  const blocks: Block[] = []
  for (let height = from; ; height++) {
    const block = await node.readBlock(height)
    if (!block) return blocks
    assert.equal(block.height, height)
    if (blocks.length > 0) assert.equal(block.parentHash, blocks.at(-1)!.hash, `block ${height} stands on another than was read`)
    blocks.push(block)
  }
}

function registerReading(running: Running): void {
  it('reports each payment once, in its block, and skips no block', async () => {
    const { suite, network, node } = running
    const { height: before } = await node.head()
    const paid = []
    for (const asset of assetsOf(running)) {
      const to = suite.strangers()
      paid.push({ asset, to, amount: suite.amounts.payment, ...(await network.fund(asset, to, suite.amounts.payment)) })
      await network.mine(1)
    }
    const blocks = await scan(node, before)
    for (const { asset, to, amount, txid, height } of paid) {
      const found = blocks.flatMap((block) => block.transfers.filter((each) => each.to === to).map((each) => ({ at: block.height, ...each })))
      assert.deepEqual(
        found.map((each) => ({ at: each.at, txid: each.txid, asset: each.asset, amount: each.amount })),
        [{ at: height, txid, asset, amount }],
      )
      assert.equal(await node.balance(to, asset), amount)
      const state = await node.transaction(txid)
      assert.ok(state.state === 'included' && state.success && state.height === height && state.fee >= 0n)
      assert.equal(state.blockHash, await node.blockHash(height))
    }
    const indexes = blocks.flatMap((block) => block.transfers.map(({ txid, index }) => `${txid}:${index}`))
    assert.equal(new Set(indexes).size, indexes.length)
  })

  it('is undefined above the head and refuses what is no height', async () => {
    const { height } = await running.node.head()
    assert.equal(await running.node.readBlock(height + 1_000_000n), undefined)
    assert.equal(await running.node.blockHash(height + 1_000_000n), undefined)
    await assert.rejects(running.node.readBlock(-1n), ChainError)
  })

  it('reads the same blocks, none skipped, when every seventh question fails on its way', async () => {
    const { suite, network, node } = running
    // Of some chains a block is one question: there are blocks enough for a seventh.
    await network.mine(7)
    const { height } = await node.head()
    const start = height > 20n ? height - 20n : 0n
    let [questions, failures] = [0, 0]
    const fetch: typeof globalThis.fetch = (...given) => (++questions % 7 === 0 ? Promise.reject(new TypeError('connection reset')) : fetchPlain(...given))
    const shaky = suite.open(network, { url: network.url, ...nodePorts, fetch })
    const blocks: Block[] = []
    for (let at = start; at <= height; ) {
      try {
        blocks.push((await shaky.readBlock(at))!)
        at++
      } catch (cause) {
        assert.ok(cause instanceof ChainError, String(cause))
        failures++
      }
    }
    assert.ok(failures > 0)
    assert.deepEqual(blocks, (await scan(node, start)).slice(0, blocks.length))
  })

  it('throws for an asset or an address of another chain', async () => {
    const { node, from } = running
    await assert.rejects(node.balance(from, { chain: 'none:1', contract: null }), ChainError)
    await assert.rejects(node.balance('nobody', running.suite.coin), ChainError)
    await assert.rejects(node.isContract('nobody'), ChainError)
  })
}

function orderOf({ suite, from }: Running, asset: AssetRef, slot: bigint): TransferOrder {
  return { from, to: suite.strangers(), asset, amount: suite.amounts.payment, feeCap: suite.amounts.start, slot, tier: 1 }
}

async function prepared(running: Running, asset: AssetRef) {
  const { suite, node, from } = running
  const order = orderOf(running, asset, await node.nextSlot(from))
  const unsigned = await node.prepare(order)
  const signatures = suite.codec.sighashes(unsigned).map((digest) => suite.payer.sign(digest))
  return { order, unsigned, ...suite.codec.attach(unsigned, signatures) }
}

function registerSending(running: Running): void {
  it('prepares what was ordered, sends the same bytes any number of times, and the chain takes them once', async () => {
    for (const asset of assetsOf(running)) {
      const { network, node, from, suite } = running
      const { order, unsigned, raw, txid } = await prepared(running, asset)
      const effects = suite.codec.decode(unsigned)
      assert.deepEqual(effects.transfers, [{ asset, to: order.to, amount: order.amount }])
      assert.deepEqual(effects.actions ?? [], [])
      const had = await node.balance(from, suite.coin)
      const { height: before } = await node.head()
      assert.deepEqual(await node.transaction(txid), { state: 'unknown' })
      assert.equal(await node.slotUse(from, unsigned, before), undefined)
      assert.deepEqual(await node.broadcast(raw), { outcome: 'accepted' })
      for (let i = 0; i < 3; i++) assert.match((await node.broadcast(raw)).outcome, /^(accepted|unknown)$/)
      await network.mine(2)
      const state = await node.transaction(txid)
      assert.ok(state.state === 'included' && state.success, state.state)
      assert.ok(state.fee <= effects.feeMax, `the chain took ${state.fee}, at most ${effects.feeMax} was said`)
      const blocks = await scan(node, before)
      const moved = blocks.flatMap(({ transfers }) => transfers).filter(({ to }) => to === order.to)
      assert.deepEqual(
        moved.map(({ asset: of, amount, txid: by }) => ({ of, amount, by })),
        [{ of: asset, amount: order.amount, by: txid }],
      )
      assert.equal(had - (await node.balance(from, suite.coin)), state.fee + (asset.contract === null ? order.amount : 0n))
      const use = (await node.slotUse(from, unsigned, state.height))!
      assert.deepEqual({ txid: use.txid, height: use.height, blockHash: use.blockHash }, { txid, height: state.height, blockHash: state.blockHash })
      assert.deepEqual(suite.codec.detach(use.raw!).unsigned, unsigned)
    }
  })

  it('estimates three tiers that do not fall, and prepares within the cap or says that it cannot', async () => {
    const { node, from, suite } = running
    for (const asset of assetsOf(running)) {
      const order = orderOf(running, asset, await node.nextSlot(from))
      const [economy, normal, fast] = await node.estimateFee(order)
      assert.ok(economy.feeMax > 0n && economy.feeMax <= normal.feeMax && normal.feeMax <= fast.feeMax)
      const unsigned = await node.prepare({ ...order, tier: 2, feeCap: fast.feeMax })
      assert.ok(suite.codec.decode(unsigned).feeMax <= fast.feeMax)
      await assert.rejects(node.prepare({ ...order, feeCap: 0n }), /fee cap/)
    }
  })

  it('makes bytes at the fees that it has just told without asking for them again, by the same cap', async () => {
    const { network, from, suite } = running
    let asked = 0
    const count = async <T>(act: Promise<T>): Promise<{ answer: T; asked: number }> => {
      asked = 0
      return { answer: await act, asked }
    }
    const node = suite.open(network, { url: network.url, ...nodePorts, fetch: (...given) => (asked++, fetchPlain(...given)) })
    for (const asset of assetsOf(running)) {
      const order = orderOf(running, asset, await node.nextSlot(from))
      const quoted = await node.estimateFee(order)
      const asking = await count(node.prepare({ ...order, feeCap: quoted[1].feeMax }))
      const knowing = await count(node.prepare({ ...order, feeCap: quoted[1].feeMax, quoted }))
      assert.ok(knowing.asked < asking.asked, `${knowing.asked} questions, and ${asking.asked} where nothing is known`)
      const [known, unknown] = [knowing, asking].map(({ answer }) => suite.codec.decode(answer))
      assert.deepEqual({ transfers: known!.transfers, feeMax: known!.feeMax }, { transfers: unknown!.transfers, feeMax: unknown!.feeMax })
      await assert.rejects(node.prepare({ ...order, feeCap: 0n, quoted }), /fee cap/)
    }
  })

  it('calls a refusal unknown and never a failure, and throws for bytes that it would not send', async () => {
    const { raw } = await prepared(running, running.suite.coin)
    const { suite, network } = running
    const silent = suite.open(network, { url: network.url, ...nodePorts, fetch: () => Promise.reject(new TypeError('unreachable')) })
    const outcome = await silent.broadcast(raw)
    assert.ok(outcome.outcome === 'unknown' && outcome.reason.length <= 400)
    await assert.rejects(running.node.broadcast(Uint8Array.of(1, 2, 3)), ChainError)
    for (const { answer } of everyAnswerBroken().filter(({ unending }) => !unending)) {
      // A node that was the right one until it was sent something.
      let isBroken = false
      const breaking = suite.open(network, { url: network.url, ...nodePorts, fetch: async (...given) => (isBroken ? answer() : fetchPlain(...given)) })
      await breaking.head()
      isBroken = true
      const said = await breaking.broadcast(raw)
      assert.ok(said.outcome === 'unknown' && said.reason.length <= 400, said.outcome)
    }
  })
}

function registerReorganisation(running: Running): void {
  it('follows reorganisations of depth 1 to 6 to the canonical truth, where the chain has them', async (t) => {
    const { suite, network, node } = running
    if (!network.reorganise) return t.skip('this chain never replaces a block')
    for (let depth = 1; depth <= 6; depth++) {
      const to = suite.strangers()
      const { txid, height } = await network.fund(suite.coin, to, suite.amounts.payment)
      const old = (await node.readBlock(height))!
      assert.equal(old.transfers.filter((each) => each.to === to).length, 1)
      await network.mine(depth - 1)
      await network.reorganise(depth)
      const blocks = await scan(node, height - 1n)
      assert.equal(blocks[0]!.hash, old.parentHash)
      assert.notEqual(blocks[1]!.hash, old.hash)
      assert.deepEqual(
        blocks.flatMap(({ transfers }) => transfers).filter((each) => each.to === to),
        [],
      )
      assert.notEqual((await node.transaction(txid)).state, 'included')
      assert.equal(await node.balance(to, suite.coin), 0n)
      await network.mine(1)
    }
  })
}

/** Every question a node can be asked, with how an answer of the right shape looks. */
function questionsOf(running: Running, height: bigint, txid: string, unsigned: Uint8Array): ((node: ChainNode) => Promise<unknown>)[] {
  const { suite, from } = running
  const isAddress = (text: string) => text === '' || suite.codec.canonicalAddress(text) === text
  const amount = (value: bigint) => assert.ok(typeof value === 'bigint' && value >= 0n)
  const order = orderOf(running, suite.coin, 0n)
  return [
    async (node) => amount((await node.head()).height),
    async (node) => {
      const block = await node.readBlock(height)
      for (const transfer of block?.transfers ?? []) assert.ok(transfer.amount > 0n && isAddress(transfer.from) && isAddress(transfer.to))
    },
    ...assetsOf(running).map((asset) => async (node: ChainNode) => amount(await node.balance(from, asset))),
    async (node) => assert.match((await node.transaction(txid)).state, /^(unknown|pending|included)$/),
    async (node) => assert.equal(typeof (await node.isContract(from)), 'boolean'),
    async (node) => amount(await node.nextSlot(from)),
    async (node) => (await node.estimateFee(order)).forEach(({ feeMax }) => amount(feeMax)),
    async (node) => void suite.codec.decode(await node.prepare(order)),
    async (node) => void (await node.slotUse(from, unsigned, height)),
    ...(running.node.finalHead ? [async (node: ChainNode) => amount((await node.finalHead!()).height)] : []),
    ...(running.node.coins ? poolQuestions(running, txid) : []),
  ]
}

/** Questions about the pool, where a node tells of it. */
function poolQuestions({ suite, from }: Running, txid: string): ((node: ChainNode) => Promise<unknown>)[] {
  return [
    async (node) => {
      const { payments } = await node.coins!.pending({ listed: new Set(), read: new Set() }, async (addresses) => new Set(addresses))
      for (const { transfers } of payments) for (const { amount, to } of transfers) assert.ok(amount > 0n && suite.codec.canonicalAddress(to) === to)
    },
    async (node) => void (await node.coins?.pendingSpender([`${txid}:0`])),
    async (node) => void (await node.coins?.pendingFee(txid)),
    async (node) => void (await node.coins?.unspent(from)),
  ]
}

function registerBrokenAnswers(running: Running): void {
  it('ends every answer of the wrong shape in a ChainError or in a result of the right shape, wherever the junk stands', async () => {
    const { suite, network, from } = running
    const asset = network.token ?? suite.coin
    const { txid, height } = await network.fund(asset, from, suite.amounts.payment)
    const { unsigned } = await prepared(running, suite.coin)
    const tape = recorder(fetchPlain)
    const open = (fetch: typeof globalThis.fetch) => suite.open(network, { url: network.url, timer: nodePorts.timer, fetch })
    for (const ask of questionsOf(running, height, txid, unsigned)) {
      tape.clear()
      await ask(open(tape.recording))
      // What a chain knows without asking, such as the slot where slots are not counted, no answer can break.
      if (tape.isEmpty()) continue
      const junk = fc.oneof(
        fc.constantFrom<unknown>(null, undefined, '', '0x', 'nonsense', -1, 0, 1e300, true, [], {}, '0x-1', 'f'.repeat(65), '0x1', '1'),
        fc.jsonValue(),
      )
      const breaking = async (pick: number, value: unknown) => {
        const fetch = tape.replaying((answers) => {
          const at = answers[pick % answers.length]!
          return { key: at.key, body: replaced(JSON.parse(at.body), at.path, value) }
        })
        try {
          await ask(open(fetch))
        } catch (error) {
          assert.ok(error instanceof ChainError, `${String(error)}\n${(error as Error).stack}`)
        }
      }
      await fc.assert(fc.asyncProperty(fc.nat(), junk, breaking), { numRuns: Number(process.env.HOLDFAST_FUZZ ?? 40) })
    }
  })
}

function registerBrokenConnections(running: Running): void {
  /** Asks a broken node everything: each answer is a ChainError that does not tell the key in its URL, and a broadcast is unknown. */
  async function refusesAll(node: ChainNode, raw: Uint8Array, message?: RegExp): Promise<void> {
    const { suite, from } = running
    await refused(node.head(), message)
    await refused(node.blockHash(1n), message)
    await refused(node.readBlock(1n), message)
    await refused(node.transaction(suite.codec.detach(raw).txid), message)
    for (const asset of assetsOf(running)) await refused(node.balance(from, asset), message)
    await refused(node.isContract(from), message)
    await refused(node.estimateFee(orderOf(running, suite.coin, 0n)), message)
    await refused(node.prepare(orderOf(running, suite.coin, 0n)), message)
    await refused(node.slotUse(from, suite.codec.detach(raw).unsigned, 1n), message)
    const outcome = await node.broadcast(raw)
    assert.ok(outcome.outcome === 'unknown' && outcome.reason.length < 400 && !outcome.reason.includes(SECRET))
  }

  it('gives up on slow, half and huge answers, and takes nothing from a web page, an error, a redirect or nobody', async () => {
    const { suite, network } = running
    const { raw } = await prepared(running, suite.coin)
    for (const broken of everyAnswerBroken()) {
      const { limits, message } = broken
      await openWith(broken, (url, fetch) => refusesAll(suite.open(network, { url, timer: nodePorts.timer, fetch, ...limits }), raw, message))
    }
    await refusesAll(suite.open(network, { url: `http://127.0.0.1:1/${SECRET}`, ...nodePorts }), raw)
    assert.throws(() => suite.open(network, { url: 'ftp://x', ...nodePorts }), ChainError)
  })

  it('refuses a node of another chain, at first use and when it comes back as another', async () => {
    const { suite, network } = running
    const { raw } = await prepared(running, suite.coin)
    const foreign = await suite.start({ foreign: true })
    try {
      await refusesAll(suite.open(network, { url: foreign.url, ...nodePorts }), raw, /serves chain/)
      let moved = false
      let cut = false
      const fetch: typeof globalThis.fetch = (input, init) => {
        if (cut) return Promise.reject(new TypeError('connection reset'))
        return fetchPlain(moved ? String(input).replace(network.url, foreign.url) : input, init)
      }
      const moving = suite.open(network, { url: network.url, ...nodePorts, fetch })
      await moving.head()
      cut = true
      await refused(moving.head())
      moved = true
      cut = false
      await refusesAll(moving, raw, /serves chain/)
    } finally {
      await foreign.stop()
    }
  })
}
