// EIP-2681 allows nonces up to 2^64-2, but no account reaches even this and other tools hold a nonce in a number.
export const NONCE_MAX = BigInt(Number.MAX_SAFE_INTEGER)

/** The CAIP-2 chain id's number, such as 31337n for `eip155:31337`, or undefined if it names no EVM chain. */
export function evmChainId(chain: string): bigint | undefined {
  const digits = /^eip155:([1-9][0-9]{0,18})$/.exec(chain)?.[1]
  if (digits === undefined) return undefined
  const id = BigInt(digits)
  // EIP-2294 bounds chain ids so that every client can hold them.
  return id <= 0x7fff_ffff_ffff_ffdbn ? id : undefined
}
