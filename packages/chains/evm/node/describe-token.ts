import { ChainError, readCollection } from '@holdfast/chain-core'
import { concatBytes, fromHex, toHex } from '@holdfast/encoding'
import { parseSignature } from '../codec/abi-type.ts'
import { type AbiValue, decodeFunctionCall, encodeFunctionCall } from '../codec/abi-value.ts'
import { hexData } from './answers.ts'
import { NodeRefusal, type Rpc } from './rpc.ts'

const SYMBOL_MAX = 32
const NAME_MAX = 200

/** Asks a token's contract for its symbol and decimals; a collection is counted in whole pieces. Undefined where it does not answer in the usual form. */
export async function describeToken(rpc: Rpc, asset: string): Promise<{ symbol: string; decimals: number; name?: string } | undefined> {
  const collection = readCollection(asset)?.collection
  const to = collection ?? asset
  const symbol = await askToken(rpc, to, 'symbol()', 'string')
  const decimals = collection ? 0n : await askToken(rpc, to, 'decimals()', 'uint8')
  if (typeof symbol !== 'string' || typeof decimals !== 'bigint' || symbol === '' || symbol.length > SYMBOL_MAX) return undefined
  const name = await askToken(rpc, to, 'name()', 'string')
  return { symbol, decimals: Number(decimals), ...(typeof name === 'string' && name !== '' && name.length <= NAME_MAX && { name }) }
}

async function askToken(rpc: Rpc, to: string, signature: string, type: string): Promise<AbiValue | undefined> {
  const data = `0x${toHex(encodeFunctionCall(parseSignature(signature), []))}`
  const answer = await rpc('eth_call', [{ to, data }, 'latest']).catch((cause: unknown) => {
    // The contract ran and gave an error: it has no such function.
    if (cause instanceof NodeRefusal) return '0x'
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
