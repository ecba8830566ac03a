import { brc20Asset, type ChainCodec, type ChainId, ChainError, type Effects, SIGNATURES_MAX, slotOf } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { addressFromKey, addressOfScript, canonicalAddress, readScript } from './address.ts'
import { type Network, networkOf, NETWORKS } from './networks.ts'
import { parsePsbt, serializePsbt, transactionOf, type UnsignedTransaction } from './psbt.ts'
import { readInscribedTransfer } from './prove-inscription.ts'
import { taprootHash, witnessV0Hash } from './sighash.ts'
import { sum } from './select-coins.ts'
import { dustLimit, virtualSize } from './size.ts'
import { assertAmount, serializeTransaction, txidOf } from './transaction.ts'
import { finishInput, verifyInput } from './witness.ts'

// The standard weight of 400,000 (Bitcoin Core policy.h); nodes do not relay more.
const SIZE_MAX_VBYTES = 100_000n
const NO_ADDRESS = 'the transaction pays to a script that has no address, which is not allowed'

/** The codec of one network of the Bitcoin kind, by its CAIP-2 name. Throws ChainError where the name is none of those. */
export function bitcoinCodec(config: { chain: ChainId }): ChainCodec {
  const network = networkOf(config.chain)
  const decode: ChainCodec['decode'] = (unsigned) => effectsOf(network, readUnsigned(unsigned))
  return {
    signatureKinds: ['ecdsa', 'taproot'],
    slotRule: 'anchor-input',
    canonicalAddress: (text) => canonicalAddress(network, text),
    addressFromKey: (publicKey) => addressFromKey(network, publicKey),
    decode,
    sighashes: (unsigned) => {
      decode(unsigned)
      return sighashesOf(readUnsigned(unsigned))
    },
    attach: (unsigned, signatures) => {
      decode(unsigned)
      const transaction = readUnsigned(unsigned)
      const { inputs } = transaction
      if (signatures.length !== inputs.length) throw new ChainError(`the transaction takes ${inputs.length} signatures, not ${signatures.length}`)
      const witnesses = sighashesOf(transaction).map((digest, i) => finishInput(inputs[i]!.script, digest, signatures[i]!))
      return { raw: serializePsbt(transaction, witnesses), txid: txidOf(transactionOf(transaction)) }
    },
    detach: (raw) => {
      const { transaction } = readSigned(network, raw)
      const from = addressOfScript(network, transaction.inputs[0]!.script)!
      return { unsigned: serializePsbt(transaction), txid: txidOf(transactionOf(transaction)), from }
    },
  }
}

/** The codec for a chain by its CAIP-2 name, or undefined where it is none of the Bitcoin kind. */
export function codecFor(chain: ChainId): ChainCodec | undefined {
  return NETWORKS.some((each) => each.chain === chain) ? bitcoinCodec({ chain }) : undefined
}

/** The bytes that nodes pass on, from the signed form that `attach` makes. Throws ChainError where it is not whole and valid. */
export function networkBytes(chain: ChainId, raw: Uint8Array): Uint8Array {
  const { transaction, witnesses } = readSigned(networkOf(chain), raw)
  return serializeTransaction(transactionOf(transaction), witnesses)
}

export function readUnsigned(unsigned: Uint8Array): UnsignedTransaction {
  const { transaction, witnesses } = parsePsbt(unsigned)
  if (witnesses) throw new ChainError('the transaction is signed already')
  return transaction
}

function readSigned(network: Network, raw: Uint8Array): { transaction: UnsignedTransaction; witnesses: Uint8Array[][] } {
  const { transaction, witnesses } = parsePsbt(raw)
  if (!witnesses) throw new ChainError('the transaction is not signed')
  effectsOf(network, transaction)
  for (const [i, digest] of sighashesOf(transaction).entries()) verifyInput(transaction.inputs[i]!.script, digest, witnesses[i]!)
  return { transaction, witnesses }
}

function sighashesOf(unsigned: UnsignedTransaction): Uint8Array[] {
  const transaction = transactionOf(unsigned)
  const hash = readScript(unsigned.inputs[0]!.script)!.kind === 'p2tr' ? taprootHash : witnessV0Hash
  return unsigned.inputs.map((_, i) => hash(transaction, unsigned.inputs, i))
}

/** What a transaction does on the network. Throws ChainError for what it does not understand whole or what no node would relay. */
export function effectsOf(network: Network, { chain, inputs, outputs }: UnsignedTransaction): Effects {
  if (chain !== network.chain) throw new ChainError(`the transaction is for ${JSON.stringify(chain.slice(0, 60))}, not for ${network.chain}`)
  if (inputs.length > SIGNATURES_MAX) throw new ChainError(`the transaction spends ${inputs.length} coins; signers sign for ${SIGNATURES_MAX} at most`)
  const paying = inputs[0]!.script
  if (inputs.some((coin) => !equalBytes(coin.script, paying))) throw new ChainError('the transaction spends coins of several addresses')
  if (outputs.every(({ changePath }) => changePath)) throw new ChainError('the transaction pays nobody: all its outputs are marked as change')
  const isStray = outputs.some(({ script, changePath }) => changePath?.length === 0 && !equalBytes(script, paying))
  if (isStray) throw new ChainError('an output is marked as change to the paying address and goes to another')
  for (const { amount } of inputs) assertAmount(amount)
  for (const output of outputs) assertPayable(output)
  const size = virtualSize(
    paying,
    inputs.length,
    outputs.map(({ script }) => script),
  )
  if (size > SIZE_MAX_VBYTES) throw new ChainError(`the transaction has ${size} vbytes; nodes relay at most ${SIZE_MAX_VBYTES}`)
  const fee = sum(inputs) - sum(outputs)
  if (fee <= 0n) throw new ChainError(`the outputs are worth ${-fee} satoshi more than the inputs: nothing is left for a fee`)
  // Addresses last: to see that a taproot key is a point takes longer than all the rest.
  const from = requireAddress(network, paying)
  const asset = { chain, contract: null }
  const outpoints = inputs.map(({ txid, index }) => `${txid}:${index}`)
  const paid = outputs.filter(({ changePath }) => !changePath).map(({ script, amount }) => ({ asset, to: requireAddress(network, script), amount }))
  return {
    chain,
    transfers: [...inscribedTransfers({ chain, inputs, outputs }, paid), ...paid],
    inputs: inputs.map(({ amount }, i) => ({ outpoint: outpoints[i]!, address: from, amount })),
    change: outputs.flatMap(({ script, amount, changePath }, index) => {
      if (!changePath) return []
      return [{ address: requireAddress(network, script), amount, index, ...(changePath.length > 0 && { path: changePath }) }]
    }),
    feeMax: fee,
    feeParameters: { satPerKvb: (fee * 1000n) / size },
    slot: slotOf(outpoints[0]!),
  }
}

/**
 * What goes along with the first satoshi of an input: the BRC-20 transfer that is proven for it, to whom the output in its place pays. That is the first
 * satoshi of this output, since what comes before is worth the same on both sides; otherwise nobody could say where the inscription goes.
 */
function inscribedTransfers({ chain, inputs, outputs }: UnsignedTransaction, paid: Effects['transfers']): Effects['transfers'] {
  return inputs.flatMap((coin, i) => {
    if (!coin.inscription) return []
    const { ticker, amount } = readInscribedTransfer(coin, coin.inscription)
    if (sum(inputs.slice(0, i)) !== sum(outputs.slice(0, i))) throw new ChainError('an inscription that is spent would not go to the output in its place')
    if (!outputs[i] || outputs[i].changePath) throw new ChainError('an inscription that is spent would come back as change')
    // Outputs before this one are no change either, so its transfer has the same place as it has.
    return [{ asset: { chain, contract: brc20Asset(ticker) }, to: paid[i]!.to, amount }]
  })
}

function assertPayable({ amount, script }: { amount: bigint; script: Uint8Array }): void {
  assertAmount(amount)
  if (!readScript(script)) throw new ChainError(NO_ADDRESS)
  const least = dustLimit(script)
  if (amount < least) throw new ChainError(`an output of ${amount} satoshi is dust; nodes relay ${least} or more to its address`)
}

function requireAddress(network: Network, script: Uint8Array): string {
  const address = addressOfScript(network, script)
  if (address === undefined) throw new ChainError(NO_ADDRESS)
  return address
}
