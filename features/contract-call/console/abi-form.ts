import { ChainError } from '@holdfast/chain-core'
import { type AbiType, type AbiValue, encodeFunctionCall, parseSignature, typeText } from '@holdfast/chain-evm/codec'
import { fromHex, toHex } from '@holdfast/encoding'
import { known } from '@holdfast/units'

/** A function of a pasted ABI that changes something: its canonical signature and what its arguments are called there. */
export type AbiEntry = { signature: string; arguments: { name: string; type: string }[] }

/** The functions of a pasted ABI, or undefined if the text is none. What the ABI calls them is a stranger's word; the signature is what counts. */
export function functionsOfAbi(text: string): AbiEntry[] | undefined {
  let claim: unknown
  try {
    claim = JSON.parse(text)
  } catch {
    return undefined
  }
  // Build tools wrap the ABI in an artifact.
  const list = Array.isArray(claim) ? claim : (claim as { abi?: unknown } | null)?.abi
  if (!Array.isArray(list)) return undefined
  return list.flatMap((item) => entryOf(item) ?? [])
}

type Parameter = { name?: unknown; type?: unknown; components?: unknown }

function entryOf(item: unknown): AbiEntry | undefined {
  const { type, name, inputs, stateMutability } = (item ?? {}) as Record<string, unknown>
  if (type !== 'function' || typeof name !== 'string' || !Array.isArray(inputs) || stateMutability === 'view' || stateMutability === 'pure') return undefined
  const types = (inputs as Parameter[]).map(typeOf)
  if (types.includes(undefined)) return undefined
  try {
    const { signature } = parseSignature(`${name}(${types.join(',')})`)
    return {
      signature,
      arguments: (inputs as Parameter[]).map((each, i) => ({
        name: typeof each.name === 'string' ? each.name : '',
        type: known(types[i], `the type of argument ${i}`),
      })),
    }
  } catch (cause) {
    if (cause instanceof ChainError) return undefined
    throw cause
  }
}

function typeOf({ type, components }: Parameter): string | undefined {
  if (typeof type !== 'string') return undefined
  if (!type.startsWith('tuple')) return type
  const parts = Array.isArray(components) ? (components as Parameter[]).map(typeOf) : [undefined]
  return parts.includes(undefined) ? undefined : `(${parts.join(',')})${type.slice('tuple'.length)}`
}

/** Call data for a function with its arguments as they were typed, or undefined if one of them is none of its type. Lists are written as JSON. */
export function writeCall(signature: string, texts: readonly string[]): string | undefined {
  try {
    const called = parseSignature(signature)
    return `0x${toHex(
      encodeFunctionCall(
        called,
        called.inputs.map((type, i) => valueOf(type, texts[i] ?? '')),
      ),
    )}`
  } catch {
    // Whatever is wrong with a text, there is no call data of it.
    return undefined
  }
}

/** Whether a text is a value of a type. */
export function isValue(type: string, text: string): boolean {
  return writeCall(`f(${type})`, [text]) !== undefined
}

function valueOf(type: AbiType, given: unknown): AbiValue {
  const text = typeof given === 'string' ? given.trim() : given
  if (type.kind === 'array' || type.kind === 'tuple') {
    const list: unknown = typeof text === 'string' ? JSON.parse(text) : text
    if (!Array.isArray(list)) throw new ChainError(`a value of ${typeText(type)} is a list`)
    return list.map((each, i) => {
      const item = type.kind === 'tuple' ? type.items[i] : type.item
      return item ? valueOf(item, each) : refuse(type)
    })
  }
  if (type.kind === 'bool') return text === true || text === 'true' ? true : text === false || text === 'false' ? false : refuse(type)
  // A number of JSON has lost digits already where it is large: then it is written as text.
  if (type.kind === 'uint' || type.kind === 'int')
    return /^-?\d{1,78}$/.test(String(text)) && (typeof text === 'string' || Number.isSafeInteger(text)) ? BigInt(text as string) : refuse(type)
  if (typeof text !== 'string') return refuse(type)
  if (type.kind === 'bytes' || type.kind === 'fixedBytes') return text.startsWith('0x') ? fromHex(text) : refuse(type)
  return type.kind === 'string' ? String(given) : text
}

function refuse(type: AbiType): never {
  throw new ChainError(`no value of ${typeText(type)}`)
}
