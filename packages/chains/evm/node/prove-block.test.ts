import { ChainError } from '@holdfast/chain-core'
import { nodePorts } from '@holdfast/ports/node'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Abi, Address, Hex } from 'viem'
import devDollar from '../artifacts/dev-dollar.json' with { type: 'json' }
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { recipient } from '../testing/samples.ts'
import { evmNode } from './index.ts'
import { openProver } from './prove-block.ts'

type Claim = Record<string, unknown>
type Read = { block: Claim; transactions: Claim[]; receipts: Claim[] }
type Log = { address: string; topics: string[]; data: string }

const chain = 'eip155:31337'
const { timer } = nodePorts
let anvil: Anvil
let dollar: Address
let sample: Read

const ask = (method: string, params: unknown[]) => anvil.network.request({ method, params } as never) as Promise<never>

async function read(height: number): Promise<Read> {
  const at = `0x${height.toString(16)}`
  const block: Claim = await ask('eth_getBlockByNumber', [at, true])
  return { block, transactions: block.transactions as Claim[], receipts: await ask('eth_getBlockReceipts', [at]) }
}

/** Mines one block of so many transactions, payments of coin and of a token in turn. */
async function mineBlock(count: number): Promise<Read> {
  const wallet = anvil.walletOf(0)
  const nonce = await anvil.network.getTransactionCount({ address: wallet.account.address })
  await anvil.network.setAutomine(false)
  for (let i = 0; i < count; i++) {
    const gas = 100_000n
    const kind =
      i % 3 === 0
        ? { gasPrice: 10n ** 10n }
        : i % 3 === 1
          ? { gasPrice: 10n ** 10n, accessList: [{ address: dollar, storageKeys: [`0x${'01'.repeat(32)}` as Hex] }] }
          : {}
    if (i % 2 === 0) await wallet.sendTransaction({ to: recipient as Address, value: BigInt(i), nonce: nonce + i, gas, ...kind } as never)
    else
      await wallet.writeContract({
        address: dollar,
        abi: devDollar.abi as Abi,
        functionName: 'transfer',
        args: [recipient, BigInt(i)],
        nonce: nonce + i,
        gas,
        ...kind,
      } as never)
  }
  await anvil.network.mine({ blocks: 1 })
  await anvil.network.setAutomine(true)
  const mined = await read(Number(await anvil.network.getBlockNumber()))
  assert.equal(mined.transactions.length, count)
  return mined
}

const prove = ({ block, transactions, receipts }: Read, prover = openProver(chain)) => prover(block, transactions, receipts)
const refuses = (told: Read) =>
  assert.throws(
    () => prove(told),
    (cause: unknown) => cause instanceof ChainError && /not those that its hash covers/.test(cause.message),
  )
const copyOf = (told: Read): Read => {
  const { block, receipts } = structuredClone({ block: told.block, receipts: told.receipts })
  return { block, transactions: block.transactions as Claim[], receipts }
}

before(async () => {
  anvil = await startAnvil()
  await anvil.network.setBlockGasLimit({ gasLimit: 100_000_000n })
  const wallet = anvil.walletOf(0)
  const hash = await wallet.deployContract({ abi: devDollar.abi as Abi, bytecode: devDollar.bytecode as Hex, args: ['USDX'] })
  dollar = (await anvil.network.waitForTransactionReceipt({ hash })).contractAddress!
  await wallet.writeContract({ address: dollar, abi: devDollar.abi as Abi, functionName: 'mint', args: [wallet.account.address, 10n ** 12n] } as never)
  sample = await mineBlock(6)
})
after(() => anvil.stop())

describe('what a block holds, proven by its hash', () => {
  it('is taken as the chain made it, whatever the number of its transactions and their kinds', async () => {
    prove(sample)
    for (const count of [0, 1, 2, 15, 16, 17, 127, 128, 129, 130, 200]) {
      const prover = openProver(chain)
      prove(sample, prover)
      prove(await mineBlock(count), prover)
    }
  })

  it('is refused with a log left out, added, changed or moved, however often it is told', () => {
    const at = sample.receipts.findIndex(({ logs }) => (logs as Log[]).length > 0)
    const changes: ((logs: Log[]) => Log[])[] = [
      () => [],
      (logs) => [...logs, ...logs],
      ([log]) => [{ ...log!, data: `0x${'00'.repeat(31)}07` }],
      ([log]) => [{ ...log!, address: recipient }],
      ([log]) => [{ ...log!, topics: [log!.topics[0]!, log!.topics[2]!, log!.topics[1]!] }],
    ]
    for (const change of changes) {
      const told = copyOf(sample)
      told.receipts[at]!.logs = change(told.receipts[at]!.logs as Log[])
      refuses(told)
      const prover = openProver(chain)
      prove(sample, prover)
      for (let tries = 0; tries < 5; tries++) assert.throws(() => prove(told, prover), ChainError)
    }
    const moved = copyOf(sample)
    ;[moved.receipts[0]!.logs, moved.receipts[1]!.logs] = [moved.receipts[1]!.logs, moved.receipts[0]!.logs]
    refuses(moved)
  })

  it('is refused with a transaction left out, added, or paying another amount or somebody else', () => {
    const changes: ((told: Read) => void)[] = [
      ({ transactions, receipts }) => void (transactions.pop(), receipts.pop()),
      ({ transactions, receipts }) => void (transactions.splice(0), receipts.splice(0)),
      ({ transactions, receipts }) => void (transactions.push(transactions[0]!), receipts.push(receipts[0]!)),
      ({ transactions }) => void (transactions[0]!.value = '0xffff'),
      ({ transactions }) => void (transactions[0]!.to = dollar),
      ({ transactions }) => void (transactions[1]!.input = '0x'),
      ({ receipts }) => void (receipts[0]!.status = '0x0'),
    ]
    for (const change of changes) {
      const told = copyOf(sample)
      change(told)
      refuses(told)
    }
  })

  it('is refused with the id of a transaction that is not the one of its fields', () => {
    const told = copyOf(sample)
    told.transactions[0]!.hash = `0x${'ab'.repeat(32)}`
    refuses(told)
  })

  it('whatever single value that a hash covers is changed, nothing is taken for proven', () => {
    const covered = fc.constantFrom(
      ...sample.transactions.flatMap((_, i) => ['nonce', 'gas', 'value', 'r', 's'].map((name) => ['transactions', i, name] as const)),
      ...sample.receipts.flatMap((_, i) => ['status', 'cumulativeGasUsed'].map((name) => ['receipts', i, name] as const)),
    )
    fc.assert(
      fc.property(covered, fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }), ([part, i, name], value) => {
        const told = copyOf(sample)
        const item = told[part][i]!
        fc.pre(BigInt(item[name] as string) !== value)
        item[name] = `0x${value.toString(16)}`
        refuses(told)
      }),
      { numRuns: 200 },
    )
  })

  it('is passed over where header, transaction or receipt has a form that is not known, since others are compared then', () => {
    const [told, ...others] = [1, 2, 3].map(() => copyOf(sample))
    told!.block.extraField = '0x1'
    delete told!.block.mixHash
    others[0]!.transactions[0]!.type = '0x6a'
    others[1]!.receipts[0]!.type = '0x6a'
    for (const each of [told!, ...others]) {
      if (each !== others[0]) (each.receipts[1]!.logs as Log[]).length = 0
      prove(each)
    }
  })

  it('on Polygon is proven where a state sync is in no root, as before the Madhugiri fork, and passed over where it is in both, as since', async () => {
    const zero = `0x${'00'.repeat(20)}`
    const shown = { from: zero, to: zero, gas: '0x0', value: '0x0', gasPrice: '0x0', nonce: '0x0', input: '0x', r: '0x0', s: '0x0', v: '0x0' }
    const withSync = (told: Read, type: string): Read => {
      const copy = copyOf(told)
      copy.transactions.push({ ...shown, type, hash: `0x${'ab'.repeat(32)}` })
      copy.receipts.push({ ...copy.receipts[0]!, type, logs: [] })
      return copy
    }
    const prover = openProver('eip155:137')
    prove(withSync(sample, '0x0'), prover)
    const changed = withSync(sample, '0x0')
    changed.receipts[1]!.logs = []
    assert.throws(() => prove(changed, prover), ChainError)
    // A block's roots cover here one transaction more than can be encoded.
    const [since, { transactions, receipts }] = [withSync(await mineBlock(4), '0x7f'), sample]
    since.transactions.splice(0, since.transactions.length - 1, ...transactions.slice(0, 3))
    since.receipts.splice(0, since.receipts.length - 1, ...receipts.slice(0, 3))
    for (let tries = 0; tries < 5; tries++) prove(since, prover)
    assert.throws(() => prove(changed, prover), ChainError)
  })

  it('on a chain of which nothing was ever proven is taken at the third time, and compared with other sources', () => {
    const told = copyOf(sample)
    ;(told.receipts[1]!.logs as Log[]).length = 0
    const prover = openProver(chain)
    for (let tries = 1; tries < 3; tries++) assert.throws(() => prove(told, prover), ChainError)
    prove(told, prover)
  })
})

describe('a node whose receipts of whole blocks cannot be had', () => {
  const nodeWith = (change: (method: string, answer: { result?: unknown }) => unknown) =>
    evmNode({
      chain,
      rpcUrl: anvil.rpcUrl,
      tokens: [dollar],
      timer,
      fetch: async (input, init) => {
        const { method } = JSON.parse(String(init!.body)) as { method: string }
        const answer = (await (await nodePorts.fetch(input, init)).json()) as { result?: unknown }
        return Response.json(change(method, answer))
      },
    })
  const height = () => BigInt(sample.block.number as string)
  const tokensIn = async (node: ReturnType<typeof nodeWith>) =>
    (await node.readBlock(height()))!.transfers.filter(({ asset }) => asset.contract !== null).length

  it('is read by single ones, where it does not know the question', async () => {
    let asked = 0
    const node = nodeWith((method, answer) => {
      if (method !== 'eth_getBlockReceipts') return answer
      asked++
      return { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'the method eth_getBlockReceipts does not exist/is not available' } }
    })
    for (let i = 0; i < 2; i++) assert.equal(await tokensIn(node), 3)
    assert.equal(asked, 1)
  })

  it('is read by single ones, where those of a block were three times not its own', async () => {
    const node = nodeWith((method, answer) => (method === 'eth_getBlockReceipts' ? { ...answer, result: (answer.result as unknown[]).slice(0, -1) } : answer))
    for (let tries = 1; tries <= 3; tries++) await assert.rejects(node.readBlock(height()), /do not belong to one block/)
    assert.equal(await tokensIn(node), 3)
  })

  it('credits no log that a source leaves out, and reads on once it tells the whole block', async () => {
    let isLying = true
    const node = nodeWith((method, answer) => {
      if (!isLying || method !== 'eth_getBlockReceipts') return answer
      return { ...answer, result: (answer.result as Claim[]).map((each) => ({ ...each, logs: [] })) }
    })
    await assert.rejects(node.readBlock(height()), /not those that its hash covers/)
    isLying = false
    assert.equal(await tokensIn(node), 3)
  })
})
