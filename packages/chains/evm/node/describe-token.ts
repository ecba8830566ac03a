import { ChainError, readCollection } from '@holdfast/chain-core'
import { concatBytes, fromHex, toHex } from '@holdfast/encoding'
import { parseSignature } from '../codec/abi-type.ts'
import { type AbiValue, decodeFunctionCall, encodeFunctionCall } from '../codec/abi-value.ts'
import { hexData } from './answers.ts'
import { NodeRefused, type Rpc } from './rpc.ts'

const SYMBOL_MAX = 32
const NAME_MAX = 200

/** Asks a token's contract for its symbol and decimals; a collection is counted in whole pieces. Undefined if it does not answer in the usual form. */
export async function describeToken(rpc: Rpc, asset: string): Promise<{ symbol: string; decimals: number; name?: string } | undefined> {
  const collection = readCollection(asset)?.collection
  const to = collection ?? asset
  const symbol = await askText(rpc, to, 'symbol()')
  const decimals = collection ? 0n : await askToken(rpc, to, 'decimals()', 'uint8')
  if (typeof symbol !== 'string' || typeof decimals !== 'bigint' || symbol === '' || symbol.length > SYMBOL_MAX) return undefined
  const name = await askText(rpc, to, 'name()')
  return { symbol, decimals: Number(decimals), ...(typeof name === 'string' && name !== '' && name.length <= NAME_MAX && { name }) }
}

/** A text; old tokens give it as 32 bytes, filled up with zeros. */
async function askText(rpc: Rpc, to: string, signature: string): Promise<string | undefined> {
  const text = await askToken(rpc, to, signature, 'string')
  if (typeof text === 'string') return text
  const bytes = await askToken(rpc, to, signature, 'bytes32')
  if (!(bytes instanceof Uint8Array)) return undefined
  const end = bytes.indexOf(0)
  // Whatever follows the end must be filling, or it is something else than a text.
  if (end < 1 || bytes.subarray(end).some((byte) => byte !== 0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end))
  } catch {
    return undefined
  }
}

async function askToken(rpc: Rpc, to: string, signature: string, type: string): Promise<AbiValue | undefined> {
  const data = `0x${toHex(encodeFunctionCall(parseSignature(signature), []))}`
  const answer = await rpc('eth_call', [{ to, data }, 'latest']).catch((cause: unknown) => {
    // The contract ran and gave an error: it has no such function.
    if (cause instanceof NodeRefused) return '0x'
    throw cause
  })
  const told = fromHex(hexData(answer, 'answer of a token'))
  try {
    // An answer is encoded as arguments are, without a selector.
    const read = parseSignature(`answer(${type})`)
    return decodeFunctionCall(read, concatBytes(fromHex(read.selector), told))[0]
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}
