import { struct, text, uint } from '@holdfast/encoding'

/**
 * The most that one whole unit of an asset is taken to be worth, in millionths of a US dollar, until a time. After that no amount of it is known to be small.
 */
export const valuationShape = struct('holdfast/valuation/v1', { chain: text(64), asset: text(128), microUsd: uint(128), validUntilMs: uint(53) })
