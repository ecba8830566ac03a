import { at } from '@holdfast/units'
import { addressFromPublicKey } from './sign-as.ts'
import { toHex } from '@holdfast/encoding'
import { secp256k1 } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import type { Account } from './accounts.ts'
import { TransactionRefused } from './transaction-refused.ts'
import type { Permission, Sent } from './messages.ts'

const DAY_MS = 86_400_000
/** How the operations a permission allows are written: one bit for each number of a contract type. */
const BITS = 8
// Blocks a transaction may stand on: as many as two bytes of their number can tell apart.
const REF_BLOCKS = 65_536

export type Standing = { number: number; id: string; timestampMs: number }
export type Chain = { head(): Standing; block(number: number): Standing | undefined; isKnown(txid: string): boolean }

/** Checks what a node checks before it takes a transaction into its pool or a block: its block, its time, that it is new. Throws TransactionRefused. */
export function checkStanding(chain: Chain, sent: Sent): void {
  const head = chain.head()
  if (chain.isKnown(sent.txid)) throw new TransactionRefused('DUP_TRANSACTION_ERROR', 'Dup transaction.')
  const low = Number.parseInt(sent.refBlockBytes, 16)
  const number = head.number - ((((head.number - low) % REF_BLOCKS) + REF_BLOCKS) % REF_BLOCKS)
  const block = number < 0 ? undefined : chain.block(number)
  if (!block || block.id.slice(16, 32) !== sent.refBlockHash)
    throw new TransactionRefused('TAPOS_ERROR', `Tapos failed, different block hash, ref block ${sent.refBlockBytes}`)
  checkTime(sent, head.timestampMs)
}

/** A block holds no transaction whose time had passed at the block before. */
export function checkTime(sent: Sent, headMs: number): void {
  if (sent.expirationMs <= headMs || sent.expirationMs > headMs + DAY_MS)
    throw new TransactionRefused(
      'TRANSACTION_EXPIRATION_ERROR',
      `Transaction expired, transaction expiration time is ${sent.expirationMs}, but headBlockTime is ${headMs}`,
    )
}

export type Weight = { permission: Permission; approved: string[]; weight: bigint }

/** Who signed, and what their signatures weigh under the permission that the transaction names. Throws TransactionRefused for signatures that do not count. */
export function weigh(account: Account | undefined, sent: Sent, operation: number): Weight {
  if (!account) throw new TransactionRefused('CONTRACT_VALIDATE_ERROR', `Contract validate error : account [${toHex(sent.order.owner)}] does not exist`)
  const permission = sent.permissionId === 0 ? account.owner : account.actives.find(({ id }) => Number(id) === sent.permissionId)
  if (!permission) throw new TransactionRefused('SIGERROR', "Validate signature error: permission isn't exit")
  const allowed = sent.permissionId === 0 || ((permission.operations[operation >> 3] ?? 0) >> (operation % BITS)) & 1
  if (!allowed) throw new TransactionRefused('SIGERROR', 'Validate signature error: Permission denied')
  const approved = sent.signatures.map((signature) => signerOf(sent.rawData, signature))
  if (new Set(approved).size !== approved.length) throw new TransactionRefused('SIGERROR', 'Validate signature error: has signed twice!')
  let weight = 0n
  for (const signer of approved) {
    const key = permission.keys.find(({ address }) => toHex(address) === signer)
    if (!key) throw new TransactionRefused('SIGERROR', `Validate signature error: signed by ${signer} but it is not contained of permission.`)
    weight += key.weight
  }
  return { permission, approved, weight }
}

export function checkSignatures(account: Account | undefined, sent: Sent, operation: number): void {
  const { permission, weight } = weigh(account, sent, operation)
  if (weight < permission.threshold) throw new TransactionRefused('SIGERROR', `Validate signature error: weight ${weight} is below ${permission.threshold}`)
}

function signerOf(rawData: Uint8Array, signature: Uint8Array): string {
  try {
    const v = at(signature, 64)
    const parsed = secp256k1.Signature.fromBytes(signature.subarray(0, 64), 'compact').addRecoveryBit(v < 27 ? v : v - 27)
    return addressFromPublicKey(parsed.recoverPublicKey(sha256(rawData)).toBytes(false))
  } catch {
    throw new TransactionRefused('SIGERROR', 'Validate signature error: no key made this signature')
  }
}
