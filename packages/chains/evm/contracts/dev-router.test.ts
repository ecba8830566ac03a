import { fromHex, toHex } from '@holdfast/encoding'
import fc from 'fast-check'
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Abi, type Address, getAddress, type Hex } from 'viem'
import devDollar from '../artifacts/dev-dollar.json' with { type: 'json' }
import devRouter from '../artifacts/dev-router.json' with { type: 'json' }
import { readTrade, type Trade } from '../codec/index.ts'
import { type Anvil, startAnvil } from '../testing/anvil.ts'
import { writeTrade } from '../testing/write-trade.ts'

const RECEIVER = `0x${'4'.repeat(40)}`
const POOL = 1_000_000_000n
const GAS = 1_000_000n

let anvil: Anvil
let router: Address
let tokens: [Address, Address]

before(async () => {
  anvil = await startAnvil()
  const wallet = anvil.walletOf(0)
  const mined = (hash: Hex) => anvil.network.waitForTransactionReceipt({ hash })
  const deploy = async ({ abi, bytecode }: { abi: unknown; bytecode: string }, args: unknown[]) =>
    getAddress((await mined(await wallet.deployContract({ abi: abi as Abi, bytecode: bytecode as Hex, args }))).contractAddress ?? '0x')
  tokens = [await deploy(devDollar, ['ONE']), await deploy(devDollar, ['TWO'])]
  router = await deploy(devRouter, tokens)
  for (const address of tokens) {
    const token = { address, abi: devDollar.abi as Abi, gas: GAS }
    await mined(await wallet.writeContract({ ...token, functionName: 'mint', args: [router, POOL] }))
    await mined(await wallet.writeContract({ ...token, functionName: 'mint', args: [wallet.account.address, 100n * POOL] }))
    await mined(await wallet.writeContract({ ...token, functionName: 'approve', args: [router, 100n * POOL] }))
  }
})
after(() => anvil.stop())

const balanceOf = (token: Address, owner: string) =>
  anvil.network.readContract({ address: token, abi: devDollar.abi as Abi, functionName: 'balanceOf', args: [owner] }) as Promise<bigint>

describe('a router of the second version, on a network', () => {
  it('gives no more and gets no less than its call is read to say, for whom it says, or does nothing', async () => {
    const wallet = anvil.walletOf(0)
    const payer = wallet.account.address
    const { timestamp } = await anvil.network.getBlock()
    const trades = fc.record({
      isBack: fc.boolean(),
      atMost: fc.bigInt(1n, POOL / 4n),
      share: fc.bigInt(1n, 12n),
      isExactOutput: fc.boolean(),
      lateS: fc.constantFrom(3_600n, 3_600n, -10n),
    })
    const seen = new Set<string>()
    await fc.assert(
      fc.asyncProperty(trades, async ({ isBack, atMost, share, isExactOutput, lateS }) => {
        const [gives, gets] = isBack ? [tokens[1], tokens[0]] : tokens
        const trade: Trade = { gives, atMost, gets, atLeast: (atMost * share) / 10n + 1n, to: RECEIVER, deadlineS: timestamp + lateS }
        const { data, value, signature } = writeTrade('uniswap-v2', trade, { isExactOutput })
        const read = readTrade('uniswap-v2', { data: fromHex(toHex(data)), value, signature })
        const state = () => Promise.all([balanceOf(gives, payer), balanceOf(gets, payer), balanceOf(gets, RECEIVER), balanceOf(gives, RECEIVER)])
        const had = await state()
        const hash = await wallet.sendTransaction({ to: router, data: `0x${toHex(data)}`, gas: GAS })
        const { status } = await anvil.network.waitForTransactionReceipt({ hash })
        const has = await state()
        seen.add(`${status} ${isExactOutput}`)
        if (status === 'reverted') return assert.deepEqual(has, had)
        assert.ok(lateS > 0n)
        const [given, got] = [had[0] - has[0], has[2] - had[2]]
        assert.ok(given > 0n && read.atMost >= given && got >= read.atLeast)
        // The amount that the function is named for is exact.
        assert.equal(isExactOutput ? got : given, isExactOutput ? read.atLeast : read.atMost)
        assert.deepEqual([has[1], has[3]], [had[1], had[3]])
      }),
      { numRuns: 40 },
    )
    assert.equal(seen.size, 4)
  })
})
