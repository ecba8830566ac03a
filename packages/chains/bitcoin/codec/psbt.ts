import { type ChainId, ChainError, faultOfOwnPath, pathText, BuildError, SIGNATURES_MAX } from '@holdfast/chain-core'
import { concatBytes, equalBytes, fromHex, toHex } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { readScript } from './address.ts'
import { readBrc20, writeBrc20Transfer } from './brc20.ts'
import { ByteReader, compactSize, sized, uintBytes } from './byte-reader.ts'
import type { InscribedTransfer, InscriptionProof } from './prove-inscription.ts'
import {
  outpointBytes,
  outputBytes,
  parseTransaction,
  readWitness,
  readWitnessFrom,
  serializeTransaction,
  type Transaction,
  type TransactionOutput,
  txidOf,
  witnessBytes,
} from './transaction.ts'

/**
 * A coin that is spent. `previous` is the transaction that made it, without witnesses: it proves the amount. A signature for P2WPKH
 * commits to the amount of its own input alone (BIP143), so that whoever lies about the others could have a huge fee signed in two
 * sessions; with two inputs or more each is proven, coins of one transaction by the first of them. One input alone cannot be lied about, nor can taproot's (BIP341). `inscription` proves the BRC-20
 * transfer that is spent with the coin; only the first inputs can have one, so that each goes to the output in its place.
 */
export type SpentCoin = { txid: string; index: number; amount: bigint; script: Uint8Array; previous?: Uint8Array; inscription?: InscriptionProof }

/** An output; `changePath` marks one that comes back: the path from the key's root to its address, empty for the paying address itself. */
export type OrderedOutput = TransactionOutput & { changePath?: number[] }

/**
 * An unsigned transaction and all that is needed to understand and sign it. Inputs: the anchor first. With `inscribes`, it is what a chain of transactions does
 * together (`stepsOf`): they spend the inputs, make that BRC-20 transfer on the way, and pay the outputs, the first one with the inscription on it.
 */
export type UnsignedTransaction = { chain: ChainId; inputs: SpentCoin[]; outputs: OrderedOutput[]; inscribes?: InscribedTransfer }

/** The script of the paying address, of which all coins are. */
export const payingScript = ({ inputs }: Pick<UnsignedTransaction, 'inputs'>): Uint8Array => at(inputs, 0).script

const VERSION = 2
/** BIP125: every transaction of ours may be replaced while it waits. */
export const SEQUENCE = 0xffff_fffd
const MAGIC = fromHex('70736274ff')
// What signers accept in one request.
const SIZE_MAX_BYTES = 1 << 18
// A finished input holds its witness besides: two pushes of a signature and a key at most, with their lengths and the field's key.
const WITNESS_MAX_BYTES = 120

// Keys of BIP174. Those of our own stand under its prefix for private use: the network, which no Bitcoin transaction names, the path of change, what proves an
// inscription, what is inscribed on the way, and how the transactions on the way are signed.
const UNSIGNED_TX = Uint8Array.of(0x00)
const NON_WITNESS_UTXO = Uint8Array.of(0x00)
const WITNESS_UTXO = Uint8Array.of(0x01)
const FINAL_WITNESS = Uint8Array.of(0x08)
const OWN = concatBytes(Uint8Array.of(0xfc), sized(new TextEncoder().encode('holdfast')))
const CHAIN = concatBytes(OWN, Uint8Array.of(0))
const CHANGE = concatBytes(OWN, Uint8Array.of(1))
const INSCRIPTION = concatBytes(OWN, Uint8Array.of(2))
const INSCRIBES = concatBytes(OWN, Uint8Array.of(3))
const STEP_WITNESSES = concatBytes(OWN, Uint8Array.of(4))

/** More fields than any map of ours has: each is compared with all others. */
const FIELDS_MAX = 8

type OutPoint = { txid: string; index: number }
type Entry = { key: Uint8Array; value: Uint8Array }

/** The bytes that prove the coins of a draft are more than signers read: fewer coins fit, or such as smaller transactions made. */
export class ProofsTooLargeError extends BuildError {
  override name = 'ProofsTooLargeError'
}

// Key and lengths of the field that a proof stands in.
const PROOF_FIELD_BYTES = 7

/**
 * Throws ProofsTooLargeError if the unsigned bytes of so many inputs would leave no room for their witnesses. `proofs` are the sizes of those that the bytes do not
 * hold yet.
 */
export function assertRoom(unsigned: Uint8Array, inputs: number, proofs: readonly number[] = []): void {
  const size = proofs.reduce((sum, each) => sum + each + PROOF_FIELD_BYTES, unsigned.length) + inputs * WITNESS_MAX_BYTES
  if (size <= SIZE_MAX_BYTES) return
  const words = `the transactions that made the ${inputs} coins come to ${size} bytes with the order; at most ${SIZE_MAX_BYTES} are read`
  throw new ProofsTooLargeError(words, { kind: 'proofs_large' })
}

/** The transaction as its id commits to it; of a chain of them, what it does together, which has no id on the network. */
export function transactionOf({ inputs, outputs }: Pick<UnsignedTransaction, 'outputs'> & { inputs: readonly OutPoint[] }): Transaction {
  return {
    version: VERSION,
    inputs: inputs.map(({ txid, index }) => ({ txid, index, script: new Uint8Array(), sequence: SEQUENCE })),
    outputs: outputs.map(({ amount, script }) => ({ amount, script })),
    lockTime: 0,
  }
}

/** The one PSBT (BIP174, version 0) of a transaction, unsigned or with the witness of each signature, those of inputs first. */
export function serializePsbt(transaction: UnsignedTransaction, witnesses?: Uint8Array[][]): Uint8Array {
  const { chain, inputs, outputs, inscribes } = transaction
  const further = witnesses?.slice(inputs.length) ?? []
  const global = [
    { key: UNSIGNED_TX, value: serializeTransaction(transactionOf(transaction)) },
    { key: CHAIN, value: new TextEncoder().encode(chain) },
    ...(inscribes ? [{ key: INSCRIBES, value: writeBrc20Transfer(inscribes.ticker, inscribes.amount).body }] : []),
    ...(further.length > 0 ? [{ key: STEP_WITNESSES, value: concatBytes(...further.map(witnessBytes)) }] : []),
  ]
  const inputMaps = inputs.map(({ amount, script, previous, inscription }, i) => [
    ...(previous ? [{ key: NON_WITNESS_UTXO, value: previous }] : []),
    { key: WITNESS_UTXO, value: outputBytes({ amount, script }) },
    ...(witnesses ? [{ key: FINAL_WITNESS, value: witnessBytes(at(witnesses, i)) }] : []),
    ...(inscription ? [{ key: INSCRIPTION, value: concatBytes(sized(inscription.reveal), sized(inscription.commit)) }] : []),
  ])
  const outputMaps = outputs.map(({ changePath }) =>
    changePath ? [{ key: CHANGE, value: concatBytes(...changePath.map((index) => uintBytes(index, 4))) }] : [],
  )
  return concatBytes(MAGIC, ...[global, ...inputMaps, ...outputMaps].map(mapBytes))
}

/**
 * Parses a PSBT of ours, unsigned or finished (`witnesses`). Throws ChainError for everything that `serializePsbt` would not write:
 * unknown or missing fields, another order, other sequences, versions and lock times, proofs that are missing or prove something else.
 */
export function parsePsbt(bytes: Uint8Array): { transaction: UnsignedTransaction; witnesses?: Uint8Array[][] } {
  if (bytes.length > SIZE_MAX_BYTES) throw new ChainError(`the transaction has ${bytes.length} bytes; at most ${SIZE_MAX_BYTES} are read`)
  const reader = new ByteReader(bytes)
  if (!equalBytes(reader.take(MAGIC.length), MAGIC)) throw new ChainError('the transaction is no PSBT')
  const global = readMap(reader)
  const inside = parseTransaction(required(take(global, UNSIGNED_TX), 'transaction'))
  const chain = new TextDecoder().decode(required(take(global, CHAIN), 'network'))
  const inscribes = readInscribes(take(global, INSCRIBES))
  const further = readFurther(take(global, STEP_WITNESSES))
  assertEmpty(global)
  if (inside.inputs.length === 0 || inside.outputs.length === 0) throw new ChainError('the transaction has no inputs or no outputs')
  // Before anything is done for each of them, of which some is done with each other one.
  assertSpendable(inside.inputs.length)
  const read = inside.inputs.map(({ txid, index }) => readInput(readMap(reader), { txid, index }))
  const outputs = inside.outputs.map((output): OrderedOutput => ({ ...output, ...readChange(readMap(reader)) }))
  reader.end()
  const transaction: UnsignedTransaction = { chain, inputs: read.map(({ coin }) => coin), outputs, ...(inscribes && { inscribes }) }
  assertProven(transaction.inputs)
  const shown = transaction.inputs.filter(({ inscription }) => inscription).length
  if (transaction.inputs.slice(0, shown).some(({ inscription }) => !inscription)) throw new ChainError('inputs that show an inscription come before all others')
  const finished = read.flatMap(({ witness }) => (witness ? [witness] : []))
  if (finished.length !== 0 && finished.length !== read.length)
    throw new ChainError(`${finished.length} of ${read.length} inputs are signed; all belong, or none`)
  const witnesses = finished.length === 0 ? undefined : [...finished, ...further]
  // The parser refuses every loose spelling it knows of; this comparison also refuses those that nobody thought of.
  if (!equalBytes(bytes, serializePsbt(transaction, witnesses))) throw new ChainError('the transaction is not in its canonical form')
  return { transaction, witnesses }
}

/** Throws ChainError if so many coins are spent that signers do not sign for all of them. */
export function assertSpendable(inputs: number): void {
  if (inputs > SIGNATURES_MAX) throw new ChainError(`the transaction spends ${inputs} coins; signers sign for ${SIGNATURES_MAX} at most`)
}

/** The coin alone, without the transaction that proves it: all that another draft may know of it. */
export function withoutProof({ txid, index, amount, script }: SpentCoin): SpentCoin {
  return { txid, index, amount, script }
}

/** Whether inputs of this script need the transactions before them, being so many. */
export function needsPrevious(script: Uint8Array, inputs: number): boolean {
  return inputs > 1 && readScript(script)?.kind === 'p2wpkh'
}

/** Coins that are to be proven bring the transaction that made them: the first of each transaction, or, as orders of older versions have it, every one. */
function assertProven(inputs: SpentCoin[]): void {
  const needed = inputs.filter(({ script }) => needsPrevious(script, inputs.length))
  const isEach = needed.every(({ previous }) => previous !== undefined)
  const known = new Map<Uint8Array, ReturnType<typeof readPrevious>>()
  for (const coin of inputs) {
    const { txid, index, amount, script } = coin
    const first = needed.includes(coin) ? needed.find((each) => each.txid === txid) : undefined
    if ((coin.previous !== undefined) !== (first !== undefined && (isEach || first === coin))) {
      throw new ChainError(
        `the transaction that made ${txid}:${index} ${coin.previous ? 'is given and not needed' : 'is missing, so its amount is not proven'}`,
      )
    }
    const previous = coin.previous ?? first?.previous
    if (!previous) continue
    const shown = known.get(previous) ?? readPrevious(previous)
    known.set(previous, shown)
    const made = shown.outputs[index]
    if (shown.txid !== txid || made?.amount !== amount || !equalBytes(made.script, script)) {
      throw new ChainError(`the transaction given for ${txid}:${index} does not prove its amount and script`)
    }
  }
  const spent = new Set(inputs.map((coin) => toHex(outpointBytes(coin))))
  if (spent.size !== inputs.length) throw new ChainError('the transaction spends a coin twice')
}

/** What a transaction that proves coins made; its id only where it is written in its one form. */
function readPrevious(previous: Uint8Array): { txid: string | undefined; outputs: TransactionOutput[] } {
  const parsed = parseTransaction(previous)
  return { txid: equalBytes(previous, serializeTransaction(parsed)) ? txidOf(parsed) : undefined, outputs: parsed.outputs }
}

function readInput(map: Entry[], outpoint: { txid: string; index: number }): { coin: SpentCoin; witness?: Uint8Array[] } {
  const previous = take(map, NON_WITNESS_UTXO)
  const reader = new ByteReader(required(take(map, WITNESS_UTXO), 'value of an input'))
  const amount = reader.uint(8)
  const script = reader.sized()
  reader.end()
  const final = take(map, FINAL_WITNESS)
  const inscription = readProof(take(map, INSCRIPTION))
  assertEmpty(map)
  return { coin: { ...outpoint, amount, script, ...(previous && { previous }), ...(inscription && { inscription }) }, witness: final && readWitness(final) }
}

function readProof(value: Uint8Array | undefined): InscriptionProof | undefined {
  if (!value) return undefined
  const reader = new ByteReader(value)
  const [reveal, commit] = [reader.sized(), reader.sized()]
  reader.end()
  return { reveal, commit }
}

/** What is inscribed on the way: the very text of the transfer. */
function readInscribes(body: Uint8Array | undefined): InscribedTransfer | undefined {
  if (!body) return undefined
  const operation = readBrc20({ contentType: 'text/plain', body })
  if (operation?.op !== 'transfer') throw new ChainError('what is to be inscribed is no BRC-20 transfer')
  return { ticker: operation.ticker, amount: operation.amount }
}

function readFurther(value: Uint8Array | undefined): Uint8Array[][] {
  const reader = new ByteReader(value ?? new Uint8Array())
  const witnesses: Uint8Array[][] = []
  while (reader.left > 0) witnesses.push(readWitnessFrom(reader))
  return witnesses
}

function readChange(map: Entry[]): { changePath?: number[] } {
  const path = take(map, CHANGE)
  assertEmpty(map)
  if (!path) return {}
  if (path.length % 4 !== 0) throw new ChainError('the path of change is none')
  const reader = new ByteReader(path)
  const changePath = Array.from({ length: path.length / 4 }, () => reader.uint32())
  // No path is the paying address. Any other has to be one that the owner of the key finds without the bytes that name it.
  const fault = changePath.length > 0 ? faultOfOwnPath(changePath) : undefined
  if (fault !== undefined) throw new ChainError(`the path of change, ${pathText(changePath)}, ${fault}`)
  return { changePath }
}

function mapBytes(entries: Entry[]): Uint8Array {
  return concatBytes(...entries.flatMap(({ key, value }) => [sized(key), sized(value)]), compactSize(0))
}

function readMap(reader: ByteReader): Entry[] {
  const entries: Entry[] = []
  for (;;) {
    const key = reader.sized()
    if (key.length === 0) return entries
    if (entries.length === FIELDS_MAX) throw new ChainError(`the transaction has more than ${FIELDS_MAX} fields in one place`)
    if (entries.some((each) => equalBytes(each.key, key))) throw new ChainError(`the field ${toHex(key)} is there twice`)
    entries.push({ key, value: reader.sized() })
  }
}

function take(map: Entry[], key: Uint8Array): Uint8Array | undefined {
  const index = map.findIndex((each) => equalBytes(each.key, key))
  const [taken] = index === -1 ? [] : map.splice(index, 1)
  return taken?.value
}

function required(value: Uint8Array | undefined, name: string): Uint8Array {
  if (!value) throw new ChainError(`the ${name} is missing`)
  return value
}

function assertEmpty(map: Entry[]): void {
  const [unknown] = map
  if (unknown) throw new ChainError(`the field ${toHex(unknown.key).slice(0, 40)} is unknown`)
}
