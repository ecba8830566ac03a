import { boolField, bytesField, listField, messageField, uintField } from './protobuf.ts'

// The messages of TRON's protocol that the codec knows, by the numbers of their fields. Source: tronprotocol/protocol, Tron.proto
// and contract/*.proto. A field that is missing here is one that no transaction of ours may carry.

const keyMessage = { address: bytesField(1), weight: uintField(2) }
export const permissionMessage = {
  type: uintField(1),
  id: uintField(2),
  name: bytesField(3),
  threshold: uintField(4),
  operations: bytesField(6),
  keys: listField(7, keyMessage),
}

/** What a transaction orders: one contract of these kinds, each by its name and number in the protocol. */
export const CONTRACTS = {
  TransferContract: { number: 1n, message: { owner: bytesField(1), to: bytesField(2), amount: uintField(3) } },
  TriggerSmartContract: { number: 31n, message: { owner: bytesField(1), contract: bytesField(2), data: bytesField(4) } },
  AccountPermissionUpdateContract: {
    number: 46n,
    message: { owner: bytesField(1), ownerPermission: messageField(2, permissionMessage), actives: listField(4, permissionMessage) },
  },
  FreezeBalanceV2Contract: { number: 54n, message: { owner: bytesField(1), amount: uintField(2), resource: uintField(3) } },
  UnfreezeBalanceV2Contract: { number: 55n, message: { owner: bytesField(1), amount: uintField(2), resource: uintField(3) } },
  WithdrawExpireUnfreezeContract: { number: 56n, message: { owner: bytesField(1) } },
  DelegateResourceContract: {
    number: 57n,
    message: { owner: bytesField(1), resource: uintField(2), amount: uintField(3), receiver: bytesField(4), lock: boolField(5), lockPeriod: uintField(6) },
  },
  UnDelegateResourceContract: { number: 58n, message: { owner: bytesField(1), resource: uintField(2), amount: uintField(3), receiver: bytesField(4) } },
  CancelAllUnfreezeV2Contract: { number: 59n, message: { owner: bytesField(1) } },
} as const

const anyMessage = { typeUrl: bytesField(1), value: bytesField(2) }
const contractMessage = { type: uintField(1), parameter: messageField(2, anyMessage), permissionId: uintField(5) }

export const rawMessage = {
  refBlockBytes: bytesField(1),
  refBlockHash: bytesField(4),
  expiration: uintField(8),
  contracts: listField(11, contractMessage),
  timestamp: uintField(14),
  feeLimit: uintField(18),
}
export const transactionMessage = { raw: bytesField(1), signature: bytesField(2) }

export const TYPE_URL = 'type.googleapis.com/protocol.'
