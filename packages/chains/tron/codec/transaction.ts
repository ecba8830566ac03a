import { ChainError } from '@holdfast/chain-core'
import { equalBytes } from '@holdfast/encoding'
import { at } from '@holdfast/units'
import { addressText } from './address.ts'
import { CONTRACTS, rawMessage, transactionMessage, TYPE_URL } from './contracts.ts'
import { decodeMessage, type Draft, encodeMessage, type Infer } from './protobuf.ts'

type ContractName = keyof typeof CONTRACTS
/** What a transaction orders, under the protocol's name of its contract. */
export type Contract = { [Name in ContractName]: { name: Name } & Infer<(typeof CONTRACTS)[Name]['message']> }[ContractName]
type ContractDraft = { [Name in ContractName]: { name: Name } & Draft<(typeof CONTRACTS)[Name]['message']> }[ContractName]

/** The block a transaction stands on, so that another chain does not take it: bytes 6 to 8 of its number and 8 to 16 of its hash. */
export type RefBlock = { bytes: Uint8Array; hash: Uint8Array }

export type Transaction = {
  contract: Contract
  /** By which of the account's permissions it is signed: 0 is the owner's. */
  permissionId: bigint
  refBlock: RefBlock
  /** Milliseconds since 1970. */
  expirationMs: bigint
  timestampMs: bigint
  /** The most sun that may be burnt for energy. */
  feeLimit: bigint
}

/** Longest transaction that is read: the chain's own limit is 500 kB, and none that we make has a tenth of this. */
const BYTES_MAX = 8_192
const SIGNATURE_LENGTH = 65

/** The `raw_data` of a transaction. */
export function serializeTransaction(transaction: Omit<Transaction, 'contract' | 'permissionId'> & { contract: ContractDraft }): Uint8Array {
  const { name, ...values } = transaction.contract
  const { number, message } = CONTRACTS[name]
  return encodeMessage(rawMessage, {
    refBlockBytes: transaction.refBlock.bytes,
    refBlockHash: transaction.refBlock.hash,
    expiration: transaction.expirationMs,
    contracts: [{ type: number, parameter: { typeUrl: typeUrlOf(name), value: encodeMessage(message, values as Draft<typeof message>) } }],
    timestamp: transaction.timestampMs,
    feeLimit: transaction.feeLimit,
  })
}

/** Parses `raw_data`. Throws ChainError for a contract that is not allowed and for anything but the one canonical form. */
export function parseTransaction(unsigned: Uint8Array): Transaction {
  if (unsigned.length === 0 || unsigned.length > BYTES_MAX) throw new ChainError(`the transaction has ${unsigned.length} bytes`)
  const raw = decodeMessage(rawMessage, unsigned, 'transaction')
  if (raw.refBlockBytes.length !== 2 || raw.refBlockHash.length !== 8) throw new ChainError('the transaction does not name the block it stands on')
  if (raw.contracts.length !== 1) throw new ChainError(`the transaction has ${raw.contracts.length} contracts where one belongs`)
  return {
    contract: contractOf(at(raw.contracts, 0)),
    permissionId: at(raw.contracts, 0).permissionId,
    refBlock: { bytes: raw.refBlockBytes, hash: raw.refBlockHash },
    expirationMs: raw.expiration,
    timestampMs: raw.timestamp,
    feeLimit: raw.feeLimit,
  }
}

/** The bytes that are broadcast: `raw_data` and one signature. */
export function serializeSigned(unsigned: Uint8Array, signature: Uint8Array): Uint8Array {
  return encodeMessage(transactionMessage, { raw: unsigned, signature })
}

export function parseSigned(raw: Uint8Array): { unsigned: Uint8Array; signature: Uint8Array } {
  if (raw.length > 2 * BYTES_MAX) throw new ChainError(`the transaction has ${raw.length} bytes`)
  const { raw: unsigned, signature } = decodeMessage(transactionMessage, raw, 'signed transaction')
  if (signature.length !== SIGNATURE_LENGTH) throw new ChainError(`the signature has ${signature.length} bytes where ${SIGNATURE_LENGTH} belong`)
  return { unsigned, signature }
}

/**
 * Bandwidth that a transaction with one signature uses, in bytes: its length as broadcast, and 64 bytes for its result.
 * Source: java-tron, BandwidthProcessor.
 */
export function bandwidthOf(unsigned: Uint8Array): bigint {
  return BigInt(serializeSigned(unsigned, new Uint8Array(SIGNATURE_LENGTH)).length + 64)
}

function contractOf({ type, parameter }: Infer<typeof rawMessage>['contracts'][number]): Contract {
  const name = (Object.keys(CONTRACTS) as ContractName[]).find((each) => CONTRACTS[each].number === type)
  if (!name) throw new ChainError(`the transaction has a contract of type ${type}, which is not allowed`)
  if (!parameter || !equalBytes(parameter.typeUrl, typeUrlOf(name))) throw new ChainError('the transaction names two kinds of contract')
  const values = decodeMessage(CONTRACTS[name].message, parameter.value, name)
  // Throws where the address is none; whoever reads the contract takes its text.
  addressText(values.owner)
  return { name, ...values } as Contract
}

function typeUrlOf(name: ContractName): Uint8Array {
  return new TextEncoder().encode(TYPE_URL + name)
}
