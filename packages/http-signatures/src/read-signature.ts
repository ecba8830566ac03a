import { type Message, signatureBase } from './signature-base.ts'
import { componentsOf, SIGNING_ALGORITHMS, type SigningAlgorithm } from './signature-params.ts'

/** A call is not signed in the form that is taken. The message says what to do. */
export class SignatureFault extends Error {
  override name = 'SignatureFault'
}

/**
 * A signature of a call, not yet checked: `base` is what the key of `keyId` has to have signed. `created` counts seconds. `algorithm` is what the call says, or null
 * where it says nothing: by what it is checked, the key decides, and a call that says another has to be refused.
 */
export type ReadSignature = {
  keyId: string
  created: number
  nonce: string
  algorithm: SigningAlgorithm | null
  base: string
  signature: Uint8Array
  components: readonly string[]
}

const TEXT = String.raw`"[\x20\x21\x23-\x5b\x5d-\x7e]*"`
const LABEL = '[a-z*][a-z0-9_.*-]{0,63}'
const INPUT = new RegExp(String.raw`^(${LABEL})=(\((${TEXT}(?: ${TEXT}){0,19})\)((?:;[a-z]{1,16}=(?:[0-9]{1,15}|${TEXT}))+))$`)
const SIGNATURE = new RegExp(String.raw`^(${LABEL})=:([A-Za-z0-9+/]{86}==):$`)
const PARAMETER = new RegExp(String.raw`;([a-z]+)=([0-9]+|${TEXT})`, 'g')
const KNOWN: ReadonlySet<string> = new Set(['created', 'nonce', 'keyid', 'alg'])
const LENGTH_MAX = 4096

/**
 * The signature of a call, by its headers `signature-input` and `signature`: exactly one, over all that the call says. Its digest, its time and the
 * signature itself are left to be checked. Throws SignatureFault.
 */
export function readSignature(message: Message, hasBody: boolean): ReadSignature {
  const [input, signature] = [message.headers['signature-input'] ?? '', message.headers['signature'] ?? '']
  if (input === '' || signature === '') throw new SignatureFault('the headers Signature-Input and Signature are missing')
  const read = input.length <= LENGTH_MAX ? INPUT.exec(input.trim()) : null
  const given = signature.length <= LENGTH_MAX ? SIGNATURE.exec(signature.trim()) : null
  if (!read || !given) throw new SignatureFault('Signature-Input and Signature must have one signature each, as RFC 9421 writes it')
  const [, label = '', params = '', listed = '', rest = ''] = read
  if (given[1] !== label) throw new SignatureFault('Signature-Input and Signature name different signatures')
  const components = listed.split(' ').map((each) => each.slice(1, -1))
  if (new Set(components).size !== components.length) throw new SignatureFault('a component is signed twice')
  const missing = componentsOf(hasBody).find((each) => !components.includes(each))
  if (missing !== undefined) throw new SignatureFault(`the signature does not cover ${missing}`)
  const { created, nonce, keyid, alg } = parametersOf(rest)
  if (created === undefined || !/^[0-9]+$/.test(created)) throw new SignatureFault('created must say when it was signed, in seconds')
  if (keyid === undefined || keyid.length > 200) throw new SignatureFault('keyid must name the key')
  if (nonce === undefined || !/^[A-Za-z0-9+/=_-]{16,64}$/.test(nonce))
    throw new SignatureFault('nonce must have 16 to 64 letters and digits that are used once')
  const algorithm = alg === undefined ? null : SIGNING_ALGORITHMS.find((each) => each === alg)
  if (algorithm === undefined) throw new SignatureFault('alg must be ed25519 or ecdsa-p256-sha256, whichever the key is of')
  const base = signatureBase(message, components, params)
  if (base === undefined) throw new SignatureFault('the signature covers something that the call does not have')
  const bytes = Uint8Array.from(atob(given[2] ?? ''), (each) => each.charCodeAt(0))
  return { keyId: keyid, created: Number(created), nonce, algorithm, base, signature: bytes, components }
}

type Parameters = Partial<Record<'created' | 'nonce' | 'keyid' | 'alg', string>>

function parametersOf(text: string): Parameters {
  const parameters: Record<string, string> = {}
  for (const [, name = '', value = ''] of text.matchAll(PARAMETER)) {
    if (!KNOWN.has(name)) throw new SignatureFault(`the parameter ${name} is none that is taken`)
    if (Object.hasOwn(parameters, name)) throw new SignatureFault(`the parameter ${name} stands twice`)
    const isText = value.startsWith('"')
    if (isText === (name === 'created')) throw new SignatureFault(`the parameter ${name} is not in its form`)
    parameters[name] = isText ? value.slice(1, -1) : value
  }
  return parameters
}
