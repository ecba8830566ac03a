import { equalBytes } from '@holdfast/encoding'
import { bitOf } from './base-ot.ts'
import { bytesToWords, CHALLENGE_BYTES, hashColumn, hashColumns, ROW_WORDS, transpose, wordsToBytes } from './bit-matrix.ts'
import { CheatError } from '../round/errors.ts'
import { CHECK_BITS, COLUMN_BYTES, LAMBDA_C, OT_KEY_BYTES } from '../round/parameters.ts'
import type { Random } from '../round/randomness.ts'
import { hashPrefix, hashWithPrefix, type Session } from '../round/transcript.ts'

/**
 * OT extension: from 128 base OTs to xi = 416 correlated OTs, secure against a cheating receiver. It is SoftSpokenOT with k = 1 (Roy, eprint
 * 2022/192), in the form of figure 10 of Keller, Orsini, Scholl (eprint 2015/546, corrected version), made non-interactive by Fiat-Shamir as
 * DKLs23 section 5.1 says. The universal hash is a uniform binary matrix. A receiver that grinds the challenge needs about 2^147 hashes.
 *
 * The roles are reversed against the base OTs: the extension's receiver was their sender and knows both keys of each column.
 */
export const COLUMNS_BYTES = LAMBDA_C * COLUMN_BYTES

/** What the extension's receiver sends: the columns u, the hash of its choices, and the hash of the hashes of its own columns. */
export type ExtensionMessage = { columns: Uint8Array; choiceHash: Uint8Array; columnCheck: Uint8Array }

/** The hash prefixes of one extension, made once for all its inner hashes. */
export type ExtensionPrefixes = { column: Uint8Array; challenge: Uint8Array; check: Uint8Array }

/**
 * The prefixes for the extension in which `receiver` chooses. Both parties compute the same. `nonce` is 32 fresh bytes of the receiver, which it has sent: the
 * columns of two extensions under the same keys never repeat, even were a session id used twice by mistake.
 */
export function extensionPrefixes(session: Session, receiver: number, sender: number, nonce: Uint8Array): ExtensionPrefixes {
  const prefix = (use: string) => hashPrefix(session, `ot-extension/${use}`, receiver, sender, nonce)
  return { column: prefix('column'), challenge: prefix('challenge'), check: prefix('check') }
}

/** PRG of column i: 72 bytes. Input after the prefix: 2 bytes of index, 32 bytes of key. */
function expandColumn(prefix: Uint8Array, i: number, key: Uint8Array): Uint8Array {
  return hashWithPrefix(COLUMN_BYTES, prefix, Uint8Array.of(i >> 8, i & 255), key)
}

/**
 * The receiver's side, all of it. `keys` are both base-OT keys of each column. Returns its 416 + 160 random choice bits,
 * its rows (row j is t_j) and the message.
 */
export function extendAsReceiver(
  prefixes: ExtensionPrefixes,
  keys: Uint8Array,
  random: Random,
): { choices: Uint8Array; rows: Uint32Array; message: ExtensionMessage } {
  const choices = random(COLUMN_BYTES)
  const own = new Uint8Array(COLUMNS_BYTES)
  const columns = new Uint8Array(COLUMNS_BYTES)
  for (let i = 0; i < LAMBDA_C; i++) {
    const at = i * COLUMN_BYTES
    const zero = expandColumn(prefixes.column, i, keys.subarray(2 * i * OT_KEY_BYTES, (2 * i + 1) * OT_KEY_BYTES))
    const one = expandColumn(prefixes.column, i, keys.subarray((2 * i + 1) * OT_KEY_BYTES, (2 * i + 2) * OT_KEY_BYTES))
    own.set(zero, at)
    for (let byte = 0; byte < COLUMN_BYTES; byte++) columns[at + byte] = zero[byte]! ^ one[byte]! ^ choices[byte]!
  }
  const challenge = hashWithPrefix(CHALLENGE_BYTES, prefixes.challenge, columns)
  const rows = transpose(own)
  const columnCheck = checkOf(prefixes, hashColumns(challenge, rows))
  return { choices, rows, message: { columns, choiceHash: hashColumn(challenge, choices), columnCheck } }
}

/**
 * The sender's side. `delta` are its 128 choice bits in the base OTs, `keys` the keys it chose. Returns its rows: row j is t_j, or
 * t_j + delta where the receiver chose 1. Throws CheatError if the receiver's columns are not all of one choice.
 */
export function extendAsSender(prefixes: ExtensionPrefixes, delta: Uint8Array, keys: Uint8Array, message: ExtensionMessage, peer: number): Uint32Array {
  const { columns, choiceHash, columnCheck } = message
  const own = new Uint8Array(COLUMNS_BYTES)
  for (let i = 0; i < LAMBDA_C; i++) {
    const at = i * COLUMN_BYTES
    const chosen = expandColumn(prefixes.column, i, keys.subarray(i * OT_KEY_BYTES, (i + 1) * OT_KEY_BYTES))
    const mask = -bitOf(delta, i)
    for (let byte = 0; byte < COLUMN_BYTES; byte++) own[at + byte] = chosen[byte]! ^ (columns[at + byte]! & mask)
  }
  const challenge = hashWithPrefix(CHALLENGE_BYTES, prefixes.challenge, columns)
  const rows = transpose(own)
  const hashes = hashColumns(challenge, rows)
  const deltaWords = bytesToWords(delta)
  for (let k = 0; k < CHECK_BITS; k++) {
    const mask = -bitOf(choiceHash, k)
    for (let word = 0; word < ROW_WORDS; word++) hashes[k * ROW_WORDS + word] = hashes[k * ROW_WORDS + word]! ^ (deltaWords[word]! & mask)
  }
  // KOS figure 10, consistency check: hash(q_i) = hash(t_i) + delta_i * hash(x) for every column i. It passes a cheating receiver
  // that guessed bits of delta, which is why a failure must burn the pair's seeds.
  if (!equalBytes(checkOf(prefixes, hashes), columnCheck)) throw new CheatError(peer, 'OT extension consistency (SoftSpokenOT; KOS figure 10)')
  return rows
}

const checkOf = (prefixes: ExtensionPrefixes, hashes: Uint32Array): Uint8Array => hashWithPrefix(32, prefixes.check, wordsToBytes(hashes))
