/**
 * Measures what a line of a batch costs by the contract that pays many, beside a transfer of its own, for new recipients and for those that have something
 * already; and on TON by an order of the wallet that pays many, beside an order of its own. Run: `node bench/payouts.bench.ts`. Prints one JSON line for each
 * figure, in gas and in nanotons. Exits with 1 where a line costs as much as a transfer.
 */
import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { payouts } from '@holdfast/chain-evm/payouts'
import { addressText, tonCodec } from '@holdfast/chain-ton/codec'
import { tonNode } from '@holdfast/chain-ton/node'
import { startTon, TON_CHAIN } from '@holdfast/devnet/ton'
import { toHex } from '@holdfast/encoding'
import { nodePorts } from '@holdfast/ports/node'
import { known } from '@holdfast/units'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, numberToHex } from 'viem'
import { encodePayMany } from '../packages/chains/evm/codec/payouts/pay-many.ts'
import { publicKey, sign } from '../packages/chains/ton/testing/samples.ts'
import { startAnvil } from '../packages/chains/evm/testing/anvil.ts'

const LINES = 100
const abi = devDollar.abi as Abi
const print = (figure: string, value: bigint | number) => console.log(JSON.stringify({ figure, value: Math.round(Number(value)) }))
/** New recipients, others for each way. */
const recipients = (way: number) =>
  Array.from({ length: LINES }, (_, i) => getAddress(numberToHex(BigInt(way) * 0x1000_0000_0000n + BigInt(i) + 7n, { size: 20 })))

const anvil = await startAnvil()
const payer = anvil.walletOf(0)

async function send(to: Address, data: Hex = '0x', value = 0n): Promise<bigint> {
  const { status, gasUsed } = await anvil.network.waitForTransactionReceipt({ hash: await payer.sendTransaction({ to, data, value, gas: 16_000_000n }) })
  if (status !== 'success') throw new Error(`the transaction to ${to} failed`)
  return gasUsed
}
const hex = (bytes: Uint8Array): Hex => `0x${toHex(bytes)}`

async function average(act: (to: Address) => Promise<bigint>, way: number): Promise<number> {
  let gas = 0n
  for (const to of recipients(way)) gas += await act(to)
  return Number(gas) / LINES
}

try {
  const { contractAddress } = await anvil.network.waitForTransactionReceipt({
    hash: await payer.deployContract({ abi, bytecode: devDollar.bytecode as Hex, args: ['USDC'] }),
  })
  const token = getAddress(contractAddress ?? '')
  const call = (functionName: string, args: unknown[]) => send(token, encodeFunctionData({ abi, functionName, args }))
  await call('mint', [payer.account.address, 10n ** 12n])
  print('deployment of the contract, once for a network', await send(payouts.deployment.contract as Address, hex(payouts.deployment.data)))
  print('allowance', await call('approve', [payouts.address, 10n ** 9n]))
  const paid = (contract: string | null, way: number) => {
    const { contract: to, value, data } = encodePayMany({ contract, payments: recipients(way).map((each) => ({ to: each, amount: 1_000n })) })
    return send(to as Address, hex(data), value)
  }
  for (const whom of ['new', 'known']) {
    const single = { token: await average((to) => call('transfer', [to, 1_000n]), 1), coin: await average((to) => send(to, '0x', 1_000n), 2) }
    const many = { token: Number(await paid(token, 3)) / LINES, coin: Number(await paid(null, 4)) / LINES }
    print(`transfer of a token to a ${whom} recipient`, single.token)
    print(`line of a token by contract to a ${whom} recipient`, many.token)
    print(`transfer of coin to a ${whom} recipient`, single.coin)
    print(`line of coin by contract to a ${whom} recipient`, many.coin)
    if (many.token >= single.token) process.exitCode = 1
  }
} finally {
  await anvil.stop()
}

const ton = await startTon(nodePorts, { port: 0, dataFolder: mkdtempSync(`${tmpdir()}/holdfast-payouts-`), blockTimeMs: 5_000, mining: false })
try {
  const { fetch, timer } = nodePorts
  const node = tonNode({ chain: TON_CHAIN, rpcUrl: ton.url, tokens: [ton.token.contract], publicKeyOf: async () => publicKey, fetch, timer })
  const codec = tonCodec({ chain: TON_CHAIN })
  const from = codec.addressFromKey(publicKey)
  await ton.pay(null, from, 100_000_000_000n)
  await ton.pay(ton.token.contract, from, 1_000_000n)
  await ton.mine(1)
  let made = 0
  const line = () => ({
    to: addressText({ workchain: 0, hash: Uint8Array.of(...new Uint8Array(28).fill(7), ...new Uint8Array(Uint32Array.of(++made).buffer)) }, true),
    amount: 1n,
  })
  const feeOf = async (contract: string | null, payments: ReturnType<typeof line>[]) => {
    const paid = { from, to: known(payments[0], 'a line').to, asset: { chain: TON_CHAIN, contract }, amount: BigInt(payments.length), payments }
    const unsigned = await node.prepare({ ...paid, feeCap: 20_000_000_000n, slot: await node.nextSlot(from), tier: 1 })
    const { raw, txid } = codec.attach(unsigned, codec.sighashes(unsigned).map(sign))
    await node.broadcast(raw)
    await ton.mine(1)
    const state = await node.transaction(txid)
    if (state.state !== 'included' || !state.success) throw new Error(`the order ${txid} failed`)
    return state.fee / BigInt(payments.length)
  }
  await feeOf(null, [line()])
  for (const [name, contract] of [
    ['coin', null],
    ['a jetton', ton.token.contract],
  ] as const) {
    const [single, many] = [await feeOf(contract, [line()]), await feeOf(contract, Array.from({ length: LINES }, line))]
    print(`TON: transfer of ${name}, nanotons`, single)
    print(`TON: line of ${name} in an order of ${LINES}, nanotons`, many)
    if (many >= single) process.exitCode = 1
  }
} finally {
  await ton.stop()
}
