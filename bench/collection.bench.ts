/**
 * Measures what it costs to collect a token from 1,000 addresses, or as many as are given: by single transfers, for each of which coins for its fee are sent
 * before, by the collector contract, and by the sweeper, to which addresses delegate (EIP-7702) and need no coin. Run: `node bench/collection.bench.ts`. Prints one JSON line for each figure, in gas for one address. Exits with 1 where
 * the contract costs more than half.
 */
import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { authorizationDigest, buildTransfer, encodeAuthorization, evmCodec, signAuthorization, type SignedAuthorization } from '@holdfast/chain-evm/codec'
import { allowanceCall, collector, delegationTo, encodeCollect, sweeper } from '@holdfast/chain-evm/collect'
import { fromHex, toHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { setTimeout } from 'node:timers/promises'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, numberToHex, type TransactionReceipt, TransactionReceiptNotFoundError } from 'viem'
import { startAnvil } from '../packages/chains/evm/testing/anvil.ts'
import { chain, publicKey, sign, signWith } from '../packages/chains/evm/testing/samples.ts'

const ADDRESSES = Number(process.argv[2] ?? 1_000)
const BATCH = 200
/** With their authorizations, more would be above what one transaction may ask for (EIP-7825). */
const SWEEP_BATCH = 100
const AMOUNT = 100_000_000n
const target = getAddress(`0x${'a11ce'.padStart(40, '0')}`)
const abi = devDollar.abi as Abi
const codec = evmCodec({ chain })
const purse = codec.addressFromKey(publicKey) as Address
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

/** What a key signs that lets the sweeper run in the name of its account. */
function authorizationBy(key: Uint8Array): SignedAuthorization {
  const bytes = encodeAuthorization(delegationTo({ chain, target, nonce: 0n }))
  return signAuthorization(bytes, signWith(key)(authorizationDigest(bytes)))
}

/** Calls the sweeper with a key of its own, since a node signs no authorizations along. Answers the gas that it took. */
async function carry(data: Hex, authorizations: SignedAuthorization[]): Promise<bigint> {
  const nonce = BigInt(await network.getTransactionCount({ address: purse }))
  const fees = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 0n, gasLimit: 16_000_000n }
  const call = { asset: { chain, contract: null }, to: sweeper.addressOf(target), amount: 0n, data: fromHex(data.slice(2)), nonce, ...fees }
  const unsigned = buildTransfer(authorizations.length > 0 ? { ...call, authorizations } : call)
  const { raw } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
  const { status, gasUsed } = await receiptOf(await network.sendRawTransaction({ serializedTransaction: hex(raw) }))
  if (status !== 'success') throw new Error('a sweep failed')
  return gasUsed
}

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
  await network.setBalance({ address: purse, value: 10n ** 22n })
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

  const sweep = sweeper.deploymentOf(target)
  print('deployment of the sweeper, once', Number(await send(minter, sweep.contract as Address, hex(sweep.data))))
  const keys = sources.map((_, i) => fromHex((BigInt(i) + 1n).toString(16).padStart(64, '0')))
  const holders = keys.map((key) => codec.addressFromKey(secp256k1.getPublicKey(key, true)) as Address)
  for (const holder of holders) await mint(holder)
  const sweeping = async (authorizes: boolean) => {
    let gas = 0n
    for (let from = 0; from < ADDRESSES; from += SWEEP_BATCH) {
      const pulls = holders.slice(from, from + SWEEP_BATCH).map((source) => ({ source, amount: AMOUNT }))
      const authorizations = authorizes ? keys.slice(from, from + SWEEP_BATCH).map(authorizationBy) : []
      gas += await carry(hex(encodeCollect({ token, pulls, isWhole: true })), authorizations)
    }
    return Number(gas) / ADDRESSES
  }
  const first = await sweeping(true)
  for (const holder of holders) await mint(holder)
  const later = await sweeping(false)
  print('by the sweeper, the first time, with the authorization of the address', first)
  print('by the sweeper, each later time', later)
  print('by the sweeper, the first time, of a single transfer with fuelling', first / single)
  if (collecting * 2 > single) process.exitCode = 1
} finally {
  await anvil.stop()
}
