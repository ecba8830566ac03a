/**
 * Measures what a line of a batch costs by the contract that pays many, beside a transfer of its own, for new recipients and for those that have something already. Run: `node bench/payouts.bench.ts`. Prints
 * one JSON line for each figure, in gas. Exits with 1 where a line by contract costs as much as a transfer.
 */
import devDollar from '@holdfast/chain-evm/artifacts/dev-dollar.json' with { type: 'json' }
import { payouts } from '@holdfast/chain-evm/payouts'
import { toHex } from '@holdfast/encoding'
import { type Abi, type Address, encodeFunctionData, getAddress, type Hex, numberToHex } from 'viem'
import { encodePayMany } from '../packages/chains/evm/codec/payouts/pay-many.ts'
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
