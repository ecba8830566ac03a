import { addressOfScript, feeFor, type Network, requireScript, virtualSize } from '@holdfast/chain-bitcoin/codec'
import { known } from '@holdfast/units'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { p2wpkh, Transaction } from '@scure/btc-signer'
import type { CallBitcoin } from './call-bitcoin.ts'

/** A key that everybody knows: whoever reaches this network may spend its play money. */
const FAUCET_KEY = sha256(new TextEncoder().encode('holdfast development faucet: play money'))
export const FAUCET_SCRIPT = Uint8Array.from(p2wpkh(secp256k1.getPublicKey(FAUCET_KEY, true)).script)

const SAT_PER_KVB = 2_000n
const MATURITY = 100

type Unspent = { txid: string; vout: number; amount: number; height: number; coinbase: boolean }

/** Pays from the rewards of the network's own mining, through the node's ordinary methods: the same for an emulator and a real node. */
export function openPayer(call: CallBitcoin, network: Network) {
  const address = known(addressOfScript(network, FAUCET_SCRIPT), 'the address of the faucet')
  let last: Promise<unknown> = Promise.resolve()
  const mine = async (blocks: number): Promise<void> => void (await call('generatetoaddress', blocks, address))
  const send = async (to: string, amount: bigint) => ({
    txid: (await call('sendrawtransaction', await write(call, network, address, requireScript(network, to), amount))) as string,
  })
  const sendAndMine = async (to: string, amount: bigint) => {
    const { txid } = await send(to, amount)
    await mine(1)
    // The network mines by itself as well, so the block that has it may be an earlier one than the newest.
    const { blockhash } = (await call('getrawtransaction', txid, 1)) as { blockhash: string }
    const { height } = (await call('getblockheader', blockhash)) as { height: number }
    return { txid, height: BigInt(height) }
  }
  /** One payment after the other, so that no two choose the same coin. */
  const inTurn = <T>(act: () => Promise<T>): Promise<T> => {
    const paying = last.then(act)
    last = paying.catch(() => undefined)
    return paying
  }
  const fund = (to: string, amount: bigint) => inTurn(() => sendAndMine(to, amount))
  const pay = (to: string, amount: bigint) => inTurn(() => send(to, amount))
  return { fund, pay, mine }
}

async function write(call: CallBitcoin, network: Network, address: string, script: Uint8Array, amount: bigint): Promise<string> {
  const { unspents, height } = (await call('scantxoutset', 'start', [`addr(${address})`])) as { unspents: Unspent[]; height: number }
  const ripe = unspents.filter((coin) => !coin.coinbase || height + 1 - coin.height >= MATURITY).toSorted((a, b) => b.amount - a.amount)
  const transaction = new Transaction({ version: 2 })
  let total = 0n
  let fee = 0n
  for (const { txid, vout, amount: value } of ripe) {
    // After a reorganisation a payment may wait that spends this coin already.
    if ((await call('gettxout', txid, vout, true)) === null) continue
    const held = BigInt(Math.round(value * 1e8))
    transaction.addInput({ txid, index: vout, witnessUtxo: { script: FAUCET_SCRIPT, amount: held } })
    total += held
    fee = feeFor(virtualSize(FAUCET_SCRIPT, transaction.inputsLength, [script, FAUCET_SCRIPT]), SAT_PER_KVB)
    if (total >= amount + fee) break
  }
  if (total < amount + fee) throw new Error(`the faucet of ${network.name} holds ${total} satoshi that it may spend: mine some blocks, or ask for less`)
  transaction.addOutput({ script, amount })
  const rest = total - amount - fee
  if (rest > 1_000n) transaction.addOutput({ script: FAUCET_SCRIPT, amount: rest })
  transaction.sign(FAUCET_KEY)
  transaction.finalize()
  return transaction.hex
}
