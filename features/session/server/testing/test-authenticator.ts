import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { nodePorts } from '@holdfast/ports/node'

/**
 * A passkey authenticator in software, for tests: P-256, attestation "none", user verified. It answers the JSON options of
 * WebAuthn as a browser at `origin` would.
 */
export type TestAuthenticator = {
  create(options: Record<string, unknown>, change?: Change & OddRegistration): Record<string, unknown>
  get(options: Record<string, unknown>, change?: Change): Record<string, unknown>
}

export type Change = { origin?: string; rpId?: string; userVerified?: boolean; challenge?: string; type?: string; userHandle?: string; counter?: number }
/** What a registration may be made to hold otherwise than it should. */
export type OddRegistration = {
  key?: (cose: Uint8Array) => Uint8Array
  attested?: (data: Uint8Array) => Uint8Array
  attestation?: (object: Uint8Array) => Uint8Array
  transports?: unknown
  response?: Record<string, unknown>
}

type Cbor = number | string | Uint8Array | Map<Cbor, Cbor>

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.of((major << 5) | length)
  if (length < 256) return Buffer.of((major << 5) | 24, length)
  if (length < 65_536) return Buffer.of((major << 5) | 25, length >> 8, length & 255)
  const head = Buffer.alloc(5, (major << 5) | 26)
  head.writeUInt32BE(length, 1)
  return head
}

export function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value)
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([cborHead(2, value.length), value])
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])])
}

const same = (bytes: Uint8Array): Uint8Array => bytes
const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest()

export function createTestAuthenticator(origin: string): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const credentialId = Buffer.from(nodePorts.random.bytes(32))
  let userHandle = ''
  let counter = 0

  const clientData = (type: string, options: Record<string, unknown>, change: Change) =>
    Buffer.from(
      JSON.stringify({
        type: change.type ?? type,
        challenge: change.challenge ?? options.challenge,
        origin: change.origin ?? origin,
        crossOrigin: false,
      }),
    )
  const authenticatorData = (change: Change, attested: Uint8Array = new Uint8Array()) => {
    const flags = 0x01 | (change.userVerified === false ? 0 : 0x04) | (attested.length > 0 ? 0x40 : 0)
    const count = Buffer.alloc(4)
    count.writeUInt32BE(change.counter ?? ++counter)
    return Buffer.concat([sha256(change.rpId ?? new URL(origin).hostname), Buffer.of(flags), count, attested])
  }
  const id = credentialId.toString('base64url')

  return {
    create: (options, change = {}) => {
      userHandle = (options.user as { id: string }).id
      const key: Cbor = new Map<Cbor, Cbor>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x, 'base64url')],
        [-3, Buffer.from(y, 'base64url')],
      ])
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.of(0, credentialId.length), credentialId, (change.key ?? same)(cbor(key))])
      const attestationObject = cbor(
        new Map<Cbor, Cbor>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', (change.attested ?? same)(authenticatorData(change, attested))],
        ]),
      )
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: clientData('webauthn.create', options, change).toString('base64url'),
          attestationObject: Buffer.from((change.attestation ?? same)(attestationObject)).toString('base64url'),
          transports: 'transports' in change ? change.transports : ['internal'],
          ...change.response,
        },
      }
    },
    get: (options, change = {}) => {
      const client = clientData('webauthn.get', options, change)
      const data = authenticatorData(change)
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
          userHandle: change.userHandle ?? userHandle,
        },
      }
    },
  }
}
