import { ChainError } from '@holdfast/chain-core'
import { last } from '@holdfast/units'
import { readScript } from './address.ts'
import { writeBrc20Transfer } from './brc20.ts'
import { commitInscription, type InscriptionCommit } from './inscription.ts'
import type { InscribedTransfer } from './prove-inscription.ts'
import { payingScript, type SpentCoin, transactionOf, type UnsignedTransaction } from './psbt.ts'
import { sum } from './select-coins.ts'
import { dustLimit, virtualSize } from './size.ts'
import { serializeTransaction, type Transaction, type TransactionOutput, txidOf } from './transaction.ts'

/** One of the transactions that are signed together, and the coins it spends. With `reveals`, the first of them is spent by that leaf. */
export type Step = { transaction: Transaction; coins: readonly SpentCoin[]; reveals?: Pick<InscriptionCommit, 'leaf' | 'controlBlock'> }

type Whole = Pick<UnsignedTransaction, 'inputs' | 'outputs' | 'inscribes'>

const SIGNATURE_LENGTH = 64

/**
 * The transactions that an unsigned one consists of, in the order in which they are sent: mostly itself. One that inscribes is three, which together spend its
 * inputs and pay its outputs:
 *
 * 1. the commitment: the least that nodes relay goes to an output that commits to the inscription, all else comes back to the paying address;
 * 2. the reveal: both come back as one coin, with the inscription on its first satoshi. Because it spends a coin of the address too, nobody who reads blocks
 *    takes it for a payment from outside;
 * 3. the payment: that coin goes to the outputs, and the inscription to the first of them.
 *
 * All of it follows from the unsigned bytes, so that nobody has to be believed. The paying address's key signs for every input: it is also the one that
 * the leaf
 * asks for. Throws ChainError if the address is not a taproot one, or too little is left between the transactions.
 */
export function stepsOf(unsigned: UnsignedTransaction): readonly Step[] {
  const { inputs, outputs, inscribes } = unsigned
  if (!inscribes) return [{ transaction: transactionOf(unsigned), coins: inputs }]
  const script = payingScript(unsigned)
  const commitment = commitmentTo(script, inscribes)
  const fees = feesOf(unsigned, commitment)
  const least = dustLimit(commitment.script)
  const rest = sum(inputs) - fees.commit - least
  const revealed = rest + least - fees.reveal
  if (rest < least || revealed < least) throw new ChainError(`the coins leave ${rest} satoshi beside the inscription, which nodes do not relay; more is needed`)
  const commit = step(inputs, [
    { script: commitment.script, amount: least },
    { script, amount: rest },
  ])
  const reveal = { ...step(madeBy(commit), [{ script, amount: revealed }]), reveals: commitment }
  return [commit, reveal, step(madeBy(reveal), outputs)]
}

/** The id of what unsigned bytes do: that of the last transaction, which pays. */
export function idOfSteps(steps: readonly Step[]): string {
  return txidOf(last(steps).transaction)
}

/** The inscription that is made on the way, where one is. */
export function inscriptionOfSteps(steps: readonly Step[]): string | undefined {
  const reveal = steps.find(({ reveals }) => reveals)
  return reveal && `${txidOf(reveal.transaction)}i0`
}

/** The virtual size (BIP141) of all transactions of an unsigned one together once signed, at the most, in vbytes. */
export function sizeOf(whole: Whole): bigint {
  return sizing(payingScript(whole), whole.inscribes)(whole.inputs.length, scriptsOf(whole.outputs))
}

/** The same for so many inputs of the paying address and such outputs. */
export function sizing(script: Uint8Array, inscribes?: InscribedTransfer): (inputs: number, outputScripts: readonly Uint8Array[]) => bigint {
  if (!inscribes) return (inputs, outputScripts) => virtualSize(script, inputs, outputScripts)
  const commitment = commitmentTo(script, inscribes)
  return (inputs, outputScripts) => sum(sizesOf(script, commitment, inputs, outputScripts).map((amount) => ({ amount })))
}

function sizesOf(script: Uint8Array, commitment: InscriptionCommit, inputs: number, outputScripts: readonly Uint8Array[]): [bigint, bigint, bigint] {
  return [virtualSize(script, inputs, [commitment.script, script]), revealSize(script, commitment), virtualSize(script, 1, outputScripts)]
}

function revealSize(script: Uint8Array, { leaf, controlBlock }: InscriptionCommit): bigint {
  const coin: SpentCoin = { txid: '00'.repeat(32), index: 0, amount: 0n, script }
  const { transaction } = step([coin, coin], [{ script, amount: 0n }])
  const signature = new Uint8Array(SIGNATURE_LENGTH)
  const signed = serializeTransaction(transaction, [[signature, leaf, controlBlock], [signature]])
  return BigInt(Math.ceil((serializeTransaction(transaction).length * 3 + signed.length) / 4))
}

/** What the first two pay: their parts of the whole fee by their sizes, rounded down, so that each of the three pays the rate of all together. */
function feesOf({ inputs, outputs }: Whole, commitment: InscriptionCommit): { commit: bigint; reveal: bigint } {
  const [commit, reveal, payment] = sizesOf(payingScript({ inputs }), commitment, inputs.length, scriptsOf(outputs))
  const fee = sum(inputs) - sum(outputs)
  const whole = commit + reveal + payment
  return { commit: (fee * commit) / whole, reveal: (fee * reveal) / whole }
}

function commitmentTo(script: Uint8Array, { ticker, amount }: InscribedTransfer): InscriptionCommit {
  const paying = readScript(script)
  if (paying?.kind !== 'p2tr') throw new ChainError('only a taproot address makes inscriptions: the key of another cannot sign for them')
  const { contentType, body } = writeBrc20Transfer(ticker, amount)
  return commitInscription(paying.payload, contentType, body)
}

const scriptsOf = (outputs: readonly TransactionOutput[]) => outputs.map(({ script }) => script)

const step = (coins: readonly SpentCoin[], outputs: readonly TransactionOutput[]): Step => ({
  transaction: transactionOf({ inputs: coins, outputs: [...outputs] }),
  coins,
})

/** The outputs of a step as the coins that the next one spends. */
function madeBy({ transaction }: Step): SpentCoin[] {
  const txid = txidOf(transaction)
  return transaction.outputs.map(({ amount, script }, index) => ({ txid, index, amount, script }))
}
