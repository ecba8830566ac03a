import { brc20Asset, type ChainCodec, type ChainId, ChainError, type Effects, SIGNATURES_MAX, slotOf } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { at, known } from '@holdfast/units'
import { addressFromKey, addressOfScript, canonicalAddress, readScript, requireScript, scriptParts } from './address.ts'
import { type Network, networkOf, NETWORKS } from './networks.ts'
import { assertSpendable, parsePsbt, payingScript, serializePsbt, type UnsignedTransaction } from './psbt.ts'
import { type InscribedTransfer, readInscribedTransfer } from './prove-inscription.ts'
import { leafHash } from './inscription.ts'
import { taprootHash, witnessV0Hash } from './sighash.ts'
import { sum } from './select-coins.ts'
import { isSignedBy } from './message/signed-message.ts'
import { dustLimit } from './size.ts'
import { idOfSteps, inscriptionOfSteps, sizeOf, stepsOf } from './steps.ts'
import { assertAmount, serializeTransaction } from './transaction.ts'
import { finishInput, verifyInput } from './witness.ts'

// The standard weight of 400,000 (Bitcoin Core policy.h); nodes do not relay more.
const SIZE_MAX_VBYTES = 100_000n
const NO_ADDRESS = 'the transaction pays to a script that has no address, which is not allowed'

/** The codec of one network of the Bitcoin kind, by its CAIP-2 name. Throws ChainError if the name is none of those. */
export function bitcoinCodec(config: { chain: ChainId }): ChainCodec {
  const network = networkOf(config.chain)
  const decode: ChainCodec['decode'] = (unsigned) => effectsOf(network, readUnsigned(unsigned))
  return {
    signatureKinds: ['ecdsa', 'taproot'],
    slotRule: 'anchor-input',
    canonicalAddress: (text) => canonicalAddress(network, text),
    leastPayment: (address) => dustLimit(requireScript(network, address)),
    paysSeveral: (contract) => contract === null,
    addressFromKey: (publicKey) => addressFromKey(network, publicKey),
    isSignedBy: (address, message, signature) => isSignedBy(network, { address, message, signature }),
    decode,
    sighashes: (unsigned) => {
      decode(unsigned)
      return sighashesOf(readUnsigned(unsigned))
    },
    attach: (unsigned, signatures) => {
      decode(unsigned)
      const transaction = readUnsigned(unsigned)
      const digests = sighashesOf(transaction)
      if (signatures.length !== digests.length) throw new ChainError(`the transaction takes ${digests.length} signatures, not ${signatures.length}`)
      const script = payingScript(transaction)
      const witnesses = digests.map((digest, i) => finishInput(script, digest, at(signatures, i)))
      return { raw: serializePsbt(transaction, witnesses), txid: idOfSteps(stepsOf(transaction)) }
    },
    detach: (raw) => {
      const { transaction } = readSigned(network, raw)
      const from = requireAddress(network, payingScript(transaction))
      return { unsigned: serializePsbt(transaction), txid: idOfSteps(stepsOf(transaction)), from }
    },
  }
}

/** The codec for a chain by its CAIP-2 name, or undefined if it is none of the Bitcoin kind. */
export function codecFor(chain: ChainId): ChainCodec | undefined {
  return NETWORKS.some((each) => each.chain === chain) ? bitcoinCodec({ chain }) : undefined
}

/**
 * What nodes pass on, from the signed form that `attach` makes: mostly one transaction, else those that are sent one after another, the last of which pays.
 * Throws ChainError if it is not whole and valid.
 */
export function networkTransactions(chain: ChainId, raw: Uint8Array): { txid: string; bytes: Uint8Array }[] {
  const { transaction, witnesses } = readSigned(networkOf(chain), raw)
  let taken = 0
  return stepsOf(transaction).map((step) => {
    const own = witnesses.slice(taken, (taken += step.coins.length))
    const { reveals } = step
    if (reveals) own[0] = [...at(own, 0), reveals.leaf, reveals.controlBlock]
    return { txid: idOfSteps([step]), bytes: serializeTransaction(step.transaction, own) }
  })
}

/** The bytes of a signed form that is one transaction. Throws ChainError if it is several. */
export function networkBytes(chain: ChainId, raw: Uint8Array): Uint8Array {
  const [only, ...more] = networkTransactions(chain, raw)
  if (!only || more.length > 0) throw new ChainError('these are several transactions, which are sent one after another')
  return only.bytes
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
  const digests = sighashesOf(transaction)
  if (witnesses.length !== digests.length) throw new ChainError(`the transaction takes ${digests.length} signatures and has ${witnesses.length}`)
  for (const [i, digest] of digests.entries()) verifyInput(payingScript(transaction), digest, at(witnesses, i))
  return { transaction, witnesses }
}

/** What is signed for each input of each transaction. All are of one address, but for a commitment that is spent by a leaf, which asks for the same key. */
function sighashesOf(unsigned: UnsignedTransaction): Uint8Array[] {
  const isTaproot = scriptParts(payingScript(unsigned)).kind === 'p2tr'
  return stepsOf(unsigned).flatMap(({ transaction, coins, reveals }) =>
    coins.map((_, i) => {
      if (!isTaproot) return witnessV0Hash(transaction, coins, i)
      return taprootHash(transaction, coins, i, i === 0 && reveals ? leafHash(reveals.leaf) : undefined)
    }),
  )
}

/** What a transaction does on the network. Throws ChainError for what it does not understand whole or what no node would relay. */
export function effectsOf(network: Network, unsigned: UnsignedTransaction): Effects {
  const { chain, inputs, outputs, inscribes } = unsigned
  if (chain !== network.chain) throw new ChainError(`the transaction is for ${JSON.stringify(chain.slice(0, 60))}, not for ${network.chain}`)
  assertSpendable(inputs.length)
  const paying = payingScript(unsigned)
  if (inputs.some((coin) => !equalBytes(coin.script, paying))) throw new ChainError('the transaction spends coins of several addresses')
  if (outputs.every(({ changePath }) => changePath)) throw new ChainError('the transaction pays nobody: all its outputs are marked as change')
  const isStray = outputs.some(({ script, changePath }) => changePath?.length === 0 && !equalBytes(script, paying))
  if (isStray) throw new ChainError('an output is marked as change to the paying address and goes to another')
  for (const { amount } of inputs) assertAmount(amount)
  for (const output of outputs) assertPayable(output)
  const size = sizeOf(unsigned)
  if (size > SIZE_MAX_VBYTES) throw new ChainError(`the transaction has ${size} vbytes; nodes relay at most ${SIZE_MAX_VBYTES}`)
  const fee = sum(inputs) - sum(outputs)
  if (fee <= 0n) throw new ChainError(`the outputs are worth ${-fee} satoshi more than the inputs: nothing is left for a fee`)
  // Addresses last: to see that a taproot key is a point takes longer than all the rest.
  const from = requireAddress(network, paying)
  const asset = { chain, contract: null }
  const outpoints = inputs.map(({ txid, index }) => `${txid}:${index}`)
  const paid = outputs.filter(({ changePath }) => !changePath).map(({ script, amount }) => ({ asset, to: requireAddress(network, script), amount }))
  const steps = stepsOf(unsigned)
  const signatures = steps.reduce((count, { coins }) => count + coins.length, 0)
  if (signatures > SIGNATURES_MAX) throw new ChainError(`the transactions take ${signatures} signatures; signers make ${SIGNATURES_MAX} at most`)
  return {
    chain,
    transfers: [...(inscribes ? [newTransfer(unsigned, inscribes, paid)] : inscribedTransfers(unsigned, paid)), ...paid],
    ...(inscribes && { inscribes: known(inscriptionOfSteps(steps), 'the inscription of an order that inscribes') }),
    inputs: inputs.map(({ amount }, i) => ({ outpoint: at(outpoints, i), address: from, amount })),
    change: outputs.flatMap(({ script, amount, changePath }, index) => {
      if (!changePath) return []
      return [{ address: requireAddress(network, script), amount, index, ...(changePath.length > 0 && { path: changePath }) }]
    }),
    feeMax: fee,
    feeParameters: { satPerKvb: (fee * 1000n) / size },
    slot: slotOf(at(outpoints, 0)),
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
    return [{ asset: { chain, contract: brc20Asset(ticker) }, to: at(paid, i).to, amount }]
  })
}

/** The BRC-20 transfer that is made on the way, to whom the first output pays: it lies on the first satoshi of all that the payment spends. */
function newTransfer(
  { chain, inputs, outputs }: UnsignedTransaction,
  { ticker, amount }: InscribedTransfer,
  paid: Effects['transfers'],
): Effects['transfers'][0] {
  if (inputs.some(({ inscription }) => inscription)) throw new ChainError('a transaction either sends inscriptions that are there or makes one')
  if (!outputs[0] || outputs[0].changePath) throw new ChainError('the inscription that is made would come back as change')
  return { asset: { chain, contract: brc20Asset(ticker) }, to: at(paid, 0).to, amount }
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
