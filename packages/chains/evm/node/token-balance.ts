import { ChainError, readNft } from '@holdfast/chain-core'
import { toHex } from '@holdfast/encoding'
import { addressBytes, canonicalAddress } from '../codec/address.ts'
import { encodeCall } from '../codec/call-data.ts'
import { hexData } from './answers.ts'
import { NodeRefused, type Rpc } from './rpc.ts'

/** `balanceOf(address)` of ERC-20, `balanceOf(address,uint256)` of ERC-1155, `ownerOf(uint256)` of ERC-721. */
const BALANCE_OF = '70a08231'
const BALANCE_OF_ID = '00fdd58e'
const OWNER_OF = '6352211e'
/** `allowance(address,address)` of ERC-20. */
const ALLOWANCE = 'dd62ed3e'
/** `isApprovedForAll(address,address)` of ERC-721 and ERC-1155. */
const IS_APPROVED_FOR_ALL = 'e985e9c5'
/** `getApproved(uint256)` of ERC-721. */
const GET_APPROVED = '081812fc'

/**
 * How much of a token an address has at the end of a block: base units, or pieces of one token of a collection. Throws ChainError if
 * there is no such token.
 */
export async function tokenBalance(rpc: Rpc, holder: string, contract: string, at: string): Promise<bigint> {
  const nft = readNft(contract)
  const owner = addressBytes(holder)
  const read = async (selector: string, args: (bigint | Uint8Array)[]) => {
    const data = `0x${toHex(encodeCall(selector, args))}`
    const word = hexData(await rpc('eth_call', [{ to: nft?.collection ?? contract, data }, at]), 'token balance')
    if (word.length !== 2 + 64) throw new ChainError(`there is no ${nft ? 'such collection' : 'ERC-20 token'} at ${contract}`)
    return BigInt(word)
  }
  if (!nft) return read(BALANCE_OF, [owner])
  if (nft.standard === 'erc1155') return read(BALANCE_OF_ID, [owner, nft.tokenId])
  try {
    return (await read(OWNER_OF, [nft.tokenId])) === BigInt(holder) ? 1n : 0n
  } catch (cause) {
    // ERC-721 has no owner of a token that was burnt or never made: the contract reverts. Any other refusal says nothing.
    if (cause instanceof NodeRefused && /revert/i.test(cause.reason)) return 0n
    throw cause
  }
}

/** How much of an owner's tokens a spender may still take, in base units; undefined if the token does not say. */
export async function readAllowance(rpc: Rpc, owner: string, spender: string, token: string): Promise<bigint | undefined> {
  const data = `0x${toHex(encodeCall(ALLOWANCE, [addressBytes(owner), addressBytes(spender)]))}`
  const word = hexData(await rpc('eth_call', [{ to: token, data }, 'latest']), 'allowance')
  return word.length === 2 + 64 ? BigInt(word) : undefined
}

/** Whether an operator may take everything that an owner has of a collection; undefined if the contract does not say. */
export async function readOperator(rpc: Rpc, owner: string, operator: string, collection: string): Promise<boolean | undefined> {
  const data = `0x${toHex(encodeCall(IS_APPROVED_FOR_ALL, [addressBytes(owner), addressBytes(operator)]))}`
  const word = hexData(await rpc('eth_call', [{ to: collection, data }, 'latest']), 'right over a collection')
  return word.length === 2 + 64 ? BigInt(word) === 1n : undefined
}

/** Who may take one token of ERC-721, null for nobody; undefined if the contract does not say. */
export async function readApproved(rpc: Rpc, collection: string, tokenId: bigint): Promise<string | null | undefined> {
  const data = `0x${toHex(encodeCall(GET_APPROVED, [tokenId]))}`
  const word = hexData(await rpc('eth_call', [{ to: collection, data }, 'latest']), 'right over a token')
  if (!/^0x0{24}[0-9a-f]{40}$/.test(word)) return undefined
  return BigInt(word) === 0n ? null : canonicalAddress(`0x${word.slice(-40)}`)
}
