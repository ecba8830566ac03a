/**
 * Measures what it costs to collect a token from 1,000 addresses, or as many as are given: by single transfers, for each of which coins for its fee are sent
 * before, and by the collector contract. Run: `node bench/collection.bench.ts`. Prints one JSON line for each figure, in gas for one address. Exits with 1 where
 * the contract costs more than half.
 */
import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { allowanceCall, collector, encodeCollect } from '@holdfast/chain-evm/collect'
import { toHex } from '@holdfast/encoding'
import { setTimeout } from 'node:timers/promises'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, numberToHex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { startAnvil } from '../packages/chains/evm/testing/anvil.ts'

const ADDRESSES = Number(process.argv[2] ?? 1_000)
const BATCH = 200
const AMOUNT = 100_000_000n
const target = getAddress(`0x${'a11ce'.padStart(40, '0')}`)
const abi = devDollar.abi as Abi
const print = (figure: string, value: number) => console.log(JSON.stringify({ figure, value: Math.round(value * 1000) / 1000 }))

const anvil = await startAnvil()
const { network } = anvil
const minter = anvil.walletOf(0).account.address
const sources = Array.from({ length: ADDRESSES }, (_, i) => getAddress(numberToHex(0x1000_0000_0000n + BigInt(i), { size: 20 })))

/** The receipt of a transaction that is mined as soon as it is sent. Whoever waited for a block to say so would wait for the next one, which may never come. */
async function receiptOf(hash: Hex): Promise<TransactionReceipt> {
  for (;;) {
    try {
      return await network.getTransactionReceipt({ hash })
    } catch (cause) {
      if (!(cause instanceof TransactionReceiptNotFoundError)) throw cause
      await setTimeout(5)
    }
  }
}

/** Sends a transaction in the name of any address. Answers the gas that it took. */
async function send(from: Address, to: Address, data: Hex = '0x', value = 0n): Promise<bigint> {
  const call = { from, to, data, value: numberToHex(value), gas: numberToHex(16_000_000n) }
  const hash = await network.request({ method: 'eth_sendTransaction', params: [call] } as never)
  const { status, gasUsed } = await receiptOf(hash)
  if (status !== 'success') throw new Error(`a transaction of ${from} failed`)
  return gasUsed
}
const hex = (bytes: Uint8Array): Hex => `0x${toHex(bytes)}`

async function each(act: (source: Address) => Promise<bigint>): Promise<number> {
  let gas = 0n
  for (const source of sources) gas += await act(source)
  return Number(gas) / ADDRESSES
}

try {
  await network.request({ method: 'anvil_autoImpersonateAccount', params: [true] } as never)
  const { contractAddress } = await receiptOf(await anvil.walletOf(0).deployContract({ abi, bytecode: devDollar.bytecode as Hex, args: ['USDC'] }))
  const token = getAddress(contractAddress ?? '')
  const mint = (to: Address) => send(minter, token, encodeFunctionData({ abi, functionName: 'mint', args: [to, AMOUNT] }))
  const deployment = collector.deploymentOf(target)
  print('deployment of the collector, once', Number(await send(minter, deployment.contract as Address, hex(deployment.data))))
  await mint(target)
  await each(mint)
  const fuelling = await each((source) => send(minter, source, '0x', 10n ** 18n))
  const transfer = await each((source) => send(source, token, encodeFunctionData({ abi, functionName: 'transfer', args: [target, AMOUNT] })))
  print('single transfer with fuelling', fuelling + transfer)

  await each(mint)
  const allowance = allowanceCall({ token, target, amount: AMOUNT * 100n })
  const allowing = await each((source) => send(source, token, hex(allowance.data)))
  let taken = 0n
  for (let from = 0; from < ADDRESSES; from += BATCH) {
    const pulls = sources.slice(from, from + BATCH).map((source) => ({ source, amount: AMOUNT }))
    taken += await send(minter, collector.addressOf(target) as Address, hex(encodeCollect({ token, pulls, isWhole: true })))
  }
  const single = fuelling + transfer
  const collecting = Number(taken) / ADDRESSES
  print('by the collector', collecting)
  print('by the collector, of a single transfer with fuelling', collecting / single)
  print('allowance with its fuelling, once', fuelling + allowing)
  print('collections of an address after which its allowance has paid off', (fuelling + allowing) / (single - collecting))
  if (collecting * 2 > single) process.exitCode = 1
} finally {
  await anvil.stop()
}
