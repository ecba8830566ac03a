import { ChainError } from '@holdfast/chain-core'
import { concatBytes, toHex } from '@holdfast/encoding'
import { ADDRESS_LENGTH } from './address.ts'
import { bytesToUint, uintToBytes } from './uint.ts'

const WORD = 32
const SELECTOR = Uint8Array.of(0xa9, 0x05, 0x9c, 0xbb)
const CALL_LENGTH = SELECTOR.length + 2 * WORD

// Only to name in the refusal what somebody tried; whatever is missing here is refused just the same.
const KNOWN_CALLS: Record<string, string> = {
  '095ea7b3': 'approve(address,uint256)',
  '23b872dd': 'transferFrom(address,address,uint256)',
  '39509351': 'increaseAllowance(address,uint256)',
  a22cb465: 'setApprovalForAll(address,bool)',
  d505accf: 'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
  '42842e0e': 'safeTransferFrom(address,address,uint256)',
  f2fde38b: 'transferOwnership(address)',
  ac9650d8: 'multicall(bytes[])',
}

/** The call data of ERC-20 `transfer(address,uint256)`: selector, address left-padded to a word, amount. */
export function encodeTransferCall(to: Uint8Array, amount: bigint): Uint8Array {
  const digits = uintToBytes(amount)
  return concatBytes(SELECTOR, new Uint8Array(WORD - ADDRESS_LENGTH), to, new Uint8Array(WORD - digits.length), digits)
}

/** Reads the call data of ERC-20 `transfer`. Throws ChainError for any other call and for any other spelling of it. */
export function decodeTransferCall(data: Uint8Array): { to: Uint8Array; amount: bigint } {
  const selector = toHex(data.subarray(0, SELECTOR.length))
  if (selector !== toHex(SELECTOR)) {
    const name = KNOWN_CALLS[selector]
    throw new ChainError(`unknown call data: ${name ?? `selector 0x${selector}`}; only a plain transfer and ERC-20 transfer(address,uint256) are understood`)
  }
  if (data.length !== CALL_LENGTH) throw new ChainError(`ERC-20 transfer takes ${CALL_LENGTH} bytes of call data, not ${data.length}`)
  const addressWord = data.subarray(SELECTOR.length, SELECTOR.length + WORD)
  if (addressWord.subarray(0, WORD - ADDRESS_LENGTH).some((byte) => byte !== 0)) {
    throw new ChainError('the recipient in the ERC-20 transfer has bytes before the address')
  }
  return { to: addressWord.slice(WORD - ADDRESS_LENGTH), amount: bytesToUint(data.subarray(SELECTOR.length + WORD)) }
}
