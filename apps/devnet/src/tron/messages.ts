import {
  bytesField,
  CONTRACTS,
  encodeMessage,
  type Infer,
  listField,
  messageField,
  permissionMessage,
  readMessage,
  TYPE_URL,
  uintField,
} from '@holdfast/chain-tron/codec'
import { toHex } from '@holdfast/encoding'
import { sha256 } from '@noble/hashes/sha2.js'

// What the emulator understands: everything that wallets send here, and so more than signers do. Numbers as in tronprotocol/protocol.

const smartContractMessage = {
  origin: bytesField(1),
  address: bytesField(2),
  abi: bytesField(3),
  bytecode: bytesField(4),
  callValue: uintField(5),
  consumeUserResourcePercent: uintField(6),
  name: bytesField(7),
  originEnergyLimit: uintField(8),
}
export const KINDS = {
  ...CONTRACTS,
  TriggerSmartContract: { number: 31n, message: { owner: bytesField(1), contract: bytesField(2), callValue: uintField(3), data: bytesField(4) } },
  CreateSmartContract: { number: 30n, message: { owner: bytesField(1), created: messageField(2, smartContractMessage) } },
} as const

const rawMessage = {
  refBlockBytes: bytesField(1),
  refBlockHash: bytesField(4),
  expiration: uintField(8),
  memo: bytesField(10),
  contracts: listField(11, { type: uintField(1), parameter: messageField(2, { typeUrl: bytesField(1), value: bytesField(2) }), permissionId: uintField(5) }),
  timestamp: uintField(14),
  feeLimit: uintField(18),
}
const SIGNATURE_FIELD = 0x12
const SIGNATURE_LENGTH = 65

export type Permission = Infer<typeof permissionMessage>
export type Kind = keyof typeof KINDS
export type Order = { [K in Kind]: { kind: K } & Infer<(typeof KINDS)[K]['message']> }[Kind]

export type Sent = {
  txid: string
  rawData: Uint8Array
  signatures: Uint8Array[]
  order: Order
  permissionId: number
  refBlockBytes: string
  refBlockHash: string
  expirationMs: number
  timestampMs: number
  feeLimit: bigint
  memo: Uint8Array
  /** Bytes of bandwidth: the transaction as broadcast, and 64 for its result. */
  size: bigint
}

/** Reads `raw_data` with its signatures. Throws where the emulator does not know what it is. */
export function parseSent(rawData: Uint8Array, signatures: Uint8Array[]): Sent {
  const raw = readMessage(rawMessage, rawData, 'transaction')
  const contract = raw.contracts[0]
  if (raw.contracts.length !== 1 || !contract?.parameter) throw new Error('a transaction has one contract')
  const kind = (Object.keys(KINDS) as Kind[]).find((each) => KINDS[each].number === contract.type)
  if (!kind || new TextDecoder().decode(contract.parameter.typeUrl) !== TYPE_URL + kind)
    throw new Error(`the emulator does not know contract type ${contract.type}`)
  return {
    txid: toHex(sha256(rawData)),
    rawData,
    signatures,
    order: { kind, ...readMessage(KINDS[kind].message, contract.parameter.value, kind) } as Order,
    permissionId: Number(contract.permissionId),
    refBlockBytes: toHex(raw.refBlockBytes),
    refBlockHash: toHex(raw.refBlockHash),
    expirationMs: Number(raw.expiration),
    timestampMs: Number(raw.timestamp),
    feeLimit: raw.feeLimit,
    memo: raw.memo,
    size: BigInt(serializeSent(rawData, signatures).length + 64),
  }
}

/** The bytes that are broadcast: `raw_data`, and each signature as a field of its own. */
export function serializeSent(rawData: Uint8Array, signatures: Uint8Array[]): Uint8Array {
  const head = encodeMessage({ raw: bytesField(1) }, { raw: rawData })
  return Uint8Array.from([...head, ...signatures.flatMap((each) => [...encodeMessage({ signature: bytesField(2) }, { signature: each })])])
}

/** Takes broadcast bytes apart. */
export function parseBroadcast(bytes: Uint8Array): Sent {
  const signatures: Uint8Array[] = []
  let end = bytes.length
  for (let start = end - SIGNATURE_LENGTH - 2; start > 0 && bytes[start] === SIGNATURE_FIELD && bytes[start + 1] === SIGNATURE_LENGTH; ) {
    signatures.unshift(bytes.slice(start + 2, end))
    end = start
    start = end - SIGNATURE_LENGTH - 2
  }
  return parseSent(readMessage({ raw: bytesField(1) }, bytes.subarray(0, end), 'signed transaction').raw, signatures)
}

/** The `raw_data` of a transaction that the emulator itself makes. */
export function makeRawData<K extends Kind>(
  kind: K,
  value: Uint8Array,
  frame: { refBlockBytes: Uint8Array; refBlockHash: Uint8Array; timestampMs: number; lifeMs: number; feeLimit: bigint; permissionId?: number },
): Uint8Array {
  return encodeMessage(rawMessage, {
    refBlockBytes: frame.refBlockBytes,
    refBlockHash: frame.refBlockHash,
    expiration: BigInt(frame.timestampMs + frame.lifeMs),
    contracts: [
      { type: KINDS[kind].number, parameter: { typeUrl: new TextEncoder().encode(TYPE_URL + kind), value }, permissionId: BigInt(frame.permissionId ?? 0) },
    ],
    timestamp: BigInt(frame.timestampMs),
    feeLimit: frame.feeLimit,
  })
}
