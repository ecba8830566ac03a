import { ChainError, type ChainId, type Signature } from '@holdfast/chain-core'
import { concatBytes, equalBytes } from '@holdfast/encoding'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { ADDRESS_LENGTH, addressBytes, checksumAddress } from '../address.ts'
import { checkedSignature, recoverAddress } from '../recover-address.ts'
import { encodeRlp, type RlpItem } from '../rlp.ts'
import { bytesField, decodeList, type Fields, listOf, SIGNATURE_FIELDS, signatureAt, type TransactionSignature, uintField } from '../rlp-fields.ts'
import { evmChainId, NONCE_MAX } from '../chain-number.ts'
import { uintToBytes } from '../uint.ts'

/**
 * That the code at `delegate` runs in the name of the account that signs this, until another one follows; null ends it. It takes the account's nonce, which no
 * transaction of that account can have then. Source: EIP-7702.
 */
export type Authorization = { chain: ChainId; delegate: string | null; nonce: bigint }
export type SignedAuthorization = Authorization & { signature: TransactionSignature }

/** Keeps what is signed apart from every transaction. */
const MAGIC = 5
const NAMES = ['chain id of an authorization', 'delegate of an authorization', 'nonce of an authorization']
const SIGNED_NAMES = [...NAMES, ...SIGNATURE_FIELDS]
const NOBODY = new Uint8Array(ADDRESS_LENGTH)

/** The bytes of an authorization, whose digest (`authorizationDigest`) the account's key signs. Throws ChainError for what `decodeAuthorization` would refuse. */
export function encodeAuthorization(authorization: Authorization): Uint8Array {
  const bytes = concatBytes(Uint8Array.of(MAGIC), encodeRlp(fieldsOf(authorization)))
  decodeAuthorization(bytes)
  return bytes
}

/**
 * Reads the bytes of an authorization. Throws ChainError for anything but their one canonical form, and for one that would hold on every chain. Whether the
 * delegate may be let in is for the caller to say (`readDelegation`).
 */
export function decodeAuthorization(bytes: Uint8Array): Authorization {
  if (!isAuthorization(bytes)) throw new ChainError('not an authorization: its bytes begin with 5 (EIP-7702)')
  return authorizationOf(decodeList(bytes.subarray(1), 'the authorization', NAMES))
}

/** What the account's key signs, computed from the bytes. Throws ChainError as `decodeAuthorization` does. */
export function authorizationDigest(bytes: Uint8Array): Uint8Array {
  decodeAuthorization(bytes)
  return keccak_256(bytes)
}

/** Puts a signature on an authorization. Throws ChainError for a signature out of range, with the higher s, or of no key. */
export function signAuthorization(bytes: Uint8Array, signature: Signature): SignedAuthorization {
  const signed = { ...decodeAuthorization(bytes), signature: checkedSignature(signature) }
  authorityOf(signed)
  return signed
}

/** The address whose key signed, in EIP-55: whose account it is that delegates. Throws ChainError if the signature is out of range or of no key. */
export const authorityOf = ({ signature, ...authorization }: SignedAuthorization): string =>
  recoverAddress(authorizationDigest(encodeAuthorization(authorization)), signature)

/** Whether bytes are an authorization, signed or not, and no transaction. */
export const isAuthorization = (bytes: Uint8Array): boolean => bytes[0] === MAGIC

/** A signed authorization by itself, as it is kept until a transaction carries it: what is signed, with the three fields of the signature behind. */
export const writeSignedAuthorization = (signed: SignedAuthorization): Uint8Array =>
  concatBytes(Uint8Array.of(MAGIC), encodeRlp(signedAuthorizationItem(signed)))

/** Reads one. Throws ChainError for anything but its one canonical form, and for a signature out of range or of no key. */
export function readSignedAuthorization(bytes: Uint8Array): { unsigned: Uint8Array; signed: SignedAuthorization } {
  if (!isAuthorization(bytes)) throw new ChainError('not an authorization: its bytes begin with 5 (EIP-7702)')
  const signed = signedAuthorizationOf(decodeList(bytes.subarray(1), 'the signed authorization', SIGNED_NAMES).items)
  authorityOf(signed)
  if (!equalBytes(bytes, writeSignedAuthorization(signed))) throw new ChainError('the signed authorization is not in its canonical form')
  const { signature: _, ...authorization } = signed
  return { unsigned: encodeAuthorization(authorization), signed }
}

/** A signed authorization as a transaction carries it. */
export const signedAuthorizationItem = (authorization: SignedAuthorization): RlpItem => {
  const { yParity, r, s } = authorization.signature
  return [...fieldsOf(authorization), uintToBytes(yParity), uintToBytes(r), uintToBytes(s)]
}

/** Reads one that a transaction carries. Throws ChainError for what `decodeAuthorization` refuses; does not check the signature. */
export function signedAuthorizationOf(item: RlpItem): SignedAuthorization {
  const fields = listOf(item, 'an authorization', SIGNED_NAMES)
  return { ...authorizationOf(fields), signature: signatureAt(fields, NAMES.length) }
}

function fieldsOf({ chain, delegate, nonce }: Authorization): Uint8Array[] {
  const chainId = evmChainId(chain)
  if (chainId === undefined) throw new ChainError(`not an EVM chain: ${chain}`)
  return [uintToBytes(chainId), delegate === null ? NOBODY : addressBytes(delegate), uintToBytes(nonce)]
}

function authorizationOf(fields: Fields): Authorization {
  const chain = `eip155:${uintField(fields, 0)}`
  if (evmChainId(chain) === undefined)
    throw new ChainError(chain === 'eip155:0' ? 'the authorization names no chain, so it would hold on every one' : `not an EVM chain: ${chain}`)
  const delegate = bytesField(fields, 1)
  if (delegate.length !== ADDRESS_LENGTH) throw new ChainError(`the delegate has ${delegate.length} bytes; an address has ${ADDRESS_LENGTH}`)
  const nonce = uintField(fields, 2)
  if (nonce > NONCE_MAX) throw new ChainError('the nonce of the authorization is higher than any account can reach')
  return { chain, delegate: equalBytes(delegate, NOBODY) ? null : checksumAddress(delegate), nonce }
}
