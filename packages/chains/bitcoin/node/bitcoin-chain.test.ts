import { chainNodeSuite } from '@holdfast/chain-core/node-suite'
import { schnorr } from '@noble/curves/secp256k1.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { describe, it } from 'node:test'
import { NO_BITCOIND, testNetworks } from '../testing/networks.ts'
import { chain, codec, publicKey, sign, signTaproot, taprootKey } from '../testing/samples.ts'
import { bitcoinNode } from './index.ts'

let strangers = 0

// The suite compares addresses by their text, in which a name and a password have no place: they are added on the way.
const passwords = new Map<string, string>()

function withoutPassword(rpcUrl: string): string {
  const { host, username, password } = new URL(rpcUrl)
  if (username !== '') passwords.set(host, `Basic ${btoa(`${username}:${password}`)}`)
  return `http://${host}`
}

function knowing(url: string, init?: RequestInit): RequestInit {
  const authorization = passwords.get(new URL(url).host)
  return authorization === undefined ? { ...init } : { ...init, headers: { ...(init?.headers as Record<string, string>), authorization } }
}

const payers = [
  { kind: 'P2WPKH', payer: { publicKey, sign } },
  { kind: 'P2TR', payer: { publicKey: taprootKey, sign: signTaproot } },
]
for (const { name, start } of testNetworks) {
  if (!start) describe(`bitcoin against ${name}`, () => it('keeps the promises of every node', { skip: NO_BITCOIND }, () => {}))
  for (const { kind, payer } of start ? payers : []) {
    chainNodeSuite({
      name: `bitcoin with ${kind}, against ${name}`,
      codec,
      coin: { chain, contract: null },
      start: async (options) => {
        const { rpcUrl, call, fund, mine, stop } = await start!(options)
        const url = withoutPassword(rpcUrl)
        const reorganise = async (depth: number) => {
          const height = (await call('getblockcount')) as number
          await call('invalidateblock', await call('getblockhash', height - depth + 1))
          for (let i = 0; i < depth; i++) await call('generateblock', codec.addressFromKey(publicKey), [])
        }
        return { url, token: null, fund: (_, to, amount) => fund(to, amount), mine, reorganise, stop }
      },
      open: (_, { url, fetch, ...connection }) =>
        bitcoinNode({ chain, rpcUrl: url, ...connection, fetch: (input, init) => fetch(input, knowing(String(input), init)) }),
      payer,
      strangers: () => codec.addressFromKey(schnorr.getPublicKey(sha256(Uint8Array.of(7, ++strangers & 0xff, strangers >> 8)))),
      amounts: { start: 200_000_000n, payment: 1_000_000n },
    })
  }
}
