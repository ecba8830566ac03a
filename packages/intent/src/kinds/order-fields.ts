import { bytes, list, text, uint } from '@holdfast/encoding'
import { assetShape } from '../asset.ts'

// Fields that kinds of orders share. The order of fields is that of their bytes.

/** Of which organisation an order is, and which order. */
export const identityFields = { genesis: bytes(32), orderId: bytes(16) }

/** When an order counts, under which policy, and who asks. */
export const validityFields = { notBeforeMs: uint(), expiresAtMs: uint(), policyVersion: uint(), policyHash: bytes(32), initiator: bytes(16) }

/** What orders to the signers themselves end with: why, and when, under which policy and by whom. */
export const statedFields = { remark: text(800), ...validityFields, nonce: bytes(32) }

/** The key of an order, and where below it the address is that pays. */
export const keyFields = { keyId: bytes(32), path: list(uint(31), 8) }

/** What the transaction of an order may cost, and what place on the chain it takes. */
export const feeFields = { feeAsset: assetShape, feeCap: uint(256), slotRule: text(32) }

/** What orders that pay nobody by themselves begin with: where they are, and what they move. */
export const movedFields = { ...identityFields, ...keyFields, from: text(128), to: text(128), asset: assetShape, amount: uint(256) }

/** And what they end with: the fee, and who asks, when and under which policy. */
export const askedFields = { ...feeFields, ...validityFields, remark: text(800), nonce: bytes(32) }
