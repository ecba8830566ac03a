import { addressOfScript, bitcoinChain, networkOf, readScript } from '@holdfast/chain-bitcoin/codec'
import { toHex } from '@holdfast/encoding'
import type { NetworkBlock } from './block.ts'
import type { Coin } from './chain-state.ts'
import type { Emulator } from './emulator.ts'
import { type NetworkTransaction, type Output, virtualSize } from './transaction.ts'

/** The answers of Bitcoin Core about blocks and transactions, with the fields that clients use. Amounts are coins, as Core writes them. */

const CORE_TYPES = { p2pkh: 'pubkeyhash', p2sh: 'scripthash', p2wpkh: 'witness_v0_keyhash', p2wsh: 'witness_v0_scripthash', p2tr: 'witness_v1_taproot' }

export const coins = (amount: bigint): number => Number(amount) / 1e8

export function describeScript({ network }: Emulator, script: Uint8Array) {
  const address = addressOfScript(networkOf(bitcoinChain(network)), script)
  const kind = readScript(script)?.kind
  const type = kind ? CORE_TYPES[kind] : script[0] === 0x6a ? 'nulldata' : 'nonstandard'
  return { hex: toHex(script), ...(address !== undefined && { address }), type }
}

function describeOutput(emulator: Emulator, output: Output, n: number) {
  return { value: coins(output.amount), n, scriptPubKey: describeScript(emulator, output.script) }
}

export function describeTransaction(emulator: Emulator, transaction: NetworkTransaction, spent?: readonly (Coin | undefined)[]) {
  const { txid, hash, version, lockTime, raw, weight, inputs, outputs, isCoinbase } = transaction
  const vin = inputs.map((input, i) => {
    const txinwitness = input.witness.length > 0 ? { txinwitness: input.witness.map(toHex) } : {}
    if (isCoinbase) return { coinbase: toHex(input.script), ...txinwitness, sequence: input.sequence }
    const coin = spent?.[i]
    const prevout = coin && { generated: coin.isCoinbase, height: coin.height, value: coins(coin.amount), scriptPubKey: describeScript(emulator, coin.script) }
    return {
      txid: input.txid,
      vout: input.index,
      scriptSig: { asm: '', hex: toHex(input.script) },
      ...txinwitness,
      ...(prevout && { prevout }),
      sequence: input.sequence,
    }
  })
  const vout = outputs.map((output, n) => describeOutput(emulator, output, n))
  const fee = !isCoinbase && spent?.every((coin) => coin) ? { fee: coins(sum(spent as Coin[]) - sum(outputs)) } : {}
  return { txid, hash, version, size: raw.length, vsize: virtualSize(transaction), weight, locktime: lockTime, vin, vout, ...fee, hex: toHex(raw) }
}

export function describeBlock(emulator: Emulator, block: NetworkBlock, verbosity: number) {
  const { chain } = emulator
  const { transactions } = block
  const tx = transactions.map((transaction) => {
    if (verbosity < 2) return transaction.txid
    return describeTransaction(emulator, transaction, verbosity >= 3 ? chain.spentBy(block, transaction) : undefined)
  })
  return { ...describeHeader(emulator, block), tx }
}

export function describeHeader({ chain }: Emulator, block: NetworkBlock) {
  const { hash, height, header, transactions } = block
  const isActive = chain.isActive(block)
  const next = isActive ? chain.at(height + 1)?.hash : undefined
  return {
    hash,
    confirmations: isActive ? chain.tip.height - height + 1 : -1,
    height,
    version: header.version,
    merkleroot: header.merkleRoot,
    time: header.timeS,
    mediantime: header.timeS,
    nonce: header.nonce,
    bits: header.bits.toString(16),
    nTx: transactions.length,
    ...(height > 0 && { previousblockhash: header.parent }),
    ...(next !== undefined && { nextblockhash: next }),
  }
}

function sum(amounts: readonly { amount: bigint }[]): bigint {
  return amounts.reduce((total, { amount }) => total + amount, 0n)
}
